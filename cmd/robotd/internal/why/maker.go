package why

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// The topics: the newest question to each behavior, and whom each one asks, in order.
const (
	TopicQuestion = "/question"
	TopicAsked    = "/asked"
)

// A Question is the newest question to a behavior, as it is recorded. Texts and values have instants in place of elapsed times: [Expand].
type Question struct {
	ID string `json:"id"`
	// Asked says that it is asked in every tick since this message. If it is false, AskedTick and AskedS are of the newest question.
	Asked     bool              `json:"asked"`
	AskedTick uint64            `json:"asked_tick,omitempty"`
	AskedS    float64           `json:"asked_s,omitempty"`
	Wanted    bool              `json:"wanted"`
	Asker     string            `json:"asker"`
	Text      string            `json:"text"` // the reason
	SinceTick uint64            `json:"since_tick"`
	SinceS    float64           `json:"since_s"` // the answer and the gate that it rests on have been the same since
	Gates     []control.WhyGate `json:"gates,omitempty"`
	Needs     []string          `json:"needs,omitempty"`
	State     string            `json:"state,omitempty"` // debug state
	// Disabled says that it failed too often and is out of use.
	Disabled bool `json:"disabled,omitempty"`
}

// An Order is whom one behavior asked in a tick, in order.
type Order struct {
	IDs []string `json:"ids"`
}

// A Maker turns the answers of each tick into messages: what changed since the tick before. It has one owner.
type Maker struct {
	start time.Time
	known map[string]*history
	order []*history // those that were asked in the newest tick, in order
	spare []*history // those of the tick before
	by    map[string]*asks
	tick  uint64
}

// history is what was said last of one behavior.
type history struct {
	id    string
	last  behaviors.Answers // one
	tick  uint64            // in which it was asked newest
	at    time.Duration
	value Question
	data  []byte
	index int    // in the list of the tick
	by    string // who asked newest in it
}

// asks is whom one behavior asks.
type asks struct {
	tick uint64
	ids  []string // of the tick
	said []string
}

// NewMaker returns a maker for a life that began at start.
func NewMaker(start time.Time) *Maker {
	return &Maker{start: start, known: map[string]*history{}, by: map[string]*asks{}}
}

// A Sayer is told each message: nil data says that the key is gone.
type Sayer func(topic, key string, data []byte)

// Make says what is new in the answers of a tick.
func (m *Maker) Make(as *behaviors.Answers, say Sayer) {
	at := as.At.Sub(m.start)
	before := m.order
	m.order, m.spare, m.tick = m.spare[:0], before, as.Tick
	for i := range as.List {
		m.note(as, i)
	}
	for _, h := range m.order {
		m.answered(h, &as.List[h.index], at, say)
	}
	for _, h := range before {
		if h.tick != m.tick && h.value.Asked {
			h.value.Asked, h.value.AskedTick, h.value.AskedS = false, h.tick, seconds(h.at)
			h.say(say)
		}
	}
	m.sayOrder(say)
}

// note finds which answer of the tick counts for a behavior: the newest, but none that was not put if there is another.
func (m *Maker) note(as *behaviors.Answers, i int) {
	a := &as.List[i]
	h := m.known[a.ID]
	if h == nil {
		h = &history{id: a.ID}
		m.known[a.ID] = h
	}
	again := h.tick == m.tick && h.by == a.By
	h.by = a.By
	if h.tick != m.tick {
		h.tick, h.at, h.index = m.tick, as.At.Sub(m.start), i
		m.order = append(m.order, h)
	} else if a.Put() || !as.List[h.index].Put() {
		h.index = i
	}
	o := m.by[a.By]
	if o == nil {
		o = &asks{}
		m.by[a.By] = o
	}
	if o.tick != m.tick {
		o.tick, o.ids = m.tick, o.ids[:0]
	}
	if a.Put() && !again {
		o.ids = append(o.ids, a.ID)
	}
}

// answered says the answer of a behavior if it is another one.
func (m *Maker) answered(h *history, a *behaviors.Asked, at time.Duration, say Sayer) {
	put := a.Put()
	if len(h.last.List) > 0 {
		was := &h.last.List[0]
		if h.value.Asked == put && a.Same(was) {
			return
		}
		if !a.SameGate(was) {
			h.value.SinceTick, h.value.SinceS = m.tick, seconds(at)
		}
	} else {
		h.value.SinceTick, h.value.SinceS = m.tick, seconds(at)
	}
	h.last.Reset(m.tick, m.start.Add(at))
	a.CopyTo(&h.last)
	mark := markAt(at)
	v := &h.value
	*v = Question{
		ID: a.ID, Asked: put, Wanted: a.Yes, Asker: a.By, Text: a.Text(mark), SinceTick: v.SinceTick, SinceS: v.SinceS,
		Needs: a.Needs(mark), State: a.State, Disabled: a.Refused == stack.Disabled,
	}
	for _, g := range a.Gates(mark) {
		v.Gates = append(v.Gates, gateOf(&g))
	}
	h.say(say)
}

// Reason is why a behavior wanted control at the newest question, if its class said so. Times in it are as [Expand] takes them.
func (m *Maker) Reason(id string) string {
	h := m.known[id]
	if h == nil || len(h.last.List) == 0 || !h.value.Wanted || !h.last.List[0].Reasoned() {
		return ""
	}
	return h.value.Text
}

func (h *history) say(say Sayer) {
	data := encode(&h.value)
	if bytes.Equal(data, h.data) {
		return
	}
	h.data = data
	say(TopicQuestion, h.id, data)
}

// sayOrder says who asks whom, in the order of the first questions, then whose questions ended.
func (m *Maker) sayOrder(say Sayer) {
	for _, id := range sortedKeys(m.by) {
		o := m.by[id]
		if o.tick != m.tick {
			o.ids = o.ids[:0]
		}
		if slices.Equal(o.ids, o.said) {
			continue
		}
		o.said = slices.Clone(o.ids)
		if len(o.said) == 0 {
			say(TopicAsked, id, nil)
			continue
		}
		say(TopicAsked, id, encode(Order{o.said}))
	}
}

func gateOf(g *behaviors.GateFinding) control.WhyGate {
	w := control.WhyGate{Name: g.Name, Text: g.Text, Values: valuesOf(g.Values)}
	if g.Reached {
		w.Met = &g.Met
	}
	for i := range g.Parts {
		w.Parts = append(w.Parts, partOf(&g.Parts[i]))
	}
	return w
}

func partOf(f *condition.Finding) control.WhyGate {
	w := control.WhyGate{Name: f.Name, Text: f.Text, Values: valuesOf(f.Values)}
	if f.Asked {
		w.Met = &f.Met
	}
	for i := range f.Parts {
		w.Parts = append(w.Parts, partOf(&f.Parts[i]))
	}
	return w
}

func valuesOf(vs condition.Values) map[string]any {
	out := make(map[string]any, len(vs))
	for _, v := range vs {
		if f, ok := v.Value.(float64); ok {
			v.Value = rounded(f)
		}
		out[v.Name] = v.Value
	}
	return out
}

// rounded keeps what people read of a number; JSON has no infinity.
func rounded(f float64) any {
	switch {
	case math.IsInf(f, 0) || math.IsNaN(f):
		return nil
	case math.Abs(f) >= 100:
		return math.Round(f)
	}
	return math.Round(f*100) / 100
}

func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// encode makes JSON. The values are of this package, and their numbers are finite.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("why: " + err.Error())
	}
	return data
}
