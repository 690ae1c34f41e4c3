package main

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

// A Wave moves the head to and fro a number of times.
type Wave struct {
	times, done int
}

// WaveClass is the class Wave.
func WaveClass() behaviors.Class {
	return behaviors.Class{
		Name: "Wave",
		Doc:  "Moves the head to and fro a number of times.",
		New:  func(cfg *behaviors.Config) behaviors.Behavior { return &Wave{times: cfg.IntRangeOr("times", 2, 1, 10)} },
	}
}

// OnActivated starts the first wave.
func (w *Wave) OnActivated(c *behaviors.Control) {
	w.done = 0
	w.wave(c)
}

func (w *Wave) wave(c *behaviors.Control) {
	_ = c.Act(gesture.InTurn("Wave", gesture.Head(0.2), gesture.Head(0)), w.waved)
}

// waved starts the next wave. After the last one the behavior ends, because it delegates to nothing.
func (w *Wave) waved(c *behaviors.Control, _ behaviors.Outcome) {
	if w.done++; w.done < w.times {
		w.wave(c)
	}
}
