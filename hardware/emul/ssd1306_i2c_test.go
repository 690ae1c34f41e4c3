package emul

import (
	"image"
	"testing"

	"periph.io/x/devices/v3/ssd1306"
	"periph.io/x/devices/v3/ssd1306/image1bit"
)

// small is a panel of 128x32 on I²C, and what it shows.
type small struct {
	bus  *Bus
	chip *SSD1306
	bits [1024]byte
	on   bool
}

func newSmall() *small {
	p := &small{bus: NewBus("i2c1", nil, 1)}
	p.chip = NewSSD1306(func(bits *[1024]byte, on bool) { p.bits, p.on = *bits, on })
	p.chip.SetGlass(32)
	p.bus.Attach(0x3C, p.chip)
	return p
}

func (p *small) draw(t *testing.T, sequential bool, points ...image.Point) (lit int) {
	t.Helper()
	d, err := ssd1306.NewI2C(p.bus, &ssd1306.Opts{W: 128, H: 32, Sequential: sequential})
	must(t, err)
	img := image1bit.NewVerticalLSB(image.Rect(0, 0, 128, 32))
	for _, at := range points {
		img.SetBit(at.X, at.Y, image1bit.On)
	}
	must(t, d.Draw(d.Bounds(), img, image.Point{}))
	shown := image1bit.VerticalLSB{Pix: p.bits[:], Stride: 128, Rect: image.Rect(0, 0, 128, 64)}
	for _, at := range points {
		if shown.BitAt(at.X, at.Y) {
			lit++
		}
	}
	return lit
}

func TestSmallPanelOnI2CShowsWhatPeriphDraws(t *testing.T) {
	p := newSmall()
	points := []image.Point{{0, 0}, {127, 0}, {3, 17}, {64, 31}}
	if n := p.draw(t, true, points...); n != len(points) || !p.on {
		t.Errorf("%d of %d pixels are lit, on %v", n, len(points), p.on)
	}
	for _, b := range p.bits[512:] {
		if b != 0 {
			t.Fatal("pixels below the glass are lit")
		}
	}
}

// The configuration of 64 rows leaves every second row of 32 dark.
func TestSmallPanelShowsHalfOfThePictureWithPinsOfTheLargeOne(t *testing.T) {
	if n := newSmall().draw(t, false, image.Point{5, 4}, image.Point{5, 5}, image.Point{5, 6}, image.Point{5, 7}); n != 2 {
		t.Errorf("%d of 4 pixels are lit", n)
	}
}

// A control byte is due in every transaction, and with Co set before every byte.
func TestControlByteTellsCommandsFromData(t *testing.T) {
	p := newSmall()
	write(t, p.chip, 0x00, 0x8D, 0x14, 0xA1, 0xC8, 0xA8, 31, 0xDA, 0x02, 0xAF)
	write(t, p.chip, 0x80, 0xB0, 0x80, 0x00, 0x80, 0x10, 0xC0, 0xFF, 0x40, 0x0F, 0xF0)
	if got := p.bits[:3]; !p.on || got[0] != 0xFF || got[1] != 0x0F || got[2] != 0xF0 {
		t.Errorf("on %v, shows % x, want ff 0f f0", p.on, got)
	}
	r := []byte{0}
	must(t, p.chip.I2C(nil, r))
	write(t, p.chip, 0x00, 0xAE)
	if before := r[0]; before != 0 {
		t.Errorf("status %02x while on", before)
	}
	must(t, p.chip.I2C(nil, r))
	if r[0] != 0x40 {
		t.Errorf("status %02x while off", r[0])
	}
}
