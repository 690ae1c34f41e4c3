package headless

import (
	"bufio"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
)

// A tracer writes every lifecycle event, debug state, completion and device command as one line, "tick seconds what", so that a
// comparison of two runs finds their first difference. It has one owner. A trace that cannot be written ends the run.
type tracer struct {
	out    *bufio.Writer
	start  time.Time
	failed atomic.Bool
}

func newTracer(w io.Writer, start time.Time) *tracer {
	return &tracer{out: bufio.NewWriterSize(w, 1<<16), start: start}
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
	for _, c := range o.Commands {
		fmt.Fprintf(t.out, "%d %.3f > %s %T %+v\n", o.Tick, at, c.Target(), c, c)
	}
	for _, v := range o.Violations {
		fmt.Fprintf(t.out, "%d %.3f ! %s\n", o.Tick, at, v)
	}
	if _, err := t.out.Write(nil); err != nil { // the error of any write before
		t.failed.Store(true)
	}
}

// close writes the rest.
func (t *tracer) close() error {
	if err := t.out.Flush(); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}
