package device

import (
	"errors"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Apply starts, renews or ends a segment, or re-arms the wheels. A segment that cannot be driven is not an error; it is
// aborted, with its reason.
func (m *Motors) Apply(now time.Time, c hardware.Command) error {
	m.catchUp(now)
	switch c := c.(type) {
	case hardware.Drive:
		return m.begin(now, c)
	case hardware.StopWheels:
		return m.halt(ReasonOther)
	case hardware.AckCliff:
		m.safety.AckCliff()
		return nil
	default:
		return m.unknownCommand(c)
	}
}

// begin renews the running segment or starts a new one. A segment that has ended is not started again by its ID.
func (m *Motors) begin(now time.Time, d hardware.Drive) error {
	if why := valid(d); why != "" {
		if d.ID != 0 && d.ID != m.id { // whoever gave it reads here that it never runs
			_ = m.halt(ReasonOther)
			m.id, m.phase, m.reason = d.ID, hardware.PhaseAborted, ReasonRefuse
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
		err := m.halt(why)
		m.phase, m.reason = hardware.PhaseAborted, why
		return err
	}
	m.segment = newSegment(d, &m.wheels)
	m.segment.began, m.segment.leaseEnd = m.sinceOpen(now), now.Add(m.lease)
	m.phase, m.reason = hardware.PhaseMoving, ""
	for i := range m.wheels {
		m.wheels[i].stallFrom = never
	}
	m.safety.Guard(m.owner, m.segment.guards())
	if _, cliff := m.safety.CliffAge(now); cliff && !d.Retreat { // it came while the bridge woke: no edge will follow
		err := m.halt(ReasonCliff)
		m.phase, m.reason = hardware.PhaseAborted, ReasonCliff
		return err
	}
	return nil
}

// wakeFor wakes the bridge for a segment, or returns the reason why the segment is refused.
func (m *Motors) wakeFor(now time.Time, d hardware.Drive) string {
	st := m.safety.State()
	if st.EStop || st.Latched {
		return lowLineReason(st, ReasonFault)
	}
	if m.safety.Drained() {
		return ReasonDrain
	}
	if !d.Retreat && !m.edgeless {
		switch age, cliff := m.safety.CliffAge(now); {
		case age > cliffFresh:
			return ReasonBlind
		case cliff:
			return ReasonCliff
		}
	}
	if st.Enabled && m.clean {
		return ""
	}
	if err := m.verifyOutputsOff(); err != nil {
		m.stopByLine(ReasonFault)
		return ReasonFault
	}
	switch err := m.safety.Enable(m.owner, now); {
	case err == nil:
		m.beatAt = never
		return ""
	case !errors.Is(err, errHeldLow) && !errors.Is(err, errUnproven):
		m.powerErr = err
	}
	return lowLineReason(m.safety.State(), ReasonFault)
}

// halt ends the running segment, if any, and switches the outputs off now. If they cannot be written, the line falls;
// the next poll tries again and decides whether that is an error.
func (m *Motors) halt(reason string) error {
	if m.phase == hardware.PhaseMoving {
		m.stop(hardware.PhaseAborted, reason)
	}
	for i := range m.wheels {
		m.wheels[i].release()
	}
	if m.pwm == nil {
		return nil
	}
	if err := m.write(); err != nil {
		m.stopByLine(ReasonFault)
	}
	return nil
}
