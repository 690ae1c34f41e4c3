package calibrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/mpu6x"
	"github.com/robotd/robotd/hardware/profile"
)

// How the edges are tried.
const (
	slowest     = 0.1  // of the highest speed: there no edges are taken to merge, and all is compared with it
	faster      = 1.08 // from one speed to the next
	mergedRatio = 0.03 // of the way that may be missing
	edgeMargin  = 0.92 // of the highest speed that agreed, if a higher one did not: the daemon has more to do than this step
	// The gyroscope's range is used up to there; where a turn on the spot would be faster, the other wheel turns slower.
	gyroShare = 0.85
	// unlikeTread is how far the way of the slowest turn may be from the distance between the wheels.
	unlikeTread = 0.2
	windowTime  = 1500 * time.Millisecond
	windowCount = 150.0 // counts of a wheel that are compared at least
	rampMMPS2   = 400.0 // the wheels reach their speed faster than that
)

var edgesStep = Step{
	Name: "edges", Doc: "how many edges of an encoder are counted whole: the robot turns on the spot, faster and faster, by the gyroscope",
	keys: func(*profile.Profile) []string { return []string{profile.KeyEdges} },
	lacks: func(p *profile.Profile) string {
		switch {
		case p.Drive == nil:
			return "it has no wheels"
		case p.Drive.Encoders == nil:
			return "this computer counts no edges of its wheels"
		case p.IMU == nil:
			return "it has no gyroscope"
		}
		return ""
	},
	run: edges,
}

// edges finds the highest rate of edges at which the wheels still count what the gyroscope says that they went. What is counted for a turn at
// the slowest speed is the measure, so that neither the distance between the wheels nor the gyroscope's scale must be known well.
func edges(ctx context.Context, b *Bench) (profile.Calibration, error) {
	if err := b.Operator.Do(ctx, Around, "Put the robot where it can turn on the spot for two minutes, to and fro, at last at full speed. It turns at once."); err != nil {
		return nil, err
	}
	own := *b // no limit but that of the speed
	own.Board.Calibration = maps.Clone(b.Board.Calibration)
	if own.Board.Calibration == nil {
		own.Board.Calibration = profile.Calibration{}
	}
	own.Board.Calibration[profile.KeyEdges] = math.Inf(1)
	s, err := own.open(ctx, append([]string{hardware.IMU}, own.moving()...)...)
	if err != nil {
		return nil, err
	}
	defer s.close()
	t := turner{session: s, c: b.Board.Calibration, d: b.Board.Profile.Drive}
	s.see = t.note
	if err := s.settleGyro(); err != nil {
		return nil, err
	}
	rate, merged, err := t.rise()
	if err != nil {
		return nil, err
	}
	told := "all edges were counted at the highest speed that can be tried"
	if merged {
		rate *= edgeMargin
		told = "above it edges merge"
	}
	_, _ = fmt.Fprintf(b.Out, "  %.0f counts of a wheel a second, %.0f mm/s: %s\n", rate, rate*t.mmPerCount(0), told)
	return profile.Calibration{profile.KeyEdges: rate}, nil
}

// A turner turns the robot and compares its wheels with the gyroscope.
type turner struct {
	*session
	c       profile.Calibration
	d       *profile.Drive
	motors  hardware.MotorState
	yaw     float64
	at      [2]time.Time // of motors and yaw
	renewed time.Time
}

// A reading is what the wheels and the gyroscope tell at one time.
type reading struct {
	motors hardware.MotorState
	yaw    float64
	at     [2]time.Time
}

// mmPerCount is the way of a wheel for a count: 0 left, 1 right.
func (t *turner) mmPerCount(side int) float64 {
	key := profile.Of(profile.KeyWheel, [2]string{"left", "right"}[side])
	return math.Pi * t.c.Or(key, t.d.WheelMM) / t.d.Encoders.CountsPerTurn
}

// rise turns at rising speeds, to and fro, until edges are missing or the wheels turn no faster. It returns the highest rate of edges of a wheel
// that agreed.
func (t *turner) rise() (rate float64, merged bool, err error) {
	err = t.run(settle, func(time.Time, hardware.Sample) (bool, error) { return true, nil }) // the wheels turn only with fresh cliff sensors
	if err != nil {
		return 0, false, err
	}
	tread := t.c.Or(profile.KeyTread, t.d.TreadMM)
	widest := gyroShare * float64(mpu6x.DefaultOpts.GyroDPS) * math.Pi / 180 * tread // the difference of the wheels' speeds
	top := min(t.d.LimitMMPS, t.d.MaxMMPS, widest)
	whole, way := 0.0, 1.0
	for speed := slowest * top; ; speed = min(speed*faster, top) {
		from, err := t.turn(way*speed, way*min(speed, widest-speed))
		per, counted, turned := t.compare(from)
		switch {
		case turned && whole > 0 && per < whole*(1-mergedRatio):
			return rate, true, nil // also if the drive took it for a stall
		case err != nil:
			return 0, false, err
		case !turned:
			return 0, false, errors.New("the robot does not turn, by the gyroscope, while its wheels do")
		case whole == 0 && math.Abs(per/tread-1) > unlikeTread:
			return 0, false, fmt.Errorf("at %.0f mm/s the wheels went %.1f mm for a turn of 1 rad, with %.1f mm between them; take the steps wheel and track first", speed, per, tread)
		case whole == 0:
			whole = per
		}
		rate = max(rate, counted)
		if speed >= top {
			return rate, false, nil
		}
		way = -way
	}
}

// compare returns what the wheels went for each radian since then, and the counts a second of the faster one. It tells whether the robot
// turned.
func (t *turner) compare(from reading) (mmPerRad, counts float64, turned bool) {
	span, past := t.at[0].Sub(from.at[0]).Seconds(), t.at[1].Sub(from.at[1]).Seconds()
	yaw := t.yaw - from.yaw
	if span <= 0 || past <= 0 || math.Abs(yaw) < 0.05 {
		return 0, 0, false
	}
	left, right := t.motors.LeftMM-from.motors.LeftMM, t.motors.RightMM-from.motors.RightMM
	counts = max(math.Abs(left)/t.mmPerCount(0), math.Abs(right)/t.mmPerCount(1)) / span
	return (right - left) / span / (yaw / past), counts, true
}

// turn turns with one wheel at a speed and the other one at another, backward, long enough to compare. It returns what was told when the
// wheels had reached their speeds, or at the start if they were stopped before that.
func (t *turner) turn(speed, other float64) (from reading, err error) {
	from = t.reading()
	change := math.Abs(speed-t.motors.RightMMPS) + math.Abs(other+t.motors.LeftMMPS)
	ramp := settle + time.Duration(change/2/rampMMPS2*float64(time.Second))
	if err := t.keep(speed, other, ramp); err != nil {
		return from, err
	}
	from = t.reading()
	long := windowCount * max(t.mmPerCount(0), t.mmPerCount(1)) / math.Abs(speed)
	return from, t.keep(speed, other, max(windowTime, time.Duration(long*float64(time.Second))))
}

// note takes what the motors or the gyroscope tell.
func (t *turner) note(sample hardware.Sample) {
	switch v := sample.Value.(type) {
	case *hardware.IMUState:
		t.yaw, t.at[1] = v.YawRad, t.b.Clock.Now()
	case *hardware.MotorState:
		t.motors, t.at[0] = *v, t.b.Clock.Now()
	}
}

func (t *turner) reading() reading { return reading{t.motors, t.yaw, t.at} }

// keep keeps the wheels at speeds for a time. It fails if they are stopped.
func (t *turner) keep(speed, other float64, d time.Duration) error {
	motors := t.devices[len(t.devices)-1]
	order := hardware.Drive{ID: 1, Kind: hardware.Wheels, LeftMMPS: -other, RightMMPS: speed}
	return t.run(d, func(now time.Time, sample hardware.Sample) (bool, error) {
		if now.Sub(t.renewed) >= renewal {
			t.renewed = now
			if err := motors.Apply(now, order); err != nil {
				return false, err
			}
		}
		if v, ok := sample.Value.(*hardware.MotorState); ok && v.Segment == order.ID && v.Phase != hardware.PhaseMoving {
			return false, fmt.Errorf("the wheels were stopped at %.0f mm/s (%s)", math.Abs(speed), v.Reason)
		}
		return true, nil
	})
}
