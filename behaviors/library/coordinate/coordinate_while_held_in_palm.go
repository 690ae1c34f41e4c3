package coordinate

import (
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/param"
)

// Behaviors of the palm.
const (
	idPalm        = "HeldInPalmDispatcher"
	idPalmInitial = "InitialHeldInPalmReaction"
	// palmNew is how long a hold is new enough for its first reaction.
	palmNew = 3 * time.Second
)

// CoordinateWhileHeldInPalmClass is the class CoordinateWhileHeldInPalm.
func CoordinateWhileHeldInPalmClass() behaviors.Class {
	return behaviors.Class{
		Name: "CoordinateWhileHeldInPalm",
		Doc:  "Passes control on, and keeps the reactions to a palm from what goes on in it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			p := &heldInPalm{}
			param.ReadConfig(cfg, &p.params)
			return dispatch.NewCoordinator(cfg, p)
		},
	}
}

// heldInPalm watches what goes on in a palm.
type heldInPalm struct {
	params  palmParams
	busy    *behaviors.Candidates // what suppresses
	palm    *behaviors.Candidates // the dispatcher
	initial played
	cannot  []string // of what suppresses: never runs in a hand
}

type palmParams struct {
	Busy []string `key:"suppressingBehaviors" ref:"behavior" doc:"what goes on in a palm without the reactions to it"`
}

// Init makes the lists.
func (p *heldInPalm) Init(dispatch.WatcherControl) {
	p.busy, p.palm = behaviors.NewCandidates(p.params.Busy...), behaviors.NewCandidates(idPalm)
	p.initial = played{list: behaviors.NewCandidates(idPalmInitial)}
}

// Modify finds what can never run in a palm.
func (p *heldInPalm) Modify(of func(id string) behaviors.Modifiers) {
	p.cannot = grounded(p.params.Busy, of)
}

// OnActivated implements dispatch.Watcher.
func (*heldInPalm) OnActivated(dispatch.WatcherControl) {}

// OnDeactivated implements dispatch.Watcher.
func (*heldInPalm) OnDeactivated(dispatch.WatcherControl) {}

// Update suppresses. The first one tells of a mistake in the list.
func (p *heldInPalm) Update(c dispatch.WatcherControl) {
	complain(c, &p.cannot)
	b := &c.World().Body
	again := p.initial.follow(c, b.InPalm)
	if !b.InPalm || c.AnyActivated(p.palm) {
		return
	}
	if c.AnyActivated(p.busy) {
		c.Suppression().ThisTick(idPalm)
	}
	if again || c.Now().Sub(b.PalmSince) > palmNew {
		c.Suppression().ThisTick(idPalmInitial)
	}
}

// played notes whether a behavior has run to its end in one time of something.
type played struct {
	list *behaviors.Candidates
	runs bool
	done bool
}

// follow is called in every tick; lasts says that the time goes on. It reports whether the behavior has run in it.
func (p *played) follow(c dispatch.WatcherControl, lasts bool) bool {
	runs := c.AnyActivated(p.list)
	p.done = lasts && (p.done || p.runs && !runs)
	p.runs = runs
	return p.done
}

// grounded lists the behaviors that cannot be activated off treads by what their classes say.
func grounded(ids []string, of func(id string) behaviors.Modifiers) []string {
	var list []string
	for _, id := range ids {
		if !of(id).WhenOffTreads {
			list = append(list, id)
		}
	}
	return list
}

// complain shows once that a list names what can never run in a hand.
func complain(c dispatch.WatcherControl, ids *[]string) {
	if len(*ids) > 0 {
		c.SetState("mistake: cannot run off treads: " + strings.Join(*ids, ", "))
		*ids = nil
	}
}
