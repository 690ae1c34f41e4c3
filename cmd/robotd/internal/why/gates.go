package why

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// GatesOf puts the gates of a question into words, as of its tick.
func GatesOf(a *behaviors.Asked) []control.WhyGate {
	var all []control.WhyGate
	for _, g := range a.Gates(nil) {
		all = append(all, gateOf(&g))
	}
	return all
}
