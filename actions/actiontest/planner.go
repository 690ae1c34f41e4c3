package actiontest

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/path"
)

// A Planner is the Paths of a rig: a plan is there in the tick after it was asked for.
type Planner struct {
	Asked []actions.PathOrder // everything, in order
	// Mute keeps the answers back.
	Mute bool

	rig   *Rig
	ids   uint64
	tick  int // of the newest question
	plans map[uint64]actions.PathAnswer
}

// Plan gives a rig a planner.
func (r *Rig) Plan() *Planner {
	r.planner = &Planner{rig: r, plans: map[uint64]actions.PathAnswer{}}
	return r.planner
}

// Ask implements actions.Paths.
func (p *Planner) Ask(q actions.PathQuestion) uint64 {
	p.ids++
	w := &p.rig.World
	o := actions.PathOrder{ID: p.ids, Question: q, From: w.Body.Pose, Map: w.Map, Objects: w.Objects, Carried: w.Body.CarriedID}
	p.Asked, p.tick = append(p.Asked, o), p.rig.tick
	p.plans[o.ID] = path.Plan(&o, path.R1)
	return o.ID
}

// Look implements actions.Paths.
func (p *Planner) Look(id uint64) (actions.Path, actions.PathState) {
	a, ok := p.plans[id]
	switch {
	case !ok:
		return actions.Path{}, actions.PathUnknown
	case p.Mute || p.rig.tick <= p.tick:
		return actions.Path{}, actions.PathComputing
	}
	return a.Path, a.State
}

// Drop implements actions.Paths.
func (p *Planner) Drop(id uint64) { delete(p.plans, id) }

// Open is the number of plans that nobody dropped.
func (p *Planner) Open() int { return len(p.plans) }
