package facts_test

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/metrics/record"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		for _, dir := range hours {
			_ = os.RemoveAll(dir)
		}
		os.Exit(code)
	}))
}

var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// tape is a history that keeps every message.
type tape struct {
	mu    sync.Mutex
	life  record.Life
	ticks []record.Instant
	all   []record.Message
	gaps  []record.Gap
}

func (h *tape) Tick(n uint64, at time.Duration, batch []record.Message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ticks = append(h.ticks, record.Instant{Tick: n, At: at})
	h.all = append(h.all, batch...)
}

func (h *tape) Life() record.Life                  { return h.life }
func (h *tape) Span() (first, last record.Instant) { return h.ticks[0], h.ticks[len(h.ticks)-1] }
func (h *tape) Gaps() []record.Gap                 { return h.gaps }
func (h *tape) Resources() (fs.FS, error)          { return nil, fs.ErrNotExist }

func (h *tape) Find(at time.Duration) (tick uint64, ok bool) {
	for _, t := range h.ticks {
		if t.At > at {
			break
		}
		tick, ok = t.Tick, true
	}
	return tick, ok
}

func (h *tape) At(tick uint64, topics []string, yield func(record.Message) bool) error {
	type place struct{ topic, key string }
	newest := map[place]record.Message{}
	var order []place
	for _, m := range h.all {
		if m.Tick > tick || m.Instant || topics != nil && !slices.Contains(topics, m.Topic) {
			continue
		}
		p := place{m.Topic, m.Key}
		if _, ok := newest[p]; !ok {
			order = append(order, p)
		}
		newest[p] = m
	}
	for _, p := range order {
		if m := newest[p]; m.Data != nil && !yield(m) {
			break
		}
	}
	return nil
}

func (h *tape) Scan(topics []string, from, to uint64, yield func(record.Message) bool) error {
	for _, m := range h.all {
		if m.Tick >= from && m.Tick <= to && (topics == nil || slices.Contains(topics, m.Topic)) && !yield(m) {
			break
		}
	}
	return nil
}

// A life is a robot in virtual time whose ticks are captured.
type life struct {
	t        testing.TB
	run      setup.Options
	timeline *clock.Virtual
	robot    *simrobot.Robot
	system   *actors.System
	recorder *facts.Recorder
	feed     *control.Feed
	tape     *tape
	watch    func(*life, event.Tick, *engine.Output, *engine.Engine) // nil: nobody
}

// A watcher sees the ticks after the publisher.
type watcher func(t event.Tick, o *engine.Output, e *engine.Engine)

func (w watcher) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) { w(t, o, e) }

// newLife starts a robot. Each tick is captured, then watched.
func newLife(t testing.TB, seed uint64) *life {
	t.Helper()
	run := setuptest.Options(t, seed)
	tape := &tape{life: run.Life("sim", epoch, true)}
	l := newLifeInto(t, run, tape)
	l.tape = tape
	return l
}

// newLifeInto starts a robot whose facts go into some sinks.
func newLifeInto(t testing.TB, run setup.Options, sinks ...record.Sink) *life {
	t.Helper()
	return startLife(t, run, nil, sinks...)
}

// startLife starts a robot to which something was done before.
func startLife(t testing.TB, run setup.Options, before func(*life), sinks ...record.Sink) *life {
	t.Helper()
	seed := run.Seed
	l := &life{t: t, run: run, timeline: clock.NewVirtual(epoch)}
	l.robot = simrobot.New(profile.R1(), l.timeline, seed, false)
	ring := eventlog.NewRing(epoch)
	log := slog.New(eventlog.AtTime(ring, l.timeline.Now))
	counters := runstats.NewCounters(false, func(v string) { t.Error(v) })
	report := eventlog.NewReporter(log, ring, l.timeline.Now)
	pub := feed.NewPublisher(l.run, l.robot, counters, ring, l.timeline.Now, epoch)
	l.feed = pub.Feed()
	if release, err := l.feed.Follow(); err != nil {
		t.Fatal(err)
	} else {
		t.Cleanup(release)
	}
	l.recorder = facts.NewRecorder(facts.Options{
		Setup: l.run, Truth: l.robot.Rig, Counters: counters, Safety: l.robot.Safety, Start: epoch, Now: l.timeline.Now,
		Sinks: sinks, Virtual: true,
	})
	ring.Tee(l.recorder.Line)
	ticks := []actors.TickObserver{counters, report, pub, l.recorder, watcher(func(t event.Tick, o *engine.Output, e *engine.Engine) {
		if l.watch != nil {
			l.watch(l, t, o, e)
		}
	})}
	if before != nil {
		before(l)
	}
	var err error
	if l.system, err = l.robot.Start(l.run, l.timeline, event.Tee{counters, report, pub, l.recorder}, ticks, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.end)
	return l
}

// live lets the robot live until a time since its start.
func (l *life) live(until time.Duration) {
	l.t.Helper()
	if err := l.system.RunFor(until-l.timeline.Now().Sub(epoch), nil); err != nil {
		l.t.Fatal(err)
	}
}

// end stops the robot and waits for what was captured.
func (l *life) end() {
	if l.system == nil {
		return
	}
	if err := l.system.Stop(context.Background()); err != nil {
		l.t.Error(err)
	}
	_ = l.robot.Safety.Close()
	l.recorder.Close(time.Minute)
	l.timeline.Close()
	l.system = nil
}

// intent says something to the robot.
func (l *life) intent(tag string) {
	l.t.Helper()
	if _, err := l.system.Inbox().Post(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: tag, Source: "test"}}); err != nil {
		l.t.Fatal(err)
	}
}

// act does something to the robot.
func (l *life) act(a control.Act) {
	l.t.Helper()
	text, err := l.robot.Act(a, func(e behaviors.Event) { l.system.Inbox().Raise(e) })
	if err != nil {
		l.t.Fatal(err)
	}
	l.recorder.Person(text)
}
