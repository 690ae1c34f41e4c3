package actorstest

import "github.com/robotd/robotd/behaviors"

// Refusal is why the newest request of a Control was refused, as an error; nil if it was not. What the request itself answered may be
// handed in and does not matter.
func Refusal(c *behaviors.Control, _ ...bool) error {
	if r := c.Refusal(); r != nil {
		return r
	}
	return nil
}
