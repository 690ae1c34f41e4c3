package pca9685_test

import (
	"testing"

	"github.com/robotd/robotd/hardware/chip/pca9685"
)

func TestJoinLeavesARunningChipAlone(t *testing.T) {
	d, chip, bus := setup(t, 50)
	if configured, err := d.Join(); err != nil || !configured {
		t.Fatalf("a chip after power-on: configured %v, %v", configured, err)
	}
	if err := d.Set(3, 1000); err != nil {
		t.Fatal(err)
	}
	if configured, err := d.Join(); err != nil || configured || chip.Duty(3) != 1000.0/4096 {
		t.Errorf("a running chip: configured %v, %v; duty %v", configured, err, chip.Duty(3))
	}
	if err := bus.Tx(addr, []byte{0x00, 0x10}, nil); err != nil { // asleep
		t.Fatal(err)
	}
	if configured, err := d.Join(); err != nil || !configured || chip.Duty(3) != 0 {
		t.Errorf("a sleeping chip: configured %v, %v; duty %v", configured, err, chip.Duty(3))
	}
}

func TestCutFramesSwitchOutputsOff(t *testing.T) {
	d, chip, bus := setup(t, 50)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		frame []byte
		off   func(ch int) bool
	}{
		{pca9685.CutFrameOf(2, 5), func(ch int) bool { return ch >= 2 && ch < 5 }},
		{pca9685.CutFrame(), func(int) bool { return true }},
	} {
		for ch := range pca9685.Channels {
			if err := d.Set(ch, 2000); err != nil {
				t.Fatal(err)
			}
		}
		if err := bus.Tx(addr, c.frame, nil); err != nil {
			t.Fatal(err)
		}
		for ch := range pca9685.Channels {
			if off := chip.Duty(ch) == 0; off != c.off(ch) {
				t.Errorf("% x: output %d off: %v", c.frame, ch, off)
			}
		}
	}
}
