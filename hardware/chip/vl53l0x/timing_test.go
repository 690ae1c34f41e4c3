package vl53l0x

import (
	"testing"
	"time"
)

// The numbers are computed from ST's formulas by hand, not by this code.
func TestMacroPeriodsOfTheVCSELPeriods(t *testing.T) {
	for pclk, ns := range map[byte]uint32{8: 30505, 10: 38131, 12: 45757, 14: 53384, 16: 61010, 18: 68636} {
		if got := macroNS(pclk/2 - 1); got != ns {
			t.Errorf("%d PCLK: %d ns, want %d", pclk, got, ns)
		}
	}
}

// tuned is what the registers hold after the tuning, with the given steps.
func tuned(steps byte) timing {
	return timing{steps: steps, preReg: 0x06, finalReg: 0x04, msrc: 0x25, pre: 0x0096, finalCode: 0x01fe}
}

func TestBudgetAfterTheTuning(t *testing.T) {
	w := tuned(0xf8)
	if got := micros(uint32(w.msrc)+1, macroNS(w.preReg)); got != 2029 {
		t.Errorf("MSRC %d µs, want 2029", got)
	}
	if got := micros(decode(w.pre), macroNS(w.preReg)); got != 8061 {
		t.Errorf("pre-range %d µs, want 8061", got)
	}
	if got := micros(decode(w.finalCode)-w.preMclks(), macroNS(w.finalReg)); got != 13651 {
		t.Errorf("final range %d µs, want 13651", got)
	}
	if got := w.budget(); got != 33849 {
		t.Errorf("budget %d µs, want 33849", got)
	}
}

func TestFinalTimeoutOfABudget(t *testing.T) {
	for us, code := range map[uint32]uint16{20000: 0x00d5, 33000: 0x028a, 33849: 0x0290, 50000: 0x02fa, 100000: 0x0490, 200000: 0x059a} {
		w := tuned(usedSteps)
		got, err := w.final(us)
		if err != nil || got != code {
			t.Errorf("%d µs: %#04x, %v; want %#04x", us, got, err, code)
		}
		// A time-out has eight bits, so a long one loses up to a 128th.
		if w.finalCode = got; w.budget() > us || us-w.budget() > us/128+40 {
			t.Errorf("%d µs: reads back as %d", us, w.budget())
		}
	}
	if _, err := tuned(usedSteps).final(15000); err == nil {
		t.Error("15 ms leave nothing for the final range, but no error")
	}
}

func TestTimeoutCodesAreInverse(t *testing.T) {
	for _, mclks := range []uint32{1, 2, 255, 256} {
		if got := decode(encode(mclks)); got != mclks {
			t.Errorf("%d periods read back as %d", mclks, got)
		}
	}
	if encode(0) != 0 || decode(0x0290) != 577 {
		t.Errorf("encode(0) %#x, decode(0x0290) %d", encode(0), decode(0x0290))
	}
}

func TestReferenceSPADsAreTheFirstGoodOnesOfTheType(t *testing.T) {
	good := [6]byte{0xfd, 0xff, 0xef, 0xff, 0xff, 0x0f} // 1 and 20 are dead
	for _, c := range []struct {
		count    int
		aperture bool
		want     [6]byte
	}{
		{3, false, [6]byte{0x0d}},
		{5, true, [6]byte{0, 0xf0, 0x01}},
		{10, true, [6]byte{0, 0xf0, 0x6f}},
	} {
		if got := chooseSPADs(good, c.count, c.aperture); got != c.want {
			t.Errorf("%d, aperture %v: % x, want % x", c.count, c.aperture, got, c.want)
		}
	}
}

func TestTuningHasEightyWritesAndReturnsToPageZero(t *testing.T) {
	if n := len(tuning) / 2; n != 80 {
		t.Errorf("%d writes", n)
	}
	if end := [4]byte(tuning[len(tuning)-4:]); end != [4]byte{regPage, 0, regPower, 0} {
		t.Errorf("ends with % x", end)
	}
}

func TestOnlyStatusesWithoutEchoAreFree(t *testing.T) {
	want := [16]Class{
		1: Fault, 2: Fault, 3: Fault, 4: NoTarget, 6: NoTarget, 8: Near, 9: NoTarget, 10: Near, 11: Valid, 12: Near, 13: NoTarget,
	} // the rest is Invalid
	for s, class := range want {
		if got := Status(s).Class(); got != class {
			t.Errorf("%v: class %d, want %d", Status(s), got, class)
		}
	}
	if s := Status(4).String(); s != "signal too weak (status 4)" {
		t.Error(s)
	}
}

func TestOptsOutsideTheChipsRangeAreRefused(t *testing.T) {
	for want, o := range map[string]Opts{
		"vl53l0x: budget 15ms, want 20ms to 1s":                                      {Budget: 15 * time.Millisecond},
		"vl53l0x: least signal 512 Mcps, want 0 to 511.99":                           {Budget: 33 * time.Millisecond, SignalMCPS: 512},
		"vl53l0x: address 0x30 needs an XSHUT line; without one the chip is at 0x29": DefaultOpts,
	} {
		if err := o.check(0x30); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
