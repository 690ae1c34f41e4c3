package facts

import (
	"slices"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/hardware"
)

// seen is what the tick before captured, to copy only what changed.
type seen struct {
	tick     uint64
	scope    []*engine.Cell
	tracks   uint64
	stats    uint64 // activations
	services servicesKey
	settings uint64
	troubles uint64
	devices  uint64
	dropped  uint64 // events that ticks themselves dropped
}

// capture copies the state of the robot between two ticks.
func (r *Recorder) capture(b *raw, t event.Tick, o *engine.Output, e *engine.Engine) {
	s, v := &r.seen, e.View()
	first := s.tick == 0
	s.tick = t.N
	b.tick, b.at, b.catalog = t.N, t.Start.Sub(r.opts.Start), e.Catalog()
	b.duration, b.lateness = t.Duration, t.Lateness
	b.missed, b.skipped = r.opts.Counters.Missed.Load(), r.opts.Counters.Skipped.Load()
	b.world, b.mood, b.feature, b.face = *v.World, v.Mood, e.Feature(), e.FaceLayer()
	if v.Intent.Pending != nil {
		b.pending = v.Intent.Pending.Tag
	}
	if v.Intent.Active != nil {
		b.active = v.Intent.Active.Tag
	}
	r.captureStack(b, e, first)
	r.captureQuestions(b, e)
	b.actions = e.Actions().AppendRunning(b.actions)
	if n := e.Actions().Tracks().Changes(); first || n != s.tracks {
		s.tracks, b.tracks = n, e.Actions().Tracks().Holders()
	}
	r.captureServices(b, e, first)
	if n := e.Settings(); first || n != s.settings {
		set := feed.SettingsOf(e)
		s.settings, b.settings = n, &set
	}
	r.captureOutput(b, o)
	r.captureCounts(b, first)
	r.takeNotes(b)
	if r.opts.Virtual && r.opts.Truth != nil {
		b.truth = truthOf(r.opts.Truth)
	}
}

func (r *Recorder) captureStack(b *raw, e *engine.Engine, first bool) {
	b.boot.Stage, b.boot.Boot, b.boot.Checks, b.boot.SelfTest = e.Stage().String(), e.Boot(), e.Checked(), e.SelfTesting()
	b.boot.Run.ID, b.boot.Run.Again = e.Executing()
	safety := r.opts.Safety.State()
	b.stop = control.StopState{Number: safety.Stop, Mind: e.Halted(), Line: safety.EStop}
	layers := e.Stack().Layers()
	for i := range layers {
		c := layers[i].Node().Data.(*engine.Cell)
		b.layers = append(b.layers, rawLayer{c, c.State(), c.Since()})
	}
	if n := e.Stat(catalogActivated); first || n != r.seen.stats {
		r.seen.stats, b.stats = n, feed.StatsOf(e)
	}
}

// captureQuestions takes what was asked, and copies who is in scope if that changed.
func (r *Recorder) captureQuestions(b *raw, e *engine.Engine) {
	s := &r.seen
	b.answers = e.TakeAnswers(b.answers)
	i, same := 0, true
	e.Stack().EachInScope(func(n *stack.Node) {
		c := n.Data.(*engine.Cell)
		b.scope = append(b.scope, c)
		same = same && i < len(s.scope) && s.scope[i] == c
		i++
		if n.Disabled() {
			b.disabled = append(b.disabled, n.ID)
		}
	})
	if b.sameScope = same && i == len(s.scope); !b.sameScope {
		s.scope = append(s.scope[:0], b.scope...)
	}
}

// servicesKey changes whenever the shared facilities may have. Lists that are mostly empty are compared as they are.
type servicesKey struct {
	look                hardware.Look
	services            condition.Services
	watchers            uint64
	connected, carrying bool
	word                bool
	users, pushed       []string
	lights              []engine.LightHolder
}

func (k *servicesKey) equal(o *servicesKey) bool {
	return k.look == o.look && k.services == o.services && k.watchers == o.watchers && k.connected == o.connected && k.carrying == o.carrying &&
		k.word == o.word && slices.Equal(k.users, o.users) && slices.Equal(k.pushed, o.pushed) && slices.Equal(k.lights, o.lights)
}

func (r *Recorder) captureServices(b *raw, e *engine.Engine, first bool) {
	v := e.View()
	k := servicesKey{
		look: e.Look(), services: v.Services, watchers: e.WatcherChanges(), connected: v.World.Body.CubeConnected, carrying: v.World.Body.Carrying,
		word: v.TriggerWord, users: e.CubeUsers(), pushed: e.Responders(), lights: e.CustomLights(),
	}
	if first || !k.equal(&r.seen.services) {
		s := feed.ServicesOf(e)
		r.seen.services, b.services = k, &s
	}
}

// captureOutput copies what happened in the tick.
func (r *Recorder) captureOutput(b *raw, o *engine.Output) {
	for i := range o.Events {
		if told(o.Events[i].Kind) {
			b.events = append(b.events, o.Events[i])
		}
	}
	for i := range o.Done {
		d := &o.Done[i]
		b.done = append(b.done, rawDone{uint64(d.Tag), d.Owner, d.Name, d.Result.String(), d.Detail})
	}
	for i := range o.Replies {
		if a := &o.Replies[i]; a.Err == "" && a.Text != "" {
			b.replies = append(b.replies, a.Text)
		}
	}
	b.features = append(b.features, o.Features...)
	r.troubles.ObserveTick(event.Tick{}, o, nil)
	r.seen.dropped += uint64(o.Dropped)
}

// captureCounts copies what events changed.
func (r *Recorder) captureCounts(b *raw, first bool) {
	s, c := &r.seen, r.opts.Counters
	if n := r.troubles.Changes() + s.dropped; first || n != s.troubles {
		t := r.troubles.State(s.dropped)
		s.troubles, b.troubles = n, &t
	}
	if n := r.devices.Changes(); first || n != s.devices {
		s.devices = n
		for _, name := range hardware.Names {
			b.devices = append(b.devices, r.devices.Of(name))
		}
	}
	b.counters = control.CounterState{
		Panics: c.Panics.Load(), Hangs: c.Hangs.Load(), Refusals: c.Refusals.Load(), Misuses: c.Misuses.Load(), Warnings: c.Warnings.Load(),
		Cycles: c.Cycles.Load(), Resumed: c.Resumed.Load(), Restarts: c.Restarts.Load(), Violations: c.Violations.Load(),
	}
}

// takeNotes moves what was noted since the tick before.
func (r *Recorder) takeNotes(b *raw) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b.notes = append(b.notes, r.notes...)
	b.lines = append(b.lines, r.lines...)
	clear(r.notes)
	clear(r.lines)
	r.notes, r.lines = r.notes[:0], r.lines[:0]
}
