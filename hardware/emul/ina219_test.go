package emul

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/hwtest"
)

func newINA() (*INA219, *[2]float64) {
	v := &[2]float64{7.4, 0.5}
	return NewINA219(func() (float64, float64) { return v[0], v[1] }), v
}

func TestINA219ResetValues(t *testing.T) {
	c, _ := newINA()
	wantWord(t, "config", word(t, c, inaConfig), 0x399F)
	wantWord(t, "calibration", word(t, c, inaCalibration), 0)
}

func TestINA219WithoutCalibrationReadsZeroAmps(t *testing.T) {
	c, _ := newINA()
	wantWord(t, "shunt: 0.5 A in 0.1 ohm", word(t, c, inaShunt), 5000)
	wantWord(t, "bus: 7.4 V, ready", word(t, c, inaBus), 1850<<3|inaReady)
	wantWord(t, "current", word(t, c, inaCurrent), 0)
	wantWord(t, "power", word(t, c, inaPower), 0)
}

func TestINA219BrownOutLosesCalibration(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	c, v := newINA()
	b.Attach(0x45, c)
	must(t, b.Tx(0x45, []byte{inaCalibration, 0x10, 0x01}, nil)) // 4096: 0.1 mA; bit 0 does not exist
	wantBytes(t, "calibration", busRead(t, b, 0x45, inaCalibration, 2), 0x10, 0x00)
	wantWord(t, "500 mA", word(t, c, inaCurrent), 5000)
	wantWord(t, "3.7 W at 2 mW", word(t, c, inaPower), 1850)
	v[1] = -0.5
	wantWord(t, "-500 mA", word(t, c, inaCurrent), 0x10000-5000)
	wantWord(t, "power has no sign", word(t, c, inaPower), 1850)
	b.BrownOut(0x45)
	wantBytes(t, "after reset: 0 A", busRead(t, b, 0x45, inaCurrent, 2), 0, 0)
}

func TestINA219ReadyBitFollowsConversions(t *testing.T) {
	c, v := newINA()
	write(t, c, inaConfig, 0x39, 0x9B) // both, triggered
	wantWord(t, "triggered", word(t, c, inaBus), 1850<<3|inaReady)
	v[0] = 8
	wantWord(t, "holds", word(t, c, inaBus), 1850<<3|inaReady)
	word(t, c, inaPower)
	wantWord(t, "cleared by reading power", word(t, c, inaBus), 1850<<3)
	write(t, c, inaConfig, 0x39, 0x98) // power-down
	v[0] = 9
	wantWord(t, "powered down", word(t, c, inaBus), 1850<<3)
}

func TestINA219RangesSaturate(t *testing.T) {
	c, v := newINA()
	*v = [2]float64{20, 5}
	wantWord(t, "320 mV", word(t, c, inaShunt), 32000)
	wantWord(t, "20 V in the 32 V range", word(t, c, inaBus)>>3, 5000)
	write(t, c, inaConfig, 0x01, 0x9F) // 16 V, 40 mV
	wantWord(t, "40 mV", word(t, c, inaShunt), 4000)
	wantWord(t, "16 V", word(t, c, inaBus)>>3, 4000)
	*v = [2]float64{-1, -5}
	wantWord(t, "-40 mV", word(t, c, inaShunt), 0x10000-4000)
	wantWord(t, "no negative voltage", word(t, c, inaBus)>>3, 0)
}

func TestINA219OverflowBitFollowsRange(t *testing.T) {
	c, v := newINA()
	v[1] = 3.2
	write(t, c, inaCalibration, 0xFF, 0xFE)
	if word(t, c, inaBus)&inaOverflow == 0 {
		t.Fatal("current beyond 16 bits raised no overflow")
	}
	v[1] = 0.1
	if word(t, c, inaBus)&inaOverflow != 0 {
		t.Fatal("overflow stayed")
	}
	v[1] = 3.2
	word(t, c, inaBus)
	write(t, c, inaConfig, 0x79, 0x98) // power-down, and a bit that does not exist
	wantWord(t, "config", word(t, c, inaConfig), 0x3998)
	write(t, c, inaCalibration, 0, 2)
	if word(t, c, inaBus)&inaOverflow != 0 {
		t.Fatal("overflow stayed after another calibration")
	}
}

func TestINA219ResetBitRestoresRegisters(t *testing.T) {
	c, _ := newINA()
	write(t, c, inaCalibration, 0x10, 0)
	write(t, c, inaConfig, 0x80, 0)
	wantWord(t, "config", word(t, c, inaConfig), 0x399F)
	wantWord(t, "calibration", word(t, c, inaCalibration), 0)
	write(t, c, inaShunt, 1, 2)
	wantWord(t, "shunt is read only", word(t, c, inaShunt), 5000)
}

// The registers keep the conversion before, and the ready bit tells of a new one.
func TestINA219WithAClockConvertsInItsTime(t *testing.T) {
	c, v := newINA()
	clk := hwtest.NewClock()
	c.SetNow(clk.Now)
	c.SetShunt(0.01)
	write(t, c, inaConfig, 0x1F, 0xFF) // both, 128 samples
	clk.Sleep(136 * time.Millisecond)
	wantWord(t, "not ready", word(t, c, inaBus), 0)
	clk.Sleep(200 * time.Microsecond)
	wantWord(t, "ready", word(t, c, inaBus), 1850<<3|inaReady)
	wantWord(t, "0.5 A in 0.01 ohm", word(t, c, inaShunt), 500)
	v[0], v[1] = 8, 1
	word(t, c, inaPower)
	wantWord(t, "the old one", word(t, c, inaBus), 1850<<3)
	clk.Sleep(137 * time.Millisecond)
	wantWord(t, "the new one", word(t, c, inaBus), 2000<<3|inaReady)
	write(t, c, inaConfig, 0x19, 0x9B) // both, triggered, 12 bits
	clk.Sleep(1063 * time.Microsecond)
	wantWord(t, "triggered, not done", word(t, c, inaBus)&inaReady, 0)
	clk.Sleep(time.Microsecond)
	wantWord(t, "triggered", word(t, c, inaBus), 2000<<3|inaReady)
}
