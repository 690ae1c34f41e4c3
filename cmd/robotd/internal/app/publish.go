package app

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// Paces of the pictures.
const (
	publishEvery = 50 * time.Millisecond // at most one picture
	askedWithin  = time.Second           // older answers of WantsToBeActivated are not shown
)

// A publisher makes the pictures for the page and the facts for the health checks. It is a tick observer: the picture of
// mind and body is taken between two ticks, and only if somebody looks; the rest (world, log, devices) is added by the
// reader.
type publisher struct {
	fixed   control.State // what never changes
	feed    *control.Feed
	body    *Body
	tally   *Tally
	book    *book
	trouble *troubles
	ring    *Ring
	now     func() time.Time
	start   time.Time
	period  time.Duration

	timing  timing // supervisor's goroutine only
	newest  time.Time
	last    uint64
	dropped uint64 // events that ticks themselves dropped

	first   chan struct{} // closed by the first completed tick
	at      atomic.Int64  // instant of the newest tick, Unix nanoseconds; 0 = none yet
	failing atomic.Uint32 // bits of checkNames
}

// checkNames are the checks of /readyz beyond the tick itself: without a base behavior nothing is decided, without motors
// nothing moves, without cliff sensors nothing may move.
var checkNames = [...]string{"base_behavior", "device_motors", "device_cliff"}

const (
	failBase = 1 << iota
	failMotors
	failCliff
)

// ObserveTick implements actors.TickObserver.
func (p *publisher) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) {
	if t.N == p.last { // the final drain
		return
	}
	p.last = t.N
	p.dropped += uint64(o.Dropped)
	p.timing.add(t.Start, t.Duration, t.Lateness)
	p.check(e)
	p.at.Store(t.Start.UnixNano())
	if t.N == 1 {
		close(p.first)
	}
	if !p.feed.Wanted() || t.Start.Sub(p.newest) < publishEvery {
		return
	}
	p.newest = t.Start
	p.feed.Publish(p.picture(t, e))
}

// check notes the health checks.
func (p *publisher) check(e *engine.Engine) {
	var bits uint32
	if e.Stack().Depth() == 0 {
		bits |= failBase
	}
	w := e.View().World
	if w.QualityOf(hardware.Motors) < hardware.Stale {
		bits |= failMotors
	}
	if w.QualityOf(hardware.Cliff) < hardware.Stale {
		bits |= failCliff
	}
	p.failing.Store(bits)
}

// aliveFloor keeps short periods from failing the health check at every scheduling delay.
const aliveFloor = 100 * time.Millisecond

// Alive is the health check: the newest tick is younger than three periods.
func (p *publisher) Alive() []string {
	at := p.at.Load()
	if at == 0 || p.now().Sub(time.Unix(0, at)) > max(3*p.period, aliveFloor) {
		return []string{"tick"}
	}
	return nil
}

// Ready is the readiness check.
func (p *publisher) Ready() []string {
	failing := p.Alive()
	if len(failing) > 0 {
		return failing
	}
	bits := p.failing.Load()
	for i, name := range checkNames {
		if bits&(1<<i) != 0 {
			failing = append(failing, name)
		}
	}
	return failing
}

// picture takes what belongs to the mind now, and leaves the rest to the first reader.
func (p *publisher) picture(t event.Tick, e *engine.Engine) *control.Frame {
	s := p.fixed
	v := e.View()
	s.Tick, s.TimeS = t.N, t.Start.Sub(p.start).Seconds()
	s.EStop = e.Halted() || p.body.Safety.State().EStop
	s.Stage, s.Boot, s.Checks, s.SelfTest = e.Stage().String(), e.Boot(), e.Checked(), e.SelfTesting()
	s.Run.ID, s.Run.Again = e.Executing()
	s.Stack, s.Scope = stackOf(e), p.scopeOf(e)
	if v.Intent.Pending != nil {
		s.Intent.Pending = v.Intent.Pending.Tag
	}
	if v.Intent.Active != nil {
		s.Intent.Active = v.Intent.Active.Tag
	}
	s.Feature, s.Mood, s.Stats = featureOf(e), moodOf(v), statsOf(e)
	s.Actions, s.Tracks = actionsOf(e), tracksOf(e)
	s.Latency = p.timing.state()
	world := *v.World // a copy: the next tick but one writes there again
	dropped := p.dropped
	s.Body = bodyOf(&world)
	s.Services = servicesOf(e)
	return control.NewFrame(func() *control.State {
		s.Latency.Missed, s.Latency.Skipped = p.tally.Missed.Load(), p.tally.Skipped.Load()
		s.Devices = p.devicesOf(&world)
		s.Log = p.ring.Lines()
		s.World = worldOf(p.body.Rig.View())
		p.count(&s.Counters)
		s.Troubles = p.trouble.state(dropped)
		return &s
	})
}

func stackOf(e *engine.Engine) []control.StackEntry {
	layers := e.Stack().Layers()
	out := make([]control.StackEntry, len(layers))
	for i := range layers {
		n := layers[i].Node()
		c := e.Cell(n.ID)
		out[i] = control.StackEntry{
			ID: n.ID, Class: c.Entry.Class.Name, State: c.State(), ActiveS: e.View().Now.Sub(c.Since()).Seconds(),
			InControl: i == len(layers)-1,
		}
	}
	return out
}

func (p *publisher) scopeOf(e *engine.Engine) []control.ScopeEntry {
	out := make([]control.ScopeEntry, 0, e.Stack().ScopeSize())
	tick := e.View().Tick
	e.Stack().EachInScope(func(n *stack.Node) {
		c := e.Cell(n.ID)
		entry := control.ScopeEntry{ID: n.ID, Class: c.Entry.Class.Name}
		if asked, yes := n.Asked(); asked > 0 && time.Duration(tick-asked)*p.period <= askedWithin {
			entry.Wants = "yes"
			if !yes {
				entry.Wants, entry.Why = "no", c.Why()
			}
		}
		if n.Disabled() {
			entry.Wants, entry.Why = "no", "disabled: failed too often"
		}
		out = append(out, entry)
	})
	return out
}

func actionsOf(e *engine.Engine) []control.ActionState {
	infos := e.Actions().Running()
	out := make([]control.ActionState, len(infos))
	for i, a := range infos {
		out[i] = control.ActionState{
			Tag: uint64(a.Tag), Slot: a.Slot, Name: a.Name, Status: a.Status, ForS: e.View().Now.Sub(a.Since).Seconds(),
			Tracks: a.Tracks.Names(), Owner: a.Owner,
		}
	}
	return out
}

func tracksOf(e *engine.Engine) []control.TrackState {
	held := e.Actions().Tracks().Holders()
	out := make([]control.TrackState, len(held))
	for i, h := range held {
		out[i] = control.TrackState{Name: h.Name, Holders: h.Holders}
	}
	return out
}

// devicesOf joins what the tick saw with what the device actors report and what was broken on purpose.
func (p *publisher) devicesOf(w *hardware.World) []control.DeviceState {
	broken := map[string]string{}
	for _, f := range p.body.Rig.Faults() {
		if broken[f.Device] != "" {
			broken[f.Device] += " "
		}
		broken[f.Device] += f.Kind
	}
	out := make([]control.DeviceState, 0, len(hardware.Names))
	for _, name := range hardware.Names {
		q, at, _ := w.StatusOf(name)
		d := control.DeviceState{Name: name, Quality: q.String(), Fault: broken[name], Value: valueOf(name, w)}
		if !at.IsZero() {
			d.AgeMS = max(0, float64(w.Now.Sub(at))/float64(time.Millisecond))
		}
		d.Restarts, d.Reinits, d.Retries, d.Errors, d.Cause = p.book.pages[name].counts()
		out = append(out, d)
	}
	return out
}

// count fills the counters.
func (p *publisher) count(c *control.CounterState) {
	stats := p.body.Rig.Stats()
	*c = control.CounterState{
		Panics: p.tally.Panics.Load(), Hangs: p.tally.Hangs.Load(), Refusals: p.tally.Refusals.Load(),
		Misuses: p.tally.Misuses.Load(), Warnings: p.tally.Warnings.Load(), Cycles: p.tally.Cycles.Load(), Resumed: p.tally.Resumed.Load(),
		Restarts: p.tally.Restarts.Load(), Violations: p.tally.Violations.Load(),
		Falls: stats.Falls, Dockings: stats.Dockings, DistanceM: stats.DistanceM,
	}
}

// fixedState is what never changes while the daemon runs.
func fixedState(s Setup) control.State {
	return control.State{
		PeriodMS: float64(s.Period) / float64(time.Millisecond), Robot: RobotName, Version: s.Version, Simulated: true,
		Behaviors: s.Catalog.IDs(), Intents: slices.Clone(s.Catalog.Boot.Intents), Stages: engine.Stages(),
	}
}
