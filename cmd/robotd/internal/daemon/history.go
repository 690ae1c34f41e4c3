package daemon

import (
	"log/slog"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/replay"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/metrics/record"
)

// recordLimit is how long a stop waits for the disk. What is not written then is lost but for less than a second, as if the process had been
// killed.
const recordLimit = 2 * time.Second

// history is what is kept of the robot's life: the last hour in memory, and the recording.
type history struct {
	facts  *facts.Recorder
	memory *record.Memory
	live   *record.Live
	writer *record.Writer // nil: nothing is recorded
	taper  *replay.Taper  // before writer
}

// begin begins to record.
func (h *history) begin(run *setup.Options, begin time.Time, log *slog.Logger) (err error) {
	life := run.Life(run.Profile().Name, begin, !run.Real)
	h.live = record.NewLive()
	h.memory = record.NewMemory(life, run.Tree, 0, 0)
	if h.writer, err = run.Recorder(life, facts.Recorded(), false, log); err == nil && h.writer != nil {
		h.taper = replay.NewTaper(h.writer)
		run.Tape = h.taper.Recorder()
		log.Info("recording", "folder", run.Recording.Dir, "life", life.ID)
	}
	return err
}

// observe starts the stream of facts.
func (h *history) observe(d *daemon, ring *eventlog.Ring) {
	var truth facts.Truth
	if !d.sim.Real {
		truth = d.sim.Rig
	}
	h.facts = facts.NewRecorder(facts.Options{
		Setup: d.run, Truth: truth, Counters: d.counters, Safety: d.sim.Safety, Start: d.begin, Now: time.Now, Sinks: h.sinks(),
		Recording: h.stats(),
	})
	ring.Tee(h.facts.Line)
}

// past answers from the memory.
func (h *history) past(s *sets.Store, system *actors.System) *facts.Past {
	return &facts.Past{Source: h.memory, Live: true, Catalog: s.Of, Costs: facts.CostsOf(system.HookTimes)}
}

// sinks take what happens.
func (h *history) sinks() []record.Sink {
	if h.writer == nil {
		return []record.Sink{h.live, h.memory}
	}
	return []record.Sink{h.live, h.memory, h.taper}
}

// stats are the counters of the recording; nil without one.
func (h *history) stats() func() record.Stats {
	if h.writer == nil {
		return nil
	}
	return func() record.Stats {
		s := h.writer.Stats()
		if h.facts != nil {
			s.Dropped += h.facts.Dropped()
		}
		return s
	}
}

// end completes the recording. Nothing is observed any more.
func (h *history) end(log *slog.Logger) {
	if h.facts != nil {
		h.facts.Close(recordLimit)
	}
	if h.writer == nil {
		return
	}
	h.taper.Close()
	if err := h.writer.Close(recordLimit); err != nil {
		log.Warn("recording", "err", err)
	}
}
