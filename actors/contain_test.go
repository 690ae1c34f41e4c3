package actors

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors/stack"
)

const (
	testPeriod = 30 * time.Millisecond
	testBudget = 10 * time.Millisecond
	// testPatience tells "on time" from "never" on any machine; goal/M4 (budget + 1 ms) is BenchmarkHang.
	testPatience = time.Minute
)

// A panic, a hook that ends its goroutine, one that blocks and one that spins, each in every kind of hook: the failure names the
// innermost culprit, the tick ends, the next ticks are normal, and the behavior is replaced. Only hooks that do not end leave a
// zombie.
// Rules: T-4, T-9, C-14, Q-5.
func TestTroubleInAnyHookIsContained(t *testing.T) {
	old := runtime.GOMAXPROCS(runtime.NumCPU() + 4) // a spinning zombie is outnumbered, not killed
	defer runtime.GOMAXPROCS(old)
	places := []struct {
		name     string
		behavior string
		hook     stack.Hook
		quit     map[string]uint64
	}{
		{"update in the stack walk", "C", stack.HookUpdate, nil},
		{"update of the base", "A", stack.HookUpdate, nil},
		{"update in the in-scope pass", "X", stack.HookUpdate, nil},
		{"question", "B", stack.HookWants, nil},
		{"activation three delegations deep", "D", stack.HookActivated, nil},
		{"deactivation inside a self-cancel", "D", stack.HookDeactivated, map[string]uint64{"D": 4}},
		{"deactivation by a self-cancel below", "D", stack.HookDeactivated, map[string]uint64{"B": 4}},
		{"scope entry", "X", stack.HookEnteredScope, nil},
		{"scope exit", "D", stack.HookLeftScope, map[string]uint64{"B": 4}},
	}
	for _, kind := range []string{"panic", "goexit", "block", "spin"} {
		for _, p := range places {
			t.Run(kind+" in "+p.name, func(t *testing.T) {
				tr := actorstest.NewTrouble(p.behavior, p.hook, kind)
				defer tr.Free()
				w := newWatcher()
				s := live(t, actorstest.Probes(t, "A! > B X Y\nB! > C\nC! > D\nD > E\nE\nX\nY", tr, p.quit), w, testPeriod, testBudget)
				contained(t, w, tr, kind)
				if n := s.BarrierStats().Zombies; n > 0 && (kind == "panic" || kind == "goexit") {
					t.Errorf("%d zombies", n)
				}
			})
		}
	}
}

func contained(t *testing.T, w *watcher, tr *actorstest.Trouble, kind string) {
	t.Helper()
	deadline := time.After(testPatience)
	struck := -1
	for n := 0; struck < 0 || n < struck+4; n++ {
		select {
		case tick := <-w.ticks:
			if len(tick.violations) > 0 {
				t.Fatalf("tick %d: %v", tick.timing.N, tick.violations)
			}
			fault := fmt.Sprintf("%s.%s failed", tr.Behavior, tr.Hook)
			hit := slices.ContainsFunc(tick.events, func(e string) bool { return strings.HasPrefix(e, fault) })
			for _, e := range tick.events {
				if strings.Contains(e, " failed: ") && !strings.HasPrefix(e, fault) {
					t.Errorf("tick %d blames somebody else: %s", tick.timing.N, e)
				}
			}
			if hit {
				struck = n
				if !slices.Contains(tick.events, tr.Behavior+".replaced") {
					t.Errorf("no fresh incarnation in the same tick: %q", tick.events)
				}
			}
			if struck >= 0 && n > struck+2 && len(tick.stack) < 2 {
				t.Errorf("tick %d: the life did not go on: %v", tick.timing.N, tick.stack)
			}
		case <-deadline:
			t.Fatalf("trouble never came, or the robot stopped ticking; struck=%d", struck)
		}
	}
	blamed := w.blamed()
	if len(blamed) != 1 || blamed[0].Actor != "behavior/"+tr.Behavior {
		t.Fatalf("blamed %+v, want one failure of %s", blamed, tr.Behavior)
	}
	want := map[string]string{"panic": "panic", "goexit": "goexit", "block": "hang", "spin": "hang"}[kind]
	if blamed[0].Reason != want {
		t.Errorf("reason %q, want %q", blamed[0].Reason, want)
	}
	if (kind == "panic" || kind == "goexit") && !strings.Contains(blamed[0].Stack.String(), "probe.go") {
		t.Error("the stack does not show the culprit")
	}
	if text := "ended its goroutine with runtime.Goexit"; kind == "goexit" && blamed[0].Text != text {
		t.Errorf("text %q, want %q", blamed[0].Text, text)
	}
}
