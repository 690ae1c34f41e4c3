package top

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// A robot is what the view asks and tells. The requests of its methods do not wait for each other.
type robot interface {
	state(ctx context.Context) (*control.State, error)
	budget(ctx context.Context) ([]control.BudgetEntry, error)
	estop(ctx context.Context) (string, error)
	resume(ctx context.Context, stop uint64) (string, error)
}

// remote is the robot behind a control address.
type remote struct{ client *control.Client }

func (r remote) state(ctx context.Context) (*control.State, error) {
	s := &control.State{}
	_, err := r.client.Get(ctx, "/v1/state", s)
	return s, err
}

// budget also makes the robot measure: it does so only while somebody asks.
func (r remote) budget(ctx context.Context) ([]control.BudgetEntry, error) {
	var b []control.BudgetEntry
	_, err := r.client.Get(ctx, "/v1/budget", &b)
	return b, err
}

func (r remote) estop(ctx context.Context) (string, error) {
	a, err := r.client.Post(ctx, "/v1/estop", struct{}{})
	return a.Text, err
}

func (r remote) resume(ctx context.Context, stop uint64) (string, error) {
	a, err := r.client.Post(ctx, "/v1/resume", control.ResumeRequest{Stop: &stop})
	return a.Text, err
}

// recent returns the events of the last minute.
func (r remote) recent(ctx context.Context) ([]control.EventEntry, error) {
	var h control.HistoryState
	if _, err := r.client.Get(ctx, "/v1/history", &h); err != nil {
		return nil, err
	}
	var t control.Timeline
	_, err := r.client.Get(ctx, fmt.Sprintf("/v1/timeline?from=%.3f&to=%.3f", max(h.First.AtS, h.Last.AtS-60), h.Last.AtS), &t)
	return t.Events, err
}

// follow sends the events of the robot until ctx ends: first those of the last minute, then each as it comes. When the robot is gone it
// waits for a pause and begins again.
func (r remote) follow(ctx context.Context, send func(any), pause func() <-chan time.Time) {
	for ctx.Err() == nil {
		old, err := r.recent(ctx)
		send(recentMsg{old, err})
		if err == nil {
			_ = r.client.Watch(ctx, []string{"/event"}, func(m control.WatchMessage, lost int) error {
				if e, ok := eventOf(m); ok {
					send(eventMsg{e, lost})
				}
				return nil
			})
		}
		select {
		case <-ctx.Done():
		case <-pause():
		}
	}
}

// eventOf reads one message of the topic /event.
func eventOf(m control.WatchMessage) (control.EventEntry, bool) {
	e := control.EventEntry{}
	ok := json.Unmarshal(m.Data, &e) == nil && e.Kind != ""
	e.AtS = m.AtS
	return e, ok
}
