package charging

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/wander"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A FindCharger looks for the charger. It turns around in steps and looks after each. If it has not seen the charger it drives elsewhere
// and looks again. It ends when it has seen the charger, or has turned around often enough lately; it does not want control then until some of those
// searches are long ago.
type FindCharger struct {
	params    findParams
	turns     int     // of this sweep
	sweptRad  float64 // in this sweep
	direction float64 // of this sweep
	began     time.Time
	been      wander.Been
	searches  []time.Time // when it began to turn around, oldest first
	origin    uint64      // of the places at which it did
}

// leastMM is the shortest drive to another place, also where the map knows no way.
const leastMM = 60.0

type findParams struct {
	Sweep    param.Angle   `key:"minSearchAngleSweep_deg" range:"30..720" doc:"how far it turns around at one place"`
	MaxTurns int           `key:"maxSearchTurns" range:"1..40" doc:"turns at one place at the most"`
	Step     param.Angle   `key:"searchTurn_deg" range:"10..60" doc:"angle of each turn"`
	Look     time.Duration `key:"lookTime_s" doc:"how long it looks after each turn"`
	Distance param.Span    `key:"minDrivingDist_mm,maxDrivingDist_mm" range:"10..1000" doc:"length of the drive to another place"`
	Head     param.Angle   `key:"headAngle_deg" range:"headMin..headMax" doc:"angle of the head during the search"`
	Speed    float64       `key:"speed_mmps" range:"10..cliffSafe" doc:"speed of the drive"`
	Searches int           `key:"maxNumRecentSearches" range:"1..100" default:"15" why:"a charger that was not found at so many places is not here" doc:"at so many places it turns around at the most"`
	Window   time.Duration `key:"recentSearchWindow_sec" default:"600" why:"somebody may bring the charger back" doc:"after so long a search no longer counts"`
}

// FindChargerClass is the class FindCharger.
func FindChargerClass() behaviors.Class {
	return behaviors.Class{
		Name: "FindCharger",
		Doc:  "Turns, looks and drives about until it has seen the charger.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			f := &FindCharger{}
			param.ReadConfig(cfg, &f.params)
			return f
		},
	}
}

// Modify keeps it off the charger and on treads, and looks for the charger.
func (*FindCharger) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, false, false
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.Standard)
}

// WantsToBeActivated is true while the robot can move and see, if it has contacts for a charger.
func (f *FindCharger) WantsToBeActivated(c *behaviors.Control) bool {
	switch b := &c.World().Body; {
	case !b.CanCharge:
		c.Because(cannotCharge)
	case !b.CanDrive:
		c.Because(cannotDrive)
	case !b.CanSee:
		c.Because("the camera sees nothing")
	case f.spent(c):
		c.Because("it has looked for the charger at %d places and not found it, again in %v", f.params.Searches, f.searches[0].Add(f.params.Window))
	default:
		return true
	}
	return false
}

// spent reports whether all searches that it may do lately are done.
func (f *FindCharger) spent(c *behaviors.Control) bool {
	if o := c.World().Body.Origin; o != f.origin { // it was carried elsewhere: what it searched was another place
		f.searches, f.origin = f.searches[:0], o
	}
	return len(f.searches) >= f.params.Searches && c.Now().Sub(f.searches[0]) < f.params.Window
}

// OnActivated lowers the head, which brings the charger into view, and begins to turn.
func (f *FindCharger) OnActivated(c *behaviors.Control) {
	f.began = c.Now()
	c.SetState("lowering the head")
	c.Act(gesture.InTurn("LookDown", gesture.Head(f.params.Head.Rad()), gesture.Wait(f.params.Look)), f.sweep)
}

// UpdateWhileActivated ends the search as soon as the charger was seen.
func (f *FindCharger) UpdateWhileActivated(c *behaviors.Control) {
	f.been.Note(&c.World().Body)
	if seenSince(c.World(), f.began) {
		f.searches = f.searches[:0]
		c.SetState("seen it")
		c.CancelSelf()
	}
}

// sweep begins to turn around, unless it has done so often enough.
func (f *FindCharger) sweep(c *behaviors.Control, _ behaviors.Outcome) {
	if f.spent(c) {
		c.SetState("searched enough")
		c.CancelSelf()
		return
	}
	if f.searches = append(f.searches, c.Now()); len(f.searches) > f.params.Searches {
		f.searches = f.searches[1:]
	}
	f.turns, f.sweptRad, f.direction = 0, 0, 1
	if c.Rand().IntN(2) == 0 {
		f.direction = -1
	}
	f.turn(c, behaviors.Outcome{})
}

// turn takes one step of the sweep, or drives elsewhere after the last one.
func (f *FindCharger) turn(c *behaviors.Control, _ behaviors.Outcome) {
	if f.turns >= f.params.MaxTurns || f.sweptRad >= f.params.Sweep.Rad() {
		f.goElsewhere(c)
		return
	}
	c.SetState("turning")
	f.turns++
	f.sweptRad += f.params.Step.Rad()
	c.Act(gesture.InTurn("SearchTurn", gesture.Turn(f.direction*f.params.Step.Rad()), gesture.Wait(f.params.Look)), f.turn)
}

// goElsewhere drives a random distance in a random direction, not to an edge or obstacle that it knows; an obstacle ends the drive early.
func (f *FindCharger) goElsewhere(c *behaviors.Control) {
	c.SetState("driving elsewhere")
	want := wander.Way{TurnRad: math.Pi * (2*c.Rand().Float64() - 1), DistanceMM: f.params.Distance.Draw(c)}
	way := wander.Choose(c.World(), &f.been, want, 0, min(leastMM, want.DistanceMM))
	c.Act(gesture.InTurn("GoElsewhere",
		gesture.Turn(way.TurnRad),
		motion.NewDriveStraight(motion.StraightParams{
			DistanceMM: max(way.DistanceMM, leastMM), SpeedMMPS: f.params.Speed, StopAtMM: motion.ObstacleMM + 30,
		}),
		gesture.Wait(f.params.Look),
	), f.sweep)
}

// seenSince reports whether the charger of the present frame was seen after an instant.
func seenSince(w *hardware.World, t time.Time) bool {
	home, ok := w.Charger()
	return ok && home.SeenAt.After(t)
}
