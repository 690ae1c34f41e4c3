package barrier

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotd/robotd/actors/event"
)

// MaxZombies bounds the zombies: workers that were abandoned in a hook that has not returned. Go cannot end a goroutine. A
// zombie that waits costs memory, one that spins costs a processor. At the limit no hook is called any more and the tick
// fails: everything is made safe and the process ends, to be started again, which takes milliseconds. The alarm of the
// monitoring is at a half.
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

// patience is how long a hook may wait for something. Each hang of a tick halves it, down to MinBudget, so that hooks which
// wait take a bounded part of one tick: two budgets and MaxZombies times MinBudget. A hook that burns processor time may burn
// the whole budget. The next tick begins with the whole patience again.
func (b *Barrier) patience() time.Duration {
	return max(b.budget>>min(b.lost, 16), min(MinBudget, b.budget))
}

// slowPart is the part of the budget from which on a hook counts as slow.
const slowPart = 4

// slow reports a hook that returned after a good part of its budget. It measures with the looks of the watchdog, which cost a
// quick hook nothing, so the time reported is a look or two less than the hook took.
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

// refuse counts a request that belongs to no running hook. Requests may come from any goroutine and in any number, so the
// supervisor reports the count once a tick.
func (b *Barrier) refuse(p *hookPort) {
	b.staleBy.Store(&p.cell.Node.ID)
	b.stale.Add(1)
}

// errKilled says that an actor did not take a message because it was stopped. The mailboxes make that impossible. Should it
// happen nevertheless, the incarnation counts as lost, and not its constructor as done.
var errKilled = errors.New("the actor does not take messages any more")
