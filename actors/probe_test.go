package actors

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/resources"
)

// trouble is what a probe does once, in one hook.
type trouble struct {
	behavior string
	hook     stack.Hook
	kind     string // "panic", "block", "spin"
	done     atomic.Bool
	release  chan struct{} // ends block and spin at the end of the test
	released atomic.Bool
}

func (t *trouble) strike(id string, h stack.Hook) {
	if t == nil || t.behavior != id || t.hook != h || !t.done.CompareAndSwap(false, true) {
		return
	}
	switch t.kind {
	case "panic":
		panic("trouble in " + id)
	case "block":
		<-t.release
	case "spin":
		for !t.released.Load() {
		}
	}
}

func (t *trouble) free() {
	t.released.Store(true)
	close(t.release)
}

// probe is a behavior that delegates to its only delegate when activated, and may cancel itself in its Update.
type probe struct {
	id       string
	next     []string
	quitAt   uint64
	trouble  *trouble
	delegate bool
}

func (p *probe) OnEnteredScope(*behaviors.Control) { p.trouble.strike(p.id, stack.HookEnteredScope) }
func (p *probe) OnLeftScope(*behaviors.Control)    { p.trouble.strike(p.id, stack.HookLeftScope) }

func (p *probe) WantsToBeActivated(*behaviors.Control) bool {
	p.trouble.strike(p.id, stack.HookWants)
	return true
}

func (p *probe) OnActivated(c *behaviors.Control) {
	p.trouble.strike(p.id, stack.HookActivated)
	p.descend(c)
}

func (p *probe) OnDeactivated(*behaviors.Control) { p.trouble.strike(p.id, stack.HookDeactivated) }

func (p *probe) Update(c *behaviors.Control) {
	p.trouble.strike(p.id, stack.HookUpdate)
	if c.Activated() && p.quitAt == c.Tick() {
		c.CancelSelf()
		return
	}
	if c.InControl() {
		p.descend(c)
	}
}

func (p *probe) descend(c *behaviors.Control) {
	if !p.delegate {
		return
	}
	for _, id := range p.next {
		if c.Wants(id) && c.DelegateTo(id, nil) {
			return
		}
	}
}

func (p *probe) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// quiet is a probe without any hook.
type quiet struct{}

// probes builds a catalog from "A > B C" lines: A lists B and C, delegates down when a "!" follows its name, and has no hook
// when a "~" does.
func probes(t testing.TB, tree string, tr *trouble, quit map[string]uint64) *behaviors.Catalog {
	t.Helper()
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Probe", New: func(cfg *behaviors.Config) behaviors.Behavior {
		return &probe{id: cfg.ID(), next: cfg.DelegateList("next"), delegate: cfg.Bool("down"), trouble: tr, quitAt: quit[cfg.ID()]}
	}}, behaviors.Class{Name: "Quiet", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.DelegateList("next")
		cfg.Bool("down")
		return quiet{}
	}})
	var docs []*resources.Document
	base := ""
	for line := range strings.Lines(tree) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		id, down := strings.CutSuffix(f[0], "!")
		class := "Probe"
		if name, still := strings.CutSuffix(id, "~"); still {
			id, class = name, "Quiet"
		}
		if base == "" {
			base = id
		}
		next := `[]`
		if len(f) > 2 {
			next = `["` + strings.Join(f[2:], `","`) + `"]`
		}
		src := fmt.Sprintf(`{"behaviorClass":%q,"behaviorID":%q,"next":%s,"down":%v}`, class, id, next, down)
		doc, diags := resources.Parse(id+".json", []byte(src))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		docs = append(docs, doc)
	}
	boot, _ := resources.Parse("behavior_config.json", fmt.Appendf(nil, `{"normalBaseBehavior":%q,"fallbackBehavior":%q,"userIntents":[]}`, base, base))
	cat, diags := behaviors.NewCatalog(docs, boot, reg)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return cat
}

// watcher keeps what observers saw.
type watcher struct {
	mu       sync.Mutex
	failures []event.Failure
	ticks    chan tickSeen
}

type tickSeen struct {
	timing     event.Tick
	events     []string
	violations []string
	stack      []string
}

func newWatcher() *watcher { return &watcher{ticks: make(chan tickSeen, 4096)} }

func (w *watcher) Observe(r event.Record) {
	if f, ok := r.(event.Failure); ok {
		w.mu.Lock()
		w.failures = append(w.failures, f)
		w.mu.Unlock()
	}
}

func (w *watcher) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) {
	seen := tickSeen{timing: t, violations: o.Violations}
	for _, ev := range o.Events {
		seen.events = append(seen.events, ev.String())
	}
	e.Stack().Each(false, nil, func(n *stack.Node) bool {
		seen.stack = append(seen.stack, n.ID)
		return true
	})
	select {
	case w.ticks <- seen:
	default:
	}
}

func (w *watcher) blamed() []event.Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]event.Failure(nil), w.failures...)
}

// live starts a robot without devices in real time and stops it at the end of the test.
func live(t testing.TB, cat *behaviors.Catalog, w *watcher, period, budget time.Duration) *System {
	t.Helper()
	s, err := Start(Config{Catalog: cat, Period: period, Budget: budget, Observer: w, Ticks: []TickObserver{w}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}
