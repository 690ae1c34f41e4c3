package charging

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A StayOnChargerUntilCharged keeps the robot on the contacts, under its delegate, until the battery is full. It needs
// the contacts and not the platform, so that it does not call back a robot that is driving off the platform.
type StayOnChargerUntilCharged struct {
	params stayParams
	fullAt time.Time // when the battery was last full
}

type stayParams struct {
	Delegate string `key:"delegate" delegate:"true" doc:"has control while the robot charges"`
}

// fullDrop is how long a battery that was full counts as full when the level drops, as it does when the charger lets go
// (data/2.3b).
const fullDrop = 4 * time.Second

// StayOnChargerUntilChargedClass is the class StayOnChargerUntilCharged.
func StayOnChargerUntilChargedClass() behaviors.Class {
	return behaviors.Class{
		Name: "StayOnChargerUntilCharged",
		Doc:  "Keeps the robot on the charger, under its delegate, until the battery is full.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			s := &StayOnChargerUntilCharged{}
			param.ReadConfig(cfg, &s.params)
			return s
		},
	}
}

// Modify lets it stay activated without a delegate, for the tick between two delegates. What hangs on the lift is no reason not to charge.
func (*StayOnChargerUntilCharged) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger, m.AlwaysDelegates = true, false, true, false
}

// GentlyInterruptible implements behaviors.GentlyInterruptible: the delegate decides.
func (*StayOnChargerUntilCharged) GentlyInterruptible() {}

// WantsToBeActivated is true on the contacts with a battery that is not full.
func (s *StayOnChargerUntilCharged) WantsToBeActivated(c *behaviors.Control) bool {
	switch {
	case !c.World().Body.OnContacts:
		c.Because("it is not on the contacts of the charger")
	case s.charged(c):
		c.Because("the battery is charged")
	default:
		return true
	}
	return false
}

// OnActivated gives control to the delegate.
func (s *StayOnChargerUntilCharged) OnActivated(c *behaviors.Control) { s.delegate(c) }

// Update ends it when the battery is full or the contacts are gone, and gives control to the delegate again when that has
// ended.
func (s *StayOnChargerUntilCharged) Update(c *behaviors.Control) {
	full := s.charged(c)
	switch {
	case !c.Activated():
	case full:
		c.SetState("charged")
		c.CancelSelf()
	case !c.World().Body.OnContacts:
		c.SetState("no contact")
		c.CancelSelf()
	case !c.IsControlDelegated():
		s.delegate(c)
	}
}

// delegate gives control to the delegate, or waits a moment if the delegate does not want it.
func (s *StayOnChargerUntilCharged) delegate(c *behaviors.Control) {
	c.SetState("charging")
	if !c.CancelAndDelegateIfWanted(s.params.Delegate, nil) {
		c.Act(gesture.Wait(time.Second), nil)
	}
}

// charged reports whether the battery is full, or was a moment ago.
func (s *StayOnChargerUntilCharged) charged(c *behaviors.Control) bool {
	if c.World().Body.Battery == hardware.BatteryFull {
		s.fullAt = c.Now()
	}
	return !s.fullAt.IsZero() && c.Now().Sub(s.fullAt) < fullDrop
}
