package device

import (
	"slices"
	"sync/atomic"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/pca9685"
)

// A servoChip is a PWM chip with the pulses of servos, and perhaps with outputs of other devices.
type servoChip struct {
	pwm     *pca9685.Dev
	shared  *atomic.Uint64 // configurations of a chip that other devices use too; nil: ours alone
	joined  uint64         // of them, when the pulses were written last
	runs    []run          // of our channels
	written duties
}

func (p *Servos) newChip(name string, clk hardware.Clock) *servoChip {
	chip := p.board.robot().Chips[name]
	c := &servoChip{pwm: pca9685.New(p.board.Bus(clk), chip.Address, chip.FrequencyHz, clk, &p.health)}
	c.pwm.Trim(p.board.oscillator(name))
	if p.board.shared(name) {
		c.shared = p.safety.chips.of(name)
	}
	var ours []int
	for _, j := range p.joints {
		if j.part.Chip == name {
			ours = append(ours, j.part.Channel)
		}
	}
	c.runs = runsOf(ours)
	return c
}

// Init configures the chip with our pulses off. On a chip of several devices the others' outputs go on.
func (c *servoChip) Init() error {
	c.written = duties{}
	if c.shared == nil {
		return c.pwm.Init()
	}
	configured, err := c.pwm.Join()
	if configured {
		c.shared.Add(1)
	}
	c.joined = c.shared.Load()
	if err != nil || configured {
		return err
	}
	return c.off()
}

// Verify fails with [reg.ErrConfigLost] if the chip lost its configuration. If another device configured it, our pulses are written again.
func (c *servoChip) Verify() error {
	if err := c.pwm.Verify(); err != nil {
		return err
	}
	if c.shared != nil && c.shared.Load() != c.joined {
		c.joined, c.written = c.shared.Load(), duties{}
	}
	return nil
}

// write sends the pulses if they changed.
func (c *servoChip) write(want duties) error {
	if want == c.written {
		return nil
	}
	for _, r := range c.runs {
		if err := c.pwm.Set(r.first, want[r.first:r.end]...); err != nil {
			return err
		}
	}
	c.written = want
	return nil
}

// off switches our pulses off.
func (c *servoChip) off() error {
	c.written = duties{}
	if c.shared == nil {
		return c.pwm.Halt()
	}
	for _, r := range c.runs {
		if err := c.pwm.Set(r.first, make([]uint16, r.end-r.first)...); err != nil {
			return err
		}
	}
	return nil
}

// runsOf are the rows of neighboring channels.
func runsOf(channels []int) (runs []run) {
	slices.Sort(channels)
	for _, ch := range slices.Compact(channels) {
		if n := len(runs); n > 0 && runs[n-1].end == ch {
			runs[n-1].end++
			continue
		}
		runs = append(runs, run{ch, ch + 1})
	}
	return runs
}
