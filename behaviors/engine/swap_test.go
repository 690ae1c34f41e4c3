package engine_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// A swapper is an engine whose definitions change: sets are lists of behaviors "ID -> delegates ~> links #version".
type swapper struct {
	t     *testing.T
	eng   *engine.Engine
	reg   *behaviors.Registry
	sets  map[uint64]*catalog.Catalog
	rec   tape.Tape
	tick  uint64
	log   []string       // hooks
	life  map[string]int // incarnations, by ID
	first *catalog.Catalog
	bad   func(id string, h string) bool
}

// A part is a behavior of such an engine: it delegates to its first delegate whenever it can, and keeps its count of ticks.
type part struct {
	s       *swapper
	id      string
	next    []string
	version int
	life    int
	ticks   int
}

func (p *part) note(hook string) {
	p.s.log = append(p.s.log, fmt.Sprintf("%s%d.%s", p.id, p.life, hook))
	if p.s.bad != nil && p.s.bad(p.id, hook) {
		panic(hook + " of " + p.id)
	}
}

func (p *part) Init(*behaviors.Control)                    { p.note("init") }
func (p *part) OnEnteredScope(*behaviors.Control)          { p.note("enter") }
func (p *part) OnLeftScope(*behaviors.Control)             { p.note("leave") }
func (p *part) OnActivated(*behaviors.Control)             { p.note("on") }
func (p *part) OnDeactivated(*behaviors.Control)           { p.note("off") }
func (p *part) WantsToBeActivated(*behaviors.Control) bool { return true }
func (p *part) Update(c *behaviors.Control) {
	p.ticks++
	c.SetState(fmt.Sprintf("%d ticks", p.ticks))
	if c.InControl() && len(p.next) > 0 && c.Wants(p.next[0]) {
		c.DelegateTo(p.next[0], nil)
	}
}

func (p *part) Modify(m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
	m.WhenOffTreads = p.version == 9
	for _, id := range p.next {
		m.WhenOffTreads = m.WhenOffTreads || of(id).WhenOffTreads
	}
}

// newSwapper starts an engine with set 0.
func newSwapper(t *testing.T, sets ...string) *swapper {
	s := &swapper{t: t, sets: map[uint64]*catalog.Catalog{}, life: map[string]int{}}
	s.reg = s.registry()
	for i, text := range sets {
		s.sets[uint64(i)] = s.catalog(text)
	}
	s.first = s.sets[0]
	clear(s.life)
	s.log = nil
	eng, err := engine.New(engine.Options{
		Catalog: s.first, Changes: s.change, Recorder: tape.NewRecorder(s.rec.Add),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.eng = eng
	if err := eng.Start(epoch); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *swapper) registry() *behaviors.Registry {
	return behaviors.NewRegistry(behaviors.Class{Name: "Part", New: func(cfg *behaviors.Config) behaviors.Behavior {
		p := &part{s: s, id: cfg.ID(), next: cfg.RefsOr("next", behaviors.RefBehavior), version: cfg.IntRangeOr("version", 0, 0, 9)}
		cfg.MayDelegateTo(p.next...)
		cfg.Link(cfg.RefsOr("links", behaviors.RefBehavior)...)
		s.life[p.id]++
		p.life = s.life[p.id]
		return p
	}})
}

// catalog builds a set: lines such as "B -> A C ~> D #1", the first behavior is the base. It is the fallback, too, which holds the stack during
// an emergency stop, unless another one has "!".
func (s *swapper) catalog(text string) *catalog.Catalog {
	s.t.Helper()
	var docs []*resources.Document
	base, fallback := "", ""
	for line := range strings.SplitSeq(text, ";") {
		keys, key := map[string][]string{}, "id"
		for _, w := range strings.Fields(line) {
			switch {
			case w == "->":
				key = "next"
			case w == "~>":
				key = "links"
			case w == "!":
				fallback = keys["id"][0]
			case w[0] == '#':
				keys["version"] = []string{w[1:]}
			case key == "id":
				keys[key] = []string{w}
			default:
				keys[key] = append(keys[key], fmt.Sprintf("%q", w))
			}
		}
		id := keys["id"][0]
		if base == "" {
			base = id
		}
		version := "0"
		if v := keys["version"]; v != nil {
			version = v[0]
		}
		doc, diags := resources.Parse(id+".json", fmt.Appendf(nil, `{"behaviorClass":"Part","behaviorID":%q,"version":%s,"next":[%s],"links":[%s]}`,
			id, version, strings.Join(keys["next"], ","), strings.Join(keys["links"], ",")))
		if diags.HasErrors() {
			s.t.Fatal(diags)
		}
		docs = append(docs, doc)
	}
	boot, _ := resources.Parse(catalog.BootFile, fmt.Appendf(nil, `{"normalBaseBehavior":%q,"fallbackBehavior":%q,"userIntents":[]}`, base, cmp.Or(fallback, base)))
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot}, s.reg)
	if cat == nil {
		s.t.Fatal(diags)
	}
	return cat
}

func (s *swapper) change(c *engine.Command) (*catalog.Change, error) {
	to := s.sets[c.Set]
	if to == nil {
		return nil, fmt.Errorf("there is no set %d", c.Set)
	}
	return catalog.Compare(s.eng.Catalog(), to)
}

// step runs a tick and returns the hooks that ran in it.
func (s *swapper) step(commands ...engine.Command) (*engine.Output, string) {
	s.t.Helper()
	s.tick++
	now := epoch.Add(time.Duration(s.tick) * period)
	s.log = nil
	out := s.eng.Step(engine.Input{Tick: s.tick, Now: now, World: hardware.Snapshot{Now: now}, Commands: commands, Seed: 1})
	if len(out.Violations) > 0 {
		s.t.Errorf("tick %d: %q", s.tick, out.Violations)
	}
	return out, strings.Join(s.log, " ")
}

func (s *swapper) reload(set uint64) (*engine.Output, string) {
	s.t.Helper()
	return s.step(engine.Command{Kind: engine.Reload, Set: set, Number: 7})
}

func (s *swapper) stack() (ids []string) {
	for _, l := range s.eng.Stack().Layers() {
		ids = append(ids, l.Node().ID)
	}
	return ids
}

func (s *swapper) steps(n int) {
	for range n {
		s.step()
	}
}

// verify decides the recorded life again.
func (s *swapper) verify() {
	s.t.Helper()
	messages, err := s.rec.Encode()
	if err != nil {
		s.t.Fatal(err)
	}
	rec, err := tape.Decode(messages)
	if err != nil {
		s.t.Fatal(err)
	}
	again := &swapper{t: s.t, sets: s.sets, reg: s.reg}
	s.life = map[string]int{}
	p, err := tape.NewReplay(rec.Entries[0], tape.ReplayOptions{Options: engine.Options{Catalog: s.first, Changes: again.change}})
	if err != nil {
		s.t.Fatal(err)
	}
	again.eng = p.Engine()
	for _, e := range rec.Entries[1:] {
		if _, err := p.Step(e); err != nil {
			s.t.Fatal(err)
		}
	}
}

// Rules: L-44.
func TestChangedTopIsReplacedWhileLayersBelowLiveOn(t *testing.T) {
	s := newSwapper(t, "R -> A; A -> B; B", "R -> A; A -> B; B #1")
	s.steps(3)
	out, hooks := s.reload(1)
	if want := "B1.off B1.leave B2.init B2.enter B2.on"; hooks != want {
		t.Errorf("hooks %q, want %q", hooks, want)
	}
	if got := s.eng.Cell("R").State() + ", " + s.eng.Cell("A").State(); got != "4 ticks, 4 ticks" {
		t.Errorf("R and A keep their state: %s", got)
	}
	if s.eng.Cell("B").State() != "1 ticks" || s.eng.Cell("B").Started() != 2 {
		t.Errorf("B: %q, started %d times", s.eng.Cell("B").State(), s.eng.Cell("B").Started())
	}
	if p := out.Swapped; p == nil || !slices.Equal(p.Changed, []string{"B"}) || !slices.Equal(p.Untouched, []string{"A", "R"}) {
		t.Errorf("plan %+v", p)
	}
	if r := out.Replies; len(r) != 1 || r[0].Err != "" || r[0].Text != "behaviors: 0 added, 1 changed, 0 restarted, 2 untouched, 0 removed" {
		t.Errorf("reply %+v", r)
	}
	s.verify()
}

// Rules: L-44.
func TestChangeOfMiddlePopsWhatIsAboveIt(t *testing.T) {
	s := newSwapper(t, "R -> A; A -> B; B -> C; C", "R -> A; A #1 -> B; B -> C; C")
	s.steps(3)
	_, hooks := s.reload(1)
	want := "C1.off C1.leave B1.off B1.leave A1.off A1.leave A2.init A2.enter B1.enter A2.on C1.enter B1.on C1.on"
	if hooks != want || fmt.Sprint(s.stack()) != "[R A B C]" {
		t.Errorf("hooks %q\nwant  %q, stack %v", hooks, want, s.stack())
	}
	s.verify()
}

// Rules: L-44.
func TestChangeInScopeOnlyLeavesTheStackAlone(t *testing.T) {
	s := newSwapper(t, "R -> A X; A; X", "R -> A X; A; X #1")
	s.steps(2)
	before := s.eng.Stack().Moves()
	_, hooks := s.reload(1)
	if hooks != "X1.leave X2.init X2.enter" || s.eng.Stack().Moves() != before {
		t.Errorf("hooks %q, %d moves", hooks, s.eng.Stack().Moves()-before)
	}
	s.verify()
}

// Rules: L-44.
func TestBehaviorsComeAndGo(t *testing.T) {
	s := newSwapper(t, "R -> A; A; Q", "R -> N A; N -> A; A", "R -> A; A; Q")
	s.steps(2)
	out, hooks := s.reload(1)
	if want := "A1.off A1.leave R1.off R1.leave N1.init R2.init R2.enter A1.enter N1.enter R2.on N1.on A1.on"; hooks != want {
		t.Errorf("hooks %q, want %q", hooks, want)
	}
	if p := out.Swapped; !slices.Equal(p.Added, []string{"N"}) || !slices.Equal(p.Removed, []string{"Q"}) || s.eng.Cell("Q") != nil {
		t.Errorf("plan %+v", p)
	}
	if out, _ := s.step(engine.Command{Kind: engine.RunBehavior, ID: "Q"}); !strings.Contains(out.Replies[0].Err, `there is no behavior "Q"`) {
		t.Errorf("%+v", out.Replies)
	}
	s.reload(2)
	if fmt.Sprint(s.stack()) != "[R A]" || s.eng.Cell("Q") == nil || s.eng.Cell("N") != nil {
		t.Errorf("back: %v", s.stack())
	}
	s.verify()
}

// Rules: L-44, P-3.
func TestDispatcherRestartsIfModifiersOfItsDelegateChange(t *testing.T) {
	s := newSwapper(t, "R -> A; A -> B; B", "R -> A; A -> B; B #9", "R -> A; A -> B; B #8")
	s.steps(3)
	out, _ := s.reload(2)
	if p := out.Swapped; len(p.Restarted) != 0 {
		t.Errorf("the modifiers are the same: %+v", p)
	}
	out, _ = s.reload(1)
	p := out.Swapped
	if !slices.Equal(p.Restarted, []string{"A", "R"}) || p.Reasons["A"] != "the modifiers of its delegate B" || p.Reasons["R"] != "the modifiers of its delegate A" {
		t.Errorf("plan %+v", p)
	}
	if !s.eng.Cell("R").Inc.Inst.Modifiers().WhenOffTreads {
		t.Error("the base did not learn of it")
	}
	s.verify()
}

// Rules: L-44, L-20.
func TestLayerRestartsIfLinksOfItsDelegateChange(t *testing.T) {
	s := newSwapper(t, "R -> A; A -> B; B; X", "R -> A; A -> B; B ~> X; X")
	s.steps(3)
	out, _ := s.reload(1)
	if p := out.Swapped; !slices.Equal(p.Restarted, []string{"A"}) || p.Reasons["A"] != "what is linked to its delegates" {
		t.Errorf("plan %+v", p)
	}
	if s.eng.Stack().Find("X").Count() != 1 {
		t.Error("X is not in scope")
	}
	s.verify()
}

// Rules: L-44.
func TestConfigurationThatNamesAnotherBaseChangesTheBase(t *testing.T) {
	s := newSwapper(t, "R -> A; A; S", "S; R -> A; A")
	s.steps(2)
	_, hooks := s.reload(1)
	if want := "A1.off A1.leave R1.off R1.leave S1.enter S1.on"; hooks != want || s.eng.Boot() != "S" {
		t.Errorf("hooks %q, want %q; boot %s", hooks, want, s.eng.Boot())
	}
	s.reload(0)
	if fmt.Sprint(s.stack()) != "[R A]" {
		t.Errorf("back: %v", s.stack())
	}
	s.verify()
}

// Rules: L-44.
func TestRefusedReloadChangesNothing(t *testing.T) {
	s := newSwapper(t, "R -> A; A", "R -> A; A #1")
	s.steps(2)
	was := s.eng.Catalog()
	out, hooks := s.reload(5)
	if out.Replies[0].Err != "there is no set 5" || out.Swapped != nil || hooks != "" || s.eng.Catalog() != was {
		t.Errorf("%+v %q", out.Replies, hooks)
	}
	stale, err := catalog.Compare(s.sets[1], s.sets[1])
	if err != nil {
		t.Fatal(err)
	}
	old, _ := engine.New(engine.Options{Catalog: s.first, Changes: func(*engine.Command) (*catalog.Change, error) { return stale, nil }})
	_ = old.Start(epoch)
	if out := old.Step(engine.Input{Tick: 1, Now: epoch, Commands: []engine.Command{{Kind: engine.Reload}}}); !strings.Contains(out.Replies[0].Err, "changed meanwhile") {
		t.Errorf("%+v", out.Replies)
	}
	none, _ := engine.New(engine.Options{Catalog: s.first})
	_ = none.Start(epoch)
	if out := none.Step(engine.Input{Tick: 1, Now: epoch, Commands: []engine.Command{{Kind: engine.Reload}}}); !strings.Contains(out.Replies[0].Err, "cannot change") {
		t.Errorf("%+v", out.Replies)
	}
	s.verify()
}

// A disabled behavior whose definition changed is in use again; failures in the hooks of the change are contained.
// Rules: L-44.
func TestChangeGivesDisabledBehaviorAnotherChance(t *testing.T) {
	s := newSwapper(t, "R -> A; A", "R -> A; A #1")
	s.bad = func(id, hook string) bool { return id == "A" && hook == "on" }
	s.steps(9)
	if !s.eng.Cell("A").Node.Disabled() {
		t.Fatal("A is not disabled")
	}
	s.bad = func(id, hook string) bool {
		return id == "A" && (hook == "leave" || s.life["A"] == 6 && hook == "init")
	}
	s.reload(1)
	s.bad = nil
	s.steps(2)
	if fmt.Sprint(s.stack()) != "[R A]" {
		t.Errorf("stack %v", s.stack())
	}
	s.verify()
}

// A boot behavior that failed too often gets its place back from the fallback when a change makes it usable, or names another one; not by a change
// of something else.
// Rules: L-29, L-44.
func TestMendedBootBehaviorTakesItsPlaceBack(t *testing.T) {
	for _, c := range []struct{ name, after, want string }{
		{"mended", "R #1 -> A; A; W !", "[R A]"},
		{"with modifiers of another delegate", "R -> A B; A; B; W !", "[R A]"},
		{"another one", "A; R; W !", "[A]"},
		{"something else", "R -> A; A #1; W !", "[W]"},
		{"the fallback", "R -> A; A; W #1 !", "[W]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSwapper(t, "R -> A; A; W !", c.after)
			s.bad = func(id, hook string) bool { return id == "R" && hook == "on" }
			s.steps(9)
			if got := fmt.Sprint(s.stack()); got != "[W]" || !s.eng.Cell("R").Node.Disabled() {
				t.Fatalf("the fallback has not taken over: %s", got)
			}
			s.bad = nil
			_, hooks := s.reload(1)
			s.steps(2)
			if got := fmt.Sprint(s.stack()); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if c.name == "something else" && strings.Contains(hooks, "W1.") {
				t.Errorf("the fallback began anew: %s", hooks)
			}
			s.verify()
		})
	}
}

// A fallback that has its place by an operator's order keeps it.
// Rules: L-44.
func TestMendedBootBehaviorLeavesTheFallbackThatAnOperatorChose(t *testing.T) {
	s := newSwapper(t, "R -> A; A; W !", "R #1 -> A; A; W !")
	s.bad = func(id, hook string) bool { return id == "R" && hook == "on" }
	s.steps(9)
	s.step(engine.Command{Kind: engine.RunBehavior, ID: "W", Times: -1, Number: 8})
	s.bad = nil
	s.reload(1)
	s.steps(2)
	if got := fmt.Sprint(s.stack()); got != "[W]" {
		t.Errorf("%s", got)
	}
	s.verify()
}

// Rules: L-44, L-42.
func TestChangeDuringEmergencyStopKeepsTheStop(t *testing.T) {
	s := newSwapper(t, "R -> A; A", "R -> A; A #1", "R #1 -> A; A")
	s.steps(2)
	s.step(engine.Command{Kind: engine.EStop, Stop: 1})
	for _, set := range []uint64{1, 2} {
		s.reload(set)
		s.steps(2)
		if !s.eng.Halted() || fmt.Sprint(s.stack())[:2] != "[R" {
			t.Errorf("halted %v, stack %v", s.eng.Halted(), s.stack())
		}
	}
	s.step(engine.Command{Kind: engine.Resume, Stop: 1})
	s.steps(2)
	if fmt.Sprint(s.stack()) != "[R A]" {
		t.Errorf("stack %v", s.stack())
	}
	s.verify()
}

// A change that names another behavior for emergency stops, or another boot behavior, while the robot is stopped: the one of the stop holds the stack
// at once, says so, and the resume leads to the boot behavior of now.
// Rules: L-42, L-44.
func TestChangedBasesDuringEmergencyStop(t *testing.T) {
	for _, c := range []struct{ name, before, after, held, resumed string }{
		{"another fallback", "R -> A; A; W", "R -> A; A; W !", "[W]", "[R A]"},
		{"another boot behavior", "R -> A; A; B", "B; R ! -> A; A", "[R", "[B]"},
		{"another of both", "R -> A; A; W; B", "B; R -> A; A; W !", "[W]", "[B]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, sameTick := range []bool{false, true} {
				s := newSwapper(t, c.before, c.after)
				s.steps(2)
				stop, reload := engine.Command{Kind: engine.EStop, Stop: 1}, engine.Command{Kind: engine.Reload, Set: 1, Number: 7}
				if sameTick {
					s.step(stop, reload)
				} else {
					s.step(stop)
					s.steps(2)
					s.step(reload)
				}
				s.steps(2)
				if got := fmt.Sprint(s.stack()); !s.eng.Halted() || !strings.HasPrefix(got, c.held) {
					t.Errorf("in one tick %t: halted %t, stack %s, want %s", sameTick, s.eng.Halted(), got, c.held)
				}
				s.step(engine.Command{Kind: engine.Resume, Stop: 1})
				s.steps(3)
				if got := fmt.Sprint(s.stack()); got != c.resumed {
					t.Errorf("in one tick %t: after the resume %s, want %s", sameTick, got, c.resumed)
				}
				s.verify()
			}
		})
	}
}

// The stop and a change of the behavior that holds the stack for it may come in one tick.
// Rules: L-42, L-44.
func TestChangeOfTheStopInItsTick(t *testing.T) {
	s := newSwapper(t, "R -> A; A; S !; W", "R -> A; A; S; W !")
	s.steps(2)
	s.step(engine.Command{Kind: engine.EStop, Stop: 1}, engine.Command{Kind: engine.Reload, Set: 1, Number: 7})
	s.steps(2)
	if got := fmt.Sprint(s.stack()); got != "[W]" {
		t.Errorf("stack %s", got)
	}
	s.step(engine.Command{Kind: engine.Resume, Stop: 1})
	s.steps(2)
	if got := fmt.Sprint(s.stack()); got != "[R A]" {
		t.Errorf("after the resume %s", got)
	}
	s.verify()
}
