package why_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/why"
	"github.com/robotd/robotd/hardware"
)

func teller() *why.Teller {
	cat := &catalog.Catalog{}
	for id, doing := range map[string]string{
		"Mode": "Deciding what to do", "Explore": "Exploring", "Stop": "Stopped by a person", "Cliff": "Getting away from an edge", "Sleep": "Sleeping",
	} {
		cat.Entries = append(cat.Entries, &catalog.Entry{ID: id, Doing: doing})
	}
	teller := why.NewTeller()
	teller.Learn(cat)
	return teller
}

// The sentence says what the behavior in control is for and its phase in plain words, and who wanted it so.
func TestSentenceSaysWhatItDoesAndWhy(t *testing.T) {
	mode := why.Layer{ID: "Mode", State: "Explore"}
	for _, c := range []struct {
		name      string
		s         why.Situation
		reason    string
		text, why string
	}{
		{"before the first tick", why.Situation{}, "", "Doing nothing", "no behavior is active yet"},
		{"phase", why.Situation{Layers: []why.Layer{mode, {ID: "Explore", State: "turning away"}}}, "", "Exploring: turning away", "part of: deciding what to do"},
		{"phase with a cause", why.Situation{Layers: []why.Layer{mode, {ID: "Cliff", State: "backing off: front"}}}, "the wheels stopped at an edge", "Getting away from an edge: backing off (front)", "the wheels stopped at an edge"},
		{"phase that says the same", why.Situation{Layers: []why.Layer{{ID: "Sleep", State: "sleeping"}}}, "", "Sleeping", "nothing else wants control"},
		{"action in place of a phase", why.Situation{Layers: []why.Layer{{ID: "Explore"}}, Actions: []why.Acting{{"Blink", "Other"}, {"TurnInPlace", "Explore"}}}, "", "Exploring: turn in place", "nothing else wants control"},
		{"phase with a number", why.Situation{Layers: []why.Layer{{ID: "Explore", State: "s4 looking up"}}}, "", "Exploring: looking up", "nothing else wants control"},
		{"choice of a dispatcher", why.Situation{Layers: []why.Layer{mode}}, "", "Deciding what to do", "nothing else wants control"},
		{"intent", why.Situation{Layers: []why.Layer{mode, {ID: "Explore"}}, Intent: "come_here"}, "", "Exploring", "somebody said come here"},
		{"emergency stop", why.Situation{Layers: []why.Layer{{ID: "Stop"}}, Intent: "come_here", Stop: control.StopState{Mind: true}}, "", "Stopped by a person", "a person pressed the emergency stop"},
	} {
		if got := teller().Sentence(&c.s, c.reason); got.Text != c.text || got.Why != c.why {
			t.Errorf("%s: %q because %q, want %q because %q", c.name, got.Text, got.Why, c.text, c.why)
		}
	}
}

func shown(bs []control.BannerState) string {
	var lines []string
	for _, b := range bs {
		lines = append(lines, fmt.Sprintf("%s %s @%g", b.Level, b.Text, b.SinceS))
	}
	return strings.Join(lines, "\n")
}

// A device that is late for a moment holds nothing back: only after half a second is it said.
func TestBannerKeepsQuietAboutDeviceThatIsLateForAMoment(t *testing.T) {
	tell := teller()
	for i := range 20 {
		q := hardware.OK
		if i%4 == 0 {
			q = hardware.Stale
		}
		s := why.Situation{AtS: float64(i) / 10, Devices: []why.Device{{Name: hardware.Cliff, Quality: q}}}
		if got := shown(tell.Banner(&s)); got != "" {
			t.Errorf("at %g s: %s", s.AtS, got)
		}
	}
	for i := range 7 {
		s := why.Situation{AtS: 3 + float64(i)/10, Devices: []why.Device{{Name: hardware.Cliff, Quality: hardware.Stale}}}
		if got, want := shown(tell.Banner(&s)) != "", i >= 5; got != want {
			t.Errorf("late for %d00 ms: said %v", i, got)
		}
	}
}

// Whatever holds the robot back is in the banner, the weightiest first, since the time when it began.
func TestBannerListsWhatHoldsTheRobotBack(t *testing.T) {
	ok := func(change map[string]hardware.Quality) []why.Device {
		var all []why.Device
		for _, name := range hardware.Names {
			q, changed := change[name]
			if !changed {
				q = hardware.OK
			}
			all = append(all, why.Device{Name: name, Quality: q})
		}
		return all
	}
	for _, c := range []struct {
		name string
		s    why.Situation
		want string
	}{
		{"nothing", why.Situation{Devices: ok(nil)}, ""},
		{"stop", why.Situation{Stop: control.StopState{Mind: true, Line: true}}, "error emergency stop: the wheels are off until somebody resumes @2"},
		{"line alone", why.Situation{Stop: control.StopState{Line: true}}, "error emergency stop: the wheels are off @2"},
		{"mind alone", why.Situation{Stop: control.StopState{Mind: true}}, "error emergency stop: the mind is stopped until somebody resumes @2"},
		{"cliff failed", why.Situation{Devices: ok(map[string]hardware.Quality{hardware.Cliff: hardware.Failed})}, "error cliff sensor failed: wheels held @2"},
		{"cliff late", why.Situation{Devices: ok(map[string]hardware.Quality{hardware.Cliff: hardware.Stale})}, "error cliff sensor late: wheels held @2"},
		{"camera late", why.Situation{Devices: ok(map[string]hardware.Quality{hardware.Vision: hardware.Stale})}, ""},
		{
			"motors and camera",
			why.Situation{Devices: ok(map[string]hardware.Quality{hardware.Vision: hardware.Failed, hardware.Motors: hardware.Absent})},
			"error motors absent: it cannot drive @2\nwarn camera failed: it sees neither faces nor cubes @2",
		},
		{
			"motors that nothing else stops",
			why.Situation{Unguarded: true, Stop: control.StopState{Mind: true, Line: true}, Devices: ok(map[string]hardware.Quality{hardware.Motors: hardware.Failed})},
			"error emergency stop, but the motors do not answer: the wheels may turn; switch the robot off @2\n" +
				"error motors failed: the wheels may turn, keep the switch in reach @2\ninfo nothing outside this process stops the wheels: keep the switch in reach @2",
		},
		{
			"motors that nothing else stops, stopped",
			why.Situation{Unguarded: true, Stop: control.StopState{Mind: true, Line: true}, Devices: ok(nil)},
			"error emergency stop: the wheels are off until somebody resumes @2\ninfo nothing outside this process stops the wheels: keep the switch in reach @2",
		},
		{"no speaker", why.Situation{Devices: ok(map[string]hardware.Quality{hardware.Speaker: hardware.Absent})}, "info speaker absent: it makes no sound @2"},
		{"battery", why.Situation{Battery: hardware.BatteryLow, Volts: 3.46}, "warn battery low (3.5 V): it goes home @2"},
		{"battery of a robot without a charger", why.Situation{Battery: hardware.BatteryLow, Volts: 7.02, NoCharger: true}, "warn battery low (7.0 V): it has no charger to go to; charge or change the battery @2"},
		{"empty battery", why.Situation{Battery: hardware.BatteryLow, Volts: 6.7, NoCharger: true, Drained: true}, "error battery empty (6.7 V): it does not drive until the battery is charged or changed @2"},
		{"battery that charges", why.Situation{Battery: hardware.BatteryLow, Charging: true}, ""},
		{"out of use", why.Situation{Disabled: []string{"Explore"}}, "error Explore is out of use: it failed too often @2"},
		{"recorder", why.Situation{Recorder: "the disk is full"}, "warn nothing is recorded: the disk is full @2"},
		{"held", why.Situation{Treads: hardware.InAir, Latched: true}, "info not on its treads (in air): it does not drive @2\ninfo the wheels stopped at an edge @2"},
		{"late ticks", why.Situation{Missed: 4}, "warn the machine is too slow: 3 ticks missed in the last minute @2"},
	} {
		tell := teller()
		tell.Banner(&why.Situation{AtS: 1, Missed: 1})
		c.s.AtS = 2
		if got := shown(tell.Banner(&c.s)); got != c.want && !strings.Contains(c.want, " late:") {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		c.s.AtS = 3
		if got := shown(tell.Banner(&c.s)); got != c.want {
			t.Errorf("%s, a second later: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if got := shown(tell.Banner(&why.Situation{AtS: 70, Missed: c.s.Missed})); got != "" {
			t.Errorf("%s: it is over, but there is %s", c.name, got)
		}
		c.s.AtS, c.s.Missed = 80, c.s.Missed+3*min(c.s.Missed, 1)
		tell.Banner(&c.s)
		c.s.AtS = 81
		if got, want := shown(tell.Banner(&c.s)), strings.ReplaceAll(c.want, "@2", "@80"); got != want {
			t.Errorf("%s, again: got\n%s\nwant\n%s", c.name, got, want)
		}
	}
}
