package actors

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/resources"
)

// shippedMind is the catalog of the resource tree of this repository.
func shippedMind(t testing.TB) *catalog.Catalog {
	t.Helper()
	tree := os.DirFS("../resources")
	docs, diags := resources.LoadBehaviors(tree)
	boot, more := resources.LoadFile(tree, catalog.BootFile)
	if diags = append(diags, more...); len(diags) > 0 {
		t.Fatal(diags.String())
	}
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot}, library.Registry())
	if diags.HasErrors() {
		t.Fatal(diags.String())
	}
	return cat
}

// A stirrer disturbs the scheduling at every crossing of the barrier and every request: it yields, burns a little time, or
// starts a goroutine that does. It draws from global chance, so that runs differ.
type stirrer struct {
	engine.HookRunner
	server  engine.Server
	crossed int
}

func (s *stirrer) stir() {
	s.crossed++
	switch rand.IntN(8) {
	case 0, 1:
		runtime.Gosched()
	case 2:
		spin(rand.IntN(500))
	case 3:
		n := rand.IntN(1000)
		go spin(n)
	}
}

// spin burns n turns.
func spin(n int) {
	var turns atomic.Int64
	for range n {
		turns.Add(1)
	}
}

func (s *stirrer) Bind(to engine.Server) {
	s.server = to
	s.HookRunner.Bind(s)
}

func (s *stirrer) Serve(c *engine.Cell, f *engine.Frame, r *behaviors.Request) {
	s.stir()
	s.server.Serve(c, f, r)
	s.stir()
}

func (s *stirrer) Fresh(c *engine.Cell) error {
	s.stir()
	return s.HookRunner.Fresh(c)
}

func (s *stirrer) Run(c *engine.Cell, f *engine.Frame) error {
	s.stir()
	defer s.stir()
	return s.HookRunner.Run(c, f)
}

func (s *stirrer) Batch(cells []*engine.Cell, frames []*engine.Frame) []engine.CellFailure {
	s.stir()
	defer s.stir()
	return s.HookRunner.Batch(cells, frames)
}

func (s *stirrer) Call(r *actions.Runner, op actions.Op, env *actions.Env) (actions.Result, error) {
	s.stir()
	defer s.stir()
	return s.HookRunner.Call(r, op, env)
}

// throng competes for the processors until the returned function is called.
func throng(n int) (leave func()) {
	stop, gone := make(chan struct{}), make(chan struct{})
	for range n {
		go func() {
			defer func() { gone <- struct{}{} }()
			for {
				select {
				case <-stop:
					return
				default:
					spin(rand.IntN(300))
					runtime.Gosched()
				}
			}
		}()
	}
	return func() {
		close(stop)
		for range n {
			<-gone
		}
	}
}

// The whole simulated robot decides the same in every tick, on one, two or eight processors, whether or not the scheduling is
// disturbed at every crossing of the barrier.
// Rules: goal/M8.
func TestDecisionsDoNotDependOnScheduling(t *testing.T) {
	const life = 15 * time.Second
	cat := shippedMind(t)
	calm, _ := runRig(t, 11, 1, cat, life, event.Tee(nil))
	if n := len(calm.sums); n < 240 {
		t.Fatalf("%d ticks", n)
	}
	for _, procs := range []int{1, 2, 8} {
		for _, noisy := range []bool{false, true} {
			if procs == 1 && !noisy {
				continue // calm itself
			}
			t.Run(fmt.Sprintf("procs=%d,noise=%t", procs, noisy), func(t *testing.T) {
				cfg := Config{Catalog: cat, Seed: 11}
				var s *stirrer
				if noisy {
					defer throng(2)()
					cfg.wrap = func(j engine.HookRunner) engine.HookRunner {
						s = &stirrer{HookRunner: j}
						return s
					}
				}
				f, _ := runRigWith(t, cfg, procs, life)
				if !slices.Equal(f.sums, calm.sums) {
					t.Errorf("a calm, on one processor, and b: %v", tape.Diff(calm.logs, f.logs, 10))
				}
				if noisy && s.crossed < 1000 {
					t.Errorf("disturbed %d times", s.crossed)
				}
			})
		}
	}
	if other, _ := runRig(t, 12, 1, cat, life, event.Tee(nil)); slices.Equal(other.sums, calm.sums) {
		t.Error("seeds 11 and 12 live the same life")
	}
}

// A replay decides from the recording alone, to the bit, what real actors decided in the whole simulated robot.
// Rules: goal/M8.
func TestReplayDecidesRecordedLifeAgain(t *testing.T) {
	cat := shippedMind(t)
	var taped tape.Tape
	f, _ := runRigWith(t, Config{Catalog: cat, Seed: 11, Recorder: tape.NewRecorder(taped.Add)}, 4, 30*time.Second)
	messages, err := taped.Encode()
	if err != nil {
		t.Fatal(err)
	}
	rec, err := tape.Decode(messages)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tape.NewReplay(rec.Entries[0], tape.ReplayOptions{Options: engine.Options{Catalog: cat}})
	if err != nil {
		t.Fatal(err)
	}
	hash := tape.NewHasher()
	var logs []tape.TickLog
	for _, e := range rec.Entries[1:] {
		out, err := r.Step(e)
		if err != nil {
			t.Fatal(err)
		}
		hash.Add(out)
		logs = append(logs, tape.LogOf(out))
	}
	if part := tape.Diff(f.logs, logs, 10); part != nil || hash.Sum() != f.h.Sum() {
		t.Errorf("the robot (a) and the replay (b): %v; hashes %s and %s", part, f.h.Sum(), hash.Sum())
	}
	t.Logf("%d ticks in %d bytes", len(logs), len(slices.Concat(messages...)))
}
