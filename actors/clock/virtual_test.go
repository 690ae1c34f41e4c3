package clock

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// A journal is a virtual timeline and what its executors did when.
type journal struct {
	*Virtual
	lines []string
	last  int // how many lines halt a run; 0 for none
}

func newJournal(t *testing.T) *journal {
	j := &journal{Virtual: NewVirtual(begin)}
	t.Cleanup(j.Close)
	return j
}

func (j *journal) note(what string) {
	if j.lines = append(j.lines, fmt.Sprint(j.Now().Sub(begin), " ", what)); len(j.lines) == j.last {
		j.Halt()
	}
}

// at sets a timer that notes what.
func (j *journal) at(e Executor, t time.Time, what string) Timer {
	timer := e.Timer(func() { j.note(what) })
	timer.Set(t.Sub(j.Now()))
	return timer
}

func (j *journal) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(j.lines, want) {
		t.Errorf("the executors did\n%q, want\n%q", j.lines, want)
	}
}

func TestVirtualRunsWorkOfOneInstantByRankNameAndOrder(t *testing.T) {
	j := newJournal(t)
	last, second, first := j.Open("a", 2), j.Open("b", 1), j.Open("a2", 1)
	at := begin.Add(time.Second)
	j.at(last, at, "rank 2")
	j.at(second, at, "b")
	j.at(first, at, "a, first")
	j.at(first, at, "a, second")
	j.at(first, begin.Add(-time.Hour), "in the past")
	second.Post(func() { j.note("posted") })
	j.at(second, at, "stopped").Stop()
	j.Run(begin.Add(time.Minute), nil)
	j.want(t, "0s in the past", "0s posted", "1s a, first", "1s a, second", "1s b", "1s rank 2")
	if now := j.Now().Sub(begin); now != time.Minute {
		t.Errorf("the run ends at %v, want 1m", now)
	}
}

func TestVirtualSleepLetsOtherExecutorsRun(t *testing.T) {
	j := newJournal(t)
	sleeper, other, early := j.Open("sleeper", 1), j.Open("other", 2), j.Open("early", 0)
	sleeper.Post(func() {
		j.note("asleep")
		sleeper.Sleep(0) // returns at once
		sleeper.Sleep(10 * time.Millisecond)
		early.Post(func() { j.note("early") })
		sleeper.Post(func() { j.note("posted by its own work") }) // in the same turn
		j.note("awake")
	})
	other.Timer(func() {
		j.note("other")
		sleeper.Post(func() { j.note("posted while it slept") })
	}).Set(5 * time.Millisecond)
	j.Run(begin.Add(time.Second), nil)
	j.want(t, "0s asleep", "5ms other", "10ms awake", "10ms posted by its own work", "10ms early", "10ms posted while it slept")
}

func TestVirtualRunStopsBetweenTwoPiecesOfWork(t *testing.T) {
	j := newJournal(t)
	e := j.Open("e", 1)
	for i := range 3 {
		j.at(e, begin.Add(time.Duration(i)*time.Second), "work")
	}
	j.Run(begin.Add(time.Minute), func() bool { return len(j.lines) == 1 })
	j.want(t, "0s work")
	j.last = 2
	j.Run(begin.Add(time.Minute), nil)
	j.want(t, "0s work", "1s work")
	e.Close()
	j.Run(begin.Add(time.Minute), nil)
	j.want(t, "0s work", "1s work")
}

// A participant that sleeps alone goes on without a turn of another one; what others have due before or at the same instant
// keeps its place.
func TestVirtualSleepPassesNothingThatIsDue(t *testing.T) {
	const ms = time.Millisecond
	j := newJournal(t)
	sleeper, before, behind := j.Open("m", 1), j.Open("a", 1), j.Open("z", 1)
	sleeper.Post(func() {
		for range 5 {
			sleeper.Sleep(10 * ms)
			j.note("m")
		}
	})
	j.at(sleeper, begin.Add(20*ms), "m's own")
	j.at(before, begin.Add(30*ms), "a")
	j.at(behind, begin.Add(40*ms), "z")
	j.Run(begin.Add(45*ms), nil)
	j.note("between two runs")
	j.Run(begin.Add(time.Second), nil)
	j.want(t, "10ms m", "20ms m", "30ms a", "30ms m", "40ms m", "40ms z", "45ms between two runs", "50ms m", "50ms m's own")
}

func TestVirtualRunStopsInTheMiddleOfASleep(t *testing.T) {
	j := newJournal(t)
	e := j.Open("e", 1)
	e.Post(func() {
		for range 3 {
			j.note("work")
			e.Sleep(time.Second)
		}
	})
	j.Run(begin.Add(time.Minute), func() bool { return len(j.lines) == 1 })
	j.want(t, "0s work")
	j.last = 2
	j.Run(begin.Add(time.Minute), nil)
	j.want(t, "0s work", "1s work")
	j.Run(begin.Add(time.Minute), nil)
	j.want(t, "0s work", "1s work", "2s work")
}

func TestVirtualTimerRunsOnceForEachTimeItIsSet(t *testing.T) {
	j := newJournal(t)
	e := j.Open("e", 1)
	timer := j.at(e, begin.Add(time.Second), "timer")
	j.at(e, begin.Add(2*time.Second), "other")
	timer.Set(3 * time.Second) // instead
	j.Run(begin.Add(4*time.Second), nil)
	timer.Set(time.Second)
	j.Run(begin.Add(time.Minute), nil)
	timer.Stop()
	j.want(t, "2s other", "3s timer", "5s timer")
}

// Executors that are opened while others have work due take their place in the order, and change no other.
func TestVirtualExecutorOpenedLaterTakesItsPlace(t *testing.T) {
	j := newJournal(t)
	at := begin.Add(time.Second)
	j.at(j.Open("d", 1), at, "d")
	j.at(j.Open("b", 1), at, "b")
	j.at(j.Open("e", 0), at, "rank 0")
	j.at(j.Open("b", 1), at, "b again") // the place of an equal one is the same: the order of posting decides
	j.at(j.Open("a", 1), at, "a")
	j.at(j.Open("c", 1), at, "c")
	j.Run(begin.Add(time.Minute), nil)
	j.want(t, "1s rank 0", "1s a", "1s b", "1s b again", "1s c", "1s d")
}

// Timers that are set in any order run in the order of their instants, whatever is stopped in between.
func TestVirtualTimersRunInOrderOfTheirInstants(t *testing.T) {
	const n = 200
	j := newJournal(t)
	e := j.Open("e", 1)
	var timers [n]Timer // by instant
	for i := range n {
		second := i * 77 % n
		timers[second] = j.at(e, begin.Add(time.Duration(second)*time.Second), "work")
	}
	var want []string
	for i := range n {
		if second := i * 33 % n; second%3 == 0 {
			timers[second].Stop()
		}
		if i%3 != 0 {
			want = append(want, fmt.Sprint(time.Duration(i)*time.Second, " work"))
		}
	}
	j.Run(begin.Add(time.Hour), nil)
	j.want(t, want...)
}

// What breaks the work of an executor goes on in the goroutine of Run, and names the executor.
func TestVirtualWorkThatBreaksItsExecutorIsNamed(t *testing.T) {
	for text, work := range map[string]func(){
		`executor "motors" panics: boom`:                                func() { panic("boom") },
		`executor "motors" ended its goroutine (runtime.Goexit)`:        runtime.Goexit,
		`actors/clock.TestVirtualWorkThatBreaksItsExecutorIsNamed.func`: func() { panic("the text has the stack of the work") },
	} {
		v := NewVirtual(begin)
		e := v.Open("motors", 1)
		e.Post(func() { e.Sleep(time.Second); work() })
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, text) {
					t.Errorf("the run says %q, want %q", got, text)
				}
			}()
			v.Run(begin.Add(time.Minute), nil)
		}()
		v.Close()
	}
}

// The coroutine of work that was woken conducts when the work has ended: what breaks there is told once, of the executor that it belongs to.
func TestVirtualWorkThatBreaksAfterAnotherWokeIsNamedOnce(t *testing.T) {
	for text, work := range map[string]func(){
		`executor "c" panics: boom`:                         func() { panic("boom") },
		`executor "c" ended its goroutine (runtime.Goexit)`: runtime.Goexit,
	} {
		v := NewVirtual(begin)
		a, b, c := v.Open("a", 1), v.Open("b", 1), v.Open("c", 1)
		for _, e := range []Executor{a, b} {
			e.Post(func() { e.Sleep(time.Second) })
		}
		c.Timer(work).Set(time.Second)
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, text) || strings.Count(got, "work of executor") != 1 {
					t.Errorf("the run says %q, want %q once", got, text)
				}
			}()
			v.Run(begin.Add(time.Minute), nil)
		}()
		v.Close()
	}
}

// Everybody sleeps and wakes in turn, and ends in any order, over many runs: there are never more coroutines than work that slept at once and
// one that conducts. A run that was told to stop does not ask again, however many of them wait for one another.
func TestVirtualCoroutinesAreUsedAgain(t *testing.T) {
	const n = 5
	j := newJournal(t)
	sleeping, most := 0, 0
	for i := range n {
		e := j.Open(fmt.Sprint(i), 1)
		var again Timer
		again = e.Timer(func() {
			sleeping++
			most = max(most, sleeping)
			for k := range i + 1 {
				e.Sleep(time.Duration(1+(i+k)%3) * time.Millisecond)
			}
			sleeping--
			again.Set(time.Duration(i%2) * time.Millisecond)
		})
		again.Set(0)
	}
	for run := range 200 {
		asked := 0
		j.Run(j.Now().Add(time.Hour), func() bool {
			if asked > run%40 {
				t.Fatal("asked again after it said so")
			}
			asked++
			return asked > run%40
		})
	}
	if k := len(j.spare) + sleeping; most != n || k > n+1 {
		t.Errorf("%d coroutines for %d sleeps at once, want %d for %d", k, most, n+1, n)
	}
}

// Work that sleeps when its executor is closed is unwound with what it has deferred. TestMain sees a goroutine that stays.
func TestVirtualCloseUnwindsWorkThatSleeps(t *testing.T) {
	v := NewVirtual(begin)
	e, other := v.Open("e", 1), v.Open("other", 2)
	var ends []string
	e.Post(func() {
		defer func() { ends = append(ends, fmt.Sprint("unwound ", recover())) }()
		defer e.Sleep(time.Hour)
		e.Sleep(time.Hour)
		t.Error("the sleep returned")
	})
	other.Post(func() { other.Close() }) // its own work may close an executor
	v.Run(begin.Add(time.Second), nil)
	v.Close()
	v.Close()
	v.Run(begin.Add(24*time.Hour), nil)
	if !slices.Equal(ends, []string{"unwound <nil>"}) {
		t.Errorf("%q", ends)
	}
}

// Time goes on, timers are set and work is posted without allocation.
func TestVirtualTurnsAllocateNothing(t *testing.T) {
	j := newJournal(t)
	a, b := j.Open("a", 1), j.Open("b", 1)
	var timer Timer
	nop := func() {}
	timer = a.Timer(func() {
		b.Post(nop)
		a.Post(nop)
		a.Sleep(time.Millisecond)
		b.Post(nop)
		a.Sleep(time.Millisecond)
		timer.Set(time.Millisecond)
	})
	timer.Set(0)
	if n := testing.AllocsPerRun(100, func() { j.Run(j.Now().Add(10*time.Millisecond), nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Who closes an executor sees the same instant before and after, even if what the unwound work has deferred sleeps.
func TestSleepOfUnwoundWorkMovesNoTime(t *testing.T) {
	v := NewVirtual(begin)
	defer v.Close()
	a, b := v.Open("a", 0), v.Open("b", 0)
	cleaned := false
	a.Post(func() {
		defer func() { cleaned = true }()
		defer a.Sleep(time.Second)
		a.Sleep(time.Hour)
	})
	b.Post(func() {
		b.Sleep(time.Minute)
		before := b.Now()
		a.Close()
		if !cleaned || b.Now() != before {
			t.Errorf("cleaned up: %v; the close took %v", cleaned, b.Now().Sub(before))
		}
	})
	v.Run(begin.Add(2*time.Minute), nil)
}

// Work that closes its own executor is not cut off: it goes on after a sleep, and only what comes later is dropped. TestMain sees a
// goroutine that stays.
func TestVirtualWorkThatClosesItsExecutorGoesOnAfterASleep(t *testing.T) {
	for _, slept := range []bool{false, true} {
		v := NewVirtual(begin)
		e := v.Open("e", 1)
		ran := ""
		if slept { // once, before it closes its executor
			e.Post(func() { e.Sleep(time.Second) })
		}
		e.Post(func() {
			e.Close()
			e.Sleep(time.Second)
			ran += "awake"
		})
		e.Timer(func() { ran += ", later" }).Set(time.Minute)
		v.Run(begin.Add(time.Hour), nil)
		if ran != "awake" {
			t.Errorf("slept before: %v: ran %q", slept, ran)
		}
		v.Close()
	}
}

// Who closes itself and sleeps beyond the last run is unwound at the end like any other.
func TestVirtualCloseUnwindsWorkThatClosedItsExecutor(t *testing.T) {
	v := NewVirtual(begin)
	e := v.Open("e", 1)
	cleaned := false
	e.Post(func() {
		defer func() { cleaned = true }()
		e.Close()
		e.Sleep(time.Hour)
		t.Error("the sleep returned")
	})
	v.Run(begin.Add(time.Second), nil)
	v.Close()
	if !cleaned {
		t.Error("nothing that the work deferred ran")
	}
}

// Much work that takes little time hands the turn back seldom, and is never far ahead of the others.
func TestVirtualSpentTimePassesForItsExecutor(t *testing.T) {
	j := newJournal(t)
	e, other := j.Open("e", 1), j.Open("other", 2)
	at := func(d time.Duration) time.Time { return begin.Add(d) }
	j.at(other, at(ms), "other at 1 ms")
	j.at(other, at(3*ms), "other at 3 ms")
	e.Timer(func() {
		spend := e.(hardware.Spender).Spend
		for range 3 {
			spend(ms / 2)
			j.note("spends until " + e.Now().Sub(begin).String())
		}
		spend(ms)
		j.note("too far ahead: waits until " + e.Now().Sub(begin).String())
		spend(ms)
		e.Sleep(ms)
		j.note("sleeps after what it spent until " + e.Now().Sub(begin).String())
	}).Set(0)
	j.Run(at(time.Second), nil)
	j.want(t, "0s spends until 500µs", "0s spends until 1ms", "0s spends until 1.5ms", "1ms other at 1 ms",
		"2.5ms too far ahead: waits until 2.5ms", "3ms other at 3 ms", "4.5ms sleeps after what it spent until 4.5ms")
}

// What costs less than an instant says the same: ahead of the timeline by what was spent, and with it after a sleep.
func TestVirtualElapsedTimeIsThatOfTheInstant(t *testing.T) {
	j := newJournal(t)
	e, other := j.Open("a", 1), j.Open("b", 1)
	other.Timer(func() {}).Set(1500 * time.Microsecond) // so that the sleep is one
	steps := []func(){func() {}, func() { e.(hardware.Spender).Spend(time.Millisecond) }, func() { e.Sleep(time.Second) }}
	e.Post(func() {
		for i, step := range steps {
			step()
			if got, want := e.(hardware.Elapser).Elapsed(), e.Now().Sub(begin); got != want {
				t.Errorf("after step %d: %v, want %v", i, got, want)
			}
		}
		j.note("done")
	})
	j.Run(begin.Add(time.Minute), nil)
	j.want(t, "1.001s done")
}
