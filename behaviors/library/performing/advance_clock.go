package performing

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// advanceEach is the time between two pictures of a clock that is advanced.
const advanceEach = 180 * time.Millisecond

// An AdvanceClock shows how a clock runs from one time to another.
type AdvanceClock struct {
	ProceduralClock
	params advanceParams
}

type advanceParams struct {
	Start time.Duration `key:"startTime_sec" default:"0" why:"a clock starts at zero" doc:"what the clock shows at first, in seconds"`
	End   time.Duration `key:"endTime_sec" default:"0" why:"a clock that is turned back ends at zero" doc:"what it shows at last, in seconds"`
}

// AdvanceClockClass is the class AdvanceClock.
func AdvanceClockClass() behaviors.Class {
	return behaviors.Class{
		Name: "AdvanceClock",
		Doc:  "Shows on its face how a clock runs from one time to another.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			k := &AdvanceClock{ProceduralClock: *newClock(cfg)}
			param.ReadConfig(cfg, &k.params)
			k.text, k.each = k.between, advanceEach
			return k
		},
	}
}

// WantsToBeActivated is always true: it needs no clock.
func (*AdvanceClock) WantsToBeActivated(*behaviors.Control) bool { return true }

// between is as far between the two times as the behavior is between its begin and its end.
func (k *AdvanceClock) between(c *behaviors.Control) string {
	p, done := &k.params, c.Now().Sub(k.began)+k.each // the last picture is the last time
	part := 1.0
	if whole := k.ProceduralClock.params.Show; done < whole {
		part = float64(done) / float64(whole)
	}
	return minutes(p.Start + time.Duration(part*float64(p.End-p.Start)))
}
