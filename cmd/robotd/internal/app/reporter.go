package app

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// A reporter turns what happens into log lines for people. A device that stays broken gets one line when it fails, one
// when it counts as down and one when it is back.
type reporter struct {
	log  *slog.Logger
	ring *Ring
	now  func() time.Time
	path string // of control, as last told; supervisor's goroutine only

	mu      sync.Mutex
	failing map[string]bool   // by actor
	refused map[string]string // by device: the newest text
}

func newReporter(log *slog.Logger, ring *Ring, now func() time.Time) *reporter {
	return &reporter{log: log, ring: ring, now: now, failing: map[string]bool{}, refused: map[string]string{}}
}

// Observe implements event.Observer.
func (p *reporter) Observe(r event.Record) {
	switch r := r.(type) {
	case event.Failure:
		p.failure(r)
	case event.Restart:
		p.mu.Lock()
		delete(p.failing, r.Actor)
		p.mu.Unlock()
		p.log.Info("back", "actor", r.Actor, "reason", r.Reason, "downtime", r.Downtime.Round(time.Millisecond))
	case event.Retry:
		if r.Down && r.Tries == downTries {
			p.log.Error("down", "actor", r.Actor, "tries", r.Tries)
		}
	case event.Command:
		p.command(r)
	case event.DeadLetter:
		p.log.Debug("dead letter", "to", r.To, "type", r.Type)
	case event.Tick:
		if r.Missed || r.Skipped > 0 {
			p.log.Debug("late tick", "tick", r.N, "duration", r.Duration, "skipped", r.Skipped)
		}
	}
}

// downTries is the try at which a device counts as down for the first time.
const downTries = 3

func (p *reporter) failure(f event.Failure) {
	level := slog.LevelWarn
	if f.Group == "device" {
		p.mu.Lock()
		if p.failing[f.Actor] {
			level = slog.LevelDebug
		}
		p.failing[f.Actor] = true
		p.mu.Unlock()
	}
	if f.Stack != "" {
		p.log.Debug("stack of the panic", "actor", f.Actor, "stack", f.Stack)
	}
	p.log.Log(context.Background(), level, "failed", "actor", f.Actor, "where", f.Where, "reason", f.Reason, "text", f.Text)
}

func (p *reporter) command(c event.Command) {
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
func (p *reporter) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) {
	moved := false
	for _, ev := range o.Events {
		switch ev.Kind {
		case stack.EventFault:
			p.log.Warn("behavior failed", "tick", t.N, "behavior", ev.ID, "hook", ev.Hook.String(), "text", ev.Text)
		case stack.EventDisabled:
			p.log.Error("behavior disabled until restart", "tick", t.N, "behavior", ev.ID, "text", ev.Text)
		case stack.EventReset:
			p.log.Info("base behavior changes", "tick", t.N, "behavior", ev.ID)
		case stack.EventBaseDeclined, stack.EventEmpty:
			p.log.Warn("no behavior wanted control", "tick", t.N, "event", ev.String())
		case stack.EventRefused:
			p.log.Debug("refused", "tick", t.N, "text", ev.String())
		case stack.EventPush, stack.EventPop:
			moved = true
		}
	}
	if moved {
		p.control(t, e)
	}
}

// control tells the page who is in control now.
func (p *reporter) control(t event.Tick, e *engine.Engine) {
	layers := e.Stack().Layers()
	ids := make([]string, len(layers))
	for i := range layers {
		ids[i] = layers[i].Node().ID
	}
	if path := strings.Join(ids, " › "); path != p.path {
		p.path = path
		p.log.Debug("in control", "tick", t.N, "stack", path)
		if p.ring != nil && path != "" {
			p.ring.Add(p.now(), "info", path)
		}
	}
}
