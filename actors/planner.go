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

// replace gives up a planner that hangs and starts another one under its name.
func (p *planners) replace(old *planner) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.system
	if p.mailbox != old.mailbox || s.ending.Load() {
		return
	}
	old.mailbox.kill()
	s.actors.ProcessRegistry.Remove(p.pid)
	p.pid = nil
	if p.lost++; p.lost <= maxPlannerZombies {
		_ = p.start() // the name is free
	}
}

// returned is told by a planner that was replaced and has returned after all: there is room for another one.
func (p *planners) returned(old *planner) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.system.closeExecutor(old.executor)
	p.lost--
	if p.pid == nil && !p.system.ending.Load() {
		_ = p.start() // the name is free
	}
}

// A planner is one incarnation: it works out one way after the other. It keeps nothing between them.
type planner struct {
	of       *planners
	executor clock.Executor
	mailbox  *mailbox
}

// Receive implements actor.Actor.
func (p *planner) Receive(ctx actor.Context) {
	m, ok := ctx.Message().(*planOrder)
	if !ok || p.mailbox.dead.Load() {
		return
	}
	done := p.executor.Watch(p.of.limit, func(v clock.Verdict) { p.overdue(v) })
	defer done()
	a := p.answer(&m.order)
	if p.mailbox.dead.Load() {
		p.of.returned(p)
		return
	}
	p.of.tell(a)
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
func (p *planner) overdue(v clock.Verdict) {
	if v == clock.Late { // a verdict follows
		return
	}
	p.fail("hang", "did not return within "+p.of.limit.String(), nil)
	p.of.replace(p)
}

func (p *planner) fail(reason, text string, stack event.Stack) {
	p.of.system.cfg.Observer.Observe(event.Failure{Actor: "planner", Group: "planner", Where: "plan", Reason: reason, Text: text, Stack: stack})
}
