package engine

import (
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

const (
	// maxPlans bounds the plans that are asked for or there. The oldest is dropped: whoever asked for it was lost.
	maxPlans = 32
	// maxGoals and maxMet bound a question.
	maxGoals, maxMet = 64, 256
)

// paths keeps the plans that actions asked for. Orders leave with the output of their tick; answers come with the input of a later one, so
// a replay needs no planner.
type paths struct {
	*core
	plans []plan // oldest first
	tick  uint64 // of the newest order
	asked uint64 // in that tick
}

type plan struct {
	id    uint64
	until time.Time
	state actions.PathState
	path  actions.Path
}

// Ask implements actions.Paths.
func (p *paths) Ask(q actions.PathQuestion) uint64 {
	if p.tick != p.view.Tick {
		p.tick, p.asked = p.view.Tick, 0
	}
	if len(q.Goals) == 0 || len(q.Goals) > maxGoals || len(q.Met) > maxMet || p.asked == maxPlans {
		return 0
	}
	p.asked++
	id := p.tick<<8 | p.asked // an answer fits no question of another tick, in a replay with other behaviors either
	limit := actions.PlanLimit
	if q.Again {
		limit = actions.ReplanLimit
	}
	if len(p.plans) == maxPlans {
		p.plans = slices.Delete(p.plans, 0, 1)
	}
	p.plans = append(p.plans, plan{id: id, until: p.view.Now.Add(limit), state: actions.PathComputing})
	w := p.view.World
	var objects []hardware.KnownObject
	for i := range w.Objects {
		if w.Objects[i].Origin == w.Body.Origin {
			objects = append(objects, w.Objects[i])
		}
	}
	q.Goals, q.Near, q.Met = slices.Clone(q.Goals), slices.Clone(q.Near), slices.Clone(q.Met)
	p.out.Plans = append(p.out.Plans, actions.PathOrder{
		ID: id, Question: q, From: w.Body.Pose, SigmaMM: w.Body.PoseSigmaMM, Map: w.Map, Objects: objects, Carried: w.Body.CarriedID,
	})
	return id
}

// Look implements actions.Paths.
func (p *paths) Look(id uint64) (actions.Path, actions.PathState) {
	if i := p.find(id); i >= 0 {
		return p.plans[i].path, p.plans[i].state
	}
	return actions.Path{}, actions.PathUnknown
}

// Drop implements actions.Paths. An order that left in this tick is taken back.
func (p *paths) Drop(id uint64) {
	if i := p.find(id); i >= 0 {
		p.plans = slices.Delete(p.plans, i, i+1)
		p.out.Plans = slices.DeleteFunc(p.out.Plans, func(o actions.PathOrder) bool { return o.ID == id })
	}
}

func (p *paths) find(id uint64) int {
	return slices.IndexFunc(p.plans, func(x plan) bool { return x.id == id })
}

// take takes the answers that came, and gives up what took too long. An answer to a plan that was dropped or given up has no effect.
func (p *paths) take(answers []actions.PathAnswer) {
	for _, a := range answers {
		if i := p.find(a.ID); i >= 0 && p.plans[i].state == actions.PathComputing {
			p.plans[i].state, p.plans[i].path = a.State, a.Path
		}
	}
	for i := range p.plans {
		if x := &p.plans[i]; x.state == actions.PathComputing && !p.view.Now.Before(x.until) {
			x.state, x.path = actions.PathImpossible, actions.Path{Why: "no plan came in time"}
		}
	}
}
