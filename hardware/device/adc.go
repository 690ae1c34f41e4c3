package device

import (
	"fmt"
	"math"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ads1115"
	"github.com/robotd/robotd/hardware/chip/ads7830"
	"github.com/robotd/robotd/hardware/chip/pcf8591"
)

// A converter measures voltages.
type converter interface {
	chip
	// Volts measures one channel.
	Volts(channel int) (float64, error)
}

// A scanner is a converter whose readings are compared with each other.
type scanner interface {
	converter
	// Sample measures one channel: a value that is equal for equal conversions, and volts.
	Sample(channel int) (code int16, volts float64, err error)
}

// newScanner makes the driver of a converter as a scanner, and reports whether it has only eight bits.
func (b Board) newScanner(name string, v scale, clk hardware.Clock, health *hardware.Health) (s scanner, coarse bool, err error) {
	c, err := b.newConverter(name, v, clk, health)
	if err != nil {
		return nil, false, err
	}
	if s, ok := c.(scanner); ok {
		return s, false, nil
	}
	return eightBits{c}, true, nil
}

// eightBits is a converter of eight bits as a scanner.
type eightBits struct{ converter }

func (d eightBits) Sample(channel int) (code int16, volts float64, err error) {
	volts, err = d.Volts(channel)
	return int16(math.Round(1000 * volts)), volts, err
}

// A scale is what a converter is to measure, in volts.
type scale struct {
	most float64 // the highest voltage that comes, by which an ADS1115 gets its range
	full float64 // reference of a converter of eight bits, which does not know it
}

// newConverter makes the driver of a converter of the robot.
func (b Board) newConverter(name string, v scale, clk hardware.Clock, health *hardware.Health) (converter, error) {
	c := b.robot().Chips[name]
	switch c.Kind {
	case "ads1115":
		opts := ads1115.DefaultOpts
		opts.Volts = max(opts.Volts, ads1115.Range(v.most))
		return ads1115Volts{ads1115.New(b.Bus(clk), c.Address, clk, health, &opts)}, nil
	case "ads7830":
		return ads7830.New(b.Bus(clk), c.Address, clk, health, &ads7830.Opts{Volts: v.full}), nil
	case "pcf8591":
		return pcf8591.New(b.Bus(clk), c.Address, clk, health, &pcf8591.Opts{Volts: v.full}), nil
	default:
		return nil, fmt.Errorf("no driver for the converter %s, a %q", name, c.Kind)
	}
}

// ads1115Volts is an ADS1115 as a converter. Its driver looks only now and then whether a conversion is over. A voltmeter, with one input, gets at worst the
// voltage of the poll before; potentiometers of servos are read so often that a late chip is found, within 17 readings, before a joint counts as blocked.
type ads1115Volts struct{ *ads1115.Dev }

func (d ads1115Volts) Sample(channel int) (code int16, volts float64, err error) {
	code, err = d.Read(channel)
	return code, d.Dev.Volts(code), err
}

func (d ads1115Volts) Volts(channel int) (float64, error) {
	raw, err := d.Read(channel)
	return d.Dev.Volts(raw), err
}
