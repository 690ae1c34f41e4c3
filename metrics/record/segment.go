package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// A kind says what a stored message is.
type kind uint8

const (
	changed  kind = iota // a value that changed
	repeated             // a value that still holds, in a keyframe
	happened             // an instant
	kinds
)

// An entry is a stored message.
type entry struct {
	Message
	kind kind
}

// A span is what is known of a segment without its entries.
type span struct {
	first, last Instant
	key         bool // it begins with a keyframe
}

// A segment is a run of ticks with what changed in them, in order.
type segment struct {
	span
	entries []entry
	topics  topicSet // of all messages, also of those that are not among the entries
}

// A topicSet is the topics of a chunk, by their index in the file. Those from the 64th on share a bit.
type topicSet uint64

func (s *topicSet) add(i int) { *s |= 1 << min(i, 63) }

func (s topicSet) has(i int) bool { return s&(1<<min(i, 63)) != 0 }

// A shelf is an ordered list of segments, of which some may be damaged. It is safe for concurrent use.
type shelf interface {
	len() int
	span(i int) (s span, ok bool) // !ok: damaged
	// walk yields the entries of the wanted topics in order until see returns false; !ok: damaged. An entry holds until see returns, its
	// message as long as it is kept.
	walk(i int, want func(topic string) bool, see func(*entry) bool) (s span, ok bool)
	// times yields the instants of all that is no repetition, in order; !ok: damaged.
	times(i int, see func(Instant) bool) (ok bool)
}

// A RangeError says that a tick was not recorded.
type RangeError struct {
	Tick        uint64
	First, Last Instant
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("tick %d is not recorded: the recording has the ticks %d to %d (%v to %v)",
		e.Tick, e.First.Tick, e.Last.Tick, e.First.At.Round(time.Millisecond), e.Last.At.Round(time.Millisecond))
}

// A DamageError says that what held at a tick is not known: it follows from the ticks From to To, which are in a damaged part of the file.
type DamageError struct{ Tick, From, To uint64 }

func (e *DamageError) Error() string {
	return fmt.Sprintf("what held at tick %d is not known: the ticks %d to %d are in a damaged part of the file", e.Tick, e.From, e.To)
}

// seek returns the last readable segment that does not begin after a place, -1 if there is none.
func seek(s shelf, after func(span) bool) int {
	found := -1
	for low, high := 0, s.len(); low < high; {
		middle := (low + high) / 2
		i, here, ok := readable(s, middle, low)
		switch {
		case !ok:
			low = middle + 1
		case after(here):
			high = i
		default:
			found, low = i, middle+1
		}
	}
	return found
}

// readable returns the last readable segment from i down to low.
func readable(s shelf, i, low int) (int, span, bool) {
	for ; i >= low; i-- {
		if here, ok := s.span(i); ok {
			return i, here, true
		}
	}
	return 0, span{}, false
}

func seekTick(s shelf, tick uint64) int {
	return seek(s, func(here span) bool { return here.first.Tick > tick })
}

// ends returns the first and the last instant of a shelf; !ok if nothing in it is readable.
func ends(s shelf) (first, last Instant, ok bool) {
	_, newest, ok := readable(s, s.len()-1, 0)
	if !ok {
		return first, last, false
	}
	for i := range s.len() {
		if oldest, ok := s.span(i); ok {
			return oldest.first, newest.last, true
		}
	}
	return first, last, false
}

// value names a value: a key of a topic.
type value struct{ topic, key string }

// at yields the values that hold at the end of a tick, by topic and key.
func at(s shelf, tick uint64, want func(topic string) bool, yield func(Message) bool) error {
	end := seekTick(s, tick)
	if first, last, ok := ends(s); !ok || end < 0 || tick > last.Tick {
		return &RangeError{Tick: tick, First: first, Last: last}
	}
	begin := end
	for begin > 0 {
		if here, ok := s.span(begin); ok && here.key {
			break
		}
		begin--
	}
	if err := damage(s, begin, end, tick); err != nil {
		return err
	}
	now := map[value]Message{}
	for i := begin; i <= end; i++ {
		if here, ok := s.span(i); ok && here.key {
			clear(now)
		}
		s.walk(i, want, func(e *entry) bool { return fold(now, e, tick) })
	}
	found := make([]Message, 0, len(now))
	for _, m := range now {
		found = append(found, m)
	}
	slices.SortFunc(found, func(a, b Message) int { return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Key, b.Key)) })
	for _, m := range found {
		if !yield(m) {
			break
		}
	}
	return nil
}

// damage returns an error if ticks that the values of a tick follow from cannot be read: those from the keyframe in segment begin on. The end is the
// last readable segment that begins with the tick or before it; the tick itself may be in a damaged one behind it.
func damage(s shelf, begin, end int, tick uint64) error {
	for i := begin; i <= end+1 && i < s.len(); i++ {
		if _, ok := s.span(i); ok {
			continue
		}
		if from, to := hole(s, i); from <= to && from <= tick {
			return &DamageError{Tick: tick, From: from, To: to}
		}
	}
	return nil
}

// hole returns the ticks between the readable segments around a damaged one. There is none, and from is above to, if the damage hit something else
// than a segment.
func hole(s shelf, i int) (from, to uint64) {
	if _, before, ok := readable(s, i-1, 0); ok {
		from = before.last.Tick + 1
	}
	for j := i + 1; j < s.len(); j++ {
		if after, ok := s.span(j); ok {
			return from, max(after.first.Tick, 1) - 1
		}
	}
	return from, math.MaxUint64
}

// fold applies an entry of a tick at most.
func fold(now map[value]Message, e *entry, tick uint64) bool {
	switch name := (value{e.Topic, e.Key}); {
	case e.Tick > tick:
		return false
	case e.kind == happened:
	case e.Data == nil:
		delete(now, name)
	default:
		now[name] = e.Message
	}
	return true
}

// scan yields what changed and happened from one tick to another.
func scan(s shelf, from, to uint64, want func(topic string) bool, yield func(Message) bool) error {
	more := true
	see := func(e *entry) bool {
		if e.kind != repeated && from <= e.Tick && e.Tick <= to {
			more = yield(e.Message)
		}
		return more
	}
	for i := begin(s, from); more && i < s.len(); i++ {
		if here, ok := s.walk(i, want, see); ok && here.first.Tick > to {
			break
		}
	}
	return nil
}

// begin returns the first segment that may have messages of a tick or later ones. A tick may be in two segments.
func begin(s shelf, tick uint64) int {
	i := max(seekTick(s, tick), 0)
	for i > 0 {
		if before, ok := s.span(i - 1); ok && before.last.Tick < tick {
			break
		}
		i--
	}
	return i
}

// find returns the newest tick at or before a time. Ticks in which nothing changed lie one period apart between those that are known.
func find(s shelf, at, period time.Duration) (tick uint64, ok bool) {
	i := seek(s, func(here span) bool { return here.first.At > at })
	if i < 0 {
		return 0, false
	}
	here, _ := s.span(i)
	known, next := here.first, here.last
	ok = s.times(i, func(now Instant) bool {
		switch {
		case now.Tick < known.Tick:
		case now.At > at:
			next = now
			return false
		default:
			known = now
		}
		return true
	})
	if !ok {
		return 0, false
	}
	switch {
	case next.At <= at:
		return max(next.Tick, known.Tick), true
	case next.Tick > known.Tick && period > 0:
		return min(known.Tick+uint64((at-known.At)/period), next.Tick-1), true
	}
	return known.Tick, true
}

// wanted makes a filter of a list of topics: nil is all but Tape.
func wanted(topics []string) func(string) bool {
	if topics == nil {
		return func(topic string) bool { return topic != Tape }
	}
	return func(topic string) bool { return slices.Contains(topics, topic) }
}
