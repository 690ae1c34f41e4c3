package motion

import "math"

// number is one parameter of an action, by its name.
type number struct {
	name  string
	value float64
}

// refusal is why an action cannot be done as asked; "" if it can.
type refusal string

// Refusal is what the completion tells people.
func (r refusal) Refusal() string { return string(r) }

// finite refuses the first parameter that is infinite or no number.
func finite(all ...number) refusal {
	for _, n := range all {
		switch {
		case math.IsNaN(n.value):
			return refusal(n.name + " is NaN; a finite number is wanted")
		case math.IsInf(n.value, 0):
			return refusal(n.name + " is infinite; a finite number is wanted")
		}
	}
	return ""
}
