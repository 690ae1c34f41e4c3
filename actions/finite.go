package actions

import "math"

// A Parameter is a number that an action was given, with its name.
type Parameter struct {
	name  string
	value float64
}

// Num is the parameter of a name.
func Num(name string, value float64) Parameter { return Parameter{name, value} }

// An Unfit says why an action cannot be done as asked; it is empty if it can. Actions embed it and so are Refusers.
type Unfit string

// Refusal is what the completion tells people.
func (u Unfit) Refusal() string { return string(u) }

// Finite finds the first parameter unfit that is infinite or no number.
func Finite(all ...Parameter) Unfit {
	for _, p := range all {
		switch {
		case math.IsNaN(p.value):
			return Unfit(p.name + " is NaN; a finite number is wanted")
		case math.IsInf(p.value, 0):
			return Unfit(p.name + " is infinite; a finite number is wanted")
		}
	}
	return ""
}
