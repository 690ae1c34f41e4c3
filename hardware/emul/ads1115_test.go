package emul

import (
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/hwtest"
)

// config is a single-shot config word: input channel, gain ±4.096 V, 860 samples a second.
func shot(channel uint16) []byte {
	v := 0x8000 | (4+channel)<<12 | 1<<9 | adsSingleShot | 7<<5 | 3
	return []byte{adsConfig, byte(v >> 8), byte(v)}
}

const adsShotTime = time.Second / 860

func newADS(t *testing.T) (*ADS1115, *hwtest.Clock, *[4]float64) {
	clk, volts := hwtest.NewClock(), &[4]float64{0.5, 1, 2, 3}
	return NewADS1115(Since(clk.Now), func(ch int) float64 { return volts[ch] }), clk, volts
}

func TestADS1115ResetValues(t *testing.T) {
	c, _, _ := newADS(t)
	for reg, v := range []uint16{0, 0x8583, 0x8000, 0x7FFF} {
		wantWord(t, "reset value", word(t, c, byte(reg)), v)
	}
}

func TestADS1115SingleShotTakesItsTime(t *testing.T) {
	c, clk, _ := newADS(t)
	write(t, c, shot(2)...)
	if word(t, c, adsConfig)&adsOS != 0 {
		t.Fatal("ready at once")
	}
	wantWord(t, "too early: the previous result", word(t, c, adsConversion), 0)
	clk.Sleep(adsShotTime)
	wantWord(t, "ready", word(t, c, adsConfig)&adsOS, adsOS)
	wantWord(t, "2 V at 125 µV", word(t, c, adsConversion), 16000)

	write(t, c, shot(0)...)
	wantWord(t, "previous channel until done", word(t, c, adsConversion), 16000)
	write(t, c, shot(3)...) // ignored while converting
	clk.Sleep(adsShotTime)
	wantWord(t, "0.5 V", word(t, c, adsConversion), 4000)
}

func TestADS1115SlowOscillatorDelaysConversion(t *testing.T) {
	c, clk, _ := newADS(t)
	c.SetSlowness(1.1)
	write(t, c, shot(1)...)
	clk.Sleep(adsShotTime)
	wantWord(t, "still converting", word(t, c, adsConfig)&adsOS, 0)
	clk.Sleep(adsShotTime / 9)
	wantWord(t, "done", word(t, c, adsConfig)&adsOS, adsOS)
}

func TestADS1115GainMuxAndSaturation(t *testing.T) {
	tests := []struct {
		name   string
		config uint16
		volts  [4]float64
		want   uint16
	}{
		{"default range", 0xC583, [4]float64{0: 1}, 16000},
		{"6.144 V", 0xC183, [4]float64{0: 3.072}, 16384},
		{"0.256 V", 0xCB83, [4]float64{0: 0.128}, 16384},
		{"above", 0xC583, [4]float64{0: 2.5}, 0x7FFF},
		{"difference 0-1", 0x8583, [4]float64{0: 0, 1: 1}, 0xC180}, // -16000
		{"difference below", 0x8583, [4]float64{0: 0, 1: 3}, 0x8000},
		{"difference 2-3", 0xB583, [4]float64{2: 2, 3: 1}, 16000},
		{"not a number", 0xC583, [4]float64{0: math.NaN()}, 0},
	}
	for _, tt := range tests {
		c, clk, volts := newADS(t)
		*volts = tt.volts
		write(t, c, adsConfig, byte(tt.config>>8), byte(tt.config))
		clk.Sleep(time.Second / 128)
		wantWord(t, tt.name, word(t, c, adsConversion), tt.want)
	}
}

func TestADS1115ContinuousModeKeepsConverting(t *testing.T) {
	c, clk, volts := newADS(t)
	write(t, c, adsConfig, 0x44, 0x83) // input 0, ±2.048 V, continuous, 128/s
	wantWord(t, "never idle", word(t, c, adsConfig), 0x4483)
	clk.Sleep(10 * time.Millisecond)
	volts[0] = 1
	wantWord(t, "1 V", word(t, c, adsConversion), 16000)
	volts[0] = 2
	wantWord(t, "held for a period", word(t, c, adsConversion), 16000)
	clk.Sleep(10 * time.Millisecond)
	wantWord(t, "2 V", word(t, c, adsConversion), 32000)
}

func TestADS1115ResetDropsConversion(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	c, clk, _ := newADS(t)
	b.Attach(0x48, c)
	must(t, b.Tx(0x48, shot(2), nil))
	must(t, b.Tx(generalCall, []byte{softwareReset}, nil))
	clk.Sleep(time.Second)
	wantBytes(t, "conversion", busRead(t, b, 0x48, adsConversion, 2), 0, 0)
	wantErrno(t, b.Tx(0x48, []byte{adsConfig, 1}, nil), syscall.EREMOTEIO)
}

func TestADS1115RoundsToTheNearestCount(t *testing.T) {
	for volts, want := range map[float64]int16{
		0: 0, 0.49999999999999994: 0, 0.5: 1, 1.4999999999999998: 1, 1.5: 2, 2.5: 3, 32766.4: 32766, 32766.5: 32767, 32767.6: 32767, 1e300: 32767, math.Inf(1): 32767,
	} {
		if got := quantize(volts, 1); got != want {
			t.Errorf("%v counts read %d, want %d", volts, got, want)
		}
		if got, want := quantize(-volts, 1), -want; got != want && volts < 32767 {
			t.Errorf("%v counts read %d, want %d", -volts, got, want)
		}
	}
	for volts, want := range map[float64]int16{-32767.4: -32767, -32767.5: -32768, -40000: -32768, math.Inf(-1): -32768, math.NaN(): 0} {
		if got := quantize(volts, 1); got != want {
			t.Errorf("%v counts read %d, want %d", volts, got, want)
		}
	}
}
