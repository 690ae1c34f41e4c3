package engine_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// seconds is the number of ticks of a time, and one.
func seconds(s float64) int { return int(s*float64(time.Second)/float64(period)) + 1 }

// lampColors are the colors of the panel in a word: R, G, B for the channel of each light, or a dash.
func lampColors(p *panel) string {
	s := ""
	for _, c := range p.lights.Colors {
		switch {
		case c.R > 0:
			s += "R"
		case c.G > 0:
			s += "G"
		case c.B > 0:
			s += "B"
		default:
			s += "-"
		}
	}
	return s
}

// Rules: B-28.
func TestIdleLightsSayHowTheRobotIs(t *testing.T) {
	charging := func(ratio float64) func(w *hardware.Snapshot) {
		return func(w *hardware.Snapshot) {
			w.Battery.Value = hardware.BatteryState{Volts: 3.9, Amps: 0.5, Ratio: ratio}
			w.Charger.Value = hardware.ChargerState{OnContacts: true, Charging: true}
		}
	}
	for _, c := range []struct {
		what, want string
		edit       func(*hardware.Snapshot)
		command    engine.CommandKind
	}{
		{what: "all is well", want: "-----"},
		{what: "stopped", want: "RRRRR", command: engine.EStop},
		{what: "no motors", want: "R---R", edit: func(w *hardware.Snapshot) { w.Motors.Quality = hardware.Failed }},
		{what: "no floor sensors", want: "R---R", edit: func(w *hardware.Snapshot) { w.Cliff.Quality = hardware.Stale }},
		{what: "a low battery", want: "--R--", edit: func(w *hardware.Snapshot) { w.Battery.Value = hardware.BatteryState{Volts: 3.3, Ratio: 0.05} }},
		{what: "almost empty and charging", want: "G----", edit: charging(0.05)},
		{what: "half full and charging", want: "GGG--", edit: charging(0.5)},
		{what: "full and charging", want: "GGGGG", edit: charging(1)},
		{what: "the lights do not work", want: "-----", edit: func(w *hardware.Snapshot) {
			w.Motors.Quality, w.Lights.Quality = hardware.Failed, hardware.Failed
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			var p *panel
			r := newRig(t, "R+", func(r *rig) { p = onPanel(r); p.edit = c.edit })
			if c.command != 0 {
				r.command(engine.Command{Kind: c.command})
			}
			p.live(r, seconds(12)) // the estimate of the battery is slow
			if got := lampColors(p); got != c.want {
				t.Errorf("the lights show %s, want %s", got, c.want)
			}
		})
	}
}

// A reading that is late for half a second is no failure that people should see.
// Rules: B-28.
func TestIdleLightsDoNotFlash(t *testing.T) {
	var p *panel
	r := newRig(t, "R+", func(r *rig) { p = onPanel(r) })
	p.live(r, seconds(3))
	for n := range seconds(10) {
		p.edit = func(w *hardware.Snapshot) {
			if n%20 < 10 {
				w.Cliff.Quality = hardware.Stale
			}
		}
		if p.live(r, 1); lampColors(p) != "-----" {
			t.Fatalf("after %d ticks the lights show %s", n, lampColors(p))
		}
	}
}

// The charge that the battery reports is noisy; the number of bars is not.
// Rules: B-28.
func TestBarsOfTheChargeDoNotFlicker(t *testing.T) {
	var p *panel
	r := newRig(t, "R+", func(r *rig) { p = onPanel(r) })
	orders, last := 0, ""
	for n := range seconds(60) {
		p.edit = func(w *hardware.Snapshot) {
			w.Battery.Value = hardware.BatteryState{Volts: 3.9, Amps: 0.5, Ratio: 0.6 + []float64{-0.01, 0.01, 0}[n/30%3]}
			w.Charger.Value = hardware.ChargerState{OnContacts: true, Charging: true}
		}
		p.live(r, 1)
		if got := lampColors(p); got != last {
			orders, last = orders+1, got
		}
	}
	if orders > 2 {
		t.Errorf("the bars changed %d times", orders)
	}
}

// The colors of an action lie above the feedback of an intent, which shows again when the action has ended.
// Rules: B-28, B-26, TRK-14.
func TestLightsGoBackToTheFeedbackAfterAnAction(t *testing.T) {
	played := clip("happy", hardware.RGB{R: 200})
	var p *panel
	r := newRig(t, "R+", func(r *rig) {
		p = onPanel(r)
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				c.Intents().Claim("hello")
			case 5:
				c.Act(played, nil)
			}
		}
	})
	r.intent("hello")
	p.live(r, 4)
	before := lampColors(p)
	p.live(r, 3)
	during := lampColors(p)
	played.Result = actions.Success
	p.live(r, 2+lingers)
	if after := lampColors(p); before != "GGGGG" || during != "R----" || after != before {
		t.Errorf("the lights show %s, then %s, then %s", before, during, after)
	}
}
