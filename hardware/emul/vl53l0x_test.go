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
	clk, o := hwtest.NewClock(), &target{mm: 123, found: true}
	return NewVL53L0X(clk.Now, func() (float64, bool) { return o.mm, o.found }), clk, o
}

func TestVL53L0XReportsItsIdentity(t *testing.T) {
	c, _, _ := newToF()
	wantBytes(t, "model", read(t, c, 0xC0, 3), 0xEE, 0xAA, 0x10)
	write(t, c, 0xC0, 0)
	wantBytes(t, "read only", read(t, c, 0xC0, 1), 0xEE)
}

func TestVL53L0XSingleShotTakesItsTime(t *testing.T) {
	c, clk, o := newToF()
	write(t, c, tofIntConfig, tofNewSample)
	write(t, c, tofStart, tofModeShot)
	wantBytes(t, "start bit clears itself", read(t, c, tofStart, 1), 0)
	clk.Sleep(32 * time.Millisecond)
	wantBytes(t, "not ready", read(t, c, tofIntStatus, 2), 0, 0)
	clk.Sleep(time.Millisecond)
	o.mm = 55 // the measurement began before
	wantBytes(t, "ready", read(t, c, tofIntStatus, 1), tofNewSample)
	r := read(t, c, tofResult, 12)
	if r[0] != tofValid<<3|tofComplete || r[10] != 0 || r[11] != 123 {
		t.Fatalf("result % x", r)
	}
	write(t, c, tofIntClear, 1)
	wantBytes(t, "cleared", read(t, c, tofIntStatus, 1), 0)
	clk.Sleep(time.Second)
	wantBytes(t, "no second measurement", read(t, c, tofIntStatus, 1), 0)
	write(t, c, tofStart, tofModeShot)
	wantBytes(t, "new measurement: not complete", read(t, c, tofResult, 1), tofValid<<3)
}

func TestVL53L0XReportsOutOfRange(t *testing.T) {
	c, clk, o := newToF()
	o.found = false
	write(t, c, tofStart, tofModeShot)
	clk.Sleep(tofRangingTime)
	r := read(t, c, tofResult, 12)
	if r[0]>>3 != tofNoTarget || int(r[10])<<8|int(r[11]) != 8190 {
		t.Fatalf("result % x", r)
	}
	wantBytes(t, "no interrupt asked for", read(t, c, tofIntStatus, 1), 0)
}

func TestVL53L0XContinuousRangingRepeats(t *testing.T) {
	c, clk, o := newToF()
	write(t, c, tofStart, tofModeContinuous)
	for i := range 3 {
		o.mm = float64(10 + i)
		clk.Sleep(tofRangingTime)
		r := read(t, c, tofResult, 12)
		if want := byte(max(10+i-1, 10)); i > 0 && r[11] != want {
			t.Fatalf("measurement %d: %d mm, want %d", i, r[11], want)
		}
	}
	write(t, c, tofStart, tofModeShot) // stop
	clk.Sleep(tofRangingTime)
	read(t, c, tofResult, 12)
	o.mm = 99
	clk.Sleep(time.Second)
	if r := read(t, c, tofResult, 12); r[11] != 12 {
		t.Fatalf("after the stop: %d mm", r[11])
	}
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

func TestVL53L0XPrivatePagesReadBack(t *testing.T) {
	c, clk, _ := newToF()
	write(t, c, tofPage, 1)
	wantBytes(t, "stop variable", read(t, c, 0x91, 1), tofStopVariable)
	write(t, c, tofStart, tofModeShot) // another register with the same number
	write(t, c, tofPage, 0)
	clk.Sleep(time.Second)
	wantBytes(t, "no measurement", read(t, c, tofResult, 1), 0)
	wantBytes(t, "stored", read(t, c, 0x88, 1), 0)
}
