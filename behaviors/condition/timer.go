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
	return t.answer(v, t.peek(v))
}

func (t *Timer) peek(v *View) bool {
	d := v.Now.Sub(t.start)
	return t.begin <= d && (d < t.end || t.end == noLimit)
}

func (t *Timer) why(v *View) string { return short(v.Now.Sub(t.start)) + " since reset" }

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
		func(v *View) bool {
			at, ever := v.Timers[timer]
			return !ever || v.Now.Sub(at) > cooldown
		},
		func(v *View) string {
			at, ever := v.Timers[timer]
			if !ever {
				return "never reset"
			}
			return "reset " + short(v.Now.Sub(at)) + " ago"
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
	limit := uint64(r.count("maxTicksForSuggestion", 0, maxCount))
	return newLeaf("BehaviorSuggested("+what+")",
		func(v *View) bool {
			at, ever := v.Suggestions[what]
			return ever && at+limit >= v.Tick
		},
		func(v *View) string {
			at, ever := v.Suggestions[what]
			if !ever {
				return "never suggested"
			}
			return fmt.Sprintf("suggested %d ticks ago", int64(v.Tick-at))
		})
}
