package robotmain

import "testing"

// TestExitCodesMatchTheDocumentation compares the constants with the documented codes, which unit files and scripts rely on.
func TestExitCodesMatchTheDocumentation(t *testing.T) {
	if got := [...]int{exitOK, exitFailure, exitUsage, exitFindings, exitUnreachable}; got != [...]int{0, 1, 2, 3, 4} {
		t.Errorf("exit codes %v", got)
	}
}
