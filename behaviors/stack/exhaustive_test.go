package stack_test

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// Each tick of a sequence carries out one command. Up to freeTicks every sequence is run. Beyond, up to maxTicks, a state
// that was reached before with as many ticks left is not gone on from: what it leads to is known. With -full nothing is
// left out, which takes some ten minutes for fifteen million sequences.
const (
	freeTicks = 2
	maxTicks  = 4
)

var full = flag.Bool("full", false, "run every sequence of commands, without leaving out those that meet a known state")

// A command is what one tick does, or a reset before it.
type command struct {
	reset   string
	now     bool
	scripts stacktest.Scripts
	needs   string // the behavior that must be in scope or activated for the command to have an effect
	name    string
}

// smallTrees are the shapes in which layers can meet: a chain, a shared delegate, one shared at two depths, links into and
// out of the branch, a cycle of links, and a cycle of delegates.
var smallTrees = map[string]string{
	"chain":        "R -> A; A -> B; B -> C",
	"shared":       "R -> A B; A -> C; B -> C",
	"two depths":   "R -> A X; A -> X B",
	"links":        "R -> A B; A ~> B; B -> C; C ~> A",
	"link cycle":   "R -> A; A -> B; B ~> C; C ~> B; R ~> C",
	"cycle":        "R -> A B; A -> B; B -> A",
	"linked child": "R -> A; A -> B; A ~> B; B -> C",
}

// commandsOf lists the commands of a tree.
func commandsOf(tree stacktest.Tree) []command {
	all := []command{{name: "nothing"}}
	add := func(needs string, lines ...string) {
		s := stacktest.Scripts{}
		for _, line := range lines {
			if err := stacktest.ParseScript(line, s); err != nil {
				panic(err)
			}
		}
		all = append(all, command{scripts: s, needs: needs, name: strings.Join(lines, " | ")})
	}
	for _, x := range tree.IDs {
		add(x, x+".Update: cancel-delegates")
		add(x, x+".Update: cancel-self")
		add(x, x+".Update: fail")
		all = append(all, command{reset: x, name: "reset-next " + x}, command{reset: x, now: true, name: "reset-now " + x})
		for _, y := range tree.Delegates[x] {
			to := "ask " + y + "; delegate " + y
			add(x, x+".Update: delegate "+y)
			add(x, x+".Update: "+to)
			add(x, x+".Update: "+to+"; cancel-delegates; "+to)
			add(x, x+".Update: cancel-delegates; "+to)
			add(x, x+".Update: cancel-delegates; "+to, y+".OnActivated: cancel-self")
			add(x, x+".Update: cancel-delegates; "+to, y+".OnActivated: fail")
			for _, z := range tree.Delegates[y] {
				add(x, x+".Update: cancel-delegates; "+to, y+".OnActivated: ask "+z+"; delegate "+z)
				add(x, x+".Update: cancel-delegates; "+to, y+".Update: ask "+z+"; delegate "+z+"; cancel-self")
			}
		}
	}
	return all
}

// search counts what an exhaustive run saw.
type search struct {
	t         *testing.T
	tree      stacktest.Tree
	commands  []command
	sequences int
	states    map[string]int // reached, with how many ticks left at most
}

// TestEverySequenceKeepsInvariants runs the sequences of commands on each small tree and checks invariants and lifecycle after each command. It leaves
// out a command of a behavior that is neither in scope nor activated, because that does nothing.
// Rules: T-11, M-20, M-26.
func TestEverySequenceKeepsInvariants(t *testing.T) {
	sequences, states := 0, 0
	for _, name := range slices.Sorted(maps.Keys(smallTrees)) {
		t.Run(name, func(t *testing.T) {
			tree := stacktest.TreeOf(smallTrees[name])
			s := &search{t: t, tree: tree, commands: commandsOf(tree), states: map[string]int{}}
			s.extend(nil)
			sequences += s.sequences
			states += len(s.states)
		})
	}
	t.Logf("%d sequences of up to %d ticks, %d states", sequences, maxTicks, states)
	if sequences < 10_000 {
		t.Errorf("only %d sequences: the search lost its commands", sequences)
	}
}

// extend runs a sequence from the start, checks where it leads, and goes on from there.
func (s *search) extend(path []command) {
	s.sequences++
	d := s.replay(path)
	state, left := d.Base().ID+" "+d.State(), maxTicks-len(path)
	most, known := s.states[state]
	s.states[state] = max(most, left)
	if left == 0 || known && most >= left && len(path) >= freeTicks && !*full {
		return
	}
	for _, c := range s.commands {
		if n := d.Stack.Find(c.needs); n != nil && !n.InScope() {
			continue
		}
		s.extend(append(slices.Clip(path), c))
	}
}

// replay runs a sequence and checks its last tick; those before were checked as sequences of their own.
func (s *search) replay(path []command) *checked {
	d := build(s.t, s.tree, &checked{})
	d.tick(nil)
	for i, c := range path {
		if c.reset != "" && c.now {
			d.Stack.ResetNow(d.Stack.Find(c.reset))
		} else if c.reset != "" {
			d.Stack.ResetNext(d.Stack.Find(c.reset))
		}
		d.tick(c.scripts.Clone())
		if bad := d.violations(); len(bad) > 0 && i == len(path)-1 {
			var names []string
			for _, p := range path {
				names = append(names, p.name)
			}
			s.t.Fatalf("%s\nafter %s", strings.Join(bad, "\n"), strings.Join(names, ", then "))
		}
	}
	return d
}

// checked is a stack with a monitor and without a log, for runs by the hundred thousand.
type checked struct {
	*stack.Stack
	host    *stacktest.Host
	monitor *stacktest.Monitor
	scripts stacktest.Scripts
	events  []stack.Event
	all     []stack.Event // since the start
	calls   int           // of hooks
	failAt  int           // number of the call that fails; 0 = none
	late    bool          // it fails after its script instead of before
	failed  stacktest.Moment
}

func build(t testing.TB, tree stacktest.Tree, c *checked) *checked {
	c.host = &stacktest.Host{Body: c.body}
	s, err := stack.New(c.host, tree.Nodes())
	if err != nil {
		t.Fatal(err)
	}
	c.Stack, c.host.Stack = s, s
	c.monitor = stacktest.NewMonitor(s)
	c.host.Watch = func(n *stack.Node, h stack.Hook) {
		c.drain()
		c.monitor.Hook(n, h)
	}
	s.Init()
	s.Configure(s.Find(tree.Base))
	return c
}

func (c *checked) State() string { return stacktest.State(c.Stack) }

func (c *checked) drain() {
	c.events = c.TakeEvents(c.events[:0])
	c.monitor.Events(c.events)
	c.all = append(c.all, c.events...)
}

func (c *checked) tick(s stacktest.Scripts) {
	c.scripts = s
	c.Begin(c.Tick() + 1)
	c.Walk()
	c.Scope()
	c.drain()
	c.monitor.EndOfPasses()
	c.Repair()
	c.drain()
}

func (c *checked) violations() []string { return append(c.Violations(), c.monitor.Take()...) }

// body runs a script without a log.
func (c *checked) body(n *stack.Node, h stack.Hook) (bool, error) {
	c.calls++
	fails := c.calls == c.failAt
	if fails {
		c.failed = stacktest.At(n.ID, h)
	}
	if fails && !c.late {
		return false, stacktest.ErrScripted
	}
	lists := c.scripts[stacktest.At(n.ID, h)]
	if len(lists) > 0 {
		c.scripts[stacktest.At(n.ID, h)] = lists[1:]
		answer, err := c.steps(stacktest.Requests{Stack: c.Stack, By: n}, lists[0])
		if err != nil {
			return answer, err
		}
	}
	if fails {
		return false, stacktest.ErrScripted
	}
	return true, nil
}

func (c *checked) steps(r stacktest.Requests, steps []stacktest.Step) (answer bool, err error) {
	for _, step := range steps {
		switch step.Verb {
		case stacktest.Ask:
			_, err = r.Ask(step.To)
		case stacktest.Delegate:
			err = r.Delegate(step.To)
		case stacktest.CancelDelegates:
			_, err = r.CancelDelegates()
		case stacktest.CancelSelf:
			err = r.CancelSelf()
		case stacktest.Fail:
			return false, stacktest.ErrScripted
		}
		if err == stacktest.ErrLost {
			return false, err
		}
	}
	return true, nil
}
