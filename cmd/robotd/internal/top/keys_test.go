package top

import (
	"errors"
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

func TestEmergencyStopIsSentAfterYOnly(t *testing.T) {
	m, r := view(80, 24)
	press(m, "e")
	if frame := content(t, m); !strings.Contains(frame, "emergency stop? y stops the robot") {
		t.Errorf("it does not ask:\n%s", frame)
	}
	if cmd := press(m, "n"); cmd != nil || !strings.Contains(content(t, m), "nothing was sent") {
		t.Error("a no sends something, or says nothing")
	}
	if cmd := press(m, "y"); cmd != nil {
		t.Error("a y without a question does something")
	}
	cmd := press(m, "e", "y")
	if cmd == nil {
		t.Fatal("a yes sends nothing")
	}
	m.Update(cmd())
	if len(r.got) != 1 || r.got[0] != "estop" {
		t.Errorf("the robot was told %q, want one estop", r.got)
	}
	if frame := content(t, m); !strings.Contains(frame, "stopped (stop 8)") {
		t.Errorf("the answer is not shown:\n%s", frame)
	}
}

func TestResumeNamesTheStopThatWasShownWhenTheKeyWasPressed(t *testing.T) {
	m, r := view(80, 24)
	if press(m, "r"); !strings.Contains(content(t, m), "the robot is not stopped") {
		t.Error("r on a robot that is not stopped says nothing")
	}
	stopped := func(n uint64) *control.State {
		s := fixedState()
		s.EStop, s.Stop = true, control.StopState{Number: n, Mind: true, Line: true}
		return s
	}
	m.Update(stateMsg{state: stopped(7)})
	if frame := content(t, m); !strings.Contains(frame, "EMERGENCY STOP 7, r ends it") {
		t.Errorf("the stop is not shown:\n%s", frame)
	}
	press(m, "r")
	m.Update(stateMsg{state: stopped(8)}) // a later one, while the question waits
	if frame := content(t, m); !strings.Contains(frame, "end stop 7? y lets") {
		t.Errorf("it asks about another stop:\n%s", frame)
	}
	r.err = errors.New("the robot was stopped again")
	m.Update(press(m, "y")())
	if len(r.got) != 1 || r.got[0] != "resume 7" {
		t.Errorf("the robot was told %q, want resume 7", r.got)
	}
	if frame := content(t, m); !strings.Contains(frame, "the robot was stopped again") {
		t.Errorf("the refusal is not shown:\n%s", frame)
	}
}
