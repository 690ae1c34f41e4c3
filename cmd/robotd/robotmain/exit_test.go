package robotmain

import "testing"

// TestExitCodesAreThoseOfTheDocument keeps the constants from drifting: units and scripts rely on them.
func TestExitCodesAreThoseOfTheDocument(t *testing.T) {
	if got := [...]int{exitOK, exitFailure, exitUsage, exitFindings, exitUnreachable}; got != [...]int{0, 1, 2, 3, 4} {
		t.Errorf("exit codes %v", got)
	}
}
