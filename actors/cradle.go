package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// The cradle is the parent of every behavior and action actor. They are not children of the stack supervisor: protoactor
// suspends a failed child until its parent has handled the failure, and the supervisor is in the middle of a tick then.
// Like its children it acts only when told to, on the engine's goroutine, so restarts are part of the tick's fixed order.
type cradle struct {
	system *actor.ActorSystem
	latch  *latch
	pid    *actor.PID
	ctx    actor.Context
	// One for all of a kind: each is a quarter of a kilobyte.
	behavior, action *actor.Props

	next    *latch                      // mailbox of the child that is being made
	failed  map[string]actor.Supervisor // child ID → who may restart it
	actions map[actions.Tag]*actionCell
}

type actionCell struct {
	latch *latch
	pid   *actor.PID
	msg   stepAction
}

// behaviorCell is what the joint keeps of a behavior.
type behaviorCell struct {
	latch *latch
	pid   *actor.PID
	gen   int // of the actor's name; grows when one is given up
}

func newCradle(system *actor.ActorSystem, stray func(to string, msg any)) (*cradle, error) {
	c := &cradle{system: system, latch: &latch{stray: func(msg any) { stray("cradle", msg) }}, failed: map[string]actor.Supervisor{}, actions: map[actions.Tag]*actionCell{}}
	mailbox := actor.WithMailbox(func() actor.Mailbox { return c.next })
	c.behavior = actor.PropsFromProducer(func() actor.Actor { return behaviorActor{} }, mailbox)
	c.action = actor.PropsFromProducer(func() actor.Actor { return actionActor{} }, mailbox)
	props := actor.PropsFromProducer(func() actor.Actor { return c },
		actor.WithMailbox(func() actor.Mailbox { return c.latch }),
		actor.WithSupervisor(c), actor.WithGuardian(keepRunning{}))
	pid, err := system.Root.SpawnNamed(props, "cradle")
	if err != nil {
		return nil, fmt.Errorf("actors: spawn cradle: %w", err)
	}
	c.pid = pid
	c.latch.deliver(nil)
	return c, nil
}

// Receive implements actor.Actor.
func (c *cradle) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*actor.Started); ok {
		c.ctx = ctx
	}
}

// HandleFailure implements actor.SupervisorStrategy: the failure is noted; the engine decides when the tick repairs.
func (c *cradle) HandleFailure(_ *actor.ActorSystem, s actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, _, _ any) {
	c.failed[child.Id] = s
}

// spawn makes a child of a kind with a latch.
func (c *cradle) spawn(name string, kind *actor.Props, stray func(to string, msg any)) (*latch, *actor.PID) {
	l := &latch{stray: func(msg any) { stray(name, msg) }}
	c.next = l
	pid, err := c.ctx.SpawnNamed(kind, name)
	if err != nil {
		panic(fmt.Sprintf("actors: spawn %s: %v", name, err)) // names carry tag or generation: unique by construction
	}
	l.deliver(nil)
	return l, pid
}

// stop ends a child in good order.
func (c *cradle) stop(l *latch, pid *actor.PID) {
	l.ending.Store(true)
	c.ctx.Stop(pid)
	l.deliver(nil)
	c.latch.deliver(nil) // its Failure, if it had one, and its Terminated
	delete(c.failed, pid.Id)
}

// bury gives a child up whose hook did not return: its mailbox becomes a black hole, its name is taken out of the registry,
// and the cradle is told that it ended.
func (c *cradle) bury(l *latch, pid *actor.PID) {
	l.kill()
	c.system.ProcessRegistry.Remove(pid)
	c.latch.PostSystemMessage(&actor.Terminated{Who: pid})
	c.latch.deliver(nil)
	delete(c.failed, pid.Id)
}

// restart lets protoactor restart a child that failed, and runs the restart.
func (c *cradle) restart(l *latch, pid *actor.PID) {
	c.latch.deliver(nil) // the Failure
	if s := c.failed[pid.Id]; s != nil {
		delete(c.failed, pid.Id)
		s.RestartChildren(pid)
	}
	l.deliver(nil)
}

// keepRunning guards the top-level actors: the library's default would stop one for good at its 11th failure in 10 s.
type keepRunning struct{}

// HandleFailure implements actor.SupervisorStrategy.
func (keepRunning) HandleFailure(_ *actor.ActorSystem, s actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, _, _ any) {
	s.RestartChildren(child)
}

// Fresh implements engine.HookRunner: the actor of a panicked incarnation is restarted in place; that of one that hangs is
// replaced under the next generation's name. The constructor, user code, runs on a worker like any hook.
func (j *Joint) Fresh(c *engine.Cell) error {
	b, _ := c.Ext.(*behaviorCell)
	switch {
	case b == nil:
		b = &behaviorCell{}
		c.Ext = b
		j.spawnBehavior(c, b)
	case b.latch.dead.Load():
		b.gen++
		j.spawnBehavior(c, b)
	default:
		j.cradle.restart(b.latch, b.pid)
	}
	m := &construct{entry: c.Entry}
	fl := j.take()
	fl.name = c.Node.ID + " constructor"
	fl.job.items = append(fl.job.items, item{latch: b.latch, msg: m})
	err := j.fly(fl)
	if err != nil {
		j.giveUp(c)
	} else {
		err = fl.job.items[0].err
		j.release(fl)
		if err == nil && m.inst == nil {
			err = errKilled
		}
	}
	if err = j.blame("behavior", c.Node.ID, "constructor", err); err != nil {
		return err
	}
	l := b.latch
	c.Inc = engine.NewIncarnation(m.inst, func() behaviors.Port { return &leasePort{joint: j, cell: c, latch: l} })
	return nil
}

func (j *Joint) spawnBehavior(c *engine.Cell, b *behaviorCell) {
	name := fmt.Sprintf("b-%s-%d", c.Node.ID, b.gen)
	b.latch, b.pid = j.cradle.spawn(name, j.cradle.behavior, j.stray)
}

// giveUp buries the actor of a cell whose hook did not return.
func (j *Joint) giveUp(c *engine.Cell) {
	b := c.Ext.(*behaviorCell)
	if !b.latch.dead.Load() {
		j.cradle.bury(b.latch, b.pid)
	}
}

// behaviorActor is one behavior. It does nothing but run the hooks that the barrier delivers.
type behaviorActor struct{}

// Receive implements actor.Actor.
func (behaviorActor) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *invoke:
		m.run()
	case *construct:
		m.run()
	}
}

// invoke: joint → behavior actor, when a hook is due.
type invoke struct {
	inst  *behaviors.Instance
	frame *engine.Frame
}

func (m *invoke) run() { m.inst.Run(m.frame.Control, &m.frame.Inv) }

// construct: joint → behavior actor, when it needs an incarnation of its code.
type construct struct {
	entry *behaviors.Entry
	inst  *behaviors.Instance
}

func (m *construct) run() { m.inst = m.entry.New() }

// actionActor is one queued action.
type actionActor struct{}

// Receive implements actor.Actor.
func (actionActor) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(*stepAction); ok {
		m.run()
	}
}

// stepAction: joint → action actor, when the tick steps it.
type stepAction struct {
	runner *actions.Runner
	op     actions.Op
	env    *actions.Env
	result actions.Result
}

func (m *stepAction) run() { m.result = m.runner.Do(m.op, m.env) }
