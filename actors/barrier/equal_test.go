package barrier

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
	"pgregory.net/rapid"
)

// Random trees of behaviors with random scripts run by direct calls and as actors. All that can be seen of the two runs is
// equal, tick by tick.
func TestActorsDecideLikeDirectCalls(t *testing.T) {
	for range 5 { // of a hundred cases
		rapid.Check(t, func(t *rapid.T) { drawPlay(t).compare(t) })
	}
}

// Direct calls and actors decide alike in cases that chance rarely finds: questions in the in-scope pass, some of which fail.
// Rules: T-9, T-10.
func TestActorsAnswerLikeDirectCallsInTheInScopePass(t *testing.T) {
	ask := func(to int) []deed { return []deed{{kind: deedAsk, to: to}} }
	boom := []deed{{kind: deedPanic}}
	for name, deeds := range map[string]map[string][]deed{
		"before the turn":         {key("update", "B", 2): ask(2)},
		"fails before the turn":   {key("update", "B", 2): ask(2), key("wants", "C", 2): boom},
		"after a failed turn":     {key("update", "B", 2): boom, key("update", "C", 2): ask(1)},
		"to the asker":            {key("update", "B", 2): ask(2), key("wants", "C", 2): ask(1)},
		"to the asker, who fails": {key("update", "B", 2): ask(2), key("wants", "C", 2): ask(1), key("wants", "B", 2): boom},
		"to oneself":              {key("update", "B", 2): append(ask(1), ask(2)...)},
	} {
		t.Run(name, func(t *testing.T) {
			p := quietPlay([][]int{{1, 2, 3}, {}, {}, {}})
			p.deeds = deeds
			p.compare(t)
		})
	}
}

// quietPlay is a play of behaviors that stay, in which nothing happens yet.
func quietPlay(delegates [][]int) *play {
	n := len(delegates)
	p := &play{
		delegates: delegates, links: make([][]int, n), quiet: make([]bool, n), traits: make([]int, n), deeds: map[string][]deed{}, acted: map[string]int{},
		events: make([][]behaviors.Event, playTicks), orders: make([][]engine.Command, playTicks),
		worlds: make([]hardware.Snapshot, playTicks), resets: make([]string, playTicks),
	}
	for i := range n {
		p.ids, p.stays = append(p.ids, string(rune('A'+i))), append(p.stays, true)
	}
	p.sets = []*set{p.first()}
	return p
}

// playTicks is the length of a play. A behavior is disabled at its fourth failure, so that happens too.
const playTicks = 10

// A deed is one thing that a behavior does in a hook.
type deed struct {
	kind  deedKind
	to    int // behavior, if the kind needs one
	ticks int // length of an action
	bad   bool
}

type deedKind int

const (
	deedPass deedKind = iota // ask, then delegate
	deedPassNow
	deedCold // delegate without asking
	deedAct
	deedActNow
	deedCancel
	deedCancelTelling
	deedQuit
	deedAsk
	deedPanic
	deedLock
	deedUnlock
	deedSuppress
	deedHush
	deedClaim
	deedTimer
	deedState
	deedFace
	deedStop
	deedGentle
	deedKinds // the others are in player_life_test.go
)

// A play is a scenario: a tree, what each behavior does in each hook of each tick, and the input from outside.
type play struct {
	ids       []string
	delegates [][]int
	links     [][]int
	stays     []bool
	quiet     []bool
	traits    []int
	roles     map[string]string // of the boot configuration, by key
	sets      []*set            // of definitions
	calm      bool              // chains grow, with helpers and interrupts; otherwise mostly trouble
	deeds     map[string][]deed // by hook, behavior and tick
	events    [][]behaviors.Event
	orders    [][]engine.Command
	worlds    []hardware.Snapshot
	resets    []string       // base to reset to before the tick; empty for none
	acted     map[string]int // hooks that ran, by name
}

var playHooks = []string{
	"enter", "leave", "wants", "start", "end", "update", "event", "back", "init", "with", "resumed", "won", "failed",
}

// drawPlay leaves the size and the number of deeds to rapid, which shrinks them, and the rest to chance: rapid's own preference for small
// numbers would make plays in which little happens.
func drawPlay(t *rapid.T) *play {
	n := rapid.IntRange(1, 7).Draw(t, "behaviors")
	n = max(n, rapid.IntRange(1, 7).Draw(t, "or at least"))
	busy := rapid.IntRange(20, 85).Draw(t, "busy percent")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), uint64(n)))
	p := &play{deeds: map[string][]deed{}, acted: map[string]int{}, calm: r.IntN(3) > 0}
	if p.calm {
		busy /= 2
	}
	for i := range n {
		p.ids = append(p.ids, string(rune('A'+i)))
		p.delegates = append(p.delegates, someOthers(r, n, i, min(n-1, 1+r.IntN(3))))
		p.links = append(p.links, someOthers(r, n, i, min(n-1, r.IntN(5)/4)))
		p.stays = append(p.stays, i == 0 || r.IntN(4) > 0 && !(p.calm && r.IntN(2) == 0))
		p.quiet = append(p.quiet, r.IntN(5) == 0)
		p.traits = append(p.traits, someTraits(r, p.calm))
	}
	for i, id := range p.ids {
		for _, hook := range playHooks {
			likely := busy
			if !slices.Contains([]string{"update", "start", "resumed", "back", "won"}, hook) {
				likely /= 3
			}
			for tick := 1; tick <= playTicks; tick++ {
				for r.IntN(100) < likely {
					p.deeds[key(hook, id, uint64(tick))] = append(p.deeds[key(hook, id, uint64(tick))], someDeed(r, p, i))
				}
			}
		}
	}
	for range playTicks {
		var evs []behaviors.Event
		for i := range r.IntN(3) {
			evs = append(evs, behaviors.Event{Source: "play", Seq: uint64(i), Payload: []behaviors.Payload{behaviors.TriggerWordHeard{}, behaviors.Poked{}, behaviors.CubeLost{}}[r.IntN(3)]})
		}
		p.events = append(p.events, evs)
		var orders []engine.Command
		if !p.calm || r.IntN(4) == 0 {
			orders = someOrders(r, p.ids)
		}
		p.orders = append(p.orders, orders)
		p.worlds = append(p.worlds, someWorld(r))
		p.resets = append(p.resets, "")
		if !p.calm && r.IntN(20) == 0 {
			p.resets[len(p.resets)-1] = p.ids[r.IntN(n)]
		}
	}
	p.roles = someRoles(r, p.ids)
	p.sets = someSets(r, p)
	if len(p.sets) > 1 {
		for tick := range playTicks {
			if r.IntN(5) == 0 {
				at := r.IntN(len(p.orders[tick]) + 1)
				p.orders[tick] = slices.Insert(p.orders[tick], at, engine.Command{Kind: engine.Reload, Set: uint64(r.IntN(len(p.sets))), Number: r.Uint64N(9)})
			}
		}
	}
	return p
}

// someOthers picks k of n behaviors, without i; rarely one before i, which may close a circle.
func someOthers(r *rand.Rand, n, i, k int) []int {
	var picked []int
	for _, o := range r.Perm(n) {
		if (o > i || o < i && r.IntN(12) == 0) && len(picked) < k {
			picked = append(picked, o)
		}
	}
	return picked
}

// someDeed prefers what builds stacks: its kinds up to deedActNow. Most targets are delegates.
func someDeed(r *rand.Rand, p *play, me int) deed {
	d := deed{kind: deedKind(r.IntN(int(allDeeds))), to: r.IntN(len(p.ids)), ticks: r.IntN(4), bad: r.IntN(6) == 0}
	if r.IntN(2) == 0 {
		d.kind = deedPass + deedKind(r.IntN(int(deedActNow-deedPass)+1))
	}
	if p.calm && r.IntN(6) > 0 {
		d.kind = calmDeeds[r.IntN(len(calmDeeds))]
	}
	if of := p.delegates[me]; len(of) > 0 && r.IntN(4) > 0 {
		d.to = of[r.IntN(len(of))]
	}
	if me == 0 && (d.kind == deedQuit || d.kind == deedPanic) && r.IntN(8) > 0 {
		d.kind = deedPass // without its base a tree does little
	}
	return d
}

func someOrders(r *rand.Rand, ids []string) []engine.Command {
	if r.IntN(5) > 0 {
		return nil
	}
	c := engine.Command{Kind: engine.CommandKind(r.IntN(int(engine.SetChecks) + 1)), Number: r.Uint64N(9)}
	switch c.Kind {
	case engine.RunBehavior:
		c.ID, c.Times = ids[r.IntN(len(ids))], r.IntN(5)-1
	case engine.PostIntent:
		c.Intent = &condition.Intent{Tag: "hello", Source: "ctl"}
	case engine.WakeWord:
		c.EndsMute = r.IntN(2) == 0
	case engine.SetStage:
		c.Stage = engine.Stage(r.IntN(5))
	case engine.SetBoot:
		c.ID, c.Now = ids[r.IntN(len(ids))], r.IntN(2) == 0
	case engine.SetChecks:
		c.On = true // whatever goes wrong is to be seen
	}
	return append(someOrders(r, ids), c)
}

func key(hook, id string, tick uint64) string { return fmt.Sprint(hook, id, tick) }

// compare runs the play by direct calls, by actors, and from the recording of the actors.
func (p *play) compare(t rapid.TB) {
	direct, actors := p.open(t, true), p.open(t, false)
	defer actors.close()
	var was [][]string
	for tick := range playTicks {
		if id := p.resets[tick]; id != "" {
			want, got := direct.reset(id), actors.reset(id)
			if !slices.Equal(want, got) {
				t.Fatalf("reset before tick %d\ndirect %q\nactors %q", tick+1, want, got)
			}
			if !actors.refused {
				was = append(was, got)
			}
		}
		want, got := direct.step(p, tick), actors.step(p, tick)
		actors.sound(t)
		if part := tape.Diff(direct.hooks(tick), actors.hooks(tick), 10); part != nil {
			t.Fatalf("hooks of direct calls (a) and of actors (b): %v", part)
		}
		if !slices.Equal(want, got) {
			t.Fatalf("tick %d: %s", tick+1, differ(want, got))
		}
		was = append(was, got)
	}
	want, got := direct.see(direct.eng.Shutdown()), actors.see(actors.eng.Shutdown())
	if !slices.Equal(want, got) {
		t.Fatalf("shutdown\ndirect %q\nactors %q", want, got)
	}
	was = append(was, got)
	actors.sound(t)
	if want, got := direct.hash.Sum(), actors.hash.Sum(); want != got {
		t.Fatalf("direct calls decide %s, actors %s", want, got)
	}
	p.replay(t, actors.rec, was)
}

// replay decides the recorded play again: everything that can be seen is as it was, but for what lost hooks logged.
func (p *play) replay(t rapid.TB, rec *tape.Tape, was [][]string) {
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	rec, err = tape.Decode(messages)
	if err != nil {
		t.Fatal(err)
	}
	d := &door{hash: tape.NewHasher(), kept: map[string]*behaviors.Control{}}
	r, err := tape.NewReplay(rec.Entries[0], tape.ReplayOptions{Options: p.options(t, d)})
	if err != nil {
		t.Fatal(err)
	}
	d.eng = r.Engine()
	for i, e := range rec.Entries[1:] {
		out, err := r.Step(e)
		if err != nil {
			t.Fatalf("entry %d: %v", i+1, err)
		}
		if got := d.see(out); !slices.Equal(got, was[i]) {
			t.Fatalf("entry %d: %s", i+1, differ(was[i], got))
		}
	}
}

// A door is one way to run a play.
type door struct {
	eng     *engine.Engine
	hash    *tape.Hasher
	rec     *tape.Tape // of actors
	refused bool       // the newest reset
	log     []string
	kept    map[string]*behaviors.Control // of the newest hook of each
	endTick func()
	close   func()
}

func (p *play) open(t rapid.TB, direct bool) *door {
	d := &door{hash: tape.NewHasher(), kept: map[string]*behaviors.Control{}, endTick: func() {}, close: func() {}}
	opts := p.options(t, d)
	if !direct {
		b, stop := start(t, time.Minute) // nothing hangs here
		opts.Hooks, d.endTick = b, b.EndTick
		d.rec = &tape.Tape{}
		opts.Recorder = tape.NewRecorder(d.rec.Add)
		d.close = stop
	}
	eng, err := engine.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	d.eng = eng
	if err := eng.Start(actorstest.Epoch); err != nil {
		t.Fatal(err)
	}
	return d
}

// hooks is the log of a tick.
func (d *door) hooks(i int) []tape.TickLog {
	return []tape.TickLog{{Tick: uint64(i + 1), Lines: d.log}}
}

// step runs one tick and returns everything that can be seen of it, but for the log of its hooks.
func (d *door) step(p *play, i int) []string {
	tick := uint64(i + 1)
	now := actorstest.Epoch.Add(time.Duration(tick) * period)
	d.log = nil
	world := p.worlds[i]
	world.Now = now
	out := d.eng.Step(engine.Input{Tick: tick, Now: now, World: world, Events: p.events[i], Commands: p.orders[i], Seed: 1})
	d.endTick()
	return d.see(out)
}

// reset resets the stack between two ticks.
func (d *door) reset(id string) []string {
	out, err := d.eng.ResetNow(id)
	if d.refused = err != nil; d.refused { // during an emergency stop: nothing was called, and nothing is recorded
		return []string{err.Error()}
	}
	return d.see(out)
}
