package calibrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
)

// How the ends of a servo without feedback are sought, in shares of its travel. From the first place it moves outwards by one step after the
// other until it touches; if it touches there already, the search begins farther inside.
const (
	endStep   = 0.015
	endNear   = 0.12 // inside of the profile's end
	endFar    = 0.3
	endBeyond = 0.28 // outside of it
	endTime   = 400 * time.Millisecond
	moveStep  = 0.02 // of the travel in each servos' period: about two thirds of a second for all of it
)

// servo is a joint's servo in the profile, nil if there is none.
func servo(p *profile.Profile, joint string) *profile.Servo {
	return map[string]*profile.Servo{"head": p.Head, "lift": p.Lift, "pan": p.Pan}[joint]
}

// unmeasured are the PWM chips of servos without feedback.
func unmeasured(p *profile.Profile) (chips []string) {
	for _, joint := range [...]string{"head", "pan", "lift"} {
		if s := servo(p, joint); s != nil && s.Feedback == nil && s.Chip != "" && !slices.Contains(chips, s.Chip) {
			chips = append(chips, s.Chip)
		}
	}
	return chips
}

var oscillatorStep = Step{
	Name: "oscillator", Doc: "the clock of the servos' PWM chip, by a meter or an oscilloscope that shows the frequency of its pulses",
	keys: func(p *profile.Profile) (keys []string) {
		for _, chip := range unmeasured(p) {
			keys = append(keys, profile.Of(profile.KeyOscillator, chip))
		}
		return keys
	},
	lacks: func(p *profile.Profile) string {
		switch {
		case p.Head == nil && p.Lift == nil && p.Pan == nil:
			return "it has no servos"
		case len(unmeasured(p)) == 0:
			return "its servos have potentiometers, from which it learns their pulses while it lives"
		}
		return ""
	},
	run: oscillator,
}

func oscillator(ctx context.Context, b *Bench) (profile.Calibration, error) {
	s, servos, err := b.servos(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := s.hold(endTime); err != nil {
		return nil, err
	}
	c := profile.Calibration{}
	for _, chip := range unmeasured(b.Board.Profile) {
		told := servos.Frequency(chip)
		hz, err := b.Operator.Number(ctx, Hertz(chip), fmt.Sprintf(
			"The chip %s should give %.2f pulses a second at each servo's signal pin. What does the meter show, in Hz?", chip, told))
		if err != nil {
			return nil, err
		}
		key := profile.Of(profile.KeyOscillator, chip)
		clock := b.Board.Calibration.Or(key, b.Board.Profile.Chips[chip].OscillatorHz)
		if !(math.Abs(hz/told-1) <= 0.12) {
			return nil, fmt.Errorf("%.2f Hz are not what a chip gives that should give %.2f Hz; want %.2f to %.2f Hz", hz, told, told*0.88, told*1.12)
		}
		c[key] = clock * hz / told
		maps.Copy(c, b.rescaled(chip, hz/told))
	}
	return c, nil
}

// rescaled are the pulses at the ends of servos on a chip that were measured by a clock that is wrong by a factor.
func (b *Bench) rescaled(chip string, factor float64) profile.Calibration {
	c := profile.Calibration{}
	for _, joint := range [...]string{"head", "pan", "lift"} {
		s := servo(b.Board.Profile, joint)
		for _, key := range [...]string{profile.Of(profile.KeyServoLow, joint), profile.Of(profile.KeyServoHigh, joint)} {
			if us, ok := b.Board.Calibration[key]; ok && s != nil && s.Chip == chip {
				c[key] = us / factor
			}
		}
	}
	return c
}

// servos opens the servos.
func (b *Bench) servos(ctx context.Context) (*session, *device.Servos, error) {
	s, err := b.open(ctx, hardware.Servos)
	if err != nil {
		return nil, nil, err
	}
	d, ok := s.devices[0].(*device.Servos)
	if !ok {
		s.close()
		return nil, nil, errForeign
	}
	return s, d, nil
}

// hold lets time pass.
func (s *session) hold(d time.Duration) error {
	return s.run(d, func(time.Time, hardware.Sample) (bool, error) { return true, nil })
}

// endsStep is the step of a joint's servo.
func endsStep(joint string) Step {
	return Step{
		Name: joint, Doc: "the pulses at the ends of the travel of its servo, which moves in small steps until it touches",
		keys: func(*profile.Profile) []string {
			return []string{profile.Of(profile.KeyServoLow, joint), profile.Of(profile.KeyServoHigh, joint)}
		},
		lacks: func(p *profile.Profile) string {
			switch s := servo(p, joint); {
			case s == nil:
				return "it has no such servo"
			case s.Feedback != nil:
				return "its potentiometer teaches the pulses while it lives"
			}
			return ""
		},
		run: func(ctx context.Context, b *Bench) (profile.Calibration, error) { return ends(ctx, b, joint) },
	}
}

func ends(ctx context.Context, b *Bench, joint string) (profile.Calibration, error) {
	s, servos, err := b.servos(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	part := servo(b.Board.Profile, joint)
	t := &trial{session: s, servos: servos, joint: joint, part: part, at: (part.LowUS + part.HighUS) / 2}
	low, err := t.end(false)
	if err != nil {
		return nil, err
	}
	high, err := t.end(true)
	if err != nil {
		return nil, err
	}
	return profile.Calibration{profile.Of(profile.KeyServoLow, joint): low, profile.Of(profile.KeyServoHigh, joint): high}, nil
}

// A trial moves one servo by pulses.
type trial struct {
	*session
	servos *device.Servos
	joint  string
	part   *profile.Servo
	at     float64 // the pulse in µs
}

// errInside means that the servo touches before it is near its end.
var errInside = errors.New("touches at once")

// end is the pulse a step before the servo touches an end of its travel.
func (t *trial) end(high bool) (us float64, err error) {
	if us, err = t.search(high, endNear); errors.Is(err, errInside) {
		us, err = t.search(high, endFar)
	}
	if errors.Is(err, errInside) {
		return 0, fmt.Errorf("it touches the %s end %.0f %% of its travel before the profile's; look at low_us and high_us of the profile", side(high), 100*endFar)
	}
	return us, err
}

func (t *trial) search(high bool, inside float64) (us float64, err error) {
	edge, out := t.part.LowUS, (t.part.LowUS-t.part.HighUS)*endStep
	if high {
		edge, out = t.part.HighUS, -out
	}
	first := edge - out/endStep*inside
	for k := 0; float64(k)*endStep <= inside+endBeyond; k++ {
		if err := t.move(first + out*float64(k)); err != nil {
			return 0, err
		}
		touches, err := t.b.Operator.Yes(t.ctx, Question{t.joint, high}, fmt.Sprintf("The %s is near its %s end (%.0f µs). Does it touch, or hum without moving?", t.joint, side(high), t.at))
		switch {
		case err != nil:
			return 0, err
		case touches && k == 0:
			return 0, errInside
		case touches:
			free := t.at - out
			return free, t.move(free - out)
		}
	}
	return 0, fmt.Errorf("it does not touch its %s end, %.0f %% of its travel beyond the profile's; look at low_us and high_us of the profile", side(high), 100*endBeyond)
}

func side(high bool) string {
	if high {
		return "high"
	}
	return "low"
}

// move lets the servo go to a pulse, not faster than all of its travel in a second, and rest there.
func (t *trial) move(us float64) error {
	most := moveStep * math.Abs(t.part.HighUS-t.part.LowUS)
	for t.at != us {
		t.at += min(max(us-t.at, -most), most)
		if err := t.servos.Try(t.joint, t.at); err != nil {
			return err
		}
		if err := t.hold(t.servos.Period()); err != nil {
			return err
		}
	}
	return t.hold(endTime)
}
