package control

import "time"

// DropSlow makes the server wait only so long for the client of a stream. No request may have come yet.
func (s *Server) DropSlow(after time.Duration) { s.slow = after }

// CloseWithin makes Close wait so long for open requests.
func (s *Server) CloseWithin(limit time.Duration) { s.closing = limit }

// Impatient makes questions about the past wait only so long for their turn. No request may have come yet. It returns how many of one kind
// have a turn at once.
func (s *Server) Impatient(after time.Duration) int {
	s.instants.patience, s.windows.patience = after, after
	return cap(s.windows.turns)
}
