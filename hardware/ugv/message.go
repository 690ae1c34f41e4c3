package ugv

import (
	"bytes"
	"encoding/json"
	"math"
)

// Scales of the ROS firmware's numbers.
const (
	accelPerG    = 8192.0
	gyroPerDegPS = 16.4
	voltsPerUnit = 0.01
	mmPerUnit    = 10.0
)

const (
	gravityMMPS2 = 9806.65
	radPerDeg    = math.Pi / 180
)

// A Base is what the board tells of itself, in the units of package hardware.
type Base struct {
	// LeftMMPS and RightMMPS are the speeds by the encoders.
	LeftMMPS, RightMMPS float64
	// LeftMM and RightMM are the odometers since the board's start, in whole centimeters cut towards 0; of the ROS firmware only.
	LeftMM, RightMM float64
	// Volts is the battery, measured anew every 10 s only.
	Volts float64
	// TempC is the board's temperature; 0 if it does not tell.
	TempC float64
}

// An Inertia is one reading of the board's inertial sensor.
type Inertia struct {
	AccelMMPS2 [3]float64
	GyroRadPS  [3]float64
}

// message has all the fields that a message of the board may have and that mean something, and those that differ from such a field
// only by case: encoding/json would take one for the other.
type message struct {
	T, L, R    number
	V, Temp    number
	Odl, Odr   number
	Ax, Ay, Az number
	Gx, Gy, Gz number
	TLow       number `json:"t"` // an arm's
	LLow       number `json:"l"` // nobody's
	RollLow    number `json:"r"`
	PitchLow   number `json:"p"`
	AbLow      number `json:"ab"` // an arm's, ROS
	TorB       number `json:"torB"`
}

// A number is a JSON number, or one written as text. Its zero value means that it was not there.
type number struct {
	v  float64
	is bool
}

// UnmarshalJSON implements json.Unmarshaler. What is no number is not there.
func (n *number) UnmarshalJSON(p []byte) error {
	v, err := json.Number(bytes.Trim(p, `"`)).Float64()
	*n = number{v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)}
	return nil
}

// Types of messages, up and down.
const (
	typeBase    = 1001
	typeInertia = 1002
	typeServo   = 1005 // a bus servo does not answer
)

// parse reads a line, and reports whether it is a JSON object with a type.
func (m *message) parse(line []byte) bool {
	*m = message{}
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	return json.Unmarshal(line, m) == nil && m.T.is
}

// firmware is the program that sends such a message of type 1001, "" if its fields are of neither.
func (m *message) firmware() Firmware {
	ros := m.Odl.is && m.Odr.is && m.Gz.is
	general := m.RollLow.is && m.PitchLow.is && m.Temp.is
	switch {
	case ros && !general:
		return ROS
	case general && !ros:
		return General
	}
	return ""
}

// arm reports whether the fields of an arm are in the message, which hide some of the sensors'.
func (m *message) arm() bool { return m.AbLow.is || m.TorB.is || m.TLow.is }

// base takes a message of type 1001 of that firmware; false if a number is missing or cannot be.
func (m *message) base(f Firmware) (b Base, ok bool) {
	if !m.L.is || !m.R.is || !m.V.is {
		return b, false
	}
	b = Base{LeftMMPS: 1000 * m.L.v, RightMMPS: 1000 * m.R.v, Volts: m.V.v, TempC: m.Temp.v}
	if f == ROS {
		b.Volts *= voltsPerUnit
		b.LeftMM, b.RightMM = mmPerUnit*m.Odl.v, mmPerUnit*m.Odr.v
	}
	return b, true
}

// inertia takes the sensor's numbers of a 1001 of the ROS firmware, or of a 1002 of the general one.
func (m *message) inertia(f Firmware) (s Inertia, ok bool) {
	for _, n := range [...]number{m.Ax, m.Ay, m.Az, m.Gx, m.Gy, m.Gz} {
		if !n.is {
			return s, false
		}
	}
	accel, gyro := gravityMMPS2/accelPerG, radPerDeg/gyroPerDegPS
	if f == General {
		accel, gyro = gravityMMPS2/1000, radPerDeg
	}
	s.AccelMMPS2 = [3]float64{m.Ax.v * accel, m.Ay.v * accel, m.Az.v * accel}
	s.GyroRadPS = [3]float64{m.Gx.v * gyro, m.Gy.v * gyro, m.Gz.v * gyro}
	return s, !m.arm()
}
