package performing

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// TimeText is the time of day as people read it: two digits for the hour, two for the minute. With hours24 the day has the hours 00 to 23, else twice
// 12, 01 to 11.
func TimeText(t time.Time, hours24 bool) string {
	if hours24 {
		return t.Format("15:04")
	}
	return t.Format("03:04")
}

// DisplayWallTimeClass is the class DisplayWallTime: a ProceduralClock that shows the time of day, in 24 hours.
func DisplayWallTimeClass() behaviors.Class {
	return behaviors.Class{
		Name: "DisplayWallTime",
		Doc:  "Shows the time of day on its face.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			k := newClock(cfg)
			k.text = func(c *behaviors.Control) string { return TimeText(c.Now(), true) }
			return k
		},
	}
}
