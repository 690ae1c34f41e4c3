package actions_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/hardware"
)

var faces = hardware.LookFor(hardware.SeeFaces, hardware.High)

// watcher is an action that wants to see faces.
type watcher struct{ *actiontest.Stub }

func (watcher) Looks() hardware.Look { return faces }

func watches(name string) watcher {
	s := actiontest.NewStub(name, 0)
	s.Yield = true
	return watcher{s}
}

// Rules: RUN-6.
func TestVisionModesOfAnActionAreOnWhileItRuns(t *testing.T) {
	for name, end := range map[string]func(r *actiontest.Rig, w watcher, tag actions.Tag){
		"finished":  func(_ *actiontest.Rig, w watcher, _ actions.Tag) { w.Result = actions.Success },
		"cancelled": func(r *actiontest.Rig, _ watcher, tag actions.Tag) { r.List.CancelTag(tag) },
		"set aside": func(r *actiontest.Rig, _ watcher, _ actions.Tag) {
			queue(t, r, shows("next", endless), actions.PositionNowAndResume)
		},
		"panicked": func(_ *actiontest.Rig, w watcher, _ actions.Tag) {
			w.OnCheck = func(*actions.Env) { panic("boom") }
		},
	} {
		r := actiontest.NewRig(nil)
		w := watches("W")
		w.InitRun = 1
		tag := queue(t, r, w, actions.PositionNow)
		r.Tick()
		if !r.List.Look().Empty() {
			t.Errorf("%s: it looks before its Init succeeded", name)
		}
		r.Tick()
		r.Tick()
		if got := r.List.Watchers(); len(got) != 1 || r.List.Look() != faces || got[0].Look != faces || got[0].Holder == "" {
			t.Errorf("%s: watchers %+v", name, got)
		}
		before := r.List.LookChanges()
		end(r, w, tag)
		r.Tick()
		if !r.List.Look().Empty() || len(r.List.Watchers()) != 0 || r.List.LookChanges() == before {
			t.Errorf("%s: it still looks for %v", name, r.List.Look())
		}
	}
}

// Rules: RUN-6.
func TestVisionModesOfAChildEndWithTheChildAndWithABrokenCompound(t *testing.T) {
	r := actiontest.NewRig(nil)
	w, bad := watches("W"), actiontest.NewStub("bad", 0)
	bad.Result = actions.Running
	queue(t, r, compound.NewParallel(compound.Params{Children: []compound.Child{{Action: w}, {Action: bad}}}), actions.PositionNow)
	r.Tick()
	if r.List.Look() != faces {
		t.Fatalf("the child looks for %v", r.List.Look())
	}
	w.Result = actions.Success
	r.Tick()
	if !r.List.Look().Empty() {
		t.Error("the child that ended still looks")
	}
	r = actiontest.NewRig(nil)
	w, bad = watches("W"), actiontest.NewStub("bad", 0)
	bad.OnCheck = func(*actions.Env) { panic("boom") }
	queue(t, r, compound.NewParallel(compound.Params{Children: []compound.Child{{Action: w}, {Action: bad}}}), actions.PositionNow)
	r.Tick()
	if !r.List.Look().Empty() {
		t.Error("a child of a broken compound still looks")
	}
}
