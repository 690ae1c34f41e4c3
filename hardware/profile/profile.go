// Package profile describes robots as data: which buses, chips, lines and parts a robot has, how it is wired and how large it is. A
// profile is a JSON file in resources/robots/, checked like behaviors. The same profile builds the drivers of a real robot and the emulated body
// of a simulated one, so what is not a part here is nowhere.
//
// A [Profile] is not changed after it was read and may be shared.
package profile

import (
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// A Profile is one kind of robot. A part that is nil is not there: no device, its reading stays absent, and behaviors that need it say so.
type Profile struct {
	Name  string // as --robot names it, and the file: "freenove-4wd"
	Title string // for people
	Doc   string // what to know before the first start

	Buses map[string]Bus  // I²C, by name
	Ports map[string]Port // SPI and serial ports, by name
	Lines map[string]Line // GPIO lines by the name that the parts use
	Chips map[string]Chip // I²C chips, by name

	Drive      *Drive
	Head, Lift *Servo // the head nods
	Pan        *Servo // the head's second axis; it is held at 0°, ahead
	Cliff      *Cliff
	Range      *Range
	IMU        *IMU
	Battery    *Battery
	Charger    *Charger
	Touch      *Touch
	Display    *Display
	Lights     *Lights
	Speaker    *Speaker
	Vision     *Vision

	Body  Body
	World World
}

// A Bus is an I²C bus.
type Bus struct {
	Device  string // "/dev/i2c-1"
	SpeedHz float64
}

// A Port is a SPI or serial port.
type Port struct {
	Kind    string  // one of PortKinds
	Device  string  // periph's name of a SPI port, "SPI0.0"; the path of a serial port, "/dev/serial0"
	SpeedHz float64 // clock of SPI; baud of serial
}

// A Line is one GPIO line: by the kernel's name of the line, or by chip label and offset.
type Line struct {
	Name      string // "GPIO17"; "" if by offset
	Chip      string // label of the chip, "pinctrl-bcm2711"
	Offset    int
	ActiveLow bool
	Pull      string // one of Pulls
}

// MainBus is the name of the I²C bus. All drivers use it.
const MainBus = "main"

// A Chip is an I²C chip. Several parts may use one.
type Chip struct {
	Kind        string // one of ChipKinds
	Bus         string
	Address     uint16
	FrequencyHz float64 // PWM chips: of all channels
	// OscillatorHz is the clock of a PWM chip, nominally 25 MHz. A calibration replaces it.
	OscillatorHz float64
}

// A Driver is the word that chooses a part's driver, with the part's object for drivers of other modules, which read their own keys of it.
type Driver struct {
	Driver  string
	Keys    *resources.Object // nil in a profile that was not read from a file
	Foreign bool              // the word is that of another module's driver
}

// become sets the driver of a part whose word is wrong.
func (d *Driver) become(other Driver) { *d = other }

// A Drive is two wheels, or two sides of wheels that turn alike.
type Drive struct {
	Driver
	// Left and Right are the motors of each side. Those of one side get the same duty.
	Left, Right []Motor
	// Brake means that a motor at duty 0 is braked (both inputs high, or shorted); otherwise it coasts.
	Brake    bool
	Chip     string // of the PWM channels
	Encoders *Encoders
	// Enable is the line that puts all motors to sleep, Beat the line of the one-shot that must keep moving, Sense the line that reads
	// whether the motors have power. "" if there is none.
	Enable, Beat, Sense string
	Port                string // serial boards: the port
	Firmware            string // serial boards: what the board runs
	Main                int    // serial boards: kind of robot, as the board numbers them
	TimeoutMS           int    // serial boards: without an order for so long the board stops the wheels

	TreadMM float64 // distance between the wheels; of skid steering the effective one
	WheelMM float64 // diameter
	MaxMMPS float64 // free speed at full duty
	// LimitMMPS is the highest speed that is ever asked for.
	LimitMMPS float64
	LagS      float64 // time constant of a motor, seconds
	MinDuty   float64 // duty below which the motors do not turn, 0 to 1
}

// Reckons reports whether nothing measures how far the wheels turned: distances are reckoned from what they were ordered.
func (d *Drive) Reckons() bool {
	if d.Port != "" {
		return d.Firmware == "general" && d.Main != 3 // the board's own control is by encoders otherwise
	}
	return d.Encoders == nil
}

// A Motor is one motor's channels on the PWM chip. With two inputs, one carries the duty and the other is low. With a PWM channel that
// carries the duty and two inputs, these give the direction.
type Motor struct {
	Forward, Backward int // channels of the inputs
	PWM               int // channel of the duty; -1 if the inputs carry it
}

// Encoders are two quadrature encoders.
type Encoders struct {
	LeftA, LeftB, RightA, RightB string // lines
	CountsPerTurn                float64
	// Edges is how many edges of a period are counted: 4, 2 or 1. CountsPerTurn is in these.
	Edges int
	// MaxEdgesPerSecond of one wheel are counted whole; the drive keeps below. What was measured of the robot ([KeyEdges]) holds instead.
	MaxEdgesPerSecond float64
}

// maxEdges is the MaxEdgesPerSecond of a profile that has none: two wheels then take three quarters of a processor at the 120 µs that the
// slowest boards need for an edge.
const maxEdges = 3000

// leastEdges and mostEdges are the limits of MaxEdgesPerSecond.
const leastEdges, mostEdges = 10, 1e6

// A Servo is a hobby servo on a PWM channel. Its unit is degree for head and pan, millimeter for the lift.
type Servo struct {
	Driver
	Chip      string
	Channel   int
	Low, High float64 // ends of its travel
	// LowUS and HighUS are the pulses at these ends in microseconds. LowUS > HighUS means that it is mounted the other way round.
	LowUS, HighUS float64
	Speed         float64 // highest, units a second
	Feedback      *Feedback
}

// Feedback is the potentiometer of a servo.
type Feedback struct {
	Chip                string
	Channel             int
	LowVolts, HighVolts float64 // at the ends of the travel
	FullVolts           float64 // highest voltage that is to be measured: the reference of a converter of eight bits
}

// Cliff are the sensors that look down.
type Cliff struct {
	Driver
	Chip    string // analog: the converter
	Sensors []CliffSensor
	// FloorVolts is what an analog sensor gives over a white floor at contact distance.
	FloorVolts float64
	FullVolts  float64 // analog: reference of a converter of eight bits; else the highest voltage that is to be measured at least, or 0
}

// BrightFloor is how many times what it gives over a white floor a sensor must be able to give, so that a bright floor is told from a short circuit.
const BrightFloor = 1.2

// A CliffSensor is one of them. X is forward and Y left of the middle of the axle.
type CliffSensor struct {
	XMM, YMM float64
	Channel  int    // analog
	Line     string // digital: high over a void
}

// Range is the distance sensor at the front.
type Range struct {
	Driver
	Chip          string
	Reset         string // line of XSHUT; "" if none
	Trigger, Echo string // lines of a sonar
	MaxMM         float64
	XMM           float64 // of the sensor in front of the axle's middle
	ConeDeg       float64 // half of its angle
	OnHead        bool    // it nods with the head
}

// IMU is the inertial sensor.
type IMU struct {
	Driver
	Chip string
	// Mount are the sensor's axes that point forward, left and up: "x", "-y", "z", …
	Mount [3]string
}

// Battery is what measures the battery.
type Battery struct {
	Driver
	Chip    string
	Channel int     // of a converter
	Factor  float64 // of the divider before a converter: volts of the battery a volt of the channel
	// FullVolts is the highest voltage that a converter is to measure: the reference of one of eight bits.
	FullVolts float64
	ShuntOhm  float64
	Cells     int
	LowVolts  float64 // below it the robot goes home, or says so
	// EmptyVolts is below which a robot without a charger drives no more, until the battery is no longer low.
	EmptyVolts float64
	Charges    bool // a positive current means that it charges
}

// Charger are the contacts of the charger.
type Charger struct {
	Driver
	Present, Status string // lines: high on the contacts; low while charging
}

// Touch are pad and power button.
type Touch struct {
	Driver
	Pad, Button string // lines; "" if there is none
}

// Display is the face.
type Display struct {
	Driver
	Chip          string // I²C
	Port          string // SPI
	Data, Reset   string // lines of a SPI display: data or command; reset, "" if there is none
	Width, Height int
}

// Lights are the colored lights.
type Lights struct {
	Driver
	Chip  string // PWM: red, green, blue of each light from channel 0
	Port  string // SPI: WS2812
	Count int
	Order string // of the colors, "GRB"
}

// Speaker is what makes sounds.
type Speaker struct {
	Driver
	Line   string // of a buzzer
	Device string // of ALSA
}

// ALSA is the driver of a speaker that is a sound device of Linux.
const ALSA = "alsa"

// Vision is what sees: detections are posted, or come from the simulator.
type Vision struct{ Driver }

// Body is the outline of the robot, a rectangle around the middle of its axle.
type Body struct{ FrontMM, BackMM, WidthMM float64 }

// World is where the simulator puts the robot.
type World struct {
	Floor   string // one of Floors
	Charger bool   // there is one that it can dock with
}

// What stops the wheels if this process dies.
type StopKind uint8

// The kinds, from best to worst.
const (
	// StopLine: a line that a one-shot holds; the wheels stop within 300 ms whatever happens to the process.
	StopLine StopKind = iota
	// StopBoard: another processor stops the wheels when no order comes.
	StopBoard
	// StopProcess: nothing outside this process. The wheels go on for ever if it freezes or is killed.
	StopProcess
)

func (k StopKind) String() string { return [...]string{"line", "board", "process"}[k] }

// Stop is what stops the wheels if this process dies.
func (p *Profile) Stop() StopKind {
	switch {
	case p.Drive == nil:
		return StopLine
	case p.Drive.Port != "":
		return StopBoard
	case p.Drive.Enable != "" && p.Drive.Beat != "":
		return StopLine
	}
	return StopProcess
}

// Has reports whether the robot has a subsystem, by its name in package hardware.
func (p *Profile) Has(subsystem string) bool {
	switch subsystem {
	case hardware.Motors:
		return p.Drive != nil
	case hardware.Servos:
		return p.Head != nil || p.Lift != nil || p.Pan != nil
	case hardware.Cliff:
		return p.Cliff != nil
	case hardware.Range:
		return p.Range != nil
	case hardware.IMU:
		return p.IMU != nil
	case hardware.Battery:
		return p.Battery != nil
	case hardware.Charger:
		return p.Charger != nil
	case hardware.Touch:
		return p.Touch != nil
	case hardware.Display:
		return p.Display != nil
	case hardware.Lights:
		return p.Lights != nil
	case hardware.Speaker:
		return p.Speaker != nil
	case hardware.Vision:
		return p.Vision != nil
	}
	return false
}

// DriverOf is the word of the driver of a subsystem; "" if the robot has none.
func (p *Profile) DriverOf(subsystem string) string {
	if !p.Has(subsystem) {
		return ""
	}
	switch subsystem {
	case hardware.Motors:
		return p.Drive.Driver.Driver
	case hardware.Servos:
		for _, s := range []*Servo{p.Head, p.Lift, p.Pan} {
			if s != nil {
				return s.Driver.Driver
			}
		}
	case hardware.Cliff:
		return p.Cliff.Driver.Driver
	case hardware.Range:
		return p.Range.Driver.Driver
	case hardware.IMU:
		return p.IMU.Driver.Driver
	case hardware.Battery:
		return p.Battery.Driver.Driver
	case hardware.Charger:
		return p.Charger.Driver.Driver
	case hardware.Touch:
		return p.Touch.Driver.Driver
	case hardware.Display:
		return p.Display.Driver.Driver
	case hardware.Lights:
		return p.Lights.Driver.Driver
	case hardware.Speaker:
		return p.Speaker.Driver.Driver
	case hardware.Vision:
		return p.Vision.Driver.Driver
	}
	return ""
}

// Subsystems lists what the robot has, in the order of [hardware.Names].
func (p *Profile) Subsystems() []string {
	var names []string
	for _, n := range hardware.Names {
		if p.Has(n) {
			names = append(names, n)
		}
	}
	return names
}
