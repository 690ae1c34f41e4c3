package simrobot

import (
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// ObserveTick implements actors.TickObserver: vision runs the modes that the tick wants, from now on (T-2).
func (r *Robot) ObserveTick(_ event.Tick, o *engine.Output, _ *engine.Engine) {
	if old := r.look.Load(); old == nil || *old != o.Look {
		look := o.Look
		r.look.Store(&look)
	}
	r.vision.want(!o.Look.Empty(), r.now())
	r.voices.listen()
}

// detect returns what the simulated camera finds in the wanted modes, and the fresh detections of outside processes. Those are not
// filtered: such a process reads the wanted modes itself.
func (r *Robot) detect(now time.Time) hardware.Detections {
	d := r.Rig.Detect(now)
	if look := r.look.Load(); look != nil {
		d = look.Filter(d)
	}
	r.vision.add(&d, now)
	return d
}
