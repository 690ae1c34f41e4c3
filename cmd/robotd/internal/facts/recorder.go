package facts

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/metrics/record"
)

// waiting is how many ticks may wait for the goroutine that words them: four seconds at the default period.
const waiting = 64

// A Truth is the simulated world, for what is true rather than believed.
type Truth interface {
	View() sim.View
	Stats() sim.Stats
	Faults() []sim.Fault
}

// Options are the options of a Recorder.
type Options struct {
	Setup    setup.Options
	Truth    Truth // nil on a real robot
	Counters *runstats.Counters
	Safety   *device.Safety
	Start    time.Time
	Now      func() time.Time
	Sinks    []record.Sink
	// Recording tells whether the recording goes on; nil: there is none.
	Recording func() record.Stats
	// Virtual says that time is virtual: a tick waits until it is recorded, and everything is read on the tick, so that equal lives
	// give equal streams. Otherwise no tick waits, and the world is read beside it.
	Virtual bool
}

// A Recorder makes the stream of facts. It observes ticks and events, decides nothing, and no tick waits for it unless time is virtual.
type Recorder struct {
	said     atomic.Pointer[sentenceValue] // newest
	opts     Options
	devices  *feed.Devices
	troubles *feed.Troubles
	dropped  atomic.Uint64 // ticks that found the queue full
	free     chan *raw
	full     chan *raw
	quit     chan struct{} // closed by Close
	done     chan struct{} // closed when everything is handed on
	once     sync.Once

	seen seen // of the newest tick; supervisor's goroutine only

	mu    sync.Mutex
	notes []note
	// failing is how each device that does not work failed last; hung are those that failed by a hang, from which a driver may return.
	failing map[string]string
	hung    map[string]bool
	lines   []control.LogEntry
}

// NewRecorder starts a recorder. Close ends it.
func NewRecorder(o Options) *Recorder {
	r := &Recorder{
		opts: o, failing: map[string]string{}, hung: map[string]bool{}, devices: feed.NewDevices(), troubles: feed.NewTroubles(o.Now, o.Start),
		free: make(chan *raw, waiting), full: make(chan *raw, waiting), quit: make(chan struct{}), done: make(chan struct{}),
	}
	for range waiting {
		r.free <- &raw{}
	}
	go r.run()
	return r
}

// Dropped is how many ticks were not recorded because earlier ones were still being worded.
func (r *Recorder) Dropped() uint64 { return r.dropped.Load() }

// Observe implements event.Observer.
func (r *Recorder) Observe(rec event.Record) {
	r.devices.Observe(rec)
	r.troubles.Observe(rec)
	if s, ok := rec.(*event.Sample); ok && s.Good {
		r.returned(s.Device)
	}
	if e, ok := eventOf(rec); ok && r.fresh(rec) {
		r.note(e)
	}
}

// fresh reports whether a record tells something new. A device that stays broken fails at each attempt to start it anew; that is told
// once until it works again, or fails otherwise.
func (r *Recorder) fresh(rec event.Record) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch rec := rec.(type) {
	case event.Restart:
		delete(r.failing, rec.Actor)
		delete(r.hung, nameOf(rec.Actor))
	case event.Failure:
		if rec.Group != "device" {
			return true
		}
		how := rec.Where + " " + rec.Reason
		known := r.failing[rec.Actor] == how
		r.failing[rec.Actor], r.hung[nameOf(rec.Actor)] = how, rec.Reason == "hang"
		return !known
	}
	return true
}

// returned ends the failure of a driver that hung, and returned before it was replaced.
func (r *Recorder) returned(device string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hung[device] {
		delete(r.hung, device)
		delete(r.failing, "device/"+device)
	}
}

// Person notes what a person did to the robot.
func (r *Recorder) Person(text string) { r.note(eventValue{Kind: "person", Who: "person", Text: text}) }

// Line adds one line of the log.
func (r *Recorder) Line(l control.LogEntry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.lines) < maxNotes {
		r.lines = append(r.lines, l)
	}
}

// maxNotes bounds the notes and the lines that wait for the next tick.
const maxNotes = 1024

func (r *Recorder) note(e eventValue) {
	at := r.opts.Now().Sub(r.opts.Start)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.notes) < maxNotes {
		r.notes = append(r.notes, note{at, e})
	}
}

// ObserveTick implements actors.TickObserver.
func (r *Recorder) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) {
	if t.N == r.seen.tick { // the final drain
		return
	}
	b := r.buffer()
	if b == nil {
		r.dropped.Add(1)
		return
	}
	r.capture(b, t, o, e)
	r.full <- b // never waits: there are no more buffers than places
}

// buffer returns an empty buffer; nil if all of them wait and time is not virtual, or after Close.
func (r *Recorder) buffer() *raw {
	select {
	case b := <-r.free:
		return b
	default:
	}
	if !r.opts.Virtual {
		return nil
	}
	select {
	case b := <-r.free:
		return b
	case <-r.quit:
		return nil
	}
}

// run words what was captured until Close, and then what still waits.
func (r *Recorder) run() {
	defer close(r.done)
	m := newMaker(&r.opts, &r.said)
	for {
		select {
		case b := <-r.full:
			r.word(m, b)
			continue
		default:
		}
		select {
		case b := <-r.full:
			r.word(m, b)
		case <-r.quit:
			if len(r.full) == 0 {
				return
			}
		}
	}
}

// word turns one captured tick into messages and hands them on.
func (r *Recorder) word(m *maker, b *raw) {
	if b.truth == nil && r.opts.Truth != nil {
		b.truth = truthOf(r.opts.Truth)
	}
	batch := m.make(b)
	n, at := b.tick, b.at
	b.reset()
	r.free <- b
	for i, s := range r.opts.Sinks {
		if i < len(r.opts.Sinks)-1 { // each sink owns its batch
			s.Tick(n, at, slices.Clone(batch))
		} else {
			s.Tick(n, at, batch)
		}
	}
}

// Close hands on what was captured, for limit at most. What comes later is not recorded.
func (r *Recorder) Close(limit time.Duration) {
	r.once.Do(func() { close(r.quit) })
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-r.done:
	case <-late.C:
	}
}

func truthOf(t Truth) *truth { return &truth{t.View(), t.Stats(), t.Faults()} }
