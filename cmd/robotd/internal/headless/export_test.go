package headless

import (
	"time"

	"github.com/robotd/robotd/behaviors/engine"
)

// Fated is a life in the eyes of a line of its script, for tests.
type Fated struct{ h *run }

// LineFor makes a line of a script that no text says.
func LineFor(at time.Duration, do func(*Fated) error) Line {
	return Line{At: at, Text: "test", do: func(h *run) error { return do(&Fated{h}) }}
}

// Wake posts the trigger word.
func (f *Fated) Wake() error { return f.h.post(engine.Command{Kind: engine.WakeWord}) }

// Fall puts the robot where no table is.
func (f *Fated) Fall() error {
	f.h.robot.Rig.Place(5000, 0, 0)
	return nil
}
