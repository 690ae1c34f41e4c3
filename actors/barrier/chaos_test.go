package barrier

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

const (
	chaosLives = 60
	chaosTicks = 40
	chaosDepth = 3
)

var chaosIDs = []string{"A", "B", "C", "D", "E"}

// A chaotic behavior makes random requests in each hook, in deferred functions, and after it recovered from being unwound. If
// Controls are kept, it also uses those of hooks that are over and of other behaviors.
type chaotic struct {
	id   string
	kept map[string][]*behaviors.Control // of all behaviors; nil: each uses its own only
}

func (b *chaotic) OnActivated(c *behaviors.Control)    { b.act(c, 0) }
func (b *chaotic) OnDeactivated(c *behaviors.Control)  { b.act(c, 1) }
func (b *chaotic) OnEnteredScope(c *behaviors.Control) { b.seldom(c) }
func (b *chaotic) OnLeftScope(c *behaviors.Control)    { b.seldom(c) }
func (b *chaotic) Update(c *behaviors.Control)         { b.act(c, 0) }
func (b *chaotic) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (b *chaotic) WantsToBeActivated(c *behaviors.Control) bool {
	b.seldom(c)
	return c.Rand().IntN(5) > 0
}

func (b *chaotic) seldom(c *behaviors.Control) {
	if c.Rand().IntN(6) == 0 {
		b.act(c, 1)
	}
}

func (b *chaotic) act(c *behaviors.Control, depth int) {
	g := c.Rand()
	c = b.swap(c)
	back := func(c *behaviors.Control, _ behaviors.Outcome) { b.act(c, depth+1) }
	for range g.IntN(4) {
		to := chaosIDs[g.IntN(len(chaosIDs))]
		switch deed := g.IntN(16); {
		case deed < 2:
			c.Wants(to)
		case deed < 5:
			c.DelegateTo(to, back)
		case deed == 5:
			c.CancelSelf()
		case deed == 6:
			c.CancelDelegates()
		case deed == 7:
			c.Suggest(to)
		case deed == 8:
			c.Act(&chaoticAction{left: g.IntN(12)}, back)
		case deed == 9 && g.IntN(4) == 0:
			panic("by " + b.id)
		case deed == 10 && depth < chaosDepth:
			defer b.act(c, depth+1)
		case deed == 11 && depth < chaosDepth:
			b.stubborn(c, depth+1)
		case deed == 12:
			c.Tracks().Lock("k", actions.Lift)
		case deed == 13:
			c.Send(hardware.ShowFace{Face: to})
		case deed == 14:
			c.PlayEmergencyGetOut(&stint{left: 2, tracks: actions.Face})
		case deed == 15:
			c.SetState(to)
		}
	}
}

// stubborn recovers from every panic and goes on, also after it was unwound.
func (b *chaotic) stubborn(c *behaviors.Control, depth int) {
	defer func() { _ = recover() }()
	b.act(c, depth)
}

// swap keeps a Control, and sometimes returns another one that was kept.
func (b *chaotic) swap(c *behaviors.Control) *behaviors.Control {
	if b.kept == nil {
		return c
	}
	g := c.Rand()
	own := append(b.kept[b.id], c)
	b.kept[b.id] = own[max(0, len(own)-6):]
	if others := b.kept[chaosIDs[g.IntN(len(chaosIDs))]]; len(others) > 0 && g.IntN(3) == 0 {
		return others[g.IntN(len(others))]
	}
	return c
}

// A chaoticAction panics at its beginning, in its middle, or not at all.
type chaoticAction struct{ left int }

func (a *chaoticAction) Name() string           { return "chaotic" }
func (a *chaoticAction) Type() actions.Type     { return actions.TypeWait }
func (a *chaoticAction) Tracks() actions.Tracks { return actions.Head }

func (a *chaoticAction) Init(*actions.Env) actions.Result {
	if a.left == 1 {
		panic("at the beginning")
	}
	return actions.Success
}

func (a *chaoticAction) CheckIfDone(env *actions.Env) actions.Result {
	env.Send(hardware.MoveHead{ID: env.NextID(), AngleRad: env.Rand.Float64()})
	a.left--
	switch {
	case a.left == 3:
		panic("in the middle")
	case a.left < 0:
		return actions.Success
	}
	return actions.Running
}

func chaos(t *testing.T, kept map[string][]*behaviors.Control) *catalog.Catalog {
	t.Helper()
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Chaotic", New: func(cfg *behaviors.Config) behaviors.Behavior {
		for _, id := range chaosIDs {
			if id != cfg.ID() {
				cfg.MayDelegateTo(id)
			}
		}
		return &chaotic{id: cfg.ID(), kept: kept}
	}})
	files := make([]string, len(chaosIDs))
	for i, id := range chaosIDs {
		files[i] = actorstest.File("Chaotic", id)
	}
	return actorstest.Catalog(t, reg, "A", "B", files...)
}

// Behaviors that break every rule for authors break no invariant and hang no tick, and their life can be replayed.
// Rules: Q-8.
func TestChaoticAuthorsBreakNoInvariant(t *testing.T) {
	for _, foreign := range []bool{false, true} {
		t.Run(fmt.Sprintf("foreign=%v", foreign), func(t *testing.T) {
			panics := uint64(0)
			for seed := range uint64(chaosLives) {
				var kept map[string][]*behaviors.Control
				if foreign {
					kept = map[string][]*behaviors.Control{}
				}
				panics += chaoticLife(t, chaos(t, kept), seed, !foreign)
			}
			if panics < 2*chaosLives {
				t.Errorf("only %d panics: that is no chaos", panics)
			}
		})
	}
}

// chaoticLife lives one life through actors and, if wanted, again from its recording. It returns how often a hook panicked.
func chaoticLife(t *testing.T, cat *catalog.Catalog, seed uint64, again bool) uint64 {
	t.Helper()
	b, stop := start(t, patient)
	defer stop()
	rec := &tape.Tape{}
	eng, err := engine.New(engine.Options{Catalog: cat, Hooks: b, Recorder: tape.NewRecorder(rec.Add), MaxFailures: 50})
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Start(actorstest.Epoch); err != nil {
		t.Fatal(err)
	}
	for tick := range uint64(chaosTicks) {
		now := actorstest.Epoch.Add(time.Duration(tick+1) * period)
		o := eng.Step(engine.Input{Tick: tick + 1, Now: now, World: hardware.Snapshot{Now: now}, Seed: seed})
		b.EndTick()
		if len(o.Violations) > 0 {
			t.Fatalf("seed %d, tick %d: %v", seed, tick+1, o.Violations)
		}
	}
	if again {
		replayHang(t, cat, rec, eng)
	}
	return b.Stats().Panics
}
