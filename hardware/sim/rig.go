package sim

import (
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/profile"
)

// BusName is the name of the only I2C bus.
const BusName = "i2c1"

// A Rig is the simulated robot: its world, and the emulated chips, lines and ports that are wired to it. All methods are
// safe for concurrent use. Each first advances the world to the current instant of the clock given to SetNow.
type Rig struct {
	now     atomic.Pointer[func() time.Time]
	elapser hardware.Elapser     // tells what now does, but for shift; nil: nothing does
	shift   time.Duration        // from what elapser tells to the time since the world's first step
	since   func() time.Duration // goes as now does, for the chips if there is no elapser

	mu      hardware.Guard // guards the world and what follows
	world   *world
	profile *profile.Profile
	shown   inputs
	told    int64 // step of the newest counts
	frame   [1024]byte
	lit     bool

	panel *emul.SSD1306
	pwms  map[string]*emul.PCA9685 // by the profile's names
	bus   *emul.Bus
	spi   map[string]*emul.SPI // by the profile's names
	lines *emul.Lines

	shafts [2]emul.Shaft // left, right
	faults faults
	freeze func(d time.Duration) // halts the computer; nil if nothing can
}

// inputs holds the levels last put on the input lines.
type inputs struct{ touched, present, charging, powered, pressed bool }

// New builds the robot and wires its chips. Until SetNow is called time stands still at Options.Now.
func New(opt Options) *Rig {
	opt = opt.withDefaults()
	r := &Rig{world: newWorld(opt), profile: opt.Profile, spi: map[string]*emul.SPI{}, lines: emul.NewLines(), pwms: map[string]*emul.PCA9685{}}
	for name, port := range opt.Profile.Ports {
		if port.Kind == "spi" {
			r.spi[name] = emul.NewSPI(strings.ToLower(port.Device))
		}
	}
	r.SetNow(func() time.Time { return opt.Now })
	r.since = emul.Since(r.clock)
	r.bus = emul.NewBus(BusName, rigClock{r}, opt.Seed)
	r.lines.SetNow(r.clock)
	r.bus.SetWire(r.world.opt.BusHz, r.world.opt.BusCost)
	if cost := r.world.opt.EdgeCost; cost > 0 {
		r.lines.SetInterruptCost(cost, opt.Seed)
	}
	if opt.Alone {
		r.mu.LeaveOpen()
		r.bus.Alone()
		for _, port := range r.spi {
			port.Alone()
		}
		r.lines.Alone()
	}
	if d := r.profile.Drive; d != nil && d.Encoders != nil {
		r.shafts = [2]emul.Shaft{r.lines.Shaft(d.Encoders.LeftA), r.lines.Shaft(d.Encoders.RightA)}
	}
	r.wire()
	r.show(inputs{}, true)
	r.enter()
	r.leave()
	return r
}

// SetNow sets the clock to which each access advances the world. Call it before the robot is used. f must
// not use the robot.
func (r *Rig) SetNow(f func() time.Time) { r.now.Store(&f) }

// SetElapser sets a clock that goes as that of SetNow does, and tells an instant for less. Call it after SetNow, before the robot is used.
func (r *Rig) SetElapser(e hardware.Elapser) {
	if w := r.world; !w.opt.Live && !w.start.IsZero() { // a live world falls behind its clock
		r.elapser, r.shift = e, r.clock().Sub(w.start)-e.Elapsed()
	}
}

// SetFreeze sets what halts every participant but the world for a time. Call it before the robot is used.
func (r *Rig) SetFreeze(f func(d time.Duration)) { r.freeze = f }

func (r *Rig) clock() time.Time { return (*r.now.Load())() }

// elapsed tells how time goes on, since some instant.
func (r *Rig) elapsed() time.Duration {
	if r.elapser != nil {
		return r.shift + r.elapser.Elapsed()
	}
	return r.since()
}

// rigClock is the rig's time for the bus's faults. Callers with a clock of their own sleep on that.
type rigClock struct{ r *Rig }

func (c rigClock) Now() time.Time      { return c.r.clock() }
func (c rigClock) Sleep(time.Duration) {}

// with advances the world to the current instant, runs f on it, and updates the lines.
func (r *Rig) with(f func(w *world)) {
	w := r.enter()
	defer r.leave()
	f(w)
}

// enter advances the world to the current instant and locks it.
func (r *Rig) enter() *world {
	if r.elapser != nil && r.faults.next.Load() == nil {
		r.mu.Lock()
		r.world.advanceTo(r.shift + r.elapser.Elapsed())
		return r.world
	}
	now := r.clock()
	r.faults.expire(r, now)
	r.mu.Lock()
	r.world.advance(now)
	return r.world
}

// leave updates the lines and unlocks the world.
func (r *Rig) leave() {
	r.publish()
	r.mu.Unlock()
}

// done unlocks a world that was only read since enter: the lines are what they were unless it has moved on.
func (r *Rig) done() {
	if r.world.n != r.told {
		r.publish()
	}
	r.mu.Unlock()
}

func (r *Rig) sync() {
	r.enter()
	r.done()
}

// publish passes counts and changed levels to the lines. The world lock is held; emul allows that for these calls.
func (r *Rig) publish() {
	w := r.world
	if w.n != r.told {
		r.count(time.Duration(w.n-r.told) * step)
		r.told = w.n
	}
	r.show(inputs{w.touched, w.onContacts, w.onContacts && !w.battery.full() && !w.battery.hot, w.powered, w.n < w.senses.pressEnd}, false)
}

// count passes the way of the wheels to the encoders, which they went in a time.
func (r *Rig) count(in time.Duration) {
	w := r.world
	if w.body.countsPerMM == 0 {
		return
	}
	for i := range w.wheels {
		m := &w.wheels[i]
		n := m.counts(w.body.countsPerMM)
		if by := n - m.reported; by != 0 || m.turning {
			r.shafts[i].Turn(by, in)
			m.reported, m.turning = n, by != 0
		}
	}
}

func (r *Rig) show(in inputs, all bool) {
	if in == r.shown && !all {
		return
	}
	put := func(line string, level, was bool) {
		if line != "" && (all || level != was) {
			r.lines.SetInput(line, level)
		}
	}
	p := r.profile
	if t := p.Touch; t != nil {
		put(t.Pad, in.touched, r.shown.touched)
		put(t.Button, in.pressed, r.shown.pressed)
	}
	if c := p.Charger; c != nil {
		put(c.Present, in.present, r.shown.present)
		put(c.Status, !in.charging, !r.shown.charging)
	}
	if d := p.Drive; d != nil {
		put(d.Sense, in.powered, r.shown.powered)
	}
	r.shown = in
}

// Bus is the named bus as seen by an actor with clock clk, which may be nil. A bus that R1 does not have answers
// every transaction with ENODEV.
func (r *Rig) Bus(name string, clk hardware.Clock) i2c.Bus {
	switch {
	case name != BusName:
		b := emul.NewBus(name, nil, 0)
		b.Unplug(true)
		return b
	case clk == nil:
		return r.bus
	}
	return r.bus.For(clk)
}

// SPI opens a SPI port of the profile. One that the robot does not have gives ENODEV.
func (r *Rig) SPI(name string) (spi.PortCloser, error) {
	port := r.spi[name]
	if port == nil {
		return nil, fmt.Errorf("port %s: robot %s has no SPI port of that name: %w", name, r.profile.Name, syscall.ENODEV)
	}
	return port.Open()
}

// Lines are the GPIO lines of R1. Reading one reads the world as it is now.
func (r *Rig) Lines() hardware.Lines { return lines{r} }

// Pin makes an output line usable by periph's display driver.
func (r *Rig) Pin(l hardware.Line) gpio.PinOut { return emul.Pin(l) }

// Advance advances the world to now without reading the clock. Only tests and benchmarks that read no sensor need it.
func (r *Rig) Advance(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.world.advance(now)
	r.publish()
}

// Detect returns what a camera has found by now: in an image that is older by Options.SightDelay, as its CapturedAt tells.
func (r *Rig) Detect(now time.Time) (d hardware.Detections) {
	r.with(func(w *world) {
		w.advance(now)
		d = w.found(now)
	})
	return d
}

// Stats returns counts from geometry, not from the robot's estimate.
func (r *Rig) Stats() (s Stats) {
	r.with(func(w *world) { s = w.stats() })
	return s
}

// View returns the true state of the world, for drawing.
func (r *Rig) View() (v View) {
	r.with(func(w *world) { v = w.view() })
	return v
}

// Lights are the five back lights as they shine.
func (r *Rig) Lights() (c [5]hardware.RGB) {
	r.with(func(w *world) {
		for i := range c {
			d := w.lights[3*i:]
			c[i] = hardware.RGB{R: shine(d[0]), G: shine(d[1]), B: shine(d[2])}
		}
	})
	return c
}

func shine(duty float64) uint8 { return uint8(duty*255 + 0.5) }

// Contrast is the brightness of the display, 0 to 255.
func (r *Rig) Contrast() uint8 { return r.panel.Contrast() }

// Frame is the picture on the display, in the layout of image1bit.VerticalLSB, and whether it is lit.
func (r *Rig) Frame() (bits [1024]byte, on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.frame, r.lit
}

// LoseEdges drops counts of both encoders, as a kernel does whose queue overflows.
func (r *Rig) LoseEdges(n int64) {
	r.with(func(*world) {})
	if d := r.profile.Drive; d != nil && d.Encoders != nil {
		r.lines.LoseEdges(d.Encoders.LeftA, n)
		r.lines.LoseEdges(d.Encoders.RightA, n)
	}
}
