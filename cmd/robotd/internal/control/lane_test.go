package control_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// laborious is a past that takes as long for a timeline as the test wants.
type laborious struct {
	past
	begun, release chan struct{}
}

func (p *laborious) Timeline(_, _ float64) (*control.Timeline, error) {
	p.begun <- struct{}{}
	<-p.release
	return &control.Timeline{}, nil
}

// However many clients ask about the past, a few of them are worked on; the others are told to come back, and a question of one instant
// is answered meanwhile.
func TestManyLongQuestionsLeaveProcessorsToTheTick(t *testing.T) {
	s, p := newStand(t), &laborious{begun: make(chan struct{}, 100), release: make(chan struct{})}
	s.past = p
	turns, clients := s.server.Impatient(20*time.Millisecond), 40
	type result struct {
		status int
		text   string
	}
	results := make(chan result, clients)
	for range clients {
		go func() {
			status, a, _ := s.send("GET", "/v1/timeline", "", nil)
			results <- result{status, a.Error}
		}()
	}
	for range clients - turns {
		select {
		case r := <-results:
			if r.status != http.StatusServiceUnavailable || !strings.Contains(r.text, "too many questions about the past") {
				t.Errorf("%+v", r)
			}
		case <-time.After(time.Minute):
			close(p.release)
			t.Fatalf("%d questions are worked on at once, want %d", len(p.begun), turns)
		}
	}
	if len(p.begun) != turns {
		t.Errorf("%d questions are worked on at once, want %d", len(p.begun), turns)
	}
	if status, a, _ := s.send("GET", "/v1/state?tick=12", "", nil); status != http.StatusOK {
		t.Errorf("a question of one instant: %d, %+v", status, a)
	}
	close(p.release)
	for range turns {
		if r := <-results; r.status != http.StatusOK {
			t.Errorf("%+v", r)
		}
	}
	if status, a, _ := s.send("GET", "/v1/timeline", "", nil); status != http.StatusOK {
		t.Errorf("a question after them: %d, %+v", status, a)
	}
}
