package emul

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"syscall"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/robotd/robotd/hardware"
)

// A Chip answers I2C transactions at one address.
type Chip interface {
	// I2C carries out one transaction: w is written, then r is read, either may be empty. A syscall.Errno as error
	// becomes the errno of the bus error.
	I2C(w, r []byte) error
	// PowerOnReset gives every register its reset value, as a brown-out does. Outputs follow before it returns.
	PowerOnReset()
}

// A broadcaster is a chip that also listens to shared addresses: all-call or general call. It reports whether it
// accepted the write w to addr.
type broadcaster interface {
	broadcast(addr uint16, w []byte) bool
}

const addresses = 128 // seven bits

// What a transaction costs unless [Bus.SetWire] says otherwise. A byte takes nine clocks: eight bits and the acknowledge. A transaction costs
// time besides: system call, locks, interrupt, start and stop. On a Pi Zero at 400 kHz, a write and a read of 14 bytes together took 0.7 to
// 0.9 ms, which is 0.3 to 0.5 ms more than their bytes: 150 µs and more for each.
const (
	DefaultHz   = 400e3
	DefaultCost = 150 * time.Microsecond
)

// Bus is an emulated I2C adapter. It implements periph's i2c.Bus and may be shared by any number of goroutines.
// Transactions on different chips overlap in real time; in virtual time only one actor runs anyway.
type Bus struct {
	name  string
	timed atomic.Bool // a fault has an end, so the current instant is needed

	guarded
	clk        hardware.Clock
	seed       uint64
	slots      [addresses]*slot
	odd        bool // gone, stuck, or timed out lately: a transaction must look closer
	gone       bool
	stuck      bool
	stuckUntil time.Time     // zero = until released
	byteTime   time.Duration // of nine clocks
	cost       time.Duration // of a transaction besides its bytes
	timeout    time.Duration // how long the adapter waits for a line that is held, and the bus with it
	timedOut   time.Duration // since origin: when the newest transaction that times out is over
	origin     time.Time     // of the time that views tell; zero before the first
	free       time.Duration // since then: when the transactions until now are over
	busy       time.Duration
	count      uint64
}

// NewBus returns an empty bus. clk, which may be nil until SetClock, is asked for the time when a fault has an end and
// the caller has no clock of its own. All randomness comes from seed, separately for each address, so that traffic on
// one chip does not change what happens to another.
func NewBus(name string, clk hardware.Clock, seed uint64) *Bus {
	b := &Bus{name: name, clk: clk, seed: seed, free: math.MinInt64}
	b.SetWire(DefaultHz, DefaultCost)
	return b
}

// SetWire sets the frequency of the bus, and what a transaction costs besides its bytes. On a board the kernel's device tree does that. The
// adapter's time-out is the one that robotd sets on a board.
func (b *Bus) SetWire(hz float64, cost time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.byteTime, b.cost, b.timeout = time.Duration(9*float64(time.Second)/hz), cost, hardware.BusTimeout(int(hz))
}

// SetClock sets the clock of callers without one.
func (b *Bus) SetClock(clk hardware.Clock) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clk = clk
}

// String is the name of the bus.
func (b *Bus) String() string { return b.name }

// SetSpeed fails: Linux cannot change the speed of an I2C adapter at run time, so drivers must not rely on it.
func (b *Bus) SetSpeed(physic.Frequency) error {
	return fmt.Errorf("%s: set speed: %w", b.name, syscall.EOPNOTSUPP)
}

// Attach puts c at addr; nil removes what is there. The fault of the address stays. It panics if addr has more than
// seven bits.
func (b *Bus) Attach(addr uint16, c Chip) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.slot(addr)
	s.chip, s.memory = c, newMemory(c)
	s.arrange()
	b.attach(c)
}

// SetFault replaces the fault of addr; Fault{} heals it. NackNext counts down in the bus's copy.
func (b *Bus) SetFault(addr uint16, f Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slot(addr).setFault(f)
	if !f.Until.IsZero() {
		b.timed.Store(true)
	}
}

// Fault returns what is set at addr, ended or not.
func (b *Bus) Fault(addr uint16) Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	if addr >= addresses || b.slots[addr] == nil {
		return Fault{}
	}
	return b.slots[addr].fault
}

// Stick holds SDA low for d: every transaction fails with ETIMEDOUT. 0 releases it at once; a negative d, or a bus
// without a clock, holds it until released.
func (b *Bus) Stick(d time.Duration) {
	var now time.Time
	if d > 0 {
		now = b.now()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stuck, b.stuckUntil = d != 0, time.Time{}
	b.odd = true
	if d > 0 && !now.IsZero() {
		b.stuckUntil = now.Add(d)
		b.timed.Store(true)
	}
}

// Unplug removes or restores the adapter: every transaction fails with ENODEV.
func (b *Bus) Unplug(gone bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = gone
	b.odd = true
}

// BrownOut resets the chip at addr; the driver is not told and the bus keeps working.
func (b *Bus) BrownOut(addr uint16) {
	b.mu.Lock()
	s := b.slot(addr)
	c := s.chip
	s.memory = newMemory(c)
	b.mu.Unlock()
	if c != nil {
		c.PowerOnReset()
	}
}

// Busy is how long the transactions so far held the bus: nine clocks a byte, address bytes included, what a transaction costs besides,
// latencies and adapter time-outs. Divided by elapsed time it is the bus load.
func (b *Bus) Busy() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.busy
}

// Transactions counts the transactions so far, failed ones included.
func (b *Bus) Transactions() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count
}

// Tx carries out one transaction. Errors are *hardware.BusError: EREMOTEIO not acknowledged, ETIMEDOUT stuck, ENODEV
// adapter gone, EINVAL address with more than seven bits.
func (b *Bus) Tx(addr uint16, w, r []byte) error {
	_, err := b.tx(nil, 0, addr, w, r)
	return err
}

// For returns the bus as seen by one device actor. Its transactions take time on clk: each waits until those of the others are over, in the
// order in which they began. Faults end by clk.
func (b *Bus) For(clk hardware.Clock) i2c.Bus {
	now := clk.Now() // the bus holds no lock while it calls anybody
	b.mu.Lock()
	if b.origin.IsZero() {
		b.origin = now
	}
	v := &view{Bus: b, clk: clk, since: hardware.SinceOn(clk, b.origin)}
	b.mu.Unlock()
	var ok bool
	if v.spender, ok = clk.(hardware.Spender); !ok {
		v.spender = sleeper{clk}
	}
	return v
}

// A view is a bus with its caller's clock.
type view struct {
	*Bus
	clk     hardware.Clock
	spender hardware.Spender // clk, if it is one
	since   hardware.Since   // the bus's origin
}

// A sleeper spends time asleep.
type sleeper struct{ hardware.Clock }

func (s sleeper) Spend(d time.Duration) { s.Sleep(d) }

// Tx is [Bus.Tx] on the caller's clock.
func (v *view) Tx(addr uint16, w, r []byte) error {
	_, err := v.tx(v, v.since.Now(), addr, w, r)
	return err
}

// TimedTx is Tx, and tells when it began since Origin, and how long it took: who measures transactions need not look at the clock.
func (v *view) TimedTx(addr uint16, w, r []byte) (from, took time.Duration, err error) {
	from = v.since.Now()
	took, err = v.tx(v, from, addr, w, r)
	return from, took, err
}

// Origin is that of the times of TimedTx.
func (v *view) Origin() time.Time { return v.origin }

// pass lets a transaction of a caller take its time; nil is one for whom none passes.
func (v *view) pass(d time.Duration) {
	if v != nil {
		v.spender.Spend(d)
	}
}

// hold holds the bus for d from now on for a view, which reads its clock before it locks mu, or from when it is free, and returns how long the caller waits for the end. No time
// passes for nil. mu must be held.
func (b *Bus) hold(v *view, now, d time.Duration) time.Duration {
	b.count++
	b.busy += d
	if v == nil || d <= 0 {
		return 0
	}
	b.free = max(b.free, now) + d
	return b.free - now
}

// tx carries out a transaction that begins now for a view, and tells what it took; nil is a caller for whom no time passes.
func (b *Bus) tx(v *view, now time.Duration, addr uint16, w, r []byte) (took time.Duration, err error) {
	if addr >= addresses {
		return 0, b.fail(addr, syscall.EINVAL)
	}
	b.mu.Lock()
	s := b.slots[addr]
	if s == nil || s.sound == nil || b.odd {
		b.mu.Unlock()
		return b.troubled(v, now, addr, w, r)
	}
	c := s.sound
	took = b.hold(v, now, b.wireTime(len(w), len(r)))
	b.mu.Unlock()
	v.pass(took)
	if err := c.I2C(w, r); err != nil {
		return took, b.chipError(addr, err)
	}
	b.mu.Lock()
	s.memory.answered(w, r)
	b.mu.Unlock()
	return took, nil
}

// late reports whether a transaction of a view waits behind one that times out, and one more time-out would be too late for a driver. Then it
// fails when its turn comes, as on a board. mu must be held.
func (b *Bus) late(v *view, now time.Duration) bool {
	return v != nil && now < b.timedOut && b.free-now+b.timeout > hardware.MaxBusTurn
}

// troubled is tx on a bus or at an address that has a fault, or without a chip.
func (b *Bus) troubled(from *view, now time.Duration, addr uint16, w, r []byte) (took time.Duration, err error) {
	var at time.Time
	if from != nil {
		at = from.clk.Now()
	} else if b.timed.Load() {
		at = b.now()
	}
	c, v, took := b.admit(from, now, addr, at, len(w), len(r))
	from.pass(took)
	if v.errno != 0 {
		return took, b.fail(addr, v.errno)
	}
	if c == nil {
		if len(r) == 0 && b.broadcast(addr, w) {
			return took, nil
		}
		return took, b.fail(addr, syscall.EREMOTEIO)
	}
	if err := c.I2C(w, r); err != nil {
		return took, b.chipError(addr, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slots[addr].finish(c, v.damage, w, r)
	return took, nil
}

// chipError is the error of the bus for one of a chip.
func (b *Bus) chipError(addr uint16, err error) error {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		errno = syscall.EIO
	}
	return b.fail(addr, errno)
}

// admit counts the transaction of a view, nil for none, and decides its outcome at an instant. It returns how long the caller waits. The
// chip is nil if none is attached.
func (b *Bus) admit(from *view, now time.Duration, addr uint16, at time.Time, w, r int) (Chip, verdict, time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.odd = b.gone || b.stuck || b.timedOut > now
	if b.gone {
		return nil, verdict{errno: syscall.ENODEV}, b.hold(from, now, 0)
	}
	if b.late(from, now) {
		b.count++
		return nil, verdict{errno: syscall.ETIMEDOUT}, b.free - now
	}
	if b.stuckAt(at) {
		return nil, verdict{errno: syscall.ETIMEDOUT}, b.give(from, now)
	}
	s := b.slots[addr]
	if s == nil {
		return nil, verdict{}, b.hold(from, now, b.wireTime(w, 0))
	}
	v := s.judge(at, b.timeout)
	held := v.latency + b.cost + b.byteTime // the address byte
	switch v.errno {
	case 0:
		held = v.latency + b.wireTime(w, r)
	case syscall.ETIMEDOUT:
		return s.chip, v, b.give(from, now)
	case syscall.ENODEV:
		held = 0
	}
	return s.chip, v, b.hold(from, now, held)
}

// give holds the bus for a transaction that the adapter gives up, and returns how long its caller waits.
func (b *Bus) give(from *view, now time.Duration) time.Duration {
	took := b.hold(from, now, b.timeout)
	if from != nil {
		b.timedOut, b.odd = b.free, true
	}
	return took
}

// wireTime is the time of a transaction of w bytes written and r bytes read: each direction has its address byte.
func (b *Bus) wireTime(w, r int) time.Duration {
	n := 1 + w + r
	if w > 0 && r > 0 {
		n++
	}
	return b.cost + b.byteTime*time.Duration(n)
}

// stuckAt reports whether SDA is held at now and forgets a hold that has ended.
func (b *Bus) stuckAt(now time.Time) bool {
	if b.stuck && !b.stuckUntil.IsZero() && !now.IsZero() && !now.Before(b.stuckUntil) {
		b.stuck = false
	}
	return b.stuck
}

// broadcast offers a write to an unoccupied address to the chips that listen to shared addresses, lowest first, and
// reports whether one took it. A chip whose own address does not answer does not listen either.
func (b *Bus) broadcast(addr uint16, w []byte) bool {
	var heard [addresses]broadcaster
	n := 0
	b.mu.Lock()
	for _, s := range b.slots {
		if s == nil || s.fault.Absent || s.fault.Stuck || s.fault.Unplugged {
			continue
		}
		if c, ok := s.chip.(broadcaster); ok {
			heard[n] = c
			n++
		}
	}
	b.mu.Unlock()
	taken := false
	for _, c := range heard[:n] {
		if c.broadcast(addr, w) {
			taken = true
		}
	}
	return taken
}

// slot returns the place of addr, made on first use. mu must be held.
func (b *Bus) slot(addr uint16) *slot {
	if addr >= addresses {
		panic(fmt.Sprintf("emul: %s: address %#x has more than seven bits", b.name, addr))
	}
	if b.slots[addr] == nil {
		b.slots[addr] = &slot{rng: rand.New(rand.NewPCG(b.seed, uint64(addr)))}
	}
	return b.slots[addr]
}

// now is the instant by the bus's clock, zero without one. mu must not be held: a clock may have locks of its own.
func (b *Bus) now() time.Time {
	b.mu.Lock()
	clk := b.clk
	b.mu.Unlock()
	if clk == nil {
		return time.Time{}
	}
	return clk.Now()
}

func (b *Bus) fail(addr uint16, errno syscall.Errno) error {
	return &hardware.BusError{Bus: b.name, Addr: addr, Err: errno}
}

var _ i2c.Bus = (*Bus)(nil)
