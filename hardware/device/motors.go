package device

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/pca9685"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/profile"
)

const (
	motorsPeriod = 10 * time.Millisecond
	motorsVerify = 50 * time.Millisecond
	// idleTime is how long the wheels stand before the bridge is put to sleep.
	idleTime = 400 * time.Millisecond
	// gapTime is within which a second gap in the counts is a fault.
	gapTime = time.Second
	// maxControlStep seconds are the longest step for which the gains are made. A later cycle is reckoned in steps of at most that, and
	// corrects what went wrong meanwhile more gently, because it knows nothing of how it came about.
	maxControlStep = 0.05
)

// errLostCounts says that the kernel's event queue overflowed.
var errLostCounts = errors.New("encoder lost counts")

// Motors drives the wheels: a PWM chip, the H-bridge behind it and two encoders. It controls the wheel speeds, enforces
// the lease, and is the only code that raises MOTOR_EN and moves MOTOR_BEAT.
//
// The wheels turn only while all of this holds: a segment runs, its lease has not ended, the PWM chip was verified
// within 50 ms, the cliff sensors were read within 60 ms (unless the segment retreats, or the robot has none), and [Safety] agrees. Each
// control cycle that came to its end raises MOTOR_BEAT; without it the wheels lose their power within 300 ms, whatever became of this
// process.
//
// Without encoders the duties follow from the speeds alone, distances are reckoned with the model of the motors, and no stall is noticed.
type Motors struct {
	core
	board   Board
	part    *profile.Drive
	train   drivetrain
	bridge  bridge
	outline hardware.Outline
	safety  *Safety
	// edgeless means that nothing looks down, so the wheels turn without it.
	edgeless bool
	owner    uint64 // number by which safety knows this incarnation
	lease    time.Duration
	pwm      *pca9685.Dev
	shared   *atomic.Uint64      // configurations of a chip that other devices use too; nil: ours alone
	joined   uint64              // of them, when the outputs were written last
	enc      [2]hardware.Encoder // left, right

	wheels     [2]wheel
	segment    segment
	id         uint64
	phase      hardware.Phase
	reason     string
	written    duties
	clean      bool          // every output of the chip was read back as off and only ours were written since
	at         time.Duration // of the newest cycle, since Open like those below, or never
	gapAt      time.Duration // newest cycle in which encoders lacked counts
	verifiedAt time.Duration
	idleFrom   time.Duration
	movedAt    time.Duration // newest cycle with a running segment
	beatAt     time.Duration // last beat since the bridge woke
	driven     bool          // the wheels were driven at that beat
	powerErr   error         // found when the bridge was to wake; ends the next poll
	lapse      time.Duration // for the next sample
	last       hardware.MotorState
}

// NewMotors returns the drive, not opened.
func NewMotors(b Board, s *Safety) *Motors {
	lease := b.Lease
	if lease <= 0 {
		lease = DefaultLease
	}
	m := &Motors{core: newCore(hardware.Motors, motorsPeriod), board: b, part: b.robot().Drive, edgeless: b.robot().Cliff == nil, safety: s, lease: lease}
	m.at, m.gapAt, m.verifiedAt, m.idleFrom, m.movedAt, m.beatAt = never, never, never, never, never, never
	m.train, m.bridge, m.outline = trainOf(m.part, b.Calibration), bridgeOf(m.part), outline(b.robot())
	for i, side := range [2]string{"left", "right"} {
		m.wheels[i].train = &m.train
		m.wheels[i].release()
		m.wheels[i].size(m.part, b.Calibration.Or(profile.Of(profile.KeyWheel, side), m.part.WheelMM))
	}
	if b.shared(m.part.Chip) {
		m.shared = s.chips.of(m.part.Chip)
	}
	return m
}

// Open pulls MOTOR_EN low, switches all outputs off, reads them back and requests the encoders.
func (m *Motors) Open(clk hardware.Clock) error {
	m.setClock(clk)
	owner, err := m.safety.Own(Wiring{Drive: m.part, Lease: m.lease, Cut: m.cut})
	if err != nil {
		return m.fail("open "+m.part.Enable, err)
	}
	m.owner = owner
	chip := m.board.robot().Chips[m.part.Chip]
	m.pwm = pca9685.New(m.board.Bus(clk), chip.Address, chip.FrequencyHz, clk, &m.health)
	m.pwm.Trim(m.board.oscillator(m.part.Chip))
	m.pwm.OnError(m.onBusError)
	if err := m.configure(); err != nil {
		return m.fail("initialize", err)
	}
	if err := m.openEncoders(); err != nil {
		return m.fail("open encoders", err)
	}
	return nil
}

// configure configures the chip with our outputs off and reads them back. On a chip of several devices the others' outputs go on.
func (m *Motors) configure() error {
	if m.shared == nil {
		err := m.pwm.Init()
		m.clean = err == nil // Init ends with the read-back of all outputs
		return err
	}
	configured, err := m.pwm.Join()
	if configured {
		m.shared.Add(1)
	}
	m.joined = m.shared.Load()
	if err != nil {
		return err
	}
	return m.verifyOutputsOff()
}

// openEncoders requests the encoders that are not open. Distances continue from their last values.
func (m *Motors) openEncoders() error {
	part := m.part.Encoders
	if part == nil {
		return nil
	}
	for i, pair := range [2][2]string{{part.LeftA, part.LeftB}, {part.RightA, part.RightB}} {
		if m.enc[i] != nil {
			continue
		}
		e, err := m.safety.lines.Encoder(pair[0], pair[1], part.Edges)
		if err != nil {
			return err
		}
		m.enc[i], m.wheels[i].count = e, 0
		m.gapAt = never
	}
	return nil
}

// onBusError is called after each failed attempt. A stuck bus takes longer to report than the wheels may turn without
// control, so the line falls before the repetitions.
func (m *Motors) onBusError(err error) {
	if hardware.CauseOfErrno(err) != hardware.CauseNack && m.phase == hardware.PhaseMoving {
		m.safety.Down(ReasonFault)
	}
}

// Poll runs one control cycle.
func (m *Motors) Poll(now time.Time) (s hardware.Sample, err error) {
	if op, failed := m.cycle(now); failed != nil {
		s, err = m.bad(now, op, failed, m.value())
	} else {
		m.last = m.value()
		s, err = m.good(&m.last)
	}
	s.Lapse, m.lapse = m.lapse, 0
	return s, err
}

// cycle is one control cycle. With an error it returns what failed.
func (m *Motors) cycle(now time.Time) (op string, err error) {
	at := m.sinceOpen(now)
	gap := max(at-m.at, 0)
	if m.at == never {
		gap = 0
	}
	dt := gap.Seconds()
	m.at = at
	powered := m.powered(gap, now, m.safety.Alive(m.owner, now))
	if err = m.safety.Check(); err == nil {
		err = m.checkPower(gap)
	}
	if err != nil {
		m.stopByLine(ReasonFault)
		return "check power", err
	}
	if err := m.readEncoders(dt, powered); err != nil {
		m.stopByLine(ReasonFault)
		m.closeEncoders()
		return "read encoders", err
	}
	if m.phase == hardware.PhaseMoving {
		m.movedAt = at
		if why := m.stopReason(now); why != "" {
			m.stop(hardware.PhaseAborted, why)
		}
	}
	err = m.verify(now)
	if err == nil && m.phase == hardware.PhaseMoving {
		m.drive(now, m.segment.span(at, dt))
	}
	if err == nil {
		err = m.write()
	}
	m.sleepWhenIdle()
	if err == nil {
		err = m.beat()
	}
	if err != nil {
		m.stopByLine(ReasonFault)
		return "control", err
	}
	return "", nil
}

// readEncoders takes how far the wheels turned in dt seconds. Those without encoders had power for as long as is told.
func (m *Motors) readEncoders(dt, powered float64) error {
	if m.part.Encoders == nil {
		for i := range m.wheels {
			m.wheels[i].reckon(powered)
			m.wheels[i].coast(dt - powered)
		}
		return nil
	}
	if m.enc[0] == nil || m.enc[1] == nil {
		if err := m.openEncoders(); err != nil {
			return err
		}
	}
	for i := range m.enc {
		count, whole := m.enc[i].Count()
		if !whole {
			if err := m.gap(); err != nil {
				return err
			}
		}
		m.wheels[i].measure(count, dt, whole)
	}
	return nil
}

// gap takes note that edges are missing. One gap is bridged with the speed of the wheel; if another follows soon, or the lines are gone, the
// wheels are not known any more.
func (m *Motors) gap() error {
	m.health.Rejected++
	if m.at-m.gapAt < gapTime && m.at != m.gapAt {
		return m.errorWithCause(hardware.CauseMalformed, "read encoders", "%w", errLostCounts)
	}
	m.gapAt = m.at
	return nil
}

// stopReason returns the reason to end the running segment, "" if there is none.
func (m *Motors) stopReason(now time.Time) string {
	if !m.safety.enabled() {
		return lowLineReason(m.safety.State(), ReasonFault)
	}
	if !now.Before(m.segment.leaseEnd) {
		return ReasonLease
	}
	if m.safety.Drained() {
		return ReasonDrain
	}
	if age, _ := m.safety.CliffAge(now); age > cliffFresh && !m.segment.Retreat && !m.edgeless {
		return ReasonBlind
	}
	for i := range m.wheels {
		if m.part.Encoders != nil && m.wheels[i].stalled(m.at) {
			m.health.Frozen++
			return ReasonStall
		}
	}
	return ""
}

// lowLineReason returns the reason for a low enable line.
func lowLineReason(st SafetyState, other string) string {
	switch {
	case st.EStop:
		return ReasonEStop
	case st.Latched:
		return ReasonCliff
	}
	return other
}

// verify reads the PWM chip's mode back every 50 ms, and at once if its outputs are in doubt. A chip that lost its
// configuration is initialized again with the bridge asleep.
func (m *Motors) verify(now time.Time) error {
	if m.clean && m.at-m.verifiedAt < motorsVerify {
		return nil
	}
	if !m.clean {
		if err := m.verifyOutputsOff(); err != nil {
			return err
		}
	}
	verr := m.pwm.Verify()
	if verr == nil && m.shared != nil && m.shared.Load() != m.joined { // another device configured the chip, with all outputs off
		m.stopByLine(ReasonFault)
		if err := m.configure(); err != nil {
			return err
		}
	}
	if verr != nil {
		m.stopByLine(ReasonFault)
		if err := m.heal(now, initFunc(m.configure), verr); err != nil {
			return err
		}
	}
	m.verifiedAt = m.at
	return nil
}

// verifyOutputsOff switches all outputs off and reads them back. A chip that sleeps has all outputs off, too.
func (m *Motors) verifyOutputsOff() error {
	m.written = duties{}
	off := m.pwm.AllOff
	check := m.pwm.CheckOff
	if m.shared != nil {
		off, check = m.oursOff, m.checkOursOff
	}
	if err := off(); err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	m.clean = true
	return nil
}

// oursOff switches the outputs of the motors off.
func (m *Motors) oursOff() error {
	for _, r := range m.bridge.runs {
		if err := m.pwm.Set(r.first, make([]uint16, r.end-r.first)...); err != nil {
			return err
		}
	}
	return nil
}

// checkOursOff reads the outputs of the motors and fails unless all are off.
func (m *Motors) checkOursOff() error {
	var read duties
	for _, r := range m.bridge.runs {
		if err := m.pwm.Get(r.first, read[r.first:r.end]); err != nil {
			return err
		}
	}
	if read != (duties{}) {
		return fmt.Errorf("%w: the outputs of the motors read %v instead of off", reg.ErrConfigLost, read)
	}
	return nil
}

// cut switches the outputs of the motors off beside this driver, which may hang, on a handle of the bus that needs no permit. It is
// called on any goroutine, so it uses nothing that the driver changes.
func (m *Motors) cut() error {
	frames := [][]byte{pca9685.CutFrame()}
	if m.shared != nil {
		frames = frames[:0]
		for _, r := range m.bridge.runs {
			frames = append(frames, pca9685.CutFrameOf(r.first, r.end))
		}
	}
	bus, addr := m.board.raw(nil), m.board.address(m.part.Chip)
	var last error
	for _, f := range frames {
		for range cutAttempts {
			if last = bus.Tx(addr, f, nil); last == nil {
				break
			}
		}
	}
	return last
}

// cutAttempts is how often each frame of a cut is sent if it fails.
const cutAttempts = 3

// initFunc configures something that the policy for lost configurations heals.
type initFunc func() error

func (f initFunc) Init() error   { return f() }
func (f initFunc) Verify() error { return nil }

// drive computes the duties of one control step.
func (m *Motors) drive(now time.Time, dt float64) {
	if m.part.Encoders != nil {
		rad, ok := m.safety.Points(now)
		turned, way := m.segment.turned(&m.wheels)
		m.segment.course.steer(rad, ok, turned, way, m.segment.train.treadMM)
	}
	lag, mmps, accel := m.segment.step(&m.wheels, dt)
	if done, missed := m.segment.finished(now, &m.wheels); done {
		if missed {
			m.stop(hardware.PhaseAborted, ReasonStall)
		} else {
			m.stop(hardware.PhaseDone, "")
		}
		return
	}
	for i := range m.wheels {
		w := &m.wheels[i]
		if m.part.Encoders != nil && math.Abs(lag[i]) > maxFollowMM {
			m.stop(hardware.PhaseAborted, ReasonStall)
			return
		}
		w.duty = w.control(lag[i], mmps[i], accel[i], dt)
	}
}

// write sends the duties if they changed.
func (m *Motors) write() error {
	want := m.bridge.outputs(m.wheels[0].duty, m.wheels[1].duty, m.at-m.movedAt < idleTime)
	if want == m.written {
		return nil
	}
	for _, r := range m.bridge.runs {
		if err := m.pwm.Set(r.first, want[r.first:r.end]...); err != nil {
			return err
		}
	}
	m.written = want
	return nil
}

// stop ends the running segment. The duties become 0 and go out with the next write.
func (m *Motors) stop(p hardware.Phase, reason string) {
	m.phase, m.reason = p, reason
	for i := range m.wheels {
		m.wheels[i].release()
	}
	m.safety.Guard(m.owner, [4]bool{})
}

// stopByLine stops the wheels when the chip may not respond: it pulls the line low first and marks the outputs as
// unverified.
func (m *Motors) stopByLine(reason string) {
	m.safety.Down(reason)
	m.clean = false
	if m.phase == hardware.PhaseMoving {
		m.stop(hardware.PhaseAborted, reason)
	}
}

// sleepWhenIdle puts the bridge to sleep after the wheels stood for a while.
func (m *Motors) sleepWhenIdle() {
	if m.phase == hardware.PhaseMoving || m.idleFrom == never {
		m.idleFrom = m.at
	}
	if m.at-m.idleFrom >= idleTime && m.safety.enabled() {
		m.safety.Down(ReasonIdle)
	}
}

// Deadline is the end of the lease: the actor polls at that instant too.
func (m *Motors) Deadline() time.Time {
	if m.phase == hardware.PhaseMoving {
		return m.segment.leaseEnd
	}
	return time.Time{}
}

func (m *Motors) value() hardware.MotorState {
	st := m.safety.State()
	left, right := &m.wheels[0], &m.wheels[1]
	return hardware.MotorState{
		TreadMM: m.train.treadMM, Body: m.outline, Reckoned: m.part.Encoders == nil, Edgeless: m.edgeless, Drained: m.safety.Drained(),
		LeftMMPS: left.mmps, RightMMPS: right.mmps, LeftMM: left.mm, RightMM: right.mm,
		Enabled: st.Enabled, Segment: m.id, Phase: m.phase, Reason: m.reason, CliffLatched: st.Latched,
	}
}

// Halt puts the bridge to sleep, switches the outputs off and releases the encoders.
func (m *Motors) Halt() error {
	m.stopByLine(ReasonClosed)
	for i := range m.wheels {
		m.wheels[i].release()
	}
	m.closeEncoders()
	if m.pwm == nil {
		return nil
	}
	return m.verifyOutputsOff()
}

func (m *Motors) closeEncoders() {
	for i, e := range m.enc {
		if e != nil {
			_ = e.Close()
			m.enc[i] = nil
		}
	}
}
