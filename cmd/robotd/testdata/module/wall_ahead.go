package main

import (
	"fmt"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

type wallAheadParams struct {
	Near float64 `key:"nearer_mm" range:"30..1200" doc:"the wall is nearer than this"`
}

// WallAheadCondition is the condition type WallAhead.
func WallAheadCondition() condition.Type {
	return condition.Type{
		Name: "WallAhead",
		Doc:  "A wall stands right in front of the robot.",
		New: func(o *resources.Object) (condition.Condition, condition.Texts) {
			var p wallAheadParams
			param.Read(o, &p)
			c := condition.Measured(fmt.Sprintf("WallAhead(%g mm)", p.Near), distance, func(mm float64) bool { return mm < p.Near })
			return c, condition.Texts{
				Met: "a wall is {value} mm ahead", Unmet: "the next wall is {value} mm ahead",
				Need:  fmt.Sprintf("a wall must be nearer than %g mm", p.Near),
				Avoid: fmt.Sprintf("no wall must be nearer than %g mm", p.Near),
			}
		},
	}
}

// distance is what the sensor measures; far if it does not work.
func distance(v *condition.View) float64 {
	if !v.World.Range.OK() {
		return 1200
	}
	return v.World.Range.Value.DistanceMM
}
