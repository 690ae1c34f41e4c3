package metrics

import (
	"cmp"
	"math"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/metrics/record"
)

// maxScrapes bounds concurrent scrapes. More are answered 503.
const maxScrapes = 4

// Options describe what is watched. Every zero field is usable.
type Options struct {
	Version string // of the daemon; "unknown" if empty
	Robot   string // name of the robot
	Profile string // hardware profile, such as "sim"
	// Period is the configured time between two ticks.
	Period time.Duration
	// Devices are the names of the device actors, without "device/". Their series exist from the start.
	Devices []string
	// Behaviors are the behavior IDs. Those beyond the limit of 200, in order of ID, share the label value "other".
	Behaviors []string
	// Actions are the action types whose series exist from the start. Others appear with their first completion.
	Actions []actions.Type
	// Now is the wall clock that the scraping server shares. Nil means time.Now.
	Now func() time.Time
	// LogDropped counts the log lines that were lost. Nil is none.
	LogDropped func() uint64
	// Recorder returns the counters of the recording. Nil is no recording.
	Recorder func() record.Stats
	History  func() int // bytes that the last hour of the robot takes in memory; nil: none is kept
	// Actors counts the actors of the robot. Nil is none.
	Actors func() int
	// Realtime reports whether a real-time thread paces the ticks. Nil is no.
	Realtime func() bool
}

// Metrics is the set of all series with the registry that they live in. Observe and the handler may be used by any
// goroutine; ObserveTick by one at a time.
type Metrics struct {
	registry *prometheus.Registry
	handler  http.Handler
	now      func() time.Time

	tick    *tickSet
	life    *lifecycle
	body    *bodySet
	stats   *statSet
	mind    *mindSet
	devices *deviceSet
	faults  *faultSet
}

// New makes the set in a registry of its own.
func New(o Options) *Metrics { return newIn(o, prometheus.NewRegistry()) }

// newIn is New in a given registry; tests hand in a pedantic one.
func newIn(o Options, reg *prometheus.Registry) *Metrics {
	m := &Metrics{registry: reg, now: o.Now}
	if m.now == nil {
		m.now = time.Now
	}
	f := newMaker(reg)
	m.tick = newTickSet(f, o.Period, m.now)
	m.faults = newFaultSet(f, o.Devices)
	m.life = newLifecycle(f, o, m.faults)
	m.body = newBodySet(f)
	m.stats = newStatSet(f)
	m.mind = newMindSet(f)
	m.devices = newDeviceSet(f, o.Devices, m.faults, m.now)
	f.counterOf("robotd_log_lines_dropped_total", o.LogDropped)
	exportRecorder(f, o.Recorder)
	f.gaugeOf("robotd_history_bytes", func() float64 {
		if o.History == nil {
			return 0
		}
		return float64(o.History())
	})
	f.gaugeOf("robotd_actors", func() float64 {
		if o.Actors == nil {
			return 0
		}
		return float64(o.Actors())
	})
	f.gaugeOf("robotd_realtime", func() float64 {
		if o.Realtime == nil || !o.Realtime() {
			return 0
		}
		return 1
	})
	f.gauges("robotd_build_info").WithLabelValues(cmp.Or(o.Version, "unknown")).Set(1)
	f.gauges("robotd_info").WithLabelValues(o.Robot, o.Profile).Set(1)
	reg.MustRegister(
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsScheduler, collectors.MetricsGC)),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	m.handler = promhttp.InstrumentMetricHandler(reg, promhttp.HandlerFor(reg, promhttp.HandlerOpts{
		Registry: reg, EnableOpenMetrics: true, MaxRequestsInFlight: maxScrapes,
	}))
	return m
}

// exportRecorder exports the counters of the recording.
func exportRecorder(f *maker, stats func() record.Stats) {
	up := func() float64 {
		if stats().Up {
			return 1
		}
		return 0
	}
	if stats == nil {
		stats, up = func() record.Stats { return record.Stats{} }, math.NaN
	}
	f.gaugeOf("robotd_recorder_up", up)
	f.counterOf("robotd_recorder_bytes_total", func() uint64 { return stats().Bytes })
	f.counterOf("robotd_recorder_files_total", func() uint64 { return stats().Files })
	f.counterOf("robotd_recorder_dropped_total", func() uint64 { return stats().Dropped })
}

// Handler serves the exposition: text, OpenMetrics or protobuf, as the client asks. A failed collection is answered 500.
func (m *Metrics) Handler() http.Handler { return m.handler }

// Gatherer gives tests and the page the same series without HTTP.
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// Observe implements event.Observer. It may be called by any goroutine.
func (m *Metrics) Observe(r event.Record) {
	switch r := r.(type) {
	case *event.Tick:
		m.tick.observe(*r, m.now())
	case *event.Sample:
		m.devices.sample(*r)
	case event.Failure:
		m.devices.failure(r)
		m.faults.failure(r)
	case event.Restart:
		m.devices.restart(r)
		m.faults.restart(r)
	case event.Retry:
		m.devices.retry(r)
	case event.Command:
		m.devices.refused(r)
	default:
		m.faults.observe(r)
	}
}

// ObserveTick counts what happened in one tick from the engine's output. The timing of the tick comes through Observe, so
// that the last output at shutdown does not count as a tick. It is called between two ticks on the supervisor's
// goroutine, keeps nothing of o or e, and allocates only when it meets a label value for the first time.
func (m *Metrics) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) {
	m.life.observe(t.Start, o, e)
	m.body.observe(e)
	m.stats.observe(o, e)
	m.mind.observe(o, e)
}

// bodySet exports battery voltage and emergency-stop state.
type bodySet struct {
	volts prometheus.Gauge
	low   prometheus.Gauge
	estop prometheus.Gauge
	seq   uint64 // of the battery reading shown
}

// newBodySet shows no voltage before the first reading: zero would look like an empty battery.
func newBodySet(f *maker) *bodySet {
	b := &bodySet{volts: f.gauge("robotd_battery_volts"), low: f.gauge("robotd_battery_low_volts"), estop: f.gauge("robotd_estop_active")}
	b.volts.Set(math.NaN())
	b.low.Set(math.NaN())
	return b
}

func (b *bodySet) observe(e *engine.Engine) {
	if r := &e.View().World.Battery; r.Seq != b.seq { // a snapshot numbers good readings only
		b.seq = r.Seq
		b.volts.Set(r.Value.Volts)
		b.low.Set(r.Value.LowVolts)
	}
	on := 0.0
	if e.Halted() {
		on = 1
	}
	b.estop.Set(on)
}
