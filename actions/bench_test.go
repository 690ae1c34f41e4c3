package actions_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/hardware"
)

// forever is a plain action that stays RUNNING.
type forever struct{ n int }

func (*forever) Name() string                              { return "Forever" }
func (*forever) Type() actions.Type                        { return actions.TypeHang }
func (*forever) Tracks() actions.Tracks                    { return actions.Head }
func (*forever) Init(*actions.Env) actions.Result          { return actions.Success }
func (f *forever) CheckIfDone(*actions.Env) actions.Result { f.n++; return actions.Running }

// hanging stays RUNNING, locks nothing, and has every getter that is asked in each tick.
type hanging struct{ forever }

func (*hanging) Tracks() actions.Tracks    { return 0 }
func (*hanging) Timeout() time.Duration    { return actions.NoTimeout }
func (*hanging) StartDelay() time.Duration { return 0 }
func (*hanging) CheckDelay() time.Duration { return 0 }
func (*hanging) FailOffTreads() bool       { return true }
func (*hanging) Status() string            { return "hanging" }

// twoHands is a compound of two that hang.
func twoHands() actions.Action {
	return compound.NewParallel(compound.Params{Children: []compound.Child{{Action: &hanging{}}, {Action: &hanging{}}}})
}

// benchCounts are a usual tick, a busy one, and the most that the list takes.
var benchCounts = []int{1, 10, 64}

// A benchLoad is what a list may hold.
type benchLoad struct {
	name string
	at   actions.Position
	make func() actions.Action
}

// benchLoads are actions beside each other, one that runs before others that wait, and compounds.
var benchLoads = []benchLoad{
	{"running", actions.PositionInParallel, func() actions.Action { return &hanging{} }},
	{"queued", actions.PositionAtEnd, func() actions.Action { return &hanging{} }},
	{"compounds", actions.PositionInParallel, twoHands},
}

func bench(n int, at actions.Position, mk func() actions.Action) (*actions.List, *actions.Env) {
	l := actions.NewList(nil, actiontest.Start())
	for range n {
		if _, err := l.Queue(mk(), actions.QueueOptions{Position: at}); err != nil {
			panic(err)
		}
	}
	env := &actions.Env{Now: actiontest.Start(), World: &hardware.World{}, Send: func(hardware.Command) {}}
	l.Update(env)
	return l, env
}

// tick updates the list a period later.
func tick(l *actions.List, env *actions.Env) []actions.Completion {
	env.Now = env.Now.Add(60 * time.Millisecond)
	return l.Update(env)
}

// A tick in which actions only go on allocates nothing, however many there are.
func TestUpdateAllocatesNothing(t *testing.T) {
	for _, load := range benchLoads {
		for _, n := range append([]int{0}, benchCounts...) {
			l, env := bench(n, load.at, load.make)
			if a := testing.AllocsPerRun(100, func() { tick(l, env) }); a != 0 {
				t.Errorf("%s, %d: %v allocations per update", load.name, n, a)
			}
			if l.Len(0)+l.Queues() == 0 && n > 0 {
				t.Errorf("%s, %d: nothing runs", load.name, n)
			}
		}
	}
}

// animations play a clip again and again. Each keyframe is a command, which is new.
var animations = benchLoad{"animations", actions.PositionInParallel, func() actions.Action {
	return express.NewPlayAnimation(express.AnimParams{Clip: "look_curious", Loops: express.Forever})
}}

// What a queued action allocates is itself: runner, getters, name in the track table, slot. It does not depend on how many there are.
func TestQueueingAllocatesTheSameHoweverManyRun(t *testing.T) {
	per := func(n int) float64 {
		l, env := bench(n, actions.PositionInParallel, func() actions.Action { return &hanging{} })
		a := &oneTick{}
		return testing.AllocsPerRun(100, func() {
			if _, err := l.Queue(a, actions.QueueOptions{Position: actions.PositionInParallel}); err != nil {
				t.Fatal(err)
			}
			tick(l, env)
		})
	}
	if few, many := per(0), per(60); few != many || many > 7 {
		t.Errorf("%v allocations alone, %v beside 60 others", few, many)
	}
}

// What a tick costs while actions go on.
func BenchmarkUpdate(b *testing.B) {
	for _, load := range append(benchLoads, animations) {
		for _, n := range benchCounts {
			b.Run(fmt.Sprintf("%s=%d", load.name, n), func(b *testing.B) {
				l, env := bench(n, load.at, load.make)
				b.ReportAllocs()
				for b.Loop() {
					tick(l, env)
				}
			})
		}
	}
}

// What an action costs from its request to its end, in a tick of many: each is queued, runs once, and ends.
func BenchmarkWholeLife(b *testing.B) {
	for _, n := range benchCounts {
		b.Run(fmt.Sprintf("actions=%d", n), func(b *testing.B) {
			l, env := bench(0, 0, nil)
			all := make([]oneTick, n)
			b.ReportAllocs()
			for b.Loop() {
				for i := range all {
					if _, err := l.Queue(&all[i], actions.QueueOptions{Position: actions.PositionInParallel}); err != nil {
						b.Fatal(err)
					}
				}
				if done := l.Update(env); len(done) != n {
					b.Fatalf("%d ended", len(done))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/action")
		})
	}
}

// oneTick succeeds at once. It has a size, so that each has an address of its own.
type oneTick struct{ forever }

func (*oneTick) Tracks() actions.Tracks                  { return 0 }
func (*oneTick) CheckIfDone(*actions.Env) actions.Result { return actions.Success }

func BenchmarkUpdateIdle(b *testing.B) {
	l, env := bench(0, 0, nil)
	b.ReportAllocs()
	for b.Loop() {
		l.Update(env)
	}
}

func BenchmarkQueueCancel(b *testing.B) {
	l, env := bench(0, 0, nil)
	a := &forever{}
	b.ReportAllocs()
	for b.Loop() {
		tag, _ := l.Queue(a, actions.QueueOptions{})
		l.Update(env)
		l.CancelTag(tag)
		l.Update(env)
	}
}
