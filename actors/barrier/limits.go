package barrier

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotd/robotd/actors/event"
)

// MaxZombies bounds the goroutines that were given up in hooks and have not returned. Go cannot end one. Those that wait cost
// memory, those that spin a processor; a robot that lost this many is not going to get better by itself. At the limit no
// hook is called any more and the tick fails: everything is made safe and the process ends, to be started anew, which takes
// milliseconds. The alarm is at a half.
const MaxZombies = 32

// MinBudget is the least that a hook may take however many hung in the same tick.
const MinBudget = 2 * time.Millisecond

// ErrExhausted is why no hook is called any more.
var ErrExhausted = fmt.Errorf("%d hooks never returned", MaxZombies)

// Exhausted reports that too many hooks never returned. It stays so even if one returns after all: hooks may have been left
// out meanwhile, whose behaviors count as lost, so that the tick is not whole.
func (b *Barrier) Exhausted() bool {
	b.noMoreHooks = b.noMoreHooks || b.zombies.Load() >= MaxZombies
	return b.noMoreHooks
}

// patience is how long the innermost delivery may hold on now. Each hang of a tick halves it, down to the least budget there
// is, so that any number of hooks that wait takes a bounded part of one tick: two budgets and the least one for each of MaxZombies.
// One that burns processor time must burn the whole budget. The next tick begins with the whole patience again.
func (b *Barrier) patience() time.Duration {
	return max(b.budget>>min(b.lost, 16), min(MinBudget, b.budget))
}

// slowPart is the part of the budget from which on a hook counts as slow.
const slowPart = 4

// slow tells of a delivery that came through, but was seen holding on for long. The watchdog's looks are the only clock, so
// a hook costs nothing for it; the time told is what was seen of it, a look or two less than it took.
func (b *Barrier) slow(d *delivery) {
	w := &d.watch
	if b.onHang != nil || !w.on || w.spent < b.budget/slowPart || w.spent < 2*pollEvery {
		return
	}
	rec := event.Slow{Took: w.spent}
	switch i := index(w.state); {
	case d.op != "":
		rec.Actor, rec.Where = "action/"+d.name, d.op
	case d.name == "" && i < len(d.job.items):
		rec.Actor, rec.Where = "behavior/"+d.job.items[i].cell.Node.ID, d.hook.String()
	default:
		return // a constructor
	}
	b.observer.Observe(rec)
}

// refuse counts a request that belongs to no hook that runs. Whoever makes it may run on any goroutine, and may make many:
// the supervisor tells of them once a tick.
func (b *Barrier) refuse(p *hookPort) {
	b.staleBy.Store(&p.cell.Node.ID)
	b.stale.Add(1)
}

// errKilled says that the actor did not take a message: it was stopped. The gates make that impossible; if it happens
// nevertheless, the incarnation counts as lost and not its hook as done.
var errKilled = errors.New("the actor does not take messages any more")
