package actions

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxRunners bounds the runners in all slots. A behavior runs one action and rarely a handful in parallel; 64 fits on
// one page and keeps a runaway loop visible.
const maxRunners = 64

// Reasons for which Queue refuses. Nothing is queued then.
var (
	ErrFull      = fmt.Errorf("actions: queue: already %d actions", maxRunners)
	ErrNil       = errors.New("actions: queue: no action")
	ErrDuplicate = errors.New("actions: queue: this action is queued already")
	ErrClearing  = errors.New("actions: queue: the list is being cleared")
	ErrBadTag    = errors.New("actions: queue: tag is invalid or in use")        // TAG-4, TAG-5
	ErrBroken    = errors.New("actions: queue: the action panicked in a getter") // ABORT before the start
	errPosition  = errors.New("actions: queue: unknown position")
)

// A Position says where a new action goes (spec/actions §2).
type Position uint8

// The positions. The zero value is what behaviors use (BEH-2).
const (
	PositionNow                  Position = iota // cancel the current one, keep the pending ones behind the new one
	PositionNowAndClearRemaining                 // cancel everything in all slots
	PositionNext                                 // directly after the current one
	PositionAtEnd
	PositionNowAndResume // set the current one aside if it allows that
	PositionInParallel   // in a slot of its own
)

var positionNames = [...]string{"NOW", "NOW_AND_CLEAR_REMAINING", "NEXT", "AT_END", "NOW_AND_RESUME", "IN_PARALLEL"}

func (p Position) String() string { return positionNames[p] }

// ParsePosition finds a position by its name.
func ParsePosition(name string) (Position, bool) {
	i := slices.Index(positionNames[:], strings.ToUpper(name))
	return Position(max(i, 0)), i >= 0
}

// QueueOptions say where, for whom and how often. The zero value is what behaviors use.
type QueueOptions struct {
	Position Position
	// Retries is the number of repetitions after results of category RETRY (Q-12, RUN-8).
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

// Queue takes ownership of an action and returns its tag. It starts in the next update of its slot, never here (Q-4,
// TICK-1). What it displaces ends at once: its tracks are free when Queue returns, its completion comes with the
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

// IgnoreExternal switches whether Queue drops actions with app and SDK tags (TAG-6).
func (l *List) IgnoreExternal(on bool) { l.external = on }
