package facts_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/hardware"
)

// tolerance of numbers whose display shows less; by the end of their path.
var tolerances = map[string]float64{
	"time_s": 0.001, "active_s": 0.0021, "for_s": 0.0021, "last_s": 0.001, "heading_rad": 0.001, "head_rad": 0.001, "volts": 0.006, "charge": 0.006,
	"x_mm": 0.1, "y_mm": 0.1, "range_mm": 0.6, "lift_mm": 0.06, "distance_m": 0.006, "cliffs": 0.2, "emotions": 0.0051, "age_ms": 1,
}

// differences compares two JSON values field by field.
func differences(path string, a, b any) (all []string) {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: %v, %v", path, a, b)}
		}
		for k := range a {
			all = append(all, differences(path+"."+k, a[k], b[k])...)
		}
		for k := range b {
			if _, ok := a[k]; !ok {
				all = append(all, path+"."+k+" is not in the live state")
			}
		}
		return all
	case []any:
		b, _ := b.([]any)
		if len(a) != len(b) {
			return []string{fmt.Sprintf("%s: %d entries, %d: %v, %v", path, len(a), len(b), a, b)}
		}
		for i := range a {
			all = append(all, differences(fmt.Sprintf("%s.%d", path, i), a[i], b[i])...)
		}
		return all
	case float64:
		b, ok := b.(float64)
		near := 0.0
		for _, part := range strings.Split(path, ".") {
			near = max(near, tolerances[part])
		}
		if !ok || math.Abs(a-b) > near+1e-9 {
			return []string{fmt.Sprintf("%s: %v, %v", path, a, b)}
		}
		return nil
	case nil: // an empty list may be null
		if list, ok := b.([]any); ok && len(list) == 0 {
			return nil
		}
	}
	if a != b {
		return []string{fmt.Sprintf("%s: %v, %v", path, a, b)}
	}
	return nil
}

func jsonOf(t testing.TB, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// checkSaid compares what is said in a state view with the rest of it.
func checkSaid(t *testing.T, s *control.State) {
	t.Helper()
	onStack := slices.ContainsFunc(s.Stack, func(e control.StackEntry) bool { return e.ID == s.Sentence.ID })
	if s.Sentence.Text == "" || !onStack {
		t.Errorf("tick %d: sentence %+v with the stack %+v", s.Tick, s.Sentence, s.Stack)
	}
	if n := s.Body.Sensors.Sound; n > 1<<53 {
		t.Errorf("tick %d: sound %d; the page rounds it to %.0f", s.Tick, n, float64(n))
	}
	stopped := slices.ContainsFunc(s.Banner, func(b control.BannerState) bool { return b.Level == "error" && b.Key == "stop" })
	if stopped != s.EStop {
		t.Errorf("tick %d: banner %+v with the stop %+v", s.Tick, s.Banner, s.Stop)
	}
}

// The state of any tick of a life with faults, people and intents is read back from the stream as the page was shown it, every field.
func TestStateOfTickIsReadBackAsItWasShown(t *testing.T) {
	shown := map[uint64]*control.State{}
	var ticks []uint64
	l := newLife(t, 3)
	l.watch = func(l *life, tick event.Tick, _ *engine.Output, _ *engine.Engine) {
		if tick.N%7 != 0 {
			return
		}
		f := l.feed.Newest()
		if s := f.State(); s.Tick == tick.N {
			shown[tick.N] = s
			ticks = append(ticks, tick.N)
		}
	}
	fault := func(device, kind string, d time.Duration) {
		if err := l.robot.Rig.Fault(device, kind, d); err != nil {
			t.Fatal(err)
		}
	}
	l.live(20 * time.Second)
	l.intent("come_here")
	fault(hardware.IMU, "frozen", 8*time.Second)
	l.live(30 * time.Second)
	l.act(control.Act{Act: "face", Name: "Ada", Seconds: 20})
	l.live(40 * time.Second)
	fault(hardware.Cliff, "unplug", 5*time.Second)
	l.live(50 * time.Second)
	l.act(control.Act{Act: "pickup"})
	l.live(55 * time.Second)
	l.act(control.Act{Act: "putdown"})
	fault(hardware.Motors, "brownout", 0)
	l.live(70 * time.Second)
	stop := l.robot.EStop(l.system.Inbox())
	l.live(75 * time.Second)
	_ = stop
	l.live(90 * time.Second)
	l.end()
	if len(ticks) < 100 {
		t.Fatalf("%d states were shown", len(ticks))
	}
	wrong := 0
	for _, n := range ticks {
		got, err := facts.StateAt(l.tape, n)
		if err != nil {
			t.Fatal(err)
		}
		live := *shown[n]
		checkSaid(t, got)
		live.Sentence, live.Banner = got.Sentence, got.Banner // this feed does not say them
		live.Devices = slices.Clone(live.Devices)
		for i := range live.Devices {
			if d := &live.Devices[i]; d.Quality == "ok" {
				d.AgeMS = 0 // how old a fresh reading is is not recorded
			}
		}
		for _, d := range differences("", jsonOf(t, &live), jsonOf(t, got)) {
			if wrong++; wrong < 20 {
				t.Errorf("tick %d: %s", n, d)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d fields differ", wrong)
	}
}
