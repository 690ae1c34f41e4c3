package storm

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

var (
	firstSeed = flag.Uint64("storm.first", 1, "first seed of the storms in virtual time")
	lastSeed  = flag.Uint64("storm.last", 2, "last one")
	span      = flag.Duration("storm.for", 9*time.Minute, "length of each in virtual time")
	talk      = flag.Bool("storm.talk", false, "print what happens")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	// healLimit is how long after the end of all faults the last device is well.
	healLimit = 4 * time.Second
	// metersAnHour is what a robot drives at least, or the storm has shown nothing.
	metersAnHour = 30
)

// An outcome is what is known of a robot at an instant.
type outcome struct {
	falls, violations, failures uint64 // failures are those of behaviors and actions
	meters                      float64
	ill                         []string // devices that are not well
	held
}

// held is what a process holds.
type held struct {
	goroutines, files, zombies, actors int
	heap                               uint64
}

// hold counts what this process holds. Zombies and actors are the robot's to tell.
func hold() (h held) {
	runtime.GC()
	runtime.GC() // also what finalizers kept
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	open, _ := os.ReadDir("/proc/self/fd")
	return held{goroutines: runtime.NumGoroutine(), files: len(open), heap: m.HeapAlloc}
}

// A robot suffers a storm, in virtual time or live.
type robot interface {
	// until lets it live until an instant since its start.
	until(at time.Duration)
	// do makes a request. It returns a refusal.
	do(d deed) error
	// see tells how it is.
	see() outcome
	// count also counts what it holds.
	count() outcome
}

// result is what a storm comes to.
type result struct {
	seed     uint64
	span     time.Duration
	last     outcome
	healed   time.Duration // the longest after the end of all faults
	calms    []held
	deeds    int
	refusals int
	wrong    []string
}

// suffer lets a robot suffer a plan, and writes down what is wrong.
func suffer(r robot, seed uint64, span time.Duration) *result {
	res := &result{seed: seed, span: span}
	var newest []string // of the deeds, for the report of a fall
	next := calms(span)
	for _, d := range append(plan(seed, span), deed{at: span}) {
		if len(next) > 0 && d.at > next[0] {
			res.calm(r, next[0], newest)
			next = next[1:]
		}
		if r.until(d.at); d.path == "" {
			break
		}
		err := r.do(d)
		res.deeds++
		text := fmt.Sprintf("%8.3fs %s %+v", d.at.Seconds(), d.path, d.body)
		if err != nil {
			res.refusals++
			text += ": " + err.Error()
		}
		if *talk {
			fmt.Println(text)
		}
		newest = append(newest[max(0, len(newest)-25):], text)
		res.compare(r.see(), d.at, newest)
	}
	res.last = r.see()
	res.judge()
	return res
}

// calm waits without faults from an instant on until every device is well, and somewhat longer. A plan has no fault in that time, but a
// deed of a person may come later than it should.
func (r *result) calm(bot robot, from time.Duration, newest []string) {
	const step = 100 * time.Millisecond
	healed := time.Duration(0)
	var ill []string
	for at := from; at < from+calmFor-2*time.Second; at += step {
		bot.until(at + step)
		if o := bot.see(); len(o.ill) > 0 {
			healed, ill = at+step-from, o.ill
		}
	}
	if r.healed = max(r.healed, healed); healed > healLimit {
		r.wrong = append(r.wrong, fmt.Sprintf("at %v: %v were ill until %v after the faults; before it:\n%s", from, ill, healed, strings.Join(newest, "\n")))
	}
	o := bot.count()
	r.calms = append(r.calms, o.held)
	if *talk {
		fmt.Printf("calm at %v: healed after %v, %.1f m, %+v\n", from, healed, o.meters, o.held)
	}
}

// compare notes what went wrong since the last look.
func (r *result) compare(o outcome, at time.Duration, newest []string) {
	was := r.last
	r.last = o
	for _, c := range []struct {
		what     string
		was, now uint64
	}{{"falls", was.falls, o.falls}, {"violations", was.violations, o.violations}, {"failures of behaviors or actions", was.failures, o.failures}} {
		if c.now > c.was {
			r.wrong = append(r.wrong, fmt.Sprintf("before %v: %d %s; before it:\n%s", at, c.now-c.was, c.what, strings.Join(newest, "\n")))
		}
	}
}

// judge compares the first and the last third of the calms: the least that the process held grows only if something is kept for good, but
// for one or two actions that run. It also compares how far the robot drove.
func (r *result) judge() {
	if want := metersAnHour * r.span.Hours(); r.last.meters < want {
		r.wrong = append(r.wrong, fmt.Sprintf("driven %.1f m, want %.1f m", r.last.meters, want))
	}
	if r.last.zombies > 0 {
		r.wrong = append(r.wrong, fmt.Sprintf("%d zombies", r.last.zombies))
	}
	third := len(r.calms) / 3
	if third == 0 {
		return
	}
	first, last := least(r.calms[:third]), least(r.calms[len(r.calms)-third:])
	if last.goroutines > first.goroutines+2 || last.files > first.files+2 || last.actors > first.actors+2 || last.zombies > first.zombies ||
		last.heap > first.heap+first.heap/10+256<<10 {
		r.wrong = append(r.wrong, fmt.Sprintf("it grows from %+v to %+v: %+v", first, last, r.calms))
	}
}

func least(all []held) held {
	l := all[0]
	for _, h := range all {
		l = held{min(l.goroutines, h.goroutines), min(l.files, h.files), min(l.zombies, h.zombies), min(l.actors, h.actors), min(l.heap, h.heap)}
	}
	return l
}

func (r *result) String() string {
	var first, last held
	if len(r.calms) > 0 {
		first, last = r.calms[0], r.calms[len(r.calms)-1]
	}
	return fmt.Sprintf("seed %d, %v: %d deeds, %d refused, driven %.1f m, %d falls, %d violations, %d failures, healed within %v in %d calms; held %+v, then %+v",
		r.seed, r.span, r.deeds, r.refusals, r.last.meters, r.last.falls, r.last.violations, r.last.failures, r.healed, len(r.calms), first, last)
}

func (r *result) report(t *testing.T) {
	t.Helper()
	for _, w := range r.wrong {
		t.Error(w)
	}
	fmt.Println(r)
}

// sick lists the devices whose reading is not well.
func sick[D any](all []D, name func(D) string, well func(D) bool) (ill []string) {
	for _, d := range all {
		if !well(d) {
			ill = append(ill, name(d))
		}
	}
	slices.Sort(ill)
	return ill
}
