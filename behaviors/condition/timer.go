package condition

import (
	"fmt"
	"strconv"
	"time"
)

// A Timer is met while begin ≤ t < end, where t is the time since its reset (TimerInRange). Every SetActive resets it, with true or
// false. With manualResetOnly only the first SetActive does, which starts it.
type Timer struct {
	core
	begin, end time.Duration
	manual     bool
	started    bool
	start      time.Time
	since      time.Duration // its reset, at the newest evaluation
	faster     time.Duration // the time multiplier, at the newest evaluation
}

// NewTimer returns a timer. A negative end means no end.
func NewTimer(begin, end time.Duration, manualResetOnly bool) *Timer {
	until := "…"
	if end < 0 {
		end = noLimit
	} else if end != noLimit {
		until = short(end)
	}
	name := fmt.Sprintf("TimerInRange(%s..%s)", short(begin), until)
	return &Timer{core: core{name: name}, begin: begin, end: end, manual: manualResetOnly}
}

// Reset starts the count at v's now.
func (t *Timer) Reset(v *View) { t.started, t.start = true, v.Now }

// SetActive implements [Condition].
func (t *Timer) SetActive(v *View, active bool) {
	t.core.SetActive(v, active)
	if !t.manual || !t.started {
		t.Reset(v)
	}
}

// Met implements [Condition].
func (t *Timer) Met(v *View) bool {
	t.check()
	t.since, t.faster = v.Now.Sub(t.start), v.Faster()
	return t.answer(v, t.within(t.since*t.faster))
}

func (t *Timer) within(d time.Duration) bool { return t.begin <= d && (d < t.end || t.end == noLimit) }

func (t *Timer) ahead(v *View) (met, ok bool) {
	if t.closed() {
		return false, false
	}
	return t.within(v.Now.Sub(t.start) * v.Faster()), true
}

func (t *Timer) note(n *Note) { n.facts.d, n.facts.n = t.since, int32(t.faster) }

func (t *Timer) tell(f *Finding, n *Note) {
	f.Text = Elapsed(n.facts.d).String() + " since reset"
	f.Values = Values(nil).elapsed("since_reset_s", n.facts.d).seconds("begin_s", t.begin).seconds("end_s", t.end)
	if n.facts.n > 1 {
		f.Text += " (" + strconv.Itoa(int(n.facts.n)) + " times as fast)"
		f.Values = append(f.Values, Value{"multiplier", int(n.facts.n)})
	}
}

func (t *Timer) need(n *Note, want bool) string {
	faster := time.Duration(max(1, n.facts.n))
	switch since := n.facts.d * faster; {
	case want && since < t.begin:
		return wait((t.begin - since) / faster)
	case !want && t.end != noLimit:
		return wait((t.end - since) / faster)
	case want:
		return "the timer must be reset: the " + short(t.end) + " after its reset are over"
	}
	return "the timer must be reset"
}

func (r *reader) timerInRange() Condition {
	if !r.Has("begin_s") && !r.Has("end_s") {
		return r.invalid("", "needs begin_s or end_s or both")
	}
	begin, end := r.secondsOr("begin_s", 0), r.secondsOr("end_s", noLimit)
	r.ordered("end_s", end <= begin)
	return NewTimer(begin, end, r.flagOr("manualResetOnly", false))
}

// behaviorTimer is met when a named timer was never reset, or longer ago than the cool-down.
func (r *reader) behaviorTimer() Condition {
	timer, cooldown := r.name("timerName", RefTimer), r.seconds("cooldown_s")
	name := fmt.Sprintf("BehaviorTimer(%s, %s)", strconv.Quote(timer), short(cooldown))
	return newLeaf(name,
		func(v *View, f *facts) {
			at, ever := v.Timers[timer]
			if *f = (facts{a: ever, n: int32(v.Faster())}); ever {
				f.d = v.Now.Sub(at)
			}
		},
		func(f *facts) bool { return !f.a || f.d > cooldown/time.Duration(f.n) },
		func(f *facts) (string, Values) {
			limit := one("cooldown_s", cooldown.Seconds())
			if !f.a {
				return "never reset", limit
			}
			return "reset " + Elapsed(f.d).String() + " ago", append(Values(nil).elapsed("since_reset_s", f.d), limit...)
		}).needing(func(f *facts, yes bool) string {
		if yes {
			return wait(cooldown/time.Duration(f.n) - f.d)
		}
		return "the timer " + strconv.Quote(timer) + " must be reset"
	})
}

// Suggestions lists the words that a behavior may offer when it ends.
func Suggestions() []string { return suggestions() }

// suggestions is the vocabulary of post-behavior suggestions (data/1.4i).
func suggestions() []string {
	return []string{"Nothing", "PlayWithCube", "ReactToPutDownFromPalm", "Sleep", "SleepOnCharger", "SleepOnPalm", "Socialize"}
}

// suggested is met while an offer is not older than some ticks. It does not use the offer up.
func (r *reader) suggested() Condition {
	what := r.word("postBehaviorSuggestion", suggestions())
	limit := int64(r.count("maxTicksForSuggestion", 0, maxCount))
	return newLeaf("BehaviorSuggested("+what+")",
		func(v *View, f *facts) {
			at, ever := v.Suggestions[what]
			*f = facts{a: ever, d: time.Duration(v.Tick - at)}
		},
		func(f *facts) bool { return f.a && int64(f.d) <= limit },
		func(f *facts) (string, Values) {
			if !f.a {
				return "never suggested", one("max_ticks", int(limit))
			}
			return fmt.Sprintf("suggested %d ticks ago", int64(f.d)), Values{{"ticks_ago", int(f.d)}, {"max_ticks", int(limit)}}
		}).needing(func(_ *facts, yes bool) string {
		return yesNo(yes, "a behavior must suggest "+what, "the suggestion "+what+" must be taken or older than "+strconv.FormatInt(limit, 10)+" ticks")
	})
}
