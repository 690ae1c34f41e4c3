package faultmatrix

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

type tracer struct{ last string }

func (x *tracer) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) {
	s := ""
	e.Stack().Each(false, func(n *stack.Node) bool { s += n.ID + "(" + e.Cell(n.ID).State() + ") "; return true })
	for _, d := range o.Done {
		s += fmt.Sprintf(" done:%s=%v", d.Name, d.Result)
	}
	if s != x.last {
		b := e.View().World.Body
		fmt.Println("   ", t.Start.Sub(epoch()), s, "drive", b.CanDrive, "feel", b.CanFeelEdges, "bat", b.Battery, e.View().World.Battery.Quality, b.Treads, "plat", b.OnPlatform)
		x.last = s
	}
}

func TestY(t *testing.T) {
	for _, d := range []string{"battery"} {
		r := start(t, shipped(t), sim.Options{Seed: 7, BatteryRatio: 1}, 0)
		r.run(7 * time.Second)
		r.log.extra = &tracer{}
		fmt.Println(d)
		r.inject(d, "nack", 2*time.Second)
		r.run(3 * time.Second)
	}
	_ = hardware.Names
}
