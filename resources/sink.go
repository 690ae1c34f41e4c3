package resources

import "fmt"

// sink collects what the readers of one document find. All objects of the document share it.
type sink struct {
	file     string
	found    []Diagnostic
	seen     map[finding]int // index in found; reading a key twice must not report it twice
	lost     [Info + 1]int   // findings beyond MaxDiagnostics, by severity
	refs     []Reference
	gone     map[int]bool // of found: dropped, because another finding explains it
	muted    map[Pos]bool // places of objects of which no more is said
	required map[int]bool // of found: that a key is missing
	spoilt   []Pos        // places at which readers put a default in place of a value that is wrong

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
	if s.muted[d.Pos()] {
		return -1
	}
	return s.keep(d, key)
}

// addMissing notes that a key is missing, also where no more is said.
func (s *sink) addMissing(d Diagnostic) int {
	d.File = s.file
	key := finding{d.Pos(), d.Code, d.Message}
	if i, ok := s.seen[key]; ok {
		return i
	}
	i := s.keep(d, key)
	if i >= 0 {
		if s.required == nil {
			s.required = map[int]bool{}
		}
		s.required[i] = true
	}
	return i
}

func (s *sink) keep(d Diagnostic, key finding) int {
	if s.full() {
		s.lost[min(d.Severity, Info)]++
		return -1
	}
	if s.seen == nil {
		s.seen = make(map[finding]int)
	}
	s.found = append(s.found, d)
	s.seen[key] = len(s.found) - 1
	return len(s.found) - 1
}

// drop takes a finding back.
func (s *sink) drop(i int) {
	if s.gone == nil {
		s.gone = map[int]bool{}
	}
	s.gone[i] = true
}

// mute drops what was found at a place, except for keys that are missing, and what will be.
func (s *sink) mute(at Pos) {
	for i := range s.found {
		if s.found[i].Pos() == at && !s.required[i] {
			s.drop(i)
		}
	}
	if s.muted == nil {
		s.muted = map[Pos]bool{}
	}
	s.muted[at] = true
}

// spoil notes that a reader refused what stands at a place.
func (s *sink) spoil(at Pos) {
	if !s.full() {
		s.spoilt = append(s.spoilt, at)
	}
}

// spoiltWithin reports whether a reader refused anything between two places, the second excluded.
func (s *sink) spoiltWithin(places func() (from, to Pos)) bool {
	if len(s.spoilt) == 0 || s.full() {
		return false
	}
	from, to := places()
	for _, at := range s.spoilt {
		if !at.before(from) && at.before(to) {
			return true
		}
	}
	return false
}

// errors counts the errors, those included that were not kept.
func (s *sink) errors() int {
	n := s.lost[Error]
	for i := range s.found {
		if s.found[i].Severity == Error && !s.gone[i] {
			n++
		}
	}
	return n
}

// full reports whether further findings are only counted.
func (s *sink) full() bool { return len(s.found) >= MaxDiagnostics }

// list returns a sorted copy, led by the counts of what was lost, which stand at no line.
func (s *sink) list() Diagnostics {
	if len(s.found) == 0 {
		return nil
	}
	out := make(Diagnostics, 0, len(s.found)+1)
	for i, d := range s.found {
		if !s.gone[i] {
			out = append(out, d)
		}
	}
	for severity, n := range s.lost {
		if n > 0 {
			out = append(out, Diagnostic{
				File: s.file, Severity: Severity(severity), Code: CodeTooMany, More: n,
				Message: fmt.Sprintf("%d %ss beyond the first %d findings are not shown", n, Severity(severity), MaxDiagnostics),
			})
		}
	}
	out.Sort()
	return out
}
