package control

import "net/http"

// A Manual is a robot that knows what its behavior files may hold. A Robot may be one.
type Manual interface {
	// Reference is the reference of behavior files, in Markdown. It may take a moment the first time.
	Reference() ([]byte, error)
}

// manual serves the reference of behavior files as text.
func (s *Server) manual(w http.ResponseWriter, _ *http.Request) {
	m, ok := s.robot.(Manual)
	if !ok {
		deny(w, http.StatusNotFound, "this robot has no reference of behavior files; robotd list has it in a terminal")
		return
	}
	text, err := m.Reference()
	if err != nil {
		deny(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(text)
}
