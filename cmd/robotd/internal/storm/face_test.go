package storm

import (
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// A robot that sleeps has closed eyes, also after its display failed and got a new driver.
// Rules: B-28.
func TestFaceOfASleepingRobotComesBackWithItsDisplay(t *testing.T) {
	r := begin(t, 1)
	defer r.end()
	at := time.Duration(0)
	wait := func(what string, limit time.Duration, done func() bool) {
		t.Helper()
		for end := at + limit; !done(); at += 100 * time.Millisecond {
			if at >= end {
				t.Fatalf("at %v: not within %v: %s; the display is %s and shows %+v", at, limit, what, r.world.Display.Quality, r.world.Display.Value)
			}
			r.until(at + 100*time.Millisecond)
		}
	}
	shows := func() bool { return r.world.Display.OK() && r.world.Display.Value.Face == hardware.FaceAsleep }
	r.until(time.Second)
	at = time.Second
	if err := r.do(deed{path: "/v1/intent", body: control.IntentRequest{Name: "sleep"}}); err != nil {
		t.Fatal(err)
	}
	wait("it is asleep", 2*time.Minute, shows)
	at += 5 * time.Second
	r.until(at)
	failed := 0
	for _, kind := range sim.Kinds() {
		if r.sim.Rig.Fault(hardware.Display, kind, 0) != nil { // not one of a display
			continue
		}
		// A face that does not change is drawn only every 30 s.
		for end := at + 33*time.Second; at < end && r.world.Display.OK(); at += time.Second {
			r.until(at)
		}
		if !r.world.Display.OK() {
			failed++
		}
		r.sim.Rig.ClearFaults()
		wait("the face is back after "+kind, healLimit+2*time.Second, shows)
	}
	if failed == 0 {
		t.Error("the display never failed")
	}
}
