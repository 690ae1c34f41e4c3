package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// A console variable keeps its value until it is set again; an older view keeps what it showed.
// Rules: DT-C15.
func TestConsoleVariablesAreSetByOperators(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.step()
	set := func(name string, value int32) engine.Reply {
		return r.order(engine.Command{Kind: engine.SetVar, ID: name, Value: value})
	}
	if rep := set("Speed", 5); rep.Text != "Speed is 5" || rep.Err != "" {
		t.Errorf("%+v", rep)
	}
	before := r.eng.View().Vars
	set("Speed", -7)
	r.steps(3)
	if now := r.eng.View().Vars; now["Speed"] != -7 || before["Speed"] != 5 || len(now) != 1 {
		t.Errorf("before %v, now %v", before, now)
	}
	for name, want := range map[string]string{"": "needs a name", strings.Repeat("x", 65): "has 65 bytes; at most 64", "TimeMultiplier": "it must be between 1 and 300"} {
		if rep := set(name, 301); !strings.Contains(rep.Err, want) {
			t.Errorf("%q: %+v, want %q", name, rep, want)
		}
	}
	if rep := set("TimeMultiplier", 300); rep.Err != "" || r.eng.View().TimeMultiplier != 300 {
		t.Errorf("%+v, view %d", rep, r.eng.View().TimeMultiplier)
	}
	for i := range 254 {
		set(fmt.Sprint("v", i), 1)
	}
	if rep := set("Another", 1); !strings.Contains(rep.Err, "256 console variables already") {
		t.Errorf("%+v", rep)
	}
	if rep := set("Speed", 1); rep.Err != "" {
		t.Errorf("a known one, when there are as many as may be: %+v", rep)
	}
}

// Pokes and taps are remembered by the world of later ticks.
// Rules: data/3.3u, data/3.3z.
func TestWorldRemembersPokesAndTaps(t *testing.T) {
	r := newRig(t, "R+", nil)
	r.step()
	if b := r.eng.View().World.Body; !b.PokedAt.IsZero() || !b.CubeTappedAt.IsZero() {
		t.Fatalf("at the start: poked %v, tapped %v", b.PokedAt, b.CubeTappedAt)
	}
	r.emit(behaviors.EventPoked, "")
	r.step()
	poked := r.eng.View().Now
	r.emit(behaviors.EventCubeTapped, "")
	r.step()
	tapped := r.eng.View().Now
	r.steps(5)
	if b := r.eng.View().World.Body; b.PokedAt != poked || b.CubeTappedAt != tapped {
		t.Errorf("poked %v, want %v; tapped %v, want %v", b.PokedAt, poked, b.CubeTappedAt, tapped)
	}
}
