package engine_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// stageTree has a base for every stage: N is that of daily use, W waits.
const (
	stageTree = "N+ > A\nA+\nW!+\nO+\nP+\nD+\nF+\nS+"
	stageKeys = bootKeys(`"onboardingBehavior":"O","postOnboardingBehavior":"P","devBaseBehavior":"D","factoryBehavior":"F","selfTestBehavior":"S"`)
)

// The stage of life chooses the base; a stage without one has that of daily use.
// Rules: L-31, data/1.10b.
func TestStageSelectsBase(t *testing.T) {
	want := map[string]string{"complete": "N", "onboarding": "O", "dev": "D", "factory": "F"}
	for _, name := range engine.Stages() {
		s, ok := engine.ParseStage(name)
		if !ok || s.String() != name {
			t.Fatalf("%q is %v", name, s)
		}
		r := newRig(t, stageTree, nil, stageKeys, s)
		r.step()
		r.wantChain(want[name])
		if r.eng.Stage() != s || r.eng.Boot() != want[name] {
			t.Errorf("%s: stage %v, boot behavior %s", name, r.eng.Stage(), r.eng.Boot())
		}
		r = newRig(t, stageTree, nil, s)
		r.step()
		r.wantChain("N")
	}
	if _, ok := engine.ParseStage("baby"); ok {
		t.Error("there is a stage baby")
	}
}

// The boot loader switches after the walk, so that the new base starts in the next tick. Complete leads to what follows onboarding.
// Rules: L-32, data/1.10c.
func TestBootLoaderSwitchesAfterTheWalk(t *testing.T) {
	r := newRig(t, stageTree, nil, stageKeys, engine.StageOnboarding)
	r.step()
	if rep := r.order(engine.Command{Kind: engine.SetStage, Stage: engine.StageComplete}); rep.Err != "" {
		t.Fatal(rep.Err)
	}
	if got := r.log; !slices.Equal(got, []string{"U O", "D O", "L O"}) {
		t.Errorf("tick of the switch: %v", got)
	}
	r.wantChain("")
	r.want("E P, A P, U P")
	if r.eng.Boot() != "P" || r.eng.Stage() != engine.StageComplete {
		t.Errorf("boot %s, stage %s", r.eng.Boot(), r.eng.Stage())
	}
}

// Onboarding starts anew after 20 ticks of doing nothing.
// Rules: L-32, data/1.10c.
func TestOnboardingRestartsAfterTwentyTicks(t *testing.T) {
	r := newRig(t, stageTree, nil, stageKeys)
	r.step()
	r.order(engine.Command{Kind: engine.SetStage, Stage: engine.StageOnboarding}) // counts as the first
	for i := range 19 {
		r.step()
		if i < 18 {
			r.wantChain("W")
		}
	}
	r.step()
	r.wantChain("O")
	if r.tick != 22 {
		t.Errorf("onboarding in tick %d", r.tick)
	}
}

// While onboarding is to start anew a switch is pending, so that a request for the behavior that waits meanwhile is none for what
// is there already: onboarding does not start against a newer wish.
// Rules: L-32.
func TestRequestForWaitBehaviorCancelsOnboardingRestart(t *testing.T) {
	for name, cmd := range map[string]engine.Command{
		"stage": {Kind: engine.SetStage, Stage: engine.StageComplete}, // postOnboardingBehavior is W
		"boot":  {Kind: engine.SetBoot, ID: "W", Now: true},
	} {
		r := newRig(t, stageTree, nil, bootKeys(`"onboardingBehavior":"O","postOnboardingBehavior":"W"`))
		r.step()
		r.order(engine.Command{Kind: engine.SetStage, Stage: engine.StageOnboarding})
		r.steps(3)
		r.wantChain("W")
		r.order(cmd)
		for range 30 {
			r.step()
			if r.wantChain("W"); t.Failed() {
				t.Fatalf("%s: tick %d", name, r.tick)
			}
		}
	}
}

// The boot behavior may change without a reset; the next reset to the boot behavior uses it. Asking for the one that it is
// changes nothing, unless a switch waits.
// Rules: L-32.
func TestBootBehaviorChangesWithoutAReset(t *testing.T) {
	r := newRig(t, stageTree, nil, stageKeys)
	r.step()
	r.order(engine.Command{Kind: engine.SetBoot, ID: "N", Now: true})
	r.want("U N, u A")
	r.order(engine.Command{Kind: engine.SetBoot, ID: "P"})
	r.step()
	r.wantChain("N")
	r.order(engine.Command{Kind: engine.SetBoot, ID: "P", Now: true}) // it waits: now it comes
	r.step()
	r.wantChain("P")
	r.order(engine.Command{Kind: engine.SetBoot, ID: "D"})
	r.order(engine.Command{Kind: engine.Cancel})
	r.wantChain("D")
	r.order(engine.Command{Kind: engine.SetBoot, ID: "N"})
	r.of("D").update = once(r.tick+1, func(c *behaviors.Control) { c.CancelSelf() })
	r.steps(2)
	r.wantChain("N") // an empty stack starts with the boot behavior, too
	if rep := r.order(engine.Command{Kind: engine.SetBoot, ID: "M"}); rep.Err == "" {
		t.Error("there is a behavior M")
	}
}

// A stage or test without a behavior is refused with the configuration key that would name one.
// Rules: data/1.10b.
func TestStageWithoutBehaviorIsRefused(t *testing.T) {
	r := newRig(t, stageTree, nil)
	r.step()
	for _, c := range []struct {
		cmd  engine.Command
		want string
	}{
		{engine.Command{Kind: engine.SetStage, Stage: engine.StageOnboarding}, "the boot configuration has no onboardingBehavior"},
		{engine.Command{Kind: engine.SetStage, Stage: engine.StageDev}, "the boot configuration has no devBaseBehavior"},
		{engine.Command{Kind: engine.SetStage, Stage: engine.StageFactory}, "the boot configuration has no factoryBehavior"},
		{engine.Command{Kind: engine.SetStage, Stage: engine.Stage(len(engine.Stages()))}, "there is no such stage"},
		{engine.Command{Kind: engine.SetStage, Stage: 99}, "there is no such stage"},
		{engine.Command{Kind: engine.BeginSelfTest}, "the boot configuration has no selfTestBehavior"},
		{engine.Command{Kind: engine.EndSelfTest}, "no self test runs"},
	} {
		if rep := r.order(c.cmd); rep.Err != c.want {
			t.Errorf("%q, want %q", rep.Err, c.want)
		}
		r.wantChain("N")
	}
	if _, err := engine.New(engine.Options{Catalog: r.eng.Catalog(), Stage: 99}); err == nil {
		t.Error("stage 99 is accepted")
	}
}

// The self test interrupts whatever is the base, and returns to it; the boot behavior stays what it was.
// Rules: L-33, data/1.10d.
func TestSelfTestInterruptsBaseAndReturnsToIt(t *testing.T) {
	begin, end := engine.Command{Kind: engine.BeginSelfTest}, engine.Command{Kind: engine.EndSelfTest}
	r := newRig(t, stageTree, nil, stageKeys)
	r.step()
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "A"})
	if rep := r.order(begin); rep.Err != "" || rep.Text != "self test: S" {
		t.Errorf("%+v", rep)
	}
	r.wantChain("S")
	if rep := r.order(begin); rep.Err != "the self test runs already" {
		t.Errorf("%+v", rep)
	}
	r.order(end)
	r.wantChain("A")
	r.order(begin)
	r.of("S").update = once(r.tick+1, func(c *behaviors.Control) { c.CancelSelf() })
	r.step()
	r.step()
	r.wantChain("A") // it ended by itself
	r.order(begin)
	r.order(engine.Command{Kind: engine.Cancel})
	r.wantChain("N")
	if rep := r.order(end); rep.Err != "no self test runs" {
		t.Errorf("%+v", rep)
	}
}

// An operator's behavior runs as often as was asked, one run after the other.
// Rules: L-34.
func TestOperatorRunsBehaviorSeveralTimes(t *testing.T) {
	for times, want := range map[int]uint64{0: 1, 1: 1, 3: 3} {
		r := newRig(t, "N+ > A\nA", nil) // A ends in the tick in which it starts
		r.step()
		r.order(engine.Command{Kind: engine.RunBehavior, ID: "A", Times: times})
		r.steps(10)
		r.wantChain("N")
		if n := r.eng.Cell("A").Started(); n != want {
			t.Errorf("%d times: %d", times, n)
		}
	}
	r := newRig(t, "N+ > A\nA", nil)
	r.step()
	r.order(engine.Command{Kind: engine.RunBehavior, ID: "A", Times: -1})
	r.steps(50)
	if n := r.eng.Cell("A").Started(); n != 51 {
		t.Errorf("for ever: %d", n)
	}
	r.order(engine.Command{Kind: engine.Cancel})
	r.wantChain("N")
}

// An operator's behavior that crashes has had its run: the boot behavior is back.
// Rules: L-34.
func TestCrashOfOperatorsBehaviorCountsAsRun(t *testing.T) {
	for times, want := range map[int]uint64{1: 1, 2: 2} {
		r := newRig(t, "N+ > A\nA+", func(r *rig) {
			r.of("A").update = func(c *behaviors.Control) {
				if c.Activated() {
					panic("boom")
				}
			}
		})
		r.step()
		r.order(engine.Command{Kind: engine.RunBehavior, ID: "A", Times: times})
		r.steps(6)
		r.wantChain("N")
		if n := r.eng.Cell("A").Started(); n != want {
			t.Errorf("%d times: %d", times, n)
		}
	}
}

// The end of the boot behavior is told, also if an operator asked for the run; that of any other run of an operator's is in order.
// Rules: L-29, L-34.
func TestEndOfTheBootBehaviorIsTold(t *testing.T) {
	for id, told := range map[string]bool{"N": true, "A": false} {
		r := newRig(t, "N+ > A\nA+", nil)
		r.step()
		r.order(engine.Command{Kind: engine.RunBehavior, ID: id})
		r.of(id).update = once(r.tick+1, func(c *behaviors.Control) { c.CancelSelf() })
		r.step()
		if got := slices.Contains(r.happened(), id+".empty"); got != told {
			t.Errorf("%s ended, and it is told: %t", id, got)
		}
		r.step()
		r.wantChain("N")
	}
}

// L-41, M-39: a cycle of activations is broken by a reset to the safe behavior in the next tick; when that has done its work, the
// boot behavior is the base again. The pair is reported once.
// Rules: L-41, L-42, M-39.
func TestDelegationCycleResetsToSafeBehavior(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+\nZ+", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			c.CancelDelegates()
			r.pass(c, []string{"A", "B"}[c.Tick()%2], nil)
		}
		r.of("Z").update = func(c *behaviors.Control) {
			if c.Activated() && c.Tick() == 9 {
				c.CancelSelf()
			}
		}
	}, bootKeys(`"resetSafelyBehavior":"Z"`))
	cycles := func() (all []string) {
		for _, e := range r.out.Events {
			if e.Kind == stack.EventCycle {
				all = append(all, e.String())
			}
		}
		return all
	}
	for range 5 {
		if r.step(); len(cycles()) > 0 {
			t.Fatalf("tick %d: %v", r.tick, cycles())
		}
	}
	r.step()
	if got := cycles(); !slices.Equal(got, []string{`cycle of "B" and "A"`}) {
		t.Fatalf("tick 6: %q", got)
	}
	r.wantChain("R A") // the reset comes with the next tick
	r.step()
	r.wantChain("Z")
	r.steps(2) // it does its work and ends: the boot behavior is the base again, and nothing went wrong
	for _, e := range r.out.Events {
		if e.Kind == stack.EventEmpty {
			t.Error(e)
		}
	}
	r.step()
	r.wantChain("R A")
	for r.tick < 30 && len(cycles()) == 0 {
		r.step()
	}
	if got := cycles(); len(got) != 1 || got[0] != `cycle of "A" and "B"` && got[0] != `cycle of "B" and "A" again` {
		t.Errorf("tick %d: %q", r.tick, got)
	}
}

// Ticks in which the stack stays as it is are no changes, however many there are.
// Rules: L-41.
func TestUnchangedStackIsNoCycle(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", nil)
	r.of("R").update = once(1, func(c *behaviors.Control) { r.pass(c, "A", nil) })
	for range 20 {
		r.step()
		for _, e := range r.out.Events {
			if e.Kind == stack.EventCycle {
				t.Fatalf("tick %d: %v", r.tick, e)
			}
		}
	}
	r.wantChain("R A")
}

// Without a safe behavior the boot behavior starts anew.
// Rules: L-41.
func TestCycleWithoutSafeBehaviorRestartsBootBehavior(t *testing.T) {
	r := newRig(t, "R+ > A\nA", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) { r.pass(c, "A", nil) }
	})
	r.steps(6)
	r.wantEvent(`cycle of "R" and "R"`)
	r.want("L A, D R, L R, E R, E A, A R, U R, A A, U A, D A")
	r.steps(4)
	r.wantEvent(`cycle of "R" and "R" again`) // each pair is reported once
}
