package resources

import "testing"

// What is lost counts as what it is: a file with warnings alone has no error.
// Rules: data/1.11e.
func TestWarningsBeyondTheLimitAreNoErrors(t *testing.T) {
	s := sink{file: "f.json"}
	for i := range MaxDiagnostics + 500 {
		s.add(Diagnostic{Severity: Warning, Code: "some", Line: i + 1, Col: 1, Message: "odd"})
	}
	s.add(Diagnostic{Severity: Error, Code: "wrong", Line: 9999, Col: 1, Message: "wrong"})
	ds := s.list()
	if s.errors() != 1 || ds.Count(Warning) != MaxDiagnostics+500 || ds.Count(Error) != 1 {
		t.Errorf("%d errors; listed %d errors, %d warnings", s.errors(), ds.Count(Error), ds.Count(Warning))
	}
}
