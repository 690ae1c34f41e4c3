package emul

import (
	"errors"
	"image"
	"strings"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/ssd1306"
	"periph.io/x/devices/v3/ssd1306/image1bit"
)

// A panel is a display with all its wiring, and what it shows.
type panel struct {
	chip   *SSD1306
	port   *SPI
	lines  *Lines
	dc     gpio.PinOut
	bits   [1024]byte
	on     bool
	frames int
}

func newPanel(t *testing.T) *panel {
	p := &panel{port: NewSPI("spi0.0"), lines: NewLines()}
	p.chip = NewSSD1306(func(bits *[1024]byte, on bool) {
		p.bits, p.on = *bits, on
		p.frames++
	})
	p.port.Attach(p.chip)
	p.lines.OnOutput("OLED_DC", p.chip.DC)
	l, err := p.lines.Output("OLED_DC", false)
	must(t, err)
	p.dc = Pin(l)
	return p
}

func (p *panel) open(t *testing.T) *ssd1306.Dev {
	t.Helper()
	d, err := ssd1306.NewSPI(opened(t, p.port), p.dc, &ssd1306.DefaultOpts)
	must(t, err)
	return d
}

func drawing(points ...image.Point) *image1bit.VerticalLSB {
	img := image1bit.NewVerticalLSB(image.Rect(0, 0, 128, 64))
	for _, p := range points {
		img.SetBit(p.X, p.Y, image1bit.On)
	}
	return img
}

func (p *panel) want(t *testing.T, img *image1bit.VerticalLSB) {
	t.Helper()
	if !p.on || string(p.bits[:]) != string(img.Pix) {
		t.Fatalf("on %v, picture differs", p.on)
	}
}

func TestSSD1306ShowsWhatPeriphDraws(t *testing.T) {
	p := newPanel(t)
	d := p.open(t)
	img := drawing(image.Pt(0, 0), image.Pt(127, 0), image.Pt(3, 17), image.Pt(64, 63))
	must(t, d.Draw(d.Bounds(), img, image.Point{}))
	p.want(t, img)
	img.SetBit(77, 40, image1bit.On) // sent as a small window
	must(t, d.Draw(d.Bounds(), img, image.Point{}))
	p.want(t, img)
	must(t, d.Halt())
	if p.on || p.bits != [1024]byte{} {
		t.Fatal("lit after Halt")
	}
}

func TestSSD1306NoiseAfterPowerOn(t *testing.T) {
	p := newPanel(t)
	if p.frames != 0 || p.on {
		t.Fatal("lit at power-on")
	}
	p.open(t)
	if !p.on || p.bits == [1024]byte{} {
		t.Fatal("no noise before the first drawing")
	}
}

func TestSSD1306StaysDarkAfterUnnoticedReset(t *testing.T) {
	p := newPanel(t)
	d := p.open(t)
	img := drawing(image.Pt(1, 1))
	must(t, d.Draw(d.Bounds(), img, image.Point{}))
	p.port.BrownOut()
	if p.on {
		t.Fatal("lit after brown-out")
	}
	must(t, d.Draw(d.Bounds(), img, image.Point{})) // same image: periph sends nothing, notices nothing
	if p.on {
		t.Fatal("lit without initialization")
	}
	d = p.open(t)
	must(t, d.Draw(d.Bounds(), img, image.Point{}))
	p.want(t, img)
}

func TestSSD1306MutePanelIsUndetectable(t *testing.T) {
	p := newPanel(t)
	p.port.Mute(true)
	d := p.open(t)
	must(t, d.Draw(d.Bounds(), drawing(), image.Point{}))
	if p.frames != 0 {
		t.Fatal("a mute panel showed something")
	}
}

func TestSSD1306ResetLineKeepsMemory(t *testing.T) {
	p := newPanel(t)
	p.lines.Pull("OLED_RST", true)
	p.lines.OnOutput("OLED_RST", p.chip.RES)
	d := p.open(t)
	img := drawing(image.Pt(9, 9))
	must(t, d.Draw(d.Bounds(), img, image.Point{}))
	l, err := p.lines.Output("OLED_RST", false)
	must(t, err)
	if p.on {
		t.Fatal("lit in reset")
	}
	p.send(t, false, 0x8D, 0x14, 0xAF) // ignored in reset
	if p.on {
		t.Fatal("took a command in reset")
	}
	must(t, l.Set(true))
	p.open(t)
	p.want(t, img)
}

// send sends bytes with D/C at data.
func (p *panel) send(t *testing.T, data bool, b ...byte) {
	t.Helper()
	p.chip.DC(data)
	must(t, p.chip.SPI(b, nil))
}

// lit lists the lit pixels.
func (p *panel) lit() []image.Point {
	var out []image.Point
	img := &image1bit.VerticalLSB{Pix: p.bits[:], Stride: 128, Rect: image.Rect(0, 0, 128, 64)}
	for y := range 64 {
		for x := range 128 {
			if img.BitAt(x, y) {
				out = append(out, image.Pt(x, y))
			}
		}
	}
	return out
}

func TestSSD1306AddressingAndMapping(t *testing.T) {
	upright := []byte{0xA1, 0xC8, 0x8D, 0x14, 0xAF}
	tests := []struct {
		name  string
		setup []byte
		data  []byte
		after []byte
		want  image.Point // the only lit pixel
	}{
		{"horizontal wraps in its window", []byte{0x20, 0, 0x21, 4, 5, 0x22, 2, 3}, []byte{0, 0, 1}, nil, image.Pt(4, 24)},
		{"vertical goes down first", []byte{0x20, 1, 0x21, 4, 5, 0x22, 2, 3}, []byte{0, 0, 1}, nil, image.Pt(5, 16)},
		{"page mode stays in the page", []byte{0x20, 2, 0xB3, 0x0F, 0x17}, []byte{0, 1}, nil, image.Pt(0, 24)},
		{"column in halves", []byte{0x20, 2, 0xB0, 0x05, 0x12}, []byte{2}, nil, image.Pt(0x25, 1)},
		{"start line scrolls", []byte{0xB0, 0x00, 0x10}, []byte{1}, []byte{0x40 + 60}, image.Pt(0, 4)},
		{"offset scrolls", []byte{0xB0, 0x00, 0x10}, []byte{1}, []byte{0xD3, 8}, image.Pt(0, 56)},
		{"scan direction", []byte{0xB0, 0x00, 0x10}, []byte{1}, []byte{0xC0}, image.Pt(0, 63)},
		{"segment re-map", []byte{0xA0, 0xB0, 0x00, 0x10}, []byte{1}, []byte{0xA1}, image.Pt(127, 0)},
	}
	for _, tt := range tests {
		p := newPanel(t)
		p.send(t, false, append(upright, 0x20, 0)...)
		p.send(t, true, make([]byte, 1024)...)
		p.send(t, false, tt.setup...)
		p.send(t, true, tt.data...)
		p.send(t, false, tt.after...)
		if got := p.lit(); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: lit %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestSSD1306DisplayModesChangeThePicture(t *testing.T) {
	p := newPanel(t)
	p.send(t, false, 0xA1, 0xC8, 0x20, 0, 0xAF)
	p.send(t, true, make([]byte, 1024)...)
	if p.on {
		t.Fatal("lit without charge pump")
	}
	p.send(t, false, 0x8D) // operand in another transfer
	p.send(t, false, 0x14)
	if !p.on || len(p.lit()) != 0 {
		t.Fatalf("on %v, %d lit", p.on, len(p.lit()))
	}
	p.send(t, false, 0xA7)
	if n := len(p.lit()); n != 128*64 {
		t.Fatalf("inverse: %d lit", n)
	}
	p.send(t, false, 0xA8, 31) // half the rows
	if n := len(p.lit()); n != 128*32 {
		t.Fatalf("32 rows: %d lit", n)
	}
	p.send(t, false, 0xA6, 0xA5, 0x26, 0, 0, 0, 7, 0, 0xAE, 0x29, 0, 0, 0, 7, 0xAE, 0x2F, 0x81, 0xAE) // operands, no commands
	if n := len(p.lit()); n != 128*32 {
		t.Fatalf("all on: %d lit", n)
	}
	p.send(t, false, 0xAE)
	if p.on {
		t.Fatal("lit though off")
	}
}

func opened(t testing.TB, p *SPI) spi.PortCloser {
	t.Helper()
	h, err := p.Open()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The habits of periph.io/x/host/v3/sysfs/spi.go: Connect() "exactly once", and after Close the file is nil.
func TestSPIHandleConnectsOnceAndClosesForGood(t *testing.T) {
	p := NewSPI("spi0.0")
	h := opened(t, p)
	c, err := h.Connect(physic.MegaHertz, spi.Mode0, 8)
	must(t, err)
	if _, err := h.Connect(physic.MegaHertz, spi.Mode0, 8); err == nil {
		t.Fatal("second Connect worked")
	}
	must(t, h.Close())
	for name, use := range map[string]func(){
		"transfer": func() { _ = c.Tx([]byte{1}, nil) },
		"connect":  func() { _, _ = h.Connect(physic.MegaHertz, spi.Mode0, 8) },
		"close":    func() { _ = h.Close() },
	} {
		if !panics(use) {
			t.Errorf("%s after Close does not panic, as periph's does", name)
		}
	}
	if _, err = opened(t, p).Connect(physic.MegaHertz, spi.Mode0, 8); err != nil {
		t.Fatal(err)
	}
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

func TestSPIRefusesWhatPeriphAndTheKernelRefuse(t *testing.T) {
	p := NewSPI("spi0.0")
	h := opened(t, p)
	must(t, h.LimitSpeed(physic.MegaHertz))
	if err := h.LimitSpeed(0); err == nil {
		t.Fatal("a limit of 0 worked")
	}
	if _, err := h.Connect(0, spi.Mode0, 8); err == nil {
		t.Fatal("a clock of 0 worked")
	}
	c, err := h.Connect(10*physic.MegaHertz, spi.Mode0, 8)
	must(t, err)
	must(t, c.Tx(make([]byte, 4096), nil))
	wantRefused(t, c.Tx(make([]byte, 4097), nil), syscall.EMSGSIZE)
	wantRefused(t, c.TxPackets([]spi.Packet{{W: make([]byte, 4096)}, {W: make([]byte, 1)}}), syscall.EMSGSIZE)
	wantRefused(t, c.Tx(make([]byte, 2), make([]byte, 1)), syscall.EINVAL)
	if c.Tx(nil, nil) == nil {
		t.Fatal("an empty transfer worked")
	}
	r := []byte{9, 9}
	must(t, c.Tx([]byte{1, 2}, r))
	wantBytes(t, "idle input", r, 0, 0)
	if got, want := p.Busy(), 4098*8*time.Microsecond; got != want {
		t.Fatalf("busy %v, want %v", got, want)
	}
	nine, err := opened(t, p).Connect(physic.MegaHertz, spi.Mode0, 9)
	must(t, err)
	wantRefused(t, nine.Tx([]byte{1}, nil), syscall.EINVAL)
	p.Unplug(true)
	wantRefused(t, c.Tx([]byte{1}, nil), syscall.ESHUTDOWN)
	_, err = p.Open()
	wantRefused(t, err, syscall.ENOENT)
	p.Unplug(false)
	must(t, c.Tx([]byte{1}, nil))
}

// wantRefused checks an error that names an errno but, as periph's, does not wrap it.
func wantRefused(t *testing.T, err error, want syscall.Errno) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want.Error()) || errors.Is(err, want) {
		t.Fatalf("error %v, want one that names %q", err, want)
	}
}

func BenchmarkSSD1306Frame(b *testing.B) {
	port, lines := NewSPI("spi0.0"), NewLines()
	chip := NewSSD1306(func(*[1024]byte, bool) {})
	port.Attach(chip)
	lines.OnOutput("DC", chip.DC)
	l, err := lines.Output("DC", false)
	if err != nil {
		b.Fatal(err)
	}
	d, err := ssd1306.NewSPI(opened(b, port), Pin(l), &ssd1306.DefaultOpts)
	if err != nil {
		b.Fatal(err)
	}
	px := make([]byte, 1024)
	b.ReportAllocs()
	for b.Loop() {
		for i := range px {
			px[i]++
		}
		if _, err := d.Write(px); err != nil {
			b.Fatal(err)
		}
	}
}
