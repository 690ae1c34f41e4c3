package estimate_test

import (
	"testing"

	"github.com/robotd/robotd/hardware"
)

// Gates 5 and 6: Carrying keeps its value while vision is not available, but an unconfirmed connection to a cube counts as
// none.
func TestCarryingSurvivesBlindnessAndCubeConnectionDoesNot(t *testing.T) {
	y := newScript()
	if b := y.tick(); b.Carrying || b.CubeConnected {
		t.Errorf("before any detection: %+v", b)
	}
	y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now, Carrying: true, CubeConnected: true})
	if b := y.tick(); !b.Carrying || !b.CubeConnected {
		t.Errorf("carrying %v, connected %v", b.Carrying, b.CubeConnected)
	}
	y.fail(hardware.Vision)
	if b := y.tick(); !b.Carrying || b.CubeConnected {
		t.Errorf("blind: carrying %v, connected %v", b.Carrying, b.CubeConnected)
	}
	y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now})
	if b := y.tick(); b.Carrying || b.CubeConnected {
		t.Errorf("put down: carrying %v, connected %v", b.Carrying, b.CubeConnected)
	}
}
