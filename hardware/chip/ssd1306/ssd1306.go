// Package ssd1306 drives the Solomon Systech SSD1306 (data sheet rev. 1.1) on I²C: displays of 128 columns and 32 or 64 rows
// with the internal charge pump. The order of the set-up is that of Adafruit_SSD1306.
//
// A whole picture blocks the bus for 23 ms at 400 kHz and 93 ms at 100 kHz. So this driver sends only the pages (eight rows)
// that changed, each in a window of its own, and in transfers as short as the adapter wants them. The chip acknowledges, but
// cannot be asked what it shows: a panel that was reset stays dark until it is set up again. On SPI periph's driver serves.
package ssd1306

import (
	"fmt"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
)

// Columns is the width of the panels; Pages is the number of rows of bytes of the highest.
const (
	Columns = 128
	Pages   = 8
)

// Control bytes: what follows in a transfer.
const (
	commands = 0x00
	data     = 0x40
)

// Commands.
const (
	horizontal = 0x20
	columns    = 0x21
	pages      = 0x22
	contrast   = 0x81
	pump       = 0x8d
	off        = 0xae
	on         = 0xaf
)

// Opts is the panel and the adapter.
type Opts struct {
	// Height is 32 or 64.
	Height int
	// MaxTransfer is the longest write that the adapter can do, in bytes after the address: 17 to 129. A CP2112 can do 61.
	MaxTransfer int
	// Rotated is a panel mounted upside down.
	Rotated bool
}

// DefaultOpts is the panel of most modules. Its transfers fit all adapters that periph and Linux know but the smallest.
var DefaultOpts = Opts{Height: 64, MaxTransfer: 61}

// Opts32 is the small panel, as on a JetBot.
var Opts32 = Opts{Height: 32, MaxTransfer: 61}

func (o *Opts) check() error {
	switch {
	case o.Height != 32 && o.Height != 64:
		return fmt.Errorf("ssd1306: height %d, want 32 or 64", o.Height)
	case o.MaxTransfer < 17 || o.MaxTransfer > 1+Columns:
		return fmt.Errorf("ssd1306: transfers of %d bytes, want 17 to %d", o.MaxTransfer, 1+Columns)
	}
	return nil
}

// A Dev is one panel. It has one owner and no lock.
type Dev struct {
	r     *reg.Dev
	name  string
	opts  Opts
	shown [Pages][Columns]byte // what the panel has, if known
	known [Pages]bool
	out   [1 + Columns]byte
}

// New returns a driver for the panel at addr, 0x3c or 0x3d. Nil opts means [DefaultOpts].
func New(bus i2c.Bus, addr uint16, clk hardware.Clock, health *hardware.Health, opts *Opts) *Dev {
	if opts == nil {
		opts = &DefaultOpts
	}
	return &Dev{r: reg.New(bus, addr, clk, health), name: fmt.Sprintf("SSD1306{%s(%#02x)}", bus, addr), opts: *opts}
}

// String names the chip, its bus and its address.
func (d *Dev) String() string { return d.name }

// Init sets the panel up, clears its memory, which holds noise after power-on, and switches it on.
func (d *Dev) Init() error {
	if err := d.opts.check(); err != nil {
		return err
	}
	d.known = [Pages]bool{}
	remap, scan := byte(0xa1), byte(0xc8)
	if d.opts.Rotated {
		remap, scan = 0xa0, 0xc0
	}
	pins, bright := byte(0x12), byte(0xcf)
	if d.opts.Height == 32 {
		pins, bright = 0x02, 0x8f
	}
	if err := d.commands(
		off, 0xd5, 0x80, 0xa8, byte(d.opts.Height-1), 0xd3, 0, 0x40, pump, 0x14, horizontal, 0, remap, scan,
		0xda, pins, contrast, bright, 0xd9, 0xf1, 0xdb, 0x40, 0xa4, 0xa6, 0x2e,
	); err != nil {
		return err
	}
	if err := d.Draw(make([]byte, d.Size())); err != nil {
		return err
	}
	return d.commands(on)
}

// Verify does nothing: the panel cannot be asked. Set it up again now and then.
func (d *Dev) Verify() error { return nil }

// Size is the number of bytes of a picture.
func (d *Dev) Size() int { return Columns * d.opts.Height / 8 }

// commands sends commands with their operands, in transfers that fit.
func (d *Dev) commands(c ...byte) error {
	d.out[0] = commands
	for len(c) > 0 {
		n := copy(d.out[1:d.opts.MaxTransfer], c)
		if err := d.r.Tx(d.out[:1+n], nil); err != nil {
			return err
		}
		c = c[n:]
	}
	return nil
}

// Draw sends what changed of a picture: bits in the layout of periph's image1bit.VerticalLSB, a byte for eight rows of a column
// with the top one lowest, page by page.
func (d *Dev) Draw(bits []byte) error {
	if len(bits) != d.Size() {
		return fmt.Errorf("ssd1306: picture of %d bytes, want %d", len(bits), d.Size())
	}
	for p := range d.opts.Height / 8 {
		want := [Columns]byte(bits[p*Columns:])
		if d.known[p] && d.shown[p] == want {
			continue
		}
		if err := d.page(p, want[:]); err != nil {
			return err
		}
		d.shown[p], d.known[p] = want, true
	}
	return nil
}

// page sends one page. Bytes are not repeated after an error, because the panel may have taken some: the page is sent anew with
// the next picture, in its own window.
func (d *Dev) page(p int, bits []byte) error {
	d.known[p] = false
	if err := d.commands(columns, 0, Columns-1, pages, byte(p), byte(p)); err != nil {
		return err
	}
	d.out[0] = data
	for len(bits) > 0 {
		n := copy(d.out[1:d.opts.MaxTransfer], bits)
		if err := d.r.Once(d.out[:1+n], nil); err != nil {
			return err
		}
		bits = bits[n:]
	}
	return nil
}

// SetContrast sets the brightness, 0 to 255.
func (d *Dev) SetContrast(level byte) error { return d.commands(contrast, level) }

// Halt switches the panel and its charge pump off.
func (d *Dev) Halt() error { return d.commands(off, pump, 0x10) }
