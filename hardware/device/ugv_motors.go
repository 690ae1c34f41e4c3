package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/ugv"
)

const (
	ugvMotorsPeriod = 20 * time.Millisecond
	// ugvGain is the speed asked for a millimeter of following error, 1/s: low, since an answer takes some 100 ms.
	ugvGain = 1.5
	// A segment is finished when the reference has arrived and the wheels are this near and slow, or, after a while, this near.
	ugvSettleMM    = 6.0
	ugvSettleRad   = 1.5 * math.Pi / 180 // of a turn: actions want 2°
	ugvSettleMMPS  = 10.0
	ugvSettleTime  = 1200 * time.Millisecond
	ugvRollTime    = 300 * time.Millisecond // after it, for the wheels to come to rest
	ugvToleranceMM = 25.0
	// ugvLeastMMPS is the least speed that is asked of a wheel which is not near its goal. The board gives no duty below 23 counts of 255; with this
	// speed the integral part of its control is there within 0.4 s. A higher one rolls too far before anything is seen of it.
	ugvLeastMMPS = 30.0
	// ugvLatency is from a motion to the board's answer to what was seen of it, s.
	ugvLatency = 0.05
	// A wheel that is asked for ugvStallMMPS and has not moved by ugvStallMM within ugvStallTime is stuck.
	ugvStallMMPS = 60.0
	ugvStallMM   = 8.0
	ugvStallTime = 1200 * time.Millisecond
)

// ugvMotors drives the wheels of a board that controls their speed itself. It enforces the lease: at its end the order to stand is written,
// and if this process cannot, the board stands by its own time-out, which is longer.
//
// The wheels turn only while all of this holds: a segment runs, its lease has not ended, the board was identified, set up and heard of
// within [ugv.Fresh], cliff sensors, if there are any, were read within 60 ms, and [Safety] agrees.
type ugvMotors struct {
	ugvPart
	part  *profile.Drive
	train drivetrain
	owner uint64
	lease time.Duration

	wheels  [2]wheel
	sides   [2]ugvSide
	yaw     ugvYaw
	segment segment
	id      uint64
	phase   hardware.Phase
	reason  string
	epoch   uint64 // of the board when the segment began
	setUps  uint64 // of the board that were counted
	seq     uint64 // of the board's newest message that was taken
	at      time.Time
	idle    time.Time // since when the wheels stand
	lapse   time.Duration
	last    hardware.MotorState
}

// ugvSide is what is known of one side's motion beside its wheel.
type ugvSide struct {
	scale    float64 // diameter of the wheel over that of the profile, by which the board counts
	asked    float64 // mm/s
	from     float64 // odometer at Open
	stuckAt  time.Time
	stuckMM  float64
	odometer float64 // distance by the odometer since Open, in whole centimeters
}

// ugvYaw is the newest heading of the inertial sensor, and by how much it changes.
type ugvYaw struct {
	rad, rate float64
	at        time.Time
}

func newUGVMotors(u ugvPart) *ugvMotors {
	lease := u.board.Lease
	if lease <= 0 {
		lease = DefaultLease
	}
	d := u.board.robot().Drive
	m := &ugvMotors{ugvPart: u, part: d, lease: lease}
	m.train = drivetrain{treadMM: u.board.Calibration.Or(profile.KeyTread, d.TreadMM), limitMMPS: min(d.LimitMMPS, d.MaxMMPS), lagS: d.LagS}
	for i, side := range [2]string{"left", "right"} {
		m.wheels[i].train = &m.train
		m.sides[i].scale = u.board.Calibration.Or(profile.Of(profile.KeyWheel, side), d.WheelMM) / d.WheelMM
	}
	return m
}

// Open connects to the board. The wheels stand.
func (m *ugvMotors) Open(clk hardware.Clock) error {
	if _, err := m.safety.UGV(m.board); err != nil {
		return m.errorWithCause(hardware.CauseGone, "open", "%w", err)
	}
	owner, err := m.safety.Own(Wiring{Drive: m.part, Lease: m.lease})
	if err != nil {
		return m.fail("own the stop path", err)
	}
	m.owner = owner
	if err := m.connect(clk); err != nil {
		return err
	}
	for i, mm := range m.state.OdometerMM {
		m.sides[i].from = mm * m.sides[i].scale
	}
	m.seq, m.epoch, m.setUps = m.state.BaseSeq, m.state.Epoch, m.state.Epoch
	return nil
}

// Poll runs one control cycle.
func (m *ugvMotors) Poll(now time.Time) (hardware.Sample, error) {
	s, err := m.cycle(now)
	s.Lapse, m.lapse = m.lapse, 0
	return s, err
}

func (m *ugvMotors) cycle(now time.Time) (hardware.Sample, error) {
	gap := max(now.Sub(m.at), 0)
	if m.at.IsZero() {
		gap = 0
	}
	m.at = now
	m.safety.Alive(m.owner, now)
	if m.phase == hardware.PhaseMoving {
		m.lapsed(gap)
	}
	if err := m.safety.Check(); err != nil { // it gives the line up when the board is not ready to be driven
		m.stopNow(ReasonFault)
		return m.bad(now, "check the stop path", err, &m.last)
	}
	if err := m.pump(now); err != nil {
		m.stopNow(ReasonFault)
		return m.bad(now, "talk to the board", err, &m.last)
	}
	m.countSetUps()
	m.measure(now, gap.Seconds())
	if m.phase == hardware.PhaseMoving {
		if why := m.stopReason(now); why != "" {
			m.stop(hardware.PhaseAborted, why)
		}
	}
	if m.phase == hardware.PhaseMoving {
		m.drive(now, m.segment.span(m.sinceOpen(now), gap.Seconds()))
	}
	m.rest(now)
	if err := m.pump(now); err != nil {
		m.stopNow(ReasonFault)
		return m.bad(now, "talk to the board", err, &m.last)
	}
	m.last = m.value()
	if !m.state.Fresh(now) {
		return m.stale(&m.last), nil
	}
	return m.good(&m.last)
}

// countSetUps counts how often the board lost what it was told and was told again (class C).
func (m *ugvMotors) countSetUps() {
	if n := m.state.Epoch; n != m.setUps {
		if m.setUps > 0 {
			m.health.Reinits++
		}
		m.setUps = n
	}
}

// lapsed ends the segment if this process stood still for so long that the board stopped the wheels.
func (m *ugvMotors) lapsed(gap time.Duration) {
	if gap > m.link.Config().Timeout {
		m.lapse = gap
		m.stop(hardware.PhaseAborted, ReasonBeat)
	}
}

// measure advances speeds and distances: by the board's speeds and odometers, or by a model of the motors if nothing measures them.
func (m *ugvMotors) measure(now time.Time, dt float64) {
	s := &m.state
	fresh := s.Fresh(now)
	for i := range m.wheels {
		w := &m.wheels[i]
		scale := m.sides[i].scale
		speed := [2]float64{s.LeftMMPS, s.RightMMPS}[i] * scale
		switch {
		case m.part.Reckons():
			target := 1000 * scale * m.link.Config().Speed(m.sides[i].asked/scale/1000)
			w.mmps += (1 - math.Exp(-dt/m.train.lagS)) * (target - w.mmps)
		case fresh:
			w.mmps += (1 - math.Exp(-dt/ugvSpeedTime)) * (speed - w.mmps)
		default:
			w.mmps = 0
		}
		w.mm += w.mmps * min(dt, m.link.Config().Timeout.Seconds())
		if s.BaseSeq != m.seq && m.link.Config().Firmware == ugv.ROS {
			m.sides[i].odometer = s.OdometerMM[i]*scale - m.sides[i].from
			w.mm = clamp(w.mm, m.sides[i].odometer-odometerMM, m.sides[i].odometer+odometerMM)
		}
	}
	m.seq = s.BaseSeq
}

const (
	ugvSpeedTime = 0.06 // seconds, filter of the board's speeds; one count in a control step may be 38 mm/s
	odometerMM   = 12.0 // between a distance and the odometer's, which is cut to centimeters at both ends and some 20 ms old
)

// stopReason returns the reason to end the running segment, "" if there is none.
func (m *ugvMotors) stopReason(now time.Time) string {
	st := m.safety.State()
	switch {
	case m.state.Epoch != m.epoch:
		return ReasonFault
	case !st.Enabled:
		return lowLineReason(st, ReasonFault)
	case !now.Before(m.segment.leaseEnd):
		return ReasonLease
	case m.safety.Drained():
		return ReasonDrain
	case !m.state.Fresh(now):
		return ReasonFault
	case m.board.robot().Cliff != nil && !m.segment.Retreat:
		if age, _ := m.safety.CliffAge(now); age > cliffFresh {
			return ReasonBlind
		}
	}
	if m.stuck(now) {
		m.health.Frozen++
		return ReasonStall
	}
	return ""
}

// stuck reports whether a wheel that is measured has been asked to turn for long and did not.
func (m *ugvMotors) stuck(now time.Time) bool {
	if m.part.Reckons() {
		return false
	}
	for i := range m.wheels {
		s, mm := &m.sides[i], m.wheels[i].mm
		if math.Abs(s.asked) < ugvStallMMPS || math.Abs(mm-s.stuckMM) > ugvStallMM || s.stuckAt.IsZero() {
			s.stuckAt, s.stuckMM = now, mm
		} else if now.Sub(s.stuckAt) >= ugvStallTime {
			return true
		}
	}
	return false
}

// drive orders the speeds of one control step.
func (m *ugvMotors) drive(now time.Time, dt float64) {
	roll := [2]float64{m.wheels[0].mmps, m.wheels[1].mmps}
	if m.segment.Kind == hardware.Turn && !m.part.Reckons() {
		if rate, ok := m.steer(now); ok {
			v := rate * m.train.treadMM / 2
			roll = [2]float64{-v, v}
		}
	}
	lag, mmps, _ := m.segment.step(&m.wheels, dt)
	if m.segment.Kind == hardware.Turn { // by how much both together miss the angle; where the middle went to is not settled
		mm := (lag[1] - lag[0]) / 2
		lag = [2]float64{-mm, mm}
	}
	if done, missed := m.finished(now, lag, roll); done {
		if missed {
			m.stop(hardware.PhaseAborted, ReasonStall)
		} else {
			m.stop(hardware.PhaseDone, "")
		}
		return
	}
	for i := range m.sides {
		v := mmps[i]
		switch {
		case m.segment.axis.done && now.Sub(m.segment.arrivedAt) >= ugvSettleTime:
			v = 0
		case m.segment.axis.done: // never in a segment of the kind Wheels
			v = m.settle(lag[i], roll[i])
		case m.segment.Kind != hardware.Wheels:
			v += ugvGain * lag[i]
		}
		m.sides[i].asked = clamp(v, -m.train.limitMMPS, m.train.limitMMPS)
	}
	left, right := &m.sides[0], &m.sides[1]
	if !m.link.Drive(now, left.asked/left.scale/1000, right.asked/right.scale/1000) {
		m.stop(hardware.PhaseAborted, ReasonFault)
	}
}

// steer corrects a turn by the heading of the inertial sensor, which tells of slip and is finer than the board's speeds. It returns the
// rotation in rad/s, and false without a heading.
func (m *ugvMotors) steer(now time.Time) (rate float64, ok bool) {
	y := &m.yaw
	rad, at, ok := m.safety.PointsBy(now, ugv.Fresh)
	if dt := at.Sub(y.at).Seconds(); dt > 0 {
		y.rate = 0
		if dt < ugv.Fresh.Seconds() {
			y.rate = (rad - y.rad) / dt
		}
		y.rad, y.at = rad, at
	}
	turned, way := m.segment.turned(&m.wheels)
	m.segment.course.steer(rad+y.rate*now.Sub(at).Seconds(), ok, turned, way, m.train.treadMM)
	return y.rate, m.segment.course.held
}

// near is how near its goal a wheel settles.
func (m *ugvMotors) near() float64 {
	if m.segment.Kind == hardware.Turn {
		return min(ugvSettleMM, ugvSettleRad*m.train.treadMM/2)
	}
	return ugvSettleMM
}

// settle is the speed of a wheel whose reference has arrived: 0 if it rolls by itself to where it is near enough, else at least one that
// turns it.
func (m *ugvMotors) settle(lag, roll float64) float64 {
	rest := lag - roll*(m.train.lagS+ugvLatency)
	if math.Abs(rest) <= m.near()/2 || rest*lag < 0 {
		return 0
	}
	return math.Copysign(max(ugvGain*math.Abs(rest), ugvLeastMMPS), rest)
}

// finished reports whether the segment has arrived, and whether it ended too far from its goal: by how much the wheels miss it, and their
// speeds.
func (m *ugvMotors) finished(now time.Time, lag, roll [2]float64) (done, missed bool) {
	s := &m.segment
	if s.Kind == hardware.Wheels || !s.axis.done {
		return false, false
	}
	if s.arrivedAt.IsZero() {
		s.arrivedAt = now
	}
	worst, fastest := 0.0, 0.0
	for i := range lag {
		worst = max(worst, math.Abs(lag[i]))
		fastest = max(fastest, math.Abs(roll[i]))
	}
	slow, late := fastest <= ugvSettleMMPS, now.Sub(s.arrivedAt)-ugvSettleTime
	if slow && worst <= m.near() {
		return true, false
	}
	return slow && late >= 0 || late >= ugvRollTime, worst > ugvToleranceMM
}

// stop ends the running segment and orders the wheels to stand.
func (m *ugvMotors) stop(p hardware.Phase, reason string) {
	m.phase, m.reason = p, reason
	for i := range m.sides {
		m.sides[i].asked, m.sides[i].stuckAt = 0, time.Time{}
	}
	if m.link != nil {
		m.link.Stop()
	}
	m.safety.Guard(m.owner, [4]bool{})
}

// stopNow stops the wheels by the stop path.
func (m *ugvMotors) stopNow(reason string) {
	m.safety.Down(reason)
	if m.phase == hardware.PhaseMoving {
		m.stop(hardware.PhaseAborted, reason)
	}
}

// rest withdraws the permission to drive after the wheels stood for a while.
func (m *ugvMotors) rest(now time.Time) {
	if m.phase == hardware.PhaseMoving || m.idle.IsZero() {
		m.idle = now
	}
	if now.Sub(m.idle) >= idleTime && m.safety.State().Enabled {
		m.safety.Down(ReasonIdle)
	}
}

// Deadline is the end of the lease.
func (m *ugvMotors) Deadline() time.Time {
	if m.phase == hardware.PhaseMoving {
		return m.segment.leaseEnd
	}
	return time.Time{}
}

// Apply begins, renews or ends a segment.
func (m *ugvMotors) Apply(now time.Time, c hardware.Command) error {
	switch c := c.(type) {
	case hardware.Drive:
		return m.begin(now, c)
	case hardware.StopWheels:
		if m.phase == hardware.PhaseMoving {
			m.stop(hardware.PhaseAborted, ReasonOther)
		}
		return nil
	case hardware.AckCliff:
		m.safety.AckCliff()
		return nil
	default:
		return m.unknownCommand(c)
	}
}

// begin renews the running segment or starts a new one. A segment that has ended is not started again by its ID.
func (m *ugvMotors) begin(now time.Time, d hardware.Drive) error {
	if why := valid(d); why != "" {
		if d.ID != 0 && d.ID != m.id { // whoever gave it reads here that it never runs
			m.stop(hardware.PhaseAborted, ReasonRefuse)
			m.id = d.ID
		}
		return m.errorWithCause(hardware.CauseCommand, "drive", "%s", why)
	}
	if d.ID == m.id {
		if m.phase == hardware.PhaseMoving && now.Before(m.segment.leaseEnd) {
			m.segment.leaseEnd = now.Add(m.lease)
			m.segment.LeftMMPS, m.segment.RightMMPS = d.LeftMMPS, d.RightMMPS
			m.safety.Guard(m.owner, m.segment.guards())
		}
		return nil
	}
	m.id = d.ID
	if why := m.wakeFor(now, d); why != "" {
		m.stop(hardware.PhaseAborted, why)
		return nil
	}
	m.segment = newSegment(d, &m.wheels)
	m.segment.began, m.segment.leaseEnd = m.sinceOpen(now), now.Add(m.lease)
	m.phase, m.reason, m.epoch = hardware.PhaseMoving, "", m.state.Epoch
	m.safety.Guard(m.owner, m.segment.guards())
	return nil
}

// wakeFor permits motion for a segment, or returns the reason why the segment is refused.
func (m *ugvMotors) wakeFor(now time.Time, d hardware.Drive) string {
	st := m.safety.State()
	if st.EStop || st.Latched {
		return lowLineReason(st, ReasonFault)
	}
	if m.safety.Drained() {
		return ReasonDrain
	}
	if m.board.robot().Cliff != nil && !d.Retreat {
		switch age, cliff := m.safety.CliffAge(now); {
		case age > cliffFresh:
			return ReasonBlind
		case cliff:
			return ReasonCliff
		}
	}
	if !m.state.Fresh(now) {
		return ReasonFault
	}
	if !st.Enabled && m.safety.Enable(m.owner, now) != nil {
		return lowLineReason(m.safety.State(), ReasonFault)
	}
	return ""
}

func (m *ugvMotors) value() hardware.MotorState {
	st := m.safety.State()
	left, right := &m.wheels[0], &m.wheels[1]
	return hardware.MotorState{
		LeftMMPS: left.mmps, RightMMPS: right.mmps, LeftMM: left.mm, RightMM: right.mm,
		TreadMM: m.train.treadMM, Body: outline(m.board.robot()), Reckoned: m.part.Reckons(), Edgeless: m.board.robot().Cliff == nil, Drained: m.safety.Drained(),
		Enabled: st.Enabled, Segment: m.id, Phase: m.phase, Reason: m.reason, CliffLatched: st.Latched,
	}
}

// Halt stands the wheels and withdraws the permission to drive.
func (m *ugvMotors) Halt() error {
	m.stopNow(ReasonClosed)
	if m.link != nil {
		m.link.Stop()
	}
	return nil
}
