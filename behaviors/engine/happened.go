package engine

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// happened keeps when a person did last what no sensor shows later.
type happened struct{ pokedAt, tappedAt time.Time }

// take notes the events of the tick at now.
func (h *happened) take(events []behaviors.Event, now time.Time) {
	for i := range events {
		switch events[i].Payload.(type) {
		case behaviors.Poked:
			h.pokedAt = now
		case behaviors.CubeTapped:
			h.tappedAt = now
		}
	}
}
