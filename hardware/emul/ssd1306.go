package emul

import (
	"math/rand/v2"
	"syscall"
)

// Size of the panel: eight pages of 128 columns, each byte eight pixels of a column, lowest bit on top.
const (
	oledColumns = 128
	oledPages   = 8
	oledRows    = 8 * oledPages
)

// oledPicture is the picture on the panel.
type oledPicture struct {
	bits [oledColumns * oledPages]byte
	on   bool
}

// A SSD1306 is a 128x64 display controller, on four-wire SPI or on I²C. On SPI the D/C line decides whether bytes are commands or data; on
// I²C a control byte does. The RES line resets the registers. After power-on the memory holds noise and the display is off.
//
// The bus has no acknowledge and the chip cannot be read, so a driver cannot detect a dead panel, neither here
// ([SPI.Mute]) nor on a board. A driver therefore repaints everything at intervals, to restore a panel that was reset.
//
// Commands for scrolling and timing are accepted and have no effect. Contrast is not in the picture, see
// [SSD1306.Contrast]. Page and column set commands work in every addressing mode, as they do on real chips in spite of
// the data sheet.
type SSD1306 struct {
	guarded
	out  relay[oledPicture]
	rng  *rand.Rand
	tall int // rows of the glass, 64 or 32
	ram  [oledPages][oledColumns]byte
	data bool // D/C is high
	held bool // RES is low
	oledRegisters
}

// oledRegisters is all that RES resets.
type oledRegisters struct {
	command  [8]byte // command with operands, as far as received
	have     int
	need     int  // operands still to come
	mode     byte // 0 horizontal, 1 vertical, 2 page
	col      byte
	page     byte
	colFrom  byte
	colTo    byte
	pageFrom byte
	pageTo   byte
	mirror   bool // A1: columns are written right to left
	flip     bool // C8: rows are scanned bottom up
	start    byte // display start line
	offset   byte
	rows     byte // multiplex ratio, 16 to 64
	// sequential is the configuration of the row pins: one after the other, as glass of 32 rows is wired. Otherwise they alternate, as
	// glass of 64 rows is.
	sequential bool
	inverse    bool
	allOn      bool
	on         bool
	contrast   byte
	pump       bool // charge pump enabled: without it the glass stays dark
}

// NewSSD1306 returns the panel as after power-on. frame receives each change of the picture: bits in the layout of
// periph's image1bit.VerticalLSB, upright for a module in the usual mounting, which needs segment re-map A1 and
// scan direction C8; 1 = lit. While on is false the glass is dark and all bits are 0. The bits are valid until frame returns.
func NewSSD1306(frame func(bits *[1024]byte, on bool)) *SSD1306 {
	c := &SSD1306{tall: oledRows, rng: rand.New(rand.NewPCG(0x55D1306, 0))}
	c.out = relay[oledPicture]{mu: &c.mu, state: c.picture}
	if frame != nil {
		c.out.send = func(_, now *oledPicture) { frame(&now.bits, now.on) }
	}
	c.powerOn()
	return c
}

// SetGlass sets the rows of the glass, 64 or 32. The controller is the same; glass of 32 rows shows the upper half of its memory, and has its
// rows wired one after the other. With the other configuration of the pins every second row stays dark.
func (c *SSD1306) SetGlass(rows int) { c.tall = rows }

// DC is the data/command line. Wire it with [Lines.OnOutput].
func (c *SSD1306) DC(high bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.data = high
}

// RES is the reset line, active low: while low, bytes are ignored. The memory survives. A panel without wiring is not
// held.
func (c *SSD1306) RES(high bool) {
	c.mu.Lock()
	c.held = !high
	if c.held {
		c.resetRegisters()
	}
	c.mu.Unlock()
	c.out.flush()
}

// PowerOnReset resets the registers and fills the memory with noise.
func (c *SSD1306) PowerOnReset() {
	c.mu.Lock()
	c.powerOn()
	c.mu.Unlock()
	c.out.flush()
}

func (c *SSD1306) powerOn() {
	c.resetRegisters()
	c.out.change()
	for p := range c.ram {
		for i := range c.ram[p] {
			c.ram[p][i] = byte(c.rng.Uint32())
		}
	}
}

func (c *SSD1306) resetRegisters() {
	c.out.change()
	c.oledRegisters = oledRegisters{mode: 2, colTo: oledColumns - 1, pageTo: oledPages - 1, rows: oledRows, contrast: 0x7F}
}

// Contrast is the brightness of lit pixels, 0 to 255.
func (c *SSD1306) Contrast() byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.contrast
}

// SPI takes the bytes of one transfer. The panel has no output: r stays as the idle line, zero.
func (c *SSD1306) SPI(w, r []byte) error {
	clear(r)
	c.mu.Lock()
	if !c.held {
		if c.data {
			c.write(w)
		} else {
			for _, b := range w {
				c.receive(b)
			}
		}
	}
	c.mu.Unlock()
	c.out.flush()
	return nil
}

// I2C takes the bytes of one transaction. A control byte with Co (bit 7) set is followed by one byte and the next control byte, one without
// by bytes of its kind to the end; D/C (bit 6) tells data from commands. Reading gives the status: bit 6 is set while the display is off.
func (c *SSD1306) I2C(w, r []byte) error {
	c.mu.Lock()
	if c.held {
		c.mu.Unlock()
		return syscall.EREMOTEIO
	}
	single, data, control := true, false, true
	for _, b := range w {
		switch {
		case control:
			single, data, control = b&0x80 != 0, b&0x40 != 0, false
			continue
		case data:
			c.store(b)
		default:
			c.receive(b)
		}
		control = single
	}
	for i := range r {
		if r[i] = 0; !c.on {
			r[i] = 0x40
		}
	}
	c.mu.Unlock()
	if len(w) > 0 {
		c.out.flush()
	}
	return nil
}

// write writes data bytes. Those that fill a part of a row, as pictures do, are taken at once.
func (c *SSD1306) write(w []byte) {
	for len(w) > 0 {
		if more := min(len(w), int(c.colTo)-int(c.col)+1) - 1; c.mode == 0 && c.mirror && more > 0 { // bytes behind which the column only advances
			copy(c.ram[c.page][c.col:], w[:more])
			c.col += byte(more)
			w = w[more:]
		}
		c.store(w[0])
		w = w[1:]
	}
}

// store writes one data byte and advances as the addressing mode says.
func (c *SSD1306) store(b byte) {
	col := c.col
	if !c.mirror {
		col = oledColumns - 1 - col
	}
	c.ram[c.page][col] = b
	c.out.change()
	switch c.mode {
	case 0:
		if step(&c.col, c.colFrom, c.colTo, oledColumns) {
			step(&c.page, c.pageFrom, c.pageTo, oledPages)
		}
	case 1:
		if step(&c.page, c.pageFrom, c.pageTo, oledPages) {
			step(&c.col, c.colFrom, c.colTo, oledColumns)
		}
	default:
		step(&c.col, 0, oledColumns-1, oledColumns)
	}
}

// step advances p within its window and reports whether it went back to the begin.
func step(p *byte, from, to, size byte) bool {
	if *p == to {
		*p = from
		return true
	}
	*p = (*p + 1) % size
	return false
}

// picture sets p to what the panel shows. mu must be held. Memory columns are kept as mounted (see store), so only rows
// remain to be mapped.
func (c *SSD1306) picture(p *oledPicture) {
	shows := c.on && c.pump // both off in reset

	// The usual case.
	if shows && c.tall == oledRows && !c.sequential && c.flip && c.start == 0 && c.offset == 0 && c.rows == oledRows && !c.inverse && !c.allOn {
		for page := range c.ram {
			copy(p.bits[page*oledColumns:], c.ram[page][:])
		}
		p.on = true
		return
	}
	*p = oledPicture{on: shows}
	if !shows {
		return
	}
	for y := range c.tall {
		row := y
		if !c.flip {
			row = c.tall - 1 - y
		}
		if c.sequential != (c.tall < oledRows) && y%2 == 1 {
			continue
		}
		row = (row + int(c.offset)) % oledRows
		if row >= int(c.rows) {
			continue // not driven
		}
		line := (row + int(c.start)) % oledRows
		for x := range oledColumns {
			lit := c.allOn || (c.ram[line/8][x]>>(line%8)&1 != 0) != c.inverse
			if lit {
				p.bits[y/8*oledColumns+x] |= 1 << (y % 8)
			}
		}
	}
}

var (
	_ SPIChip = (*SSD1306)(nil)
	_ Chip    = (*SSD1306)(nil)
)
