package resources

import (
	"fmt"
	"slices"
)

// sink collects what the readers of one document find. All objects of the document share it.
type sink struct {
	file  string
	found []Diagnostic
	seen  map[finding]int // index in found; reading a key twice must not report it twice
	lost  int             // findings beyond MaxDiagnostics
	refs  []Reference

	translate func(kind, name string) string // nil = names mean themselves
}

// finding is a diagnostic without its hint, which may be improved later.
type finding struct {
	pos           Pos
	code, message string
}

// add notes a finding about the sink's file and returns its index, or -1 when the list is full.
func (s *sink) add(d Diagnostic) int {
	d.File = s.file
	key := finding{d.Pos(), d.Code, d.Message}
	if i, ok := s.seen[key]; ok {
		return i
	}
	if s.full() {
		s.lost++
		return -1
	}
	if s.seen == nil {
		s.seen = make(map[finding]int)
	}
	s.found = append(s.found, d)
	s.seen[key] = len(s.found) - 1
	return len(s.found) - 1
}

// full reports whether further findings are only counted.
func (s *sink) full() bool { return len(s.found) >= MaxDiagnostics }

// list returns a sorted copy, led by the count of what was lost, which stands at no line.
func (s *sink) list() Diagnostics {
	if len(s.found) == 0 {
		return nil
	}
	out := Diagnostics(slices.Clone(s.found))
	if s.lost > 0 {
		out = append(out, Diagnostic{
			File: s.file, Severity: Error, Code: CodeTooMany, More: s.lost,
			Message: fmt.Sprintf("%d findings beyond the first %d are not shown", s.lost, MaxDiagnostics),
		})
	}
	out.Sort()
	return out
}
