package device

import (
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ads1115"
	"github.com/robotd/robotd/hardware/profile"
)

const cliffPeriod = 10 * time.Millisecond

// Thresholds in reflectance, 0 (void) to 1000. Table tops read 400 and more, the void below 150.
const (
	cliffThreshold  = 300.0
	cliffHysteresis = 50.0
)

// Plausibility limits. A shorted phototransistor reads the supply voltage. An open one reads nothing, which counts as
// void and is therefore safe.
const (
	maxReflectance = 1150.0
	minReflectance = -50.0
	darkReading    = 5.0 // below it a sensor may well read the same value for ever

	// frozenScans identical scans of all four sensors, or lockedScans of one, while the wheels turn (class H). The
	// converter's noise is several steps, so even three equal scans are rare; ten are 100 ms or 17 mm of way.
	frozenScans = 10
	lockedScans = 50
)

// Cliff drives the four downward sensors on one converter. It also starts the cliff reflex: it hands each good scan to
// [Safety] before it publishes the scan.
type Cliff struct {
	core
	board  Board
	part   *profile.Cliff
	safety *Safety
	chip   *ads1115.Dev

	last      hardware.CliffState
	raw       [4]int16
	same      [4]int // scans in a row in which a sensor did not change while the wheels turned
	sameScans int
}

// NewCliff returns the cliff sensors, not opened.
func NewCliff(b Board, s *Safety) *Cliff {
	return &Cliff{core: newCore(hardware.Cliff, cliffPeriod), board: b, part: b.robot().Cliff, safety: s}
}

// Open configures the converter and reads the configuration back.
func (p *Cliff) Open(clk hardware.Clock) error {
	p.clk = clk
	p.chip = ads1115.New(p.board.Bus(clk), p.board.address(p.part.Chip), clk, &p.health, nil)
	return p.open(p.chip)
}

// Poll scans all four sensors, which takes about half the period.
func (p *Cliff) Poll(now time.Time) (hardware.Sample, error) {
	raw, err := p.scan()
	if healed := p.heal(now, p.chip, err); err != nil && healed == nil {
		raw, err = p.scan()
	} else {
		err = healed
	}
	if err != nil {
		return p.bad(now, "scan", err, p.last)
	}
	state := hardware.CliffState{Detected: p.last.Detected}
	for i, r := range raw {
		v := p.reflectance(r)
		if v < minReflectance || v > maxReflectance {
			return p.reject(now, "scan", p.last, "sensor %d reads %.0f", i, v)
		}
		state.Raw[i] = min(max(v, 0), 1000)
		switch {
		case v < cliffThreshold:
			state.Detected[i] = true
		case v > cliffThreshold+cliffHysteresis:
			state.Detected[i] = false
		}
	}
	if err := p.frozen(raw); err != nil {
		return hardware.Sample{}, err
	}
	if !p.safety.Trusted(raw) {
		return hardware.Sample{}, p.errorWithCause(hardware.CauseFrozen, "scan", "no change since the scans froze")
	}
	p.last = state
	p.safety.Cliff(state.Detected, now)
	return p.good(&p.last)
}

// scan reads all sensors. A chip that was reset since the last scan would still work, because each conversion carries its
// configuration. scan reports the reset nevertheless, because it indicates bad power.
func (p *Cliff) scan() (raw [4]int16, err error) {
	if err := p.chip.Verify(); err != nil {
		return raw, err
	}
	for i := range raw {
		if raw[i], err = p.chip.Read(i); err != nil {
			return raw, err
		}
	}
	return raw, nil
}

// frozen counts scans without change. It counts only while the wheels turn, because a standing robot may well read the
// same values.
func (p *Cliff) frozen(raw [4]int16) error {
	old := p.raw
	p.raw = raw
	if !p.safety.Turning() {
		p.same, p.sameScans = [4]int{}, 0
		return nil
	}
	if raw != old || p.dark(raw) {
		p.sameScans = 0
	} else {
		p.sameScans++
	}
	locked := -1
	var suspect [4]bool
	for i := range raw {
		if raw[i] != old[i] || p.reflectance(raw[i]) < darkReading {
			p.same[i] = 0
		} else if p.same[i]++; p.same[i] >= lockedScans {
			locked = i
		}
		suspect[i] = p.same[i] >= frozenScans
	}
	switch {
	case p.sameScans >= frozenScans:
		p.health.Frozen++
		p.safety.Distrust(suspect, raw)
		return p.errorWithCause(hardware.CauseFrozen, "scan", "%d identical scans while the wheels turn", p.sameScans)
	case locked >= 0:
		p.health.Frozen++
		p.safety.Distrust(suspect, raw)
		return p.errorWithCause(hardware.CauseFrozen, "scan", "sensor %d: %d identical values while the wheels turn", locked, lockedScans)
	}
	return nil
}

// dark reports whether all sensors look into the void.
func (p *Cliff) dark(raw [4]int16) bool {
	for _, r := range raw {
		if p.reflectance(r) >= darkReading {
			return false
		}
	}
	return true
}

// reflectance converts a raw converter value to 0 (void) to 1000.
func (p *Cliff) reflectance(raw int16) float64 { return p.chip.Volts(raw) / p.part.FloorVolts * 1000 }

// Apply refuses everything.
func (p *Cliff) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt does nothing: the sensors have no output.
func (p *Cliff) Halt() error { return nil }
