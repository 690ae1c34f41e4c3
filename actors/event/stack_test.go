package event_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/actors/event"
)

// culprit panics, depth calls below its caller.
func culprit(depth int) {
	if depth == 0 {
		panic("trouble")
	}
	culprit(depth - 1)
}

// stackOf is the stack that a recovering function collects of culprit.
func stackOf(depth int) (s event.Stack) {
	defer func() {
		_ = recover()
		s = event.CallStack()
	}()
	culprit(depth)
	return nil
}

func TestStackNamesPanickingCall(t *testing.T) {
	text := stackOf(0).String()
	culprit, caller := strings.Index(text, "event_test.culprit"), strings.Index(text, "event_test.stackOf\n")
	if culprit < 0 || caller < culprit || !strings.Contains(text, "stack_test.go:") {
		t.Errorf("culprit at %d, its caller at %d, in\n%s", culprit, caller, text)
	}
	if none := event.Stack(nil).String(); none != "" {
		t.Errorf("the zero Stack is formatted as %q", none)
	}
}

func TestDeepStackKeepsInnermostCalls(t *testing.T) {
	s := stackOf(1000)
	if text := s.String(); len(s) != 64 || strings.Count(text, "event_test.culprit") < 50 {
		t.Errorf("%d calls:\n%s", len(s), text)
	}
}

// CallStack collects program counters and formats no text.
func TestCallStackAllocatesOnce(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { _ = event.CallStack() }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}
