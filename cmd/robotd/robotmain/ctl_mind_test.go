package robotmain

import (
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Mind and line of the motors are told apart if only one of them is stopped.
func TestHalfAStopIsToldAsSuch(t *testing.T) {
	for s, want := range map[control.StopState]string{
		{Number: 7}:                         "",
		{Number: 7, Mind: true, Line: true}: "on",
		{Number: 7, Line: true}:             "the wheels are off, but the mind is not stopped",
		{Number: 7, Mind: true}:             "the mind is stopped, but the line of the motors is free",
	} {
		if got := stopped(&s); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}
