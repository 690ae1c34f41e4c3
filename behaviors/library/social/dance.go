package social

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A Dance is a tiny dance on the spot: the body swings from side to side, head and lift go up and down in time. On the
// charger only head and lift dance.
type Dance struct {
	params danceParams
	bars   int // danced in this activation
}

type danceParams struct {
	Bars   int           `key:"bars" range:"1..50" doc:"number of bars; each is a swing to one side and back"`
	Beat   time.Duration `key:"beat_s" doc:"length of a beat; a bar has three"`
	Swing  param.Angle   `key:"swing_deg" range:"0..60" doc:"angle of a swing"`
	Finale string        `key:"finaleClip" ref:"clip" doc:"played at the end"`
}

// DanceClass is the class Dance.
func DanceClass() behaviors.Class {
	return behaviors.Class{
		Name: "Dance",
		Doc:  "Dances on the spot.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &Dance{}
			param.ReadConfig(cfg, &d.params)
			return d
		},
	}
}

// Modify lets it begin with something on the lift, which it puts down.
func (*Dance) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject = true
}

// OnActivated begins with the first bar.
func (d *Dance) OnActivated(c *behaviors.Control) {
	d.bars = 0
	d.OnResumed(c)
}

// OnResumed goes on with the next bar.
func (d *Dance) OnResumed(c *behaviors.Control) {
	gesture.PutDownFirst(c, func(c *behaviors.Control) { d.dance(c, behaviors.Outcome{}) })
}

// dance is one bar: out, back past the middle, and home again, so that the robot ends where it began.
func (d *Dance) dance(c *behaviors.Control, _ behaviors.Outcome) {
	if d.bars >= d.params.Bars {
		c.SetState("finale")
		c.Act(gesture.PlayStill(d.params.Finale), nil)
		return
	}
	c.SetState("dancing")
	side := d.params.Swing.Rad()
	if d.bars%2 == 1 {
		side = -side
	}
	d.bars++
	lifts := !c.World().Body.Carrying
	c.Act(gesture.InTurn("Bar", d.move(side, true, lifts), d.move(-2*side, false, lifts), d.move(side, true, lifts)), d.dance)
}

// move is one beat. What hangs on the lift on the charger stays there: without lifts the lift stands.
func (d *Dance) move(turnRad float64, up, lifts bool) actions.Action {
	head, lift := param.Rad(-5), motion.LiftMinMM
	if up {
		head, lift = param.Rad(20), motion.LiftMinMM+25
	}
	parts := []actions.Action{gesture.Turn(turnRad), gesture.Head(head)}
	if lifts {
		parts = append(parts, motion.NewMoveLift(motion.LiftParams{HeightMM: lift}))
	}
	return gesture.Together("Beat", append(parts, gesture.Wait(d.params.Beat))...)
}
