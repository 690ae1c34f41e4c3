package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/replay"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/metrics/record"
)

// epoch is the instant at which every headless run begins, so that equal runs are equal.
var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// paceSlice is how much wall time passes between two looks at the clock of a run with a limited speed.
const paceSlice = 20 * time.Millisecond

// wordLimit is how long the end of a recorded run waits for what was captured.
const wordLimit = time.Minute

// Options are the options of a run in virtual time.
type Options struct {
	For    time.Duration // of simulated time
	Speed  float64       // upper limit of simulated over wall time; 0 = as fast as possible
	Script []Line        // sorted by SortScript
	Trace  io.Writer     // nil: no trace
}

// run is one run in virtual time.
type run struct {
	robot    *simrobot.Robot
	system   *actors.System
	timeline *clock.Virtual
	stop     atomic.Bool
	trace    *tracer         // nil: none
	facts    *facts.Recorder // nil: nothing is recorded
	answers  []<-chan engine.Reply
}

// ErrInterrupted says that a headless run ended before its time.
var ErrInterrupted = errors.New("interrupted")

// Run runs a simulated robot in virtual time: the same actors, drivers and emulated chips as the live one, on
// another clock. Equal setup, options and binary give an equal decision hash. The summary is valid even with an error.
func Run(ctx context.Context, s setup.Options, o Options) (runstats.Summary, error) {
	h := &run{timeline: clock.NewVirtual(epoch)}
	defer h.timeline.Close()
	defer context.AfterFunc(ctx, func() { h.stop.Store(true) })()
	h.robot = simrobot.Among(s.People, s.Profile(), h.timeline, s.Seed, false)
	h.robot.Alone()
	ring, handler := (*eventlog.Ring)(nil), s.Log.Handler()
	if s.Recording.Dir != "" {
		ring = eventlog.NewRing(epoch)
		handler = slog.NewMultiHandler(handler, ring)
	}
	log := slog.New(eventlog.AtTime(handler, h.timeline.Now))
	counters := runstats.NewCounters(true, func(v string) { log.Error("lifecycle violation", "text", v) })
	report := eventlog.NewReporter(log, ring, h.timeline.Now)
	ticks := []actors.TickObserver{counters, report}
	if o.Trace != nil {
		h.trace = newTracer(o.Trace, epoch)
		ticks = append(ticks, h.trace)
	}
	observers := event.Tee{counters, report}
	writer, err := s.Recorder(s.Life(s.Profile().Name, epoch, true), facts.Recorded(), true, log)
	if err != nil {
		return runstats.Summary{}, err
	}
	var taper *replay.Taper
	if writer != nil {
		defer func() { _ = writer.Close(0) }() // after an error
		taper = replay.NewTaper(writer)
		s.Tape = taper.Recorder()
		h.facts = facts.NewRecorder(facts.Options{
			Setup: s, Truth: h.robot.Rig, Counters: counters, Safety: h.robot.Safety, Start: epoch, Now: h.timeline.Now,
			Sinks: []record.Sink{taper}, Virtual: true,
		})
		defer h.facts.Close(0)
		ring.Tee(h.facts.Line)
		observers, ticks = append(observers, h.facts), append(ticks, h.facts)
	}
	if h.system, err = h.robot.Start(s, h.timeline, observers, ticks, nil); err != nil {
		return runstats.Summary{}, err
	}
	defer func() { _ = h.system.Stop(context.Background()) }() // after a panic; a second stop does nothing
	begin := time.Now()
	err = h.live(ctx, o)
	simulated, wall, stats := h.timeline.Now().Sub(epoch), time.Since(begin), h.robot.Rig.Stats()
	err = errors.Join(err, h.refusals(), h.system.Stop(context.Background()), h.robot.Safety.Close())
	if writer != nil {
		h.facts.Close(wordLimit)
		taper.Close()
		err = errors.Join(err, writer.Close(0))
	}
	if h.trace != nil {
		err = errors.Join(err, h.trace.close())
	}
	sum := runstats.Summarize(s, counters, stats, simulated, wall)
	sum.Bus = runstats.BusOf(h.robot.Rates())
	return sum, err
}

// live runs from one scripted instant to the next.
func (h *run) live(ctx context.Context, o Options) error {
	begin := time.Now()
	for _, l := range o.Script {
		if l.At > o.For {
			break
		}
		if err := h.until(ctx, l.At, o.Speed, begin); err != nil {
			return err
		}
		if err := l.do(h); err != nil {
			return fmt.Errorf("%s: %w", l.Text, err)
		}
	}
	return h.until(ctx, o.For, o.Speed, begin)
}

// until advances virtual time to an instant since the start.
func (h *run) until(ctx context.Context, at time.Duration, speed float64, begin time.Time) error {
	for {
		left := at - h.timeline.Now().Sub(epoch)
		slice := left
		if speed > 0 {
			slice = min(left, max(time.Duration(speed*float64(paceSlice)), 1))
		}
		if slice >= 0 {
			if err := h.system.RunFor(slice, h.over); err != nil {
				return err
			}
		}
		if h.over() {
			return fmt.Errorf("%w after %v of simulated time", ErrInterrupted, h.timeline.Now().Sub(epoch))
		}
		if speed > 0 {
			due := begin.Add(time.Duration(float64(h.timeline.Now().Sub(epoch)) / speed))
			pause(ctx, time.Until(due))
		}
		if slice >= left {
			return nil
		}
	}
}

// over reports whether the run shall end before its time: it was told to stop, or nobody can read its trace.
func (h *run) over() bool { return h.stop.Load() || h.trace != nil && h.trace.failed.Load() }

// pause waits on the wall clock, for runs with a limited speed.
func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// person notes what a person did.
func (h *run) person(text string) {
	if h.facts != nil {
		h.facts.Person(text)
	}
}

// post hands a command to the next tick.
func (h *run) post(c engine.Command) error {
	answer, err := h.system.Inbox().Post(c)
	h.answers = append(h.answers, answer)
	return err
}

// refusals joins the errors of the script's commands that a tick refused.
func (h *run) refusals() error {
	var errs []error
	for _, a := range h.answers {
		select {
		case r := <-a:
			if r.Err != "" {
				errs = append(errs, errors.New(r.Err))
			}
		default: // the run ended before the next tick
		}
	}
	return errors.Join(errs...)
}
