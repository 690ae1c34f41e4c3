package actors

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotd/robotd/actors/event"
)

// maxZombies bounds the goroutines that were given up in hooks and have not returned. Go cannot end one. Those that wait cost
// memory, those that spin a processor; a robot that lost this many is not going to get better by itself. At the limit no
// hook is called any more and the tick fails: everything is made safe and the process ends, to be started anew, which takes
// milliseconds. The alarm is at a half.
const maxZombies = 32

// errExhausted is why no hook is called any more.
var errExhausted = fmt.Errorf("%d hooks never returned", maxZombies)

// exhausted reports that too many hooks never returned. It stays so even if one returns after all: hooks may have been left
// out meanwhile, whose behaviors count as lost, so that the tick is not whole.
func (j *Joint) exhausted() bool {
	j.spent = j.spent || j.zombies.Load() >= maxZombies
	return j.spent
}

// patience is how long the innermost delivery may hold on now. Each hang of a tick halves it, down to the least budget there
// is, so that any number of hooks that wait takes a bounded part of one tick: two budgets and the least one for each of maxZombies.
// One that burns processor time must burn the whole budget. The next tick begins with the whole patience again.
func (j *Joint) patience() time.Duration {
	return max(j.budget>>min(j.lost, 16), min(minBudget, j.budget))
}

// slowPart is the part of the budget from which on a hook counts as slow.
const slowPart = 4

// slow tells of a delivery that came through, but was seen holding on for long. The watchdog's looks are the only clock, so
// a hook costs nothing for it; the time told is what was seen of it, a look or two less than it took.
func (j *Joint) slow(fl *flight) {
	w := &fl.watch
	if j.fatal != nil || !w.on || w.spent < j.budget/slowPart || w.spent < 2*pollEvery {
		return
	}
	rec := event.Slow{Took: w.spent}
	switch i := index(w.state); {
	case fl.op != "":
		rec.Actor, rec.Where = "action/"+fl.name, fl.op
	case fl.name == "" && i < len(fl.job.items):
		rec.Actor, rec.Where = "behavior/"+fl.job.items[i].cell.Node.ID, fl.hook.String()
	default:
		return // a constructor
	}
	j.observer.Observe(rec)
}

// refuse counts a request that belongs to no hook in flight. Whoever makes it may run on any goroutine, and may make many:
// the supervisor tells of them once a tick.
func (j *Joint) refuse(p *leasePort) {
	j.staleBy.Store(&p.cell.Node.ID)
	j.stale.Add(1)
}

// strain tells observers what has changed since the last tick: zombies, stale requests, dropped events.
type strain struct {
	zombies        int64
	stale, dropped uint64
}

func (s *strain) tell(o event.Observer, j *Joint, in *Inbox) {
	if z := j.zombies.Load(); z != s.zombies {
		s.zombies = z
		o.Observe(event.Zombies{N: int(z), Limit: maxZombies})
	}
	if n := j.stale.Load(); n != s.stale {
		o.Observe(event.Stale{N: n - s.stale, By: *j.staleBy.Load()})
		s.stale = n
	}
	if n := in.Dropped(); n != s.dropped {
		o.Observe(event.Dropped{N: n - s.dropped})
		s.dropped = n
	}
}

// errKilled says that the actor did not take a message: it was stopped. The gates make that impossible; if it happens
// nevertheless, the incarnation counts as lost and not its hook as done.
var errKilled = errors.New("the actor does not take messages any more")
