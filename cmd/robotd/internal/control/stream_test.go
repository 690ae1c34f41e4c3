package control_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// publish publishes state views with growing tick numbers until the test ends.
func (s *stand) publish() {
	quit := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for n := uint64(1); ; n++ {
			select {
			case <-tick.C:
				s.feed.Publish(control.NewFrame(func() *control.State { return &control.State{Tick: n, Robot: "R1"} }))
			case <-quit:
				return
			}
		}
	}()
	s.t.Cleanup(func() {
		close(quit)
		<-done
	})
}

func TestStateIsTakenAfterTheRequest(t *testing.T) {
	s := newStand(t)
	s.publish()
	c, err := control.NewClient(s.address, 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var first, second control.State
	for _, into := range []*control.State{&first, &second} {
		if _, err := c.Get(t.Context(), "/v1/state", into); err != nil {
			t.Fatal(err)
		}
	}
	if first.Tick == 0 || second.Tick <= first.Tick || first.Robot != "R1" {
		t.Errorf("ticks %d, %d", first.Tick, second.Tick)
	}
}

// open starts a stream and returns its lines.
func (s *stand) open(ctx context.Context) (*bufio.Scanner, io.Closer, int) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.address+"/v1/events", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := (&http.Client{Transport: s.client.Transport}).Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return bufio.NewScanner(resp.Body), resp.Body, resp.StatusCode
}

func TestStreamSendsNewestStateAtMostTenTimesASecond(t *testing.T) {
	s := newStand(t)
	s.publish()
	begin := time.Now() // the server's own begin is later
	lines, body, _ := s.open(t.Context())
	defer func() { _ = body.Close() }()
	var ticks []uint64
	for len(ticks) < 4 && lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var st control.State
		if err := json.Unmarshal([]byte(text), &st); err != nil {
			t.Fatal(err)
		}
		if len(ticks) > 0 && st.Tick <= ticks[len(ticks)-1] {
			t.Fatalf("state view %d after %v", st.Tick, ticks)
		}
		ticks = append(ticks, st.Tick)
	}
	if len(ticks) < 4 {
		t.Fatalf("the stream ended after %v", ticks)
	}
	if took := time.Since(begin); took < 250*time.Millisecond {
		t.Errorf("four state views within %v", took)
	}
}

// message is one event of a stream.
type message struct {
	name string
	data map[string]json.RawMessage
}

// messages returns the next n events of a stream.
func (s *stand) messages(lines *bufio.Scanner, n int) []message {
	s.t.Helper()
	var out []message
	name := ""
	for len(out) < n && lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = text
		}
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			m := message{name: name}
			if err := json.Unmarshal([]byte(text), &m.data); err != nil {
				s.t.Fatal(err)
			}
			out = append(out, m)
		}
	}
	if len(out) < n {
		s.t.Fatalf("the stream ended after %d events", len(out))
	}
	return out
}

// A stream begins with a whole state view; after it come the keys that changed and no others.
func TestStreamSendsWholeStateThenChangedKeys(t *testing.T) {
	s := newStand(t)
	s.publish()
	lines, body, _ := s.open(t.Context())
	defer func() { _ = body.Close() }()
	got := s.messages(lines, 4)
	if got[0].name != "state" || string(got[0].data["robot"]) != `"R1"` || got[0].data["devices"] == nil {
		t.Errorf("the first event is %q: %v", got[0].name, got[0].data)
	}
	for _, m := range got[1:] {
		if m.name != "change" || len(m.data) != 1 || m.data["tick"] == nil {
			t.Errorf("a later event is %q: %v", m.name, m.data)
		}
	}
}

func TestSlowReadersDoNotBlockThePublisher(t *testing.T) {
	s := newStand(t)
	_, body, _ := s.open(t.Context()) // reads nothing
	defer func() { _ = body.Close() }()
	big := strings.Repeat("x", 1<<20)
	published := make(chan struct{})
	go func() {
		defer close(published)
		for n := range uint64(10_000) {
			s.feed.Publish(control.NewFrame(func() *control.State { return &control.State{Tick: n, Robot: big} }))
		}
	}()
	select {
	case <-published:
	case <-time.After(time.Minute):
		t.Fatal("the publisher waits for the reader")
	}
}

func TestStreamsAreLimited(t *testing.T) {
	s := newStand(t)
	s.publish()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for n := range 16 {
		lines, body, status := s.open(ctx)
		defer func() { _ = body.Close() }()
		if status != 200 || !lines.Scan() {
			t.Fatalf("stream %d: status %d", n, status)
		}
	}
	_, body, status := s.open(ctx)
	_ = body.Close()
	if status != http.StatusTooManyRequests {
		t.Errorf("stream 17: status %d", status)
	}
}

// Clients that open a stream and never read it lose it when a few state views wait for them, which makes room for others.
func TestStreamsThatNobodyReadsEnd(t *testing.T) {
	s := newStand(t)
	s.server.DropSlow(500 * time.Millisecond) // the first bytes have no more
	big := strings.Repeat("x", 512<<10)       // more than the system keeps of a stream
	for range 16 {
		_, body, status := s.open(t.Context())
		defer func() { _ = body.Close() }()
		if status != 200 {
			t.Fatalf("status %d", status)
		}
	}
	for n := uint64(0); s.feed.Wanted(); n++ {
		s.feed.Publish(control.NewFrame(func() *control.State { return &control.State{Robot: big + strconv.FormatUint(n, 10)} }))
		runtime.Gosched()
	}
}

// Only GET opens a stream: other methods are answered and hold none, however many come.
func TestOnlyGetHoldsStream(t *testing.T) {
	s := newStand(t)
	for method, want := range map[string]int{"HEAD": 200, "OPTIONS": 405, "POST": 405, "PUT": 405, "DELETE": 405, "TRACE": 405} {
		for range 17 { // more than there are streams
			status, _, h := s.send(method, "/v1/events", "", nil)
			if status != want || method == "HEAD" && h.Get("Content-Type") != "text/event-stream" {
				t.Fatalf("%s: status %d, %v", method, status, h)
			}
		}
	}
	if s.feed.Wanted() {
		t.Error("a stream is held")
	}
}

func TestFeedWithoutReadersWantsNoState(t *testing.T) {
	f := control.NewFeed()
	if f.Wanted() {
		t.Error("wanted before anybody looked")
	}
	release, err := f.Follow()
	if err != nil || !f.Wanted() {
		t.Errorf("follower: wanted %t, %v", f.Wanted(), err)
	}
	release()
	release()
	if f.Wanted() {
		t.Error("wanted after the follower left")
	}
}
