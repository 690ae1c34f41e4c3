package condition

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Note is a copy of what one condition answered, without words: it stays as it is while the condition is asked again. [Tell] makes it a
// [Finding], on any goroutine. Notes of a condition are followed by those of the conditions that it asked.
type Note struct {
	in    inner  // only what never changes is read of it; nil for a condition of another package
	word  string // the tag of an intent, or the name of a condition of another package
	facts facts
	tick  uint64
	parts int32 // notes that follow and belong to this one
	asked bool
	met   bool
	// active is that of the condition at the time of the copy.
	active bool
	// other says that the condition was asked again since, by another one.
	other bool
}

// Met is the answer.
func (n *Note) Met() bool { return n.met }

// Notes appends what c answered newest. It allocates only to grow the slice, unless c is of another package and was not adopted.
func Notes(into []Note, c Condition) []Note {
	in := ours(c)
	if in == nil {
		return append(into, Note{word: fmt.Sprintf("%T", c)})
	}
	b := in.base()
	at := len(into)
	into = append(into, Note{in: in, active: b.active, asked: b.count > 0, met: b.met, tick: b.tick})
	if b.count == 0 {
		return into
	}
	in.note(&into[at])
	for i := 0; ; i++ {
		p := in.part(i)
		if p == nil {
			break
		}
		into = p.notes(into, b.tick)
	}
	into[at].parts = int32(len(into) - at - 1)
	return into
}

// Unasked appends that c was not asked.
func Unasked(into []Note, c Condition) []Note {
	in := ours(c)
	if in == nil {
		return append(into, Note{word: fmt.Sprintf("%T", c)})
	}
	return append(into, Note{in: in, active: in.base().active})
}

// notes appends the answer of the part at the newest evaluation of the condition that asked it. A condition that stands in two places may
// have been asked again by the other one: then its facts are gone.
func (p *part) notes(into []Note, tick uint64) []Note {
	if p.base != nil && p.base.count == p.count {
		return Notes(into, p.Condition)
	}
	n := Note{word: p.name, asked: true, met: p.met, tick: tick}
	if p.base != nil {
		n.active, n.other = p.base.active, true
	}
	return append(into, n)
}

// Tell puts the first of the notes, and those that belong to it, into words. An elapsed time is written as mark says, nil: as it was at
// the evaluation. A negative one is still to come.
func Tell(ns []Note, mark func(time.Duration) string) Finding {
	n := &ns[0]
	f := Finding{Name: n.word, Asked: n.asked, Met: n.met, Tick: n.tick, Active: n.active}
	if n.in != nil {
		f.Name = n.in.base().name
	}
	switch {
	case n.asked && n.in != nil:
		for rest := ns[1 : 1+n.parts]; len(rest) > 0; rest = Rest(rest) {
			f.Parts = append(f.Parts, Tell(rest, mark))
		}
		n.in.tell(&f, n)
		f.mark(mark)
	case n.other:
		f.Text = "asked again since, elsewhere"
	case n.in == nil:
		f.Text = unexplained
	case n.active:
		f.Text = "not asked yet"
	default:
		f.Text = "inactive"
	}
	return f
}

// Rest is ns without the first note and those that belong to it.
func Rest(ns []Note) []Note { return ns[1+ns[0].parts:] }

// Same reports whether two lists of notes, of the instants at and then, tell the same: equal answers that rest on equal facts, but for the
// passing of time.
func Same(a []Note, at time.Time, b []Note, then time.Time) bool {
	if len(a) != len(b) {
		return false
	}
	passed := at.Sub(then)
	for i := range a {
		x, y := &a[i], &b[i]
		if x.in != y.in || x.word != y.word || x.asked != y.asked || x.met != y.met || x.active != y.active || x.other != y.other {
			return false
		}
		if x.facts != y.facts && x.facts != y.after(passed) {
			return false
		}
	}
	return true
}

// after is what the facts are when some time passed and nothing else happened.
func (n *Note) after(passed time.Duration) facts {
	f := n.facts
	if _, down := n.in.(*dedup); down {
		passed = -passed
	}
	if f.d != 0 {
		f.d += passed
	}
	return f
}

// An Elapsed is a value that grows with time: a time since an instant, or, negative, until one.
type Elapsed time.Duration

// holes mark elapsed times in a text until somebody says how to write them.
const (
	holeBegin = "\x01"
	holeEnd   = "\x02"
)

// String is a hole.
func (e Elapsed) String() string { return holeBegin + strconv.FormatInt(int64(e), 10) + holeEnd }

// mark writes the elapsed times.
func (f *Finding) mark(mark func(time.Duration) string) {
	f.Text = fill(f.Text, mark)
	for i := range f.Values {
		e, ok := f.Values[i].Value.(Elapsed)
		switch {
		case !ok:
		case mark == nil:
			f.Values[i].Value = time.Duration(e).Abs().Seconds()
		default:
			f.Values[i].Value = mark(time.Duration(e))
		}
	}
}

// fill writes the elapsed times of a text.
func fill(text string, mark func(time.Duration) string) string {
	before, rest, found := strings.Cut(text, holeBegin)
	if !found {
		return text
	}
	number, rest, _ := strings.Cut(rest, holeEnd)
	ns, _ := strconv.ParseInt(number, 10, 64) // written by String
	if mark == nil {
		return before + short(time.Duration(ns).Abs()) + fill(rest, mark)
	}
	return before + mark(time.Duration(ns)) + fill(rest, mark)
}
