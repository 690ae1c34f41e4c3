package emul

import (
	"math"
	"syscall"
	"testing"
)

// outputs records what a PCA9685 told the world.
type outputs struct {
	duty  [16]float64
	calls int
}

func (o *outputs) set(ch int, d float64) {
	o.duty[ch] = d
	o.calls++
}

func awake(t *testing.T) (*PCA9685, *outputs) {
	o := &outputs{}
	c := NewPCA9685(o.set)
	write(t, c, pcaMode1, pcaAI)
	return c, o
}

func TestPCA9685ResetValues(t *testing.T) {
	c := NewPCA9685(nil)
	want := map[byte]byte{
		0x00: 0x11, 0x01: 0x04, 0x02: 0xE2, 0x03: 0xE4, 0x04: 0xE8, 0x05: 0xE0,
		0x06: 0, 0x09: 0x10, 0x45: 0x10, 0xFD: 0, 0xFE: 0x1E,
	}
	for reg, v := range want {
		wantBytes(t, "reset value", read(t, c, reg, 1), v)
	}
}

func TestPCA9685AsleepHasNoOutput(t *testing.T) {
	o := &outputs{}
	c := NewPCA9685(o.set)
	write(t, c, pcaMode1, pcaSleep|pcaAI)
	write(t, c, pcaLED0, 0, 0, 0x00, 0x08) // half
	if o.calls != 0 || o.duty[0] != 0 {
		t.Fatalf("asleep: duty %v", o.duty[0])
	}
	write(t, c, pcaMode1, pcaAI)
	if o.duty[0] != 0.5 {
		t.Fatalf("awake: duty %v, want 0.5", o.duty[0])
	}
}

func TestPCA9685DutyFollowsCounts(t *testing.T) {
	tests := []struct {
		name string
		led  [4]byte
		want float64
	}{
		{"quarter", [4]byte{0, 0, 0x00, 0x04}, 0.25},
		{"one count", [4]byte{0, 0, 1, 0}, 1.0 / 4096},
		{"wraps around", [4]byte{0x00, 0x0C, 0x00, 0x04}, 0.5},
		{"equal counts", [4]byte{5, 0, 5, 0}, 0},
		{"full on", [4]byte{0, 0x10, 0x00, 0x04}, 1},
		{"full off wins", [4]byte{0, 0x10, 0, 0x10}, 0},
	}
	for _, tt := range tests {
		c, o := awake(t)
		write(t, c, pcaLED0+4*3, tt.led[0], tt.led[1], tt.led[2], tt.led[3])
		if o.duty[3] != tt.want || c.Duty(3) != tt.want {
			t.Errorf("%s: duty %v (%v), want %v", tt.name, o.duty[3], c.Duty(3), tt.want)
		}
	}
}

func TestPCA9685WithoutAutoIncrementOneRegisterTakesAll(t *testing.T) {
	o := &outputs{}
	c := NewPCA9685(o.set)
	write(t, c, pcaMode1, 0)
	write(t, c, pcaLED0, 1, 2, 3, 4)
	wantBytes(t, "one register", read(t, c, pcaLED0, 2), 4, 4)
	write(t, c, pcaMode1, pcaAI)
	wantBytes(t, "its neighbors", read(t, c, pcaLED0, 4), 4, 0, 0, 0x10)
	wantBytes(t, "back to MODE1 after the last LED", read(t, c, pcaLEDEnd, 2), 0x10, pcaAI)
}

func TestPCA9685AllLEDWritesEveryChannelAndReadsZero(t *testing.T) {
	c, o := awake(t)
	write(t, c, pcaAllLED, 0, 0, 0x00, 0x08)
	for ch, d := range o.duty {
		if d != 0.5 {
			t.Fatalf("channel %d: %v", ch, d)
		}
	}
	wantBytes(t, "ALL_LED", read(t, c, pcaAllLED, 4), 0, 0, 0, 0)
}

func TestPCA9685TakesPrescaleOnlyAsleep(t *testing.T) {
	c, _ := awake(t)
	write(t, c, pcaPrescale, 0x79)
	wantBytes(t, "awake", read(t, c, pcaPrescale, 1), 0x1E)
	write(t, c, pcaMode1, pcaSleep)
	write(t, c, pcaPrescale, 0x79)
	wantBytes(t, "asleep", read(t, c, pcaPrescale, 1), 0x79)
	if f := c.Frequency(); math.Abs(f-50) > 0.1 {
		t.Fatalf("frequency %v, want 50", f)
	}
	write(t, c, pcaPrescale, 0)
	wantBytes(t, "minimum", read(t, c, pcaPrescale, 1), 3)
}

func TestPCA9685OutputsNeedRestartAfterSleep(t *testing.T) {
	c, o := awake(t)
	write(t, c, pcaLED0, 0, 0, 0x00, 0x08)
	write(t, c, pcaMode1, pcaAI|pcaSleep)
	if o.duty[0] != 0 {
		t.Fatalf("asleep: %v", o.duty[0])
	}
	wantBytes(t, "restart flag", read(t, c, pcaMode1, 1), pcaRestart|pcaAI|pcaSleep)
	write(t, c, pcaMode1, pcaAI)
	if o.duty[0] != 0 {
		t.Fatalf("awake, not restarted: %v", o.duty[0])
	}
	write(t, c, pcaMode1, pcaAI|pcaRestart)
	if o.duty[0] != 0.5 {
		t.Fatalf("restarted: %v", o.duty[0])
	}
	wantBytes(t, "flag is cleared", read(t, c, pcaMode1, 1), pcaAI)

	write(t, c, pcaMode1, pcaAI|pcaSleep)
	write(t, c, pcaMode1, pcaAI)
	write(t, c, pcaLED0+4, 0, 0, 0x00, 0x04) // any PWM register does it too
	if o.duty[0] != 0.5 || o.duty[1] != 0.25 {
		t.Fatalf("after a PWM write: %v %v", o.duty[0], o.duty[1])
	}
}

func TestPCA9685OrderlySleepNeedsNoRestart(t *testing.T) {
	c, o := awake(t)
	write(t, c, pcaAllLED, 0, 0, 0, 0x10)
	write(t, c, pcaMode1, pcaAI|pcaSleep)
	wantBytes(t, "no flag", read(t, c, pcaMode1, 1), pcaAI|pcaSleep)
	write(t, c, pcaLED0, 0, 0, 0x00, 0x08)
	write(t, c, pcaMode1, pcaAI)
	if o.duty[0] != 0.5 {
		t.Fatalf("awake: %v", o.duty[0])
	}
}

func TestPCA9685SpecialBitsReadBackAsDocumented(t *testing.T) {
	c, o := awake(t)
	write(t, c, pcaMode2, pcaInvert|0x04)
	if o.duty[0] != 1 {
		t.Fatalf("inverted full off: %v", o.duty[0])
	}
	write(t, c, pcaMode1, pcaExtClk)
	wantBytes(t, "EXTCLK awake", read(t, c, pcaMode1, 1), 0)
	write(t, c, pcaMode2, 0x04)
	write(t, c, pcaMode1, pcaSleep)
	write(t, c, pcaMode1, pcaSleep|pcaExtClk)
	write(t, c, pcaMode1, 0)
	write(t, c, pcaMode2, 0xFF)
	write(t, c, pcaAllAddr, 0xFF)
	write(t, c, pcaLED0+1, 0xFF)
	wantBytes(t, "MODE2 has five bits", read(t, c, pcaMode2, 1), 0x1F)
	wantBytes(t, "addresses have seven", read(t, c, pcaAllAddr, 1), 0xFE)
	wantBytes(t, "high bytes have five", read(t, c, pcaLED0+1, 1), 0x1F)
	wantBytes(t, "EXTCLK is sticky", read(t, c, pcaMode1, 1), pcaExtClk)
}

func TestPCA9685BrownOutStopsTheOutputs(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	c, o := awake(t)
	b.Attach(0x41, c)
	must(t, b.Tx(0x41, []byte{pcaLED0, 0, 0x10, 0, 0}, nil))
	if o.duty[0] != 1 {
		t.Fatalf("before: %v", o.duty[0])
	}
	b.BrownOut(0x41)
	if o.duty[0] != 0 {
		t.Fatalf("after: %v", o.duty[0])
	}
	must(t, b.Tx(0x41, []byte{pcaLED0, 0, 0x10, 0, 0}, nil)) // acknowledged, to no effect: asleep
	if o.duty[0] != 0 {
		t.Fatalf("written asleep: %v", o.duty[0])
	}
	wantBytes(t, "MODE1", busRead(t, b, 0x41, pcaMode1, 1), 0x11)
}

func TestPCA9685ObeysAllCallAndSoftwareReset(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	o, p := &outputs{}, &outputs{}
	b.Attach(0x40, NewPCA9685(o.set))
	b.Attach(0x41, NewPCA9685(p.set))
	must(t, b.Tx(0x41, []byte{pcaMode1, pcaSleep}, nil)) // ALLCALL cleared
	must(t, b.Tx(0x70, []byte{pcaMode1, pcaAllCall | pcaAI}, nil))
	wantBytes(t, "listens", busRead(t, b, 0x40, pcaMode1, 1), pcaAllCall|pcaAI)
	wantBytes(t, "does not", busRead(t, b, 0x41, pcaMode1, 1), pcaSleep)
	must(t, b.Tx(0x40, []byte{pcaLED0, 0, 0x10, 0, 0}, nil))
	must(t, b.Tx(generalCall, []byte{softwareReset}, nil))
	wantBytes(t, "reset", busRead(t, b, 0x41, pcaMode1, 1), 0x11)
	if o.duty[0] != 0 {
		t.Fatalf("duty after reset: %v", o.duty[0])
	}
	b.SetFault(0x40, Fault{Absent: true})
	b.SetFault(0x41, Fault{Absent: true})
	wantErrno(t, b.Tx(0x70, []byte{pcaMode1, 0}, nil), syscall.EREMOTEIO)
}
