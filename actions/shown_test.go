package actions_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/hardware"
)

// shows is an action that puts an expression on the display at its first check, plays a sound, and lasts a number of checks.
func shows(face string, checks int) *actiontest.Stub {
	s := actiontest.NewStub(face, 0)
	s.Yield = true
	s.OnCheck = func(env *actions.Env) {
		if s.Checks == 1 {
			env.Send(hardware.ShowFace{Face: face})
			env.Send(hardware.PlaySound{ID: env.NextID(), Clip: face, Duration: time.Minute})
		}
		if s.Checks >= checks {
			s.Result = actions.Success
		}
	}
	return s
}

// endless is a number of checks that no test reaches.
const endless = 1 << 30

func queue(t *testing.T, r *actiontest.Rig, a actions.Action, p actions.Position) actions.Tag {
	t.Helper()
	tag, err := r.List.Queue(a, actions.QueueOptions{Position: p})
	if err != nil {
		t.Fatal(err)
	}
	return tag
}

func wantFace(t *testing.T, r *actiontest.Rig, when, want string) {
	t.Helper()
	got, _ := r.List.Shown(hardware.Display).(hardware.ShowFace)
	if got.Face != want {
		t.Errorf("%s: the actions show %q, want %q", when, got.Face, want)
	}
}

// The newest expression counts; when its action is gone, an older one that still runs does.
// Rules: TRK-14.
func TestNewestExpressionOfTheRunningActionsCounts(t *testing.T) {
	r := actiontest.NewRig(nil)
	wantFace(t, r, "no action", "")
	older := queue(t, r, shows("happy", endless), actions.PositionInParallel)
	r.Tick()
	newer := queue(t, r, shows("sad", endless), actions.PositionInParallel)
	r.Tick()
	wantFace(t, r, "both run", "sad")
	r.List.CancelTag(newer)
	wantFace(t, r, "the newer is cancelled", "happy")
	r.List.CancelTag(older)
	wantFace(t, r, "both are cancelled", "")
}

// Whatever ends an action ends what it shows, and its sound.
// Rules: TRK-14.
func TestExpressionAndSoundEndWithTheirActionHoweverItEnds(t *testing.T) {
	for name, end := range map[string]func(*actiontest.Rig, *actiontest.Stub){
		"success": func(_ *actiontest.Rig, s *actiontest.Stub) { s.Result = actions.Success },
		"failure": func(_ *actiontest.Rig, s *actiontest.Stub) { s.Result = actions.Abort },
		"a panic": func(_ *actiontest.Rig, s *actiontest.Stub) { s.Blow = "CheckIfDone" },
		"a stop":  func(r *actiontest.Rig, _ *actiontest.Stub) { r.List.Clear() },
		"set aside": func(r *actiontest.Rig, _ *actiontest.Stub) {
			queue(t, r, actiontest.NewStub("other", 0), actions.PositionNowAndResume)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := actiontest.NewRig(nil)
			s := shows("happy", endless)
			queue(t, r, s, actions.PositionNow)
			r.Tick()
			wantFace(t, r, "while it runs", "happy")
			r.Tick()
			if !r.World.Speaker.Value.Busy {
				t.Fatal("it is silent")
			}
			end(r, s)
			r.Tick()
			wantFace(t, r, "afterwards", "")
			if r.World.Speaker.Value.Busy {
				t.Error("its sound plays on")
			}
		})
	}
}

// A compound that goes on gives back what its ended child showed; one that fails, what all of its children showed.
// Rules: TRK-14.
func TestExpressionOfAChildEndsWithTheChild(t *testing.T) {
	r := actiontest.NewRig(nil)
	last := actiontest.NewStub("last", 0)
	queue(t, r, compound.NewSequential(compound.Params{Children: []compound.Child{{Action: shows("happy", 3)}, {Action: last}}}), actions.PositionNow)
	r.Tick()
	wantFace(t, r, "the first child runs", "happy")
	for last.Inits == 0 {
		r.Tick()
	}
	wantFace(t, r, "the last child runs", "")

	broken := actiontest.NewStub("broken", 0)
	queue(t, r, compound.NewParallel(compound.Params{Children: []compound.Child{{Action: shows("sad", endless)}, {Action: broken}}}), actions.PositionNow)
	r.Tick()
	wantFace(t, r, "two children run", "sad")
	broken.Blow = "CheckIfDone"
	r.Tick()
	wantFace(t, r, "the compound failed", "")
}

// A newer sound of somebody else is not ended.
// Rules: TRK-14.
func TestSoundThatReplacedTheOneOfAnActionPlaysOn(t *testing.T) {
	r := actiontest.NewRig(nil)
	tag := queue(t, r, shows("happy", endless), actions.PositionNow)
	r.Tick()
	r.Send(hardware.PlaySound{ID: 1 << 40, Clip: "other", Duration: time.Minute})
	r.Tick()
	r.List.CancelTag(tag)
	r.Tick()
	if !r.World.Speaker.Value.Busy {
		t.Error("the other sound ended")
	}
}
