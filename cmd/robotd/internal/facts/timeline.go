package facts

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics/record"
)

// maxEvents bounds the events of a timeline; the newest are kept.
const maxEvents = 5000

// A spanner follows the messages of a window and keeps what is open.
type spanner struct {
	out     *control.Timeline
	since   float64        // of events
	layers  []int          // open, by depth: index into out.Layers
	actions map[string]int // open, by key
	intents map[string]int // open, by state
	err     error
}

// timelineTopics are what a timeline is made of, timelineValues those of them that hold.
var (
	timelineTopics = []string{topicAction, topicBody, topicEvent, topicIntent, topicStack}
	timelineValues = []string{topicAction, topicBody, topicIntent, topicStack}
)

// Timeline implements control.Past.
func (p *Past) Timeline(from, to float64) (*control.Timeline, error) {
	for {
		gaps := p.Source.Gaps()
		t, err := p.timeline(from, to, gaps)
		if err != nil || len(p.Source.Gaps()) == len(gaps) { // more: reading found damage
			return t, err
		}
	}
}

func (p *Past) timeline(from, to float64, gaps []record.Gap) (*control.Timeline, error) {
	t := &control.Timeline{
		FromS: from, ToS: to, Layers: []control.LayerSpan{}, Actions: []control.ActionSpan{}, Face: []control.ValueSpan{},
		Intents: []control.IntentSpan{}, Events: []control.EventEntry{},
	}
	s := &spanner{out: t, since: p.since(from), actions: map[string]int{}, intents: map[string]int{}}
	first, last := p.ticks(from, to)
	err := p.Source.Scan([]string{topicEvent}, first, first, s.see)
	if err == nil && s.err == nil {
		err = p.held(first, timelineValues, s.see)
	}
	for _, g := range gaps {
		if err == nil && first <= g.To.Tick && g.To.Tick < last {
			first, err = p.behind(s, g, first, last)
		}
	}
	if err == nil && s.err == nil {
		err = p.Source.Scan(timelineTopics, first+1, last, s.see)
	}
	t.Gaps = p.gaps(from, to) // a damaged part of a file is among them once it was read
	slices.SortStableFunc(t.Actions, func(a, b control.ActionSpan) int { return cmp.Compare(a.FromS, b.FromS) })
	slices.SortStableFunc(t.Layers, func(a, b control.LayerSpan) int { return cmp.Compare(a.FromS, b.FromS) })
	if n := len(t.Events) - maxEvents; n > 0 {
		t.Events, t.Skipped = t.Events[n:], n
	}
	return t, cmp.Or(err, s.err)
}

// behind takes what is recorded between a tick and one behind a gap, and then what holds at that: nobody has told what ended within the gap. Damage
// hides what holds up to the next keyframe, so it looks a second further each time, for half a minute. It returns the newest tick that was taken.
func (p *Past) behind(s *spanner, g record.Gap, after, last uint64) (uint64, error) {
	period := max(time.Duration(p.Source.Life().PeriodNS), time.Millisecond)
	for i := range 30 {
		tick := min(g.To.Tick+1+uint64(time.Duration(i)*time.Second/period), last)
		var held []record.Message
		err := p.Source.At(tick, timelineValues, func(m record.Message) bool { held = append(held, m); return true })
		if err == nil {
			if err = p.Source.Scan(timelineTopics, after+1, tick, s.see); err == nil {
				s.resume(held, seconds(g.From.At))
			}
			return tick, err
		}
		if err = butDamage(err); err != nil || tick == last {
			return after, err
		}
	}
	return after, nil
}

// resume takes what holds behind a gap. Actions that are not among it ended in the gap; when is not known.
func (s *spanner) resume(held []record.Message, gap float64) {
	running := map[string]bool{}
	for _, m := range held {
		running[m.Key] = running[m.Key] || m.Topic == topicAction
		if s.err == nil {
			s.see(m)
		}
	}
	for key, i := range s.actions {
		if !running[key] {
			s.out.Actions[i].ToS = end(max(gap, s.out.Actions[i].FromS))
			delete(s.actions, key)
		}
	}
}

// see takes one message.
func (s *spanner) see(m record.Message) bool {
	switch m.Topic {
	case topicStack:
		read(s, m, s.stack)
	case topicAction:
		s.action(m)
	case topicBody:
		s.face(m)
	case topicIntent:
		read(s, m, s.intent)
	case topicEvent:
		read(s, m, s.event)
	}
	return s.err == nil
}

func read[T any](s *spanner, m record.Message, take func(record.Message, *T)) {
	var v T
	if err := json.Unmarshal(m.Data, &v); err != nil {
		s.err = err
		return
	}
	take(m, &v)
}

// end is a time for a span's end.
func end(at float64) *float64 { return &at }

func (s *spanner) stack(m record.Message, v *stackValue) {
	at := seconds(m.At)
	same := 0
	for same < len(s.layers) && same < len(v.Layers) {
		if l, o := &v.Layers[same], &s.out.Layers[s.layers[same]]; l.ID != o.ID || l.SinceS != o.FromS {
			break
		}
		same++
	}
	for _, i := range s.layers[same:] {
		s.out.Layers[i].ToS = end(at)
	}
	s.layers = s.layers[:same]
	for depth := same; depth < len(v.Layers); depth++ {
		l := &v.Layers[depth]
		s.layers = append(s.layers, len(s.out.Layers))
		s.out.Layers = append(s.out.Layers, control.LayerSpan{Depth: depth, ID: l.ID, Class: l.Class, FromS: l.SinceS})
	}
}

func (s *spanner) action(m record.Message) {
	i, open := s.actions[m.Key]
	if m.Data == nil {
		if open {
			s.out.Actions[i].ToS = end(seconds(m.At))
			delete(s.actions, m.Key)
		}
		return
	}
	read(s, m, func(_ record.Message, v *actionValue) {
		if !open {
			i = len(s.out.Actions)
			s.actions[m.Key] = i
			s.out.Actions = append(s.out.Actions, control.ActionSpan{Tag: v.Tag, Slot: v.Slot, Name: v.Name, Owner: v.Owner})
		}
		a := &s.out.Actions[i]
		a.FromS, a.Result = v.SinceS, v.Result
	})
}

// face reads the face only: most of what changes of a body is something else.
func (s *spanner) face(m record.Message) {
	v := gjson.GetBytes(m.Data, "face")
	if v.Type != gjson.String {
		s.err = fmt.Errorf("facts: tick %d, %s: it has no face", m.Tick, m.Topic)
		return
	}
	n := len(s.out.Face)
	if n > 0 && s.out.Face[n-1].Value == v.Str {
		return
	}
	at := seconds(m.At)
	if n > 0 {
		s.out.Face[n-1].ToS = end(at)
	}
	s.out.Face = append(s.out.Face, control.ValueSpan{Value: strings.Clone(v.Str), FromS: at})
}

func (s *spanner) intent(m record.Message, v *control.IntentState) {
	at := seconds(m.At)
	for _, is := range []struct{ state, value string }{{"pending", v.Pending}, {"active", v.Active}} {
		i, open := s.intents[is.state]
		if open && s.out.Intents[i].Value == is.value {
			continue
		}
		if open {
			s.out.Intents[i].ToS = end(at)
			delete(s.intents, is.state)
		}
		if is.value != "" {
			s.intents[is.state] = len(s.out.Intents)
			s.out.Intents = append(s.out.Intents, control.IntentSpan{State: is.state, Value: is.value, FromS: at})
		}
	}
}

func (s *spanner) event(m record.Message, v *timedEvent) {
	if v.AtS >= s.since-rounding && v.AtS <= s.out.ToS+rounding {
		s.out.Events = append(s.out.Events, control.EventEntry{AtS: v.AtS, Tick: m.Tick, Kind: v.Kind, Who: v.Who, Text: v.Text})
	}
}
