package hardware

import "time"

// Names of the subsystems. Each is one supervised device actor.
const (
	Battery = "battery"
	Charger = "charger"
	Cliff   = "cliff"
	Display = "display"
	IMU     = "imu"
	Lights  = "lights"
	Motors  = "motors"
	Range   = "range"
	Servos  = "servos"
	Speaker = "speaker"
	Touch   = "touch"
	Vision  = "vision"
)

// Devices is the number of subsystems.
const Devices = 12

// Names lists every subsystem in the fixed (alphabetical) order in which devices act at one instant.
var Names = []string{Battery, Charger, Cliff, Display, IMU, Lights, Motors, Range, Servos, Speaker, Touch, Vision}

// Spoken is what people call the device with that name.
func Spoken(device string) string {
	switch device {
	case Battery:
		return "battery monitor"
	case Charger:
		return "sensor of the charger contacts"
	case Cliff, Range, Touch:
		return device + " sensor"
	case IMU:
		return "motion sensor"
	case Vision:
		return "camera"
	}
	return device
}

// A Clock provides time to everything that waits. It is monotonic when live and virtual when headless; nothing in this
// module reads time from another source.
type Clock interface {
	// Now is the current instant.
	Now() time.Time
	// Sleep suspends the calling device actor for d. It may be called only from the goroutine that the clock
	// was handed to; in virtual time other devices act meanwhile.
	Sleep(d time.Duration)
}

// A Spender is a Clock on which much work that takes little time costs little. An emulated bus uses it.
type Spender interface {
	// Spend lets d pass for the caller, as Sleep does: Now is later by d. The others may catch up later, but not by more than a few
	// milliseconds.
	Spend(d time.Duration)
}

// An Elapser is a Clock that also tells how much time has passed since some instant. Those of one timeline share the instant.
type Elapser interface {
	Elapsed() time.Duration
}

// A Since tells how much time has passed since an origin on a clock. In virtual time that costs much less than an instant does.
type Since struct {
	clk     Clock
	elapser Elapser // clk; nil if it is none
	origin  time.Time
	shift   time.Duration // from what the elapser tells
}

// SinceOn returns what tells the time since origin on a clock.
func SinceOn(clk Clock, origin time.Time) Since {
	s := Since{clk: clk, origin: origin}
	if e, ok := clk.(Elapser); ok {
		s.elapser, s.shift = e, clk.Now().Sub(origin)-e.Elapsed()
	}
	return s
}

// Now is the time since the origin.
func (s *Since) Now() time.Duration {
	if s.elapser != nil {
		return s.shift + s.elapser.Elapsed()
	}
	return s.clk.Now().Sub(s.origin)
}

// A BusPermit is the right of one driver to use the bus. The driver's bus handle asks it before each transaction. A device
// actor takes the permit away from a driver that hangs, so that the driver does not reach the bus any more should it go on.
type BusPermit interface {
	// Enter begins a transaction and reports true, or reports false if the permit was taken away.
	Enter() bool
	// Leave ends the transaction.
	Leave()
}

// A Device is one hardware subsystem: a driver, the chips behind it, and the control that must live next to them.
// Exactly one device actor owns it and is the only caller of its methods, one at a time, so a Device has no locks.
//
// An error from Open, Poll or Apply is classified with [Classify]; the actor decides on retry, restart and back-off.
// A panic is a restart. A Device heals a lost chip configuration by itself (class C) and counts it in [Health].
type Device interface {
	// Name is one of the subsystem names.
	Name() string
	// Period is the time between two polls.
	Period() time.Duration
	// Open identifies the chip, configures it completely and reads the configuration back. It leaves every output
	// in the safe state. It is called again, on a fresh Device, after each restart.
	Open(clk Clock) error
	// Poll runs one cycle: read, verify, control. The returned sample's Device, Seq and At are filled in by the actor.
	Poll(now time.Time) (Sample, error)
	// Apply carries out one command. Unknown commands are an error.
	Apply(now time.Time, c Command) error
	// Halt brings every output to its safe state: no motion, no light, no sound. It may be called at any time after
	// construction. It also works on a failed device, as far as the hardware allows.
	Halt() error
}

// A Deadliner is a Device that must act between two polls, for example at the end of a lease. The device actor calls
// Deadline after every Open, Poll and Apply, and also polls at that instant, at most 1 ms late.
type Deadliner interface {
	// Deadline is the instant of the next extra poll. Zero means none; an instant in the past means now.
	Deadline() time.Time
}

// Quality is how far a reading can be trusted.
type Quality uint8

// The order is from worst to best.
const (
	Absent Quality = iota // never seen since start
	Failed                // the device actor is down, or the driver reported a failure
	Stale                 // older than three periods, or of a sensor that looks elsewhere
	OK
)

func (q Quality) String() string {
	switch q {
	case OK:
		return "ok"
	case Stale:
		return "stale"
	case Failed:
		return "failed"
	default:
		return "absent"
	}
}

// A Sample is what a device actor publishes after a poll.
type Sample struct {
	Device  string
	Seq     uint64    // counts from 1 over all incarnations of the actor
	At      time.Time // instant of the poll
	Quality Quality
	// Value is a BatteryState, ChargerState, CliffState, ..., by value, or a pointer to one that is valid until the next Poll:
	// a driver that polls a hundred times a second should not leave garbage each time.
	Value  any
	Health Health // totals since the incarnation's Open
	// Lapse is how long no control cycle came to its end, if the wheels lost their power by that; 0 in all other samples.
	Lapse time.Duration
}

// Health counts the faults that a driver found or repaired by itself. Totals since Open.
type Health struct {
	Reads    uint64 // attempted register transactions
	Errors   uint64 // failed ones, retries included
	Retries  uint64 // repeated ones (class A)
	Reinits  uint64 // configuration lost and written again (class C)
	Rejected uint64 // samples out of physical range (class I)
	Frozen   uint64 // freezes found (class H)
}
