package eventlog

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// A Reporter writes log lines for people. A device that stays broken gets one line when it fails, one when it counts as down and
// one when it is back. An actor that keeps failing gets at most one line every failEvery. A time in which no behavior wants control
// gets one line.
type Reporter struct {
	log  *slog.Logger
	ring *Ring
	now  func() time.Time
	path string // the stack as last logged; supervisor's goroutine only

	idle     uint64    // ticks without a willing behavior since that was logged; supervisor's goroutine only
	idleLast time.Time // the last of them

	hangs atomic.Int32 // how many devices are in hung

	mu      sync.Mutex
	failing map[string]bool   // by actor
	hung    map[string]bool   // by device: it failed by a hang, from which it may return
	quiet   map[string]*quiet // by actor
	refused map[string]string // by device: the newest text
	reinits map[string]uint64 // by device: of its incarnation
}

func NewReporter(log *slog.Logger, ring *Ring, now func() time.Time) *Reporter {
	return &Reporter{log: log, ring: ring, now: now, failing: map[string]bool{}, hung: map[string]bool{}, quiet: map[string]*quiet{}, refused: map[string]string{}, reinits: map[string]uint64{}}
}

// Limits of repeated lines.
const (
	failEvery = 10 * time.Second // at most one line of an actor's failures
	idleOver  = time.Second      // a behavior in control for this long ends the time without one
)

// quiet limits the lines about one actor or subject. Guarded by Reporter.mu.
type quiet struct {
	at     time.Time // of the last line
	missed uint64    // failures since that line
	told   bool      // the present failure has a line, so its end gets one too
}

// Observe implements event.Observer.
func (p *Reporter) Observe(r event.Record) {
	if s, ok := r.(*event.Sample); ok {
		if s.Reinits != 0 || p.hangs.Load() != 0 { // seldom, but samples come hundreds of times a second
			p.healed(s)
		}
		return
	}
	switch r := r.(type) {
	case event.Failure:
		p.failure(r)
	case event.Restart:
		p.fresh(r)
		p.restart(r)
	case event.Retry:
		if r.Down && r.Tries == downTries {
			p.mu.Lock()
			p.quietOf(r.Actor).told = true
			p.mu.Unlock()
			p.log.Error("down", "actor", r.Actor, "tries", r.Tries)
		}
	case event.Command:
		p.command(r)
	case event.Slow:
		p.seldom("slow/"+r.Actor, "slow", "actor", r.Actor, "where", r.Where, "took", r.Took)
	case event.Zombies:
		p.zombies(r)
	case event.Stale:
		p.seldom("stale/"+r.By, "request outside of a hook", "behavior", r.By, "requests", r.N)
	case event.Dropped:
		p.seldom("dropped", "events dropped", "events", r.N)
	case event.Overdue:
		p.log.Error("did not stop in time", "actor", r.Actor, "stage", r.Stage, "limit", r.Limit)
	case event.Reload:
		p.reload(r)
	case event.Lapse:
		p.seldom("lapse", "the process stood still and the motors lost their power", "device", r.Device, "for", r.For.Round(time.Millisecond))
	case event.Pace:
		p.log.Info("polled at another period, to fit the bus", "device", r.Device, "period", r.Period)
	case event.DeadLetter:
		p.log.Debug("dead letter", "to", r.To, "type", r.Type)
	case *event.Tick:
		if r.Missed || r.Skipped > 0 {
			p.log.Debug("late tick", "tick", r.N, "duration", r.Duration, "skipped", r.Skipped)
		}
	}
}

// reload tells what came of a change of the definitions.
func (p *Reporter) reload(r event.Reload) {
	if r.Result == "applied" || r.Result == "unchanged" {
		p.log.Info("definitions "+r.Result, "cause", r.Cause, "text", r.Text)
		return
	}
	p.log.Warn("definitions are not changed", "cause", r.Cause, "result", r.Result, "why", r.Text)
}

// downTries is the try at which a device counts as down for the first time.
const downTries = 3

func (p *Reporter) quietOf(actor string) *quiet {
	q := p.quiet[actor]
	if q == nil {
		q = &quiet{}
		p.quiet[actor] = q
	}
	return q
}

func (p *Reporter) failure(f event.Failure) {
	level, missed := p.weigh(f)
	if len(f.Stack) > 0 {
		p.log.Debug("stack of the panic", "actor", f.Actor, "stack", f.Stack)
	}
	args := []any{"actor", f.Actor, "where", f.Where, "reason", f.Reason, "text", f.Text}
	if missed > 0 {
		args = append(args, "suppressed", missed)
	}
	p.log.Log(context.Background(), level, "failed", args...)
}

// seldom logs a message as a warning, or at debug level if the same key had a warning within failEvery.
func (p *Reporter) seldom(key, msg string, args ...any) {
	p.mu.Lock()
	q, now := p.quietOf(key), p.now()
	level := slog.LevelDebug
	if q.at.IsZero() || now.Sub(q.at) >= failEvery {
		level, q.at = slog.LevelWarn, now
	}
	p.mu.Unlock()
	p.log.Log(context.Background(), level, msg, args...)
}

// healed logs that a chip had lost its configuration, as in a brown-out, and was set up again. It heals so quickly that nothing fails.
// And it ends the failure of a driver that returned after all.
func (p *Reporter) healed(s *event.Sample) {
	p.mu.Lock()
	returned := s.Good && p.hung[s.Device]
	before := p.reinits[s.Device]
	if s.Reinits != before {
		p.reinits[s.Device] = s.Reinits
	}
	p.mu.Unlock()
	if returned {
		p.restart(event.Restart{Actor: "device/" + s.Device, Reason: "hang"})
	}
	if s.Reinits > before {
		p.seldom("reinit/"+s.Device, "chip lost its configuration and was set up again", "device", s.Device, "times", s.Reinits)
	}
}

// zombies logs how many goroutines are lost, as an error from half of the limit on.
func (p *Reporter) zombies(z event.Zombies) {
	level := slog.LevelWarn
	switch {
	case z.N == 0:
		level = slog.LevelInfo
	case 2*z.N >= z.Limit:
		level = slog.LevelError
	}
	p.log.Log(context.Background(), level, "hooks that never returned", "zombies", z.N, "limit", z.Limit)
}

// weigh returns the level of a failure's line, and how many failures got no line since the last one that did.
func (p *Reporter) weigh(f event.Failure) (level slog.Level, missed uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.Group == "device" {
		if p.failing[f.Actor] { // the same failure, still
			return slog.LevelDebug, 0
		}
		p.failing[f.Actor] = true
		if name, ok := strings.CutPrefix(f.Actor, "device/"); ok && f.Reason == "hang" {
			p.hung[name] = true
			p.hangs.Store(int32(len(p.hung)))
		}
	}
	q, now := p.quietOf(f.Actor), p.now()
	if !q.at.IsZero() && now.Sub(q.at) < failEvery {
		q.missed++
		return slog.LevelDebug, 0
	}
	missed = q.missed
	*q = quiet{at: now, told: true}
	return slog.LevelWarn, missed
}

// fresh notes that an incarnation counts from 0.
func (p *Reporter) fresh(r event.Restart) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.reinits, strings.TrimPrefix(r.Actor, "device/"))
}

// restart logs that an actor is back, if its failure was logged.
func (p *Reporter) restart(r event.Restart) {
	p.mu.Lock()
	delete(p.failing, r.Actor)
	delete(p.hung, strings.TrimPrefix(r.Actor, "device/"))
	p.hangs.Store(int32(len(p.hung)))
	q := p.quietOf(r.Actor)
	level := slog.LevelDebug
	if q.told || q.at.IsZero() {
		level = slog.LevelInfo
	}
	q.told = false
	p.mu.Unlock()
	p.log.Log(context.Background(), level, "back", "actor", r.Actor, "reason", r.Reason, "downtime", r.Downtime.Round(time.Millisecond))
}

func (p *Reporter) command(c event.Command) {
	p.mu.Lock()
	known := p.refused[c.Device] == c.Text
	p.refused[c.Device] = c.Text
	p.mu.Unlock()
	level := slog.LevelWarn
	if known {
		level = slog.LevelDebug
	}
	p.log.Log(context.Background(), level, "command refused", "device", c.Device, "command", c.Type, "text", c.Text)
}

// ObserveTick implements actors.TickObserver.
func (p *Reporter) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) {
	moved, declined, resumed := false, "", ""
	for _, ev := range o.Events {
		switch ev.Kind {
		case stack.EventFault:
			p.log.Warn("behavior failed", "tick", t.N, "behavior", ev.ID, "hook", ev.Hook.String(), "text", ev.Text)
		case stack.EventDisabled:
			p.log.Error("behavior disabled until restart", "tick", t.N, "behavior", ev.ID, "text", ev.Text)
		case stack.EventReset:
			p.log.Info("base behavior changes", "tick", t.N, "behavior", ev.ID)
		case stack.EventBaseDeclined, stack.EventEmpty:
			if declined == "" {
				declined = ev.String()
			}
		case stack.EventCycle:
			p.seldom("cycle/"+ev.ID+"/"+ev.To, "control goes back and forth", "tick", t.N, "behavior", ev.ID, "and", ev.To)
		case stack.EventActivated:
			if ev.Text == stack.Resumed {
				resumed = ev.ID
			}
		case stack.EventRefused:
			p.log.Debug("refused", "tick", t.N, "text", ev.String())
		case stack.EventPush, stack.EventPop:
			moved = true
		}
	}
	for _, s := range o.States {
		p.log.Debug("state", "tick", t.N, "behavior", s.ID, "state", s.State)
	}
	if o.MoreStates > 0 {
		p.log.Debug("more states than are listed", "tick", t.N, "states", o.MoreStates)
	}
	for i := range o.Misuses {
		p.log.Debug("misused", "tick", t.N, "text", o.Misuses[i].Error(), "applied", o.Misuses[i].Applied)
	}
	for _, w := range o.Warnings {
		p.log.Debug("warning", "tick", t.N, "text", w.String())
	}
	for _, f := range o.Features {
		if !f.Ended {
			p.log.Debug("feature starts", "tick", t.N, "feature", f.Feature, "run", f.Run, "source", f.Source)
		} else {
			p.log.Debug("feature ends", "tick", t.N, "feature", f.Feature, "run", f.Run, "duration", f.Duration)
		}
	}
	p.wanting(t.N, declined, p.now())
	if moved && declined == "" {
		p.control(t, e, resumed)
	}
}

// wanting logs the begin and the end of a time in which no behavior wants control. Declined is the first event of a tick that says
// so, "" if there was none.
func (p *Reporter) wanting(tick uint64, declined string, now time.Time) {
	switch {
	case declined != "":
		if p.idle == 0 {
			p.log.Warn("no behavior wanted control", "tick", tick, "event", declined)
		}
		p.idle++
		p.idleLast = now
	case p.idle > 0 && now.Sub(p.idleLast) >= idleOver:
		p.log.Info("a behavior is in control again", "tick", tick, "without", p.idle)
		p.idle = 0
	}
}

// control logs the stack when it changed. Resumed is the behavior that was resumed after an interrupt in this tick, "" if none.
func (p *Reporter) control(t event.Tick, e *engine.Engine, resumed string) {
	layers := e.Stack().Layers()
	ids := make([]string, len(layers))
	for i := range layers {
		ids[i] = layers[i].Node().ID
	}
	if path := strings.Join(ids, " › "); path != p.path {
		p.path = path
		if resumed != "" {
			path += " (" + resumed + " resumed)"
		}
		p.log.Debug("in control", "tick", t.N, "stack", path)
		if p.ring != nil && path != "" {
			p.ring.Add(p.now(), "info", path)
		}
	}
}
