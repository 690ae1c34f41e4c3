package sleep

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/hardware"
)

// The states.
const (
	awake          = "Awake"
	preSleep       = "PreSleepAnimation"
	goingToCharger = "GoingToCharger"
	personCheck    = "CheckingForPerson"
	comatose       = "Comatose"
	emergencySleep = "EmergencySleep"
	palmSleep      = "HeldInPalmSleep"
	deepSleep      = "DeepSleep"
	lightSleep     = "LightSleep"
)

// Times of the cycle.
const (
	suggestionTicks = 5
	// awakeLeast is how long it stays awake before a suggestion puts it to sleep, or its own sleepiness after it was woken.
	awakeLeast = 10 * time.Minute
	// sleepyAfter is how long it is awake until it is sleepy. At night it is sleepy at once.
	sleepyAfter = 2 * time.Hour
	// lowStim is the stimulation up to which nothing goes on.
	lowStim = 0.2
	// stalledLimit is how long a battery that does not charge is watched awake.
	stalledLimit = 5 * time.Minute
	// comatoseFor is how long the sleep is that nothing but its own reasons ends, until it is deep sleep.
	comatoseFor = 30 * time.Second
	checkDeep   = 4 * time.Hour
	checkLight  = time.Hour
)

// enter changes the state: the conditions of the old one rest, those of the new one are watched.
func (s *SleepCycle) enter(c *behaviors.Control, state string) {
	if state == s.state {
		return
	}
	s.watch(c, s.ofState(), false)
	if s.state == emergencySleep {
		c.TriggerWord().Withdraw()
	}
	s.state, s.entered = state, c.Now()
	s.watch(c, s.ofState(), true)
	if state == emergencySleep {
		c.TriggerWord().Respond(condition.Response{MinStreaming: -1, Effect: condition.StreamingDisabledButWithLight})
	}
	c.SetState(state)
	c.CancelDelegates()
}

// sleeps reports whether the present state is a sleep.
func (s *SleepCycle) sleeps() bool {
	switch s.state {
	case awake, preSleep, goingToCharger, personCheck:
		return false
	}
	return true
}

// UpdateWhileActivated decides, in the order of urgency.
func (s *SleepCycle) UpdateWhileActivated(c *behaviors.Control) {
	b := &c.World().Body
	s.followBattery(c.Now(), b)
	switch urgent := s.params.Emergency.Met(c.View()); {
	case urgent && s.state != emergencySleep:
		s.fallAsleep(c, emergencySleep)
	case !urgent && s.state == emergencySleep:
		s.enter(c, s.night(c))
	case s.state == awake:
		s.tire(c)
	case s.sleeps():
		s.sleepOn(c)
	case s.state == goingToCharger && (c.View().TriggerWord || c.View().Intent.Pending != nil):
		s.wake(c, reasonInterrupt)
	case s.state == personCheck && newFace(c, s.entered):
		s.wake(c, reasonPerson)
	}
	s.docked = b.OnContacts
	if !c.IsControlDelegated() {
		s.run(c)
	}
}

// followBattery notes since when a battery on the charger does not charge.
func (s *SleepCycle) followBattery(now time.Time, b *hardware.Body) {
	switch {
	case !b.ChargeStalled:
		s.stalled = time.Time{}
	case s.stalled.IsZero():
		s.stalled = now
	}
}

// newFace reports whether a known face was seen since an instant.
func newFace(c *behaviors.Control, since time.Time) bool {
	for i := range c.World().Faces {
		if f := &c.World().Faces[i]; f.Name != "" && f.SeenAt.After(since) {
			return true
		}
	}
	return false
}

// tire goes to sleep for the first reason that holds.
func (s *SleepCycle) tire(c *behaviors.Control) {
	long := s.wokeAt.IsZero() || c.Now().Sub(s.wokeAt) >= awakeLeast
	switch {
	case s.told(c, intentSleep):
		s.claim(c, intentSleep)
		s.fallAsleep(c, comatose)
	case s.told(c, intentNight):
		s.claim(c, intentNight)
		s.enter(c, preSleep)
		s.next = goingToCharger
		c.Act(gesture.PlayStill("sleepy_yawn"), s.asleepNow)
	case s.suggested(c, "SleepOnPalm"):
		s.fallAsleep(c, palmSleep)
	case long && s.suggested(c, "SleepOnCharger"):
		s.toCharger(c)
	case long && s.suggested(c, "Sleep"):
		s.fallAsleep(c, s.night(c))
	case long && s.sleepy(c) && c.View().Mood[condition.Stimulated] <= lowStim && observing(c):
		s.toCharger(c)
	case !s.stalled.IsZero() && c.Now().Sub(s.stalled) > stalledLimit && observing(c):
		s.fallAsleep(c, s.night(c))
	}
}

func (s *SleepCycle) told(c *behaviors.Control, tag string) bool {
	p := c.View().Intent.Pending
	return p != nil && p.Tag == tag
}

func (s *SleepCycle) claim(c *behaviors.Control, tag string) { _, s.claimed = c.Intents().Claim(tag) }

// suggested reports whether a behavior suggested something just now, and uses all suggestions up if so.
func (s *SleepCycle) suggested(c *behaviors.Control, word string) bool {
	at, offered := c.View().Suggestions[word]
	if !offered || c.Tick()-at > suggestionTicks {
		return false
	}
	c.ClearSuggestions()
	return true
}

// sleepy reports whether it has been awake for long, or it is night.
func (s *SleepCycle) sleepy(c *behaviors.Control) bool {
	since := s.entered
	return c.World().Around.Night || s.state == awake && c.Now().Sub(since) >= sleepyAfter
}

// observing reports whether the robot does nothing but look around.
func observing(c *behaviors.Control) bool {
	f := c.View().Services.Feature
	return f == "Observing" || f == "ObservingOnCharger"
}

// night is the sleep of this time of day.
func (s *SleepCycle) night(c *behaviors.Control) string {
	if c.World().Around.Night {
		return deepSleep
	}
	return lightSleep
}

// toCharger goes to the charger first; on it, or if the way there is not willing, it sleeps.
func (s *SleepCycle) toCharger(c *behaviors.Control) {
	s.enter(c, goingToCharger)
	if c.World().Body.OnContacts || !c.Wants(s.params.Charger) || !c.DelegateTo(s.params.Charger, s.arrived) {
		s.fallAsleep(c, s.night(c))
	}
}

func (s *SleepCycle) arrived(c *behaviors.Control, _ behaviors.Outcome) { s.fallAsleep(c, s.night(c)) }

// fallAsleep shows that it falls asleep, and then sleeps.
func (s *SleepCycle) fallAsleep(c *behaviors.Control, state string) {
	s.checked, s.heard, s.jolted = c.Now(), false, false
	if s.state == preSleep {
		s.next = state
		return
	}
	if s.sleeps() && s.state != "" || !c.Wants(idGoToSleep) {
		s.enter(c, state)
		return
	}
	s.enter(c, preSleep)
	s.next = state
	if c.Wants(idGoToSleep) {
		c.DelegateTo(idGoToSleep, s.asleepNow)
	}
}

// asleepNow is called at the end of the animation.
func (s *SleepCycle) asleepNow(c *behaviors.Control, _ behaviors.Outcome) {
	if s.next == goingToCharger {
		s.toCharger(c)
		return
	}
	s.enter(c, s.next)
}
