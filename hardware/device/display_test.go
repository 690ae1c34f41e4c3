package device_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

// A face at rest blinks every few seconds for one poll; an expression does not, nor does a face that is kept still.
func TestNeutralFaceBlinks(t *testing.T) {
	b := middle(t)
	r := b.runner(hardware.Display)
	d := r.Devices[0]
	count := func() (blinks int, longest int) {
		closed := 0
		for range 200 { // 20 s
			r.Run(100*time.Millisecond, nil)
			if r.Snapshot.Display.Value.Face != "blink" {
				closed = 0
				continue
			}
			if closed == 0 {
				blinks++
			}
			closed++
			longest = max(longest, closed)
		}
		return blinks, longest
	}
	if n, longest := count(); n < 3 || n > 7 || longest != 1 {
		t.Errorf("at rest %d blinks in 20 s, eyes closed for %d polls", n, longest)
	}
	b.apply(d, hardware.KeepFaceAlive{On: false})
	if n, _ := count(); n != 0 {
		t.Errorf("kept still, %d blinks", n)
	}
	b.apply(d, hardware.KeepFaceAlive{On: true})
	b.apply(d, hardware.ShowFace{Face: "happy"})
	if n, _ := count(); n != 0 {
		t.Errorf("an expression blinks %d times", n)
	}
	b.apply(d, hardware.ShowFace{Face: device.FaceNeutral})
	if n, _ := count(); n < 3 {
		t.Errorf("at rest again, %d blinks", n)
	}
}

// A dim face stays dim when the panel is set up again, and becomes bright again on request.
func TestDimFaceStaysDimAfterPanelReset(t *testing.T) {
	b := middle(t)
	r := b.runner(hardware.Display)
	d := r.Devices[0]
	bright := b.rig.Contrast()
	b.apply(d, hardware.DimFace{On: true})
	r.Run(200*time.Millisecond, nil)
	dim := b.rig.Contrast()
	if dim >= bright/4 || dim == 0 {
		t.Errorf("contrast %d, bright %d", dim, bright)
	}
	b.fault(hardware.Display, sim.KindBrownout)
	r.Run(31*time.Second, nil)
	if got := b.rig.Contrast(); got != dim {
		t.Errorf("after a brown-out %d, want %d", got, dim)
	}
	b.apply(d, hardware.DimFace{On: false})
	r.Run(200*time.Millisecond, nil)
	if got := b.rig.Contrast(); got != bright {
		t.Errorf("bright again: %d, want %d", got, bright)
	}
}
