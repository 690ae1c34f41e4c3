// Package reg provides register access to every chip driver: one transaction on an I²C bus, repeated in place after a
// temporary failure (class A of hardware/README.md), and always counted.
//
// A repeated transaction must be idempotent: reading a register without side effect, or writing the same value
// again. For clear-on-read registers and queues use [Dev.Once].
package reg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
)

// ErrConfigLost means that a register no longer holds the value that the driver wrote: the chip lost power or was reset
// (class C). Initialize it again.
var ErrConfigLost = errors.New("configuration lost")

// ErrNotReady means that a conversion did not finish in the time that the data sheet allows.
var ErrNotReady = errors.New("conversion not ready")

// An IDError means that a chip other than the expected one answers at the address (class E).
type IDError struct {
	Got  uint16
	Want string
}

func (e *IDError) Error() string { return fmt.Sprintf("identity %#02x, want %s", e.Got, e.Want) }

// Pauses before the repetitions. A busy chip acknowledges again within half a millisecond; a disturbance (motor start,
// ESD) ends within two. Longer pauses would use up the 10 ms period of the fast devices.
const (
	firstPause  = 500 * time.Microsecond
	secondPause = 2 * time.Millisecond
)

// maxTransfer is the largest number of data bytes of one transaction: all outputs of a PWM chip.
const maxTransfer = 64

// A Dev is one address on a bus. Like the driver above it, it has one owner and no lock.
type Dev struct {
	bus    i2c.Bus
	addr   uint16
	clk    hardware.Clock
	health *hardware.Health
	out    [1 + maxTransfer]byte // what a transaction writes: the register, then data
	in     [maxTransfer]byte     // what it reads

	// OnError, if not nil, is called after every failed attempt, before the repetition, so that a stop path need not wait
	// for the retries on a stuck bus.
	OnError func(error)
}

// New returns the device at addr. Transactions are counted into health, which must not be nil.
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health) *Dev {
	return &Dev{bus: bus, addr: addr, clk: clk, health: health}
}

// Sleep suspends the calling device actor.
func (d *Dev) Sleep(t time.Duration) { d.clk.Sleep(t) }

// Once does one transaction without repetition.
func (d *Dev) Once(w, r []byte) error {
	d.health.Reads++
	err := d.bus.Tx(d.addr, w, r)
	if err != nil {
		d.failed(err)
	}
	return err
}

// failed counts and tells an attempt that failed.
func (d *Dev) failed(err error) {
	d.health.Errors++
	if d.OnError != nil {
		d.OnError(err)
	}
}

// Tx does one idempotent transaction with up to two repetitions. It does not retry on a vanished adapter (ENODEV), nor after a time-out: that
// held the bus for tens of milliseconds, and the next poll is soon enough.
func (d *Dev) Tx(w, r []byte) error {
	d.health.Reads++
	err := d.bus.Tx(d.addr, w, r)
	if err == nil {
		return nil
	}
	d.failed(err)
	return d.again(w, r, err)
}

// again repeats a transaction that failed with err.
func (d *Dev) again(w, r []byte, err error) error {
	for _, pause := range [...]time.Duration{firstPause, secondPause} {
		if !repeatable(err) {
			return err
		}
		d.clk.Sleep(pause)
		d.health.Retries++
		err = d.Once(w, r)
	}
	return err
}

// repeatable reports whether an error is one that may be gone within two milliseconds.
func repeatable(err error) bool {
	if err == nil {
		return false
	}
	cause := hardware.CauseOfErrno(err)
	return cause != hardware.CauseGone && cause != hardware.CauseTimeout
}

// Read reads n bytes starting at register r, at most 64. They are valid until the next transaction.
func (d *Dev) Read(r byte, n int) ([]byte, error) {
	d.out[0] = r
	err := d.Tx(d.out[:1], d.in[:n])
	return d.in[:n], err
}

// Read8 reads one register.
func (d *Dev) Read8(r byte) (byte, error) {
	d.out[0] = r
	if err := d.Tx(d.out[:1], d.in[:1]); err != nil {
		return 0, err
	}
	return d.in[0], nil
}

// Read16 reads a big-endian 16-bit register.
func (d *Dev) Read16(r byte) (uint16, error) {
	d.out[0] = r
	if err := d.Tx(d.out[:1], d.in[:2]); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint16(d.in[:]), nil
}

// Write writes at most 64 bytes starting at register r.
func (d *Dev) Write(r byte, data ...byte) error {
	d.out[0] = r
	n := 1 + copy(d.out[1:], data)
	return d.Tx(d.out[:n], nil)
}

// Write8 writes one register.
func (d *Dev) Write8(r, v byte) error {
	d.out[0], d.out[1] = r, v
	return d.Tx(d.out[:2], nil)
}

// Write16 writes a big-endian 16-bit register.
func (d *Dev) Write16(r byte, v uint16) error {
	d.out[0] = r
	binary.BigEndian.PutUint16(d.out[1:], v)
	return d.Tx(d.out[:3], nil)
}

// A Setting is one 8-bit register with its configured value. Mask selects the bits that are compared; 0 means all.
type Setting struct {
	Reg, Value, Mask byte
}

// Configure writes the settings in order.
func (d *Dev) Configure(table []Setting) error {
	for _, s := range table {
		if err := d.Write8(s.Reg, s.Value); err != nil {
			return err
		}
	}
	return nil
}

// Check reads the settings back. The first one that differs is an error that wraps [ErrConfigLost].
func (d *Dev) Check(table []Setting) error {
	for _, s := range table {
		got, err := d.Read8(s.Reg)
		if err != nil {
			return err
		}
		mask := s.Mask
		if mask == 0 {
			mask = 0xff
		}
		if got&mask != s.Value&mask {
			return fmt.Errorf("%w: register %#02x reads %#02x, want %#02x", ErrConfigLost, s.Reg, got, s.Value)
		}
	}
	return nil
}

// CauseOf maps an error of a chip driver to the failure cause.
func CauseOf(err error) hardware.Cause {
	var id *IDError
	switch {
	case errors.Is(err, ErrConfigLost):
		return hardware.CauseConfig
	case errors.Is(err, ErrNotReady):
		return hardware.CauseTimeout
	case errors.As(err, &id):
		return hardware.CauseWrongID
	default:
		return hardware.Classify(err)
	}
}
