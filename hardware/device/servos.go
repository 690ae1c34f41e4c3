package device

import (
	"errors"
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ads1115"
	"github.com/robotd/robotd/hardware/chip/pca9685"
	"github.com/robotd/robotd/hardware/profile"
)

const (
	servosPeriod = 20 * time.Millisecond
	servosVerify = 100 * time.Millisecond

	// lagTime is how long a servo may be farther than its maxLag from where it was sent (class K).
	lagTime = 300 * time.Millisecond
)

// A joint is one servo. Its unit is rad for the head and mm for the lift.
type joint struct {
	part      *profile.Servo
	low, high float64
	speed     float64 // units a second, a little below the servo's maximum, so that the servo can follow
	tolerance float64 // "in position"
	maxLag    float64 // 8° at the servo's axle

	id       uint64
	powered  bool // pulses are on
	target   float64
	ref      float64 // current reference of the slew
	limit    float64 // speed of the current command
	measured float64
	lagSince time.Time
}

func headJoint(s *profile.Servo) joint {
	deg := math.Pi / 180
	return joint{part: s, low: s.Low * deg, high: s.High * deg, speed: s.Speed * deg, tolerance: 1.5 * deg, maxLag: 8 * deg}
}

// liftJoint is a servo whose arm swings by about 55° over its travel, so 8° are 15 % of it.
func liftJoint(s *profile.Servo) joint {
	travel := s.High - s.Low
	return joint{part: s, low: s.Low, high: s.High, speed: s.Speed, tolerance: travel / 30, maxLag: 0.15 * travel}
}

// setTarget sets a target, clamped to the travel. Speed 0 means as fast as possible.
func (j *joint) setTarget(id uint64, target, speed float64) {
	j.id, j.target, j.limit = id, min(max(target, j.low), j.high), j.speed
	if speed > 0 {
		j.limit = min(speed, j.speed)
	}
	if !j.powered { // start from where it hangs, without a jump
		j.powered, j.ref = true, j.measured
	}
}

// slew moves the reference by one period.
func (j *joint) slew(seconds float64) {
	step := j.limit * seconds
	j.ref += min(max(j.target-j.ref, -step), step)
}

// updateLag takes the potentiometer's voltage and reports whether the servo has lagged behind its reference for too long.
func (j *joint) updateLag(now time.Time, volts float64) bool {
	pot := j.part.Feedback
	j.measured = j.low + (j.high-j.low)*(volts-pot.LowVolts)/(pot.HighVolts-pot.LowVolts)
	if !j.powered || math.Abs(j.ref-j.measured) <= j.maxLag {
		j.lagSince = time.Time{}
		return false
	}
	if j.lagSince.IsZero() {
		j.lagSince = now
	}
	return now.Sub(j.lagSince) >= lagTime
}

func (j *joint) moving() bool {
	return j.powered && (j.ref != j.target || math.Abs(j.measured-j.target) > j.tolerance)
}

// duty is the pulse in 4096ths of the PWM period.
func (j *joint) duty(freqHz float64) uint16 {
	if !j.powered {
		return 0
	}
	low, high := j.part.LowUS/1000, j.part.HighUS/1000
	ms := low + (high-low)*(j.ref-j.low)/(j.high-j.low)
	return uint16(math.Round(ms / 1000 * freqHz * pca9685.Full))
}

// Servos drives head and lift: a PWM chip for the pulses and a converter for the feedback. Before the first command the
// pulses are off and the joints hang freely.
type Servos struct {
	core
	board      Board
	pwm        *pca9685.Dev
	adc        *ads1115.Dev
	joints     [2]joint // head, lift
	written    [2]uint16
	at         time.Time
	verifiedAt time.Time
	last       hardware.ServoState
}

// NewServos returns head and lift, not opened.
func NewServos(b Board) *Servos {
	robot := b.robot()
	return &Servos{
		core: newCore(hardware.Servos, servosPeriod), board: b,
		joints: [2]joint{headJoint(robot.Head), liftJoint(robot.Lift)},
	}
}

// Open configures both chips with the pulses off and measures where the joints are.
func (p *Servos) Open(clk hardware.Clock) error {
	p.clk = clk
	bus := p.board.Bus(clk)
	head := p.joints[0].part
	chip := p.board.robot().Chips[head.Chip]
	p.pwm = pca9685.New(bus, chip.Address, chip.FrequencyHz, clk, &p.health)
	p.adc = ads1115.New(bus, p.board.address(head.Feedback.Chip), clk, &p.health)
	if err := p.open(p.pwm); err != nil {
		return err
	}
	if err := p.open(p.adc); err != nil {
		return err
	}
	if _, err := p.measure(clk.Now()); err != nil {
		return p.fail("read feedback", err)
	}
	return nil
}

// Poll verifies, measures and moves the references on.
func (p *Servos) Poll(now time.Time) (hardware.Sample, error) {
	if now.Sub(p.verifiedAt) >= servosVerify {
		verr := p.pwm.Verify()
		if err := p.heal(now, p.pwm, verr); err != nil {
			return p.bad(now, "verify", err, p.value())
		}
		if verr != nil { // healed: the chip forgot the pulses
			p.written = [2]uint16{}
		}
		p.verifiedAt = now
	}
	lagging, err := p.measure(now)
	if err = p.heal(now, p.adc, err); err != nil {
		return p.bad(now, "read feedback", err, p.value())
	}
	if lagging >= 0 {
		return hardware.Sample{}, p.release(lagging)
	}
	dt := min(max(now.Sub(p.at), 0), 2*servosPeriod)
	p.at = now
	for i := range p.joints {
		p.joints[i].slew(dt.Seconds())
	}
	if err := p.write(); err != nil {
		return p.bad(now, "write", err, p.value())
	}
	p.last = p.value()
	return p.good(&p.last)
}

// measure reads both potentiometers and returns the index of a joint that lags too far behind, else −1.
func (p *Servos) measure(now time.Time) (lagging int, err error) {
	lagging = -1
	for i := range p.joints {
		raw, err := p.adc.Read(i)
		if err != nil {
			return -1, err
		}
		if p.joints[i].updateLag(now, ads1115.Volts(raw)) {
			lagging = i
		}
	}
	return lagging, nil
}

// release switches a blocked joint's pulses off and returns the fault.
func (p *Servos) release(i int) error {
	j := &p.joints[i]
	err := p.errorWithCause(hardware.CauseActuator, "move", "%s is at %.2f instead of %.2f",
		[...]string{"head", "lift"}[i], j.measured, j.ref)
	j.powered = false
	if werr := p.write(); werr != nil {
		return errors.Join(err, werr)
	}
	return err
}

// write sends the pulses if they changed.
func (p *Servos) write() error {
	freq := p.pwm.FreqHz()
	want := [2]uint16{p.joints[0].duty(freq), p.joints[1].duty(freq)}
	if want == p.written {
		return nil
	}
	if err := p.pwm.Set(0, want[:]...); err != nil {
		return err
	}
	p.written = want
	return nil
}

func (p *Servos) value() hardware.ServoState {
	head, lift := &p.joints[0], &p.joints[1]
	return hardware.ServoState{
		HeadRad: head.measured, HeadMoving: head.moving(), HeadID: head.id,
		LiftMM: lift.measured, LiftMoving: lift.moving(), LiftID: lift.id,
	}
}

// Apply sets a target. The next poll starts to move.
func (p *Servos) Apply(_ time.Time, c hardware.Command) error {
	switch c := c.(type) {
	case hardware.MoveHead:
		p.joints[0].setTarget(c.ID, c.AngleRad, c.MaxRadPS)
	case hardware.MoveLift:
		p.joints[1].setTarget(c.ID, c.HeightMM, c.MaxMMPS)
	default:
		return p.unknownCommand(c)
	}
	return nil
}

// Halt switches the pulses off: the joints hang freely.
func (p *Servos) Halt() error {
	for i := range p.joints {
		p.joints[i].powered = false
	}
	p.written = [2]uint16{}
	if p.pwm == nil {
		return nil
	}
	return p.pwm.Halt()
}
