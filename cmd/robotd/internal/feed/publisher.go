package feed

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
)

// Limits of the state views.
const (
	publishEvery = 50 * time.Millisecond // at most one state view
	askedWithin  = time.Second           // older answers of WantsToBeActivated are not shown
)

// A Publisher makes the state views for the page and the facts for the health checks. It observes ticks: it copies the state of the
// engine between two ticks, and only if a reader waits. The reader adds world, log and devices on its own goroutine.
type Publisher struct {
	setup    setup.Options
	catalog  *catalog.Catalog // that fixed tells of
	fixed    control.State    // what changes with the definitions only
	feed     *control.Feed
	robot    *simrobot.Robot
	counters *runstats.Counters
	ring     *eventlog.Ring
	now      func() time.Time
	start    time.Time
	period   time.Duration

	devices  *Devices
	troubles *Troubles

	timing  Timing // supervisor's goroutine only
	anchor  Anchor // likewise
	newest  time.Time
	last    uint64
	dropped uint64 // events that ticks themselves dropped
	ended   endedActions

	said func(at float64) (control.SentenceState, []control.BannerState) // nil: nobody says

	first   chan struct{} // closed by the first completed tick
	at      atomic.Int64  // time of the newest tick since start, in nanoseconds; 0 = none yet
	failing atomic.Uint32 // bits of checkNames
}

// NewPublisher returns a publisher of a run that started at start by the clock now. It reads robot, counters and ring when a reader asks.
func NewPublisher(o setup.Options, robot *simrobot.Robot, counters *runstats.Counters, ring *eventlog.Ring, now func() time.Time, start time.Time) *Publisher {
	return &Publisher{
		setup: o, feed: control.NewFeed(), robot: robot, counters: counters, ring: ring, now: now, start: start, period: o.Period,
		devices: NewDevices(), troubles: NewTroubles(now, start), first: make(chan struct{}),
	}
}

// Says sets who says what the robot does and what holds it back. Call it before the first tick.
func (p *Publisher) Says(said func(at float64) (control.SentenceState, []control.BannerState)) {
	p.said = said
}

// Feed returns the feed that receives the state views.
func (p *Publisher) Feed() *control.Feed { return p.feed }

// First returns a channel that the first completed tick closes.
func (p *Publisher) First() <-chan struct{} { return p.first }

// Observe implements event.Observer.
func (p *Publisher) Observe(r event.Record) {
	p.devices.Observe(r)
	p.troubles.Observe(r)
}

// ObserveTick implements actors.TickObserver.
func (p *Publisher) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) {
	p.troubles.ObserveTick(t, o, e)
	if t.N == p.last { // the final drain
		return
	}
	p.last = t.N
	p.dropped += uint64(o.Dropped)
	if b := &e.View().World.Body; p.anchor.Begun(b) && !p.robot.Real {
		p.anchor.Tie(b, p.robot.Rig.View().Robot.Pose)
	}
	p.ended.take(o, t.Start.Sub(p.start).Seconds())
	p.timing.Add(t.Start.Sub(p.start), t.Duration, t.Lateness)
	p.check(e)
	p.completed(t.Start)
	if t.N == 1 {
		close(p.first)
	}
	if !p.feed.Wanted() || t.Start.Sub(p.newest) < publishEvery {
		return
	}
	p.newest = t.Start
	p.feed.Publish(p.view(t, e))
}

// view copies the state of the engine now and leaves the rest to the first reader.
func (p *Publisher) view(t event.Tick, e *engine.Engine) *control.Frame {
	if p.catalog != e.Catalog() {
		p.catalog = e.Catalog()
		p.fixed = FixedState(p.setup, p.catalog)
	}
	s := p.fixed
	v := e.View()
	s.Tick, s.TimeS = t.N, t.Start.Sub(p.start).Seconds()
	safety := p.robot.Safety.State()
	s.Stop = control.StopState{Number: safety.Stop, Mind: e.Halted(), Line: safety.EStop}
	s.EStop = s.Stop.Mind || s.Stop.Line
	s.Stage, s.Boot, s.Checks, s.SelfTest = e.Stage().String(), e.Boot(), e.Checked(), e.SelfTesting()
	s.Run.ID, s.Run.Again = e.Executing()
	s.Stack, s.Scope = stackOf(e), p.scopeOf(e)
	if v.Intent.Pending != nil {
		s.Intent.Pending = v.Intent.Pending.Tag
	}
	if v.Intent.Active != nil {
		s.Intent.Active = v.Intent.Active.Tag
	}
	s.Feature, s.Mood, s.Stats = featureOf(e), moodOf(v), StatsOf(e)
	s.Settings = SettingsOf(e)
	s.Actions, s.Tracks = actionsOf(e), tracksOf(e)
	s.Latency = p.timing.State()
	world := *v.World // a copy: the next tick but one writes there again
	dropped := p.dropped
	s.Body, s.Senses = BodyOf(&world), SensesOf(&world)
	s.Map = MapOf(&world, func(at time.Time) float64 { return at.Sub(p.start).Seconds() })
	s.Body.FaceLayer = e.FaceLayer().String()
	believed := p.anchor.Place(world.Body.Pose)
	s.Services = ServicesOf(e)
	return control.NewFrame(func() *control.State {
		s.Latency.Missed, s.Latency.Skipped = p.counters.Missed.Load(), p.counters.Skipped.Load()
		s.Devices = p.devicesOf(&world)
		s.Log = p.ring.Lines()
		if s.Banner = []control.BannerState{}; p.said != nil {
			s.Sentence, s.Banner = p.said(s.TimeS)
		}
		if !p.robot.Real {
			s.World = WorldOf(p.robot.Rig.View(), believed)
		}
		p.count(&s.Counters)
		s.Troubles = p.troubles.State(dropped)
		return &s
	})
}

// FixedState is the part of the state view that changes with the definitions only.
func FixedState(s setup.Options, cat *catalog.Catalog) control.State {
	return control.State{
		PeriodMS: float64(s.Period) / float64(time.Millisecond), Robot: s.Profile().Name, Parts: simrobot.PartsOf(s.Profile(), s.Real), Version: s.Version, Simulated: !s.Real,
		Behaviors: cat.IDs(), Definitions: cat.Sum, Intents: slices.Clone(cat.Boot.Intents), Stages: engine.Stages(),
	}
}
