package top

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// patience bounds what a test waits for, on a busy machine.
const patience = 5 * time.Minute

// daemon is a control API with one fixed robot. Each watch has one event and ends when the client or the daemon does.
type daemon struct {
	*httptest.Server
	posts chan string   // path and body
	end   chan struct{} // ends one watch
}

func newDaemon(t *testing.T) *daemon {
	t.Helper()
	d := &daemon{posts: make(chan string, 8), end: make(chan struct{})}
	mux := http.NewServeMux()
	get := func(path string, v any) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(v) })
	}
	get("/v1/state", fixedState())
	get("/v1/budget", fixedBudget())
	get("/v1/history", control.HistoryState{First: control.InstantState{AtS: 700}, Last: control.InstantState{AtS: 741}})
	mux.HandleFunc("GET /v1/timeline", func(w http.ResponseWriter, r *http.Request) {
		if q := r.URL.RawQuery; q != "from=700.000&to=741.000" {
			t.Errorf("the timeline is asked for %q", q)
		}
		_ = json.NewEncoder(w).Encode(control.Timeline{Events: []control.EventEntry{{AtS: 740, Kind: "fault", Who: "imu"}}})
	})
	mux.HandleFunc("GET /v1/watch", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "event: message\ndata: {\"tick\":1,\"at_s\":741.5,\"topic\":\"/event\",\"data\":{\"kind\":\"activated\",\"who\":\"GreetFace\"}}\n\n")
		w.(http.Flusher).Flush()
		select {
		case <-d.end:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_ = json.NewEncoder(w).Encode(control.Answer{OK: true, Text: "stopped now"})
		d.posts <- r.URL.Path + " " + string(body)
	})
	d.Server = httptest.NewServer(mux)
	t.Cleanup(d.Close)
	return d
}

func (d *daemon) client(t *testing.T) *control.Client {
	t.Helper()
	c, err := control.NewClient(d.Listener.Addr().String(), patience)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// screen keeps what a program draws.
type screen struct {
	mu    sync.Mutex
	text  bytes.Buffer
	drawn chan struct{}
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.drawn <- struct{}{}:
	default:
	}
	return s.text.Write(b)
}

func (s *screen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// until waits until something was drawn.
func (s *screen) until(t *testing.T, text string) {
	t.Helper()
	late := time.After(patience)
	for !strings.Contains(s.all(), text) {
		select {
		case <-s.drawn:
		case <-late:
			t.Fatalf("%q is not drawn: %q", text, s.all())
		}
	}
}

// live runs the program on a terminal with this environment, stops the robot with its keys, and returns what it drew.
func live(t *testing.T, env ...string) string {
	t.Helper()
	d := newDaemon(t)
	keys, press := io.Pipe()
	s := &screen{drawn: make(chan struct{}, 1)}
	done := make(chan error, 1)
	go func() {
		done <- run(context.Background(), remote{d.client(t)}, tea.WithInput(keys), tea.WithOutput(s), tea.WithoutSignals(),
			tea.WithWindowSize(80, 24), tea.WithEnvironment(append(env, "TERM=xterm-256color", "TTY_FORCE=1")))
	}()
	s.until(t, "Exploring")
	s.until(t, "GreetFace")
	_, _ = io.WriteString(press, "e")
	s.until(t, "emergency stop?")
	_, _ = io.WriteString(press, "y")
	select {
	case got := <-d.posts:
		if got != "/v1/estop {}" {
			t.Errorf("the robot is told %q", got)
		}
	case <-time.After(patience):
		t.Fatal("the robot is told nothing")
	}
	s.until(t, "stopped now")
	_, _ = io.WriteString(press, "q")
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("quitting fails: %v", err)
		}
	case <-time.After(patience):
		t.Fatal("q does not quit")
	}
	return s.all()
}

// inColor matches a sequence that sets a color.
var inColor = regexp.MustCompile(`\x1b\[(\d+;)*[34][0-7](;\d+)*m`)

func TestProgramStopsRobotByKeysAndQuits(t *testing.T) {
	if drawn := live(t); !inColor.MatchString(drawn) {
		t.Errorf("a terminal with colors has none: %q", drawn)
	}
}

func TestProgramWithNoColorDrawsNone(t *testing.T) {
	if c := inColor.FindString(live(t, "NO_COLOR=1")); c != "" {
		t.Errorf("with NO_COLOR it draws %q", c)
	}
}

func TestProgramEndsWithItsContext(t *testing.T) {
	d := newDaemon(t)
	keys, _ := io.Pipe()
	s := &screen{drawn: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, remote{d.client(t)}, tea.WithInput(keys), tea.WithOutput(s), tea.WithoutSignals(), tea.WithWindowSize(80, 24))
	}()
	s.until(t, "Exploring")
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("it ends with %v", err)
		}
	case <-time.After(patience):
		t.Fatal("it does not end")
	}
}

func TestFollowBeginsAgainWhenStreamEnds(t *testing.T) {
	d := newDaemon(t)
	ctx, cancel := context.WithCancel(context.Background())
	got, pauses := make(chan any), make(chan time.Time)
	var done sync.WaitGroup
	done.Go(func() {
		remote{d.client(t)}.follow(ctx, func(msg any) { got <- msg }, func() <-chan time.Time { return pauses })
	})
	take := func() any {
		select {
		case msg := <-got:
			return msg
		case <-time.After(patience):
			t.Fatal("nothing is sent")
			return nil
		}
	}
	for range 2 {
		if old, ok := take().(recentMsg); !ok || old.err != nil || len(old.events) != 1 || old.events[0].Who != "imu" {
			t.Errorf("first it sends %+v, want the event of the last minute", old)
		}
		if e, ok := take().(eventMsg); !ok || e.event.Who != "GreetFace" || e.event.AtS != 741.5 {
			t.Errorf("then it sends %+v, want the event of the stream", e)
		}
		d.end <- struct{}{}
		pauses <- time.Time{}
	}
	if _, ok := take().(recentMsg); !ok {
		t.Error("it does not begin again")
	}
	cancel()
	go func() {
		for range got { // what it still sends
		}
	}()
	done.Wait()
	close(got)
}

func TestOnceWithoutRobotFailsAndPrintsNothing(t *testing.T) {
	d := newDaemon(t)
	c := d.client(t)
	d.Close()
	var out bytes.Buffer
	if err := Once(context.Background(), c, &out); !errors.Is(err, control.ErrUnreachable) || out.Len() > 0 {
		t.Errorf("error %v and output %q", err, out.String())
	}
}

func TestRunWithoutTerminalIsRefused(t *testing.T) {
	var out bytes.Buffer
	if err := Run(context.Background(), nil, &out); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("error %v, want %v", err, ErrNoTerminal)
	}
}
