package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/cmd/robotd/internal/flight"
	"github.com/robotd/robotd/cmd/robotd/internal/notify"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/cmd/robotd/internal/speech"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/metrics/foxglove"
)

// firstTick is how long the robot may take to complete its first tick.
const firstTick = 10 * time.Second

// Options are the options of the daemon. The listeners are open already, so a taken port is found before the robot moves.
type Options struct {
	Control, Metrics net.Listener
	Foxglove         net.Listener    // nil: no stream for Foxglove
	FoxgloveControl  bool            // its clients may ask the robot for something
	For              time.Duration   // 0 = until told to stop
	Hurry            <-chan struct{} // closed by the second signal: stop at once
	Reload           <-chan struct{} // a value for each signal to read the definitions again
	Ready            func(page string)
	LogDropped       func() uint64   // log lines that were lost because nobody read them; nil: none ever
	Robot            *simrobot.Robot // nil: a fresh one in a world of its own
}

// ErrHurried says that the second signal came before the orderly stop was complete.
var ErrHurried = errors.New("stopped at once: the wheels are off, nothing else was put in order")

// stopLimit is how long a stop may take. Each of its stages has a shorter limit, so that only one that cannot be ended reaches it.
const stopLimit = 10 * time.Second

// daemon is the live robot with its servers.
type daemon struct {
	run      setup.Options
	opts     Options
	log      *slog.Logger
	sim      *simrobot.Robot
	counters *runstats.Counters
	robot    *robot
	server   *control.Server
	metrics  *http.Server
	history  history
	sets     *sets.Store
	keeper   *keeper          // nil: nothing is kept
	learner  *learner         // nil: what devices learn is not kept
	flight   *flight.Recorder // nil: none
	voice    *speech.Voice    // nil: words are captions
	notify   *notify.Notifier // nil: no service manager
	stream   *foxglove.Server // nil: none
	foxglove *http.Server     // of the stream
	failed   chan error       // of a server, or of the actors
	begin    time.Time
}

// Run runs the robot until ctx ends, the time is over, or a server fails. Start order: actors, first completed tick,
// ready. Stop order: refuse commands, pop the stack, stop the wheels, halt the devices, close the listeners.
func Run(ctx context.Context, run setup.Options, o Options) (runstats.Summary, error) {
	d := &daemon{run: run, opts: o, begin: time.Now(), failed: make(chan error, 4)}
	if err := d.start(ctx); err != nil {
		d.keep()
		d.notify.Close()
		_ = o.Control.Close()
		_ = o.Metrics.Close()
		if o.Foxglove != nil {
			_ = o.Foxglove.Close()
		}
		return runstats.Summary{}, err
	}
	err := errors.Join(d.wait(ctx), d.stop())
	d.notify.Close()
	if errors.Is(err, ErrHurried) { // the robot may still write what a summary reads
		return runstats.Summary{}, err
	}
	return runstats.Summarize(run, d.counters, d.sim.Rig.Stats(), time.Since(d.begin), time.Since(d.begin)), err
}

// start starts the simulated robot, its actors, the observers and the servers.
func (d *daemon) start(ctx context.Context) error {
	ring := eventlog.NewRing(d.begin)
	d.log = slog.New(slog.NewMultiHandler(d.run.Log.Handler(), ring))
	d.notify = notify.New(d.log, d.status)
	d.log.Info("robotd "+d.run.Version, "page", "http://"+d.opts.Control.Addr().String()+"/", "metrics", "http://"+d.opts.Metrics.Addr().String()+"/metrics")
	d.log.Info("robot", "name", d.run.Profile().Name, "behaviors", len(d.run.Catalog.Entries), "period", d.run.Period, "seed", d.run.Seed)
	if err := d.body(); err != nil {
		return err
	}
	d.sim.Safety.NumberStops(uint64(rand.Uint32()))
	d.counters = runstats.NewCounters(false, func(v string) { d.log.Error("lifecycle violation", "text", v) })
	report := eventlog.NewReporter(d.log, ring, time.Now)
	if err := d.history.begin(&d.run, d.begin, d.log); err != nil {
		return err
	}
	watch := d.newWatcher()
	pub := feed.NewPublisher(d.run, d.sim, d.counters, ring, time.Now, d.begin)
	d.history.observe(d, ring)
	d.openSets(event.Tee{watch, report, d.history.facts})
	pub.Says(d.history.facts.Said)
	if d.run.CalibrationFile != "" {
		if d.learner = newLearner(&d.run, d.log); d.learner != nil {
			d.run.Learned = d.learner.learn
		}
	}
	system, err := d.sim.Start(
		d.run, clock.Live{Realtime: d.run.Realtime}, event.Tee{d.counters, watch, report, pub, d.history.facts},
		d.observers(watch, report, pub, d.history.facts), d.fatal)
	if err != nil {
		return err
	}
	d.sets.Attach(system.Inbox().Do)
	d.robot = &robot{
		sim: d.sim, system: system, publisher: pub, sets: d.sets, stageFile: d.run.StageFile, facts: d.history.facts, past: d.history.past(d.sets, system),
		live: d.history.live, reference: d.run.Reference, voice: d.voice,
	}
	if why := system.Realtime(); d.run.Realtime && why != nil {
		d.log.Warn("other processes may delay the ticks: no real-time thread wakes them", "why", why)
	}
	d.server = control.NewServer(d.opts.Control, d.robot, Page(), d.log)
	metrics, listener := metricsServer(d.opts.Metrics, watch, d.robot, d.log)
	d.metrics = metrics
	if err := d.serveFoxglove(); err != nil {
		return errors.Join(err, d.stop())
	}
	go func() { d.failed <- d.server.Serve() }()
	go func() { d.failed <- served(metrics.Serve(listener)) }()
	if err := d.ready(ctx, pub.First()); err != nil {
		return errors.Join(err, d.stop())
	}
	go d.reloads(ctx) // each ends with READY=1, which is true from now on
	return nil
}

// body makes the robot: the one that was given, the real one, or one in a simulated world of its own.
func (d *daemon) body() (err error) {
	switch {
	case d.opts.Robot != nil:
		d.sim = d.opts.Robot
	case d.run.Real:
		d.sim, err = simrobot.NewReal(d.run.Profile())
	default:
		d.sim = simrobot.Among(d.run.People, d.run.Profile(), clock.Live{}, d.run.Seed, true)
	}
	if err == nil {
		d.speak()
	}
	return err
}

// voiceLimit is how long the end of the voice's programs is waited for.
const voiceLimit = time.Second

// speak gives the robot its voice. Sound of a simulated robot is played by its page alone.
func (d *daemon) speak() {
	o := speech.Options{Speak: d.run.Speak, Log: d.log}
	if s := d.run.Profile().Speaker; d.run.Real && s != nil && s.Driver.Driver == profile.ALSA {
		o.Play = speech.Player(s.Device)
	}
	if d.voice = speech.New(o); d.voice != nil {
		d.sim.Speak(d.voice)
	}
}

// observers are told of each tick. One of them writes the execution trace of a tick that missed its deadline; without it the robot lives too.
func (d *daemon) observers(all ...actors.TickObserver) []actors.TickObserver {
	all = append([]actors.TickObserver{d.counters}, all...)
	if d.notify != nil {
		all = append(all, d.notify)
	}
	if d.run.MemoryFile != "" {
		d.keeper = newKeeper(d.run.MemoryFile, d.log)
		all = append(all, d.keeper)
	}
	if d.run.Traces == "" {
		return all
	}
	var err error
	if d.flight, err = flight.Start(d.run.Traces, d.log); err != nil {
		d.log.Warn("no trace will tell why a tick misses its deadline", "why", err)
		return all
	}
	return append(all, d.flight)
}

// status is what the robot does, and the weightiest thing that holds it back.
func (d *daemon) status() string {
	does, holds := d.history.facts.Said(time.Since(d.begin).Seconds())
	if len(holds) > 0 {
		return does.Text + "; " + holds[0].Text
	}
	return does.Text
}

// fatal ends the daemon when its actors cannot go on. Its service manager starts it anew.
func (d *daemon) fatal(err error) { d.failed <- err }

func served(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("metrics: %w", err)
}

// ready waits for the first completed tick. An error says why there is none.
func (d *daemon) ready(ctx context.Context, first <-chan struct{}) error {
	late := time.NewTimer(firstTick)
	defer late.Stop()
	select {
	case <-first:
		d.notify.Ready()
		d.log.Info("ready", "after", time.Since(d.begin).Round(time.Millisecond))
		if d.opts.Ready != nil {
			d.opts.Ready("http://" + d.opts.Control.Addr().String() + "/")
		}
		return nil
	case <-ctx.Done(): // told to stop during the start; wait sees it too
		return nil
	case err := <-d.failed:
		return err
	case <-late.C:
		return fmt.Errorf("no tick was completed within %v", firstTick)
	}
}

// wait returns when ctx ends, the time is over, or something failed.
func (d *daemon) wait(ctx context.Context) error {
	var over <-chan time.Time
	if d.opts.For > 0 {
		t := time.NewTimer(d.opts.For)
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

// stop stops everything in order, or at once after the second signal. The wheels are off in either case.
func (d *daemon) stop() error {
	d.notify.Stopping()
	stopped := make(chan error, 1)
	go func() { stopped <- d.stopInOrder() }()
	late := time.NewTimer(stopLimit)
	defer late.Stop()
	select {
	case err := <-stopped:
		return err
	case <-d.opts.Hurry:
	case <-late.C:
		d.log.Error("the stop did not end", "limit", stopLimit)
	}
	d.sim.Safety.EStop() // no tick that still runs raises the line again
	return ErrHurried
}

// endFlight ends the flight recorder. Nothing is observed any more.
func (d *daemon) endFlight() {
	if d.flight == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), recordLimit)
	defer cancel()
	d.flight.Close(ctx)
}

// keep writes what outlasts the robot, and ends its voice: side by side, because each may wait for the same disk. Nothing is observed any more.
func (d *daemon) keep() {
	var ends sync.WaitGroup
	ends.Go(func() { d.keeper.close(recordLimit) })
	ends.Go(func() { d.learner.close(recordLimit) })
	ends.Go(func() { d.history.end(d.log) })
	ends.Go(d.endFlight)
	ends.Go(func() { d.voice.Close(voiceLimit) })
	ends.Wait()
}

func (d *daemon) stopInOrder() error {
	d.log.Info("stopping")
	defer func() { _ = d.sim.Safety.Close() }()
	d.server.Refuse()
	err := d.robot.system.Stop(context.Background())
	d.keep()
	d.endFoxglove()
	d.server.Close()
	_ = d.metrics.Close()
	d.log.Info("stopped", "after", time.Since(d.begin).Round(time.Millisecond), "driven_m", runstats.Round3(d.sim.Rig.Stats().DistanceM))
	return err
}
