package actors

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
)

// planning starts a robot whose planner does what f says, and returns the answers.
func planning(t *testing.T, limit time.Duration, f func(o *actions.PathOrder) actions.PathAnswer) (*planners, <-chan actions.PathAnswer, *recorder) {
	t.Helper()
	rec := &recorder{}
	s, err := Start(Config{Catalog: actorstest.Probes(t, "A", nil, nil), Observer: rec, Timeline: quiet(), Period: testPeriod, Budget: testPatience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop(context.Background()) })
	answers := make(chan actions.PathAnswer, 100)
	p := s.sup.planners
	p.plan, p.limit, p.tell = f, limit, func(a actions.PathAnswer) { answers <- a }
	return p, answers, rec
}

func answer(t *testing.T, answers <-chan actions.PathAnswer) actions.PathAnswer {
	t.Helper()
	select {
	case a := <-answers:
		return a
	case <-time.After(testPatience):
		t.Fatal("no answer")
		return actions.PathAnswer{}
	}
}

func ready(o *actions.PathOrder) actions.PathAnswer {
	return actions.PathAnswer{ID: o.ID, State: actions.PathReady}
}

func orders(ids ...uint64) (all []actions.PathOrder) {
	for _, id := range ids {
		all = append(all, actions.PathOrder{ID: id})
	}
	return all
}

func TestPanickingPlanIsImpossibleAndNextOneComes(t *testing.T) {
	p, answers, rec := planning(t, testPatience, func(o *actions.PathOrder) actions.PathAnswer {
		if o.ID == 1 {
			panic("lost")
		}
		return ready(o)
	})
	p.order(orders(1, 2))
	if a := answer(t, answers); a.ID != 1 || a.State != actions.PathImpossible || !strings.Contains(a.Path.Why, "lost") {
		t.Errorf("%+v", a)
	}
	if a := answer(t, answers); a.ID != 2 || a.State != actions.PathReady {
		t.Errorf("%+v", a)
	}
	if f := count[event.Failure](rec); len(f) != 1 || f[0].Actor != "planner" || f[0].Reason != "panic" {
		t.Errorf("failures %+v", f)
	}
}

func TestHangingPlannerIsReplaced(t *testing.T) {
	release, begun := make(chan struct{}), make(chan struct{}, 1)
	p, answers, rec := planning(t, 50*time.Millisecond, func(o *actions.PathOrder) actions.PathAnswer {
		if o.ID == 1 {
			begun <- struct{}{}
			<-release
		}
		return ready(o)
	})
	p.order(orders(1))
	<-begun
	for id, end := uint64(2), time.Now().Add(testPatience); ; id++ { // those that wait for the one that hangs are lost with it
		p.order(orders(id))
		select {
		case a := <-answers:
			if a.State != actions.PathReady {
				t.Fatalf("%+v", a)
			}
		case <-time.After(20 * time.Millisecond):
			if time.Now().After(end) {
				t.Fatal("it was not replaced")
			}
			continue
		}
		break
	}
	if f := count[event.Failure](rec); len(f) != 1 || f[0].Reason != "hang" {
		t.Errorf("failures %+v", f)
	}
	close(release)
	p.order(orders(99))
	for a := answer(t, answers); a.ID != 99; a = answer(t, answers) {
		if a.ID == 1 {
			t.Error("the one that hung answers after all")
		}
	}
}

func TestOrdersBeyondLimitAreRefusedAtOnce(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	p, answers, _ := planning(t, testPatience, func(o *actions.PathOrder) actions.PathAnswer {
		<-release
		return ready(o)
	})
	ids := make([]uint64, maxPlanOrders+2)
	for i := range ids {
		ids[i] = uint64(i) + 1
	}
	p.order(orders(ids...))
	if a := answer(t, answers); a.State != actions.PathImpossible || a.ID <= maxPlanOrders {
		t.Errorf("%+v", a)
	}
}

// A tick that asks at one instant of virtual time has its answer in the next one, whatever the machine does.
func TestPlanComesInTheNextTickOfVirtualTime(t *testing.T) {
	c := clock.NewVirtual(actorstest.Epoch)
	defer c.Close()
	s, err := Start(Config{Catalog: actorstest.Probes(t, "A", nil, nil), Timeline: c, Plan: ready})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Stop(context.Background()) }()
	told := time.Time{}
	s.sup.planners.tell = func(actions.PathAnswer) { told = c.Now() }
	var asked time.Time
	s.sup.ticks = append(s.sup.ticks, tickFunc(func() {
		if asked.IsZero() {
			asked = c.Now()
			s.sup.planners.order(orders(1))
		}
	}))
	s.sup.names = append(s.sup.names, "test")
	if err := s.RunFor(10*DefaultPeriod, nil); err != nil {
		t.Fatal(err)
	}
	if asked.IsZero() || !told.Equal(asked) {
		t.Errorf("asked at %v, answered at %v", asked, told)
	}
}

// tickFunc is called after each tick.
type tickFunc func()

func (f tickFunc) ObserveTick(event.Tick, *engine.Output, *engine.Engine) { f() }

// A planner that returns after all makes room for another one, however often that happens, and leaves no executor behind.
func TestPlannersThatReturnAreNotLost(t *testing.T) {
	release, begun := make(chan struct{}), make(chan struct{})
	p, answers, _ := planning(t, time.Millisecond, func(o *actions.PathOrder) actions.PathAnswer {
		if o.ID == 1 {
			begun <- struct{}{}
			<-release
		}
		return ready(o)
	})
	replaced := func(n int) { // until n planners are lost
		for end := time.Now().Add(testPatience); ; {
			p.mu.Lock()
			lost := p.lost
			p.mu.Unlock()
			if lost == n {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d lost, want %d", lost, n)
			}
			runtime.Gosched()
		}
	}
	for n := 1; n <= maxPlannerZombies+1; n++ {
		p.order(orders(1))
		<-begun
		replaced(n)
	}
	p.order(orders(2))
	if a := answer(t, answers); a.State != actions.PathImpossible || a.Path.Why != "too many planners have not returned" {
		t.Errorf("%+v", a)
	}
	before := len(p.system.executors)
	close(release)
	replaced(0)
	for id := uint64(3); ; id++ { // a planner stands again, if perhaps not yet for this order
		p.order(orders(id))
		if a := answer(t, answers); a.State == actions.PathReady {
			break
		}
	}
	p.system.executorsMu.Lock()
	defer p.system.executorsMu.Unlock()
	if n := len(p.system.executors); n != before-maxPlannerZombies {
		t.Errorf("%d executors, %d before their return", n, before)
	}
}
