package emul

// Commands of the SSD1306 (Solomon Systech, rev. 1.1, table 9) that do something here.
const (
	oledMode        = 0x20
	oledColumnRange = 0x21
	oledPageRange   = 0x22
	oledStartLine   = 0x40 // to 7F
	oledPump        = 0x8D
	oledContrast    = 0x81
	oledSegment     = 0xA0 // A0, A1
	oledAllOn       = 0xA4 // A4, A5
	oledInverse     = 0xA6 // A6, A7
	oledMultiplex   = 0xA8
	oledOff         = 0xAE // AE, AF
	oledPageStart   = 0xB0 // to B7
	oledScan        = 0xC0 // C0, C8
	oledOffset      = 0xD3
	oledPins        = 0xDA
)

// operands is the number of bytes that follow a command.
func operands(cmd byte) int {
	switch cmd {
	case oledMode, oledContrast, oledPump, oledMultiplex, oledOffset, 0xD5, 0xD9, 0xDA, 0xDB:
		return 1
	case oledColumnRange, oledPageRange, 0xA3:
		return 2
	case 0x29, 0x2A:
		return 5
	case 0x26, 0x27:
		return 6
	}
	return 0
}

// receive takes one command byte; a command is carried out with its last operand, which may come in a later transfer.
func (c *SSD1306) receive(b byte) {
	if c.have == 0 {
		c.need = operands(b)
	} else {
		c.need--
	}
	c.command[c.have] = b
	c.have++
	if c.need == 0 {
		c.have = 0
		c.execute(c.command[0], c.command[1], c.command[2])
	}
}

// execute carries out one command. x and y are its first operands, if it has any.
func (c *SSD1306) execute(cmd, x, y byte) {
	if !c.place(cmd, x, y) {
		c.out.change()
		c.show(cmd, x)
	}
}

// place carries out a command that says where data go, and reports whether it is one. Nothing else on the glass changes by it.
func (c *SSD1306) place(cmd, x, y byte) bool {
	switch {
	case cmd <= 0x0F: // lower half of the column
		c.col = c.col&0xF0 | cmd
	case cmd <= 0x1F: // upper half
		c.col = (c.col&0x0F | cmd<<4) & (oledColumns - 1)
	case cmd == oledMode:
		c.mode = x & 3
	case cmd == oledColumnRange:
		c.colFrom, c.colTo = x&(oledColumns-1), y&(oledColumns-1)
		c.col = c.colFrom
	case cmd == oledPageRange:
		c.pageFrom, c.pageTo = x&(oledPages-1), y&(oledPages-1)
		c.page = c.pageFrom
	case cmd >= oledPageStart && cmd < oledPageStart+oledPages:
		c.page = cmd - oledPageStart
	default:
		return false
	}
	return true
}

// show carries out a command that may change what is shown.
func (c *SSD1306) show(cmd, x byte) {
	switch {
	case cmd >= oledStartLine && cmd < oledStartLine+oledRows:
		c.start = cmd - oledStartLine
	case cmd == oledContrast:
		c.contrast = x
	case cmd == oledPump:
		c.pump = x&0x04 != 0
	case cmd == oledMultiplex && x&63 >= 15:
		c.rows = x&63 + 1
	case cmd == oledOffset:
		c.offset = x & 63
	case cmd == oledPins:
		c.sequential = x&0x10 == 0
	default:
		c.flags(cmd)
	}
}

// flags carries out the commands that are one bit.
func (c *SSD1306) flags(cmd byte) {
	set := cmd&1 != 0
	switch {
	case cmd&^1 == oledSegment: // acts on data written from now on
		c.mirror = set
	case cmd&^1 == oledAllOn:
		c.allOn = set
	case cmd&^1 == oledInverse:
		c.inverse = set
	case cmd&^1 == oledOff:
		c.on = set
	case cmd&^15 == oledScan:
		c.flip = cmd&8 != 0
	}
}
