package barrier

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A drama is a robot whose barrier is traced: the base A lists B, C and D, and B lists C. Their hooks do what the drama says, by
// "ID.Hook".
type drama struct {
	*recorder
	t       testing.TB
	deeds   map[string]func(c *behaviors.Control)
	yes     map[string]bool // who wants to be activated
	barrier *Barrier
	eng     *engine.Engine
	tick    uint64
	seed    uint64
	seen    int           // steps
	release chan struct{} // lets all go on that hang
}

// A part is a behavior of a drama.
type part struct {
	id    string
	drama *drama
}

func (p *part) do(hook string, c *behaviors.Control) {
	p.drama.recorder.mu.Lock() // a zombie reads beside the test
	f := p.drama.deeds[p.id+"."+hook]
	p.drama.recorder.mu.Unlock()
	if f != nil {
		f(c)
	}
}

func (p *part) Update(c *behaviors.Control)         { p.do("Update", c) }
func (p *part) OnActivated(c *behaviors.Control)    { p.do("Start", c) }
func (p *part) OnDeactivated(c *behaviors.Control)  { p.do("End", c) }
func (p *part) OnEnteredScope(c *behaviors.Control) { p.do("Enter", c) }
func (p *part) OnLeftScope(c *behaviors.Control)    { p.do("Leave", c) }
func (p *part) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (p *part) WantsToBeActivated(c *behaviors.Control) bool {
	p.do("Wants", c)
	return p.drama.yes[p.id]
}

// newDrama has a robot live its first tick, after the barrier was prepared.
func newDrama(t testing.TB, prepare ...func(b *Barrier)) *drama {
	t.Helper()
	b, stop := start(t, patient)
	p := &drama{
		recorder: newRecorder(), t: t, barrier: b, deeds: map[string]func(c *behaviors.Control){}, yes: map[string]bool{},
		release: make(chan struct{}),
	}
	b.tracer = p.recorder
	b.load = &clock.Load{Waiting: func(int64) bool { return p.stuck.Load() }, CPU: func() time.Duration { return 0 }}
	for _, f := range prepare {
		f(b)
	}
	t.Cleanup(func() {
		p.free()
		stop()
	})
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Part", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.DelegateList("next")
		p.construct(cfg.ID() + ".New")
		return &part{id: cfg.ID(), drama: p}
	}})
	list := func(id string, next ...string) string { return actorstest.Listing("Part", id, next...) }
	cat := actorstest.Catalog(t, reg, "A", "A", list("A", "B", "C", "D"), list("B", "C"), list("C"), list("D"))
	var err error
	if p.eng, err = engine.New(engine.Options{Catalog: cat, Hooks: b, MaxFailures: 50}); err != nil {
		t.Fatal(err)
	}
	if err := p.eng.Start(actorstest.Epoch); err != nil {
		t.Fatal(err)
	}
	p.step(1)
	return p
}

// construct runs a deed without a Control.
func (p *drama) construct(key string) {
	if f := p.deeds[key]; f != nil {
		f(nil)
	}
}

// on says what a hook does from now on.
func (p *drama) on(key string, f func(c *behaviors.Control)) {
	p.recorder.mu.Lock()
	defer p.recorder.mu.Unlock()
	p.deeds[key] = f
}

// step runs ticks.
func (p *drama) step(n int) {
	p.t.Helper()
	for range n {
		p.tick++
		now := actorstest.Epoch.Add(time.Duration(p.tick) * period)
		p.check(p.eng.Step(engine.Input{Tick: p.tick, Now: now, World: hardware.Snapshot{Now: now}, Seed: p.seed}))
	}
}

func (p *drama) check(out *engine.Output) {
	p.t.Helper()
	p.barrier.EndTick()
	if len(out.Violations) > 0 {
		p.t.Fatal(out.Violations)
	}
}

// hangs makes the tick one in which hooks that hang are given up soon.
func (p *drama) hangs() {
	p.t.Helper()
	p.barrier.SetBudget(lenient)
	p.step(1)
	p.barrier.SetBudget(patient)
}

// quiet is a lookout that leaves all looks to somebody else.
type quiet struct{}

func (quiet) Begin(time.Time)   {}
func (quiet) Set(time.Duration) {}
func (quiet) Stop()             {}
func (quiet) Close()            {}

// polls is a lookout that has the engine's goroutine look.
type polls struct {
	quiet
	timer *time.Timer
}

func (l polls) Begin(time.Time)     { l.Set(pollEvery) }
func (l polls) Set(d time.Duration) { l.timer.Reset(d) }
func (l polls) Stop()               { l.timer.Stop() }

// lookItself has the engine's goroutine look.
func (p *drama) lookItself() {
	p.barrier.lookout.Close()
	p.barrier.lookout = polls{timer: time.AfterFunc(time.Hour, p.barrier.ring)}
}

// letGo lets go on what hangs.
func (p *drama) letGo() {
	select {
	case <-p.release:
	default:
		close(p.release)
	}
}

// forget makes told see what comes now only.
func (p *drama) forget() { p.seen = len(p.lines) }

func (p *drama) told(step string) bool {
	p.recorder.mu.Lock()
	defer p.recorder.mu.Unlock()
	return slices.Contains(p.lines[p.seen:], step)
}

// settled reports whether every worker that was given up has come to its end, or to that of its job.
func (p *drama) settled() bool {
	p.recorder.mu.Lock()
	defer p.recorder.mu.Unlock()
	last, lost := map[string]string{}, map[string]bool{}
	for _, line := range p.lines {
		switch f := append(strings.Fields(line), ""); stepKind(f[0]) {
		case stepGivesUp:
			lost[f[1]] = true
		case stepBegins, stepSkips, stepReturns, stepFails, stepMoves, stepReports, stepLeaves:
			last[f[1]] = f[0]
		}
	}
	for w := range lost {
		if k := stepKind(last[w]); k != stepReports && k != stepLeaves {
			return false
		}
	}
	return true
}

// free lets go on what hangs, and waits for it.
func (p *drama) free() {
	p.letGo()
	for !p.settled() {
		runtime.Gosched()
	}
}

// end stops the robot and returns the trace of its life.
func (p *drama) end() string {
	p.check(p.eng.Shutdown())
	p.free()
	p.barrier.Close()
	if err := p.fits(); err != nil {
		p.t.Fatal(err)
	}
	return p.String()
}

// wait hangs.
func (p *drama) wait(*behaviors.Control) {
	p.stuck.Store(true)
	<-p.release
}

func boom(*behaviors.Control) { panic("boom") }

func leave(*behaviors.Control) { runtime.Goexit() }

// once is a deed that is done once.
func once(deed func(c *behaviors.Control)) func(c *behaviors.Control) {
	did := false
	return func(c *behaviors.Control) {
		if !did {
			did = true
			deed(c)
		}
	}
}

// pass gives control to another behavior.
func pass(to string) func(c *behaviors.Control) {
	return func(c *behaviors.Control) {
		if c.InControl() && c.Wants(to) {
			c.DelegateTo(to, nil)
		}
	}
}

// poll asks all at once.
func poll(ids ...string) func(c *behaviors.Control) {
	cs := behaviors.NewCandidates(ids...)
	return func(c *behaviors.Control) { c.FirstWanting(cs) }
}

func ask(id string) func(c *behaviors.Control) {
	return func(c *behaviors.Control) { c.Wants(id) }
}
