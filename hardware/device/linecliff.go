package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// slots are the places of a cliff scan that a sensor counts for, in the order front left, front right, back left, back right. A sensor
// in the middle counts for both sides.
func slots(s profile.CliffSensor) (at []int) {
	left := 0
	if s.XMM < 0 {
		left = 2
	}
	if s.YMM >= 0 {
		at = append(at, left)
	}
	if s.YMM <= 0 {
		at = append(at, left+1)
	}
	return at
}

// cliffLayout is what a scan says of where the sensors are.
type cliffLayout struct {
	slots  [][]int // of each sensor
	mounts [4]hardware.Mount
}

func cliffLayoutOf(sensors []profile.CliffSensor) (l cliffLayout) {
	for _, s := range sensors {
		at := slots(s)
		l.slots = append(l.slots, at)
		for _, k := range at {
			l.mounts[k] = hardware.Mount{XMM: int16(math.Round(s.XMM)), YMM: int16(math.Round(s.YMM))}
		}
	}
	return l
}

// scan makes a cliff scan of what each sensor tells.
func (l *cliffLayout) scan(s *hardware.CliffState, void *[4]bool, reflectance *[4]float64) {
	*s = hardware.CliffState{AllVoid: true, Mounts: l.mounts}
	var seen [4]bool
	for i, at := range l.slots {
		s.AllVoid = s.AllVoid && void[i]
		for _, k := range at {
			s.Detected[k] = s.Detected[k] || void[i]
			if !seen[k] || reflectance[i] < s.Raw[k] {
				s.Raw[k], seen[k] = reflectance[i], true
			}
		}
	}
}

// floorSamples in a row end a void: a comparator at its threshold flickers. A void counts at once.
const floorSamples = 3

// LineCliff are one to four sensors that give yes or no: high over a void, and over what does not reflect, such as a black line. They
// start the cliff reflex like [Cliff].
type LineCliff struct {
	core
	part   *profile.Cliff
	lines  hardware.Lines
	safety *Safety
	layout cliffLayout
	inputs []input
	floor  [4]int // samples in a row that show floor
	void   [4]bool
	last   hardware.CliffState
}

// NewLineCliff returns the sensors, not opened.
func NewLineCliff(b Board, s *Safety) *LineCliff {
	p := &LineCliff{core: newCore(hardware.Cliff, cliffPeriod), part: b.robot().Cliff, lines: s.lines, safety: s}
	p.layout = cliffLayoutOf(p.part.Sensors)
	for _, sensor := range p.part.Sensors {
		p.inputs = append(p.inputs, input{name: sensor.Line})
	}
	return p
}

// Open requests the lines.
func (p *LineCliff) Open(clk hardware.Clock) error {
	p.clk = clk
	if _, err := p.read(); err != nil {
		return p.fail("open lines", err)
	}
	return nil
}

func (p *LineCliff) read() (high [4]bool, err error) {
	for i := range p.inputs {
		if high[i], err = p.inputs[i].get(p.lines); err != nil {
			return high, err
		}
	}
	return high, nil
}

// Poll reads all sensors.
func (p *LineCliff) Poll(now time.Time) (hardware.Sample, error) {
	p.health.Reads++
	high, err := p.read()
	if err != nil {
		p.health.Errors++
		return p.bad(now, "read lines", err, p.last)
	}
	var reflectance [4]float64
	for i := range p.inputs {
		if p.floor[i]++; high[i] {
			p.floor[i] = 0
		}
		switch {
		case p.floor[i] == 0:
			p.void[i] = true
		case p.floor[i] >= floorSamples:
			p.void[i] = false
		}
		if !p.void[i] {
			reflectance[i] = 1000
		}
	}
	p.layout.scan(&p.last, &p.void, &reflectance)
	p.safety.Cliff(p.last.Detected, now)
	return p.good(&p.last)
}

// Apply refuses everything.
func (p *LineCliff) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt releases the lines.
func (p *LineCliff) Halt() error {
	for i := range p.inputs {
		p.inputs[i].close()
	}
	return nil
}
