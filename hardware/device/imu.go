package device

import (
	"bytes"
	"math"
	"strings"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/mpu6x"
	"github.com/robotd/robotd/hardware/profile"
)

const (
	imuPeriod = 10 * time.Millisecond
	imuVerify = 50 * time.Millisecond

	// frozenBursts identical bursts are a freeze: seven 16-bit values with noise never repeat that often.
	frozenBursts = 6

	gravityMMPS2 = 9806.65
	// tiltTime is the time constant with which the accelerometer pulls pitch and roll back from gyroscope drift.
	tiltTime = 500 * time.Millisecond
	// tiltBand is how far the acceleration may be from 1 g and still say where down is.
	tiltBand = 0.25 * gravityMMPS2
	// maxStep is the longest integration step that takes the newest rate; a longer gap means that polls were lost. Then it is the mean of the
	// rates before and after, for no longer than a robot turns that nobody controls.
	maxStep = 100 * time.Millisecond
	maxGap  = 500 * time.Millisecond
)

// allOnes is a burst from a bus without a chip. Never written.
var allOnes = mpu6x.Raw(bytes.Repeat([]byte{0xff}, len(mpu6x.Raw{})))

// IMU is the inertial sensor. The profile says how it is mounted.
type IMU struct {
	core
	board  Board
	safety *Safety
	chip   *mpu6x.Dev
	mount  [3]string
	axes   axes // mount
	rests  bool // the wheels have stood for a while
	guess  bool // a calibration told the offset

	raw        mpu6x.Raw
	same       int
	verifiedAt time.Duration // since Open, or never
	at         time.Duration // of the last burst, since Open, or never
	bias       gyroBias
	tilted     bool // pitch and roll have a start value
	last       hardware.IMUState
}

// NewIMU returns the inertial sensor, not opened.
func NewIMU(b Board, s *Safety) *IMU {
	p := &IMU{core: newCore(hardware.IMU, imuPeriod), board: b, safety: s, verifiedAt: never, at: never}
	p.calibrate(b)
	p.goOn()
	return p
}

// calibrate takes what was measured of the sensor before.
func (p *IMU) calibrate(b Board) {
	for i, axis := range [...]string{"x", "y", "z"} { // until the robot has stood still for a moment
		p.bias.rad[i] = b.Calibration.Or(profile.Of(profile.KeyGyroBias, axis), 0)
		p.guess = p.guess || p.bias.rad[i] != 0
	}
	p.mount, _ = b.Calibration.Mount(b.robot().IMU.Mount) // a calibration is checked when it is read
	p.axes = axesOf(p.mount)
}

// goOn takes the offset that the driver before this one learned: the sensor is the same one, and perhaps the robot drives and cannot learn. A
// calibration may have told another mount since.
func (p *IMU) goOn() {
	if o := p.safety.offset(); o.runs > 0 && o.mount == p.mount {
		p.bias.rad, p.bias.runs, p.bias.known = o.rad, o.runs, true
	}
}

// Mount are the sensor's axes that are taken to point forward, left and up.
func (p *IMU) Mount() [3]string { return p.mount }

// Open identifies and configures the chip and reads the configuration back.
func (p *IMU) Open(clk hardware.Clock) error {
	p.setClock(clk)
	p.chip = mpu6x.New(p.board.Bus(clk), p.board.address(p.board.robot().IMU.Chip), clk, &p.health, nil)
	return p.open(p.chip)
}

// Poll reads one burst, removes the bias and integrates.
func (p *IMU) Poll(now time.Time) (hardware.Sample, error) {
	at := p.sinceOpen(now)
	if at-p.verifiedAt >= imuVerify || p.same >= frozenBursts {
		if err := p.heal(now, p.chip, p.chip.Verify()); err != nil {
			return p.bad(now, "verify", err, p.last)
		}
		if p.same >= frozenBursts { // the power register is fine: the chip is not asleep but stuck
			return hardware.Sample{}, p.errorWithCause(hardware.CauseFrozen, "read", "%d identical samples", p.same+1)
		}
		p.verifiedAt = at
	}
	raw, err := p.chip.Read()
	if err != nil {
		return p.bad(now, "read", err, p.last)
	}
	if raw == (mpu6x.Raw{}) || raw == allOnes {
		p.verifiedAt = never // a sleeping chip reads zeros
		return p.reject(now, "read", p.last, "all bytes are %#02x", raw[0])
	}
	if raw == p.raw {
		if p.same++; p.same+1 >= frozenBursts {
			p.health.Frozen++
			p.same = frozenBursts
			return p.stale(p.last), nil // the next poll finds out why
		}
	} else {
		p.raw, p.same = raw, 0
	}
	s := p.chip.Decode(raw)
	p.integrate(at, &s)
	p.last.Learning = p.learning()
	p.rests = p.safety.Heading(p.last.YawRad, p.bias.known, now)
	return p.good(&p.last)
}

// learning reports whether nothing is known of the offset.
func (p *IMU) learning() bool { return !p.bias.known && !p.guess }

// Offset is the offset of the gyroscope that was taken away from the last reading, in rad/s about the robot's axes, and whether it was
// measured, by this driver or by one before it.
func (p *IMU) Offset() (rad [3]float64, measured bool) { return p.bias.rad, p.bias.known }

// axes are which of a sensor's axes point forward, left and up, and which of them do so with their other end.
type axes struct {
	of   [3]uint8
	back [3]bool
}

// robotAxes are those of a sensor that is mounted as the robot stands.
var robotAxes = axes{of: [3]uint8{0, 1, 2}}

// axesOf reads the names of axes, such as -y. Without names they are the robot's.
func axesOf(mount [3]string) axes {
	a := robotAxes
	for i, axis := range mount {
		name := strings.TrimPrefix(axis, "-")
		if name == "" {
			return robotAxes
		}
		a.of[i], a.back[i] = name[0]-'x', name != axis
	}
	return a
}

// turn gives a sensor's values in the robot's axes: x forward, y left, z up.
func (a *axes) turn(v *[3]float64) {
	if *a == robotAxes {
		return
	}
	own := *v
	for i := range v {
		if v[i] = own[a.of[i]]; a.back[i] {
			v[i] = -v[i]
		}
	}
}

// integrate advances yaw, pitch and roll by one sample of the sensor.
func (p *IMU) integrate(at time.Duration, s *mpu6x.Sample) {
	p.axes.turn(&s.AccelMMPS2)
	p.axes.turn(&s.GyroRadPS)
	if p.rests {
		if p.bias.add(at, s.GyroRadPS) {
			p.safety.keepOffset(offset{p.bias.rad, p.bias.runs, p.mount})
		}
	} else {
		p.bias.n, p.bias.others = 0, 0 // a slow veer is no offset
	}
	gyro := s.GyroRadPS
	for i := range gyro {
		gyro[i] -= p.bias.rad[i]
	}
	dt := at - p.at
	if p.at == never || dt < 0 {
		dt = 0
	}
	seconds := min(dt, maxGap).Seconds()
	p.at = at

	a := s.AccelMMPS2
	magnitude := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2])
	last := &p.last
	old := last.GyroRadPS
	last.AccelMMPS2, last.GyroRadPS, last.PeakAccelMMPS2 = a, gyro, magnitude
	if dt > maxStep {
		for i := range gyro {
			gyro[i] = (gyro[i] + old[i]) / 2
		}
	}
	last.YawRad += gyro[2] * seconds
	pitch, roll := math.Atan2(a[0], math.Hypot(a[1], a[2])), math.Atan2(a[1], a[2])
	if a[2] < 0 && math.Abs(a[0]) > math.Abs(a[1]) { // beyond the vertical over nose or tail
		pitch, roll = math.Atan2(a[0], a[2]), 0
	}
	if !p.tilted {
		last.PitchRad, last.RollRad, p.tilted = pitch, roll, true
		return
	}
	// Nose up turns around −y, left side up around +x.
	last.PitchRad -= gyro[1] * seconds
	last.RollRad += gyro[0] * seconds
	if math.Abs(magnitude-gravityMMPS2) < tiltBand {
		k := seconds / (seconds + tiltTime.Seconds())
		last.PitchRad += k * hardware.WrapRad(pitch-last.PitchRad)
		last.RollRad += k * hardware.WrapRad(roll-last.RollRad)
	}
	last.PitchRad, last.RollRad = hardware.WrapRad(last.PitchRad), hardware.WrapRad(last.RollRad)
}

// Apply refuses everything.
func (p *IMU) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt puts the chip to sleep.
func (p *IMU) Halt() error {
	if p.chip == nil {
		return nil
	}
	return p.chip.Halt()
}

// Limits for calling a run of gyroscope samples "still".
const (
	biasSamples = 50   // half a second
	biasSpread  = 0.04 // rad/s between the smallest and the largest: noise, but no motion
	biasLimit   = 0.40 // rad/s; an MPU-6050 may have 0.35 (20 °/s, PS-MPU-6000A 6.1), and more over temperature only when that is learned
	biasRuns    = 12   // runs of which the offset is the mean; of more it would follow the temperature too slowly
	biasStep    = 0.01 // rad/s; a later run farther away is a slow turn and not drift ...
	biasAgain   = 10   // ... unless so many in a row agree: five seconds. The chip warms by some kelvins while the robot drives, by up to 0.005 rad/s each.
)

// biasTime is how long a run takes at most, of a sensor that is read more seldom than every 10 ms.
const biasTime = 500 * time.Millisecond

// gyroBias estimates the gyroscope's offset from runs of still samples: at the start, and again each time the robot
// stands, because the offset changes with temperature.
type gyroBias struct {
	rad          [3]float64
	known        bool
	runs         int        // of which rad is the mean, at most biasRuns
	other        [3]float64 // the first of the newest runs, others of the same rest, that were too far from rad
	others       int        // how many of them agree
	n            int
	from         time.Duration // of the run, since Open
	least        int           // samples of a run that takes biasTime; 0 if each has biasSamples
	sum, low, up [3]float64
}

// add takes a still sample and reports whether the offset was learned with it.
func (b *gyroBias) add(at time.Duration, g [3]float64) bool {
	if b.n == 0 {
		b.from, b.sum, b.low, b.up = at, [3]float64{}, g, g
	}
	b.n++
	for i, v := range g {
		b.sum[i] += v
		b.low[i], b.up[i] = min(b.low[i], v), max(b.up[i], v)
		if b.up[i]-b.low[i] > biasSpread {
			b.n = 0
			return false
		}
	}
	if b.n < biasSamples && (b.least == 0 || b.n < b.least || at-b.from < biasTime) {
		return false
	}
	n := float64(b.n)
	b.n = 0
	var mean [3]float64
	for i := range mean {
		mean[i] = b.sum[i] / n
		if math.Abs(mean[i]) > biasLimit {
			return false
		}
	}
	if b.known && apart(mean, b.rad) && !b.moved(mean) {
		return false
	}
	b.others = 0
	if b.runs = min(b.runs+1, biasRuns); !b.known {
		b.runs = 1
	}
	for i, v := range mean {
		b.rad[i] += (v - b.rad[i]) / float64(b.runs)
	}
	b.known = true
	return true
}

// apart reports whether two offsets differ by more than drift.
func apart(a, b [3]float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > biasStep {
			return true
		}
	}
	return false
}

// moved reports that the offset itself is another one now: many runs in a row agree with each other. It is learned anew then.
func (b *gyroBias) moved(mean [3]float64) bool {
	if b.others == 0 || apart(mean, b.other) {
		b.other, b.others = mean, 0
	}
	if b.others++; b.others < biasAgain {
		return false
	}
	b.known = false
	return true
}
