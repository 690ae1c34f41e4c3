package actions_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/hardware"
)

// forever is a plain action that stays RUNNING.
type forever struct{ n int }

func (*forever) Name() string                              { return "Forever" }
func (*forever) Type() actions.Type                        { return actions.TypeHang }
func (*forever) Tracks() actions.Tracks                    { return actions.Head }
func (*forever) Init(*actions.Env) actions.Result          { return actions.Success }
func (f *forever) CheckIfDone(*actions.Env) actions.Result { f.n++; return actions.Running }

func bench(queued int) (*actions.List, *actions.Env) {
	l := actions.NewList(nil, actiontest.Start())
	for range queued {
		if _, err := l.Queue(&forever{}, actions.QueueOptions{}); err != nil {
			panic(err)
		}
	}
	env := &actions.Env{Now: actiontest.Start(), World: &hardware.World{}, Send: func(hardware.Command) {}}
	l.Update(env)
	return l, env
}

func TestUpdateAllocatesNothing(t *testing.T) {
	for _, queued := range []int{0, 1} {
		l, env := bench(queued)
		if n := testing.AllocsPerRun(100, func() { l.Update(env) }); n != 0 {
			t.Errorf("%d queued: %v allocations per update", queued, n)
		}
	}
}

func BenchmarkUpdateIdle(b *testing.B) {
	l, env := bench(0)
	b.ReportAllocs()
	for b.Loop() {
		l.Update(env)
	}
}

func BenchmarkUpdateRunning(b *testing.B) {
	l, env := bench(1)
	b.ReportAllocs()
	for b.Loop() {
		l.Update(env)
	}
}

func BenchmarkQueueCancel(b *testing.B) {
	l, env := bench(0)
	a := &forever{}
	b.ReportAllocs()
	for b.Loop() {
		tag, _ := l.Queue(a, actions.QueueOptions{})
		l.Update(env)
		l.CancelTag(tag)
		l.Update(env)
	}
}
