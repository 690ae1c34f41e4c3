package engine_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/hardware"
)

// edgeEvents lives ticks with edit at the begin of each one, and returns what was told of an edge, with its tick.
func edgeEvents(t *testing.T, ticks int, edit func(tick int, b *behaviortest.Body)) (got []string) {
	t.Helper()
	tick := 0
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventEdge}
		r.of("R").always = func(c *behaviors.Control, e behaviors.Event) {
			got = append(got, e.String()+map[bool]string{true: " early", false: ""}[tick < 9])
		}
	})
	b := r.embody()
	b.EdgeXMM = 100
	r.steps(3)
	for tick = range ticks {
		edit(tick, b)
		r.step()
	}
	return got
}

// An edge is told of after half a second, with its sensors, once; its end at once. A short one is none, and a sensor that fails changes nothing.
// Rules: CLF-5.
func TestEdgeThatLastsHalfASecondIsToldOnceAndItsEndToo(t *testing.T) {
	at := func(from, to int, x float64) func(int, *behaviortest.Body) {
		return func(tick int, b *behaviortest.Body) {
			if b.XMM = 0; tick >= from && tick < to {
				b.XMM = x
			}
		}
	}
	for name, c := range map[string]struct {
		edit func(int, *behaviortest.Body)
		want []string
	}{
		"lasts": {at(0, 30, 80), []string{"edge on front_left front_right", "edge off"}},
		"short": {at(0, 8, 80), nil},
		"sensors fail in the middle": {func(tick int, b *behaviortest.Body) {
			at(0, 30, 80)(tick, b)
			b.Broken = nil
			if tick > 10 && tick < 15 {
				b.Broken = map[string]hardware.Quality{hardware.Cliff: hardware.Failed}
			}
		}, []string{"edge on front_left front_right", "edge off"}},
		"sensors fail before it is told": {func(tick int, b *behaviortest.Body) {
			at(0, 30, 80)(tick, b)
			b.Broken = nil
			if tick > 2 && tick < 40 {
				b.Broken = map[string]hardware.Quality{hardware.Cliff: hardware.Failed}
			}
		}, nil},
		"picked up": {func(tick int, b *behaviortest.Body) {
			at(0, 30, 80)(tick, b)
			b.Held = tick >= 2 && tick < 20
		}, nil},
		"picked up when told": {func(tick int, b *behaviortest.Body) {
			at(0, 30, 80)(tick, b)
			b.Held = tick >= 12 && tick < 25
		}, []string{"edge on front_left front_right", "edge off"}},
		"a second one after a pick-up": {func(tick int, b *behaviortest.Body) {
			at(27, 50, 80)(tick, b)
			b.Held = tick >= 2 && tick < 20
		}, []string{"edge on front_left front_right", "edge off"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := edgeEvents(t, 60, c.edit); !slices.Equal(got, c.want) {
				t.Errorf("told %q, want %q", got, c.want)
			}
		})
	}
}
