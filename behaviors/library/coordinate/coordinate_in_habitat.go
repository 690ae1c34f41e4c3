package coordinate

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// CoordinateInHabitatClass is the class CoordinateInHabitat.
func CoordinateInHabitatClass() behaviors.Class {
	return behaviors.Class{
		Name: "CoordinateInHabitat",
		Doc:  "Passes control on, and suppresses what has no place in the habitat while the robot is there.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			h := &inHabitat{}
			param.ReadConfig(cfg, &h.params)
			return dispatch.NewCoordinator(cfg, h)
		},
	}
}

// inHabitat suppresses its list.
type inHabitat struct{ params habitatParams }

type habitatParams struct {
	Suppressed []string `key:"suppressedBehaviors" ref:"behavior" doc:"what may not begin in the habitat"`
}

// OnActivated implements dispatch.Watcher.
func (*inHabitat) OnActivated(dispatch.WatcherControl) {}

// OnDeactivated implements dispatch.Watcher.
func (*inHabitat) OnDeactivated(dispatch.WatcherControl) {}

// Update looks at what the robot believes of its place.
func (h *inHabitat) Update(c dispatch.WatcherControl) {
	if c.World().Around.Habitat == hardware.InHabitat {
		c.Suppression().ThisTick(h.params.Suppressed...)
	}
}
