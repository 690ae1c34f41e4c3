package actions

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxRunners limits the runners in all slots. A behavior runs one action and rarely a handful in parallel; 64 fits on
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

// A Position is the place of a new action in the queues (actions/Q-4).
type Position uint8

// The positions. Behaviors use the zero value (BEH-2).
const (
	PositionNow                  Position = iota // cancel the current one, keep the pending ones behind the new one
	PositionNowAndClearRemaining                 // cancel everything in all slots
	PositionNext                                 // directly after the current one
	PositionAtEnd
	PositionNowAndResume // interrupt the current one if it allows that
	PositionInParallel   // in a slot of its own
)

var positionNames = [...]string{"NOW", "NOW_AND_CLEAR_REMAINING", "NEXT", "AT_END", "NOW_AND_RESUME", "IN_PARALLEL"}

func (p Position) String() string { return positionNames[p] }

// ParsePosition finds a position by its name.
func ParsePosition(name string) (Position, bool) {
	i := slices.Index(positionNames[:], strings.ToUpper(name))
	return Position(max(i, 0)), i >= 0
}

// QueueOptions configure how an action is queued. Behaviors use the zero value.
type QueueOptions struct {
	Position Position
	// Retries is the number of repetitions after results of category RETRY (actions/Q-12, RUN-8).
	Retries int
	// Tag is a custom tag, zero for an engine tag.
	Tag Tag
	// Owner names the caller, usually by a behavior ID.
	Owner string
	// Label holds the action's name and type if the caller has read them already. Without it the list reads them on its
	// own goroutine.
	Label Label
	// SuppressTracks makes the runner lock no tracks, because the caller holds them (TRK-13).
	SuppressTracks bool
	// First makes the action begin before all others in the next update, whatever its slot, so that no other takes the tracks that were free
	// when it was queued.
	First bool
}

// Queue takes ownership of an action and returns its tag. The action starts in the next update of its slot, never here
// (actions/Q-4, TICK-1). An action that it displaces ends at once: its tracks are free when Queue returns (actions/Q-5),
// its completion comes with the next Update or Drain. While external actions are ignored, one is dropped with tag 0 and
// no error (TAG-6).
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
		action: a, owner: o.Owner, name: o.Label.name, actionType: o.Label.kind, state: NotStarted, retries: o.Retries, since: l.now,
		suppress: o.SuppressTracks, first: o.First, getters: &getterValues{},
	}
	auto, err := l.tags.Take()
	if err != nil {
		return nil, err
	}
	r.tag, r.autoTag = auto, auto
	if o.Tag != InvalidTag {
		if !l.tags.claim(o.Tag) {
			l.tags.Free(auto)
			return nil, ErrBadTag
		}
		r.tag = o.Tag
	}
	r.holder = holderName(r.name, r.tag)
	return r, nil
}

// place puts r at its position. It looks up slot 0 again after each cancellation, because a cancelled action may have
// called the list.
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
		l.placeNowAndResume(r)
	}
}

func (l *List) placeNow(r *Runner) {
	if q := l.slot(0); q != nil && q.current != nil {
		l.cancel(q.current)
	}
	l.open(0).insert(0, r)
}

func (l *List) placeNowAndResume(r *Runner) {
	q := l.slot(0)
	if q == nil || q.current == nil || q.current == l.current || !l.mayInterrupt(q.current) {
		l.placeNow(r)
		return
	}
	old := q.current
	q.current = nil
	l.callFenced(old, func(env *Env) { old.interrupt(env, l.host) })
	q = l.open(0)
	if old.broken {
		l.destroy(old)
	} else {
		q.insert(0, old)
	}
	q.insert(0, r)
}

// mayInterrupt asks a running action whether it may be interrupted.
func (l *List) mayInterrupt(r *Runner) (ok bool) {
	l.callFenced(r, func(env *Env) { ok = r.interruptible(env, l.host) })
	return ok
}

// IgnoreExternal switches whether Queue drops actions with app and SDK tags (TAG-6).
func (l *List) IgnoreExternal(on bool) { l.external = on }
