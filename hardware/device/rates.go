package device

import (
	"fmt"
	"math"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
)

// How much of a bus the polls may fill. The fuller it is, the longer transactions of one device wait for those of others.
const (
	wantedLoad = 0.70
	// maxLoad is where the robot is refused, if it lasts for maxWindows.
	maxLoad    = 0.90
	maxWindows = 5
	// pollRoom is how much longer than a poll takes on average the period is at least: a poll that waits longer than others for the bus
	// must not make the next one late.
	pollRoom = 1.3
	// pollSlack is by which part of its time a poll must have become quicker before the period is fitted to that: times that differ by
	// what the kernel does meanwhile are no reason to change it back and forth.
	pollSlack = 0.1
	// ratesWindow is how often rates are fitted again.
	ratesWindow = time.Second
	// openedWindows is how many windows from the one in which a device is opened do not count: it sets up its chips in the first, and a
	// converter that is not known to be prompt takes more transactions for a while, which may be in the second.
	openedWindows = 2
	// maxWireBytes is the longest transaction that is told from others: all outputs of a PWM chip are read.
	maxWireBytes = 80
	// minLonger is by how many bytes two transactions differ from which the time of a byte is taken.
	minLonger = 8
)

// slowest are the longest times between two polls of a device. Cliff scans must be fresher than [cliffFresh] when the wheels' cycle looks at
// them: a scan of 20 ms that begins 20 ms after the one before, which waits for others meanwhile. The others are what control and behaviors
// still work with.
var slowest = map[string]time.Duration{
	hardware.Battery: time.Second,
	hardware.Cliff:   20 * time.Millisecond,
	hardware.Display: 500 * time.Millisecond,
	hardware.IMU:     30 * time.Millisecond,
	hardware.Lights:  500 * time.Millisecond,
	hardware.Motors:  25 * time.Millisecond,
	hardware.Range:   150 * time.Millisecond,
	hardware.Servos:  60 * time.Millisecond,
}

// Rates fits the periods of the devices to what their bus carries. It measures each transaction. If all devices at their wanted periods
// would fill more of the bus than is good, all poll more seldom, each at most as seldom as safety or control permits. If that is still too
// much, the cliff sensors fail with the reason, and a robot that does not see edges does not drive; without cliff sensors the motors fail.
//
// All devices of a robot share one Rates. It is safe for concurrent use.
type Rates struct {
	mu      hardware.Guard
	bus     string
	parts   []*rate
	origin  time.Time                       // of all its times; zero before the first device
	least   [maxWireBytes + 1]time.Duration // the shortest transaction so far, by its bytes on the wire; 0 for none
	end     time.Duration                   // of the window; 0 before the first transaction
	stretch float64
	load    float64
	heavy   int // windows in a row with more than maxLoad
	refusal error
}

// rate is the part of one device. Guarded by Rates.mu.
type rate struct {
	device       string
	base, period time.Duration
	tx, bytes    int           // in this window
	polls        int           // in this window
	began        time.Duration // first transaction of the present poll
	begun        bool          // there was one
	took         time.Duration // all polls of this window
	mean         time.Duration // of a poll, in the last window that says something, or up to pollSlack more
	odd          int           // so many windows, with this one, say nothing of a poll
	peakTx       float64
	peakBytes    float64 // of a poll, in the window with the largest demand
}

// NewRates returns the rates of a robot with one bus.
func NewRates() *Rates { return &Rates{stretch: 1} }

// Alone lets one goroutine at a time use it without locks. It is called before it is used.
func (r *Rates) Alone() { r.mu.LeaveOpen() }

// RateState tells what was measured and decided.
type RateState struct {
	Hz      float64       // of the bus, from the time of a byte; 0 before it is known
	Cost    time.Duration // of a transaction besides its bytes
	Load    float64       // of the bus at the present periods
	Stretch float64       // periods over wanted periods; some are at their limit
	Refusal error         // why the robot does not drive on this bus; nil if it does
	Periods map[string]time.Duration
}

// State returns what was measured and decided.
func (r *Rates) State() RateState {
	r.mu.Lock()
	defer r.mu.Unlock()
	wire, cost := r.measured()
	s := RateState{Cost: cost, Load: r.load, Stretch: r.stretch, Refusal: r.refusal, Periods: map[string]time.Duration{}}
	if wire > 0 {
		s.Hz = 9 * float64(time.Second) / float64(wire)
	}
	for _, p := range r.parts {
		s.Periods[p.device] = p.period
	}
	return s
}

// part returns the part of a device: that of its earlier incarnation, if there was one.
func (r *Rates) part(device string) *rate {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.parts {
		if p.device == device {
			return p
		}
	}
	return &rate{device: device}
}

// add takes the part of a device with the period that it wants.
func (r *Rates) add(p *rate, base time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.odd = openedWindows
	if p.base == 0 {
		p.base, p.period = base, base
		r.parts = append(r.parts, p)
	}
}

func (r *Rates) period(p *rate) time.Duration {
	r.mu.Lock()
	d := p.period
	r.mu.Unlock()
	return d
}

// polled counts a poll of a device that ends now, by the time since the origin, and returns why it must not go on.
func (r *Rates) polled(p *rate, now time.Duration) error {
	r.mu.Lock()
	p.polls++
	if p.begun {
		p.took += now - p.began
		p.begun = false
	}
	refusal := r.refusal
	if refusal != nil && p != r.refuser() {
		refusal = nil
	}
	r.mu.Unlock()
	return refusal
}

// refuser is the part of the device without which the robot does not drive.
func (r *Rates) refuser() (part *rate) {
	for _, p := range r.parts {
		if p.device == hardware.Cliff || p.device == hardware.Motors && part == nil {
			part = p
		}
	}
	return part
}

// metered is the bus as one device uses it.
type metered struct {
	i2c.Bus
	since hardware.Since // the rates' origin
	rates *Rates
	part  *rate
	timed timedBus      // the bus, if it measures by itself
	shift time.Duration // of its times to the rates'
}

// A timedBus tells of each transaction when it began since an origin, and how long it took.
type timedBus interface {
	TimedTx(addr uint16, w, r []byte) (from, took time.Duration, err error)
	Origin() time.Time
}

// meter measures the transactions of a device.
func (r *Rates) meter(p *rate, bus func(hardware.Clock) i2c.Bus) func(hardware.Clock) i2c.Bus {
	return func(clk hardware.Clock) i2c.Bus {
		origin := r.since(clk)
		m := &metered{Bus: bus(clk), since: hardware.SinceOn(clk, origin), rates: r, part: p}
		if timed, ok := m.Bus.(timedBus); ok {
			m.timed, m.shift = timed, timed.Origin().Sub(origin)
		}
		return m
	}
}

// since is the origin of its times: the instant of the first clock.
func (r *Rates) since(clk hardware.Clock) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.origin.IsZero() {
		r.origin = clk.Now()
	}
	return r.origin
}

// Tx implements i2c.Bus.
func (m *metered) Tx(addr uint16, w, r []byte) error {
	n := wireBytes(len(w), len(r))
	if m.timed != nil {
		from, took, err := m.timed.TimedTx(addr, w, r)
		m.rates.note(m, n, from+m.shift, took, err != nil)
		return err
	}
	from := m.since.Now()
	err := m.Bus.Tx(addr, w, r)
	m.rates.note(m, n, from, m.since.Now()-from, err != nil)
	return err
}

// wireBytes are the bytes of a transaction, with an address byte for each direction.
func wireBytes(w, r int) int {
	if w > 0 && r > 0 {
		return 2 + w + r
	}
	return 1 + w + r
}

// note takes a transaction of n bytes that began at an instant and took d.
func (r *Rates) note(m *metered, n int, from, d time.Duration, failed bool) {
	r.mu.Lock()
	p := m.part
	if !p.begun {
		p.began, p.begun = from, true
	}
	p.tx++
	p.bytes += n
	if failed {
		p.odd = max(p.odd, 1)
	} else if n <= maxWireBytes && (r.least[n] == 0 || d < r.least[n]) {
		r.least[n] = d
	}
	if from >= r.end {
		if r.end == 0 {
			r.bus = m.String()
		} else {
			r.review()
		}
		r.end = from + ratesWindow
	}
	r.mu.Unlock()
}

// measured returns the time of a byte and what a transaction costs besides. The shortest of the short transactions waited for no other; those
// of another length took their bytes more, and perhaps a wait, so the least difference a byte is that of its wire. Both are 0 as long as all
// transactions were about equally long.
func (r *Rates) measured() (wire, cost time.Duration) {
	short := r.unwaited()
	if short < 0 {
		return 0, 0
	}
	for n := short + minLonger; n <= maxWireBytes; n++ {
		if d := r.least[n] - r.least[short]; r.least[n] > 0 && d > 0 {
			if a := d / time.Duration(n-short); wire == 0 || a < wire {
				wire = a
			}
		}
	}
	if wire == 0 {
		return 0, 0
	}
	return wire, max(0, r.least[short]-wire*time.Duration(short))
}

// unwaited is the shortest length of which a transaction waited for no other, as far as is known: one that took longer than a longer one has
// waited each time, such as the few that come right behind the picture of a small panel. −1 if there is none.
func (r *Rates) unwaited() (short int) {
	short = -1
	for n := maxWireBytes; n > 0; n-- {
		if d := r.least[n]; d > 0 && (short < 0 || d <= r.least[short]) {
			short = n
		}
	}
	return short
}

// review ends a window: it takes the demands and fits the periods to them.
func (r *Rates) review() {
	for _, p := range r.parts {
		if p.polls > 0 && p.odd == 0 {
			if mean := p.took / time.Duration(p.polls); mean > p.mean || float64(mean) < (1-pollSlack)*float64(p.mean) {
				p.mean = mean
			}
			p.peakTx = max(p.peakTx, float64(p.tx)/float64(p.polls))
			p.peakBytes = max(p.peakBytes, float64(p.bytes)/float64(p.polls))
		}
		p.tx, p.bytes, p.polls, p.took, p.odd = 0, 0, 0, 0, max(p.odd-1, 0)
	}
	wire, cost := r.measured()
	if wire == 0 {
		return
	}
	r.stretch = 1
	for r.load = r.fit(wire, cost); r.load > wantedLoad && r.stretch < 8; r.load = r.fit(wire, cost) {
		r.stretch *= 1.1
	}
	if r.load <= maxLoad {
		r.heavy, r.refusal = 0, nil
	} else if r.heavy++; r.heavy >= maxWindows && r.refusal == nil { // what devices that start again and again need says nothing
		r.refusal = r.refuse(wire, cost)
	}
}

// fit sets the periods by the present stretch and returns how much of the bus they fill.
func (r *Rates) fit(wire, cost time.Duration) (load float64) {
	for _, p := range r.parts {
		p.period = p.stretched(r.stretch)
		load += p.demand(wire, cost) / p.period.Seconds()
	}
	return load
}

// demand is how long a poll holds the bus, in seconds.
func (p *rate) demand(wire, cost time.Duration) float64 {
	return p.peakTx*cost.Seconds() + p.peakBytes*wire.Seconds()
}

// stretched is the period at a stretch, in whole milliseconds, and longer than a poll takes.
func (p *rate) stretched(by float64) time.Duration {
	if p.peakTx == 0 {
		return p.base
	}
	least := max(float64(p.base)*by, float64(p.mean)*pollRoom)
	d := time.Duration(math.Ceil(least/float64(time.Millisecond))) * time.Millisecond
	return max(p.base, min(d, slowest[p.device]))
}

// refuse says what is wrong with the bus and what would do.
func (r *Rates) refuse(wire, cost time.Duration) error {
	fixed, bytes := 0.0, 0.0
	for _, p := range r.parts {
		fixed += p.peakTx * cost.Seconds() / p.period.Seconds()
		bytes += p.peakBytes / p.period.Seconds()
	}
	have := fmt.Sprintf("bus %s is too slow: it runs at %.0f kHz with %v for a transaction besides its bytes, and the slowest safe rates of the sensors "+
		"fill %.0f %% of it, more than %.0f %%", r.bus, 9e-3/wire.Seconds(), cost.Round(time.Microsecond), 100*r.load, 100*maxLoad)
	if fixed >= maxLoad {
		return fmt.Errorf("%s; a faster clock does not help", have)
	}
	need := 9 * bytes / (maxLoad - fixed) / 1e3
	return fmt.Errorf("%s; it needs %.0f kHz, better 400 (on a Raspberry Pi: dtparam=i2c_arm_baudrate=400000 in config.txt)", have, math.Ceil(need))
}
