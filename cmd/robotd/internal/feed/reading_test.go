package feed_test

import (
	"encoding/json"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/hardware"
)

// A robot without a lift, without sensors at its back, shows neither, live and from a recording.
func TestReadingShowsNoPartThatIsNotThere(t *testing.T) {
	var w hardware.World
	w.Servos.Value = hardware.ServoState{HeadRad: 0.5, NoLift: true}
	w.Cliff.Value = hardware.CliffState{Raw: [4]float64{1000, 0, 0, 0}, Detected: [4]bool{false, true, false, false}}
	for device, want := range map[string]string{hardware.Servos: "head 29°", hardware.Cliff: "1000 0 – –"} {
		r := feed.ReadingOf(device, &w)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		past, err := feed.DecodeReading(device, text)
		if err != nil || r.Text() != want || past.Text() != want {
			t.Errorf("%s: %q, from its recording %q (%v); want %q", device, r.Text(), past.Text(), err, want)
		}
	}
	w.Servos.Value = hardware.ServoState{LiftMM: 32}
	if got, want := feed.ReadingOf(hardware.Servos, &w).Text(), "head 0°, lift 32 mm"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
