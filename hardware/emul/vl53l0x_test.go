package emul

import (
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/hwtest"
)

type target struct {
	mm    float64
	found bool
}

func newToF() (*VL53L0X, *hwtest.Clock, *target) {
	clk, o := hwtest.NewClock(), &target{mm: 100, found: true}
	return NewVL53L0X(clk.Now, func() (float64, bool) { return o.mm, o.found }), clk, o
}

// tofFresh is longer than a measurement with the power-on time-outs.
const tofFresh = 34 * time.Millisecond

func TestVL53L0XReportsItsIdentity(t *testing.T) {
	c, _, _ := newToF()
	wantBytes(t, "model", read(t, c, 0xC0, 3), 0xEE, 0xAA, 0x10)
	write(t, c, 0xC0, 0)
	wantBytes(t, "read only", read(t, c, 0xC0, 1), 0xEE)
	wantBytes(t, "time-out of the pre-range", read(t, c, 0x51, 2), 0x00, 0x99)
}

func TestVL53L0XSingleShotTakesItsTime(t *testing.T) {
	c, clk, o := newToF()
	write(t, c, tofIntConfig, tofNewSample)
	write(t, c, tofStart, tofModeShot)
	wantBytes(t, "start bit clears itself", read(t, c, tofStart, 1), 0)
	clk.Sleep(33 * time.Millisecond)
	wantBytes(t, "not ready", read(t, c, tofIntStatus, 2), 0, 0)
	clk.Sleep(time.Millisecond)
	o.mm = 55 // the measurement began before
	wantBytes(t, "ready", read(t, c, tofIntStatus, 1), tofNewSample)
	r := read(t, c, tofResult, 12)
	if r[0] != tofValid<<3|tofComplete || r[10] != 0 || r[11] != 104 { // 4 % too long: not set up
		t.Fatalf("result % x", r)
	}
	write(t, c, tofIntClear, 1)
	wantBytes(t, "cleared", read(t, c, tofIntStatus, 1), 0)
	clk.Sleep(time.Second)
	wantBytes(t, "no second measurement", read(t, c, tofIntStatus, 1), 0)
	write(t, c, tofStart, tofModeShot)
	wantBytes(t, "new measurement: not complete", read(t, c, tofResult, 1), tofValid<<3)
}

// Without a target the number means nothing: mostly 8190, but at times any other. The status never says "valid".
func TestVL53L0XWithoutTargetReportsAnyNumber(t *testing.T) {
	c, clk, o := newToF()
	o.found = false
	statuses, far := map[byte]int{}, 0
	for range 640 {
		write(t, c, tofStart, tofModeShot)
		clk.Sleep(tofFresh)
		r := read(t, c, tofResult, 12)
		statuses[r[0]>>3]++
		if mm := be16(r[10:]); mm == 8190 || mm == 8191 {
			far++
		}
	}
	if statuses[tofNoTarget] < 600 || statuses[tofPhaseFail] == 0 || len(statuses) != 2 || far < 580 || far == 640 {
		t.Fatalf("statuses %v, %d times out of range", statuses, far)
	}
	wantBytes(t, "no interrupt asked for", read(t, c, tofIntStatus, 1), 0)
}

// An echo at 700 mm is near the limit of 0.25 Mcps, one at 1150 below it, one at 3 mm too near.
func TestVL53L0XWeakEchoGivesItsStatuses(t *testing.T) {
	for _, q := range []struct {
		mm           float64
		main         byte
		least, kinds int
	}{{200, tofValid, 1999, 2}, {700, tofValid, 1900, 3}, {1150, tofNoTarget, 2000, 1}, {3, tofMinClip, 2000, 1}} {
		c, clk, o := newToF()
		o.mm = q.mm
		statuses := map[byte]int{}
		for range 2000 {
			write(t, c, tofStart, tofModeShot)
			clk.Sleep(tofFresh)
			statuses[read(t, c, tofResult, 12)[0]>>3]++
		}
		if statuses[q.main] < q.least || len(statuses) > q.kinds {
			t.Errorf("%v mm: %v", q.mm, statuses)
		}
	}
}

func TestVL53L0XContinuousRangingRepeats(t *testing.T) {
	c, clk, o := newToF()
	write(t, c, tofStart, tofModeContinuous)
	for i := range 3 {
		o.mm = float64(100 + 25*i)
		clk.Sleep(tofFresh)
		r := read(t, c, tofResult, 12)
		if want := byte(104 + 26*max(i-1, 0)); i > 0 && r[11] != want {
			t.Fatalf("measurement %d: %d mm, want %d", i, r[11], want)
		}
	}
	write(t, c, tofStart, tofModeShot) // stop
	clk.Sleep(tofFresh)
	read(t, c, tofResult, 12)
	o.mm = 99
	clk.Sleep(time.Second)
	if r := read(t, c, tofResult, 12); r[11] != 156 {
		t.Fatalf("after the stop: %d mm", r[11])
	}
}

func TestVL53L0XTimedRangingKeepsItsPeriod(t *testing.T) {
	c, clk, _ := newToF()
	write(t, c, tofIntConfig, tofNewSample)
	write(t, c, tofPeriod, 0, 0, 0, 200)
	write(t, c, tofStart, tofModeTimed)
	clk.Sleep(199 * time.Millisecond)
	wantBytes(t, "too early", read(t, c, tofIntStatus, 1), 0)
	clk.Sleep(time.Millisecond)
	wantBytes(t, "ready", read(t, c, tofIntStatus, 1), tofNewSample)
}

func TestVL53L0XShutdownResetsTheChip(t *testing.T) {
	lines, b := NewLines(), NewBus("i2c-1", nil, 1)
	c, clk, _ := newToF()
	b.Attach(0x29, c)
	lines.OnOutput("TOF_XSHUT", c.XSHUT)
	l, err := lines.Output("TOF_XSHUT", true)
	must(t, err)
	must(t, b.Tx(0x29, []byte{tofIntConfig, 4}, nil))
	must(t, l.Set(false))
	wantErrno(t, b.Tx(0x29, []byte{0xC0}, nil), syscall.EREMOTEIO)
	must(t, l.Set(true))
	wantErrno(t, b.Tx(0x29, []byte{0xC0}, nil), syscall.EREMOTEIO) // boots
	clk.Sleep(tofBootTime)
	wantBytes(t, "reset", busRead(t, b, 0x29, tofIntConfig, 1), 0)
}

func TestVL53L0XSoftResetHoldsUntilReleased(t *testing.T) {
	c, clk, _ := newToF()
	write(t, c, tofIntConfig, 4)
	write(t, c, tofReset, 0)
	write(t, c, tofIntConfig, 4) // ignored
	wantBytes(t, "held", read(t, c, 0xC0, 1), 0)
	write(t, c, tofReset, 1)
	wantBytes(t, "boots", read(t, c, 0xC0, 1), 0)
	clk.Sleep(tofBootTime)
	wantBytes(t, "up", read(t, c, 0xC0, 1), 0xEE)
	wantBytes(t, "reset", read(t, c, tofIntConfig, 1), 0)
}

func TestVL53L0XPrivatePagesReadBack(t *testing.T) {
	c, clk, _ := newToF()
	write(t, c, tofPage, 1)
	wantBytes(t, "stop variable", read(t, c, tofStop, 1), 0x3C)
	write(t, c, tofStart, tofModeShot) // another register with the same number
	write(t, c, tofPage, 0)
	clk.Sleep(time.Second)
	wantBytes(t, "no measurement", read(t, c, tofResult, 1), 0)
	wantBytes(t, "stored", read(t, c, 0x88, 1), 0)
}

// The memory answers only while it is switched on, and takes its time.
func TestVL53L0XMemoryHasTheReferenceSPADs(t *testing.T) {
	c, clk, _ := newToF()
	fetch := func() byte {
		write(t, c, tofPage, 7)
		write(t, c, tofNVMIndex, 0x6B)
		write(t, c, tofStrobe, 0)
		busy := read(t, c, tofStrobe, 1)[0]
		clk.Sleep(tofFetchTime)
		if busy != 0 || read(t, c, tofStrobe, 1)[0] == 0 {
			return 0
		}
		write(t, c, tofStrobe, 1)
		return read(t, c, tofNVMWord+2, 1)[0]
	}
	if v := fetch(); v != 0 {
		t.Fatalf("switched off: %#x", v)
	}
	write(t, c, tofPage, 6)
	write(t, c, 0x83, 4)
	write(t, c, tofPage, 7)
	write(t, c, 0x81, 1)
	want := c.nvm.count
	if c.nvm.aperture {
		want |= 0x80
	}
	if v := fetch(); v != want || want&0x7F == 0 {
		t.Fatalf("%#x, want %#x", v, want)
	}
}

// What is left out of the set-up shows in the results.
func TestVL53L0XWrongOrderShows(t *testing.T) {
	result := func(c *VL53L0X, clk *hwtest.Clock) byte {
		write(t, c, tofStart, tofModeShot)
		clk.Sleep(time.Second)
		return read(t, c, tofResult, 1)[0]
	}
	c, clk, _ := newToF()
	write(t, c, tofPage, 1)
	write(t, c, tofStop, 0)
	write(t, c, tofPage, 0)
	if r := result(c, clk); r != 0 {
		t.Errorf("without the stop variable: %#x", r)
	}
	c, clk, _ = newToF()
	write(t, c, tofSPADs, 0, 0, 0, 0, 0, 0)
	if r := result(c, clk); r>>3 != tofNoVHV {
		t.Errorf("without reference SPADs: %#x", r)
	}
	c, clk, _ = newToF()
	write(t, c, tofFinal, 0x00, 0xA0) // six periods more than the pre-range
	if r := result(c, clk); r>>3 != tofSigma {
		t.Errorf("without time: %#x", r)
	}
	c, clk, _ = newToF()
	for _, w := range [][2]byte{ // the samples of the tuning
		{0x24, 1},
		{0x25, 0xFF},
		{0x40, 0x83},
		{0x66, 0xA0},
		{0x35, 0x44},
		{tofPage, 1},
		{0x22, 0x32},
		{0x43, 0x40},
		{0x4D, 4},
		{0x0D, 1},
		{0x8E, 1},
		{tofPage, 0},
	} {
		write(t, c, w[0], w[1])
	}
	if r := result(c, clk); r>>3 != tofNoVHV {
		t.Errorf("not calibrated: %#x", r)
	}
	calibrate := func(steps, start byte) {
		write(t, c, tofSequence, steps)
		write(t, c, tofStart, start)
		clk.Sleep(tofCalibrationTime)
		read(t, c, tofIntStatus, 1)
		write(t, c, tofSequence, 0xE8)
	}
	calibrate(1, 0x41)
	if r := result(c, clk); r>>3 != tofConsistency {
		t.Errorf("phase not calibrated: %#x", r)
	}
	calibrate(2, 0x01)
	if r := result(c, clk); r>>3 != tofValid {
		t.Errorf("calibrated: %#x", r)
	}
}
