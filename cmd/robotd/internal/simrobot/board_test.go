package simrobot

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware/profile"
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

func TestRealRobotWithoutItsBusIsRefused(t *testing.T) {
	p := *profile.R1()
	p.Buses = map[string]profile.Bus{"main": {Device: "/dev/i2c-97"}}
	if _, err := NewReal(&p); !errors.Is(err, syscall.ENOENT) || !strings.Contains(err.Error(), "bus main: open /dev/i2c-97") {
		t.Error(err)
	}
}
