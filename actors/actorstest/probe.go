package actorstest

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/stack"
)

// Trouble is what a probe does once, in one hook.
type Trouble struct {
	Behavior string
	Hook     stack.Hook
	Kind     string // "panic", "goexit", "block", "spin"
	done     atomic.Bool
	release  chan struct{} // ends block and spin
	released atomic.Bool
}

// NewTrouble makes trouble that has not struck.
func NewTrouble(behavior string, hook stack.Hook, kind string) *Trouble {
	return &Trouble{Behavior: behavior, Hook: hook, Kind: kind, release: make(chan struct{})}
}

// Struck reports whether the trouble has happened.
func (t *Trouble) Struck() bool { return t.done.Load() }

func (t *Trouble) strike(id string, h stack.Hook) {
	if t == nil || t.Behavior != id || t.Hook != h || !t.done.CompareAndSwap(false, true) {
		return
	}
	switch t.Kind {
	case "panic":
		panic("trouble in " + id)
	case "goexit":
		runtime.Goexit()
	case "block":
		<-t.release
	case "spin":
		for !t.released.Load() {
		}
	}
}

// Free lets the hook return that blocks or spins.
func (t *Trouble) Free() {
	t.released.Store(true)
	close(t.release)
}

// probe is a behavior that delegates to its only delegate when activated, and may cancel itself in its Update.
type probe struct {
	id       string
	next     []string
	quitAt   uint64
	trouble  *Trouble
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

// Probes builds a catalog from "A > B C" lines: A lists B and C, delegates down when a "!" follows its name, and has no hook
// when a "~" does. The first line names the base. A probe that is in quit cancels itself in that tick.
func Probes(t testing.TB, tree string, trouble *Trouble, quit map[string]uint64) *catalog.Catalog {
	t.Helper()
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Probe", New: func(cfg *behaviors.Config) behaviors.Behavior {
		return &probe{id: cfg.ID(), next: cfg.DelegateList("next"), delegate: cfg.Bool("down"), trouble: trouble, quitAt: quit[cfg.ID()]}
	}}, behaviors.Class{Name: "Quiet", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.DelegateList("next")
		cfg.Bool("down")
		return quiet{}
	}})
	var docs []string
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
		base = cmp.Or(base, id)
		docs = append(docs, fmt.Sprintf(`{"behaviorClass":%q,"behaviorID":%q,"next":%s,"down":%v}`, class, id, list(f[min(len(f), 2):]), down))
	}
	return Catalog(t, reg, base, base, docs...)
}
