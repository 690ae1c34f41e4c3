package emul

import (
	"errors"
	"fmt"
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

const (
	addresses = 128                            // seven bits
	byteTime  = 9 * time.Second / (400 * 1000) // eight bits and the acknowledge at 400 kHz: 22.5 µs
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
	gone       bool
	stuck      bool
	stuckUntil time.Time // zero = until released
	busy       time.Duration
	count      uint64
}

// NewBus returns an empty bus. clk, which may be nil until SetClock, is asked for the time when a fault has an end and
// the caller has no clock of its own. All randomness comes from seed, separately for each address, so that traffic on
// one chip does not change what happens to another.
func NewBus(name string, clk hardware.Clock, seed uint64) *Bus {
	return &Bus{name: name, clk: clk, seed: seed}
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
	s.chip, s.width = c, registerBytes(c)
	b.attach(c)
	s.memory = memory{}
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
		now = b.now(nil)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stuck, b.stuckUntil = d != 0, time.Time{}
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
}

// BrownOut resets the chip at addr; the driver is not told and the bus keeps working.
func (b *Bus) BrownOut(addr uint16) {
	b.mu.Lock()
	s := b.slot(addr)
	s.memory = memory{}
	c := s.chip
	b.mu.Unlock()
	if c != nil {
		c.PowerOnReset()
	}
}

// Busy is the wire time of all transactions so far: nine clocks a byte at 400 kHz, address bytes included, plus
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
func (b *Bus) Tx(addr uint16, w, r []byte) error { return b.tx(nil, addr, w, r) }

// For returns the bus as seen by one device actor: latencies are slept on clk, and faults end by it.
func (b *Bus) For(clk hardware.Clock) i2c.Bus { return &view{Bus: b, clk: clk} }

// A view is a bus with its caller's clock.
type view struct {
	*Bus
	clk hardware.Clock
}

// Tx is [Bus.Tx] on the caller's clock.
func (v *view) Tx(addr uint16, w, r []byte) error { return v.tx(v.clk, addr, w, r) }

func (b *Bus) tx(clk hardware.Clock, addr uint16, w, r []byte) error {
	if addr >= addresses {
		return b.fail(addr, syscall.EINVAL)
	}
	b.mu.Lock()
	s := b.slots[addr]
	if s == nil || s.chip == nil || s.faulty || b.gone || b.stuck {
		b.mu.Unlock()
		return b.troubled(clk, addr, w, r)
	}
	c := s.chip
	b.count++
	b.busy += wireTime(len(w), len(r))
	b.mu.Unlock()
	if err := c.I2C(w, r); err != nil {
		return b.chipError(addr, err)
	}
	b.mu.Lock()
	s.finish(c, sound, w, r)
	b.mu.Unlock()
	return nil
}

// troubled is tx on a bus or at an address that has a fault, or without a chip.
func (b *Bus) troubled(clk hardware.Clock, addr uint16, w, r []byte) error {
	var now time.Time
	if b.timed.Load() {
		now = b.now(clk)
	}
	c, v := b.admit(addr, now, len(w), len(r))
	if v.latency > 0 && clk != nil {
		clk.Sleep(v.latency)
	}
	if v.errno != 0 {
		return b.fail(addr, v.errno)
	}
	if c == nil {
		if len(r) == 0 && b.broadcast(addr, w) {
			return nil
		}
		return b.fail(addr, syscall.EREMOTEIO)
	}
	if err := c.I2C(w, r); err != nil {
		return b.chipError(addr, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slots[addr].finish(c, v.damage, w, r)
	return nil
}

// chipError is the error of the bus for one of a chip.
func (b *Bus) chipError(addr uint16, err error) error {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		errno = syscall.EIO
	}
	return b.fail(addr, errno)
}

// admit counts the transaction and decides its outcome. The chip is nil if none is attached.
func (b *Bus) admit(addr uint16, now time.Time, w, r int) (Chip, verdict) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	if b.gone {
		return nil, verdict{errno: syscall.ENODEV}
	}
	if b.stuckAt(now) {
		b.busy += adapterTimeout
		return nil, verdict{errno: syscall.ETIMEDOUT}
	}
	s := b.slots[addr]
	if s == nil {
		b.busy += byteTime * time.Duration(1+w)
		return nil, verdict{}
	}
	v := s.judge(now)
	switch v.errno {
	case 0:
		b.busy += wireTime(w, r) + v.latency
	case syscall.ETIMEDOUT:
		b.busy += adapterTimeout
	default:
		b.busy += byteTime + v.latency // the address byte
	}
	return s.chip, v
}

// wireTime is the time of w bytes written and r bytes read: each direction has its address byte.
func wireTime(w, r int) time.Duration {
	n := 1 + w + r
	if w > 0 && r > 0 {
		n++
	}
	return byteTime * time.Duration(n)
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

// now is the instant by clk, else by the bus's clock, else zero. mu must not be held: a clock may have locks of its own.
func (b *Bus) now(clk hardware.Clock) time.Time {
	if clk == nil {
		b.mu.Lock()
		clk = b.clk
		b.mu.Unlock()
	}
	if clk == nil {
		return time.Time{}
	}
	return clk.Now()
}

func (b *Bus) fail(addr uint16, errno syscall.Errno) error {
	return &hardware.BusError{Bus: b.name, Addr: addr, Err: errno}
}

var _ i2c.Bus = (*Bus)(nil)
