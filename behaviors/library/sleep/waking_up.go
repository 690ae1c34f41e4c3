package sleep

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

// quietReasons wake it without the behavior of waking up: something else shows that it is awake.
var quietReasons = []string{reasonInterrupt, reasonJolted, reasonPickedUp, reasonSDK, reasonVoice}

// reactions of a sleeper run to their end.
var reactions = []string{idTriggerWord, idJolt, idPickedUp, idSound, idWiggle}

// sleepOn looks for a reason to wake up, and reacts to what does not wake it.
func (s *SleepCycle) sleepOn(c *behaviors.Control) {
	if slices.Contains(reactions, c.Delegate()) || s.react(c) {
		return
	}
	if r := s.reason(c); r != "" {
		s.wake(c, r)
		return
	}
	switch {
	case s.state == comatose && c.Now().Sub(s.entered) >= comatoseFor:
		s.enter(c, deepSleep)
	case s.checksNow(c):
		s.lookForPerson(c)
	}
}

// react runs the short reactions of a sleeper; true while one of them begins.
func (s *SleepCycle) react(c *behaviors.Control) bool {
	b := &c.World().Body
	switch {
	case s.state == emergencySleep:
		return false
	case c.View().TriggerWord && s.shortly(c, idTriggerWord, nil):
	case s.state == palmSleep && s.shortly(c, idJolt, s.wasJolted):
	case s.state == palmSleep && s.shortly(c, idPickedUp, nil):
	case s.state == lightSleep && s.shortly(c, idSound, s.wasHeard):
	case s.docked && !b.OnContacts && b.OnPlatform && s.shortly(c, idWiggle, nil):
	default:
		return false
	}
	return true
}

// shortly gives control to a reaction that wants it, from sleep.
func (s *SleepCycle) shortly(c *behaviors.Control, id string, then behaviors.Callback) bool {
	if !c.Wants(id) {
		return false
	}
	c.CancelDelegates()
	return c.DelegateTo(id, then)
}

func (s *SleepCycle) wasHeard(*behaviors.Control, behaviors.Outcome)  { s.heard = true }
func (s *SleepCycle) wasJolted(*behaviors.Control, behaviors.Outcome) { s.jolted = true }

// reason is why it wakes up now: one that always counts, or one of this sleep; empty for none.
func (s *SleepCycle) reason(c *behaviors.Control) string {
	for _, list := range [2][]string{s.params.Always, s.byState[s.state]} {
		for _, r := range list {
			if w := s.reasons[r]; w != nil && w.Met(c.View()) {
				return r
			}
		}
	}
	return ""
}

// checksNow reports whether it is time to look for a person.
func (s *SleepCycle) checksNow(c *behaviors.Control) bool {
	every := map[string]time.Duration{deepSleep: checkDeep, lightSleep: checkLight}[s.state]
	return every > 0 && c.Now().Sub(s.checked) >= every
}

// lookForPerson looks about quietly. It wakes up for a person, or if it has slept enough.
func (s *SleepCycle) lookForPerson(c *behaviors.Control) {
	s.checked = c.Now()
	s.enter(c, personCheck)
	if !c.Wants(idPersonCheck) || !c.DelegateTo(idPersonCheck, s.looked) {
		s.looked(c, behaviors.Outcome{})
	}
}

func (s *SleepCycle) looked(c *behaviors.Control, _ behaviors.Outcome) {
	if !s.sleepy(c) {
		s.wake(c, reasonNotSleepy)
		return
	}
	s.enter(c, s.night(c))
}

// wake ends the sleep: the intent that began it is over, and a reason that does not show by itself is shown.
func (s *SleepCycle) wake(c *behaviors.Control, reason string) {
	if s.claimed {
		s.claimed = false
		c.Intents().Release()
	}
	s.wokeAt = c.Now()
	s.enter(c, awake)
	c.SetState(awake + ": " + reason)
	if !slices.Contains(quietReasons, reason) && c.Wants(idWakeUp) {
		c.DelegateTo(idWakeUp, nil)
	}
}

// run gives control to the behavior of the state. If that does not want it, the robot waits a moment: the root of a tree never ends.
func (s *SleepCycle) run(c *behaviors.Control) {
	id := idAsleep
	switch s.state {
	case awake:
		id = s.params.Awake
	case emergencySleep:
		id = idEmergency
	}
	if c.Wants(id) && c.DelegateTo(id, nil) {
		return
	}
	c.Act(gesture.Wait(time.Second), nil)
}
