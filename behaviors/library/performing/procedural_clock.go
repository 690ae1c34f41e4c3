package performing

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A Countdown is what a ProceduralClock shows in its next activation: the time that is left. The parent gives it with its question:
// c.WantsWith(id, countdown). It is good for one activation.
type Countdown struct{ Until time.Time }

// A ProceduralClock shows digits on the display for a while: the time that is left of a countdown, that of the timer which people set, or,
// without either, the time of day.
type ProceduralClock struct {
	params    clockParams
	countdown Countdown
	began     time.Time     // to show
	each      time.Duration // between two pictures
	text      func(c *behaviors.Control) string
	timed     bool // it shows timers
}

type clockParams struct {
	GetIn  string        `key:"getInAnimTrigger" ref:"trigger" doc:"animation before the digits"`
	GetOut string        `key:"getOutAnimTrigger" ref:"trigger" doc:"animation after them"`
	Show   time.Duration `key:"displayClockFor_s" range:"0..255" doc:"how long the digits are shown"`
	Turn   bool          `key:"shouldTurnToFace" default:"false" why:"people can see the display from the side" doc:"turn to a face first, if one is known"`
	Tick   bool          `key:"shouldPlayAudioOnClockUpdates" default:"false" why:"a ticking robot is a nuisance" doc:"tick with each picture"`
}

const (
	// tickSound and tickLength are the sound of a clock.
	tickSound  = "tick"
	tickLength = 100 * time.Millisecond
	// firstYear is the least year that a clock which was ever set can show.
	firstYear = 2020
)

// ProceduralClockClass is the class ProceduralClock.
func ProceduralClockClass() behaviors.Class {
	return behaviors.Class{
		Name: "ProceduralClock",
		Doc:  "Shows on its face what is left of a countdown or timer, or the time of day.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			k := newClock(cfg)
			k.text, k.timed = k.left, true
			return k
		},
	}
}

func newClock(cfg *behaviors.Config) *ProceduralClock {
	k := &ProceduralClock{each: time.Second}
	param.ReadConfig(cfg, &k.params)
	return k
}

// Modify lets it show the time off treads, and decide for itself when it ends.
func (*ProceduralClock) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.AlwaysDelegates = true, false
}

// WantsToBeActivatedWith takes the countdown.
func (k *ProceduralClock) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	d, ok := data.(Countdown)
	if !ok {
		c.Because("it was given a %T, not a countdown", data)
		return false
	}
	k.countdown = d
	return true
}

// WantsToBeActivated is true if it knows the time of day.
func (k *ProceduralClock) WantsToBeActivated(c *behaviors.Control) bool {
	if c.View().Services.Alarm.Set() && k.timed || c.Now().Year() >= firstYear {
		return true
	}
	c.Because("its clock was never set: it reads the year %d", c.Now().Year())
	return false
}

// OnActivated turns to a face or begins.
func (k *ProceduralClock) OnActivated(c *behaviors.Control) {
	if _, ok := c.World().Face(faceAge); ok && k.params.Turn {
		c.SetState("turning to the face")
		c.Act(motion.NewTurnTowards(motion.TowardsParams{Target: motion.FaceTarget{}}), k.getIn)
		return
	}
	k.getIn(c, behaviors.Outcome{})
}

func (k *ProceduralClock) getIn(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("getting in")
	c.Act(gesture.Trigger(c, k.params.GetIn), func(c *behaviors.Control, o behaviors.Outcome) {
		k.began = c.Now()
		k.show(c, o)
	})
}

// show shows one picture after the other until the time is over.
func (k *ProceduralClock) show(c *behaviors.Control, _ behaviors.Outcome) {
	left := k.params.Show - c.Now().Sub(k.began)
	if left <= 0 {
		c.SetState("getting out")
		c.Act(gesture.Trigger(c, k.params.GetOut), func(c *behaviors.Control, _ behaviors.Outcome) { c.CancelSelf() })
		return
	}
	c.SetState("showing the time")
	parts := []actions.Action{express.NewDisplayFace(express.FaceParams{Face: hardware.Digits(k.text(c)), Duration: min(k.each, left)})}
	if k.params.Tick {
		parts = append(parts, express.NewPlaySound(express.SoundParams{Clip: tickSound, Duration: tickLength}))
	}
	c.Act(gesture.Together("Clock", parts...), k.show)
}

// OnDeactivated forgets the countdown.
func (k *ProceduralClock) OnDeactivated(*behaviors.Control) { k.countdown = Countdown{} }

// left is what is left of the countdown or the timer; without either it is the time of day.
func (k *ProceduralClock) left(c *behaviors.Control) string {
	until := k.countdown.Until
	if alarm := c.View().Services.Alarm; until.IsZero() && alarm.Set() {
		until = alarm.RingsAt
	}
	if until.IsZero() {
		return TimeText(c.Now(), true)
	}
	return minutes(until.Sub(c.Now()))
}

// minutes is a duration as minutes and seconds, or as hours and minutes from 100 minutes on.
func minutes(d time.Duration) string {
	s := int(max(0, d).Round(time.Second) / time.Second)
	if s >= 100*60 {
		s /= 60
	}
	return fmt.Sprintf("%d:%02d", min(s/60, 99), s%60)
}
