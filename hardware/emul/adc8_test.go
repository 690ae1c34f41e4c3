package emul

import "testing"

// The command bytes of channels 0 to 7 with the reference at the pin, as the kit's maker sends them.
var ads7830Commands = [8]byte{0x84, 0xC4, 0x94, 0xD4, 0xA4, 0xE4, 0xB4, 0xF4}

func TestADS7830ReadsTheChannelOfTheCommand(t *testing.T) {
	c := NewADS7830(5.2, func(ch int) float64 { return 0.5 * float64(ch) })
	for ch, cmd := range ads7830Commands {
		write(t, c, cmd)
		r := make([]byte, 2)
		must(t, c.I2C(nil, r))
		if want := byte(0.5 * float64(ch) / 5.2 * 256); r[0] != want || r[1] != want {
			t.Errorf("command %02x: read % x, want channel %d: %02x", cmd, r, ch, want)
		}
	}
}

// 8.4 V of two cells behind the divider of either board version.
func TestBatteryReadsAsTheKitsMakerSays(t *testing.T) {
	for _, b := range []struct {
		full, factor, volts float64
		raw                 byte
	}{{3.3, 3, 8.4, 216}, {3.3, 3, 7.0, 180}, {5.2, 2, 8.4, 206}, {5.2, 2, 6.5, 159}} {
		c := NewADS7830(b.full, func(int) float64 { return b.volts / b.factor })
		if got := read(t, c, 0x94, 1)[0]; got+1 < b.raw || got > b.raw+1 {
			t.Errorf("%.1f V at factor %.0f reads %d, want about %d", b.volts, b.factor, got, b.raw)
		}
	}
}

func TestADS7830InternalReferenceIsHalfAVoltMoreThanTwo(t *testing.T) {
	c := NewADS7830(5.2, func(int) float64 { return 1.25 })
	if got := read(t, c, 0x8C, 1)[0]; got != 128 {
		t.Errorf("1.25 V reads %d against 2.5 V", got)
	}
	if got := read(t, c, 0x04, 1)[0]; got != 0 {
		t.Errorf("the difference of equal inputs reads %d", got)
	}
}

func TestPCF8591ReadsTheConversionBefore(t *testing.T) {
	c := NewPCF8591(3.3, func(ch int) float64 { return 0.5 * float64(ch+1) })
	raw := func(ch int) byte { return byte(0.5 * float64(ch+1) / 3.3 * 256) }
	wantBytes(t, "after power-on", read(t, c, 0x40, 1), 0x80)
	wantBytes(t, "channel 2 after channel 0", read(t, c, 0x42, 3), raw(0), raw(2), raw(2))
	wantBytes(t, "all channels", read(t, c, 0x44, 5), raw(2), raw(0), raw(1), raw(2), raw(3))
}

// The maker's software tells the two converters apart by this answer: below 150 is a PCF8591. Channel 7 of its ADS7830 is tied high.
func TestConvertersAnswerTheirMakersQuestion(t *testing.T) {
	tied := func(ch int) float64 { return map[bool]float64{true: 5.2, false: 1}[ch == 7] }
	if got := read(t, NewADS7830(5.2, tied), 0xF4, 1)[0]; got < 150 {
		t.Errorf("ADS7830 answers %d", got)
	}
	c := NewPCF8591(3.3, tied)
	for range 3 {
		if got := read(t, c, 0xF4, 1)[0]; got >= 150 {
			t.Errorf("PCF8591 answers %d", got)
		}
	}
}
