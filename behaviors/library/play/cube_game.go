// Package play holds what the robot does with cubes for fun.
package play

import (
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/actions/look"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// The games.
const (
	gameInspect = "inspect" // look at it from near
	gameRoll    = "roll"    // pull it over
	gameCarry   = "carry"   // pick it up, turn away, put it down
	gameStack   = "stack"   // pick it up and put it on another one
	gameUnstack = "unstack" // take the upper one of a stack down
	gameKnock   = "knock"   // sweep the upper one off a stack
	gameAway    = "away"    // put down what it holds
)

// maxPlayed bounds the cubes that a game remembers; it forgets the oldest one first.
const maxPlayed = 16

const (
	inspectMM = 120.0 // from the axle to the cube that it inspects
	carryRad  = 1.6   // how far it turns with a cube that it carries
	carryPSMM = 60.0  // what it carries allows no more
	carryMM   = 60.0  // how far it drives with it
	slotTolMM = 15.0  // of the height of a cube over the ground that still counts as on it
)

// A CubeGame plays one game with a cube that it saw lately: it drives up to it, does the trick, and shows how it went. The same cube is not played
// with again for a while. A cube that it holds when the game ends before its end is put down first; a game that is interrupted with its cube on the
// lift, where it carries the cube about, goes on with that.
type CubeGame struct {
	params cubeGameParams
	played []cubePlay // newest last
	cube   int
	other  int  // the cube below, of a stack
	tries  int  // left
	done   bool // the trick was done
	open   bool // it was interrupted before its end
}

type cubePlay struct {
	id int
	at time.Time
}

type cubeGameParams struct {
	Game     string        `key:"game" words:"away|carry|inspect|knock|roll|stack|unstack" doc:"what it does with the cube"`
	Age      time.Duration `key:"maxCubeAge_s" doc:"an older sighting of a cube does not count"`
	FarMM    float64       `key:"maxCubeDist_mm" range:"100..3000" doc:"a cube farther away is left alone"`
	Cooldown time.Duration `key:"cooldownPerCube_s" doc:"how long the same cube is left alone after a game"`
	Tries    int           `key:"maxTries" range:"1..10" doc:"how often it tries the trick"`
	GladClip string        `key:"doneClip" ref:"clip" doc:"played after the trick"`
	SadClip  string        `key:"failedClip" ref:"clip" doc:"played when it gives up"`
}

// CubeGameClass is the class CubeGame.
func CubeGameClass() behaviors.Class {
	return behaviors.Class{
		Name: "CubeGame",
		Doc:  "Plays with a cube that it saw lately: looks at it, rolls it, carries it, stacks it, takes it down, or knocks it over.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			g := &carryingGame{}
			param.ReadConfig(cfg, &g.params)
			if g.carries() {
				return g
			}
			return &g.CubeGame
		},
	}
}

// Modify keeps it off the charger and on treads, and looks for cubes.
func (*CubeGame) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.WhenOnCharger, m.WhenCarryingObject = false, false, true
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.Standard)
}

// WantsToBeActivated is true while the robot can drive safely and knows a cube to play with.
func (g *CubeGame) WantsToBeActivated(c *behaviors.Control) bool {
	b := &c.World().Body
	switch {
	case !safe(b):
		c.Because("it cannot drive safely now")
	case b.OnPlatform:
		c.Because("it stands on the charger")
	case g.params.Game != gameInspect && (!c.World().Servos.OK() || c.World().Servos.Value.NoLift):
		c.Because("it has no lift that works")
	case g.params.Game == gameAway && !b.Carrying:
		c.Because("it holds nothing")
	case g.params.Game == gameAway:
		c.Because("it cannot see whether it has put it down")
		return b.CanSee
	case g.goesOn(b):
		return true
	case b.Carrying:
		c.Because("it holds a cube already")
	default:
		if _, _, ok := g.choose(c); ok {
			return true
		}
		c.Because("it knows no cube for the game %q", g.params.Game)
	}
	return false
}

// safe reports whether the robot can drive and feels edges, or meets none.
func safe(b *hardware.Body) bool { return b.CanDrive && (b.CanFeelEdges || b.Edgeless) }

// carries reports whether the game carries its cube about.
func (g *CubeGame) carries() bool {
	return g.params.Game == gameCarry || g.params.Game == gameStack || g.params.Game == gameUnstack
}

// goesOn reports whether the cube of a game that was interrupted is still on the lift, to be carried somewhere.
func (g *CubeGame) goesOn(b *hardware.Body) bool {
	return g.open && g.carries() && b.Carrying && b.CarriedID == g.cube
}

// UpdateWhileActivated ends it when the robot cannot drive safely any more.
func (g *CubeGame) UpdateWhileActivated(c *behaviors.Control) {
	if !safe(&c.World().Body) {
		c.SetState("cannot drive safely")
		c.CancelSelf()
	}
}

// A carryingGame is a CubeGame that carries its cube about: it has something to watch while it waits.
type carryingGame struct{ CubeGame }

// Update ends an interrupted game when the cube left the lift without it.
func (g *carryingGame) Update(c *behaviors.Control) {
	if !c.Activated() {
		g.open = g.goesOn(&c.World().Body)
	}
}

// OnDeactivated notes a game that has not come to its end.
func (g *CubeGame) OnDeactivated(*behaviors.Control) { g.open = !g.done }

// choose finds the nearest cube that suits the game, and for a stack the one that goes below.
func (g *CubeGame) choose(c *behaviors.Control) (cube, other int, ok bool) {
	w := c.World()
	nearest := g.params.FarMM
	for i := range w.Objects {
		o := &w.Objects[i]
		mm, _ := w.Body.Pose.To(o.Pose.XMM, o.Pose.YMM)
		if mm >= nearest || !g.suits(c, o) {
			continue
		}
		below := 0
		if g.params.Game == gameStack {
			if below = g.below(c, o); below == 0 {
				continue
			}
		}
		if g.params.Game != gameInspect && len(hands.PreActions(w, *o)) == 0 {
			continue // there is no room at any of its faces
		}
		nearest, cube, other = mm, o.ID, below
	}
	return cube, other, cube != 0
}

// suits reports whether a game may be played with an object.
func (g *CubeGame) suits(c *behaviors.Control, o *hardware.KnownObject) bool {
	w := c.World()
	if o.Kind != hardware.KindCube || o.Origin != w.Body.Origin || c.Now().Sub(o.SeenAt) > g.params.Age || g.tired(o.ID, c.Now()) {
		return false
	}
	high := o.BaseMM > slotTolMM
	if g.params.Game == gameUnstack || g.params.Game == gameKnock {
		return high
	}
	return !high && (g.params.Game == gameInspect || !g.covered(w, o))
}

// covered reports whether another cube stands on o.
func (*CubeGame) covered(w *hardware.World, o *hardware.KnownObject) bool {
	return slices.ContainsFunc(w.Objects, func(p hardware.KnownObject) bool {
		mm := hardware.Pose{XMM: o.Pose.XMM, YMM: o.Pose.YMM}
		d, _ := mm.To(p.Pose.XMM, p.Pose.YMM)
		return p.ID != o.ID && p.Kind == hardware.KindCube && p.Origin == o.Origin && p.BaseMM > slotTolMM && d < 2*slotTolMM
	})
}

// below is the nearest other cube on which o may stand; 0 if there is none.
func (g *CubeGame) below(c *behaviors.Control, o *hardware.KnownObject) (id int) {
	w := c.World()
	nearest := g.params.FarMM
	for i := range w.Objects {
		p := &w.Objects[i]
		if p.ID == o.ID || !g.suits(c, p) {
			continue
		}
		if mm, _ := w.Body.Pose.To(p.Pose.XMM, p.Pose.YMM); mm < nearest && len(hands.PreActions(w, *p)) > 0 {
			nearest, id = mm, p.ID
		}
	}
	return id
}

func (g *CubeGame) tired(id int, now time.Time) bool {
	return slices.ContainsFunc(g.played, func(p cubePlay) bool { return p.id == id && now.Sub(p.at) < g.params.Cooldown })
}

// OnActivated chooses the cube and begins. The game counts from here, so that an interrupted one is not repeated at once.
func (g *CubeGame) OnActivated(c *behaviors.Control) {
	if g.params.Game == gameAway {
		g.tries, g.done = g.params.Tries, false
		g.putAway(c)
		return
	}
	if g.goesOn(&c.World().Body) {
		if g.tries == 0 {
			g.putAway(c)
			return
		}
		g.tries--
		g.carried(c)
		return
	}
	cube, other, ok := g.choose(c)
	if !ok {
		return
	}
	g.cube, g.other, g.tries, g.done = cube, other, g.params.Tries, false
	g.played = slices.DeleteFunc(g.played, func(p cubePlay) bool { return p.id == cube })
	if g.played = append(g.played, cubePlay{cube, c.Now()}); len(g.played) > maxPlayed {
		g.played = g.played[1:]
	}
	g.try(c, behaviors.Outcome{})
}

// OnResumed goes on with the same cube: with what is on the lift, or with another try.
func (g *CubeGame) OnResumed(c *behaviors.Control) {
	if g.done {
		return
	}
	if c.World().Body.Carrying {
		g.carried(c)
		return
	}
	if g.params.Game == gameAway {
		return
	}
	g.tries = max(g.tries, 1)
	g.try(c, behaviors.Outcome{})
}

// try drives up to the cube and does the first part of the trick. A cube that it lost sight of it looks for first.
func (g *CubeGame) try(c *behaviors.Control, o behaviors.Outcome) {
	if g.tries == 0 {
		g.giveUp(c)
		return
	}
	g.tries--
	if res := o.Completion.Result; res == actions.VisualObservationFailed || res == actions.BadObject {
		c.SetState("looking for the cube")
		c.Act(look.NewSearch(look.SearchParams{ID: g.cube, Kind: hardware.KindCube}), g.sought)
		return
	}
	g.drive(c)
}

// sought goes on with a cube that it found again.
func (g *CubeGame) sought(c *behaviors.Control, o behaviors.Outcome) {
	if !o.Succeeded() {
		g.giveUp(c)
		return
	}
	g.drive(c)
}

func (g *CubeGame) drive(c *behaviors.Control) {
	c.SetState("driving to a cube")
	c.Act(g.approach(), g.reached)
}

// approach ends in front of a face of the cube, or near it.
func (g *CubeGame) approach() actions.Action {
	if g.params.Game == gameInspect {
		return motion.NewDriveNear(motion.NearParams{Target: motion.ObjectTarget{ID: g.cube}, DistanceMM: inspectMM})
	}
	return hands.NewDrive(hands.DriveParams{ID: g.cube})
}

func (g *CubeGame) reached(c *behaviors.Control, o behaviors.Outcome) {
	switch {
	case !o.Succeeded():
		g.try(c, o)
	case g.params.Game == gameInspect:
		g.celebrate(c)
	case g.params.Game == gameRoll:
		c.SetState("rolling a cube")
		c.Act(hands.NewRoll(hands.RollParams{ID: g.cube}), g.tricked)
	case g.params.Game == gameKnock:
		c.SetState("knocking a stack over")
		c.Act(hands.NewKnockOver(hands.KnockOverParams{ID: g.cube}), g.tricked)
	default:
		c.SetState("picking a cube up")
		c.Act(hands.NewPickUp(hands.PickUpParams{ID: g.cube}), g.lifted)
	}
}

func (g *CubeGame) tricked(c *behaviors.Control, o behaviors.Outcome) {
	if o.Succeeded() {
		g.celebrate(c)
		return
	}
	g.try(c, o)
}

// lifted goes on with a cube on the lift, or tries again.
func (g *CubeGame) lifted(c *behaviors.Control, o behaviors.Outcome) {
	if !o.Succeeded() {
		g.try(c, o)
		return
	}
	g.carried(c)
}

// carried does what the game does with a carried cube.
func (g *CubeGame) carried(c *behaviors.Control) {
	if g.params.Game == gameAway {
		g.putAway(c)
		return
	}
	if g.params.Game == gameStack && g.other != 0 {
		c.SetState("stacking")
		c.Act(hands.DriveThen(g.other, hands.NewPlaceOn(hands.PlaceOnParams{ID: g.other})), g.stacked)
		return
	}
	c.SetState("carrying a cube")
	c.Act(gesture.InTurn("Carry", motion.NewTurnInPlace(motion.TurnParams{AngleRad: carryRad, SpeedRadPS: 1}),
		motion.NewDriveStraight(motion.StraightParams{DistanceMM: carryMM, SpeedMMPS: carryPSMM}), hands.NewPutDown()), g.putDown)
}

// stacked is glad, or puts down what it still holds.
func (g *CubeGame) stacked(c *behaviors.Control, o behaviors.Outcome) {
	switch {
	case o.Succeeded():
		g.celebrate(c)
	case !c.World().Body.Carrying && g.stands(c): // the action did not see it from where it stood
		g.celebrate(c)
	case c.World().Body.Carrying:
		g.other = 0
		g.putAway(c)
	default:
		g.giveUp(c)
	}
}

// stands reports whether the cube is known to be on the other one.
func (g *CubeGame) stands(c *behaviors.Control) bool {
	upper, ok := hands.Upon(c.World(), g.other)
	return ok && upper.ID == g.cube
}

// putDown is glad if the cube is on the ground, and otherwise puts it where it is free.
func (g *CubeGame) putDown(c *behaviors.Control, o behaviors.Outcome) {
	switch {
	case o.Succeeded() && !c.World().Body.Carrying:
		g.celebrate(c)
	case c.World().Body.Carrying && g.tries > 0:
		g.tries--
		c.SetState("putting the cube away")
		c.Act(gesture.InTurn("PutAway", motion.NewDriveStraight(motion.StraightParams{DistanceMM: -carryMM, SpeedMMPS: carryPSMM}), hands.NewPutDown()), g.putDown)
	case c.World().Body.Carrying:
		c.SetState("letting the cube go")
		c.Act(gesture.InTurn("LetGo", motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMinMM}),
			motion.NewDriveStraight(motion.StraightParams{DistanceMM: -carryMM, SpeedMMPS: carryPSMM})), func(c *behaviors.Control, _ behaviors.Outcome) { g.giveUp(c) })
	default:
		g.giveUp(c)
	}
}

// putAway puts down what is on the lift, in the nearest direction that is free.
func (g *CubeGame) putAway(c *behaviors.Control) {
	c.SetState("putting the cube away")
	c.Act(hands.NewPutDown(), g.putDown)
}

func (g *CubeGame) celebrate(c *behaviors.Control) {
	g.done = true
	c.SetState("glad")
	c.Act(gesture.PlayStill(g.params.GladClip), nil)
}

func (g *CubeGame) giveUp(c *behaviors.Control) {
	g.done = true
	c.SetState("giving up")
	c.Act(gesture.PlayStill(g.params.SadClip), nil)
}
