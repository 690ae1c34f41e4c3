package condition_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
)

// timerSteps are offsets from the newest SetActive, and the answers there.
var timerSteps = []struct {
	restart, offset float64
	want            bool
}{
	{0, 0, false},
	{0, 2, false},
	{0, 29.9, false},
	{0, 30.01, true},
	{0, 34, true},
	{0, 35.01, false},
	{0, 900, false},
	{950, 0, false},
	{950, 1, false},
	{950, 29, false},
	{950, 30.01, true},
	{950, 34.7, true},
	{950, 40, false},
	{950, 80, false},
}

const timer30to35 = `{"conditionType": "TimerInRange", "begin_s": 30, "end_s": 35}`

// Rules: T-17, 6.5/Timer, DT-C05, data/3.1e, data/3.4a.
func TestTimerInRangeRestartsWithEverySetActive(t *testing.T) {
	playTimer(t, timer30to35, true)
}

// Rules: 6.5/NegateTimerInRange, data/3.4b.
func TestNegatedTimerMirrorsIt(t *testing.T) {
	playTimer(t, `{"conditionType": "Compound", "not": `+timer30to35+`}`, false)
}

func playTimer(t *testing.T, src string, straight bool) {
	t.Helper()
	r := newRig(t)
	c := r.parse(src)
	for _, s := range timerSteps {
		r.at(seconds(s.restart))
		if s.restart > 0 && s.offset == 0 {
			c.SetActive(r.view, true) // although it is active
		}
		r.wantAt(c, seconds(s.restart)+seconds(s.offset), s.want == straight)
	}
}

// Rules: data/3.3d.
func TestTimerIncludesItsBeginAndExcludesItsEnd(t *testing.T) {
	r := newRig(t)
	c := r.parse(timer30to35)
	r.wantAt(c, seconds(30)-1, false)
	r.wantAt(c, seconds(30), true)
	r.wantAt(c, seconds(35)-1, true)
	r.wantAt(c, seconds(35), false)
}

// Rules: data/3.3d.
func TestTimerWithOneBound(t *testing.T) {
	r := newRig(t)
	until, from := r.parse(`{"conditionType": "TimerInRange", "end_s": 5}`), r.parse(`{"conditionType": "TimerInRange", "begin_s": 5}`)
	for _, s := range []float64{0, 4.9, 5, 1e6} {
		r.at(seconds(s))
		r.want(until, s < 5)
		r.want(from, s >= 5)
	}
}

// Rules: data/3.3d.
func TestTimerDoesNotCountAcrossAPause(t *testing.T) {
	r := newRig(t)
	c := r.active(condition.NewTimer(seconds(2), -1, false))
	r.at(seconds(1.5))
	c.SetActive(r.view, false)
	r.at(seconds(3))
	c.SetActive(r.view, true)
	r.want(c, false)
	r.wantAt(c, seconds(5), true)
}

// Rules: data/3.3d.
func TestTimerResetByHandIgnoresSetActive(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "TimerInRange", "begin_s": 2, "manualResetOnly": true}`)
	r.wantAt(c, seconds(1.5), false)
	c.SetActive(r.view, false)
	c.SetActive(r.view, true)
	r.wantAt(c, seconds(2)-1, false)
	r.wantAt(c, seconds(2), true) // it runs since it was first activated
	c.(*condition.Timer).Reset(r.view)
	r.want(c, false)
	r.wantAt(c, seconds(4), true)
}

// Rules: DT-C16, data/3.3e.
func TestBehaviorTimerIsMetStrictlyAfterTheCooldown(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "BehaviorTimer", "timerName": "FistBump", "cooldown_s": 15}`)
	r.want(c, true)
	r.wantAt(c, seconds(2), true) // never reset
	r.view.Timers["FistBump"] = r.view.Now
	r.view.Timers["Socializing"] = r.when(seconds(-100))
	r.want(c, false)
	r.wantAt(c, seconds(16.9999), false)
	r.wantAt(c, seconds(17), false) // exactly the cool-down is not enough
	r.wantAt(c, seconds(17.0001), true)
	r.wantAt(c, seconds(18.0001), true)
	r.view.Timers["FistBump"] = r.view.Now
	r.want(c, false)
	r.wantAt(c, seconds(18.0001+14.9999), false)
	r.wantAt(c, seconds(18.0001+15.0001), true)
}

// Rules: data/3.3i.
func TestBehaviorSuggestedForSomeTicks(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "BehaviorSuggested", "postBehaviorSuggestion": "Sleep", "maxTicksForSuggestion": 2}`)
	r.want(c, false)
	r.view.Suggestions["Socialize"] = r.view.Tick
	r.want(c, false)
	r.view.Suggestions["Sleep"] = r.view.Tick
	for age := 0; age <= 3; age++ {
		r.want(c, age <= 2, age <= 2) // asking does not take the offer
		r.at(time.Duration(age+1) * 60 * time.Millisecond)
	}
}

// A developer's time multiplier makes a timer count faster and a cooldown end earlier.
// Rules: data/5.6b, data/3.3d, data/3.3e.
func TestTimeMultiplierMakesTimersFasterAndCooldownsShorter(t *testing.T) {
	r := newRig(t)
	r.view.TimeMultiplier = 10
	timer := r.parse(`{"conditionType": "TimerInRange", "begin_s": 30, "end_s": 35}`)
	cooled := r.parse(`{"conditionType": "BehaviorTimer", "timerName": "FistBump", "cooldown_s": 15}`)
	r.view.Timers["FistBump"] = r.when(0)
	for _, s := range []struct {
		at            float64
		timer, cooled bool
	}{{1.5, false, false}, {1.501, false, true}, {2.999, false, true}, {3, true, true}, {3.499, true, true}, {3.5, false, true}} {
		r.wantAt(timer, seconds(s.at), s.timer)
		r.want(cooled, s.cooled)
	}
	timer.SetActive(r.view, true)
	r.wantAt(timer, seconds(4.5), false)
	if got := condition.Needs(condition.Notes(nil, timer), nil); len(got) != 1 || got[0] != "wait 2s" {
		t.Errorf("needs %q", got)
	}
	if got := condition.Found(timer).Text; got != "1s since reset (10 times as fast)" {
		t.Errorf("said %q", got)
	}
	r.view.TimeMultiplier = 0
	r.wantAt(timer, seconds(34), true)
}
