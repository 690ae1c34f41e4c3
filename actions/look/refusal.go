package look

import (
	"math"
	"time"
)

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
		if math.IsNaN(n.value) || math.IsInf(n.value, 0) {
			return refusal(n.name + " is no finite number")
		}
	}
	return ""
}

// orDefault returns v, or d if v is not positive.
func orDefault[T float64 | time.Duration](v, d T) T {
	if v > 0 {
		return v
	}
	return d
}
