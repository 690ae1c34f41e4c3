package device

import (
	"errors"
	"time"

	"github.com/robotd/robotd/hardware"
)

// powered is for how many seconds of the gap before now the wheels had power: until the one-shot ended, if there is one, or until they were
// switched off beside this driver, which hung, at cut; zero if they were not.
func (m *Motors) powered(gap time.Duration, now, cut time.Time) float64 {
	on := gap
	if m.part.Beat != "" {
		on = min(on, maxPulse)
	}
	if !cut.IsZero() {
		on = min(on, max(gap-now.Sub(cut), 0))
	}
	return on.Seconds()
}

// catchUp reckons wheels without encoders until now, if the cycle is late, before an order changes what they are driven with.
func (m *Motors) catchUp(now time.Time) {
	if m.part.Encoders != nil || m.at == never {
		return
	}
	at := m.sinceOpen(now)
	gap := at - m.at
	if gap.Seconds() <= maxControlStep {
		return
	}
	_ = m.readEncoders(gap.Seconds(), m.powered(gap, now, m.safety.hung())) // there are none that could fail
	m.at = at
}

// checkPower compares MOTOR_ON with the heartbeat if the wheels were driven in the last cycle. If the power went because no cycle
// came to its end for gap (class M), the segment ends, and the wheels turn again only after all outputs were read back as off: the
// next beat would let the old duties through.
func (m *Motors) checkPower(gap time.Duration) error {
	if err := m.powerErr; err != nil {
		m.powerErr = nil
		return m.powerError(err)
	}
	if !m.driven || m.beatAt == never {
		return nil
	}
	since, enabled := m.at-m.beatAt, m.safety.enabled()
	if enabled {
		if on, err := m.safety.Powered(); err != nil || on {
			return err
		}
		since = max(since, m.sinceOpen(m.clk.Now())-m.beatAt) // the process may have stood still in this cycle, before the line was read
		if since < minPulse {
			return m.powerError(errNoPower)
		}
	}
	m.driven = false
	if since <= maxPulse && !enabled { // the line fell for another reason, perhaps while the pulse ran
		return nil
	}
	m.lapse = max(gap, since)
	m.stopByLine(ReasonBeat)
	return nil
}

// powerError makes an actuator fault of what the circuit does wrong, and leaves the errors of a line as they are.
func (m *Motors) powerError(err error) error {
	if errors.Is(err, errPowerStays) || errors.Is(err, errNoPower) {
		return m.errorWithCause(hardware.CauseActuator, "check power", "%w", err)
	}
	return err
}

// beat raises MOTOR_BEAT at the end of a cycle. A cycle that took so long that the power is gone does not bring it back: the next
// one finds out.
func (m *Motors) beat() error {
	now := m.clk.Now()
	at := m.age.Now()
	if m.driven && m.beatAt != never && at-m.beatAt >= minPulse {
		if on, err := m.safety.Powered(); err != nil || !on {
			return err
		}
	}
	beat, err := m.safety.Beat(m.owner, now)
	if beat {
		m.beatAt, m.driven = at, m.phase == hardware.PhaseMoving
	}
	return err
}
