package actions

import (
	"errors"
	"fmt"
)

// maxRunners bounds the runners in all slots. A behavior runs one action and rarely a handful in parallel; 64 fits on
// one page and keeps a runaway loop visible.
const maxRunners = 64

// Reasons for which Queue refuses. Nothing is queued then.
var (
	ErrFull      = fmt.Errorf("actions: queue: already %d actions", maxRunners)
	ErrNil       = errors.New("actions: queue: no action")                       // actions/Q-8
	ErrDuplicate = errors.New("actions: queue: this action is queued already")   // actions/Q-7
	ErrClearing  = errors.New("actions: queue: the list is being cleared")       // actions/Q-8
	ErrBadTag    = errors.New("actions: queue: tag is invalid or in use")        // TAG-4, TAG-5
	ErrBroken    = errors.New("actions: queue: the action panicked in a getter") // ABORT before the start
	errPosition  = errors.New("actions: queue: unknown position")
)

// QueueOptions say where, for whom and how often. The zero value is what behaviors use.
type QueueOptions struct {
	Position Position
	// Retries is the number of repetitions after results of category RETRY (actions/Q-12, RUN-8).
	Retries int
	// Tag is a custom tag, zero for an engine tag.
	Tag Tag
	// Owner is who asks, usually a behavior ID.
	Owner string
	// Label is what the action says of itself, read by the caller. Without one the list asks on its own goroutine.
	Label Label
	// SuppressTracks leaves the track locks to somebody else (TRK-13).
	SuppressTracks bool
}

// Queue takes ownership of an action and returns its tag. It starts in the next update of its slot, never here (actions/Q-4,
// TICK-1). What it displaces ends at once: its tracks are free when Queue returns (actions/Q-5), its completion comes with the
// next Update or Drain. An external action is dropped with tag 0 and no error while those are ignored (TAG-6).
func (l *List) Queue(a Action, o QueueOptions) (Tag, error) {
	switch {
	case a == nil:
		return InvalidTag, ErrNil
	case l.clearing:
		return InvalidTag, ErrClearing
	case l.find(a) != nil:
		return InvalidTag, ErrDuplicate
	case o.Position > PositionInParallel:
		return InvalidTag, errPosition
	case l.external && o.Tag.External():
		return InvalidTag, nil
	case l.count() >= maxRunners:
		return InvalidTag, ErrFull
	}
	r, err := l.newRunner(a, o)
	if err != nil {
		return InvalidTag, err
	}
	l.place(r, o.Position)
	return r.tag, nil
}

func (l *List) newRunner(a Action, o QueueOptions) (*Runner, error) {
	if !o.Label.known {
		o.Label = Describe(a)
	}
	if o.Label.broken {
		return nil, ErrBroken
	}
	r := &Runner{
		action: a, owner: o.Owner, name: o.Label.name, kind: o.Label.kind, state: NotStarted, retries: o.Retries, since: l.now,
		suppress: o.SuppressTracks, said: &facts{},
	}
	auto, err := l.tags.Take()
	if err != nil {
		return nil, err
	}
	r.tag, r.auto = auto, auto
	if o.Tag != InvalidTag {
		if !l.tags.claim(o.Tag) {
			l.tags.Free(auto)
			return nil, ErrBadTag
		}
		r.tag = o.Tag
	}
	r.who = holderName(r.name, r.tag)
	return r, nil
}

// place puts r at its position. Slot 0 is looked up again after each cancellation, for that may call back.
func (l *List) place(r *Runner, p Position) {
	switch p {
	case PositionInParallel:
		l.open(l.freeSlot()).insert(0, r)
	case PositionAtEnd:
		q := l.open(0)
		q.insert(len(q.pending), r)
	case PositionNext:
		q := l.open(0)
		if q.current != nil {
			q.insert(0, r) // directly after the current one
		} else {
			q.insert(1, r) // the front pending one counts as current
		}
	case PositionNow:
		l.placeNow(r)
	case PositionNowAndClearRemaining:
		l.Clear()
		l.placeNow(r)
	case PositionNowAndResume:
		l.placeAhead(r)
	}
}

func (l *List) placeNow(r *Runner) {
	if q := l.slot(0); q != nil && q.current != nil {
		l.cancel(q.current)
	}
	l.open(0).insert(0, r)
}

func (l *List) placeAhead(r *Runner) {
	q := l.slot(0)
	if q == nil || q.current == nil || q.current == l.current || !l.mayRest(q.current) {
		l.placeNow(r)
		return
	}
	old := q.current
	q.current = nil
	l.cross(old, func(env *Env) { old.interrupt(env, l.host) })
	q = l.open(0)
	if old.broken {
		l.destroy(old)
	} else {
		q.insert(0, old)
	}
	q.insert(0, r)
}

// mayRest asks a running action whether it may be set aside.
func (l *List) mayRest(r *Runner) (ok bool) {
	l.cross(r, func(env *Env) { ok = r.interruptible(env, l.host) })
	return ok
}

// find returns the runner of an action that is in a queue, if any (actions/Q-7).
func (l *List) find(a Action) *Runner {
	return l.match(func(r *Runner) bool { return same(r.action, a) })
}

// match returns the first runner, in slot order, for which f holds.
func (l *List) match(f func(*Runner) bool) (found *Runner) {
	for _, q := range l.queues {
		if !q.each(func(r *Runner) bool {
			if f(r) {
				found = r
			}
			return found == nil
		}) {
			break
		}
	}
	return found
}

// slot returns the queue of a slot, nil if it does not exist.
func (l *List) slot(n int) *queue {
	if q := l.from(n); q != nil && q.slot == n {
		return q
	}
	return nil
}

// open returns the queue of a slot and makes it if needed.
func (l *List) open(n int) *queue {
	at := 0
	for at < len(l.queues) && l.queues[at].slot < n {
		at++
	}
	if at < len(l.queues) && l.queues[at].slot == n {
		return l.queues[at]
	}
	q := &queue{slot: n}
	l.queues = append(l.queues, nil)
	copy(l.queues[at+1:], l.queues[at:])
	l.queues[at] = q
	return q
}

// freeSlot is the lowest unused slot from 1 on (actions/Q-2).
func (l *List) freeSlot() int {
	n := 1
	for l.slot(n) != nil {
		n++
	}
	return n
}

// count is the number of runners in all slots.
func (l *List) count() int {
	n := 0
	for _, q := range l.queues {
		n += q.len()
	}
	return n
}

// CancelTag cancels the action with this tag, running or pending, at once (RUN-11, actions/Q-9). It reports whether there was
// one; while the list is being cleared it does nothing and returns true.
func (l *List) CancelTag(t Tag) bool {
	return l.cancelAll(func(r *Runner) bool { return r.tag == t })
}

// CancelType cancels every action of a type; TypeAny is every action.
func (l *List) CancelType(t Type) bool {
	return l.cancelAll(func(r *Runner) bool { return t == TypeAny || r.kind == t })
}

// CancelOwner cancels every action that owner queued.
func (l *List) CancelOwner(owner string) bool {
	return l.cancelAll(func(r *Runner) bool { return r.owner == owner })
}

func (l *List) cancelAll(f func(*Runner) bool) bool {
	if l.clearing {
		return true
	}
	found := false
	for {
		r := l.match(func(r *Runner) bool { return !r.canceled && f(r) })
		if r == nil {
			return found
		}
		found = true
		l.cancel(r)
	}
}

// Clear ends everything, each with its completion (actions/Q-10), in slot and queue order.
func (l *List) Clear() {
	if l.clearing {
		return
	}
	l.clearing = true
	for {
		r := l.match(func(r *Runner) bool { return !r.canceled })
		if r == nil {
			break
		}
		l.cancel(r)
	}
	l.clearing = false
}

// cancel ends one runner at once; the one whose call is under way ends when the call returns.
func (l *List) cancel(r *Runner) {
	r.canceled = true
	if r == l.current {
		return
	}
	for _, q := range l.queues {
		if q.remove(r) {
			break
		}
	}
	if l.active == nil {
		l.dropEmpty()
	}
	l.destroy(r)
}

// ForceComplete makes the next update end the action with SUCCESS, without another call of its checks (RUN-12).
func (l *List) ForceComplete(t Tag) bool {
	r := l.match(func(r *Runner) bool { return r.tag == t })
	if r != nil {
		r.state = Success
	}
	return r != nil
}

// IgnoreExternal switches whether Queue drops actions with app and SDK tags (TAG-6).
func (l *List) IgnoreExternal(on bool) { l.external = on }
