package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// told is a list of answers, one in a line, with gates and needs.
func told(as *behaviors.Answers) string {
	var b strings.Builder
	for i := range as.List {
		a := &as.List[i]
		fmt.Fprintf(&b, "%s asks %s: %v, %s\n", a.By, a.ID, a.Yes, a.Text(nil))
		for _, g := range a.Gates(nil) {
			sign := map[bool]string{true: "yes", false: "no"}[g.Met]
			if !g.Reached {
				sign = "-"
			}
			fmt.Fprintf(&b, "  %s %s: %s\n", g.Name, sign, g.Text)
		}
		for _, n := range a.Needs(nil) {
			fmt.Fprintf(&b, "  needs %s\n", n)
		}
	}
	return b.String()
}

const askedTree = `R+ > A B C
A+ | "wantsToBeActivatedCondition": {"conditionType": "Compound", "and": [{"conditionType": "OnCharger"}, {"not": {"conditionType": "TimerInRange", "end_s": 5}}]}
B+ | "wantsToBeActivatedCondition": {"conditionType": "TrueCondition"}
C+`

// askedRig asks A, B and C in each tick.
func askedRig(t *testing.T) *rig {
	r := newRig(t, askedTree, func(r *rig) {
		list := behaviors.NewCandidates("A", "B", "C")
		r.of("R").update = func(c *behaviors.Control) { c.FirstWanting(list) }
		r.of("B").wants = func(c *behaviors.Control) bool {
			c.Because("%v was greeted %v ago, again in %v", "Ada", epoch, epoch.Add(80*time.Second))
			return false
		}
	})
	r.steps(2)
	r.eng.TakeAnswers(nil)
	return r
}

const wantAsked = `R asks A: false, and(OnCharger, not(TimerInRange(0s..5s)))=false: OnCharger: charger reading is absent; not(TimerInRange(0s..5s)): 120ms since reset
  activated yes: not activated yet
  suppressed yes: nobody suppresses it
  treads yes: on its treads
  carrying yes: carries nothing
  and(OnCharger, not(TimerInRange(0s..5s))) no: OnCharger: charger reading is absent; not(TimerInRange(0s..5s)): 120ms since reset
  class -: not asked: an earlier gate said no
  needs the sensor of the charger contacts must work (the reading is absent)
  needs wait 4.88s
R asks B: false, Ada was greeted 0.2 s ago, again in 80 s
  activated yes: not activated yet
  suppressed yes: nobody suppresses it
  treads yes: on its treads
  carrying yes: carries nothing
  TrueCondition yes: always
  class no: Ada was greeted 0.2 s ago, again in 80 s
  needs wait 80 s
R asks C: true, Script.WantsToBeActivated returned true
  activated yes: not activated yet
  suppressed yes: nobody suppresses it
  treads yes: on its treads
  carrying yes: carries nothing
  class yes: Script.WantsToBeActivated returned true
`

// What was asked in a tick is told in order, with every gate, and stays as it was while later ticks ask again.
// Rules: Q-14.
func TestAnswersOfTickStayAsTheyWere(t *testing.T) {
	r := askedRig(t)
	r.step()
	as := r.eng.TakeAnswers(nil)
	if as.Tick != r.tick || !as.At.Equal(epoch.Add(3*period)) {
		t.Errorf("answers of tick %d at %v", as.Tick, as.At)
	}
	r.edit = func(s *hardware.Snapshot) { s.Charger = hardware.Reading[hardware.ChargerState]{Quality: hardware.OK} }
	r.steps(200)
	if got := told(as); got != wantAsked {
		t.Errorf("got\n%s\nwant\n%s", got, wantAsked)
	}
}

// Answers that only time changed are the same; another gate, and another fact, are not.
// Rules: Q-14.
func TestAnswersDifferByFactsAndNotByTime(t *testing.T) {
	r := askedRig(t)
	r.step()
	before := r.eng.TakeAnswers(nil)
	r.step()
	after := r.eng.TakeAnswers(nil)
	for i := range before.List {
		if !after.List[i].Same(&before.List[i]) {
			t.Errorf("%s: the passing of time makes another answer:\n%s%s", before.List[i].ID, told(before), told(after))
		}
	}
	r.edit = func(s *hardware.Snapshot) { s.Charger = hardware.Reading[hardware.ChargerState]{Quality: hardware.OK} }
	r.step()
	moved := r.eng.TakeAnswers(nil)
	if moved.List[0].Same(&after.List[0]) || !moved.List[0].SameGate(&after.List[0]) || !moved.List[1].Same(&after.List[1]) {
		t.Errorf("a sensor that came back:\n%s%s", told(after), told(moved))
	}
	r.steps(90)
	done := r.eng.TakeAnswers(nil)
	if done.List[0].Same(&moved.List[0]) {
		t.Error("a timer that ended makes no difference")
	}
}

// A behavior whose code fails, and one that may not be asked, are listed with that.
// Rules: Q-14.
func TestQuestionsWithoutAnswerAreListedWithTheirReason(t *testing.T) {
	r := askedRig(t)
	r.of("B").wants = func(*behaviors.Control) bool { panic("boom") }
	for range 5 {
		r.step()
	}
	r.eng.TakeAnswers(nil)
	r.step()
	got := told(r.eng.TakeAnswers(nil))
	if !strings.Contains(got, "R asks B: false, disabled: failed too often") || !strings.Contains(got, "it failed too often") {
		t.Errorf("got\n%s", got)
	}
}

// Nobody notes answers unless asked to; with the memory of an earlier tick a tick notes them without an allocation.
// Rules: Q-14.
func TestNotingAnswersAllocatesNothing(t *testing.T) {
	r := askedRig(t)
	in := func() { r.step() }
	old := r.eng.TakeAnswers(nil)
	for range 10 {
		in()
		old = r.eng.TakeAnswers(old)
	}
	with := testing.AllocsPerRun(200, func() { in(); old = r.eng.TakeAnswers(old) })
	r.eng.StopAnswers()
	without := testing.AllocsPerRun(200, in)
	if with != without {
		t.Errorf("%v allocations in a tick with answers, %v without", with, without)
	}
}

// Whom a dispatcher leaves out of its list is listed too, with the end of that if the dispatcher says it.
// Rules.
func TestBehaviorThatIsLeftOutIsListed(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		list := behaviors.NewCandidates("A", "B")
		list.Skip[0], list.Skip[1], list.Until = true, true, []time.Time{epoch.Add(12 * time.Second), {}}
		r.of("R").update = func(c *behaviors.Control) { c.FirstWanting(list) }
	})
	r.steps(2)
	r.eng.TakeAnswers(nil)
	r.step()
	const want = "R asks A: false, left out by R, again in 12 s\n  needs wait 12 s\nR asks B: false, left out by R\n  needs R must ask it: it leaves it out\n"
	if got := told(r.eng.TakeAnswers(nil)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
