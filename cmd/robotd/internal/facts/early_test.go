package facts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
)

// What happened before the first tick, and in it, belongs to every window that begins with it, and to no later one.
func TestDeviceAbsentBeforeTheStartIsInTimelineAndLog(t *testing.T) {
	run := setuptest.Options(t, 1)
	tape := &tape{life: run.Life("sim", epoch, true)}
	l := startLife(t, run, func(l *life) {
		if err := l.robot.Rig.Fault(hardware.Range, "unplug", 0); err != nil {
			t.Fatal(err)
		}
	}, tape)
	l.live(3 * time.Second)
	l.end()
	p := &facts.Past{Source: tape}
	first := p.History().First.AtS
	for from, early := range map[float64]bool{0: true, first: true, tape.ticks[0].At.Seconds(): true, first + 0.01: false} {
		said := map[string]bool{}
		line, err := p.Timeline(from, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range line.Events {
			said["timeline"] = said["timeline"] || e.Kind == "failure" && e.Who == hardware.Range && e.AtS < first
			said["first tick"] = said["first tick"] || e.Kind == "activated" && e.AtS == first
		}
		lines, err := p.Log(control.LogQuery{FromS: from, ToS: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			said["log"] = said["log"] || l.TimeS < first && strings.Contains(l.Text, hardware.Range)
		}
		err = p.Events(from, 3, func(at float64, kind, who, _ string) {
			said["trace"] = said["trace"] || kind == "failure" && who == hardware.Range && at < first
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{"timeline", "first tick", "log", "trace"} {
			if said[what] != early {
				t.Errorf("from %g s, first tick at %g s: %s has what came before it or in it: %t", from, first, what, said[what])
			}
		}
	}
}
