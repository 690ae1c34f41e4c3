package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware/profile"
)

// drainTime is the time constant over which the voltage is averaged before a battery counts as empty: it sags while wheels start.
const drainTime = 10 * time.Second

// charge is what the battery's driver tells the motors of a robot without a charger, each without the other's mailbox. Guarded by Safety.mu.
type charge struct {
	volts float64 // averaged
	at    time.Time
	empty bool
}

// Battery takes the voltage of the battery. If the robot has no charger, it drives no more once the mean is below the profile's EmptyVolts,
// and again when it is above LowVolts: a battery recovers when the load is gone, and would stop the wheels again at once.
func (s *Safety) Battery(p *profile.Profile, volts float64, now time.Time) {
	part := p.Battery
	if p.Charger != nil || part == nil || part.EmptyVolts <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.charge
	if c.at.IsZero() {
		c.volts = volts
	} else {
		c.volts += (1 - math.Exp(-now.Sub(c.at).Seconds()/drainTime.Seconds())) * (volts - c.volts)
	}
	c.at = now
	switch {
	case c.volts < part.EmptyVolts:
		c.empty = true
	case c.volts > part.LowVolts:
		c.empty = false
	}
}

// Drained reports whether the wheels stand because the battery is empty.
func (s *Safety) Drained() bool {
	s.mu.Lock()
	empty := s.charge.empty
	s.mu.Unlock()
	return empty
}
