package ugv

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A Firmware is the program of the board.
type Firmware string

// The firmwares, by the words of a profile.
const (
	General Firmware = "general" // General Driver: WAVE ROVER, UGV01
	ROS     Firmware = "ros"     // ROS Driver: UGV Rover, UGV Beast, RaspRover, newer UGV02
)

// Limits of a speed. Beyond them the board ignores the order, or does what nobody wants.
const (
	maxClosedMPS = 1.99 // meters a second
	maxOpen      = 0.49 // of 0.498, which is full duty
	openFull     = 0.498
)

// Limits of the board's own time-out.
const (
	MinTimeout = 300 * time.Millisecond
	MaxTimeout = 500 * time.Millisecond
)

// A Config describes one board.
type Config struct {
	// Name is that of the port, for messages.
	Name     string
	Firmware Firmware
	// Main is the kind of robot as the board numbers them: 1 WAVE ROVER or RaspRover, 2 UGV02 or UGV Rover, 3 UGV01 or UGV Beast.
	Main int
	// Timeout is after how long without an order the board stops the wheels, [MinTimeout] to [MaxTimeout]. 0 means 400 ms.
	Timeout time.Duration
	// MaxMPS is the free speed of an open-loop board's wheels at full duty, meters a second.
	MaxMPS float64
	// MinDuty is the duty up to which the motors of an open-loop board do not turn, 0 to 0.9.
	MinDuty float64
}

const defaultTimeout = 400 * time.Millisecond

func (c Config) withDefaults() (Config, error) {
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	switch {
	case !slices.Contains([]Firmware{General, ROS}, c.Firmware):
		return c, fmt.Errorf("ugv: firmware %q, want %q or %q", c.Firmware, General, ROS)
	case c.Main < 1 || c.Main > 3:
		return c, fmt.Errorf("ugv: main type %d, want 1 to 3; the nearest is %d", c.Main, min(max(c.Main, 1), 3))
	case c.Timeout < MinTimeout || c.Timeout > MaxTimeout:
		return c, fmt.Errorf("ugv: time-out %v, want %v to %v; the nearest is %v", c.Timeout, MinTimeout, MaxTimeout, min(max(c.Timeout, MinTimeout), MaxTimeout))
	case !c.Closed() && c.MaxMPS <= 0:
		return c, fmt.Errorf("ugv: an open-loop board needs its free speed, which is %g m/s", c.MaxMPS)
	case !(c.MinDuty >= 0 && c.MinDuty <= 0.9):
		return c, fmt.Errorf("ugv: duty %g up to which the motors do not turn, want 0 to 0.9", c.MinDuty)
	}
	return c, nil
}

// Closed reports whether the board controls the speed of the wheels by encoders. The general firmware does for main type 3 only.
func (c Config) Closed() bool { return c.Firmware == ROS || c.Main == 3 }

// value is the number of T 1 for a wheel speed.
func (c Config) value(mps float64) float64 {
	if c.Closed() {
		return min(max(mps, -maxClosedMPS), maxClosedMPS)
	}
	if mps == 0 {
		return 0
	}
	duty := math.Copysign(c.MinDuty+(1-c.MinDuty)*math.Abs(mps)/c.MaxMPS, mps)
	return min(max(duty*openFull, -maxOpen), maxOpen)
}

// Speed is the speed that a wheel is ordered to when it is asked for one: limited, and 0 for what is no number.
func (c Config) Speed(mps float64) float64 {
	v := c.value(mps)
	switch {
	case v != v:
		return 0
	case c.Closed():
		return v
	}
	return math.Copysign(max(math.Abs(v)/openFull-c.MinDuty, 0)/(1-c.MinDuty)*c.MaxMPS, v)
}
