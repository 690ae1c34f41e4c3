package condition_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// rig is a robot at rest whose readings are all good, at an instant that the test sets.
type rig struct {
	t     testing.TB
	start time.Time
	world *hardware.World
	view  *condition.View
}

func newRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t, start: time.Unix(1_000_000, 0), world: &hardware.World{}}
	for _, name := range hardware.Names {
		r.quality(name, hardware.OK)
	}
	r.view = &condition.View{World: r.world, Timers: map[string]time.Time{}, Suggestions: map[string]uint64{}}
	r.at(0)
	return r
}

// quality sets the quality of one reading and keeps its value.
func (r *rig) quality(device string, q hardware.Quality) {
	w := r.world
	switch device {
	case hardware.Battery:
		w.Battery.Quality = q
	case hardware.Charger:
		w.Snapshot.Charger.Quality = q
	case hardware.Cliff:
		w.Cliff.Quality = q
	case hardware.Display:
		w.Display.Quality = q
	case hardware.IMU:
		w.IMU.Quality = q
	case hardware.Lights:
		w.Lights.Quality = q
	case hardware.Motors:
		w.Motors.Quality = q
	case hardware.Range:
		w.Range.Quality = q
	case hardware.Servos:
		w.Servos.Quality = q
	case hardware.Speaker:
		w.Speaker.Quality = q
	case hardware.Touch:
		w.Touch.Quality = q
	case hardware.Vision:
		w.Vision.Quality = q
	default:
		r.t.Fatalf("no device %q", device)
	}
}

// at moves to an instant after the start. The tick number counts the moves.
func (r *rig) at(d time.Duration) {
	r.view.Now = r.start.Add(d)
	r.world.Now = r.view.Now
	r.view.Tick++
}

// when is the instant d after the start.
func (r *rig) when(d time.Duration) time.Time { return r.start.Add(d) }

// image makes the newest image one of the instant d after the start.
func (r *rig) image(d time.Duration) { r.world.Vision.Value.CapturedAt = r.when(d) }

// cliffs sets how many sensors see no floor.
func (r *rig) cliffs(n int) {
	r.world.Cliff.Value.Detected = [4]bool{n > 0, n > 1, n > 2, n > 3}
}

// parse builds a condition, which must have no mistakes, and activates it.
func (r *rig) parse(src string) condition.Condition {
	r.t.Helper()
	return r.active(parse(r.t, condition.Parser{}, src))
}

func (r *rig) active(c condition.Condition) condition.Condition {
	c.SetActive(r.view, true)
	return c
}

// want evaluates once per expected answer.
func (r *rig) want(c condition.Condition, answers ...bool) {
	r.t.Helper()
	for i, want := range answers {
		if got := c.Met(r.view); got != want {
			r.t.Errorf("%s at %v, evaluation %d: got %v, want %v", c, r.view.Now.Sub(r.start), i+1, got, want)
		}
	}
}

// wantAt moves and evaluates once.
func (r *rig) wantAt(c condition.Condition, d time.Duration, want bool) {
	r.t.Helper()
	r.at(d)
	r.want(c, want)
}

func parse(t testing.TB, p condition.Parser, src string) condition.Condition {
	t.Helper()
	c, diags := read(t, p, src)
	if len(diags) > 0 || c == nil {
		t.Fatalf("%s: got %v with\n%s", src, c, diags)
	}
	return c
}

// read builds a condition that may have mistakes. Undeclared keys count as mistakes too, as in a whole file.
func read(t testing.TB, p condition.Parser, src string) (condition.Condition, resources.Diagnostics) {
	t.Helper()
	doc, diags := resources.Parse("c.json", []byte(src))
	if doc == nil {
		t.Fatalf("%s: %s", src, diags)
	}
	c := p.Parse(doc.Root())
	doc.Finish()
	return c, append(diags, doc.Diagnostics()...)
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }
