package engine

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// pathsRig is the facility alone, at one tick.
func pathsRig() *paths {
	k := &core{view: &condition.View{Tick: 5, Now: time.Unix(1_000_000, 0), World: &hardware.World{}}}
	return &paths{core: k}
}

func (p *paths) next(d time.Duration, answers ...actions.PathAnswer) {
	v := *p.view
	v.Tick, v.Now = v.Tick+1, v.Now.Add(d)
	p.view, p.out = &v, Output{Tick: v.Tick}
	p.take(answers)
}

var toSomewhere = actions.PathQuestion{Goals: []hardware.Pose{{XMM: 200}}}

func TestPlanLeavesWithItsTickAndComesWithALaterOne(t *testing.T) {
	p := pathsRig()
	p.view.World.Body.Pose.XMM, p.view.World.Body.PoseSigmaMM, p.view.World.Body.CarriedID = 3, 4, 5
	p.view.World.Map = &hardware.Map{Version: 6}
	p.view.World.Objects = []hardware.KnownObject{{ID: 6, Origin: 1}, {ID: 7, Origin: 2}}
	p.view.World.Body.Origin = 2
	goals := []hardware.Pose{{XMM: 200}}
	id := p.Ask(actions.PathQuestion{Goals: goals})
	goals[0].XMM = 1 // its owner uses it again
	if len(p.out.Plans) != 1 {
		t.Fatalf("%d orders left", len(p.out.Plans))
	}
	o := p.out.Plans[0]
	if o.ID != id || o.Question.Goals[0].XMM != 200 || o.From.XMM != 3 || o.SigmaMM != 4 || o.Carried != 5 || o.Map.Version != 6 || len(o.Objects) != 1 || o.Objects[0].ID != 7 {
		t.Errorf("order %+v", o)
	}
	if _, s := p.Look(id); s != actions.PathComputing {
		t.Errorf("at once it is %v", s)
	}
	p.next(time.Millisecond)
	if _, s := p.Look(id); s != actions.PathComputing || len(p.out.Plans) != 0 {
		t.Errorf("without an answer it is %v, and %d orders leave", s, len(p.out.Plans))
	}
	p.next(time.Millisecond, actions.PathAnswer{ID: id, State: actions.PathReady, Path: actions.Path{Goal: 2}})
	if w, s := p.Look(id); s != actions.PathReady || w.Goal != 2 {
		t.Errorf("%v %+v", s, w)
	}
	p.Drop(id)
	if _, s := p.Look(id); s != actions.PathUnknown {
		t.Errorf("dropped, it is %v", s)
	}
}

func TestLateAnswerRevivesNothing(t *testing.T) {
	for _, again := range []bool{false, true} {
		limit := map[bool]time.Duration{false: actions.PlanLimit, true: actions.ReplanLimit}[again]
		p := pathsRig()
		q := toSomewhere
		q.Again = again
		id, dropped := p.Ask(q), p.Ask(q)
		p.next(limit - 1)
		if _, s := p.Look(id); s != actions.PathComputing {
			t.Errorf("again %v: before the limit it is %v", again, s)
		}
		p.Drop(dropped)
		p.next(1)
		if w, s := p.Look(id); s != actions.PathImpossible || w.Why == "" {
			t.Errorf("again %v: at the limit it is %v, %q", again, s, w.Why)
		}
		ready := actions.PathAnswer{ID: id, State: actions.PathReady}
		late := ready
		late.ID = dropped
		p.next(1, ready, late)
		if _, s := p.Look(id); s != actions.PathImpossible {
			t.Errorf("again %v: a late answer makes it %v", again, s)
		}
		if _, s := p.Look(dropped); s != actions.PathUnknown {
			t.Errorf("again %v: a late answer makes a dropped one %v", again, s)
		}
	}
}

func TestPlanThatIsDroppedInItsTickIsNotOrdered(t *testing.T) {
	p := pathsRig()
	p.Drop(p.Ask(toSomewhere))
	if len(p.out.Plans) != 0 {
		t.Errorf("%d orders leave", len(p.out.Plans))
	}
}

func TestPlansAreBounded(t *testing.T) {
	p := pathsRig()
	first := p.Ask(toSomewhere)
	for range maxPlans - 1 {
		p.Ask(toSomewhere)
	}
	if id := p.Ask(toSomewhere); id != 0 {
		t.Errorf("%d plans in one tick", maxPlans+1)
	}
	p.next(time.Millisecond)
	if id := p.Ask(toSomewhere); id == 0 || len(p.plans) != maxPlans {
		t.Errorf("number %d, %d plans", id, len(p.plans))
	}
	if _, s := p.Look(first); s != actions.PathUnknown {
		t.Errorf("the oldest is %v", s)
	}
	if id := p.Ask(actions.PathQuestion{}); id != 0 {
		t.Error("a question without a goal has a number")
	}
	if id := p.Ask(actions.PathQuestion{Goals: make([]hardware.Pose, maxGoals+1)}); id != 0 {
		t.Error("a question with too many goals has a number")
	}
}
