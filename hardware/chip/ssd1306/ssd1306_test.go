package ssd1306_test

import (
	"bytes"
	"fmt"
	"image"
	"testing"

	foreign "periph.io/x/devices/v3/ssd1306"
	"periph.io/x/devices/v3/ssd1306/image1bit"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ssd1306"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x3c

// bench is a panel and what it shows.
type bench struct {
	*emul.Bus
	dev     *ssd1306.Dev
	chip    *emul.SSD1306
	bits    [1024]byte
	on      bool
	longest int // write
	bytes   int // written
	fail    int // writes that pass before one fails; negative: none fails
}

func (b *bench) Tx(addr uint16, w, r []byte) error {
	b.longest, b.bytes = max(b.longest, len(w)), b.bytes+len(w)
	if b.fail--; b.fail == -1 {
		return fmt.Errorf("line noise")
	}
	return b.Bus.Tx(addr, w, r)
}

func newBench(height int, opts *ssd1306.Opts) *bench {
	clk := hwtest.NewClock()
	b := &bench{Bus: emul.NewBus("i2c1", clk, 1), fail: -1}
	b.chip = emul.NewSSD1306(func(bits *[1024]byte, on bool) { b.bits, b.on = *bits, on })
	b.chip.SetGlass(height)
	b.Attach(addr, b.chip)
	b.dev = ssd1306.New(b, addr, clk, new(hardware.Health), opts)
	return b
}

// picture is a pattern that no page shares with another.
func picture(size int) []byte {
	p := make([]byte, size)
	for i := range p {
		p[i] = byte(i*7 + i/128*31)
	}
	return p
}

func panels() map[int]*ssd1306.Opts {
	return map[int]*ssd1306.Opts{32: &ssd1306.Opts32, 64: &ssd1306.DefaultOpts}
}

func TestPanelStartsDarkAndShowsThePicture(t *testing.T) {
	for height, opts := range panels() {
		b := newBench(height, opts)
		if err := b.dev.Init(); err != nil {
			t.Fatal(err)
		}
		if b.bits != [1024]byte{} || !b.on {
			t.Errorf("height %d: on %v, or noise", height, b.on)
		}
		want := picture(b.dev.Size())
		if err := b.dev.Draw(want); err != nil || !bytes.Equal(b.bits[:len(want)], want) {
			t.Errorf("height %d: another picture, %v", height, err)
		}
		if err := b.dev.Halt(); err != nil || b.on {
			t.Errorf("height %d: on after Halt, %v", height, err)
		}
		if b.longest > 61 {
			t.Errorf("a write of %d bytes", b.longest)
		}
	}
}

// Periph's driver shows the same picture, so the layout is right whoever is.
func TestPeriphShowsTheSamePicture(t *testing.T) {
	for height, opts := range panels() {
		ours, theirs := newBench(height, opts), newBench(height, opts)
		d, err := foreign.NewI2C(theirs, &foreign.Opts{W: 128, H: height, Sequential: height == 32})
		if err != nil {
			t.Fatal(err)
		}
		img := image1bit.NewVerticalLSB(image.Rect(0, 0, 128, height))
		copy(img.Pix, picture(len(img.Pix)))
		if err := d.Draw(img.Bounds(), img, image.Point{}); err != nil {
			t.Fatal(err)
		}
		if err := ours.dev.Init(); err != nil {
			t.Fatal(err)
		}
		if err := ours.dev.Draw(img.Pix); err != nil || ours.bits != theirs.bits {
			t.Errorf("height %d: another picture than periph's, %v", height, err)
		}
	}
}

func TestOnlyChangedPagesAreSent(t *testing.T) {
	b := newBench(64, nil)
	if err := b.dev.Init(); err != nil {
		t.Fatal(err)
	}
	p := picture(b.dev.Size())
	if err := b.dev.Draw(p); err != nil {
		t.Fatal(err)
	}
	b.bytes = 0
	if err := b.dev.Draw(p); err != nil || b.bytes != 0 {
		t.Errorf("the same picture: %d bytes, %v", b.bytes, err)
	}
	p[3*128+5] ^= 1
	if err := b.dev.Draw(p); err != nil || b.bytes > 7+131 || !bytes.Equal(b.bits[:], p) {
		t.Errorf("one pixel: %d bytes, %v", b.bytes, err)
	}
}

// Some bytes of a page are lost. The page is sent anew, also if the picture then is the old one again.
func TestPageOfAFailedTransferIsSentAgain(t *testing.T) {
	failed := 0
	for n := range 8 { // a command that fails is repeated at once
		b := newBench(32, &ssd1306.Opts32)
		if err := b.dev.Init(); err != nil {
			t.Fatal(err)
		}
		old, p := make([]byte, 512), picture(512)
		if b.fail = n; b.dev.Draw(p) != nil {
			failed++
		}
		if b.fail = -1; b.dev.Draw(old) != nil || b.bits != [1024]byte{} {
			t.Errorf("failure %d: %x", n, b.bits[:16])
		}
	}
	if failed < 4 {
		t.Errorf("%d pictures failed", failed)
	}
}

func TestTransfersAreAsLongAsTheAdapterTakes(t *testing.T) {
	for _, n := range []int{17, 32, 61, 129} {
		b := newBench(64, &ssd1306.Opts{Height: 64, MaxTransfer: n})
		if err := b.dev.Init(); err != nil {
			t.Fatal(err)
		}
		p := picture(b.dev.Size())
		if err := b.dev.Draw(p); err != nil || !bytes.Equal(b.bits[:], p) || b.longest != n {
			t.Errorf("longest write %d, want %d; %v", b.longest, n, err)
		}
	}
}

func TestRotatedPanelAndContrast(t *testing.T) {
	b := newBench(64, &ssd1306.Opts{Height: 64, MaxTransfer: 61, Rotated: true})
	if err := b.dev.Init(); err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 1024)
	p[0] = 1 // top left
	if err := b.dev.Draw(p); err != nil || b.bits[1023] != 0x80 {
		t.Errorf("bottom right is %#02x, %v", b.bits[1023], err)
	}
	if err := b.dev.SetContrast(10); err != nil || b.chip.Contrast() != 10 {
		t.Errorf("contrast %d, %v", b.chip.Contrast(), err)
	}
}

func TestWrongSizesAreRefused(t *testing.T) {
	b := newBench(64, nil)
	if err := b.dev.Draw(make([]byte, 512)); err == nil || err.Error() != "ssd1306: picture of 512 bytes, want 1024" {
		t.Error(err)
	}
	for want, o := range map[string]ssd1306.Opts{
		"ssd1306: height 48, want 32 or 64":               {Height: 48, MaxTransfer: 61},
		"ssd1306: transfers of 200 bytes, want 17 to 129": {Height: 32, MaxTransfer: 200},
	} {
		if err := newBench(64, &o).dev.Init(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	b.Bus.SetFault(addr, emul.Fault{Absent: true})
	if err := b.dev.Init(); hardware.Classify(err) != hardware.CauseNack {
		t.Errorf("absent: %v", err)
	}
}

func Example() {
	clk := hwtest.NewClock() // a device actor's clock
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(0x3c, emul.NewSSD1306(nil))

	d := ssd1306.New(bus, 0x3c, clk, new(hardware.Health), nil)
	if err := d.Init(); err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = d.Halt() }()
	img := image1bit.NewVerticalLSB(image.Rect(0, 0, 128, 64))
	img.SetBit(64, 32, image1bit.On)
	fmt.Println(d, d.Draw(img.Pix))
	// Output: SSD1306{i2c1(0x3c)} <nil>
}
