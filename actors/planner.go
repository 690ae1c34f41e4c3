package actors

import (
	"fmt"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
)

const (
	// rankPlanner comes after the tick: in virtual time the plans that a tick asks for are there in the next one.
	rankPlanner = 4
	// maxPlanOrders bounds what waits for the planner; more than that is refused at once.
	maxPlanOrders = 32
	// maxPlannerZombies bounds the executors that are lost in plans which never returned. After that there are no plans.
	maxPlannerZombies = 4
)

// planners are the one actor that works out ways beside the ticks, and those before it that hang.
type planners struct {
	system *System
	plan   func(*actions.PathOrder) actions.PathAnswer
	tell   func(actions.PathAnswer) // hands an answer to the next tick
	limit  time.Duration            // of one plan, before its planner counts as hanging

	mu      sync.Mutex
	pid     *actor.PID
	mailbox *mailbox
	lost    int
}

// planOrder: supervisor → planner, for each way that a tick asks for.
type planOrder struct{ order actions.PathOrder }

// ofPlanner admits what a planner works on.
func ofPlanner(msg any) bool {
	_, ok := msg.(*planOrder)
	return ok
}

// start spawns a planner on an executor of its own.
func (p *planners) start() error {
	s := p.system
	executor := s.executor("planner", rankPlanner)
	box := s.mailbox("planner", ofPlanner)
	pid, err := s.actors.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor {
		return &planner{of: p, executor: executor, mailbox: box}
	}, actor.WithMailbox(filtered(box)), actor.WithDispatcher(executorDispatcher{executor}), actor.WithGuardian(keepRunning{})), "planner")
	if err != nil {
		return fmt.Errorf("actors: spawn planner: %w", err)
	}
	p.pid, p.mailbox = pid, box
	return nil
}

// order hands the orders of a tick to the planner. It never waits.
func (p *planners) order(orders []actions.PathOrder) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range orders {
		switch {
		case p.pid == nil:
			p.tell(impossible(&orders[i], "too many planners have not returned"))
			continue
		case p.mailbox.UserMessageCount() >= maxPlanOrders:
			p.tell(impossible(&orders[i], "too many plans wait"))
			continue
		}
		p.system.actors.Root.Send(p.pid, &planOrder{orders[i]})
	}
}

func impossible(o *actions.PathOrder, why string) actions.PathAnswer {
	return actions.PathAnswer{ID: o.ID, State: actions.PathImpossible, Path: actions.Path{Why: why}}
}

// replace gives up a planner that hangs in its n-th call and starts another one under its name.
func (p *planners) replace(old *planner, n uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.system
	if p.mailbox != old.mailbox || old.calls != n || s.ending.Load() {
		return
	}
	old.fail("hang", "did not return within "+p.limit.String(), nil)
	old.mailbox.kill()
	s.actors.ProcessRegistry.Remove(p.pid)
	p.pid = nil
	if p.lost++; p.lost <= maxPlannerZombies {
		_ = p.start() // the name is free
	}
}

// begin begins a call of a planner and returns its number.
func (p *planners) begin(of *planner) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	of.calls++
	return of.calls
}

// end ends a call, so that a verdict on it comes too late, and reports whether the planner still counts. One that was replaced and has returned
// after all makes room for another one.
func (p *planners) end(old *planner) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	old.calls++
	if !old.mailbox.dead.Load() {
		return true
	}
	p.system.closeExecutor(old.executor)
	p.lost--
	if p.pid == nil && !p.system.ending.Load() {
		_ = p.start() // the name is free
	}
	return false
}

// A planner is one incarnation: it works out one way after the other. It keeps nothing between them.
type planner struct {
	of       *planners
	executor clock.Executor
	mailbox  *mailbox
	calls    uint64 // begun and ended; guarded by planners.mu
}

// Receive implements actor.Actor.
func (p *planner) Receive(ctx actor.Context) {
	m, ok := ctx.Message().(*planOrder)
	if !ok || p.mailbox.dead.Load() {
		return
	}
	n := p.of.begin(p)
	done := p.executor.Watch(p.of.limit, func(v clock.Verdict) { p.overdue(v, n) })
	a := p.answer(&m.order)
	done()
	if p.of.end(p) {
		p.of.tell(a)
	}
}

// answer plans. A planner that panics has no way.
func (p *planner) answer(o *actions.PathOrder) (a actions.PathAnswer) {
	defer func() {
		if r := recover(); r != nil {
			a = impossible(o, fmt.Sprint("the planner failed: ", r))
			p.fail("panic", fmt.Sprint(r), event.CallStack())
		}
	}()
	a = p.of.plan(o)
	a.ID = o.ID
	return a
}

// overdue runs beside a plan that did not return in time. The tick has given it up by itself.
func (p *planner) overdue(v clock.Verdict, n uint64) {
	if v != clock.Late { // a verdict follows
		p.of.replace(p, n)
	}
}

func (p *planner) fail(reason, text string, stack event.Stack) {
	p.of.system.cfg.Observer.Observe(event.Failure{Actor: "planner", Group: "planner", Where: "plan", Reason: reason, Text: text, Stack: stack})
}
