package faultmatrix

import (
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// A way is how a driver answers a fault.
type way string

const (
	// retry: transactions are repeated in place (class A). If a burst outlasts the repetitions the actor is restarted (B).
	retry way = "retry"
	// reinit: the chip lost its configuration and gets it again; the actor lives on (C).
	reinit way = "reinit"
	// restart: the actor fails with the cause of its cell and is restarted with back-off until the device is back (B to H).
	restart way = "restart"
	// stale: samples come too late to be used; nothing fails (J).
	stale way = "stale"
	// abort: the motion ends and is counted; the actor lives on (H, K).
	abort way = "abort"
	// lapse: no turn for anybody; afterwards the driver finds the power gone, reports that, and goes on (M).
	lapse way = "lapse"
	// unseen: the driver does not notice, for the reason in the cell.
	unseen way = "unseen"
	// onUse: unseen until the tree uses the device, then a restart; which of them depends on the tree.
	onUse way = "on use"
)

// A rule is the expected behavior of the wheels from the injection on.
type rule string

const (
	// stop: off within the limit and off until the fault ends.
	stop rule = "stop"
	// pause: off within the limit; later orders are carried out again.
	pause rule = "pause"
	// tries: off within the limit, and each further try ends within tryLimit.
	tries rule = "tries"
	// onward: the fault does not affect driving.
	onward rule = "onward"
	// free: the wheels obey the behaviors. The lease bounds how long they turn without an order.
	free rule = "free"
)

// A cell is one combination of device and fault with its expected outcome.
type cell struct {
	device, kind string
	class        string // letter of the failure class, A to M
	way          way
	cause        string // of the actor's failures
	wheels       rule
	why          string // where the way is not obvious
}

func cells() []cell {
	nack, timeout, gone := string(hardware.CauseNack), string(hardware.CauseTimeout), string(hardware.CauseGone)
	config, wrongID, froze := string(hardware.CauseConfig), string(hardware.CauseWrongID), string(hardware.CauseFrozen)
	actuator := string(hardware.CauseActuator)
	const (
		anyBytes = "every register reads at random: the read-back differs, and so does that of the new configuration"
		noID     = "the chip has no identity; its registers read 0xff, and no configuration can be read back"
		openOnly = "identity is read when a device opens, and a chip cannot become another one under way; see TestWrongIdentityIsFoundAtOpen"
		tardy    = "each transaction holds the bus for 8 ms, and cliff scans wait for it: at times they come too late and the wheels stop"
		holds    = "each time-out holds the bus for 73 ms, and cliff scans wait for it: they come too late and the wheels stop"
		resting  = "a pad or contact at rest is indistinguishable from a line that keeps its level"
	)
	return []cell{
		{hardware.Motors, sim.KindAbsent, "B D", restart, nack, stop, ""},
		{hardware.Motors, sim.KindBrownout, "C", reinit, "", pause, "the chip's reset switches the wheels off at once; the bridge sleeps while it is configured"},
		{hardware.Motors, sim.KindFrozen, "H K", abort, "", tries, "silent encoders look like blocked wheels, so the motion ends and the mind may try another"},
		{hardware.Motors, sim.KindGarbage, "C B", restart, config, stop, anyBytes},
		{hardware.Motors, sim.KindNack, "A B", retry, nack, free, ""},
		{hardware.Motors, sim.KindSlow, "J", unseen, "", free, tardy},
		{hardware.Motors, sim.KindStuck, "F", restart, timeout, stop, ""},
		{hardware.Motors, sim.KindUnplug, "G", restart, gone, stop, ""},
		{hardware.Motors, sim.KindWrongID, "C B", restart, config, stop, noID},

		{hardware.Servos, sim.KindAbsent, "B D", restart, nack, onward, ""},
		{hardware.Servos, sim.KindBrownout, "C", reinit, "", onward, ""},
		{hardware.Servos, sim.KindFrozen, "H K", restart, actuator, onward, "the one converter of both joints repeats the lift's value for the head, which seems left behind"},
		{hardware.Servos, sim.KindGarbage, "C B", restart, config, onward, anyBytes},
		{hardware.Servos, sim.KindNack, "A B", retry, nack, onward, ""},
		{hardware.Servos, sim.KindSlow, "J", unseen, "", free, tardy},
		{hardware.Servos, sim.KindStuck, "F", restart, timeout, free, holds},
		{hardware.Servos, sim.KindUnplug, "G", restart, gone, onward, ""},
		{hardware.Servos, sim.KindWrongID, "C B", restart, config, onward, noID},

		{hardware.Lights, sim.KindAbsent, "B D", restart, nack, onward, ""},
		{hardware.Lights, sim.KindBrownout, "C", reinit, "", onward, ""},
		{hardware.Lights, sim.KindGarbage, "C B", restart, config, onward, anyBytes},
		{hardware.Lights, sim.KindNack, "A B", retry, nack, onward, ""},
		{hardware.Lights, sim.KindSlow, "J", unseen, "", free, tardy},
		{hardware.Lights, sim.KindStuck, "F", restart, timeout, free, holds},
		{hardware.Lights, sim.KindUnplug, "G", restart, gone, onward, ""},
		{hardware.Lights, sim.KindWrongID, "C B", restart, config, onward, noID},

		{hardware.Cliff, sim.KindAbsent, "B D", restart, nack, stop, ""},
		{hardware.Cliff, sim.KindBrownout, "C", reinit, "", onward, "the scan in which it is found is repeated at once"},
		{hardware.Cliff, sim.KindFrozen, "H", restart, froze, stop, ""},
		{hardware.Cliff, sim.KindGarbage, "C E", restart, wrongID, stop, "the read-back differs, and then the fingerprint"},
		{hardware.Cliff, sim.KindNack, "A B", retry, nack, free, "nine transactions a scan: few scans survive, and the wheels stop between them"},
		{hardware.Cliff, sim.KindSlow, "J", stale, "", stop, "a scan of nine transactions takes 80 ms, at which the wheels refuse it"},
		{hardware.Cliff, sim.KindStuck, "F", restart, timeout, stop, ""},
		{hardware.Cliff, sim.KindUnplug, "G", restart, gone, stop, ""},
		{hardware.Cliff, sim.KindWrongID, "C E", restart, wrongID, stop, ""},

		{hardware.Range, sim.KindAbsent, "B D", restart, nack, onward, ""},
		{hardware.Range, sim.KindBrownout, "C", reinit, "", onward, ""},
		{hardware.Range, sim.KindFrozen, "H", unseen, "", onward, "an empty view reads the same out-of-range value for ever; obstacles are left to stall and cliff sensors"},
		{hardware.Range, sim.KindGarbage, "C E", restart, wrongID, onward, ""},
		{hardware.Range, sim.KindNack, "A B", retry, nack, onward, ""},
		{hardware.Range, sim.KindSlow, "J", unseen, "", free, tardy},
		{hardware.Range, sim.KindStuck, "F", restart, timeout, free, holds},
		{hardware.Range, sim.KindUnplug, "G", restart, gone, onward, ""},
		{hardware.Range, sim.KindWrongID, "E", unseen, "", onward, openOnly},

		{hardware.IMU, sim.KindAbsent, "B D", restart, nack, onward, ""},
		{hardware.IMU, sim.KindBrownout, "C", reinit, "", onward, ""},
		{hardware.IMU, sim.KindFrozen, "H", restart, froze, onward, ""},
		{hardware.IMU, sim.KindGarbage, "C E", restart, wrongID, onward, ""},
		{hardware.IMU, sim.KindNack, "A B", retry, nack, onward, ""},
		{hardware.IMU, sim.KindSlow, "J", unseen, "", free, tardy},
		{hardware.IMU, sim.KindStuck, "F", restart, timeout, free, holds},
		{hardware.IMU, sim.KindUnplug, "G", restart, gone, onward, ""},
		{hardware.IMU, sim.KindWrongID, "E", unseen, "", onward, openOnly},

		{hardware.Battery, sim.KindAbsent, "B D", restart, nack, free, "a failed monitor means Low: the robot goes home"},
		{hardware.Battery, sim.KindBrownout, "C", reinit, "", onward, ""},
		{hardware.Battery, sim.KindFrozen, "H", unseen, "", onward, "a freeze is found after 3 s of identical readings, longer than this fault; see TestFrozenBatteryMonitorFailsAndStaysDistrustedAfterRestart"},
		{hardware.Battery, sim.KindGarbage, "C B", restart, config, free, "a failed monitor means Low: the robot goes home"},
		{hardware.Battery, sim.KindNack, "A B", retry, nack, free, ""},
		{hardware.Battery, sim.KindSlow, "J", unseen, "", free, tardy},
		{hardware.Battery, sim.KindStuck, "F", restart, timeout, free, "a failed monitor means Low: the robot goes home"},
		{hardware.Battery, sim.KindUnplug, "G", restart, gone, free, "a failed monitor means Low: the robot goes home"},
		{hardware.Battery, sim.KindWrongID, "C B", restart, config, free, noID},

		{hardware.Touch, sim.KindAbsent, "G", restart, gone, onward, ""},
		{hardware.Touch, sim.KindFrozen, "H", unseen, "", onward, resting},
		{hardware.Touch, sim.KindStuck, "H", unseen, "", onward, resting},
		{hardware.Touch, sim.KindUnplug, "G", restart, gone, onward, ""},

		{hardware.Charger, sim.KindAbsent, "G", restart, gone, onward, ""},
		{hardware.Charger, sim.KindFrozen, "H", unseen, "", onward, resting},
		{hardware.Charger, sim.KindStuck, "H", unseen, "", onward, resting},
		{hardware.Charger, sim.KindUnplug, "G", restart, gone, onward, ""},

		{hardware.Display, sim.KindAbsent, "-", unseen, "", onward, "SPI has no acknowledge and the panel cannot be read; it is set up anew every 30 s, see TestUnreadableDisplayIsSetUpAgainPeriodically"},
		{hardware.Display, sim.KindBrownout, "-", unseen, "", onward, "as absent"},
		{hardware.Display, sim.KindUnplug, "G", onUse, gone, onward, "unseen while nothing is drawn; with the next picture see TestUnpluggedDisplayIsFoundByTheNextPicture"},

		{sim.FaultHost, sim.KindFrozen, "M", lapse, "", stop, "no turn for mind and drivers: the one-shot alone stops the wheels"},
		{sim.FaultBeat, sim.KindAbsent, "G", restart, gone, stop, ""},
		{sim.FaultBeat, sim.KindFrozen, "K", restart, actuator, stop, "no edge reaches the one-shot, and the motors do not wake"},
		{sim.FaultBeat, sim.KindStuck, "K", restart, actuator, stop, "as frozen"},
		{sim.FaultBeat, sim.KindUnplug, "G", restart, gone, stop, ""},
		{sim.FaultSense, sim.KindAbsent, "G", restart, gone, stop, "whether the one-shot works cannot be told"},
		{sim.FaultSense, sim.KindFrozen, "K", onUse, actuator, free, "high while the wheels turn, as it should be; the next start from rest finds it, see TestBrokenHeartbeatCircuitFailsTheMotors"},
		{sim.FaultSense, sim.KindStuck, "K", onUse, actuator, free, "as frozen"},
		{sim.FaultSense, sim.KindUnplug, "G", restart, gone, stop, ""},
	}
}

// devices are those of the matrix.
func devices() []string {
	return []string{
		hardware.Motors, hardware.Servos, hardware.Lights, hardware.Cliff, hardware.Range, hardware.IMU, hardware.Battery,
		hardware.Touch, hardware.Charger, hardware.Display, sim.FaultHost, sim.FaultBeat, sim.FaultSense,
	}
}

// noticer is the device whose driver notices a fault of a cell.
func (c *cell) noticer() string {
	switch c.device {
	case sim.FaultHost, sim.FaultBeat, sim.FaultSense:
		return hardware.Motors
	}
	return c.device
}

// onBus reports whether the device that breaks shares the bus with others.
func (c *cell) onBus() bool {
	switch c.device {
	case hardware.Touch, hardware.Charger, hardware.Display, sim.FaultBeat, sim.FaultSense:
		return false
	}
	return true
}

// holdsBus reports whether the fault makes the transactions of others wait.
func (c *cell) holdsBus() bool {
	return c.onBus() && (c.kind == sim.KindStuck || c.kind == sim.KindSlow)
}

// offLimit is how long the wheels may have power after the fault of a cell.
func (c *cell) offLimit() time.Duration {
	if c.device == sim.FaultHost {
		return powerLimit
	}
	return stopLimit
}
