package emul

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

// A SPIChip is a peripheral on a chip select.
type SPIChip interface {
	// SPI exchanges the bytes of one transfer: w is clocked in, r out. Either may be empty, else they are of equal length.
	SPI(w, r []byte) error
	// PowerOnReset gives every register its reset value, as a brown-out does.
	PowerOnReset()
}

// spiTransferMax is the largest transfer in bytes, the default bufsiz of the kernel's spidev.
const spiTransferMax = 4096

// errConnected is returned by a second Connect.
var errConnected = errors.New("already connected; close the port first")

// SPI is an emulated SPI port with one chip select. It implements periph's spi.PortCloser: Connect works once, until
// Close, and a connection from before Close is dead.
type SPI struct {
	name string

	guarded
	chip  SPIChip
	conn  *spiConn
	limit physic.Frequency
	gone  bool
	mute  bool
	busy  time.Duration
}

// NewSPI returns a port with nothing on it: bytes go nowhere.
func NewSPI(name string) *SPI { return &SPI{name: name} }

// Attach puts c on the chip select; nil removes what is there.
func (p *SPI) Attach(c SPIChip) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chip = c
	p.attach(c)
}

// Unplug removes or restores the port: ENODEV.
func (p *SPI) Unplug(gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = gone
}

// Mute cuts the chip off, or connects it again. Transfers still succeed, because SPI has no acknowledge.
func (p *SPI) Mute(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mute = on
}

// BrownOut resets the chip; the driver is not told.
func (p *SPI) BrownOut() {
	p.mu.Lock()
	c := p.chip
	p.mu.Unlock()
	if c != nil {
		c.PowerOnReset()
	}
}

// Busy is the wire time of all transfers so far.
func (p *SPI) Busy() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.busy
}

// String is the name of the port.
func (p *SPI) String() string { return p.name }

// LimitSpeed caps the clock of later connections.
func (p *SPI) LimitSpeed(f physic.Frequency) error {
	if f <= 0 {
		return p.fail("limit speed", syscall.EINVAL)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit = f
	return nil
}

// Connect returns the connection. Only eight bits a word are supported. f = 0 means as fast as the port goes.
func (p *SPI) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.gone:
		return nil, p.fail("connect", syscall.ENODEV)
	case p.conn != nil:
		return nil, p.fail("connect", errConnected)
	case bits != 8 || f < 0 || mode&^(spi.Mode3|spi.HalfDuplex|spi.NoCS) != 0:
		return nil, p.fail("connect", syscall.EINVAL)
	}
	if p.limit > 0 && (f == 0 || f > p.limit) {
		f = p.limit
	}
	if f == 0 {
		f = 125 * physic.MegaHertz
	}
	p.conn = &spiConn{port: p, hz: int64(f / physic.Hertz), half: mode&spi.HalfDuplex != 0}
	return p.conn, nil
}

// Close ends the connection, so that a restarted driver may connect again. Closing an unconnected port does nothing.
func (p *SPI) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conn = nil
	return nil
}

func (p *SPI) fail(op string, err error) error { return fmt.Errorf("%s: %s: %w", p.name, op, err) }

// A spiConn is the connection of a port.
type spiConn struct {
	port *SPI
	hz   int64
	half bool
}

func (c *spiConn) String() string { return c.port.name }

// Duplex reports whether reading and writing happen at once.
func (c *spiConn) Duplex() conn.Duplex {
	if c.half {
		return conn.Half
	}
	return conn.Full
}

// MaxTxSize is the limit of one transfer.
func (c *spiConn) MaxTxSize() int { return spiTransferMax }

// Tx exchanges w and r, of equal length unless one is empty.
func (c *spiConn) Tx(w, r []byte) error { return c.TxPackets([]spi.Packet{{W: w, R: r}}) }

// TxPackets exchanges the packets in order. The limit applies to their sum, as in the kernel.
func (c *spiConn) TxPackets(ps []spi.Packet) error {
	total := 0
	for _, p := range ps {
		total += max(len(p.W), len(p.R))
		switch {
		case len(p.W) > 0 && len(p.R) > 0 && (c.half || len(p.W) != len(p.R)), p.BitsPerWord != 0 && p.BitsPerWord != 8:
			return c.port.fail("transfer", syscall.EINVAL)
		}
	}
	if total > spiTransferMax {
		return c.port.fail("transfer", syscall.EMSGSIZE)
	}
	chip, err := c.admit(total)
	if err != nil {
		return err
	}
	for _, p := range ps {
		if chip == nil {
			clear(p.R)
			continue
		}
		if err := chip.SPI(p.W, p.R); err != nil {
			return c.port.fail("transfer", err)
		}
	}
	return nil
}

// admit accounts for n bytes and returns the chip that receives them, nil if there is none.
func (c *spiConn) admit(n int) (SPIChip, error) {
	p := c.port
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.conn != c:
		return nil, p.fail("transfer", os.ErrClosed)
	case p.gone:
		return nil, p.fail("transfer", syscall.ENODEV)
	}
	p.busy += time.Duration(int64(n) * 8 * int64(time.Second) / max(c.hz, 1))
	if p.mute {
		return nil, nil
	}
	return p.chip, nil
}

var (
	_ spi.PortCloser = (*SPI)(nil)
	_ conn.Limits    = (*spiConn)(nil)
)
