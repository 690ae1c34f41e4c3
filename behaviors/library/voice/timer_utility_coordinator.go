package voice

import (
	"strconv"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/param"
)

// Behaviors of the timer.
const (
	idTimerSet     = "SingletonTimerSet"
	idTimerAntic   = "SingletonTimerAntic"
	idTimerRinging = "SingletonTimerRinging"
	idTimerAlready = "SingletonTimerAlreadySet"
	idCannot       = "SingletonICantDoThat"
	idTimerCancel  = "SingletonCancelTimer"
	idTimerCheck   = "SingletonTimerCheckTime"
)

// WordNoAntics tells a TimerUtilityCoordinator to leave out its antics in this tick.
const WordNoAntics behaviors.Word = "no antics of the timer"

// A TimerUtilityCoordinator is all that the robot does about the timer that people set: setting, telling, canceling and ringing, and now and
// then an antic that shows that it runs. The timer itself is [condition.Alarm]; it rings again until somebody silences it.
type TimerUtilityCoordinator struct {
	params timerParams

	ringing  bool      // by this activation
	anticAt  time.Time // of the next antic; zero if there is none
	anticFor time.Time // the timer that it is of
}

type timerParams struct {
	Least   time.Duration `key:"minValidTimer_s" range:"1..86400" doc:"the shortest timer"`
	Most    time.Duration `key:"maxValidTimer_s" range:"1..86400" doc:"the longest timer"`
	Touch   time.Duration `key:"touchTimeToCancelTimer_ms" range:"0..60000" doc:"how long a touch silences a timer that rings"`
	Antics  []anticRule   `key:"anticConfig" default:"" why:"without one it has no antics" doc:"how often an antic shows that the timer runs; the first rule that fits counts"`
	Ringing string        `key:"timerRingingBehaviorID" ref:"behavior" delegate:"true" default:"SingletonTimerRinging" why:"the usual ringing" doc:"the behavior that rings"`
}

// An anticRule says how often there are antics while so much of the timer is left.
type anticRule struct {
	Pause param.Times   `key:"recurIntervalMin_s,recurIntervalMax_s" doc:"the time between two antics"`
	From  time.Duration `key:"ruleMin_s" default:"0" why:"without it the rule holds to the end" doc:"the rule needs this much left"`
	To    time.Duration `key:"ruleMax_s" default:"86400" why:"without it the rule holds from the start" doc:"the rule needs no more left than this"`
}

// TimerUtilityCoordinatorClass is the class TimerUtilityCoordinator.
func TimerUtilityCoordinatorClass() behaviors.Class {
	return behaviors.Class{
		Name: "TimerUtilityCoordinator",
		Doc:  "Sets, tells, cancels and rings the timer that people ask for.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			t := &TimerUtilityCoordinator{}
			param.ReadConfig(cfg, &t.params)
			if t.params.Most < t.params.Least {
				cfg.KeyErrorf("maxValidTimer_s", "key-conflict", "is less than minValidTimer_s")
			}
			cfg.MayDelegateTo(idTimerSet, idTimerAntic, idTimerAlready, idCannot, idTimerCancel, idTimerCheck)
			return t
		},
	}
}

// Modify lets it run in the hand.
func (*TimerUtilityCoordinator) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads = true
}

// WantsToBeActivated is true if the timer rings, somebody asks about it, or an antic is due.
func (t *TimerUtilityCoordinator) WantsToBeActivated(c *behaviors.Control) bool {
	alarm := c.View().Services.Alarm
	switch {
	case alarm.Rings(c.Now()), t.asked(c) != "":
		return true
	case !alarm.Set():
		c.Because("no timer is set")
	case t.anticAt.IsZero() || c.Now().Before(t.anticAt):
		c.Because("the timer rings in %v", alarm.RingsAt)
	case c.Told(WordNoAntics):
		c.Because("an antic of the timer is due, but somebody keeps it from it")
	default:
		return true
	}
	return false
}

// asked is the intent about the timer that is pending; empty if there is none.
func (t *TimerUtilityCoordinator) asked(c *behaviors.Control) string {
	p := c.View().Intent.Pending
	if p == nil {
		return ""
	}
	switch p.Tag {
	case "set_timer", "check_timer":
		return p.Tag
	case "global_stop", "global_delete":
		if p.Data["what_to_stop"] == "timer" {
			return p.Tag
		}
	}
	return ""
}

// Update plans the antics of a timer, and ends the ringing.
func (t *TimerUtilityCoordinator) Update(c *behaviors.Control) {
	alarm := c.View().Services.Alarm
	switch {
	case !alarm.SetAt.Equal(t.anticFor) || !alarm.Set():
		t.anticFor = alarm.SetAt
		t.plan(c, alarm)
	case t.anticAt.IsZero() && len(t.params.Antics) > 0:
		t.plan(c, alarm) // another rule may hold by now
	}
	switch {
	case !c.Activated():
	case t.asked(c) != "", !t.ringing && alarm.Rings(c.Now()): // more urgent than what runs
		c.CancelDelegates()
		t.OnActivated(c)
	case t.ringing && t.silenced(c):
		c.SetState("silenced")
		t.silence(c)
		c.CancelSelf()
	}
}

// plan draws the time of the next antic by the first rule that fits what is left.
func (t *TimerUtilityCoordinator) plan(c *behaviors.Control, alarm condition.Alarm) {
	t.anticAt = time.Time{}
	if !alarm.Set() {
		return
	}
	left := alarm.RingsAt.Sub(c.Now())
	for _, r := range t.params.Antics {
		if left >= r.From && left <= r.To {
			t.anticAt = c.Now().Add(r.Pause.Draw(c))
			return
		}
	}
}

// OnActivated does what is wanted. What somebody asks about a timer that rings comes before the ringing.
func (t *TimerUtilityCoordinator) OnActivated(c *behaviors.Control) {
	t.ringing = false
	alarm := c.View().Services.Alarm
	tag := t.asked(c)
	switch {
	case tag == "" && alarm.Rings(c.Now()):
		t.ringing = true
		t.run(c, t.params.Ringing, t.rang)
	case tag == "":
		t.plan(c, alarm)
		t.run(c, idTimerAntic, nil)
	default:
		if intent, ok := c.Intents().Claim(tag); ok {
			t.answer(c, intent, alarm)
		}
	}
}

// answer carries out an intent about the timer.
func (t *TimerUtilityCoordinator) answer(c *behaviors.Control, intent *condition.Intent, alarm condition.Alarm) {
	set := intent.Tag == "set_timer"
	switch {
	case set && alarm.Set() && !alarm.Rings(c.Now()):
		t.run(c, idTimerAlready, nil)
	case set:
		t.silence(c) // one that rings has done its work
		t.set(c, intent.Data["time_s"])
	case !alarm.Set():
		t.run(c, idCannot, nil)
	case intent.Tag == "check_timer":
		t.run(c, idTimerCheck, nil)
	default:
		c.Alarm().Clear()
		t.run(c, idTimerCancel, nil)
	}
}

// set begins a timer of a valid length.
func (t *TimerUtilityCoordinator) set(c *behaviors.Control, seconds string) {
	n, err := strconv.ParseFloat(seconds, 64)
	if d := time.Duration(n * float64(time.Second)); err == nil && n < 1e6 && d >= t.params.Least && d <= t.params.Most && c.Alarm().Set(d) {
		t.run(c, idTimerSet, nil)
		return
	}
	t.run(c, idCannot, nil)
}

// run gives control to a behavior of the timer.
func (t *TimerUtilityCoordinator) run(c *behaviors.Control, id string, then behaviors.Callback) {
	c.SetState(id)
	if c.Wants(id) {
		c.DelegateTo(id, then)
	}
}

// silenced reports whether somebody wants a timer that rings to be silent.
func (t *TimerUtilityCoordinator) silenced(c *behaviors.Control) bool {
	b := &c.World().Body
	return b.Touched && c.Now().Sub(b.TouchedSince) >= t.params.Touch || c.View().TriggerWord || c.View().Intent.Pending != nil
}

// rang is called when the ringing has ended by itself.
func (t *TimerUtilityCoordinator) rang(c *behaviors.Control, _ behaviors.Outcome) { t.silence(c) }

// silence takes the timer back.
func (t *TimerUtilityCoordinator) silence(c *behaviors.Control) {
	t.ringing = false
	if c.View().Services.Alarm.Set() {
		c.Alarm().Clear()
	}
}
