package observing

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/param"
	"github.com/robotd/robotd/hardware"
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
	clockwise      float64 // chance of turning to the right
	back, backHead param.Span
	pause          param.Times
	main, mainHead param.Span
	headLooks      param.Counts
	lookHead       param.Span
	lookPause      param.Times
	speedRadPS     float64
}

// LookAroundClass is the class LookAround.
func LookAroundClass() behaviors.Class {
	return behaviors.Class{
		Name: "LookAround",
		Doc:  "Turns once around on the spot, with pauses and looks up and down.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			l := &LookAround{}
			p := cfg.Object.Object("params")
			if p == nil {
				return l
			}
			angles := func(minKey, maxKey string, def param.Span) param.Span {
				return param.Angles(p, minKey, maxKey, def, 0, 180)
			}
			heads := func(minKey, maxKey string, def param.Span) param.Span {
				return param.Angles(p, minKey, maxKey, def, param.HeadMinDeg, param.HeadMaxDeg)
			}
			second := param.Times{Min: 500 * time.Millisecond, Max: 1500 * time.Millisecond}
			l.params = lookParams{
				clockwise:  p.FloatRangeOr("s0_MainTurnCWChance", 0.5, 0, 1),
				back:       angles("s1_BodyAngleRangeMin_deg", "s1_BodyAngleRangeMax_deg", param.Span{Min: 5, Max: 20}),
				backHead:   heads("s1_HeadAngleRangeMin_deg", "s1_HeadAngleRangeMax_deg", param.Span{Min: 0, Max: 15}),
				pause:      param.Seconds(p, "s2_WaitMin_sec", "s2_WaitMax_sec", second),
				main:       angles("s3_BodyAngleRangeMin_deg", "s3_BodyAngleRangeMax_deg", param.Span{Min: 30, Max: 70}),
				mainHead:   heads("s3_HeadAngleRangeMin_deg", "s3_HeadAngleRangeMax_deg", param.Span{Min: 0, Max: 15}),
				headLooks:  param.Ints(p, "s4_HeadAngleChangesMin", "s4_HeadAngleChangesMax", param.Counts{Min: 0, Max: 2}, 0),
				lookHead:   heads("s4_HeadAngleRangeMin_deg", "s4_HeadAngleRangeMax_deg", param.Span{Min: -5, Max: 35}),
				lookPause:  param.Seconds(p, "s4_WaitBetweenChangesMin_sec", "s4_WaitBetweenChangesMax_sec", second),
				speedRadPS: param.Rad(p.FloatRangeOr("sx_BodyTurnSpeed_degPerSec", 90, 10, 300)),
			}
			if l.params.main.Min <= 0 {
				p.KeyErrorf("s3_BodyAngleRangeMin_deg", "key-range", "must be above 0, or the turn never ends")
			}
			p.Finish()
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
	if c.Rand().Float64() < l.params.clockwise {
		l.direction = -1
	}
	l.glanceBack(c)
}

// glanceBack is s1: a small turn against the main direction.
func (l *LookAround) glanceBack(c *behaviors.Control) {
	c.SetState("s1 glancing back")
	angle := l.params.back.Draw(c)
	l.turnedRad -= angle
	l.turn(c, -l.direction*angle, l.params.backHead.Draw(c), l.pause)
}

// pause is s2.
func (l *LookAround) pause(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("s2 pausing")
	c.Act(gesture.Wait(l.params.pause.Draw(c)), l.goOn)
}

// goOn is s3: the turn in the main direction.
func (l *LookAround) goOn(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("s3 turning on")
	angle := l.params.main.Draw(c) + l.params.back.Max
	l.turnedRad += angle
	l.looks = l.params.headLooks.Draw(c)
	l.turn(c, l.direction*angle, l.params.mainHead.Draw(c), l.look)
}

// look is s4, repeated; then the next iteration, or the end after a full turn.
func (l *LookAround) look(c *behaviors.Control, _ behaviors.Outcome) {
	if l.looks > 0 {
		l.looks--
		c.SetState("s4 looking up and down")
		c.Act(gesture.InTurn("Look", gesture.Head(l.params.lookHead.Draw(c)), gesture.Wait(l.params.lookPause.Draw(c))), l.look)
		return
	}
	if l.turnedRad < 2*math.Pi {
		l.glanceBack(c)
	}
}

func (l *LookAround) turn(c *behaviors.Control, bodyRad, headRad float64, then behaviors.Callback) {
	c.Act(motion.NewPanAndTilt(motion.PanTiltParams{
		BodyRad: bodyRad, HeadRad: headRad, HeadOptional: true, SpeedRadPS: l.params.speedRadPS,
	}), then)
}
