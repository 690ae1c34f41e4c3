package main

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A Wave moves the head to and fro a number of times.
type Wave struct {
	params waveParams
	done   int
}

type waveParams struct {
	Times int `key:"times" range:"1..10" default:"2" why:"two waves are a greeting" doc:"number of waves"`
}

// WaveClass is the class Wave.
func WaveClass() behaviors.Class {
	return behaviors.Class{
		Name: "Wave",
		Doc:  "Moves the head to and fro a number of times.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			w := &Wave{}
			param.ReadConfig(cfg, &w.params)
			return w
		},
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
	if w.done++; w.done < w.params.Times {
		w.wave(c)
	}
}
