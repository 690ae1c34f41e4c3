package hardware

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// A Cause is the name of a failure class in logs and metric labels.
type Cause string

// The causes. The letter is the failure class in hardware/README.md.
const (
	CauseNack      Cause = "nack"      // A/B: not acknowledged
	CauseTimeout   Cause = "timeout"   // F: bus stuck or device too slow
	CauseGone      Cause = "gone"      // G: adapter or line vanished
	CauseWrongID   Cause = "wrong_id"  // E: another chip answers
	CauseConfig    Cause = "config"    // C: configuration lost and could not be written again
	CauseFrozen    Cause = "frozen"    // H: identical samples
	CauseRange     Cause = "range"     // I: out of physical range
	CauseActuator  Cause = "actuator"  // K: fault line, stall, feedback off
	CauseMalformed Cause = "malformed" // checksum or framing
	CauseCommand   Cause = "command"   // the caller's command cannot be carried out
	CausePanic     Cause = "panic"     // L
	CauseGoexit    Cause = "goexit"    // L: the driver ended its goroutine
	CauseOther     Cause = "other"
)

// A DeviceError names the device, the operation and the reason of a failure, in this order.
type DeviceError struct {
	Device string
	Op     string // "identify", "read range", ...
	Cause  Cause
	Err    error // may be nil
}

func (e *DeviceError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s: %s: %s", e.Device, e.Op, e.Cause)
	}
	return fmt.Sprintf("%s: %s: %s: %v", e.Device, e.Op, e.Cause, e.Err)
}

func (e *DeviceError) Unwrap() error { return e.Err }

// LongestTransfer is the largest transfer of a driver in bytes: a whole picture of a display, with its control byte.
const LongestTransfer = 1025

// MaxBusTurn bounds how long a transaction waits for its turn and then for the adapter, if the bus is stuck. A driver's call that takes 250 ms is
// one that hangs (maxDriverCall in package actors), and that is worse than a time-out: the driver is replaced.
const MaxBusTurn = 200 * time.Millisecond

// BusTimeout is the time-out of a transaction on an I²C bus of that clock: 50 ms and the time of the longest transfer.
func BusTimeout(hz int) time.Duration {
	return 50*time.Millisecond + LongestTransfer*9*time.Second/time.Duration(hz)
}

// A BusError is one failed transaction. The emulated bus and a real one return the same values.
type BusError struct {
	Bus  string
	Addr uint16
	Err  syscall.Errno
	// Kernel is what the adapter's driver reported, if that is not what happened; else 0.
	Kernel syscall.Errno
}

func (e *BusError) Error() string {
	if e.Kernel != 0 {
		return fmt.Sprintf("%s address %#02x: %v (the adapter reports: %v)", e.Bus, e.Addr, e.Err, e.Kernel)
	}
	return fmt.Sprintf("%s address %#02x: %v", e.Bus, e.Addr, e.Err)
}

func (e *BusError) Unwrap() error { return e.Err }

// Classify returns the cause inside err: that of a DeviceError, else the one its errno implies.
func Classify(err error) Cause {
	var d *DeviceError
	if errors.As(err, &d) && d.Cause != "" {
		return d.Cause
	}
	return CauseOfErrno(err)
}

// CauseOfErrno maps the errno inside err to a cause.
func CauseOfErrno(err error) Cause {
	switch {
	case errors.Is(err, syscall.EREMOTEIO), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.EIO), errors.Is(err, syscall.EAGAIN):
		return CauseNack
	case errors.Is(err, syscall.ETIMEDOUT):
		return CauseTimeout
	case errors.Is(err, syscall.ENODEV):
		return CauseGone
	default:
		return CauseOther
	}
}
