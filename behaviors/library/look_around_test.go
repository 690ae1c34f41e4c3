package library_test

import (
	"math"
	"strings"
	"testing"
	"time"
)

// place is a LookAroundInPlace in a cone of so many degrees, with more keys.
func place(cone, more string) string {
	return `"behaviorClass": "LookAroundInPlace", "params": {"behavior_DistanceFromRecentLocationMin_mm": 300, "behavior_RecentLocationsMax": 2,
	"behavior_AngleOfFocus_deg": ` + cone + `, "behavior_CanCarryCube": false, "behavior_ShouldResetTurnDirection": true,
	"behavior_ResetBodyFacingOnStart": true, "behavior_ShouldLowerLift": true, "s0_MainTurnCWChance": 0,
	"s1_BodyAngleRangeMin_deg": 5, "s1_BodyAngleRangeMax_deg": 10, "s1_HeadAngleRangeMin_deg": 0, "s1_HeadAngleRangeMax_deg": 10,
	"s2_WaitMin_sec": 0.2, "s2_WaitMax_sec": 0.4, "s2_WaitAnimTrigger": "Count",
	"s3_BodyAngleRangeMin_deg": 30, "s3_BodyAngleRangeMax_deg": 40, "s3_HeadAngleRangeMin_deg": 0, "s3_HeadAngleRangeMax_deg": 10,
	"s4_BodyAngleRelativeRangeMin_deg": 1, "s4_BodyAngleRelativeRangeMax_deg": 5, "s4_HeadAngleRangeMin_deg": 10, "s4_HeadAngleRangeMax_deg": 30,
	"s4_HeadAngleChangesMin": 1, "s4_HeadAngleChangesMax": 2, "s4_WaitBetweenChangesMin_sec": 0.2, "s4_WaitBetweenChangesMax_sec": 0.4,
	"s4_WaitAnimTrigger": "surprised", "s5_BodyAngleRelativeRangeMin_deg": 1, "s5_BodyAngleRelativeRangeMax_deg": 5,
	"s5_HeadAngleRangeMin_deg": -10, "s5_HeadAngleRangeMax_deg": 0, "s6_BodyAngleRangeMin_deg": 50, "s6_BodyAngleRangeMax_deg": 60,
	"s6_HeadAngleRangeMin_deg": 0, "s6_HeadAngleRangeMax_deg": 10, "behavior_LockTreadsDuringWaitAnims": true` + more + "}"
}

const placeSpeeds = `, "sx_BodyTurnSpeed_degPerSec": 90, "sxt_HeadTurnSpeed_degPerSec": 60, "sxh_HeadTurnSpeed_degPerSec": 60`

// Rules: data/2.3.2.
func TestLookAroundInPlaceTurnsOnceAround(t *testing.T) {
	s := stage(t, place("0", placeSpeeds))
	s.state(2*time.Second, "glancing")
	states := s.trace(s.ended)
	once := []string{"glancing", "pausing", "turning", "looking up and down", "looking down", "turning on", "glancing"}
	if !sequence(states, once) {
		t.Errorf("states %q", states)
	}
	if yaw := s.World().IMU.Value.YawRad; yaw < 2*math.Pi-0.3 || yaw > 2*math.Pi+1.2 {
		t.Errorf("turned by %.1f rad", yaw)
	}
	s.NoRefusals()
}

// Rules: data/2.3.2.
func TestLookAroundInPlaceStaysInItsCone(t *testing.T) {
	s := stage(t, place("100", placeSpeeds+`, "behavior_NumberOfScansBeforeStop": 1`))
	widest := 0.0
	s.Until(2*time.Minute, "it has looked over the cone", func() bool {
		widest = max(widest, math.Abs(s.Body.HeadingRad))
		return s.Started("S") == 1 && s.ended()
	})
	if widest < 45*math.Pi/180 || widest > 125*math.Pi/180 {
		t.Errorf("it looked %.0f° to the side", widest*180/math.Pi)
	}
	s.NoRefusals()
}

// Rules: data/2.3.2.
func TestLookAroundInPlaceIsNotRepeatedInTheSamePlace(t *testing.T) {
	s := stageAgain(t, place("0", placeSpeeds))
	s.Until(2*time.Minute, "it has looked around", func() bool { return s.Started("S") == 1 && s.ended() })
	s.For(5 * time.Second)
	if why := s.Engine.Cell("S").Why(); s.Started("S") != 1 || !strings.HasPrefix(why, "it has looked around") {
		t.Errorf("started %d times, because %q", s.Started("S"), why)
	}
	s.Body.Held = true // carried elsewhere
	s.For(2 * time.Second)
	s.Body.Held = false
	s.Until(5*time.Second, "it looks around again", func() bool { return s.Started("S") == 2 })
}

// Rules: data/2.3.2.
func TestLookAroundInPlaceEndsWhereItCannotTurn(t *testing.T) {
	s := stage(t, place("0", placeSpeeds))
	s.Body.Plugged = true
	s.Until(2*time.Minute, "it ends", func() bool { return s.Started("S") == 1 && s.ended() })
	s.NoRefusals()
}

func TestLookAroundInPlaceTellsWhatIsMissing(t *testing.T) {
	for name, c := range map[string]struct{ subject, want string }{
		"no speeds":         {place("0", ""), `"sx_BodyTurnSpeed_degPerSec" is missing`},
		"speeds twice":      {place("0", placeSpeeds+`, "motionProfile": {"speed_mmps": 100}`), "motionProfile has the speeds"},
		"a cone, no number": {place("90", placeSpeeds), `"behavior_NumberOfScansBeforeStop" is missing`},
		"a profile":         {place("0", `, "motionProfile": {"speed_mmps": 100}`), ""},
	} {
		if got := mistakes(t, c.subject); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: findings\n%s\ndo not say %q", name, got, c.want)
		}
	}
}

// A cone as wide as all around ends too: what it has swung counts beyond half a turn.
func TestLookAroundInAWideConeEnds(t *testing.T) {
	for _, cone := range []string{"300", "360"} {
		s := stage(t, place(cone, placeSpeeds+`, "behavior_NumberOfScansBeforeStop": 1`))
		s.Until(4*time.Minute, "it has looked over the cone", func() bool { return s.Started("S") == 1 && s.ended() })
	}
}
