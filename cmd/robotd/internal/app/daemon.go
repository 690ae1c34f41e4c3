package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// firstTick is how long the robot may take to complete its first tick.
const firstTick = 10 * time.Second

// Live are the options of the daemon. The listeners are open already: nothing has moved when a port turns out to be taken.
type Live struct {
	Control, Metrics net.Listener
	For              time.Duration   // 0 = until told to stop
	Hurry            <-chan struct{} // closed by the second signal: stop at once
	Ready            func(page string)
}

// ErrHurried says that the second signal came before the orderly stop was complete.
var ErrHurried = errors.New("stopped at once: the wheels are off, nothing else was put in order")

// daemon is the live robot with its servers.
type daemon struct {
	Setup
	live    Live
	log     *slog.Logger
	body    *Body
	tally   *Tally
	robot   *robot
	server  *control.Server
	metrics *http.Server
	failed  chan error // of a server, or of the mind
	begin   time.Time
}

// Serve lets the robot live until ctx ends, the time is over, or a server fails. Start order: actors, first completed tick,
// ready. Stop order: refuse commands, pop the stack, stop the wheels, halt the devices, close the listeners.
func Serve(ctx context.Context, s Setup, l Live) (Summary, error) {
	d := &daemon{Setup: s, live: l, begin: time.Now(), failed: make(chan error, 3)}
	if err := d.start(ctx); err != nil {
		_ = l.Control.Close()
		_ = l.Metrics.Close()
		return Summary{}, err
	}
	err := d.wait(ctx)
	err = errors.Join(err, d.stop())
	return summarize(s, d.tally, d.body.Rig.Stats(), time.Since(d.begin), time.Since(d.begin)), err
}

// start brings up body, mind, observers and servers.
func (d *daemon) start(ctx context.Context) error {
	ring := NewRing(d.begin)
	d.log = slog.New(slog.NewMultiHandler(d.Log.Handler(), ring))
	d.log.Info("robotd "+d.Version, "page", "http://"+d.live.Control.Addr().String()+"/", "metrics", "http://"+d.live.Metrics.Addr().String()+"/metrics")
	d.log.Info("robot", "name", RobotName, "behaviors", len(d.Catalog.Entries), "period", d.Period, "seed", d.Seed)
	d.body = NewBody(clock.Live{}, d.Seed, true)
	d.tally = NewTally(false, func(v string) { d.log.Error("lifecycle violation", "text", v) })
	pages := newBook()
	trouble := newTroubles(time.Now, d.begin)
	report := newReporter(d.log, ring, time.Now)
	watch := newWatcher(d.Setup)
	pub := &publisher{
		fixed: fixedState(d.Setup), feed: control.NewFeed(), body: d.body, tally: d.tally, book: pages, trouble: trouble, ring: ring,
		now: time.Now, start: d.begin, period: d.Period, first: make(chan struct{}),
	}
	system, err := d.system(d.body, clock.Live{}, event.Tee{d.tally, pages, watch, report, trouble}, []actors.TickObserver{d.tally, watch, report, trouble, pub}, d.fatal)
	if err != nil {
		return err
	}
	d.robot = &robot{body: d.body, system: system, publisher: pub, stageFile: d.StageFile}
	d.server = control.NewServer(d.live.Control, d.robot, Page(), d.log)
	d.metrics = metricsServer(watch, d.robot)
	go func() { d.failed <- d.server.Serve() }()
	go func() { d.failed <- served(d.metrics.Serve(d.live.Metrics)) }()
	return d.ready(ctx, pub.first)
}

// fatal ends the daemon when its mind cannot go on; whoever started it starts it anew.
func (d *daemon) fatal(err error) { d.failed <- err }

func served(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("metrics: %w", err)
}

// ready waits for the first completed tick. Without one the robot is stopped again.
func (d *daemon) ready(ctx context.Context, first <-chan struct{}) error {
	late := time.NewTimer(firstTick)
	defer late.Stop()
	select {
	case <-first:
		d.log.Info("ready", "after", time.Since(d.begin).Round(time.Millisecond))
		if d.live.Ready != nil {
			d.live.Ready("http://" + d.live.Control.Addr().String() + "/")
		}
		return nil
	case <-ctx.Done(): // told to stop during the start; wait sees it too
		return nil
	case <-late.C:
		return errors.Join(fmt.Errorf("no tick was completed within %v", firstTick), d.stop())
	}
}

// wait lets the robot live.
func (d *daemon) wait(ctx context.Context) error {
	var over <-chan time.Time
	if d.live.For > 0 {
		t := time.NewTimer(d.live.For)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-ctx.Done():
		return nil
	case <-over:
		return nil
	case err := <-d.failed:
		return err
	}
}

// stop ends everything in order, or at once when hurried. The wheels are off in either case.
func (d *daemon) stop() error {
	d.log.Info("stopping")
	defer func() { _ = d.body.Safety.Close() }()
	d.server.Refuse()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stopped := make(chan error, 1)
	go func() { stopped <- d.robot.system.Stop(ctx) }()
	var err error
	select {
	case err = <-stopped:
	case <-d.live.Hurry:
		d.body.Safety.Down("stop")
		return ErrHurried
	}
	d.server.Close()
	_ = d.metrics.Close()
	d.log.Info("stopped", "after", time.Since(d.begin).Round(time.Millisecond), "driven_m", round3(d.body.Rig.Stats().DistanceM))
	return err
}
