package charging

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/param"
	"github.com/robotd/robotd/hardware"
)

// A FindCharger looks for the charger. It turns around in steps and looks after each. If it has not seen the charger it drives elsewhere
// and looks again. It ends when it has seen the charger.
type FindCharger struct {
	params    findParams
	turns     int     // of this sweep
	sweptRad  float64 // in this sweep
	direction float64 // of this sweep
	began     time.Time
}

type findParams struct {
	sweepRad float64 // minSearchAngleSweep_deg
	maxTurns int     // maxSearchTurns
	stepRad  float64
	look     time.Duration
	distance param.Span // mm
	headRad  float64
	speed    float64
}

// FindChargerClass is the class FindCharger.
func FindChargerClass() behaviors.Class {
	return behaviors.Class{
		Name: "FindCharger",
		Doc:  "Turns, looks and drives about until it has seen the charger.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			o := cfg.Object
			return &FindCharger{params: findParams{
				sweepRad: param.Rad(o.FloatRange("minSearchAngleSweep_deg", 30, 720)),
				maxTurns: o.IntRange("maxSearchTurns", 1, 40),
				stepRad:  param.Rad(o.FloatRangeOr("searchTurn_deg", 40, 10, 60)),
				look:     o.SecondsOr("lookTime_s", 500*time.Millisecond),
				distance: param.Numbers(o, "minDrivingDist_mm", "maxDrivingDist_mm", param.Span{Min: 120, Max: 250}, 10, 1000),
				headRad:  param.Head(o, "headAngle_deg", 0),
				speed:    o.FloatRangeOr("speed_mmps", 80, 10, motion.CliffSafeMMPS),
			}}
		},
	}
}

// Modify keeps it off the charger and on treads, and looks for the charger.
func (*FindCharger) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, false, false
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.Standard)
}

// WantsToBeActivated is true while the robot can move and see.
func (f *FindCharger) WantsToBeActivated(c *behaviors.Control) bool {
	switch b := &c.World().Body; {
	case !b.CanDrive:
		c.Because(cannotDrive)
	case !b.CanSee:
		c.Because("the camera sees nothing")
	default:
		return true
	}
	return false
}

// OnActivated lowers the head, which brings the charger into view, and begins to turn.
func (f *FindCharger) OnActivated(c *behaviors.Control) {
	f.began = c.Now()
	c.SetState("lowering the head")
	c.Act(gesture.InTurn("LookDown", gesture.Head(f.params.headRad), gesture.Wait(f.params.look)), f.sweep)
}

// Update ends the search as soon as the charger was seen.
func (f *FindCharger) Update(c *behaviors.Control) {
	if c.Activated() && seenSince(c.World(), f.began) {
		c.SetState("seen it")
		c.CancelSelf()
	}
}

// sweep begins to turn around.
func (f *FindCharger) sweep(c *behaviors.Control, _ behaviors.Outcome) {
	f.turns, f.sweptRad, f.direction = 0, 0, 1
	if c.Rand().IntN(2) == 0 {
		f.direction = -1
	}
	f.turn(c, behaviors.Outcome{})
}

// turn takes one step of the sweep, or drives elsewhere after the last one.
func (f *FindCharger) turn(c *behaviors.Control, _ behaviors.Outcome) {
	if f.turns >= f.params.maxTurns || f.sweptRad >= f.params.sweepRad {
		f.goElsewhere(c)
		return
	}
	c.SetState("turning")
	f.turns++
	f.sweptRad += f.params.stepRad
	c.Act(gesture.InTurn("SearchTurn", gesture.Turn(f.direction*f.params.stepRad), gesture.Wait(f.params.look)), f.turn)
}

// goElsewhere drives a random distance in a random direction; an obstacle ends the drive early.
func (f *FindCharger) goElsewhere(c *behaviors.Control) {
	c.SetState("driving elsewhere")
	c.Act(gesture.InTurn("GoElsewhere",
		gesture.Turn(math.Pi*(2*c.Rand().Float64()-1)),
		motion.NewDriveStraight(motion.StraightParams{
			DistanceMM: f.params.distance.Draw(c), SpeedMMPS: f.params.speed, StopAtMM: motion.ObstacleMM + 30,
		}),
		gesture.Wait(f.params.look),
	), f.sweep)
}

// seenSince reports whether the charger of the present frame was seen after an instant.
func seenSince(w *hardware.World, t time.Time) bool {
	home, ok := w.Charger()
	return ok && home.SeenAt.After(t)
}
