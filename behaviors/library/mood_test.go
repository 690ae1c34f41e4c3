package library_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// How the actions of the shipped robot miss, by the results that they have then.
// Rules: RUN-15, RES-2.
func TestOrdinaryMissesOfTheShippedRobotAreFelt(t *testing.T) {
	mood := &moody(t).Mood
	for _, miss := range []struct {
		action actions.Type
		result actions.Result
	}{
		{actions.TypeMountCharger, actions.NotOnChargerRetry},
		{actions.TypePickupObjectLow, actions.PickupObjectUnexpectedlyNotMoving},
		{actions.TypePlaceObjectHigh, actions.LastPickAndPlaceFailed},
		{actions.TypeRollObjectLow, actions.LastPickAndPlaceFailed},
	} {
		confident := 0.0
		if event := mood.Events[mood.Results[catalog.ActionEnd{Type: miss.action, Category: miss.result.Category()}]]; event != nil {
			for _, a := range event.Affectors {
				if a.Emotion == condition.Confident {
					confident += a.Value
				}
			}
		}
		if confident >= 0 {
			t.Errorf("%v with %v changes Confident by %g", miss.action, miss.result, confident)
		}
	}
}

// An emotion that fades by time stays only if the event moves it by more than 0.05.
// Rules: data/5.1b.
func TestEveryShippedEmotionEventIsFelt(t *testing.T) {
	mood := &moody(t).Mood
	for name, event := range mood.Events {
		for _, a := range event.Affectors {
			if !mood.Fading[a.Emotion].BySlope && math.Abs(a.Value) <= 0.05 {
				t.Errorf("%s moves %v by %g, which is gone in the next tick", name, a.Emotion, a.Value)
			}
		}
	}
}

// Rules: RUN-15.
func TestShippedRobotThatMissesItsChargerIsLessConfident(t *testing.T) {
	s := scene{behaviortest.New(t, behaviortest.Options{Catalog: moody(t), Seed: 1}), t}
	s.Body.Charger = &hardware.Pose{XMM: 400, HeadingRad: math.Pi}
	s.Edit = func(n *hardware.Snapshot) { n.Charger.Value = hardware.ChargerState{} } // its contacts are dirty
	s.For(2 * time.Second)
	s.Intent("go_home")
	s.Until(5*time.Minute, "it is less confident", func() bool { return s.Engine.View().Mood[condition.Confident] < -0.1 })
}
