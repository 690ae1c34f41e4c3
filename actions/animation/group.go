package animation

import "time"

// Moods are the words for the mood that an entry of a group may name, in the order of their numbers.
func Moods() []string { return moodNames[:] }

var moodNames = [...]string{"LowStim", "MedStim", "HighStim", "Frustrated"}

// A Group holds clips that mean the same. Its entries are in the order of the file.
type Group struct {
	Name    string
	Entries []Entry
	File    string
	Line    int
}

// An Entry is one clip of a group.
type Entry struct {
	Clip   string
	Weight float64 // its share among the entries that may be chosen; more than 0
	// Cooldown is the time after which it may be chosen again.
	Cooldown time.Duration
	// Moods are those in which it may be chosen, a bit each; 0 is any.
	Moods uint8
	// Head limits the head angle at which it may be chosen, if its limits differ.
	Head Span
}

// A Span are two limits, both included.
type Span struct{ Min, Max float64 }

// A Moment is what a choice rests on.
type Moment struct {
	Now     time.Time
	Mood    int // number of the word among [Moods]
	HeadRad float64
	// Roll is drawn from [0, 1).
	Roll float64
}

// suits reports whether mood and head allow the entry.
func (e *Entry) suits(m *Moment) bool {
	return (e.Moods == 0 || e.Moods&(1<<m.Mood) != 0) && (e.Head.Min == e.Head.Max || e.Head.Min <= m.HeadRad && m.HeadRad <= e.Head.Max)
}

// Choose returns the number of an entry: by weight among those that mood, head and cooldown allow. If all of them cool down, it is the one
// that is ready first; if mood and head allow none, the others count like them. used says when an entry was chosen last, the zero time for
// never. It allocates nothing.
func (g *Group) Choose(m Moment, used func(clip string) time.Time) int {
	for _, strict := range [2]bool{true, false} {
		if i := g.choose(&m, used, strict); i >= 0 {
			return i
		}
	}
	return -1 // only an empty group, which no file defines
}

func (g *Group) choose(m *Moment, used func(clip string) time.Time, strict bool) int {
	total, next, nextAt := 0.0, -1, time.Time{}
	for i := range g.Entries {
		e := &g.Entries[i]
		if strict && !e.suits(m) {
			continue
		}
		readyAt := used(e.Clip)
		if !readyAt.IsZero() {
			readyAt = readyAt.Add(e.Cooldown)
		}
		if !readyAt.After(m.Now) {
			total += e.Weight
		}
		if next < 0 || readyAt.Before(nextAt) {
			next, nextAt = i, readyAt
		}
	}
	if total == 0 {
		return next
	}
	return g.weighed(m, used, strict, m.Roll*total)
}

// weighed returns the entry that a mark falls on when the weights of those that are ready stand side by side.
func (g *Group) weighed(m *Moment, used func(clip string) time.Time, strict bool, mark float64) int {
	last := -1
	for i := range g.Entries {
		e := &g.Entries[i]
		at := used(e.Clip)
		if strict && !e.suits(m) || !at.IsZero() && at.Add(e.Cooldown).After(m.Now) {
			continue
		}
		last = i
		if mark -= e.Weight; mark < 0 {
			break
		}
	}
	return last
}
