package facts

import (
	"math"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

// A follower reads one number of a history. It is told NaN where the number has no value from then on.
type follower struct {
	number
	tell func(at, v float64)
	// What follows is of the reading of a device, which keeps its last good value while the device does not work.
	value   float64
	dead    bool   // the device does not work
	healed  bool   // it works again since tick and healedS, and its reading of that tick was not seen yet
	tick    uint64 // the message of a reading that is what it was before is not repeated
	healedS float64
}

func newFollower(n number, tell func(at, v float64)) *follower {
	return &follower{number: n, tell: tell, value: math.NaN()}
}

// holds reports whether a value holds until the next one. The time of one tick says nothing about the ticks after it.
func (f *follower) holds() bool { return f.topic != topicTiming }

// take reads a message that came at some time, if it is one of the number.
func (f *follower) take(m *record.Message, at float64) {
	if m.Key != f.key || m.Data == nil || m.Topic != f.topic && !f.device(m) {
		return
	}
	if f.healed && m.Tick != f.tick {
		f.settle()
	}
	if !f.device(m) {
		f.read(m.Data, at, f.note)
		return
	}
	switch q := gjson.GetBytes(m.Data, "quality").Str; {
	case q == hardware.Failed.String() || q == hardware.Absent.String():
		if !f.dead {
			f.tell(at, math.NaN())
		}
		f.dead, f.healed = true, false
	case f.dead:
		f.dead, f.healed, f.tick, f.healedS = false, true, m.Tick, at
	}
}

// device reports whether a message says how well the device of the number works.
func (f *follower) device(m *record.Message) bool {
	return m.Topic == topicDevice && f.topic == topicReading
}

func (f *follower) note(at, v float64) {
	f.value, f.healed = v, false
	if !f.dead {
		f.tell(at, v)
	}
}

// settle tells the value of a device that works again and reads what it read before.
func (f *follower) settle() {
	if f.healed {
		f.healed = false
		f.tell(f.healedS, f.value)
	}
}

// lose says that nothing is known from some time on.
func (f *follower) lose(at float64) {
	f.settle()
	f.value, f.dead = math.NaN(), false
	f.tell(at, math.NaN())
}

// follow tells followers what their numbers are between two times: what holds at the begin, what changes, and what holds after each of the
// gaps.
func (p *Past) follow(all []*follower, gaps []record.Gap, from, to float64) error {
	var topics []string
	for _, f := range all {
		topics = append(topics, f.topic)
		if f.topic == topicReading {
			topics = append(topics, topicDevice)
		}
	}
	slices.Sort(topics)
	topics = slices.Compact(topics)
	take := func(m record.Message) bool { takeAll(all, &m, seconds(m.At)); return true }
	first, last := p.ticks(from, to)
	last += uint64(timingTicks(p)) // the time of a tick is told later
	next := first + 1
	var err error
	if p.Source.At(first, topics, take) != nil {
		next, err = p.resume(all, topics, record.Instant{Tick: first, At: control.Seconds(from)}, last)
	}
	for _, g := range gaps {
		if err != nil {
			return err
		}
		if g.To.Tick < next || g.From.Tick > last {
			continue
		}
		if g.From.Tick > next {
			err = p.Source.Scan(topics, next, g.From.Tick-1, take)
		}
		for _, f := range all {
			f.lose(seconds(g.From.At))
		}
		if err == nil {
			next, err = p.resume(all, topics, g.To, last)
		}
	}
	if err == nil {
		err = p.Source.Scan(topics, next, last, take)
	}
	for _, f := range all {
		f.settle()
	}
	return err
}

// resume tells what holds after the end of a gap, which a scan does not: it may have changed within the gap. Damage hides what holds up to the
// next keyframe, and At refuses such a tick, so it looks a second further each time, for half a minute. It returns the tick to scan from.
func (p *Past) resume(all []*follower, topics []string, gap record.Instant, last uint64) (next uint64, err error) {
	_, newest := p.Source.Span()
	period := max(time.Duration(p.Source.Life().PeriodNS), time.Millisecond)
	next = gap.Tick + 1
	for i := range 30 {
		ticks := 1 + uint64(time.Duration(i)*time.Second/period)
		tick, at := gap.Tick+ticks, gap.At+time.Duration(ticks)*period
		if tick > min(last, newest.Tick) {
			break
		}
		var held []record.Message
		if p.Source.At(tick, topics, func(m record.Message) bool { held = append(held, m); return true }) != nil {
			continue
		}
		if tick > next {
			err = p.Source.Scan(topics, next, tick-1, func(m record.Message) bool { takeAll(all, &m, seconds(m.At)); return true })
		}
		holders := slices.DeleteFunc(slices.Clone(all), func(f *follower) bool { return !f.holds() })
		for k := range held {
			takeAll(holders, &held[k], seconds(at))
		}
		return tick, err
	}
	return next, nil
}

func takeAll(all []*follower, m *record.Message, at float64) {
	for _, f := range all {
		f.take(m, at)
	}
}
