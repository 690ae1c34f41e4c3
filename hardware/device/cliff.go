package device

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/robotd/robotd/hardware"
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
	// coarseScans identical scans are a freeze of a converter of eight bits. Its steps of 20 mV hide the noise, so a single sensor may well
	// read the same value for long, and all of them for a while.
	coarseScans = 200
)

// Cliff drives up to four downward sensors on one converter. It also starts the cliff reflex: it hands each good scan to
// [Safety] before it publishes the scan.
type Cliff struct {
	core
	board  Board
	part   *profile.Cliff
	layout cliffLayout
	safety *Safety
	chip   scanner
	coarse bool       // it has eight bits
	floor  [4]float64 // volts of each sensor over the floor

	last      hardware.CliffState
	void      [4]bool // by sensor
	raw       [4]int16
	same      [4]int // scans in a row in which a sensor did not change while the wheels turned
	sameScans int
}

// NewCliff returns the cliff sensors, not opened.
func NewCliff(b Board, s *Safety) *Cliff {
	p := &Cliff{core: newCore(hardware.Cliff, cliffPeriod), board: b, part: b.robot().Cliff, safety: s}
	p.layout = cliffLayoutOf(p.part.Sensors)
	for i := range p.floor {
		p.floor[i] = b.Calibration.Or(profile.Of(profile.KeyFloor, strconv.Itoa(i)), p.part.FloorVolts)
	}
	return p
}

// Open configures the converter and reads the configuration back.
func (p *Cliff) Open(clk hardware.Clock) (err error) {
	p.clk = clk
	v := scale{most: max(p.part.FullVolts, profile.BrightFloor*slices.Max(p.floor[:])), full: p.part.FullVolts}
	if p.chip, p.coarse, err = p.board.newScanner(p.part.Chip, v, clk, &p.health); err != nil {
		return p.errorWithCause(hardware.CauseOther, "open", "%w", err)
	}
	return p.open(p.chip)
}

// Poll scans all four sensors, which takes about half the period.
func (p *Cliff) Poll(now time.Time) (hardware.Sample, error) {
	raw, volts, err := p.scan()
	if err != nil {
		if err = p.heal(now, p.chip, err); err == nil {
			raw, volts, err = p.scan()
		}
	}
	if err != nil {
		return p.bad(now, "scan", err, p.last)
	}
	void, shown := p.void, [4]float64{}
	for i := range p.part.Sensors {
		v := p.reflectance(i, volts[i])
		if v < minReflectance || v > maxReflectance {
			return p.reject(now, "scan", p.last, "sensor %d reads %.0f", i, v)
		}
		shown[i] = clamp(v, 0, 1000)
		switch {
		case v < cliffThreshold:
			void[i] = true
		case v > cliffThreshold+cliffHysteresis:
			void[i] = false
		}
	}
	if err := p.frozen(raw, volts); err != nil {
		return hardware.Sample{}, err
	}
	if !p.safety.Trusted(raw) {
		return hardware.Sample{}, p.errorWithCause(hardware.CauseFrozen, "scan", "no change since the scans froze")
	}
	p.void = void
	p.layout.scan(&p.last, &void, &shown)
	p.safety.Cliff(p.last.Detected, now)
	return p.good(&p.last)
}

// scan reads all sensors. A chip that was reset since the last scan would still work, because each conversion carries its
// configuration. scan reports the reset nevertheless, because it indicates bad power. What it reads for that also tells an ADS1115's driver whether
// the last conversion of the scan before came to its end, which that driver does not ask after each one.
func (p *Cliff) scan() (raw [4]int16, volts [4]float64, err error) {
	if err := p.chip.Verify(); err != nil {
		return raw, volts, err
	}
	for i := range p.part.Sensors {
		if raw[i], volts[i], err = p.chip.Sample(p.part.Sensors[i].Channel); err != nil {
			return raw, volts, err
		}
	}
	return raw, volts, nil
}

// Volts measures what each sensor gives, whether or not it is plausible. It is for calibration: the reflex does not learn of it.
func (p *Cliff) Volts() (volts [4]float64, err error) {
	_, volts, err = p.scan()
	return volts, err
}

// frozen counts scans without change. It counts only while the wheels turn, because a standing robot may well read the
// same values.
func (p *Cliff) frozen(raw [4]int16, volts [4]float64) error {
	old := p.raw
	p.raw = raw
	if !p.safety.Turning() {
		p.same, p.sameScans = [4]int{}, 0
		return nil
	}
	held := false // one that is not dark reads the same again
	for i := range p.part.Sensors {
		if raw[i] != old[i] || p.reflectance(i, volts[i]) < darkReading {
			p.same[i] = 0
		} else {
			p.same[i]++
			held = true
		}
	}
	if !held {
		p.sameScans = 0
		return nil
	}
	if p.sameScans++; raw != old {
		p.sameScans = 0
	}
	locked, frozen, lock := -1, p.scaled(frozenScans), p.scaled(lockedScans)
	if p.coarse {
		frozen, lock = coarseScans, math.MaxInt
	}
	var suspect [4]bool
	for i, same := range p.same {
		if same >= lock {
			locked = i
		}
		suspect[i] = same >= frozen
	}
	switch {
	case p.sameScans >= frozen:
		p.health.Frozen++
		p.safety.Distrust(suspect, raw)
		return p.errorWithCause(hardware.CauseFrozen, "scan", "%d identical scans while the wheels turn", p.sameScans)
	case locked >= 0:
		p.health.Frozen++
		p.safety.Distrust(suspect, raw)
		return p.errorWithCause(hardware.CauseFrozen, "scan", "sensor %d: %d identical values while the wheels turn", locked, p.same[locked])
	}
	return nil
}

// reflectance is 0 (void) to 1000.
func (p *Cliff) reflectance(sensor int, volts float64) float64 {
	return volts / p.floor[sensor] * 1000
}

// Apply refuses everything.
func (p *Cliff) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt does nothing: the sensors have no output.
func (p *Cliff) Halt() error { return nil }
