package device

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/pca9685"
	"github.com/robotd/robotd/hardware/profile"
)

const (
	servosPeriod = 20 * time.Millisecond
	servosVerify = 100 * time.Millisecond

	// lagTime is how long a servo may be farther than its maxLag from where it was sent (class K).
	lagTime = 300 * time.Millisecond
)

// A joint is one servo. Its unit is rad for head and pan, and mm for the lift.
type joint struct {
	name      string
	part      *profile.Servo
	low, high float64
	speed     float64 // units a second, a little below the servo's maximum, so that the servo can follow
	tolerance float64 // "in position"
	maxLag    float64 // 8° at the servo's axle
	pwm       *servoChip
	pot       converter // nil: it is believed to be where it was sent

	id       uint64
	powered  bool // pulses are on
	target   float64
	ref      float64 // current reference of the slew
	limit    float64 // speed of the current command
	measured float64
	lagSince time.Time
	pulses   pulses
	raw      float64 // pulse in ms that is tried, whatever the target; 0: none
}

// turningJoint is a servo that turns something, in rad.
func turningJoint(name string, s *profile.Servo) *joint {
	deg := math.Pi / 180
	return &joint{name: name, part: s, low: s.Low * deg, high: s.High * deg, speed: s.Speed * deg, tolerance: 1.5 * deg, maxLag: 8 * deg}
}

// liftJoint is a servo whose arm swings by about 55° over its travel, so 8° are 15 % of it.
func liftJoint(s *profile.Servo) *joint {
	travel := s.High - s.Low
	return &joint{name: "lift", part: s, low: s.Low, high: s.High, speed: s.Speed, tolerance: travel / 30, maxLag: 0.15 * travel}
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
	j.ref += clamp(j.target-j.ref, -step, step)
	if j.pot == nil && j.powered {
		j.measured = j.ref
	}
}

// measure reads the potentiometer and reports whether the servo has lagged behind its reference for too long.
func (j *joint) measure(now time.Time) (lags bool, err error) {
	if j.pot == nil {
		return false, nil
	}
	volts, err := j.pot.Volts(j.part.Feedback.Channel)
	if err != nil {
		return false, err
	}
	pot := j.part.Feedback
	j.measured = j.low + (j.high-j.low)*(volts-pot.LowVolts)/(pot.HighVolts-pot.LowVolts)
	if !j.powered || math.Abs(j.ref-j.measured) <= j.maxLag+j.pulses.unsure()*(j.high-j.low) {
		j.lagSince = time.Time{}
		return false, nil
	}
	if j.lagSince.IsZero() {
		j.lagSince = now
	}
	return now.Sub(j.lagSince) >= lagTime, nil
}

func (j *joint) moving() bool {
	return j.powered && (j.ref != j.target || math.Abs(j.measured-j.target) > j.tolerance && !j.pulses.nearest)
}

// duty is the pulse in 4096ths of the PWM period.
func (j *joint) duty(freqHz float64) uint16 {
	if !j.powered {
		return 0
	}
	ms := j.raw
	if ms == 0 {
		ms = j.pulses.at((j.ref - j.low) / (j.high - j.low))
	}
	return uint16(math.Round(ms / 1000 * freqHz * pca9685.Full))
}

// Servos drives head and lift, and holds the head's second axis at 0°, ahead: PWM chips for the pulses and converters for the feedback,
// usually one of each. Before the first command the pulses are off and the joints hang freely. A servo without feedback is believed to be
// where it was sent, and at the start in the middle of its travel.
type Servos struct {
	core
	board      Board
	safety     *Safety
	head, lift *joint   // nil: the robot has none
	pan        *joint   // nil: the robot has none
	joints     []*joint // those that are there
	pwms       []*servoChip
	pots       []converter
	at         time.Duration // of the newest poll, since Open, or never
	verifiedAt time.Duration // since Open, or never
	last       hardware.ServoState
	refused    uint64 // ID of the newest command that was refused
}

// NewServos returns head and lift, not opened.
func NewServos(b Board, s *Safety) *Servos {
	p := &Servos{core: newCore(hardware.Servos, servosPeriod), board: b, safety: s, at: never, verifiedAt: never}
	robot := b.robot()
	if robot.Head != nil {
		p.head = turningJoint("head", robot.Head)
		p.joints = append(p.joints, p.head)
	}
	if robot.Lift != nil {
		p.lift = liftJoint(robot.Lift)
		p.joints = append(p.joints, p.lift)
	}
	if robot.Pan != nil {
		p.pan = turningJoint("pan", robot.Pan)
		p.joints = append(p.joints, p.pan)
	}
	for _, j := range p.joints {
		j.pulses = newPulses(j.name, j.part, b.Calibration)
		if j.part.Feedback == nil {
			j.measured = (j.low + j.high) / 2
		}
	}
	return p
}

// Open configures the chips with the pulses off and measures where the joints are.
func (p *Servos) Open(clk hardware.Clock) error {
	p.setClock(clk)
	if err := p.connect(clk); err != nil {
		return p.fail("open", err)
	}
	for _, c := range p.pwms {
		if err := c.Init(); err != nil {
			return p.fail("initialize", err)
		}
	}
	for _, c := range p.pots {
		if err := p.open(c); err != nil {
			return err
		}
	}
	if _, _, err := p.measure(clk.Now()); err != nil {
		return p.fail("read feedback", err)
	}
	return nil
}

// connect makes the drivers of the chips.
func (p *Servos) connect(clk hardware.Clock) error {
	pwms, pots := map[string]*servoChip{}, map[string]converter{}
	for _, j := range p.joints {
		if pwms[j.part.Chip] == nil {
			pwms[j.part.Chip] = p.newChip(j.part.Chip, clk)
			p.pwms = append(p.pwms, pwms[j.part.Chip])
		}
		j.pwm = pwms[j.part.Chip]
		f := j.part.Feedback
		if f == nil {
			continue
		}
		if pots[f.Chip] == nil {
			c, err := p.board.newConverter(f.Chip, scale{p.potVolts(f.Chip), f.FullVolts}, clk, &p.health)
			if err != nil {
				return err
			}
			pots[f.Chip] = c
			p.pots = append(p.pots, c)
		}
		j.pot = pots[f.Chip]
	}
	return nil
}

// potVolts is the highest voltage of the potentiometers on a converter.
func (p *Servos) potVolts(chip string) (most float64) {
	for _, j := range p.joints {
		if f := j.part.Feedback; f != nil && f.Chip == chip {
			most = max(most, f.FullVolts)
		}
	}
	return most
}

// Poll verifies, measures and moves the references on.
func (p *Servos) Poll(now time.Time) (hardware.Sample, error) {
	at := p.sinceOpen(now)
	if at-p.verifiedAt >= servosVerify {
		for _, c := range p.pwms {
			if err := p.heal(now, c, c.Verify()); err != nil {
				return p.bad(now, "verify", err, p.value())
			}
		}
		p.verifiedAt = at
	}
	lagging, pot, err := p.measure(now)
	if pot != nil {
		err = p.heal(now, pot, err)
	}
	if err != nil {
		return p.bad(now, "read feedback", err, p.value())
	}
	if lagging != nil {
		return hardware.Sample{}, p.release(lagging)
	}
	if p.pan != nil && !p.pan.powered {
		p.pan.setTarget(0, 0, 0)
	}
	dt := min(max(at-p.at, 0), 2*p.Period())
	p.at = at
	for _, j := range p.joints {
		if j.pot != nil && j.learn() && p.board.Learned != nil {
			p.board.Learned(profile.Of(profile.KeyServoLow, j.name), j.pulses.low*1000)
			p.board.Learned(profile.Of(profile.KeyServoHigh, j.name), j.pulses.high*1000)
		}
		j.slew(dt.Seconds())
	}
	if err := p.write(); err != nil {
		return p.bad(now, "write", err, p.value())
	}
	p.last = p.value()
	return p.good(&p.last)
}

// measure reads all potentiometers and returns a joint that lags too far behind, if there is one. After an error it returns the converter.
func (p *Servos) measure(now time.Time) (lagging *joint, pot converter, err error) {
	for _, j := range p.joints {
		lags, err := j.measure(now)
		if err != nil {
			return nil, j.pot, err
		}
		if lags {
			lagging = j
		}
	}
	return lagging, nil, nil
}

// release switches a blocked joint's pulses off and returns the fault.
func (p *Servos) release(j *joint) error {
	err := p.errorWithCause(hardware.CauseActuator, "move", "%s is at %.2f instead of %.2f", j.name, j.measured, j.ref)
	j.powered, j.pulses.low, j.pulses.high = false, j.pulses.goodLow, j.pulses.goodHigh
	if werr := p.write(); werr != nil {
		return errors.Join(err, werr)
	}
	return err
}

// write sends the pulses that changed.
func (p *Servos) write() error {
	for _, c := range p.pwms {
		want, freq := duties{}, c.pwm.FreqHz()
		for _, j := range p.joints {
			if j.pwm == c {
				want[j.part.Channel] = j.duty(freq)
			}
		}
		if err := c.write(want); err != nil {
			return err
		}
	}
	return nil
}

func (p *Servos) value() hardware.ServoState {
	s := hardware.ServoState{RefusedID: p.refused, NoHead: p.head == nil, NoLift: p.lift == nil, EndsTold: true, TopsTold: true}
	if j := p.head; j != nil {
		s.HeadRad, s.HeadMoving, s.HeadID, s.HeadReckoned = j.measured, j.moving(), j.id, j.pot == nil
		s.HeadLowRad, s.HeadHighRad = j.low, j.high
	}
	if j := p.lift; j != nil {
		s.LiftMM, s.LiftMoving, s.LiftID, s.LiftReckoned = j.measured, j.moving(), j.id, j.pot == nil
		s.LiftLowMM, s.LiftHighMM = j.low, j.high
	}
	return s
}

// Apply sets a target. The next poll starts to move. A command for a joint that the robot lacks does nothing.
func (p *Servos) Apply(_ time.Time, c hardware.Command) error {
	switch c := c.(type) {
	case hardware.MoveHead:
		if err := p.refuse(c.ID, "move head", c.AngleRad, c.MaxRadPS); err != nil {
			return err
		}
		if p.head != nil {
			p.head.setTarget(c.ID, c.AngleRad, c.MaxRadPS)
		}
	case hardware.MoveLift:
		if err := p.refuse(c.ID, "move lift", c.HeightMM, c.MaxMMPS); err != nil {
			return err
		}
		if p.lift != nil {
			p.lift.setTarget(c.ID, c.HeightMM, c.MaxMMPS)
		}
	default:
		return p.unknownCommand(c)
	}
	return nil
}

// Try holds the servo of a joint (head, lift, pan) at a pulse in µs, by the clock that its PWM chip is taken to have, whatever the pulses
// of its travel. The next poll gives it; Halt ends it. It is for calibration.
func (p *Servos) Try(name string, us float64) error {
	i := slices.IndexFunc(p.joints, func(j *joint) bool { return j.name == name })
	switch {
	case i < 0:
		return p.errorWithCause(hardware.CauseCommand, "try a pulse", "there is no joint %q", name)
	case !(us >= minTry && us <= maxTry):
		return p.errorWithCause(hardware.CauseCommand, "try a pulse", "%g µs is no pulse of a servo; want %d to %d", us, minTry, maxTry)
	}
	p.joints[i].raw, p.joints[i].powered = us/1000, true
	return nil
}

// Limits of a pulse that is tried, in µs.
const minTry, maxTry = 300, 2700

// Frequency is the PWM frequency in Hz of a chip of the servos, by the clock that it is taken to have; 0 if none of them is on it.
func (p *Servos) Frequency(chip string) float64 {
	for _, j := range p.joints {
		if j.part.Chip == chip && j.pwm != nil {
			return j.pwm.pwm.FreqHz()
		}
	}
	return 0
}

// refuse remembers a command whose numbers cannot be carried out, so that whoever gave it reads that.
func (p *Servos) refuse(id uint64, op string, target, speed float64) error {
	for _, v := range [...]float64{target, speed} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			p.refused = id
			return p.errorWithCause(hardware.CauseCommand, op, "%v is not a finite number", v)
		}
	}
	return nil
}

// Halt switches the pulses off: the joints hang freely.
func (p *Servos) Halt() error {
	for _, j := range p.joints {
		j.powered, j.raw = false, 0
	}
	var all []error
	for _, c := range p.pwms {
		all = append(all, c.off())
	}
	return errors.Join(all...)
}
