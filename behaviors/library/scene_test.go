package library_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/library"
)

// A scene is a scenario of one behavior, the subject, under a base that also has a more urgent behavior and one to fall back to.
type scene struct {
	*behaviortest.Env
	t *testing.T
}

// play starts a scene from the JSON of the subject, whose ID is S, and of the behaviors that it needs.
func play(t *testing.T, subject string, others ...string) scene {
	t.Helper()
	files := `
-- Base.json --
{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["Urgent", "S", "Wait"]}
-- Urgent.json --
{"behaviorClass": "Probe", "behaviorID": "Urgent", "wants": false, "offTreads": true}
-- Wait.json --
{"behaviorClass": "Wait", "behaviorID": "Wait"}
-- S.json --
{"behaviorID": "S", ` + subject + "}\n" + strings.Join(others, "\n")
	classes := slices.Concat(dispatch.Classes(), library.Classes(), []behaviors.Class{behaviortest.ProbeClass()})
	return scene{behaviortest.New(t, behaviortest.Options{
		Classes: behaviors.NewRegistry(classes...), Files: files, Intents: []string{"come_here", "other"}, Seed: 3,
	}), t}
}

// interrupt lets the more urgent behavior take over for a moment, and checks that the subject holds nothing afterwards.
func (s scene) interrupt() {
	s.t.Helper()
	if !s.Active("S") {
		s.t.Fatalf("nothing to interrupt\n%s", s.Describe())
	}
	urgent := s.Impl("Urgent").(*behaviortest.Probe)
	urgent.Wants = true
	s.Step(1)
	if s.Active("S") || !s.Active("Urgent") {
		s.t.Fatalf("not interrupted\n%s", s.Describe())
	}
	s.Step(1)
	if left := s.Actions(); len(left) > 0 {
		s.t.Errorf("actions left behind: %v", left)
	}
	urgent.Wants, urgent.End = false, true
	s.Step(1)
}

// state waits until the debug state of the subject begins with a prefix.
func (s scene) state(limit time.Duration, prefix string) {
	s.t.Helper()
	s.Until(limit, "state "+prefix, func() bool { return s.Active("S") && strings.HasPrefix(s.State("S"), prefix) })
}

// over waits until the subject has ended.
func (s scene) over(limit time.Duration) {
	s.t.Helper()
	s.Until(limit, "the end", func() bool { return !s.Active("S") })
	s.NoRefusals()
}

// modifiers checks (off treads, on charger).
func (s scene) modifiers(offTreads, onCharger bool) {
	s.t.Helper()
	if m := s.Engine.Cell("S").Inc.Inst.Modifiers(); m.WhenOffTreads != offTreads || m.WhenOnCharger != onCharger {
		s.t.Errorf("modifiers %+v", m)
	}
}
