package facts

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/metrics/record"
)

// moving is the memory of a robot that has lived for longer than it reaches: each look at its span finds a later first tick.
type moving struct {
	record.History
	first uint64
}

func (m *moving) Life() record.Life { return record.Life{PeriodNS: int64(60 * time.Millisecond)} }

func (m *moving) Span() (first, last record.Instant) {
	m.first += 100
	return record.Instant{Tick: m.first}, record.Instant{Tick: m.first + 60_000}
}

func (m *moving) Scan([]string, uint64, uint64, func(record.Message) bool) error { return nil }

// A look for lines that are not there ends at the first tick, wherever that is meanwhile.
func TestLogOfAMemoryThatMovesEnds(t *testing.T) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if lines, err := logAt(&moving{first: 1000}, 50_000); err != nil || len(lines) != 0 {
			t.Errorf("%v, %v", lines, err)
		}
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("it looks on and on")
	}
}

// reloaded is a life in which a behavior came with a reload.
type reloaded struct {
	record.History
}

func (reloaded) Life() record.Life { return record.Life{PeriodNS: int64(time.Second)} }

func (reloaded) Span() (first, last record.Instant) {
	return record.Instant{Tick: 1, At: time.Second}, record.Instant{Tick: 20, At: 20 * time.Second}
}

func (reloaded) said(tick uint64) []record.Message {
	data := func(v any) []byte {
		raw, _ := json.Marshal(v)
		return raw
	}
	all := []record.Message{
		{Topic: topicLife, Tick: 1, Data: data(lifeValue{Behaviors: []string{"Base"}})},
		{Topic: topicStack, Tick: 1, Data: data(stackValue{Layers: []layerValue{{ID: "Base", SinceS: 1}}})},
		{Topic: topicLife, Tick: 10, Data: data(lifeValue{Behaviors: []string{"Base", "New"}})},
		{Topic: topicStack, Tick: 12, Data: data(stackValue{Layers: []layerValue{{ID: "Base", SinceS: 1}, {ID: "New", SinceS: 12}}})},
		{Topic: topicTiming, Tick: 12, Data: data(timingValue{AtS: []float64{10.2, 10.8}, DurationUS: []float64{30, 40}, LateUS: []float64{1, 2}})},
	}
	return slices.DeleteFunc(all, func(m record.Message) bool { return m.Tick > tick })
}

func (r reloaded) At(tick uint64, topics []string, yield func(record.Message) bool) error {
	for _, m := range r.said(tick) {
		if m.At = time.Duration(m.Tick) * time.Second; slices.Contains(topics, m.Topic) && !yield(m) {
			break
		}
	}
	return nil
}

func (r reloaded) Scan(topics []string, from, to uint64, yield func(record.Message) bool) error {
	return r.At(to, topics, func(m record.Message) bool { return m.Tick < from || yield(m) })
}

func (reloaded) Find(at time.Duration) (uint64, bool) {
	return uint64(at / time.Second), at >= time.Second
}

func (reloaded) Gaps() []record.Gap { return nil }

// A behavior that came with a reload has its activations, and times of ticks are found although they are told later.
func TestWhatCameLaterIsFound(t *testing.T) {
	p := &Past{Source: reloaded{}}
	got, err := p.Activations("New")
	if err != nil || len(got) != 1 || got[0].FromS != 12 || got[0].By != "Base" {
		t.Errorf("%+v, %v", got, err)
	}
	set, err := p.Series([]string{"tick"}, 10, 11, 10)
	if err != nil {
		t.Fatal(err)
	}
	if s := set.Series["tick"]; len(s.Last) == 0 || s.Min[0] != 30 || s.Last[len(s.Last)-1] != 40 {
		t.Errorf("%+v", s)
	}
}
