package headless_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware/sim"
)

// Over half an hour the robot mostly looks as an idle robot does, blinks, is seldom scared, and its lights are red only while something is
// wrong with it.
func TestFaceIsWorthShowing(t *testing.T) {
	const span = 30 * time.Minute
	for seed := uint64(1); seed <= 5; seed++ {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			sum, err := headless.Run(t.Context(), setuptest.Options(t, seed), headless.Options{For: span})
			if err != nil {
				t.Fatal(err)
			}
			f := sum.Faces
			awake := 1 - f["asleep"]
			blinks := float64(sum.Blinks) / (span.Minutes() * awake)
			t.Logf("faces %v, lights %v, %.1f blinks a minute awake", f, sum.Lights, blinks)
			if f["neutral"] < 0.4*awake || f["scared"] > 0.1 || f["asleep"] > 0.3 || len(f) < 6 {
				t.Errorf("faces %v", f)
			}
			if blinks < 5 || blinks > 25 {
				t.Errorf("%.1f blinks a minute awake", blinks)
			}
			if sum.Lights["red"] > 0.1 || sum.Lights["dark"] < 0.4 { // the battery is low for a few minutes
				t.Errorf("lights %v", sum.Lights)
			}
		})
	}
}

// Among people who stroke and greet it all the time the robot is happy when it has a reason, and not all the time.
func TestFaceAmongBusyPeopleIsNotHappyAllTheTime(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		s := setuptest.Options(t, seed)
		s.People = sim.BusyPeople
		sum, err := headless.Run(t.Context(), s, headless.Options{For: 30 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		f := sum.Faces
		t.Logf("seed %d: faces %v, %d blinks", seed, f, sum.Blinks)
		if f["happy"] < 0.1 || f["happy"] > 0.35 || f["neutral"] < f["happy"] {
			t.Errorf("seed %d: faces %v", seed, f)
		}
	}
}
