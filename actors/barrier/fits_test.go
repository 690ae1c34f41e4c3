package barrier

import (
	"math/rand/v2"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/behaviors"
)

// dramas are what a barrier goes through, each with steps that its trace must have.
var dramas = map[string]struct {
	run  func(p *drama)
	want []string
}{
	"nesting": {func(p *drama) {
		p.yes["B"], p.yes["C"] = true, true
		p.on("A.Update", pass("B"))
		p.on("B.Start", pass("C"))
		p.on("C.Start", ask("D"))
		p.step(3)
	}, []string{"hands_over 2 ", "hands_over 3 ", "goes_on"}},
	"panic in the walk": {func(p *drama) { p.on("A.Update", boom); p.step(2) }, []string{"fails 0 1"}},
	"panic in a batch": {func(p *drama) {
		p.on("C.Update", boom)
		p.on("D.Update", ask("C"))
		p.step(2)
	}, []string{"fails 0 1", "asks"}},
	"hang and take-over in a batch": {func(p *drama) {
		p.on("B.Update", p.wait)
		p.hangs()
		p.on("B.Update", nil)
		p.step(2)
	}, []string{"gives_up 0", "hands_over 1 5"}},
	"zombie that asks": {func(p *drama) {
		p.on("B.Update", func(c *behaviors.Control) { p.wait(c); c.Wants("C"); c.Wants("D") })
		p.hangs()
		p.on("B.Update", nil)
		p.step(1)
		p.free()
		p.step(1)
	}, []string{"gives_up 0", "gets_no", "leaves 0"}},
	"zombie that asks while another hook runs": {func(p *drama) {
		asked := make(chan struct{})
		p.on("B.Update", func(c *behaviors.Control) { p.wait(c); c.Wants("C"); close(asked) })
		p.hangs()
		p.on("B.Update", nil)
		p.on("C.Update", func(*behaviors.Control) { p.letGo(); <-asked })
		p.step(1)
	}, []string{"gives_up 0", "gets_no", "leaves 0"}},
	"loss before its turn in a batch": {func(p *drama) {
		p.on("B.Update", ask("D"))
		p.on("D.Wants", boom)
		p.step(2)
	}, []string{"skips 0 2"}},
	"two requests at once": {func(p *drama) {
		both := make(chan struct{})
		var c1 *behaviors.Control
		p.on("A.Update", func(c *behaviors.Control) { c1 = c; c.Wants("B") })
		p.on("B.Wants", once(func(*behaviors.Control) {
			go func() { c1.Wants("C"); close(both) }()
			<-both
		}))
		p.step(1)
	}, []string{"meddler_gets_no"}},
	"hang while a request waits": {func(p *drama) {
		p.on("B.Update", ask("C"))
		p.on("C.Wants", p.wait)
		p.hangs()
		p.on("C.Wants", nil)
		p.step(2)
	}, []string{"gives_up 1", "goes_on"}},
	"unwinding": {func(p *drama) {
		p.yes["B"] = true
		p.on("A.Update", pass("B"))
		p.on("B.Start", func(c *behaviors.Control) {
			defer c.Suggest("late")
			c.CancelSelf()
		})
		p.on("B.End", boom)
		p.step(3)
	}, []string{"fails 2 1", "fails 1 2"}},
	"poll with an early yes": {func(p *drama) {
		p.yes["C"] = true
		p.on("A.Update", poll("B", "C", "D"))
		p.step(2)
	}, []string{"hands_over 1 2", "handed 1 3", "returns 1 1", "moves 1 12"}},
	"poll with a loss": {func(p *drama) {
		p.on("A.Update", poll("B", "C", "D"))
		p.on("C.Wants", boom)
		p.step(2)
	}, []string{"handed 1 3", "fails 1 1", "moves 1 14"}},
	"poll with a hang": {func(p *drama) {
		p.on("A.Update", poll("B", "C", "D"))
		p.on("C.Wants", p.wait)
		p.hangs()
		p.on("C.Wants", nil)
		p.step(2)
	}, []string{"handed 1 3", "gives_up 1"}},
	"request in a poll": {func(p *drama) {
		p.on("A.Update", poll("B", "C", "D"))
		p.on("B.Wants", ask("D"))
		p.on("C.Wants", poll("D"))
		p.step(2)
	}, []string{"handed 1 3", "hands_over 2 2", "goes_on"}},
	"loss of a candidate before its turn": {func(p *drama) {
		p.on("A.Update", poll("B", "C", "D"))
		p.on("B.Wants", ask("D"))
		p.on("D.Wants", boom)
		p.step(2)
	}, []string{"fails 2 1", "returns 1 1"}},
	"Goexit in a batch":       {func(p *drama) { p.on("B.Update", once(leave)); p.step(2) }, []string{"fails 0 3", "moves 0 6", "moves 0 10"}},
	"Goexit in a constructor": {func(p *drama) { p.on("B.Update", boom); p.on("B.New", leave); p.step(2) }, []string{"fails 0 3"}},
	"Goexit in a poll": {func(p *drama) {
		p.on("A.Update", poll("B", "C", "D"))
		p.on("B.Wants", once(leave))
		p.step(2)
	}, []string{"fails 1 3", "moves 1 14"}},
	"Goexit of a zombie": {func(p *drama) {
		p.on("B.Update", func(c *behaviors.Control) { p.wait(c); runtime.Goexit() })
		p.hangs()
		p.on("B.Update", nil)
		p.free()
		p.step(1)
	}, []string{"fails 0 3", "leaves 0"}},
	"action that panics": {func(p *drama) {
		p.on("A.Update", func(c *behaviors.Control) { c.Act(&chaoticAction{left: 5}, nil) })
		p.step(6)
	}, []string{"hands_over 0 9", "fails 0 1"}},
	"reset": {func(p *drama) {
		p.yes["B"] = true
		p.on("A.Update", pass("B"))
		p.on("B.End", boom)
		p.step(2)
		out, err := p.eng.ResetNow("C")
		if err != nil {
			p.t.Fatal(err)
		}
		p.check(out)
		p.step(2)
	}, []string{"fails"}},
	"goroutine beside a hook": {func(p *drama) {
		p.on("A.Update", func(c *behaviors.Control) {
			asked := make(chan struct{})
			go func() { c.Wants("B"); c.Wants("C"); close(asked) }()
			<-asked
		})
		p.step(3)
	}, []string{"meddler_asks"}},
	"item that ends between look and verdict": {func(p *drama) {
		p.on("C.Update", p.wait)
		p.barrier.load = &clock.Load{CPU: func() time.Duration { return 0 }, Waiting: func(int64) bool {
			p.letGo()
			for !p.told("moves 0 12") {
				runtime.Gosched()
			}
			return true
		}}
		p.lookItself()
		p.forget()
		p.hangs()
	}, []string{"misses 0"}},
	"control that another hook keeps": {func(p *drama) {
		var kept *behaviors.Control
		p.on("B.Update", func(c *behaviors.Control) { kept = c })
		p.on("C.Update", func(*behaviors.Control) {
			asked := make(chan struct{})
			go func() { kept.Wants("D"); close(asked) }()
			<-asked
		})
		p.step(2)
	}, []string{"meddler_asks", "refuses"}},
	"too many zombies": {func(p *drama) {
		p.barrier.zombies.Store(MaxZombies - 1)
		p.recorder.write("starts_with", MaxZombies-1)
		p.on("B.Update", p.wait)
		p.hangs()
	}, []string{"gives_up 0", "leaves_out"}},
}

// What the real barrier does in trouble of every kind, the model does too: each step that a goroutine of the barrier tells is one that
// its process can make.
// Rules: Q-8, T-10, L-6, M-12.
func TestTracesOfTheBarrierFitTheModel(t *testing.T) {
	for name, c := range dramas {
		t.Run(name, func(t *testing.T) {
			p := newDrama(t)
			c.run(p)
			trace := p.end()
			for _, step := range c.want {
				if !strings.Contains(trace, "\n"+step) {
					t.Errorf("nothing like %q in the trace", step)
				}
			}
			wantFit(t, trace)
		})
	}
}

const (
	storms     = 8
	stormTicks = 12
	stormHangs = 3
)

// So it does when trouble of every kind comes at random, at once, and nested.
// Rules: Q-8, T-10.
func TestTracesOfAStormFitTheModel(t *testing.T) {
	steps := map[string]int{}
	for seed := range uint64(storms) {
		p := newDrama(t)
		p.seed = seed
		p.storm(rand.New(rand.NewPCG(seed, 9)))
		trace := p.end()
		wantFit(t, trace)
		for line := range strings.Lines(trace) {
			steps[strings.Fields(line)[0]]++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for _, k := range []stepKind{stepGivesUp, stepLeaves, stepFails, stepAnswers, stepGetsNo} {
		if steps[string(k)] == 0 {
			t.Errorf("no %q in %v: that is no storm", k, steps)
		}
	}
}

// storm lives a life in which hooks do what comes to their minds.
func (p *drama) storm(g *rand.Rand) {
	p.yes["B"], p.yes["C"] = g.IntN(2) == 0, g.IntN(2) == 0
	hangs := stormHangs
	for range stormTicks {
		hanging := false
		for _, id := range []string{"A", "B", "C", "D"} {
			for _, hook := range []string{"Update", "Update", "Wants", "Wants", "Start", "End", "Enter", "Leave"} {
				deed := p.deed(g)
				if g.IntN(40) == 0 && hangs > 0 && (hook == "Update" || hook == "Wants") {
					deed, hanging = once(func(c *behaviors.Control) { p.wait(c); c.Wants("D") }), true
					hangs--
				}
				p.on(id+"."+hook, deed)
			}
		}
		if g.IntN(8) == 0 {
			out, err := p.eng.ResetNow([]string{"A", "B"}[g.IntN(2)])
			if err != nil {
				p.t.Fatal(err)
			}
			p.check(out)
		}
		if hanging {
			p.hangs()
		} else {
			p.step(1)
		}
	}
}

func (p *drama) deed(g *rand.Rand) func(c *behaviors.Control) {
	to := []string{"B", "C", "D"}[g.IntN(3)]
	switch g.IntN(20) {
	case 0, 1:
		return once(boom)
	case 2:
		return once(leave)
	case 3, 4, 5:
		return ask(to)
	case 6, 7:
		return poll("B", "C", "D")
	case 8, 9:
		return pass(to)
	case 10:
		return func(c *behaviors.Control) { c.CancelSelf() }
	case 11:
		return func(c *behaviors.Control) { defer c.Wants(to); c.CancelDelegates() }
	case 12:
		return func(c *behaviors.Control) { c.Act(&chaoticAction{left: g.IntN(9)}, nil) }
	case 13:
		return func(c *behaviors.Control) {
			defer func() { _ = recover() }()
			c.CancelSelf()
		}
	}
	return nil
}

// edits are mistakes of a barrier, as its trace would show them: the first step like one becomes another.
var edits = map[string]struct{ drama, step, becomes string }{
	"early yes moves to the next":    {"poll with an early yes", "moves 1 12", "moves 1 8"},
	"loss in a poll moves on":        {"poll with a loss", "moves 1 14", "moves 1 10"},
	"failure leaves no bit":          {"panic in a batch", "moves 0 10", "moves 0 8"},
	"zombie moves on":                {"zombie that asks", "leaves 0 0", "moves 0 4"},
	"lost hook goes on":              {"unwinding", "answers 6 2", "answers 6 1"},
	"refused request is served":      {"control that another hook keeps", "refuses 2 0", "serves 2 0"},
	"ended item is given up":         {"item that ends between look and verdict", "misses 0 0", "gives_up 0 0"},
	"item runs twice":                {"Goexit in a batch", "begins 0 1", "begins 0 0"},
	"lost behavior runs":             {"loss before its turn in a batch", "skips 0 2", "begins 0 2"},
	"worker that was given up works": {"hang and take-over in a batch", "hands_over 1 5", "hands_over 0 5"},
	"rest skips one":                 {"hang and take-over in a batch", "handed 1 2", "handed 1 1"},
}

// A trace with a mistake is refused at the step that is wrong.
func TestTraceWithAMistakeIsRefusedAtIt(t *testing.T) {
	for name, e := range edits {
		t.Run(name, func(t *testing.T) {
			p := newDrama(t)
			dramas[e.drama].run(p)
			lines := strings.Split(p.end(), "\n")
			for i, line := range lines {
				if line != e.step {
					continue
				}
				lines[i] = e.becomes
				if n := misfit(t, strings.Join(lines, "\n")); n != i+1 {
					t.Errorf("refused at step %d, want %d: %s", n, i+1, e.becomes)
				}
				return
			}
			t.Fatalf("no %q in the trace", e.step)
		})
	}
}

// A machine without spin is told what to install; no test is left out.
func TestMissingSpinIsToldWithWhatToInstall(t *testing.T) {
	for _, tool := range []string{"spin", "gcc"} {
		err := haveTools(func(name string) (string, error) {
			if name == tool {
				return "", exec.ErrNotFound
			}
			return "/usr/bin/" + name, nil
		})
		if err == nil || !strings.HasPrefix(err.Error(), tool+" is missing") || !strings.Contains(err.Error(), "install the Debian packages spin and gcc") {
			t.Errorf("without %s: %v", tool, err)
		}
	}
}
