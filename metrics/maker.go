package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Native histograms: each bucket at most a tenth wider than the one before, at most 100 of them; when more are needed the
// histogram starts anew, at most once an hour, which a server sees as a counter reset.
const (
	nativeFactor  = 1.1
	nativeBuckets = 100
	nativeReset   = time.Hour
)

// tickBuckets are the bounds of a tick in seconds, from 10 µs to 2.5 s. 10 ms is the hook budget and 60 ms the period
// by default. Half of each period is below the last bound, for a quantile never exceeds that: the longest period is 1 s.
func tickBuckets() []float64 {
	return []float64{
		10e-6, 25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 60e-3, 100e-3, 250e-3, 0.5, 1, 2.5,
	}
}

// phaseBuckets are the bounds of a part of a tick, from 25 µs to 250 ms. There are six histograms of them, so they are fewer.
func phaseBuckets() []float64 {
	all := tickBuckets()
	return all[1 : len(all)-3]
}

// A maker makes registered collectors from their descriptions. An unknown name, a wrong type or a second use is a
// programmer error and panics.
type maker struct {
	reg    prometheus.Registerer
	family map[string]Family
}

func newMaker(reg prometheus.Registerer) *maker {
	m := &maker{reg: reg, family: map[string]Family{}}
	for _, f := range Families() {
		m.family[f.Name] = f
	}
	return m
}

func (m *maker) take(name string, t Type, labeled bool) Family {
	f, ok := m.family[name]
	if !ok || f.Type != t || labeled != (len(f.Labels) > 0) {
		panic("metrics: " + name + " is not described as it is made")
	}
	delete(m.family, name)
	return f
}

func (m *maker) counter(name string) prometheus.Counter {
	f := m.take(name, Counter, false)
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: f.Name, Help: f.Help})
	m.reg.MustRegister(c)
	return c
}

// counterOf makes a counter whose value somebody else has; nil is zero.
func (m *maker) counterOf(name string, value func() uint64) {
	f := m.take(name, Counter, false)
	if value == nil {
		value = func() uint64 { return 0 }
	}
	m.reg.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: f.Name, Help: f.Help}, func() float64 { return float64(value()) }))
}

func (m *maker) counters(name string) *prometheus.CounterVec {
	f := m.take(name, Counter, true)
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: f.Name, Help: f.Help}, f.Labels)
	m.reg.MustRegister(c)
	return c
}

func (m *maker) gauge(name string) prometheus.Gauge {
	f := m.take(name, Gauge, false)
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: f.Name, Help: f.Help})
	m.reg.MustRegister(g)
	return g
}

// gaugeOf makes a gauge whose value is worked out for each scrape.
func (m *maker) gaugeOf(name string, value func() float64) {
	f := m.take(name, Gauge, false)
	m.reg.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: f.Name, Help: f.Help}, value))
}

func (m *maker) gauges(name string) *prometheus.GaugeVec {
	f := m.take(name, Gauge, true)
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: f.Name, Help: f.Help}, f.Labels)
	m.reg.MustRegister(g)
	return g
}

// gaugesOf makes gauges that refresh sets before each scrape.
func (m *maker) gaugesOf(name string, refresh func()) *prometheus.GaugeVec {
	f := m.take(name, Gauge, true)
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: f.Name, Help: f.Help}, f.Labels)
	m.reg.MustRegister(refreshed{g, refresh})
	return g
}

// refreshed calls refresh before it is collected.
type refreshed struct {
	*prometheus.GaugeVec
	refresh func()
}

// Collect implements prometheus.Collector.
func (r refreshed) Collect(series chan<- prometheus.Metric) {
	r.refresh()
	r.GaugeVec.Collect(series)
}

func (m *maker) histograms(name string) *prometheus.HistogramVec {
	f := m.take(name, Histogram, true)
	h := prometheus.NewHistogramVec(histogramOpts(f, phaseBuckets()), f.Labels)
	m.reg.MustRegister(h)
	return h
}

func histogramOpts(f Family, buckets []float64) prometheus.HistogramOpts {
	return prometheus.HistogramOpts{
		Name: f.Name, Help: f.Help, Buckets: buckets, NativeHistogramBucketFactor: nativeFactor,
		NativeHistogramMaxBucketNumber: nativeBuckets, NativeHistogramMinResetDuration: nativeReset,
	}
}

func (m *maker) histogram(name string) prometheus.Histogram {
	f := m.take(name, Histogram, false)
	h := prometheus.NewHistogram(histogramOpts(f, tickBuckets()))
	m.reg.MustRegister(h)
	return h
}
