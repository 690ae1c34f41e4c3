package look

import (
	"time"

	"github.com/robotd/robotd/actions"
)

// refusal is why an action cannot be done as asked; "" if it can.
type refusal = actions.Unfit

// orDefault returns v, or d if v is not positive.
func orDefault[T float64 | time.Duration](v, d T) T {
	if v > 0 {
		return v
	}
	return d
}
