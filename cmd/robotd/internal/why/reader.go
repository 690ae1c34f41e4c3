package why

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// Topics of others that an answer rests on.
const (
	topicStack = "/stack"
	topicScope = "/scope"
)

// clocks are topics that tell when a tick was: readings and pose change in nearly every tick, and the times of ticks are told in the first
// tick of each second, so also in the one after a jump.
var clocks = []string{"/pose", "/reading", "/timing"}

// A Node is what is known of a behavior from its file.
type Node struct {
	ID, Class, File string
	Line            int
	// Delegates are those that it may give control to, in the order in which it asks them, and Links those that it may ask only.
	Delegates, Links []string
}

// A Reader answers from a history.
type Reader struct {
	History record.History
	// Nodes are all behaviors, by ID.
	Nodes []Node
}

// moment is what a history holds of one tick.
type moment struct {
	tick      uint64
	at        float64
	layers    []layer
	scope     []string
	questions map[string]*Question
	orders    map[string][]string
}

type layer struct {
	ID     string  `json:"id"`
	State  string  `json:"state"`
	SinceS float64 `json:"since_s"`
}

// ErrTime is a tick that was not recorded.
type ErrTime struct{ text string }

func (e ErrTime) Error() string { return e.text }

// At tells why a behavior had control, or had not, at the end of a tick.
func (r *Reader) At(id string, tick uint64) (*control.Why, error) {
	if r.node(id) == nil {
		ids := make([]string, len(r.Nodes))
		for i := range r.Nodes {
			ids[i] = r.Nodes[i].ID
		}
		return nil, resources.Unknown("behavior", id, ids)
	}
	if first, last := r.History.Span(); tick < first.Tick || tick > last.Tick {
		return nil, ErrTime{fmt.Sprintf("tick %d is not recorded: ticks %d to %d are (%.1f to %.1f s)",
			tick, first.Tick, last.Tick, first.At.Seconds(), last.At.Seconds())}
	}
	m, err := r.moment(tick)
	if err != nil {
		return nil, err
	}
	w := r.tell(id, m)
	return w, r.findSince(w)
}

// Find returns the newest tick at or before a time; an error names the span that is recorded.
func (r *Reader) Find(at time.Duration) (uint64, error) {
	first, last := r.History.Span()
	period := time.Duration(r.History.Life().PeriodNS)
	if at < first.At-period || at > last.At+max(period, time.Second) {
		return 0, ErrTime{fmt.Sprintf("%.1f s is not recorded: %.1f to %.1f s are", at.Seconds(), first.At.Seconds(), last.At.Seconds())}
	}
	if tick, ok := r.find(at); ok {
		return tick, nil
	}
	return first.Tick, nil
}

// find returns the newest tick at or before a time that may be rounded to milliseconds, as those in answers and messages are.
func (r *Reader) find(at time.Duration) (tick uint64, ok bool) {
	return r.History.Find(at + time.Millisecond/2)
}

// Ago returns the tick that was some time before the newest one.
func (r *Reader) Ago(ago time.Duration) (uint64, error) {
	_, last := r.History.Span()
	return r.Find(last.At - ago)
}

func (r *Reader) node(id string) *Node {
	i := slices.IndexFunc(r.Nodes, func(n Node) bool { return n.ID == id })
	if i < 0 {
		return nil
	}
	return &r.Nodes[i]
}

// moment reads what held at the end of a tick.
func (r *Reader) moment(tick uint64) (*moment, error) {
	m := &moment{tick: tick, questions: map[string]*Question{}, orders: map[string][]string{}}
	var newest record.Message
	var bad error
	err := r.History.At(tick, append([]string{TopicQuestion, TopicAsked, topicStack, topicScope}, clocks...), func(msg record.Message) bool {
		if msg.Tick > newest.Tick {
			newest = msg
		}
		bad = m.take(&msg)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	m.at = seconds(r.when(tick, newest))
	return m, err
}

// when is the time of a tick: that of a message of it, or else as many periods later.
func (r *Reader) when(tick uint64, newest record.Message) time.Duration {
	first, last := r.History.Span()
	switch tick {
	case newest.Tick:
		return newest.At
	case last.Tick:
		return last.At
	}
	from := first
	if newest.Tick > from.Tick {
		from = record.Instant{Tick: newest.Tick, At: newest.At}
	}
	return from.At + time.Duration(tick-from.Tick)*time.Duration(r.History.Life().PeriodNS)
}

func (m *moment) take(msg *record.Message) error {
	if msg.Data == nil {
		return nil
	}
	var err error
	switch msg.Topic {
	case TopicQuestion:
		q := &Question{}
		err = json.Unmarshal(msg.Data, q)
		m.questions[msg.Key] = q
	case TopicAsked:
		var o Order
		err = json.Unmarshal(msg.Data, &o)
		m.orders[msg.Key] = o.IDs
	case topicStack:
		var v struct {
			Layers []layer `json:"layers"`
		}
		err = json.Unmarshal(msg.Data, &v)
		m.layers = v.Layers
	case topicScope:
		var v struct {
			IDs []string `json:"ids"`
		}
		err = json.Unmarshal(msg.Data, &v)
		m.scope = v.IDs
	}
	if err != nil {
		return fmt.Errorf("tick %d, %s %s: %w", msg.Tick, msg.Topic, msg.Key, err)
	}
	return nil
}

// index is the position of a behavior on the stack, or -1.
func (m *moment) index(id string) int {
	return slices.IndexFunc(m.layers, func(l layer) bool { return l.ID == id })
}

// won is to whom a behavior has given control; empty for nobody.
func (m *moment) won(id string) string {
	if i := m.index(id); i >= 0 && i+1 < len(m.layers) {
		return m.layers[i+1].ID
	}
	return ""
}
