package coordinate

import (
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/hardware"
)

// Behaviors of the air.
const (
	idAir        = "WhileInAirDispatcher"
	idAirInitial = "InitialPickupAnimation"
	// airNew is how long after it was lifted the animation of that may begin.
	airNew = 2 * time.Second
	airKey = "in the air"
)

var (
	// airReactions are reactions to the air itself, by class.
	airReactions = []string{"InitialHeldInPalmReaction", "ReactToRobotOnBack", "ReactToRobotOnFace"}
	// airActivities make sense in a hand, by class.
	airActivities = []string{
		"AdvanceClock", "BlackJack", "CoordinateWeather", "DisplayWallTime", "HowOldAreYou", "KnowledgeGraphQuestion", "ProceduralClock",
		"ReactToTouchPetting", "TakeAPhotoCoordinator", "TimerUtilityCoordinator", "WallTimeCoordinator",
	}
	// airMovers need the wheels in a hand, by class: to get on the treads again, or away from an edge.
	airMovers = []string{"ReactToPalmEdge", "ReactToRobotOnBack", "ReactToRobotOnFace", "ReactToRobotOnSide"}
)

// CoordinateWhileInAirClass is the class CoordinateWhileInAir.
func CoordinateWhileInAirClass() behaviors.Class {
	return behaviors.Class{
		Name: "CoordinateWhileInAir",
		Doc:  "Passes control on, holds the wheels still in the air, and keeps the reactions to it from what goes on in a hand.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			return dispatch.NewCoordinator(cfg, &inAir{})
		},
	}
}

// inAir watches what goes on in the air.
type inAir struct {
	reactions, activities, movers *behaviors.Candidates
	initial                       played
	grounded                      time.Time // the newest tick on the treads
	locked                        bool
	cannot                        []string
}

// Init finds the behaviors.
func (a *inAir) Init(c dispatch.WatcherControl) {
	a.reactions = watch(c, airReactions, []string{idAir, idPalm})
	a.activities, a.movers = watch(c, airActivities, nil), watch(c, airMovers, nil)
	a.initial = played{list: behaviors.NewCandidates(idAirInitial)}
}

// Modify finds what can never run in the air.
func (a *inAir) Modify(of func(id string) behaviors.Modifiers) {
	a.cannot = grounded(slices.Concat(a.activities.IDs, a.movers.IDs), of)
}

// OnActivated begins to watch.
func (a *inAir) OnActivated(c dispatch.WatcherControl) { a.locked, a.grounded = false, c.Now() }

// OnDeactivated implements dispatch.Watcher. The lock is released by itself.
func (a *inAir) OnDeactivated(dispatch.WatcherControl) { a.locked = false }

// Update locks the wheels and suppresses.
func (a *inAir) Update(c dispatch.WatcherControl) {
	complain(c, &a.cannot)
	b := &c.World().Body
	if b.Treads == hardware.OnTreads {
		a.grounded = c.Now()
	}
	up := b.Treads == hardware.InAir || b.Treads == hardware.Falling
	again := a.initial.follow(c, b.Treads != hardware.OnTreads)
	a.lock(c, up && !b.InPalm && !c.AnyActivated(a.movers))
	if !up || c.AnyActivated(a.reactions) {
		return
	}
	if c.AnyActivated(a.activities) {
		c.Suppression().ThisTick(idAir)
	}
	if again || c.Now().Sub(a.grounded) > airNew {
		c.Suppression().ThisTick(idAirInitial)
	}
}

// lock keeps the wheels still, or lets them go.
func (a *inAir) lock(c dispatch.WatcherControl, on bool) {
	switch {
	case on == a.locked:
		return
	case on:
		c.Tracks().Lock(airKey, actions.Body)
	default:
		c.Tracks().Unlock(airKey)
	}
	a.locked = on
}
