package device

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// The pulse of the one-shot between MOTOR_BEAT and the bridge: 220 ms ± 30 % (hardware/README.md), rounded outwards.
const (
	minPulse = 150 * time.Millisecond
	maxPulse = 300 * time.Millisecond
)

// Why the motors' power is not as it should be.
var (
	errNoLine     = errors.New("the line was lost")
	errHeldLow    = errors.New("the enable line is held low")
	errUnproven   = errors.New("the sense line is high, perhaps from the process before this one; it must be seen low once before the wheels turn")
	errPowerStays = fmt.Errorf("the sense line is high %v after the last beat: the one-shot or its gate does not switch the motors off", maxPulse)
	errNoPower    = errors.New("the sense line is low although the enable line is high and the beat line moves: the one-shot or its gate does not switch the motors on")
)

// heartbeat is the line that must keep moving while the wheels have power, and the line that tells whether they have it. The
// one-shot and the gate between the two work without this process: if it stands still, the pulse ends and the bridge sleeps.
//
// MOTOR_EN alone does not wake the bridge. So each time it is raised the circuit is tested, without a wait and without a motion:
// MOTOR_ON must be low until the first beat. Guarded by Safety.mu.
type heartbeat struct {
	beat  hardware.Line // MOTOR_BEAT; nil if it is not there
	power hardware.Line // MOTOR_ON; nil if it is not there
	high  bool          // level of MOTOR_BEAT
	// rose is the last instant at which a pulse may have begun: that of a rising edge, or of the first test, because the process
	// before this one may have beaten until its end.
	rose   time.Time
	proven bool // the power was seen off while MOTOR_EN was high
}

// request gets both lines if they are not there. A line that is there is used first, because one that was lost since its last use shows
// only then.
func (h *heartbeat) request(lines hardware.Lines, wired *profile.Drive) (err error) {
	if h.beat != nil && !h.high {
		_ = h.set(false)
	}
	if h.power != nil {
		_, _ = h.on()
	}
	if h.beat == nil {
		if h.beat, err = lines.Output(wired.Beat, false); err != nil {
			h.beat = nil
			return err
		}
		h.high = false
	}
	if h.power == nil {
		if h.power, err = lines.Input(wired.Sense); err != nil {
			h.power = nil
		}
	}
	return err
}

// close gives both lines back.
func (h *heartbeat) close() {
	for _, l := range []*hardware.Line{&h.beat, &h.power} {
		if *l != nil {
			_ = (*l).Close()
			*l = nil
		}
	}
	h.high = false
}

// rest takes MOTOR_BEAT low, at the start of each control cycle and for good when the wheels are to stop.
func (h *heartbeat) rest() {
	if h.high {
		_ = h.set(false)
	}
}

// pulse gives the one-shot a rising edge. The line rests since the start of the cycle.
func (h *heartbeat) pulse(now time.Time) error {
	if err := h.set(true); err != nil {
		return err
	}
	h.rose = now
	return nil
}

func (h *heartbeat) set(high bool) error {
	if h.beat == nil {
		return errNoLine
	}
	if err := h.beat.Set(high); err != nil {
		_ = h.beat.Close()
		h.beat = nil
		return err
	}
	h.high = high
	return nil
}

// on reads MOTOR_ON.
func (h *heartbeat) on() (bool, error) {
	if h.power == nil {
		return false, errNoLine
	}
	on, err := h.power.Get()
	if err != nil {
		_ = h.power.Close()
		h.power = nil
	}
	return on, err
}

// prove tests, with MOTOR_EN just raised, that the bridge sleeps without a beat. A pulse that may still run proves nothing, and
// forbids to drive only until the power was seen off once.
func (h *heartbeat) prove(now time.Time) error {
	if h.rose.IsZero() {
		h.rose = now
	}
	on, err := h.on()
	switch {
	case err != nil:
		return err
	case !on:
		h.proven = true
		return nil
	case now.Sub(h.rose) > maxPulse:
		h.proven = false
		return errPowerStays
	case !h.proven:
		return errUnproven
	}
	return nil
}
