package library_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
)

// Rules: data/2.3a.
func TestWaitNeverEnds(t *testing.T) {
	s := play(t, `"behaviorClass": "Wait"`)
	s.For(time.Minute)
	if !s.Active("S") || s.Started("S") != 1 {
		t.Errorf("started %d times\n%s", s.Started("S"), s.Describe())
	}
	if m := s.Engine.Cell("S").Inc.Inst.Modifiers(); m != (behaviors.Modifiers{WhenCarryingObject: true, WhenOffTreads: true, WhenOnCharger: true}) {
		t.Errorf("modifiers %+v", m)
	}
	s.interrupt()
	s.NoRefusals()
}

// Rules: data/2.1e, data/2.3a.
func TestWaitIsGentlyInterruptible(t *testing.T) {
	if _, ok := play(t, `"behaviorClass": "Wait"`).Impl("S").(behaviors.GentlyInterruptible); !ok {
		t.Error("it is not")
	}
}

// Rules: data/2.2.1a.
func TestAnimSequencePlaysThePassesAndEnds(t *testing.T) {
	s := play(t, `"behaviorClass": "AnimSequence", "animNames": ["surprised", "look_curious"], "num_loops": 2, "say": "done"`)
	s.state(time.Second, "playing")
	from := s.Now()
	s.state(10*time.Second, "saying")
	if d := s.Now().Sub(from); d < 4*time.Second { // 0.9 s and 1.6 s, twice
		t.Errorf("two passes took %v", d)
	}
	s.over(5 * time.Second)
	if said := s.Said(); len(said) != 1 || said[0] != "done" {
		t.Errorf("said %q", said)
	}
}

// Rules: data/2.2.1a.
func TestAnimSequenceLoopsUntilInterrupted(t *testing.T) {
	s := play(t, `"behaviorClass": "AnimSequence", "animNames": ["surprised"], "num_loops": 0`)
	s.For(time.Minute)
	if s.Started("S") != 1 {
		t.Errorf("started %d times", s.Started("S"))
	}
	s.interrupt()
	s.NoRefusals()
}

func TestStandStillStopsAndEnds(t *testing.T) {
	s := play(t, `"behaviorClass": "StandStill", "duration_s": 2`)
	s.Step(1)
	stopped := false
	for _, c := range s.Out.Commands {
		stopped = stopped || c.Target() == "motors"
	}
	if !stopped {
		t.Errorf("no order to the wheels: %v", s.Out.Commands)
	}
	s.interrupt()
	s.state(time.Second, "still")
	s.over(3 * time.Second)
}
