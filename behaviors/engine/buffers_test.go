package engine_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

// The view of a tick is whole until the end of the next one; then its memory is used again. After a loss its memory is not
// used again, because the lost hook may still read it.
func TestViewsAreReusedExceptAfterALoss(t *testing.T) {
	boom := func(*behaviors.Control) { panic("boom") }
	cases := map[string]func(r *rig){
		"nothing lost":        nil,
		"update in the walk":  func(r *rig) { r.of("R").update = once(4, boom) },
		"update in the scope": func(r *rig) { r.of("A").update = once(4, boom) },
		"action": func(r *rig) {
			r.of("R").update = once(4, func(c *behaviors.Control) {
				act := hold("act")
				act.Blow = "CheckIfDone"
				if !c.Act(act, nil) {
					err := refusal(c)
					t.Error(err)
				}
			})
		},
	}
	for name, lose := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "R+ > A\nA+", lose)
			var views []*condition.View
			for range 8 {
				r.step()
				v := r.eng.View()
				if n := len(views); n > 0 && (views[n-1].Tick != r.tick-1 || !views[n-1].World.Now.Equal(views[n-1].Now)) {
					t.Fatalf("in tick %d the view of the tick before says %d", r.tick, views[n-1].Tick)
				}
				views = append(views, v)
			}
			kept := slices.Contains(views[4:], views[3]) || slices.Contains(views[4:], views[2])
			if lost := lose != nil; lost == kept {
				t.Errorf("used again: %v", kept)
			}
			if views[5] != views[7] || views[5].World != views[7].World {
				t.Error("the memory is not used again")
			}
		})
	}
}
