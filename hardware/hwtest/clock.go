// Package hwtest holds the contract test that every [hardware.Device] must pass, on the emulator and on a board, and a
// virtual clock to run it on.
//
//	func TestBattery(t *testing.T) {
//		hwtest.Contract(t, func() (hardware.Device, *hwtest.Env) { ... })
//	}
//
// Only tests import it.
package hwtest

import (
	"sync"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Start is the first instant of a virtual clock.
func Start() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// A Clock is virtual time: only Sleep and To advance it. It is safe for concurrent use, but does not coordinate sleepers.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	slept time.Duration
}

// NewClock returns a clock at [Start].
func NewClock() *Clock { return &Clock{now: Start()} }

// Now is the current virtual instant.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Slept is the sum of all sleeps.
func (c *Clock) Slept() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.slept
}

// Sleep advances the clock by d.
func (c *Clock) Sleep(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d > 0 {
		c.now = c.now.Add(d)
		c.slept += d
	}
}

// To advances the clock to t. It never goes back.
func (c *Clock) To(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.now) {
		c.now = t
	}
}

// A Runner polls devices as their actors would: each at its period, and at its deadline if it has one, in the order of
// due time and then of place in the list.
type Runner struct {
	Clock   *Clock
	Devices []hardware.Device
	// OnSample, if not nil, gets each poll's outcome.
	OnSample func(d hardware.Device, s hardware.Sample, err error)

	Snapshot hardware.Snapshot // newest samples
	seq      map[string]uint64
	due      []time.Time
	polled   []time.Time // a device that does not clear its deadline is not polled twice at one instant
}

// NewRunner returns a runner whose devices are all due now.
func NewRunner(c *Clock, devices ...hardware.Device) *Runner {
	r := &Runner{Clock: c, Devices: devices, seq: map[string]uint64{}}
	for range devices {
		r.due = append(r.due, c.Now())
		r.polled = append(r.polled, time.Time{})
	}
	return r
}

// Open opens all devices in order and returns the first error.
func (r *Runner) Open() error {
	for _, d := range r.Devices {
		if err := d.Open(r.Clock); err != nil {
			return err
		}
	}
	return nil
}

// Run polls for d of virtual time, or until stop returns true after a poll. Stop may be nil.
func (r *Runner) Run(d time.Duration, stop func() bool) {
	end := r.Clock.Now().Add(d)
	for {
		k, at := r.next()
		if at.After(end) {
			r.Clock.To(end)
			break
		}
		r.Clock.To(at)
		r.poll(k)
		if stop != nil && stop() {
			break
		}
	}
	r.Snapshot.Now = r.Clock.Now()
}

// next is the device that is due first, and when.
func (r *Runner) next() (device int, at time.Time) {
	for i, d := range r.Devices {
		due := r.due[i]
		if dl, ok := d.(hardware.Deadliner); ok {
			if t := dl.Deadline(); t.After(r.polled[i]) && t.Before(due) {
				due = t
			}
		}
		if i == 0 || due.Before(at) {
			device, at = i, due
		}
	}
	return device, at
}

func (r *Runner) poll(k int) {
	d, now := r.Devices[k], r.Clock.Now()
	r.polled[k] = now
	s, err := d.Poll(now)
	if !now.Before(r.due[k]) {
		r.due[k] = r.due[k].Add(d.Period())
		if r.due[k].Before(now) {
			r.due[k] = now.Add(d.Period())
		}
	}
	r.seq[d.Name()]++
	s.Device, s.Seq, s.At = d.Name(), r.seq[d.Name()], now
	if err != nil {
		s.Quality = hardware.Failed
	}
	r.Snapshot.Now = now
	r.Snapshot.Put(&s)
	if r.OnSample != nil {
		r.OnSample(d, s, err)
	}
}
