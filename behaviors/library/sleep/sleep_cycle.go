// Package sleep holds the root of a tree whose robot is awake by day and asleep by night, or when nothing happens.
package sleep

import (
	"maps"
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// Behaviors of sleep.
const (
	idAsleep       = "Asleep"
	idGoToSleep    = "GoToSleep"
	idWakeUp       = "SleepingWakeUp"
	idSound        = "ReactToSoundAsleep"
	idTriggerWord  = "SleepingTriggerWord"
	idWiggle       = "WiggleBackOntoChargerFromPlatform"
	idEmergency    = "EmergencyModeAnimDispatcher"
	idPersonCheck  = "SleepingPersonCheck"
	idJolt         = "ReactToJoltInPalm"
	idPickedUp     = "ReactToPickupFromPalm"
	intentSleep    = "system_sleep"
	intentNight    = "greeting_goodnight"
	labelEmergency = "emergency"
)

// Reasons to wake up that need no condition, and those of code.
const (
	reasonPerson    = "SawPerson"
	reasonNotSleepy = "NotSleepy"
	reasonInterrupt = "Interrupted"
	reasonTimer     = "TimerShouldRing"
	reasonVoice     = "VoiceCommand"
	reasonSound     = "Sound"
	reasonJolted    = "Jolted"
	reasonPickedUp  = "PickedUpFromPalm"
	reasonSDK       = "SDK"
)

// A SleepCycle is awake, with one behavior, or asleep. It falls asleep when somebody says so, when a behavior suggests it, or when it is
// sleepy and nothing goes on; it wakes up for reasons that conditions give, by the depth of its sleep. A robot whose emergency condition is
// met sleeps until that is over.
type SleepCycle struct {
	params  sleepParams
	reasons map[string]condition.Condition
	byState map[string][]string // reasons, by state

	state   string
	next    string    // the state after PreSleepAnimation
	entered time.Time // the present state
	wokeAt  time.Time // zero: never
	checked time.Time // the last look for a person
	docked  bool      // it was on the contacts
	heard   bool      // the reaction to a sound ran
	jolted  bool      // the reaction to a jolt ran
	claimed bool      // the intent that put it to sleep
	stalled time.Time // since when the battery does not charge; zero if it does
}

type sleepParams struct {
	Awake     string              `key:"delegateID" delegate:"true" doc:"what it does awake"`
	Charger   string              `key:"goToChargerBehavior" delegate:"true" doc:"brings it to the charger before it sleeps"`
	Emergency condition.Condition `key:"emergencyCondition" doc:"it sleeps while this is met, whatever happens"`
	Reasons   []wakeReason        `key:"wakeReasonConditions" doc:"conditions that wake it, by name"`
	Always    []string            `key:"alwaysWakeReasons" doc:"reasons that wake it from any sleep"`
	States    []wakeFrom          `key:"wakeFromStates" doc:"reasons that wake it from one kind of sleep"`
}

type wakeReason struct {
	Reason    string              `key:"reason" doc:"the name"`
	Condition condition.Condition `key:"condition" doc:"when it is a reason"`
}

type wakeFrom struct {
	State   string   `key:"fromState" words:"Comatose|EmergencySleep|HeldInPalmSleep|DeepSleep|LightSleep" doc:"the kind of sleep"`
	Reasons []string `key:"reasons" doc:"what wakes it then"`
}

// SleepCycleClass is the class SleepCycle.
func SleepCycleClass() behaviors.Class {
	return behaviors.Class{
		Name: "SleepCycle",
		Doc:  "Is awake or asleep, and decides when.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			s := &SleepCycle{byState: map[string][]string{}}
			param.ReadConfig(cfg, &s.params)
			cfg.MayDelegateTo(idAsleep, idGoToSleep, idWakeUp, idSound, idTriggerWord, idWiggle, idEmergency, idPersonCheck, idJolt, idPickedUp)
			s.reasons = s.inCode()
			for _, r := range s.params.Reasons {
				s.reasons[r.Reason] = r.Condition
			}
			s.check(cfg.Object, "alwaysWakeReasons", s.params.Always)
			for _, w := range s.params.States {
				s.check(cfg.Object, "wakeFromStates", w.Reasons)
				s.byState[w.State] = append(s.byState[w.State], w.Reasons...)
			}
			return s
		},
	}
}

// check reports reasons without a condition, and drops conditions that are missing because of another mistake.
func (s *SleepCycle) check(o *resources.Object, key string, reasons []string) {
	free := []string{reasonPerson, reasonNotSleepy, reasonInterrupt}
	for _, r := range reasons {
		if _, ok := s.reasons[r]; !ok && !slices.Contains(free, r) {
			known := slices.Sorted(maps.Keys(s.reasons))
			at := o.ValuePos(key)
			o.Report(resources.Diagnostic{
				Line: at.Line, Col: at.Col, Severity: resources.Error, Code: "reason-unknown",
				Message: key + ": there is no condition for the reason \"" + r + "\"", Hint: resources.DidYouMean(r, known),
			})
		}
	}
	for _, r := range slices.Sorted(maps.Keys(s.reasons)) {
		if s.reasons[r] == nil {
			delete(s.reasons, r)
		}
	}
}

// inCode are the reasons that need no file. Nobody but a program drives this robot by an interface of its own, so SDK is never one.
func (s *SleepCycle) inCode() map[string]condition.Condition {
	all := map[string]condition.Condition{}
	for name, test := range map[string]func(v *condition.View) bool{
		reasonSDK:   func(*condition.View) bool { return false },
		reasonTimer: func(v *condition.View) bool { return v.Services.Alarm.Rings(v.Now) },
		reasonVoice: func(v *condition.View) bool {
			p := v.Intent.Pending
			return p != nil && p.Tag != "unmatched_intent" && p.Tag != "silence"
		},
		reasonSound:  func(*condition.View) bool { return s.heard },
		reasonJolted: func(*condition.View) bool { return s.jolted },
		reasonPickedUp: func(v *condition.View) bool {
			b := &v.World.Body
			return s.state == palmSleep && !b.InPalm && b.Treads != hardware.OnTreads
		},
	} {
		all[name] = condition.Func(name, test)
	}
	return all
}

// Modify lets it run anywhere. It looks for people while it checks for them.
func (*SleepCycle) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, true, true
}

// OnActivated begins awake.
func (s *SleepCycle) OnActivated(c *behaviors.Control) {
	s.state, s.claimed, s.heard, s.jolted = "", false, false, false
	c.Vision().SetConditionActive(labelEmergency, s.params.Emergency, true)
	s.watch(c, s.params.Always, true)
	s.wokeAt = time.Time{}
	s.entered = c.Now()
	s.enter(c, awake)
	s.run(c)
}

// OnDeactivated lets the conditions rest.
func (s *SleepCycle) OnDeactivated(c *behaviors.Control) {
	c.Vision().SetConditionActive(labelEmergency, s.params.Emergency, false)
	s.watch(c, s.ofState(), false)
	s.watch(c, s.params.Always, false)
}

// ofState are the reasons of the present state alone.
func (s *SleepCycle) ofState() []string {
	return slices.DeleteFunc(slices.Clone(s.byState[s.state]), func(r string) bool { return slices.Contains(s.params.Always, r) })
}

// watch sets the conditions of reasons active or inactive.
func (s *SleepCycle) watch(c *behaviors.Control, reasons []string, on bool) {
	for _, r := range reasons {
		if w := s.reasons[r]; w != nil {
			c.Vision().SetConditionActive(r, w, on)
		}
	}
}
