package sim

import "time"

// The one-shot in front of the motor bridge: 220 kΩ and 1 µF (hardware/README.md), and by how much its pulse may differ.
const (
	pulseTime      = 220 * time.Millisecond
	pulseTolerance = 0.3
)

// supply is what wakes the motor bridge: an AND gate of MOTOR_EN and the output of the one-shot, which a rising edge of
// MOTOR_BEAT starts anew. It keeps the world's time, not that of a driver.
type supply struct {
	enabled bool  // level of MOTOR_EN
	width   int64 // of a pulse, in steps
	end     int64 // step at which the running pulse ends; never if there is none
}

// pulseWidth is the width of this robot's pulse in steps.
func pulseWidth(o Options, s noise) int64 {
	ratio := o.PulseRatio
	if ratio <= 0 {
		ratio = s.span(srcPulse, 0, 1-pulseTolerance, 1+pulseTolerance)
	}
	return steps(time.Duration(ratio * float64(pulseTime)))
}

// over reports whether the pulse is over at step n.
func (s *supply) over(n int64) bool { return n >= s.end }

// enable sets the level of MOTOR_EN.
func (w *world) enable(high bool) {
	w.supply.enabled = high
	w.gate()
}

// beginPulse starts the one-shot, anew if it runs.
func (w *world) beginPulse() {
	w.supply.end = w.n + w.supply.width
	w.due = min(w.due, w.supply.end)
	w.gate()
}

// endPulse ends the pulse.
func (w *world) endPulse() {
	w.supply.end = never
	w.gate()
}

// gate is the AND gate whose output wakes the bridge. A robot without an enable line, or without a one-shot, lacks that input; one
// without both has a bridge that is always awake.
func (w *world) gate() {
	on := true
	if d := w.body.Drive; d != nil {
		on = (d.Enable == "" || w.supply.enabled) && (d.Beat == "" || w.supply.end != never)
	}
	if on == w.powered {
		return
	}
	w.powered = on
	if w.opt.OnPower != nil {
		w.opt.OnPower(w.start.Add(time.Duration(w.n)*step), on)
	}
}
