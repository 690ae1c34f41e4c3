package simrobot

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

func TestRealRobotIsActedOnByHandOnly(t *testing.T) {
	r, err := NewReal(&profile.Profile{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range control.Acts() {
		raised := 0
		text, err := r.Act(control.Act{Act: act}, func(behaviors.Event) { raised++ })
		event := act == "tap" || act == "poke"
		if event && (err != nil || raised != 1) || !event && (err == nil || text != "" || raised != 0) {
			t.Errorf("%s: %q, %v, %d events", act, text, err, raised)
		}
	}
	if _, err := r.Act(control.Act{Act: "pickup"}, nil); !errors.Is(err, errReal) || !strings.HasPrefix(err.Error(), "pickup: this robot is real") {
		t.Error(err)
	}
	if err := r.Rig.Fault("imu", "absent", 0); !errors.Is(err, errReal) {
		t.Error(err)
	}
	if _, err := r.Rig.SPI("face"); !errors.Is(err, syscall.ENODEV) || !strings.HasPrefix(err.Error(), "port face: robot x has no spi port of that name") {
		t.Error(err)
	}
}

// The page draws a real robot, of which there is no world, by what its parts say.
func TestPartsTellTheSizeOfRealRobot(t *testing.T) {
	for name, want := range map[string][3]float64{"sim": {90, 60, 55}, "jetbot": {}, "wave-rover": {}} {
		p, diags, err := profile.Load(resources.Embedded(), name, nil)
		if p == nil || err != nil {
			t.Fatal(diags, err)
		}
		for _, real := range []bool{false, true} {
			s := PartsOf(p, real)
			if got := [3]float64{s.LengthMM, s.WidthMM, s.BackMM}; want != [3]float64{} && got != want || s.BackMM <= 0 || s.LengthMM <= s.BackMM || s.WidthMM <= 0 {
				t.Errorf("%s, real %t: %v, want %v", name, real, got, want)
			}
			if lacks := name != "sim"; lacks != slices.Contains(s.Lacks, "lift") {
				t.Errorf("%s, real %t: lacks %v", name, real, s.Lacks)
			}
		}
	}
}

func TestRealRobotWithoutItsBusIsRefused(t *testing.T) {
	p := *profile.R1()
	p.Buses = map[string]profile.Bus{"main": {Device: "/dev/i2c-97"}}
	if _, err := NewReal(&p); !errors.Is(err, syscall.ENOENT) || !strings.Contains(err.Error(), "bus main: open /dev/i2c-97") {
		t.Error(err)
	}
}
