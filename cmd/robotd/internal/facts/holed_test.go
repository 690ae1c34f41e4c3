package facts

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics/record"
)

// A holed life has a tick each second. Its ticks 10 to 14 are damaged, which is known once they were read, and the next keyframe is at tick 20.
type holed struct {
	record.History
	all  []record.Message
	read bool
}

func (*holed) Life() record.Life { return record.Life{PeriodNS: int64(time.Second)} }

func instantAt(tick uint64) record.Instant {
	return record.Instant{Tick: tick, At: time.Duration(tick) * time.Second}
}

func (*holed) Span() (first, last record.Instant) { return instantAt(1), instantAt(40) }

func (*holed) Find(at time.Duration) (uint64, bool) {
	return uint64(at / time.Second), at >= time.Second
}

func (h *holed) Gaps() []record.Gap {
	if !h.read {
		return nil
	}
	return []record.Gap{{From: instantAt(10), To: instantAt(14), Reason: "damaged"}}
}

// say adds a value; nil says that it is gone.
func (h *holed) say(tick uint64, topic, key string, v any) {
	m := record.Message{Tick: tick, At: instantAt(tick).At, Topic: topic, Key: key}
	if v != nil {
		m.Data, _ = json.Marshal(v)
	}
	h.all = append(h.all, m)
}

func (h *holed) At(tick uint64, topics []string, yield func(record.Message) bool) error {
	if 10 <= tick && tick < 20 {
		return &record.DamageError{Tick: tick, From: 10, To: 14}
	}
	var now []record.Message
	for _, m := range h.all {
		now = slices.DeleteFunc(now, func(old record.Message) bool { return m.Tick <= tick && old.Topic == m.Topic && old.Key == m.Key })
		if m.Tick <= tick && m.Data != nil && slices.Contains(topics, m.Topic) {
			now = append(now, m)
		}
	}
	for _, m := range now {
		if !yield(m) {
			break
		}
	}
	return nil
}

func (h *holed) Scan(topics []string, from, to uint64, yield func(record.Message) bool) error {
	h.read = h.read || from <= 14 && to >= 10
	for _, m := range h.all {
		if from <= m.Tick && m.Tick <= to && (m.Tick < 10 || m.Tick > 14) && slices.Contains(topics, m.Topic) && !yield(m) {
			break
		}
	}
	return nil
}

// What ended in a damaged part of a file does not go on to the end of the timeline, and what began there is shown.
func TestTimelineEndsWhatEndedInDamage(t *testing.T) {
	h := &holed{}
	base, other := layerValue{ID: "Base", SinceS: 1}, layerValue{ID: "Other", SinceS: 12}
	h.say(1, topicStack, "", stackValue{Layers: []layerValue{base}})
	h.say(3, topicAction, "1", actionValue{Name: "through", SinceS: 3})
	h.say(5, topicAction, "2", actionValue{Name: "until", SinceS: 5})
	h.say(12, topicAction, "2", nil)
	h.say(12, topicStack, "", stackValue{Layers: []layerValue{base, other}})
	h.say(13, topicAction, "3", actionValue{Name: "from", SinceS: 13})
	h.say(16, topicAction, "4", actionValue{Name: "behind", SinceS: 16})
	h.say(18, topicAction, "4", nil)
	h.say(30, topicAction, "1", nil)
	line, err := (&Past{Source: h}).Timeline(1, 40)
	if err != nil || len(line.Gaps) != 1 || line.Gaps[0] != (control.GapState{FromS: 10, ToS: 14, Reason: "damaged"}) {
		t.Fatalf("gaps %+v, %v", line.Gaps, err)
	}
	want := []struct {
		name     string
		from, to float64
	}{{"through", 3, 30}, {"until", 5, 10}, {"from", 13, 0}, {"behind", 16, 18}}
	if len(line.Actions) != len(want) {
		t.Fatalf("actions %+v", line.Actions)
	}
	for i, w := range want {
		got, to := line.Actions[i], 0.0
		if got.ToS != nil {
			to = *got.ToS
		}
		if got.Name != w.name || got.FromS != w.from || to != w.to {
			t.Errorf("%s from %g to %g, want %+v", got.Name, got.FromS, to, w)
		}
	}
	if len(line.Layers) != 2 || line.Layers[1].ID != "Other" || line.Layers[1].FromS != 12 || line.Layers[0].ToS != nil {
		t.Errorf("layers %+v", line.Layers)
	}
}

// Each event outside of the gap is in the timeline once, those of the first tick and of the one behind the gap too.
func TestTimelineHasEachEventOnceBesideGap(t *testing.T) {
	h := &holed{}
	want := []uint64{1, 5, 16, 20, 21, 40}
	for _, tick := range want {
		h.say(tick, topicEvent, strconv.FormatUint(tick, 10), timedEvent{AtS: float64(tick)})
	}
	line, err := (&Past{Source: h}).Timeline(1, 40)
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for _, e := range line.Events {
		got = append(got, e.Tick)
	}
	if !slices.Equal(got, want) {
		t.Errorf("events of the ticks %v, want %v", got, want)
	}
}
