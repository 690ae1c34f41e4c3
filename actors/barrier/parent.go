package barrier

import (
	"fmt"
	"strconv"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
)

// A parent is the parent of every behavior and action actor. They are not children of the stack supervisor: protoactor
// suspends a failed child until its parent has handled the failure, and the supervisor is in the middle of a tick then.
// The parent has a synchronous mailbox like its children and runs on the engine's goroutine, so restarts are part of the
// tick's fixed order.
type parent struct {
	system  *actor.ActorSystem
	mailbox *mailbox
	pid     *actor.PID
	ctx     actor.Context
	// One for all of a kind: each is a quarter of a kilobyte.
	behavior, action *actor.Props
	unexpected       func(to string, msg any)

	next    *mailbox                    // mailbox of the child that is being made
	failed  map[string]actor.Supervisor // child ID → who may restart it
	actions map[actions.Tag]*actionCell
}

// actionCell is the actor of a queued action.
type actionCell struct {
	mailbox *mailbox
	pid     *actor.PID
	msg     stepAction
}

func newParent(system *actor.ActorSystem, unexpected func(to string, msg any)) (*parent, error) {
	p := &parent{system: system, mailbox: &mailbox{unexpected: unexpected}, unexpected: unexpected, failed: map[string]actor.Supervisor{}, actions: map[actions.Tag]*actionCell{}}
	next := actor.WithMailbox(func() actor.Mailbox { return p.next })
	p.behavior = actor.PropsFromProducer(func() actor.Actor { return behaviorActor{} }, next)
	p.action = actor.PropsFromProducer(func() actor.Actor { return actionActor{} }, next)
	props := actor.PropsFromProducer(func() actor.Actor { return p },
		actor.WithMailbox(func() actor.Mailbox { return p.mailbox }),
		actor.WithSupervisor(p))
	pid, err := system.Root.SpawnNamed(props, "parent")
	if err != nil {
		return nil, fmt.Errorf("barrier: spawn parent: %w", err)
	}
	p.pid = pid
	p.mailbox.pid.Store(pid)
	p.mailbox.deliver(nil)
	return p, nil
}

// Receive implements actor.Actor.
func (p *parent) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*actor.Started); ok {
		p.ctx = ctx
	}
}

// HandleFailure implements actor.SupervisorStrategy: it keeps the failure; the engine decides when the child is restarted.
func (p *parent) HandleFailure(_ *actor.ActorSystem, s actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, _, _ any) {
	p.failed[child.Id] = s
}

// spawn makes a child of a kind with a mailbox of its own.
func (p *parent) spawn(name string, kind *actor.Props) (*mailbox, *actor.PID) {
	m := &mailbox{unexpected: p.unexpected}
	p.next = m
	pid, err := p.ctx.SpawnNamed(kind, name)
	if err != nil {
		panic(fmt.Sprintf("barrier: spawn %s: %v", name, err)) // names carry tag or generation: unique by construction
	}
	m.pid.Store(pid)
	m.deliver(nil)
	return m, pid
}

// stop ends a child in good order.
func (p *parent) stop(m *mailbox, pid *actor.PID) {
	m.ending.Store(true)
	p.ctx.Stop(pid)
	m.deliver(nil)
	p.mailbox.deliver(nil) // its Failure, if it had one, and its Terminated
	delete(p.failed, pid.Id)
}

// discard removes a child whose hook did not return: its mailbox drops everything from now on, its name leaves the registry,
// and the parent counts it as ended.
func (p *parent) discard(m *mailbox, pid *actor.PID) {
	m.kill()
	p.system.ProcessRegistry.Remove(pid)
	p.mailbox.PostSystemMessage(&actor.Terminated{Who: pid})
	p.mailbox.deliver(nil)
	delete(p.failed, pid.Id)
}

// restart lets protoactor restart a child that failed, and runs the restart.
func (p *parent) restart(m *mailbox, pid *actor.PID) {
	p.mailbox.deliver(nil) // the Failure
	if s := p.failed[pid.Id]; s != nil {
		delete(p.failed, pid.Id)
		s.RestartChildren(pid)
	}
	m.deliver(nil)
}

// Fresh implements engine.HookRunner: the actor of a panicked incarnation is restarted in place; that of one that hangs is
// replaced under the next generation's name. The constructor, user code, runs on a worker like any hook.
func (b *Barrier) Fresh(c *engine.Cell) error {
	switch box := mailboxOf(c); {
	case box == nil:
		b.spawnBehavior(c, 0)
	case box.dead.Load():
		b.spawnBehavior(c, box.gen+1)
	default:
		b.parent.restart(box, box.pid.Load())
	}
	if inst := c.TakeReady(); inst != nil { // no author's code runs
		b.incarnate(c, inst)
		return nil
	}
	m := &construct{entry: c.Entry}
	d := b.prepare()
	d.name = c.Node.ID + " constructor"
	d.job.items = append(d.job.items, item{mailbox: mailboxOf(c), msg: m})
	err := b.handOver(d)
	if err != nil {
		b.discardActor(c)
	} else {
		err = d.job.items[0].err
		b.release(d)
		if err == nil && m.inst == nil {
			err = errKilled
		}
	}
	if err = b.report("behavior", c.Node.ID, "constructor", err); err != nil {
		return err
	}
	b.incarnate(c, m.inst)
	return nil
}

// incarnate lets an instance be the present incarnation of a cell whose actor stands.
func (b *Barrier) incarnate(c *engine.Cell, inst *behaviors.Instance) {
	c.Inc = engine.NewIncarnation(inst, func(f *engine.Frame) behaviors.Port {
		return &hookPort{barrier: b, cell: c, mailbox: mailboxOf(c), msg: invoke{frame: f, inst: c.Inc.Inst}}
	})
}

// Retire implements engine.HookRunner: the actor of a behavior that is not there any more, or whose definition changed, ends.
func (b *Barrier) Retire(c *engine.Cell) {
	if box := mailboxOf(c); box != nil && !box.dead.Load() {
		b.parent.stop(box, box.pid.Load())
	}
}

// mailboxOf is the mailbox of a behavior's actor; nil if it never had one.
func mailboxOf(c *engine.Cell) *mailbox {
	box, _ := c.Ext.(*mailbox)
	return box
}

func (b *Barrier) spawnBehavior(c *engine.Cell, gen uint32) {
	box, _ := b.parent.spawn("b-"+c.Node.ID+"-"+strconv.FormatUint(uint64(gen), 10), b.parent.behavior)
	box.gen = gen
	c.Ext = box
}

// discardActor discards the actor of a cell whose hook did not return, once.
func (b *Barrier) discardActor(c *engine.Cell) {
	if box := mailboxOf(c); !box.dead.Load() {
		b.parent.discard(box, box.pid.Load())
	}
}

// behaviorActor is one behavior. It runs the hooks that the barrier delivers.
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

// invoke: barrier → behavior actor, when a hook is due.
type invoke struct {
	inst  *behaviors.Instance
	frame *engine.Frame
}

func (m *invoke) run() { m.inst.Run(m.frame.Control, &m.frame.Inv) }

// construct: barrier → behavior actor, when it needs a fresh incarnation.
type construct struct {
	entry *catalog.Entry
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

// stepAction: barrier → action actor, when the tick steps it.
type stepAction struct {
	runner *actions.Runner
	op     actions.Op
	env    *actions.Env
	result actions.Result
}

func (m *stepAction) run() { m.result = m.runner.Do(m.op, m.env) }
