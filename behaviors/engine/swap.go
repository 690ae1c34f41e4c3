package engine

import (
	"cmp"
	"slices"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/stack"
)

// reload carries out the command Reload: all of it or nothing.
func (e *Engine) reload(c *Command) (text, err string) {
	if e.changes == nil {
		return "", "this robot cannot change its behaviors while it lives"
	}
	ch, wrong := e.changes(c)
	switch {
	case wrong != nil:
		return "", wrong.Error()
	case ch.From != e.catalog:
		return "", "the behaviors were changed meanwhile; plan the change again"
	}
	e.swap(ch)
	return "behaviors: " + ch.Plan.String(), ""
}

// swap puts the behaviors of another catalog in place of the present ones, before the tick that begins touches the stack (L-44). What can go
// wrong went wrong before: the catalog is complete, and its incarnations are made.
func (e *Engine) swap(ch *catalog.Change) {
	e.out.Swapped = &ch.Plan
	base := e.nextBases(ch)
	out := e.nodesOf(slices.Concat(ch.Plan.Changed, ch.Plan.Restarted, ch.Plan.Removed))
	_ = e.stack.Withdraw(e.view.Tick, out, base.moves) // no hook runs, and the last tick is whole
	for _, n := range out {
		e.retire(n.Data.(*Cell))
	}
	for _, id := range ch.Plan.Removed {
		delete(e.cells, id)
	}
	fresh := e.makeCells(ch)
	e.catalog = ch.To
	e.mood.fit()
	e.generation++
	e.ordered = e.ordered[:0:0]
	nodes := make([]*stack.Node, len(ch.To.Entries))
	for i, entry := range ch.To.Entries {
		c := e.cells[entry.ID]
		e.ordered = append(e.ordered, c)
		nodes[i] = c.Node
	}
	e.takeBases(ch, base)
	if err := e.stack.Adopt(nodes, e.cells[base.next].Node); err != nil {
		panic("engine: swap: " + err.Error()) // the catalogs are complete, and what is removed was withdrawn
	}
	e.wire(fresh)
	e.stack.Enroll(fresh)
	e.feature.enable()
	e.settings++
}

// retire takes from a cell whose behavior was withdrawn what it may still hold, and ends its incarnation. Others may read the cell for a
// while: nothing of it is used again.
func (e *Engine) retire(c *Cell) {
	e.release(c)
	e.unsubscribe(c)
	if c.notice != "" {
		e.setNotice(c, "")
	}
	e.hooks.Retire(c)
}

// makeCells makes a cell with a fresh incarnation for each behavior that needs one. A node that layers may list is kept.
func (e *Engine) makeCells(ch *catalog.Change) (fresh []*stack.Node) {
	ids := ch.Plan.Fresh()
	cells := make([]Cell, len(ids))
	for i, id := range ids {
		c := &cells[i]
		c.Entry, c.seldom, c.ready = ch.To.Find(id), &nothingSeldom, ch.Take(id)
		if old := e.cells[id]; old != nil {
			c.Node, c.started, c.since = old.Node, old.started, old.since
		} else {
			c.Node = &stack.Node{ID: id, Early: c.Entry.Analyzer != ""}
		}
		c.Node.Data = c
		e.cells[id] = c
		if err := e.hooks.Fresh(c); err != nil {
			panic("engine: swap: " + id + ": " + err.Error()) // its instance is ready: no author's code runs
		}
		c.Node.Updates, c.Node.Modifies = c.Inc.Inst.HasUpdate(), c.Inc.Inst.HasModify()
		fresh = append(fresh, c.Node)
	}
	return fresh
}

// wire tells the stack the delegates, links and owners of a changed catalog.
func (e *Engine) wire(fresh []*stack.Node) {
	for _, n := range fresh {
		entry := n.Data.(*Cell).Entry
		if err := n.SetDelegates(e.nodesOf(entry.Delegates), e.nodesOf(entry.Links)); err != nil {
			panic("engine: swap: " + err.Error()) // the catalog is complete
		}
	}
	e.setOwned()
}

// bases are what a change means for the base of the stack.
type bases struct {
	boot  string // the boot behavior
	next  string // base of the stack
	moves bool   // the base of now ends
}

// nextBases decides which base the stack has after a change. A boot behavior that the boot configuration named follows the configuration;
// one that an operator named stays while it exists.
func (e *Engine) nextBases(ch *catalog.Change) bases {
	b := bases{boot: e.boot.base.ID}
	if role := e.boot.stage.base(&ch.From.Boot); b.boot == role || ch.To.Find(b.boot) == nil {
		b.boot = e.boot.stage.base(&ch.To.Boot)
	}
	base := e.stack.Base()
	if base == nil {
		base = e.boot.base
	}
	b.next = base.ID
	if base == e.boot.base || ch.To.Find(b.next) == nil || e.standsIn(base) && e.usableAfter(ch, b.boot) {
		b.next = b.boot
	}
	if e.halted && base == e.boot.stop {
		b.next = cmp.Or(ch.To.Boot.EmergencyStop, ch.To.Boot.Fallback)
	}
	b.moves = b.next != base.ID
	return b
}

// standsIn reports whether base is the fallback, which took the place of a boot behavior that failed too often.
func (e *Engine) standsIn(base *stack.Node) bool {
	f := e.cells[e.catalog.Boot.Fallback]
	return f != nil && f.Node == base && e.boot.base.Disabled() && base != e.boot.run && !e.boot.testing
}

// usableAfter reports whether a behavior of the coming catalog is not disabled after the change.
func (e *Engine) usableAfter(ch *catalog.Change, id string) bool {
	c := e.cells[id]
	return c == nil || !c.Node.Disabled() || slices.Contains(ch.Plan.Changed, id) || slices.Contains(ch.Plan.Restarted, id)
}

// takeBases gives the boot loader the nodes of a changed catalog. What waited for a behavior that is gone waits for the boot behavior.
func (e *Engine) takeBases(ch *catalog.Change, to bases) {
	b := &e.boot
	was, boot := b.base, e.cells[to.boot].Node
	follow := func(n *stack.Node) *stack.Node {
		switch {
		case n == nil:
			return nil
		case n == was, ch.To.Find(n.ID) == nil:
			return boot
		}
		return n
	}
	if b.run != nil && ch.To.Find(b.run.ID) == nil {
		b.run = nil
	}
	if b.testing && ch.To.Find(e.stack.Base().ID) == nil {
		b.testing = false
	}
	b.base, b.next, b.tested = boot, follow(b.next), follow(b.tested)
	if pending := e.stack.Pending(); pending != nil && follow(pending) != pending {
		_ = e.stack.ResetNext(follow(pending))
	}
	if b.delay > 0 && ch.To.Boot.Onboarding == "" {
		b.delay = 0
	}
	e.takeStop(ch, to)
	b.cycles = stack.CycleMonitor{}
	for pair := range b.pairs {
		if pair[0] != nil && ch.To.Find(pair[0].ID) == nil || pair[1] != nil && ch.To.Find(pair[1].ID) == nil {
			delete(b.pairs, pair)
		}
	}
}

// takeStop finds the behavior that holds the stack during an emergency stop. If the robot is stopped, that one holds it from now on: also if
// the boot behavior had lived on so far, and if another one was to become the base with this tick.
func (e *Engine) takeStop(ch *catalog.Change, to bases) {
	b, old := &e.boot, e.boot.stop
	b.stop = nil
	if c := e.cells[cmp.Or(ch.To.Boot.EmergencyStop, ch.To.Boot.Fallback)]; c != nil {
		b.stop = c.Node
	}
	if !e.halted || b.stop == nil {
		return
	}
	b.stays = b.stays && b.stop == b.base && to.next == b.stop.ID
	if b.stays {
		return
	}
	if old != nil && old != b.stop {
		e.setNotice(old.Data.(*Cell), "")
	}
	e.setNotice(b.stop.Data.(*Cell), stateStopped)
	if pending := e.stack.Pending(); pending != b.stop && (pending != nil || to.next != b.stop.ID) && !b.stop.Disabled() {
		_ = e.stack.ResetNext(b.stop)
	}
}
