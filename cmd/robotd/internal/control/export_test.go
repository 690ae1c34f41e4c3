package control

import "time"

// DropSlow makes the server wait only so long for the client of a stream. No request may have come yet.
func (s *Server) DropSlow(after time.Duration) { s.slow = after }
