package record

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// words is a batch as text.
func words(batch []Message) (text string) {
	for _, m := range batch {
		text += fmt.Sprintf(" %s%s=%s", m.Topic, m.Key, m.Data)
	}
	return text
}

func next(t *testing.T, s *Subscription) (string, uint64) {
	t.Helper()
	batch, lost, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return words(batch), lost
}

func TestSubscriberGetsWhatHoldsAndThenWhatChanges(t *testing.T) {
	l := NewLive()
	value := func(topic, key, data string) Message {
		m := Message{Topic: topic, Key: key}
		if data != "" {
			m.Data = []byte(data)
		}
		return m
	}
	l.Tick(1, 0, []Message{
		value("/stack", "", "1"), value("/device", "a", "2"), value("/device", "b", "3"),
		{Topic: "/event", Key: "1", Data: []byte("e"), Instant: true},
		value(Tape, "", "t"),
	})
	l.Tick(2, 0, []Message{value("/device", "a", ""), value("/stack", "", "4")})
	all, some := l.Subscribe(100, nil), l.Subscribe(100, []string{"/device"})
	defer all.Close()
	if got, _ := next(t, all); got != " /stack=4 /deviceb=3" {
		t.Errorf("all: %s", got)
	}
	if got, _ := next(t, some); got != " /deviceb=3" {
		t.Errorf("some: %s", got)
	}
	l.Tick(3, 0, []Message{value("/stack", "", "5"), value("/device", "b", ""), value(Tape, "", "t"), {Topic: "/event", Key: "2", Data: []byte("f"), Instant: true}})
	if got, _ := next(t, all); got != " /stack=5 /deviceb= /event2=f" {
		t.Errorf("all: %s", got)
	}
	if got, _ := next(t, some); got != " /deviceb=" {
		t.Errorf("some: %s", got)
	}
	some.Add("/stack")
	if got, _ := next(t, some); got != " /stack=5" {
		t.Errorf("added: %s", got)
	}
	l.Tick(4, 0, []Message{value("/stack", "", "6"), value("/device", "c", "7")})
	some.Remove("/stack")
	if got, _ := next(t, some); got != " /devicec=7" {
		t.Errorf("removed: %s", got)
	}
	some.Close()
	l.Tick(5, 0, []Message{value("/device", "c", "8")})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if batch, _, err := some.Next(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a closed subscription has %s, %v", words(batch), err)
	}
}

func TestSlowSubscriberLosesOldestMessagesAndIsTold(t *testing.T) {
	l := NewLive()
	s := l.Subscribe(3, []string{"/event"})
	defer s.Close()
	for n := range 10 {
		l.Tick(uint64(n), 0, []Message{{Topic: "/event", Data: fmt.Appendf(nil, "%d", n), Instant: true}})
	}
	if got, lost := next(t, s); got != " /event=7 /event=8 /event=9" || lost != 7 {
		t.Errorf("%s, %d lost", got, lost)
	}
	l.Tick(10, 0, []Message{{Topic: "/event", Data: []byte("10"), Instant: true}})
	if got, lost := next(t, s); got != " /event=10" || lost != 0 {
		t.Errorf("%s, %d lost", got, lost)
	}
}
