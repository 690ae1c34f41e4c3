package emul

import (
	"slices"
	"testing"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
)

// symbols spells bytes as levels, one byte of the wire a bit.
func symbols(zero, one byte, data ...byte) (wire []byte) {
	for _, b := range data {
		for k := 7; k >= 0; k-- {
			if b>>k&1 != 0 {
				wire = append(wire, one)
			} else {
				wire = append(wire, zero)
			}
		}
	}
	return wire
}

func TestLightsUnderstandSymbolsOfTheRightLengthOnly(t *testing.T) {
	for _, c := range []struct {
		name      string
		hz        physic.Frequency
		zero, one byte
		want      hardware.RGB
	}{
		{"0.31 and 0.78 µs", 6400 * physic.KiloHertz, 0xC0, 0xF8, hardware.RGB{R: 10, G: 200, B: 3}},
		{"0.31 and 0.94 µs", 6400 * physic.KiloHertz, 0xC0, 0xFC, hardware.RGB{R: 10, G: 200, B: 3}},
		{"at half the clock a zero is a one", 3200 * physic.KiloHertz, 0xC0, 0xF8, hardware.RGB{R: 255, G: 255, B: 255}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []hardware.RGB
			port := NewSPI("spi0.0")
			port.Attach(NewWS2812(2, "GRB", func(all []hardware.RGB) { got = slices.Clone(all) }))
			conn := connect(t, port, c.hz)
			if err := conn.Tx(symbols(c.zero, c.one, 200, 10, 3), nil); err != nil {
				t.Fatal(err)
			}
			if len(got) != 2 || got[0] != c.want || got[1] != (hardware.RGB{}) {
				t.Errorf("show %v, want %v and a dark one", got, c.want)
			}
		})
	}
}

func TestLightKeepsItsColorWhenItsBitsAreMissing(t *testing.T) {
	var got []hardware.RGB
	c := NewWS2812(1, "RGB", func(all []hardware.RGB) { got = slices.Clone(all) })
	c.Clock(6_400_000)
	_ = c.SPI(symbols(0xC0, 0xF8, 1, 2, 3), nil)
	_ = c.SPI(symbols(0xC0, 0xF8, 9, 9), nil)
	if got[0] != (hardware.RGB{R: 1, G: 2, B: 3}) {
		t.Errorf("shows %v after 16 of 24 bits", got[0])
	}
	if c.PowerOnReset(); got[0] != (hardware.RGB{}) {
		t.Errorf("shows %v after power on", got[0])
	}
}

func connect(t *testing.T, port *SPI, hz physic.Frequency) spi.Conn {
	t.Helper()
	p, err := port.Open()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := p.Connect(hz, spi.Mode0, 8)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}
