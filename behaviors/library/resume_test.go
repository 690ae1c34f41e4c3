package library_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware/sim"
)

// until steps until the behavior has been on the stack for that long in one go, or fails.
func (l *life) until(id string, d time.Duration) {
	l.t.Helper()
	for range 3000 {
		l.step()
		if n := l.eng.Cell(id).Node; n.Activated() && l.seen[id] >= d {
			return
		}
	}
	l.t.Fatalf("%s does not run\n%s", id, l.report())
}

// stroke touches the robot and waits until the reaction to that is over.
func (l *life) stroke() {
	l.t.Helper()
	l.rig.Touch(time.Second)
	was := l.seen["ReactToTouch"]
	l.until("ReactToTouch", was+time.Second)
	for l.eng.Cell("ReactToTouch").Node.Activated() {
		l.step()
	}
	l.runFor(time.Second)
}

// A stroke in the middle interrupts what the robot does, and then the shipped tree goes on where it was: no new start, and of a dance no bar twice.
func TestStrokedRobotGoesOnWhereItWas(t *testing.T) {
	for id, intent := range map[string]string{"Explore": "", "VoiceDance": "dance", "VoiceComeHere": "come_here"} {
		t.Run(id, func(t *testing.T) { goesOnAfterAStroke(t, id, intent, 1) })
	}
	for seed := uint64(2); seed <= 8; seed++ {
		t.Run(fmt.Sprintf("Explore, seed %d", seed), func(t *testing.T) { goesOnAfterAStroke(t, "Explore", "", seed) })
	}
}

func goesOnAfterAStroke(t *testing.T, id, intent string, seed uint64) {
	t.Parallel()
	l := newLife(t, sim.Options{Seed: seed, StartOffCharger: true, Nobody: true, BatteryRatio: 1})
	l.runFor(3 * time.Second)
	if intent != "" {
		l.control = append(l.control, engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: intent, Source: "test"}})
	}
	l.until(id, l.seen[id]+3*time.Second)
	starts := l.eng.Cell(id).Started()
	l.stroke()
	if n := l.eng.Cell(id); !n.Node.Activated() || n.Started() != starts {
		t.Errorf("after the stroke %s is activated: %t; %d starts, want %d", id, n.Node.Activated(), n.Started(), starts)
	}
	if len(l.refused) > 0 {
		t.Errorf("refused: %v", l.refused)
	}
}

// A dance of four bars that is interrupted in one of them has three whole ones.
func TestInterruptedDanceDancesTheRestOnly(t *testing.T) {
	l := newLife(t, sim.Options{Seed: 1, StartOffCharger: true, Nobody: true, BatteryRatio: 1})
	l.runFor(3 * time.Second)
	l.control = append(l.control, engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: "dance", Source: "test"}})
	l.until("VoiceDance", 3*time.Second)
	l.stroke()
	for range 600 {
		l.step()
	}
	bars := slices.DeleteFunc(l.done, func(s string) bool { return s != "Bar SUCCESS" })
	if len(bars) != 3 || l.eng.Cell("VoiceDance").Node.Activated() {
		t.Errorf("%d whole bars; the dance goes on: %t", len(bars), l.eng.Cell("VoiceDance").Node.Activated())
	}
}
