package emul

import (
	"fmt"
	"math"
	"time"
)

// A UGVBody is what an ESP32 board moves, feels and shows. Nil functions are parts that are not there. The board calls them from
// [UGV.Advance] only.
type UGVBody struct {
	// Drive sets the duties of the two bridges, −1 to 1.
	Drive func(left, right float64)
	// Turned are the distances of the wheels' rims in millimeters.
	Turned func() (left, right float64)
	// Inertia is the specific force in mm/s² and the rotation in rad/s.
	Inertia func() (accel, gyro [3]float64)
	Volts   func() float64
	// Lamps sets the two switched outputs, 0 to 1.
	Lamps  func(io4, io5 float64)
	Screen func(lines [4]string)
}

// UGVOptions describe a board and the robot that it is built into.
type UGVOptions struct {
	// Start is the instant at which it gets power.
	Start time.Time
	// ROS chooses the ROS Driver firmware, version 0.96; else it is the General Driver, version 0.95.
	ROS bool
	// Wheels is the main type of the robot that the board is really in, 1 to 3: what its encoders and motors' wires are like.
	Wheels int
	// Running means that it started long ago, with the defaults of a start.
	Running bool
	// Boot is how long a start takes. 0 means 4 s, and 2.5 s for ROS.
	Boot time.Duration
}

// A UGV is the ESP32 board of a Waveshare UGV or WAVE ROVER behind its serial port, written from the two firmwares' public sources as
// hardware/README.md lists them. It implements [hardware.Serial] for the host's end of the cable.
//
// It keeps its own time: [UGV.Advance] runs its program up to an instant. It has no lock; it belongs to a world and is used under the
// world's lock.
type UGV struct {
	opt  UGVOptions
	body UGVBody
	now  time.Time
	up   ugvWire // from the board to the host
	down ugvWire // from the host to the board
	// gone, cut and off are faults: no port, no wires between, no power.
	gone, cut, off bool

	next    time.Time // of the program's next loop
	booted  bool
	bootAt  time.Time // its setup is done
	spoken  int       // lines of the start that were written
	line    []byte    // what was received of a line
	yaw     float64   // rad
	yawAt   time.Time
	volts   float64
	voltsAt time.Time

	ugvMemory
}

// ugvMemory is what a reset of the board clears.
type ugvMemory struct {
	main, module int
	echo, flow   bool
	gap          time.Duration // least time between two flow messages
	flowAt       time.Time
	info         int // T 605
	timeout      int64
	motionAt     time.Time // newest command that counts as motion
	stoppedOnce  bool      // by the time-out, which does not do it again
	want         [2]float64
	pid          bool // the speed control runs
	raw          [2]float64
	sum          [2]float64 // integral parts, timer counts
	out          [2]float64 // timer counts, −255 to 255
	rate         [2]float64 // T 138
	p, i         float64
	counted      [2]int64   // encoder counts at the last control step
	zeroMM       [2]float64 // rims at the start
	speed        [2]float64
	controlAt    time.Time
	odometer     [2]float64 // meters
	screen       [4]string
	lamps        [2]float64
	blink        bool // open loop: the next message shows the timer counts as speeds
}

// Times of the board. Those of the sources are the time-out, the volts' age and the text's; the loop and the control step are estimates.
const (
	ugvByte      = 10 * time.Second / 115200
	ugvLoop      = time.Millisecond
	ugvControl   = 10 * time.Millisecond
	ugvTimeout   = 3000 // ms
	ugvVoltsAge  = 10 * time.Second
	ugvDraw      = 512 * 9 * time.Second / 400_000 // all pixels of the display at 400 kHz
	ugvReceive   = 256                             // bytes that wait for the program
	ugvTransmit  = 128                             // bytes that wait for the wire before the program waits
	ugvDocument  = 256                             // bytes of a line that can be taken apart
	ugvDeadBand  = 23                              // timer counts
	ugvFull      = 255
	ugvKernel    = 4096 // bytes that wait in the host's kernel
	ugvServoText = "{\"T\":1005,\"id\":%d,\"status\":0}"
)

// ugvKind is a robot by its main type: meters a count, and whether its motors turn the other way round.
type ugvKind struct {
	meters float64
	flip   float64
	tread  float64
}

func ugvKindOf(ros bool, main int) ugvKind {
	switch {
	case main == 1:
		return ugvKind{math.Pi * 0.0800 / 2100, 1, 0.125}
	case main == 2 && ros:
		return ugvKind{math.Pi * 0.0800 / 660, 1, 0.172}
	case main == 2:
		return ugvKind{math.Pi * 0.0800 / 1650, -1, 0.172}
	}
	return ugvKind{math.Pi * 0.0523 / 1092, -1, 0.141}
}

// NewUGV returns the board, switched on.
func NewUGV(opt UGVOptions, body UGVBody) *UGV {
	if opt.Boot == 0 {
		if opt.Boot = 4 * time.Second; opt.ROS {
			opt.Boot = 2500 * time.Millisecond
		}
	}
	b := &UGV{opt: opt, body: body, now: opt.Start}
	b.reset(opt.Start)
	if opt.Running {
		b.booted, b.spoken = true, math.MaxInt
		b.stoppedOnce = true
	}
	return b
}

// reset gives the program its state of a start.
func (b *UGV) reset(at time.Time) {
	b.ugvMemory = ugvMemory{
		main: 1, echo: !b.opt.ROS, flow: b.opt.ROS, info: 1, timeout: ugvTimeout, motionAt: at, pid: true, rate: [2]float64{1, 1}, p: 20, i: 2000,
		lamps: [2]float64{-1, -1}, controlAt: at, zeroMM: b.turned(),
	}
	if b.opt.ROS { // as its boot mission was saved
		b.main, b.gap = 2, 50*time.Millisecond
	}
	b.booted, b.bootAt, b.spoken, b.line = false, at.Add(b.opt.Boot), 0, b.line[:0]
	b.next, b.yawAt, b.voltsAt = at, at, time.Time{}
	b.write([2]float64{})
}

func (b *UGV) turned() (mm [2]float64) {
	if b.body.Turned != nil {
		mm[0], mm[1] = b.body.Turned()
	}
	return mm
}

// Reset presses the board's reset button.
func (b *UGV) Reset() { b.reset(b.now) }

// Switch switches the board's power. Without it the wheels coast and nothing is sent.
func (b *UGV) Switch(on bool) {
	switch {
	case !on:
		b.reset(b.now)
	case b.off:
		b.reset(b.now)
	}
	b.off = !on
}

// Unplug removes the host's port, or brings it back: ENODEV.
func (b *UGV) Unplug(gone bool) { b.gone = gone }

// Cut cuts the wires between port and board, or joins them again: the port stays, and no byte passes.
func (b *UGV) Cut(cut bool) { b.cut = cut }

// Say makes the board write a line of text, as its debug prints do.
func (b *UGV) Say(text string) { b.print(b.now, text) }

// Busy reports whether an order is on its way to the program.
func (b *UGV) Busy() bool { return !b.down.empty() || len(b.line) > 0 }

// Advance runs the board up to an instant.
func (b *UGV) Advance(now time.Time) {
	if now.Before(b.next) || b.off {
		b.now = later(b.now, now)
		if b.off {
			b.next = b.now
			b.down.clear()
		}
		return
	}
	for !b.next.After(now) {
		b.now = b.next
		b.next = b.next.Add(ugvLoop + b.loop(b.next))
	}
	b.now = later(b.now, now)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// loop runs the program's loop once and returns how long it was held up.
func (b *UGV) loop(now time.Time) (held time.Duration) {
	if !b.booted {
		b.boot(now)
		return 0
	}
	draws := b.screen
	b.receive(now)
	b.measure(now)
	b.heartbeat(now)
	b.control(now)
	if b.module == 2 {
		b.print(now, fmt.Sprintf(ugvServoText, 1))
		b.print(now, fmt.Sprintf(ugvServoText, 2))
	}
	if b.flow && now.Sub(b.flowAt) >= b.gap {
		b.flowAt = now
		b.base(now)
	}
	if draws != b.screen {
		held += ugvDraw
	}
	return max(held, b.up.waits(now, ugvTransmit))
}

// boot writes the lines of a start.
func (b *UGV) boot(now time.Time) {
	name, version := "General Driver", "version: 0.95"
	if b.opt.ROS {
		name, version = "ugv_base_ros.git", "version: 0.96"
	}
	start := b.bootAt.Add(-b.opt.Boot)
	said := [...]struct {
		after time.Duration
		text  string
	}{
		{50 * time.Millisecond, "ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)"},
		{400 * time.Millisecond, name},
		{500 * time.Millisecond, version},
		{b.opt.Boot, "UGV started."},
	}
	for b.spoken < len(said) && !now.Before(start.Add(said[b.spoken].after)) {
		b.print(now, said[b.spoken].text)
		b.spoken++
	}
	b.down.keep(now, ugvReceive)
	b.booted = !now.Before(b.bootAt)
	b.motionAt, b.controlAt = now, now
}

// measure keeps what the board measures by itself.
func (b *UGV) measure(now time.Time) {
	if b.body.Volts != nil && (b.voltsAt.IsZero() || now.Sub(b.voltsAt) >= ugvVoltsAge) {
		b.volts, b.voltsAt = b.body.Volts(), now
	}
}

// heartbeat stands the wheels once when no order came for the time-out. A negative one is a very long one: the comparison is unsigned.
func (b *UGV) heartbeat(now time.Time) {
	if b.timeout < 0 || b.stoppedOnce || now.Sub(b.motionAt) <= time.Duration(b.timeout)*time.Millisecond {
		return
	}
	b.pid = true
	b.want = [2]float64{}
	b.stoppedOnce = true
}

// closedLoop reports whether the program controls the speed by encoders.
func (b *UGV) closedLoop() bool { return b.opt.ROS || b.main == 3 }

// control is one step of the speed control, or sets the duty of an open-loop robot.
func (b *UGV) control(now time.Time) {
	dt := now.Sub(b.controlAt).Seconds()
	if now.Sub(b.controlAt) < ugvControl {
		return
	}
	b.controlAt = now
	kind := ugvKindOf(b.opt.ROS, b.main)
	b.encode(kind, dt)
	switch {
	case !b.pid:
		b.write(b.raw)
		return
	case !b.closedLoop():
		for i := range b.out {
			b.out[i] = wrapped(b.want[i] * 512 * b.rate[i])
		}
	default:
		for i := range b.out {
			e := b.want[i]*b.rate[i] - b.speed[i]
			b.sum[i] = clampTo(b.sum[i]+b.i*e*dt, ugvFull)
			if b.want[i] == 0 && b.speed[i] == 0 {
				b.sum[i] = 0
			}
			b.out[i] = clampTo(b.p*e+b.sum[i], ugvFull)
			if math.Abs(b.out[i]) < ugvDeadBand {
				b.out[i] = 0
			}
		}
	}
	b.write([2]float64{b.out[0] * kind.flip, b.out[1] * kind.flip})
}

// wrapped is what an eight-bit timer makes of a duty: beyond 255 it begins at 0 again.
func wrapped(v float64) float64 {
	return math.Copysign(float64(int(math.Abs(v))&0xff), v)
}

func clampTo(v, limit float64) float64 { return min(max(v, -limit), limit) }

// encode takes the encoders' counts, in the scale and direction of the kind of robot that the program was told.
func (b *UGV) encode(kind ugvKind, dt float64) {
	if b.body.Turned == nil || !b.opt.ROS && b.opt.Wheels != 3 {
		b.speed = [2]float64{}
		return
	}
	real, mm := ugvKindOf(b.opt.ROS, b.opt.Wheels), b.turned()
	for i := range mm {
		counts := int64(math.Floor((mm[i] - b.zeroMM[i]) / 1000 / real.meters * real.flip))
		meters := float64(counts-b.counted[i]) * kind.meters * kind.flip
		b.counted[i] = counts
		b.odometer[i] += meters
		b.speed[i] = meters / dt
	}
}

// write gives the bridges their duties in timer counts. The wires of some kinds of robot are the other way round.
func (b *UGV) write(counts [2]float64) {
	if b.body.Drive != nil {
		flip := ugvKindOf(b.opt.ROS, b.opt.Wheels).flip
		b.body.Drive(counts[0]/ugvFull*flip, counts[1]/ugvFull*flip)
	}
}
