package social

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/param"
)

// A Dance is a tiny dance on the spot: the body swings from side to side, head and lift go up and down in time. On the
// charger only head and lift dance.
type Dance struct {
	params danceParams
	bars   int // danced in this activation
}

type danceParams struct {
	bars     int
	beat     time.Duration
	swingRad float64
	finale   string
}

// DanceClass is the class Dance.
func DanceClass() behaviors.Class {
	return behaviors.Class{
		Name: "Dance",
		Doc:  "Dances on the spot.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			o := cfg.Object
			return &Dance{params: danceParams{
				bars:     o.IntRangeOr("bars", 4, 1, 50),
				beat:     o.SecondsOr("beat_s", 500*time.Millisecond),
				swingRad: param.Rad(o.FloatRangeOr("swing_deg", 20, 0, 60)),
				finale:   param.Clip(o, "finaleClip", "celebrate"),
			}}
		},
	}
}

// OnActivated begins with the first bar.
func (d *Dance) OnActivated(c *behaviors.Control) {
	d.bars = 0
	d.dance(c, behaviors.Outcome{})
}

// dance is one bar: out, back past the middle, and home again, so that the robot ends where it began.
func (d *Dance) dance(c *behaviors.Control, _ behaviors.Outcome) {
	if d.bars >= d.params.bars {
		c.SetState("finale")
		c.Act(gesture.PlayStill(d.params.finale), nil)
		return
	}
	c.SetState("dancing")
	side := d.params.swingRad
	if d.bars%2 == 1 {
		side = -side
	}
	d.bars++
	c.Act(gesture.InTurn("Bar", d.move(side, true), d.move(-2*side, false), d.move(side, true)), d.dance)
}

// move is one beat.
func (d *Dance) move(turnRad float64, up bool) actions.Action {
	head, lift := param.Rad(-5), motion.LiftMinMM
	if up {
		head, lift = param.Rad(20), motion.LiftMinMM+25
	}
	return gesture.Together("Beat",
		gesture.Turn(turnRad), gesture.Head(head), motion.NewMoveLift(motion.LiftParams{HeightMM: lift}),
		gesture.Wait(d.params.beat))
}
