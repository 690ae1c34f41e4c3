//go:build storm

package storm

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/daemon"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
)

var liveFor = flag.Duration("storm.live", time.Minute, "length of the live storm")

// TestStormLive lets the daemon suffer a storm in real time, through its own control API. It takes minutes, so it has a build tag of its
// own, and `.ci/storm live` runs it.
func TestStormLive(t *testing.T) {
	setup.Tune()
	r := serve(t, *firstSeed)
	suffer(r, *firstSeed, *liveFor).report(t)
}

// daemonRobot is a robot in a daemon of this process, which only its control API and its metrics reach.
type daemonRobot struct {
	t       *testing.T
	ctx     context.Context
	client  *control.Client
	metrics string
	begin   time.Time
	dock    hardware.Pose
	stop    uint64 // the newest one
}

func serve(t *testing.T, seed uint64) *daemonRobot {
	t.Helper()
	var listeners [2]net.Listener
	for i := range listeners {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners[i] = l
	}
	s := setuptest.Options(t, seed)
	s.Log = slog.New(slog.DiscardHandler)
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
	r := &daemonRobot{t: t, ctx: ctx, metrics: "http://" + listeners[1].Addr().String() + "/metrics", begin: time.Now()}
	var err error
	if r.client, err = control.NewClient(listeners[0].Addr().String(), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	r.dock = r.state().World.Robot.Pose
	return r
}

func (r *daemonRobot) state() (s control.State) {
	if _, err := r.client.Get(r.ctx, "/v1/state", &s); err != nil {
		r.t.Fatal(err)
	}
	return s
}

func (r *daemonRobot) until(at time.Duration) { <-time.After(time.Until(r.begin.Add(at))) }

func (r *daemonRobot) do(d deed) error {
	path, body := d.path, d.body
	switch d.path {
	case hangPath:
		return fmt.Errorf("%s: virtual time only", d.path)
	case dockPath:
		path, body = "/v1/world", control.Act{Act: "place", XMM: r.dock.XMM, YMM: r.dock.YMM, HeadingRad: r.dock.HeadingRad}
	case resumePath:
		body = control.ResumeRequest{Stop: &r.stop}
	}
	a, err := r.client.Post(r.ctx, path, body)
	if d.path == stopPath {
		r.stop = a.Stop
	}
	return err
}

func (r *daemonRobot) see() outcome {
	s := r.state()
	// A loaded machine makes readings old. Only a device that failed is ill.
	well := func(d control.DeviceState) bool {
		return d.Quality == hardware.OK.String() || d.Quality == hardware.Stale.String()
	}
	return outcome{
		falls: s.Counters.Falls, violations: s.Counters.Violations, failures: failures(s.Troubles.Failures), meters: s.Counters.DistanceM,
		ill: sick(s.Devices, func(d control.DeviceState) string { return d.Name }, well), held: held{zombies: s.Troubles.Zombies},
	}
}

// failures counts those that are no device's.
func failures(all []control.FailureState) (n uint64) {
	for _, f := range all {
		if !strings.HasPrefix(f.Actor, "device/") {
			n += f.Count
		}
	}
	return n
}

func (r *daemonRobot) count() outcome {
	o := r.see()
	answer, err := http.Get(r.metrics)
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		r.t.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	gauge := func(name string) (value float64) {
		for line := range strings.Lines(string(text)) {
			if number, ok := strings.CutPrefix(line, name+" "); ok {
				value, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
			}
		}
		if err != nil || value <= 0 {
			r.t.Fatalf("%s is %v: %v", name, value, err)
		}
		return value
	}
	zombies := o.zombies
	o.held = hold()
	o.zombies, o.actors = zombies, int(gauge("robotd_actors"))
	o.heap -= uint64(gauge("robotd_history_bytes")) // which grows for an hour, to a limit
	return o
}
