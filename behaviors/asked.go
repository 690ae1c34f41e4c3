package behaviors

import (
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// Answers are what behaviors were asked in one tick and what they answered, in order, as facts without words. They are copies: they stay as
// they are in later ticks, and are read on any goroutine.
type Answers struct {
	Tick uint64
	At   time.Time
	List []Asked

	notes   []condition.Note
	reasons []Reason
}

// An Asked is one question and its answer.
type Asked struct {
	ID, By string // By: who asked, empty for nobody
	Class  *Class
	State  string // the debug state
	Yes    bool
	Lost   bool // the incarnation was lost by the question, or earlier in this tick
	// Skipped says that the one who asked left it out: it was not asked.
	Skipped bool
	// Refused says why the question was not put to the behavior; 0 if it was.
	Refused stack.Reason
	Decline Decline

	own     bool   // class code decides
	applies uint16 // built-in gates, a bit for each
	reason  int32  // index, plus 1
	from    int32  // of the notes
	to      int32
	of      *Answers
}

// Reset makes as empty, for another tick. Nobody may read what it held.
func (as *Answers) Reset(tick uint64, at time.Time) {
	as.Tick, as.At, as.List, as.notes, as.reasons = tick, at, as.List[:0], as.notes[:0], as.reasons[:0]
}

// Add appends the newest answer of i. It allocates only to grow.
func (as *Answers) Add(by string, i *Instance, yes bool) {
	a := as.next(i.ID, by)
	a.Class, a.State, a.Yes, a.own, a.applies = i.Class, i.state, yes, i.wanter != nil || i.takesData, i.applies()
	if !yes {
		a.Decline = i.decline
	}
	if i.reason.given() && (yes || a.Decline.Gate == GateClass) {
		as.reasons = append(as.reasons, *i.reason)
		a.reason = int32(len(as.reasons))
	}
	a.from = int32(len(as.notes))
	for n, w := range i.wants {
		if a.reached(n) {
			as.notes = condition.Notes(as.notes, w)
		} else {
			as.notes = condition.Unasked(as.notes, w)
		}
	}
	a.to = int32(len(as.notes))
}

// AddRefused appends a question that was not put to the behavior.
func (as *Answers) AddRefused(by, id string, class *Class, why stack.Reason) {
	a := as.next(id, by)
	a.Class, a.Refused = class, why
}

// AddSkipped appends a behavior that was left out of a list; until is when that ends, if it is known.
func (as *Answers) AddSkipped(by, id string, class *Class, until time.Time) {
	a := as.next(id, by)
	a.Class, a.Skipped = class, true
	if until.After(as.At) {
		as.reasons = append(as.reasons, Reason{format: "left out by %v, again in %v", n: 2, at: as.At, args: [maxReasonArgs]reasonArg{
			{text: by}, {kind: reasonTime, at: until},
		}})
		a.reason = int32(len(as.reasons))
	}
}

// AddLost appends a question that has no answer, because the code of the behavior failed.
func (as *Answers) AddLost(by, id string, class *Class) {
	a := as.next(id, by)
	a.Class, a.Lost = class, true
}

func (as *Answers) next(id, by string) *Asked {
	as.List = append(as.List, Asked{ID: id, By: by, of: as})
	return &as.List[len(as.List)-1]
}

// reached reports whether the n-th condition was asked.
func (a *Asked) reached(n int) bool {
	return a.Yes || a.Decline.Gate == GateClass || a.Decline.Gate == GateCondition && int32(n) <= a.Decline.Condition
}

// applies says which built-in gates can be closed for the behavior.
func (i *Instance) applies() uint16 {
	m := &i.mods
	on := bit(GateActivated, true) | bit(GateSuppressed, true)
	on |= bit(GateTreads, !m.WhenOffTreads) | bit(GateCharger, !m.WhenOnCharger) | bit(GateCarrying, !m.WhenCarryingObject)
	return on | bit(GateCube, m.Cube.Required()) | bit(GateEnsurer, m.Cube == CubeRequiredManaged)
}

func bit(g Gate, on bool) uint16 {
	if on {
		return 1 << g
	}
	return 0
}

func (a *Asked) notes() []condition.Note { return a.of.notes[a.from:a.to] }

func (a *Asked) because() *Reason {
	if a.reason == 0 {
		return nil
	}
	return &a.of.reasons[a.reason-1]
}

// SameGate reports whether both answers are the same and rest on the same gate.
func (a *Asked) SameGate(b *Asked) bool {
	return a.Yes == b.Yes && a.Skipped == b.Skipped && a.Lost == b.Lost && a.Refused == b.Refused && a.Decline == b.Decline
}

// Same reports whether both tell the same, but for the passing of time.
func (a *Asked) Same(b *Asked) bool {
	if !a.SameGate(b) || a.By != b.By || a.State != b.State || a.applies != b.applies || (a.reason == 0) != (b.reason == 0) {
		return false
	}
	if a.reason != 0 && !a.because().same(b.because()) {
		return false
	}
	return condition.Same(a.notes(), a.of.At, b.notes(), b.of.At)
}

// CopyTo appends a to another list of answers, which must be of the same tick or hold nothing else.
func (a *Asked) CopyTo(as *Answers) {
	c := *a
	c.of, c.from = as, int32(len(as.notes))
	as.notes = append(as.notes, a.notes()...)
	c.to = int32(len(as.notes))
	if r := a.because(); r != nil {
		as.reasons = append(as.reasons, *r)
		c.reason = int32(len(as.reasons))
	}
	as.List = append(as.List, c)
}
