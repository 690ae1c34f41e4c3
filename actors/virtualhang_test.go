package actors

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/behaviors/stack"
)

// A hook that hangs in virtual time fails the run with its name, also if the process has one processor for it and the watchdog.
// The budget is that of the test: a life has ten seconds for each hook.
func TestHangingHookFailsVirtualRunByName(t *testing.T) {
	for _, kind := range []string{"block", "spin"} {
		for _, procs := range []int{1, 4} {
			t.Run(fmt.Sprint(kind, " on ", procs), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				trouble := actorstest.NewTrouble("A", stack.HookUpdate, kind)
				defer trouble.Free()
				s, err := Start(Config{Catalog: actorstest.Probes(t, "A", trouble, nil), Timeline: clock.NewVirtual(actorstest.Epoch), Observer: &recorder{}})
				if err != nil {
					t.Fatal(err)
				}
				s.barrier.SetBudget(20 * time.Millisecond)
				err = s.RunFor(time.Minute, nil)
				if err == nil || !strings.HasPrefix(err.Error(), "actors: A.Update did not return within ") {
					t.Errorf("the run ends with %v", err)
				}
				if err := s.Stop(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
