package charging

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A Sleep falls asleep after a time in which nothing happened, snores, and wakes up when it is touched, sees a face, is
// spoken to, is fully charged, or has slept long enough.
type Sleep struct {
	params  sleepParams
	rested  time.Time // beginning of the time in which nothing happened
	asleep  time.Time
	waking  bool
	sawFace time.Time // newest sighting before it fell asleep
	wasFull bool      // the battery was full when it fell asleep: no reason to wake
}

type sleepParams struct {
	After       time.Duration `key:"fallAsleepAfter_s" doc:"how long nothing happens before it falls asleep"`
	Longest     time.Duration `key:"maxSleep_s" default:"0" why:"a robot on its charger needs no limit" doc:"wakes up after that; 0 is no limit"`
	OnlyCharger bool          `key:"onlyOnCharger" default:"false" why:"a robot that is told to sleep does so where it stands" doc:"sleeps on the contacts of the charger only"`
	WakeByFace  bool          `key:"wakeByFace" doc:"wakes up when somebody is there"`
	Breath      param.Times   `key:"snorePauseMin_s,snorePauseMax_s" doc:"time between two snores"`
	GetInClip   string        `key:"getInClip" ref:"clip" doc:"played before it falls asleep"`
	WakeClip    string        `key:"wakeUpClip" ref:"clip" doc:"played when it wakes up"`
}

// breath is the clip of one breath.
const breath = "snore"

// SleepClass is the class Sleep.
func SleepClass() behaviors.Class {
	return behaviors.Class{
		Name: "Sleep",
		Doc:  "Falls asleep after a while, snores, and wakes up when something happens.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			s := &Sleep{}
			param.ReadConfig(cfg, &s.params)
			return s
		},
	}
}

// Modify lets it begin with something on the lift, which it puts down off the charger. It looks for faces, because a face wakes it.
func (*Sleep) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject = true
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Low)
}

// OnEnteredScope begins the time of rest.
func (s *Sleep) OnEnteredScope(c *behaviors.Control) { s.rested = c.Now() }

// WantsToBeActivated is true after enough rest, on the charger if it must be.
func (s *Sleep) WantsToBeActivated(c *behaviors.Control) bool {
	switch {
	case s.params.OnlyCharger && !c.World().Body.OnContacts:
		c.Because("it sleeps on the contacts of the charger only")
	case c.Now().Sub(s.rested) < s.params.After:
		c.Because("it is awake only for %v, and is tired in %v", s.rested, s.rested.Add(s.params.After))
	default:
		return true
	}
	return false
}

// OnActivated yawns and falls asleep.
func (s *Sleep) OnActivated(c *behaviors.Control) {
	s.asleep, s.waking = c.Now(), false
	s.sawFace, s.wasFull = newestFace(c.World()), full(c)
	gesture.PutDownFirst(c, func(c *behaviors.Control) {
		c.SetState("falling asleep")
		c.Act(gesture.Play(s.params.GetInClip), s.breathe)
	})
}

// OnResumed sleeps on without another yawn, unless it was waking up.
func (s *Sleep) OnResumed(c *behaviors.Control) {
	if !s.waking {
		s.breathe(c, behaviors.Outcome{})
	}
}

// OnDeactivated begins a new time of rest, so the robot stays awake for a while.
func (s *Sleep) OnDeactivated(c *behaviors.Control) { s.rested = c.Now() }

func (s *Sleep) breathe(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("asleep")
	c.Face().Hold(hardware.FaceAsleep)
	c.Act(gesture.InTurn("Breathe", gesture.Play(breath), gesture.Wait(s.params.Breath.Draw(c))), s.breathe)
}

// UpdateWhileActivated wakes the robot.
func (s *Sleep) UpdateWhileActivated(c *behaviors.Control) {
	if s.waking {
		return
	}
	if why := s.disturbance(c); why != "" {
		s.waking = true
		c.SetState("waking up: " + why)
		c.CancelAndAct(gesture.Play(s.params.WakeClip), nil)
	}
}

// disturbance names what wakes the robot, or is empty.
func (s *Sleep) disturbance(c *behaviors.Control) string {
	w := c.World()
	switch {
	case w.Body.Touched:
		return "touched"
	case c.View().Intent.Pending != nil:
		return "spoken to"
	case s.params.WakeByFace && newestFace(w).After(s.asleep) && newestFace(w).After(s.sawFace):
		return "somebody is here"
	case full(c) && !s.wasFull:
		return "fully charged"
	case s.params.OnlyCharger && !w.Body.OnContacts:
		return "off the charger"
	case s.params.Longest > 0 && c.Now().Sub(s.asleep) >= s.params.Longest:
		return "slept enough"
	}
	return ""
}

func full(c *behaviors.Control) bool { return c.World().Body.Battery == hardware.BatteryFull }

// newestFace is the instant of the newest sighting of a face.
func newestFace(w *hardware.World) (t time.Time) {
	if len(w.Faces) > 0 {
		t = w.Faces[0].SeenAt
	}
	return t
}
