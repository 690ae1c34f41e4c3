package daemon_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/daemon"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware/profile"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listen opens two free ports.
func listen(t *testing.T) (page, metrics net.Listener) {
	t.Helper()
	page, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if metrics, err = control.ListenAny("127.0.0.1:0", "--metrics-listen"); err != nil {
		t.Fatal(err)
	}
	return page, metrics
}

// serve starts a live robot that stops with the test, and a client of it.
func serve(t *testing.T, s setup.Options) (*control.Client, context.Context) {
	t.Helper()
	var listeners [2]net.Listener
	for i := range listeners {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners[i] = l
	}
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := daemon.Run(ctx, s, daemon.Options{Control: listeners[0], Metrics: listeners[1], Ready: func(url string) { ready <- url }})
		done <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-ready
	c, err := control.NewClient(listeners[0].Addr().String(), 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return c, ctx
}

func TestLiveRobotStartsAnswersAndStops(t *testing.T) {
	page, metrics := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan string, 1), make(chan error, 1)
	s := setuptest.Options(t, 1)
	var sum runstats.Summary
	go func() {
		var err error
		sum, err = daemon.Run(ctx, s, daemon.Options{Control: page, Metrics: metrics, Ready: func(url string) { ready <- url }})
		done <- err
	}()
	if url := <-ready; url != "http://"+page.Addr().String()+"/" {
		t.Errorf("ready with %q", url)
	}
	c, err := control.NewClient(page.Addr().String(), 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var st control.State
	if _, err := c.Get(ctx, "/v1/state", &st); err != nil || len(st.Stack) == 0 || len(st.Devices) != 12 || st.World == nil || len(st.Tracks) == 0 {
		t.Errorf("%v, state %+v", err, st)
	}
	if n := len(st.Stats); n < 2 || st.Stats[n-1].Name != "BehaviorActivated" || st.Stats[n-1].Count == 0 {
		t.Errorf("stats %+v", st.Stats)
	}
	if st.Feature.Name == "" || len(st.Mood.Emotions) != 5 || st.Mood.Simple != "LowStim" {
		t.Errorf("feature %+v, mood %+v", st.Feature, st.Mood)
	}
	stopped, err := c.Post(ctx, "/v1/estop", struct{}{})
	if err != nil || stopped.Stop == 0 {
		t.Errorf("%+v, %v", stopped, err)
	}
	if _, err := c.Get(ctx, "/v1/state", &st); err != nil || !st.EStop || !st.Stop.Line || st.Stop.Number != stopped.Stop {
		t.Errorf("%v, emergency stop is %t, %+v", err, st.EStop, st.Stop)
	}
	for !st.Stop.Mind { // from the next tick on
		if _, err := c.Get(ctx, "/v1/state", &st); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Post(ctx, "/v1/resume", struct {
		Stop uint64 `json:"stop"`
	}{stopped.Stop - 1}); err == nil || !strings.Contains(err.Error(), "the robot was stopped again") {
		t.Errorf("resume of an earlier stop: %v", err)
	}
	if _, err := c.Post(ctx, "/v1/resume", control.ResumeRequest{Stop: &stopped.Stop}); err != nil {
		t.Error(err)
	}
	if _, err := c.Get(ctx, "/v1/state", &st); err != nil || st.EStop || st.Stop != (control.StopState{Number: stopped.Stop}) {
		t.Errorf("%v, emergency stop is %t, %+v", err, st.EStop, st.Stop)
	}
	if _, err := c.Post(ctx, "/v1/intent", control.IntentRequest{Name: "come_her"}); err == nil || !strings.Contains(err.Error(), `did you mean "come_here"?`) {
		t.Errorf("unknown intent: %v", err)
	}
	if _, err := c.Post(ctx, "/v1/intents", control.Message{Intent: "come_her"}); err == nil || !strings.Contains(err.Error(), `did you mean "come_here"?`) {
		t.Errorf("unknown name: %v", err)
	}
	if _, err := c.Post(ctx, "/v1/intents", control.Message{Type: "debug"}); err == nil || !strings.Contains(err.Error(), `no "intent"`) {
		t.Errorf("message without an intent: %v", err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if sum.Ticks == 0 || sum.LifecycleViolations != 0 {
		t.Errorf("summary %+v", sum)
	}
}

// holding is a log that holds the stop at its first line.
type holding struct {
	slog.Handler
	begun, release, ended chan struct{}
}

func (h holding) Enabled(context.Context, slog.Level) bool { return true }

func (h holding) Handle(_ context.Context, r slog.Record) error {
	switch r.Message {
	case "stopping":
		close(h.begun)
		<-h.release
	case "stopped":
		close(h.ended)
	}
	return nil
}

// The second signal ends a stop that hangs.
func TestSecondSignalEndsStopThatHangs(t *testing.T) {
	page, metrics := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	hurry, done := make(chan struct{}), make(chan error, 1)
	log := holding{slog.DiscardHandler, make(chan struct{}), make(chan struct{}), make(chan struct{})}
	s := setuptest.Options(t, 1)
	s.Log = slog.New(log)
	body := simrobot.New(profile.R1(), clock.Live{}, 1, true)
	go func() {
		sum, err := daemon.Run(ctx, s, daemon.Options{Control: page, Metrics: metrics, Hurry: hurry, Robot: body})
		if sum.Ticks != 0 {
			err = errors.Join(err, errors.New("a summary of a robot that still lives"))
		}
		done <- err
	}()
	cancel()
	<-log.begun
	close(hurry)
	if err := <-done; !errors.Is(err, daemon.ErrHurried) || err.Error() != daemon.ErrHurried.Error() {
		t.Errorf("ends with %v", err)
	}
	if st := body.Safety.State(); !st.EStop { // else a tick that still runs could raise the line again
		t.Errorf("%+v", st)
	}
	close(log.release)
	<-log.ended
}

// A server that fails before the first tick ends the start with its reason, in order.
func TestServerThatFailsEndsTheStart(t *testing.T) {
	page, metrics := listen(t)
	_ = metrics.Close()
	s := setuptest.Options(t, 1)
	s.Period, s.Traces = time.Second, t.TempDir()
	_, err := daemon.Run(t.Context(), s, daemon.Options{Control: page, Metrics: metrics})
	if err == nil || !strings.Contains(err.Error(), "metrics: ") {
		t.Errorf("ends with %v", err)
	}
}

// Each process begins to number stops anywhere, so that a resume which was meant for an earlier one ends no stop of the next.
// Rules: L-43.
func TestResumeOfAnotherProcessEndsNoStop(t *testing.T) {
	earlier, ctx := serve(t, setuptest.Options(t, 1))
	later, _ := serve(t, setuptest.Options(t, 1))
	var stops [2]uint64
	for i, c := range []*control.Client{earlier, later} {
		a, err := c.Post(ctx, "/v1/estop", struct{}{})
		if err != nil {
			t.Fatal(err)
		}
		stops[i] = a.Stop
	}
	if a, err := later.Post(ctx, "/v1/resume", control.ResumeRequest{Stop: &stops[0]}); err == nil {
		t.Errorf("stops %v: %+v", stops, a)
	}
}
