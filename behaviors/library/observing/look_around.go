package observing

import (
	"math"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// A LookAround turns on the spot, glancing back, pausing and moving its head on the way, until it has gone around
// once. The phases s1 to s4 and their keys are those of the earlier system.
type LookAround struct {
	params    lookParams
	direction float64 // 1 = to the left, -1 = to the right; drawn anew at each activation
	turnedRad float64 // in the main direction, in this activation
	looks     int     // head moves left in this iteration
}

type lookParams struct {
	Phases lookPhases `key:"params" doc:"what it does in each phase"`
}

type lookPhases struct {
	Clockwise float64      `key:"s0_MainTurnCWChance" range:"0..1" doc:"chance of turning to the right"`
	Back      param.Span   `key:"s1_BodyAngleRangeMin_deg,s1_BodyAngleRangeMax_deg" range:"0..180" doc:"turn of the glance back"`
	BackHead  param.Span   `key:"s1_HeadAngleRangeMin_deg,s1_HeadAngleRangeMax_deg" range:"headMin..headMax" doc:"angle of the head in it"`
	Pause     param.Times  `key:"s2_WaitMin_sec,s2_WaitMax_sec" doc:"pause after it"`
	Main      param.Span   `key:"s3_BodyAngleRangeMin_deg,s3_BodyAngleRangeMax_deg" range:"0..180" doc:"turn in the main direction, beyond the way back"`
	MainHead  param.Span   `key:"s3_HeadAngleRangeMin_deg,s3_HeadAngleRangeMax_deg" range:"headMin..headMax" doc:"angle of the head in it"`
	HeadLooks param.Counts `key:"s4_HeadAngleChangesMin,s4_HeadAngleChangesMax" range:"0..1000" doc:"looks up and down after it"`
	LookHead  param.Span   `key:"s4_HeadAngleRangeMin_deg,s4_HeadAngleRangeMax_deg" range:"headMin..headMax" doc:"angle of the head in each"`
	LookPause param.Times  `key:"s4_WaitBetweenChangesMin_sec,s4_WaitBetweenChangesMax_sec" doc:"pause after each"`
	Speed     param.Angle  `key:"sx_BodyTurnSpeed_degPerSec" unit:"deg" range:"10..300" doc:"speed of all turns"`
}

// Check wants a turn that leads around.
func (p *lookPhases) Check(o *resources.Object, _ *behaviors.Config) {
	if p.Main.Min <= 0 && o.Has("s3_BodyAngleRangeMin_deg") {
		o.KeyErrorf("s3_BodyAngleRangeMin_deg", "key-range", "must be above 0, or the turn never ends")
	}
}

// LookAroundClass is the class LookAround.
func LookAroundClass() behaviors.Class {
	return behaviors.Class{
		Name: "LookAround",
		Doc:  "Turns once around on the spot, with pauses and looks up and down.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			l := &LookAround{}
			param.ReadConfig(cfg, &l.params)
			return l
		},
	}
}

// Modify allows it everywhere; on the charger only the head moves. It looks for everything that the robot can see.
func (*LookAround) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.WhenOnCharger = true, true
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Low).With(hardware.SeeMarkers, hardware.Low)
}

// OnActivated draws the main direction.
func (l *LookAround) OnActivated(c *behaviors.Control) {
	l.direction, l.turnedRad = 1, 0
	if c.Rand().Float64() < l.params.Phases.Clockwise {
		l.direction = -1
	}
	l.glanceBack(c)
}

// glanceBack is s1: a small turn against the main direction.
func (l *LookAround) glanceBack(c *behaviors.Control) {
	c.SetState("s1 glancing back")
	angle := l.params.Phases.Back.Draw(c)
	l.turnedRad -= angle
	l.turn(c, -l.direction*angle, l.params.Phases.BackHead.Draw(c), l.pause)
}

// pause is s2.
func (l *LookAround) pause(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("s2 pausing")
	c.Act(gesture.Wait(l.params.Phases.Pause.Draw(c)), l.goOn)
}

// goOn is s3: the turn in the main direction.
func (l *LookAround) goOn(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("s3 turning on")
	angle := l.params.Phases.Main.Draw(c) + l.params.Phases.Back.Max
	l.turnedRad += angle
	l.looks = l.params.Phases.HeadLooks.Draw(c)
	l.turn(c, l.direction*angle, l.params.Phases.MainHead.Draw(c), l.look)
}

// look is s4, repeated; then the next iteration, or the end after a full turn.
func (l *LookAround) look(c *behaviors.Control, _ behaviors.Outcome) {
	if l.looks > 0 {
		l.looks--
		c.SetState("s4 looking up and down")
		c.Act(gesture.InTurn("Look", gesture.Head(l.params.Phases.LookHead.Draw(c)), gesture.Wait(l.params.Phases.LookPause.Draw(c))), l.look)
		return
	}
	if l.turnedRad < 2*math.Pi {
		l.glanceBack(c)
	}
}

func (l *LookAround) turn(c *behaviors.Control, bodyRad, headRad float64, then behaviors.Callback) {
	c.Act(motion.NewPanAndTilt(motion.PanTiltParams{
		BodyRad: bodyRad, HeadRad: headRad, HeadOptional: true, SpeedRadPS: l.params.Phases.Speed.Rad(),
	}), then)
}
