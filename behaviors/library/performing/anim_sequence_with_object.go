package performing

import (
	"cmp"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// An AnimSequenceWithObject turns to the nearest object of a kind and plays animations to it.
type AnimSequenceWithObject struct {
	AnimSequence
	params objectParams
}

type objectParams struct {
	Kind string `key:"objectType" words:"cube|charger" default:"" why:"the nearest object of any kind will do" doc:"kind of the object"`
}

// AnimSequenceWithObjectClass is the class AnimSequenceWithObject.
func AnimSequenceWithObjectClass() behaviors.Class {
	return behaviors.Class{
		Name: "AnimSequenceWithObject",
		Doc:  "Turns to an object and plays animations.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			a := &AnimSequenceWithObject{}
			param.ReadConfig(cfg, &a.AnimSequence.params)
			param.ReadConfig(cfg, &a.params)
			a.before = a.turn
			return a
		},
	}
}

// Modify looks for cubes and the charger.
func (a *AnimSequenceWithObject) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	a.AnimSequence.Modify(m, of)
	m.LookInScope = hardware.LookFor(hardware.SeeMarkers, hardware.Low)
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.Standard)
}

// WantsToBeActivated is true if it knows where such an object is.
func (a *AnimSequenceWithObject) WantsToBeActivated(c *behaviors.Control) bool {
	if _, ok := a.nearest(c.World()); !ok {
		c.Because("it knows of no %s and where it is", cmp.Or(a.params.Kind, "object"))
		return false
	}
	return a.AnimSequence.WantsToBeActivated(c)
}

// turn turns to the object; false without one.
func (a *AnimSequenceWithObject) turn(c *behaviors.Control) bool {
	o, ok := a.nearest(c.World())
	if !ok {
		return false
	}
	c.SetState("turning to the " + o.Kind)
	c.Act(motion.NewTurnTowards(motion.TowardsParams{Target: motion.ObjectTarget{ID: o.ID, Kind: o.Kind}}),
		func(c *behaviors.Control, _ behaviors.Outcome) { a.play(c) })
	return true
}

// nearest is the nearest located object of the kind.
func (a *AnimSequenceWithObject) nearest(w *hardware.World) (best hardware.KnownObject, ok bool) {
	least := 0.0
	for _, o := range w.Objects {
		if o.Origin != w.Body.Origin || a.params.Kind != "" && o.Kind != a.params.Kind {
			continue
		}
		if mm, _ := w.Body.Pose.To(o.Pose.XMM, o.Pose.YMM); !ok || mm < least {
			best, least, ok = o, mm, true
		}
	}
	return best, ok
}
