package performing

import "github.com/robotd/robotd/behaviors"

// DisplayWallTimeClass is the class DisplayWallTime: a ProceduralClock that shows the time of day.
func DisplayWallTimeClass() behaviors.Class {
	return behaviors.Class{
		Name: "DisplayWallTime",
		Doc:  "Shows the time of day on its face.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			k := newClock(cfg)
			k.text = func(c *behaviors.Control) string { return c.Now().Format("15:04") }
			return k
		},
	}
}
