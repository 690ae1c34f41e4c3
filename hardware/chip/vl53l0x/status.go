package vl53l0x

import "fmt"

// A Status is the device status of one measurement, bits 6 to 3 of its first byte.
type Status uint8

// A Class is what a status means to somebody who looks for obstacles.
type Class uint8

// The classes.
const (
	Invalid  Class = iota // no measurement, or one too noisy: nothing is known
	Valid                 // the distance is one
	NoTarget              // nothing seen; black, glossy and slanted surfaces give that as well
	Near                  // perhaps something nearer than the chip can measure: never "free"
	Fault                 // the chip itself failed
)

// statuses are named as in ST's interface (VL53L0X_DEVICEERROR_…).
var statuses = [16]struct {
	class Class
	name  string
}{
	0:  {Invalid, "no measurement"},
	1:  {Fault, "VCSEL continuity test failed"},
	2:  {Fault, "VCSEL watchdog test failed"},
	3:  {Fault, "no VHV value found"},
	4:  {NoTarget, "signal too weak"},
	5:  {Invalid, "signal to noise"},
	6:  {NoTarget, "range phase check"},
	7:  {Invalid, "sigma threshold"},
	8:  {Near, "TCC"},
	9:  {NoTarget, "phase consistency"},
	10: {Near, "nearer than the minimum"},
	11: {Valid, "range complete"},
	12: {Near, "algorithm underflow"},
	13: {NoTarget, "algorithm overflow"},
	14: {Invalid, "range ignore threshold"},
	15: {Invalid, "not defined"},
}

// Class is what the status means.
func (s Status) Class() Class { return statuses[s&15].class }

// String is the status in words, with its number.
func (s Status) String() string { return fmt.Sprintf("%s (status %d)", statuses[s&15].name, uint8(s)) }
