package device

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/mpu6x"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/ugv"
)

const (
	ugvIMUPeriod     = 20 * time.Millisecond
	ugvBatteryPeriod = 100 * time.Millisecond
	// ugvFrozen identical readings of the inertial sensor are a freeze: its six values have noise.
	ugvFrozen = 25
	// ugvBiasLeast samples at least are a run of still ones: they come each 40 to 50 ms.
	ugvBiasLeast = 10
)

// ugvIMU is the board's inertial sensor. The heading is integrated from its gyroscope for both firmwares: the angles that the general one
// gives lean on a compass beside four motors, and those of the other are never updated.
type ugvIMU struct {
	ugvPart
	IMU
	seq  uint64
	same int
	raw  ugv.Inertia
}

func newUGVIMU(u ugvPart) *ugvIMU {
	p := &ugvIMU{ugvPart: u, IMU: IMU{safety: u.safety, at: never}}
	p.calibrate(u.board)
	p.bias.least = ugvBiasLeast
	p.goOn()
	return p
}

func (p *ugvIMU) Name() string          { return p.ugvPart.Name() }
func (p *ugvIMU) Period() time.Duration { return p.ugvPart.Period() }

// Open connects to the board.
func (p *ugvIMU) Open(clk hardware.Clock) error {
	p.IMU.setClock(clk)
	p.last.Learning = p.learning()
	return p.connect(clk)
}

// Poll takes the newest reading.
func (p *ugvIMU) Poll(now time.Time) (hardware.Sample, error) {
	u := &p.ugvPart
	if err := u.pump(now); err != nil {
		return u.bad(now, "read", err, &p.last)
	}
	s := &u.state
	switch {
	case !s.Ready || s.InertiaSeq == 0 || now.Sub(s.InertiaAt) > ugv.Fresh:
		return u.stale(&p.last), nil // the motors' driver restarts a board that is silent
	case s.InertiaSeq == p.seq:
		return u.good(&p.last)
	}
	p.seq = s.InertiaSeq
	if s.Inertia != p.raw {
		p.raw, p.same = s.Inertia, 0
	} else if p.same++; p.same >= ugvFrozen {
		u.health.Frozen++
		return hardware.Sample{}, u.errorWithCause(hardware.CauseFrozen, "read", "%d identical samples", p.same+1)
	}
	p.integrate(p.IMU.sinceOpen(s.InertiaAt), &mpu6x.Sample{AccelMMPS2: s.Inertia.AccelMMPS2, GyroRadPS: s.Inertia.GyroRadPS})
	p.last.Learning = p.learning()
	p.rests = u.safety.Heading(p.last.YawRad, p.bias.known, now)
	return u.good(&p.last)
}

// Apply refuses everything.
func (p *ugvIMU) Apply(_ time.Time, c hardware.Command) error { return p.ugvPart.unknownCommand(c) }

// Halt does nothing: the board measures on.
func (p *ugvIMU) Halt() error { return nil }

// ugvBattery is the battery's voltage, which the board measures every 10 s. It does not tell the current.
type ugvBattery struct {
	ugvPart
	last hardware.BatteryState
}

// Open connects to the board.
func (p *ugvBattery) Open(clk hardware.Clock) error { return p.connect(clk) }

// Poll takes the newest voltage.
func (p *ugvBattery) Poll(now time.Time) (hardware.Sample, error) {
	if err := p.pump(now); err != nil {
		return p.bad(now, "read", err, &p.last)
	}
	if !p.state.Fresh(now) {
		return p.stale(&p.last), nil
	}
	cells := float64(p.board.robot().Battery.Cells)
	volts := p.state.Volts * p.board.Calibration.Or(profile.KeyBattery, 1)
	cell := volts / cells
	if cell < minCellVolts || cell > maxCellVolts {
		return p.reject(now, "read", &p.last, "%.2f V is outside %.1f to %.1f V", volts, cells*minCellVolts, cells*maxCellVolts)
	}
	p.last = hardware.BatteryState{Volts: volts, Ratio: chargeRatio(cell), Cells: p.board.robot().Battery.Cells, LowVolts: p.board.robot().Battery.LowVolts}
	p.safety.Battery(p.board.robot(), volts, now)
	if p.board.Temperatures != nil {
		p.last.TempC, p.last.CPUTempC = p.board.Temperatures(now)
	}
	return p.good(&p.last)
}

// Apply refuses everything.
func (p *ugvBattery) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt does nothing: there is no output.
func (p *ugvBattery) Halt() error { return nil }

// ugvLights are the board's two white lights. They are as bright as the five colors together are meant to be.
type ugvLights struct {
	ugvPart
	colors [5]hardware.RGB
	last   hardware.LightsState
}

// Open connects to the board and switches the lights off.
func (p *ugvLights) Open(clk hardware.Clock) error {
	err := p.connect(clk)
	if err == nil {
		p.link.Light(0, 0)
	}
	return err
}

// Poll gives the lights that were set.
func (p *ugvLights) Poll(now time.Time) (hardware.Sample, error) {
	if err := p.pump(now); err != nil {
		return p.bad(now, "write", err, &p.last)
	}
	if !p.state.Fresh(now) {
		return p.stale(&p.last), nil
	}
	p.last.Colors = p.colors
	return p.good(&p.last)
}

// Apply sets the brightness.
func (p *ugvLights) Apply(_ time.Time, c hardware.Command) error {
	set, ok := c.(hardware.SetLights)
	if !ok {
		return p.unknownCommand(c)
	}
	p.colors = set.Colors
	level := ugvLevel(set.Colors)
	p.link.Light(level, level)
	return nil
}

// ugvLevel is the mean luminance of the colors, 0 to 255.
func ugvLevel(colors [5]hardware.RGB) uint8 {
	sum := 0.0
	for _, c := range colors {
		sum += 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
	}
	return uint8(math.Round(sum / float64(len(colors))))
}

// Halt switches the lights off.
func (p *ugvLights) Halt() error {
	p.colors = [5]hardware.RGB{}
	if p.link == nil {
		return nil
	}
	p.link.Light(0, 0)
	return nil // whoever pumps next writes it
}
