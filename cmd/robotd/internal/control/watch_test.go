package control_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics/record"
)

func TestWatchStreamsWhatHoldsThenWhatChanges(t *testing.T) {
	s := newStand(t)
	s.live = record.NewLive()
	s.live.Tick(1, time.Second, []record.Message{{Tick: 1, At: time.Second, Topic: "/stack", Data: []byte(`{"depth":1}`)}})
	c, err := control.NewClient(s.address, 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	var got []string
	err = c.Watch(t.Context(), []string{"stack", "/event"}, func(m control.WatchMessage, lost int) error {
		got = append(got, fmt.Sprintf("%d %.1f %s %s %s %d", m.Tick, m.AtS, m.Topic, m.Key, m.Data, lost))
		switch len(got) {
		case 1:
			s.live.Tick(2, 2*time.Second, []record.Message{
				{Tick: 2, At: 2 * time.Second, Topic: "/event", Key: "7", Data: []byte(`"x"`), Instant: true},
				{Tick: 2, At: 2 * time.Second, Topic: "/pose", Data: []byte(`{}`)},
				{Tick: 2, At: 2 * time.Second, Topic: "/stack"},
			})
		case 3:
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	want := []string{`1 1.0 /stack  {"depth":1} 0`, `2 2.0 /event 7 "x" 0`, `2 2.0 /stack  null 0`}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWatchEndsWithItsReaderWithoutError(t *testing.T) {
	s := newStand(t)
	s.live = record.NewLive()
	s.live.Tick(1, 0, []record.Message{{Tick: 1, Topic: "/stack", Data: []byte(`{}`)}})
	c, err := control.NewClient(s.address, 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = c.Watch(ctx, nil, func(control.WatchMessage, int) error {
		cancel()
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWatchOfUnknownTopicOrRecordingIsRefused(t *testing.T) {
	s := newStand(t)
	s.live = record.NewLive()
	if status, a, _ := s.send(http.MethodGet, "/v1/watch?topics=/stak", "", nil); status != http.StatusBadRequest || !strings.Contains(a.Error, `did you mean "/stack"?`) {
		t.Errorf("%d %+v", status, a)
	}
	if status, a, _ := s.send(http.MethodGet, "/v1/watch?topic=/stack", "", nil); status != http.StatusBadRequest || !strings.Contains(a.Error, `did you mean "topics"?`) {
		t.Errorf("%d %+v", status, a)
	}
	s.live = nil
	if status, a, _ := s.send(http.MethodGet, "/v1/watch", "", nil); status != http.StatusConflict || !strings.Contains(a.Error, "this is a recording") {
		t.Errorf("%d %+v", status, a)
	}
	c, err := control.NewClient(s.address, 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Watch(t.Context(), nil, nil); err == nil || !strings.Contains(err.Error(), "this is a recording") {
		t.Error(err)
	}
}
