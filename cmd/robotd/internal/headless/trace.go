package headless

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A tracer writes every lifecycle event, debug state, completion and device command as one line, "tick seconds what", so that a
// comparison of two runs finds their first difference. A command that a device gets again, as one that drives does each tick, has a line
// when it comes first; when it comes no more, a line tells how often it was repeated. It has one owner. A trace that cannot be written
// ends the run.
type tracer struct {
	out    *bufio.Writer
	start  time.Time
	failed atomic.Bool
	last   map[string]*repeated // by device
	tick   uint64               // the newest
	at     float64
}

// repeated is the newest command of a device.
type repeated struct {
	command hardware.Command
	tick    uint64 // of its newest repetition
	times   int
}

func newTracer(w io.Writer, start time.Time) *tracer {
	return &tracer{out: bufio.NewWriterSize(w, 1<<16), start: start, last: map[string]*repeated{}}
}

// ObserveTick implements actors.TickObserver.
func (t *tracer) ObserveTick(tick event.Tick, o *engine.Output, _ *engine.Engine) {
	at := tick.Start.Sub(t.start).Seconds()
	for _, e := range o.Events {
		fmt.Fprintf(t.out, "%d %.3f %s\n", o.Tick, at, e)
	}
	for _, s := range o.States {
		fmt.Fprintf(t.out, "%d %.3f %s\n", o.Tick, at, s)
	}
	for _, d := range o.Done {
		fmt.Fprintf(t.out, "%d %.3f = %s of %s: %s %s\n", o.Tick, at, d.Name, d.Owner, d.Result, d.Detail)
	}
	t.commands(o, at)
	for _, v := range o.Violations {
		fmt.Fprintf(t.out, "%d %.3f ! %s\n", o.Tick, at, v)
	}
	if _, err := t.out.Write(nil); err != nil { // the error of any write before
		t.failed.Store(true)
	}
}

// commands writes the commands of a tick, and the end of each repetition.
func (t *tracer) commands(o *engine.Output, at float64) {
	for _, c := range o.Commands {
		device := c.Target()
		last := t.last[device]
		if last != nil && reflect.TypeOf(c).Comparable() && last.command == c {
			last.tick, last.times = o.Tick, last.times+1
			continue
		}
		t.ended(device, o.Tick, at)
		t.last[device] = &repeated{command: c, tick: o.Tick}
		fmt.Fprintf(t.out, "%d %.3f > %s %T %+v\n", o.Tick, at, device, c, c)
	}
	for _, device := range slices.Sorted(maps.Keys(t.last)) {
		if t.last[device].tick != o.Tick {
			t.ended(device, o.Tick, at)
		}
	}
	t.tick, t.at = o.Tick, at
}

// ended writes that the newest command of a device is repeated no more.
func (t *tracer) ended(device string, tick uint64, at float64) {
	if last := t.last[device]; last != nil && last.times > 0 {
		fmt.Fprintf(t.out, "%d %.3f > %s again ×%d, until tick %d\n", tick, at, device, last.times, last.tick)
	}
	delete(t.last, device)
}

// close writes the rest.
func (t *tracer) close() error {
	for _, device := range slices.Sorted(maps.Keys(t.last)) {
		t.ended(device, t.tick, t.at)
	}
	if err := t.out.Flush(); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}
