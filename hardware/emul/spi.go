package emul

import (
	"errors"
	"fmt"
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

// A clocked chip wants to know the clock of its transfers.
type clocked interface{ Clock(hz int64) }

// spiTransferMax is the largest transfer in bytes, the default bufsiz of the kernel's spidev.
const spiTransferMax = 4096

// SPI is an emulated SPI device node: a port with one chip select. [SPI.Open] opens it, as often as wanted.
type SPI struct {
	name string

	guarded
	chip SPIChip
	gone bool
	mute bool
	busy time.Duration
}

// NewSPI returns a port with nothing on it: bytes go nowhere.
func NewSPI(name string) *SPI { return &SPI{name: name} }

// Open returns a handle of the port, which has the habits of periph's handle of /dev/spidevB.C (periph.io/x/host/v3/sysfs/spi.go):
// it connects exactly once, it is closed for good, it panics if it is used or closed after Close, and its errors name the errno without
// wrapping it.
func (p *SPI) Open() (spi.PortCloser, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return nil, p.fail("open", syscall.ENOENT)
	}
	return &spiPort{port: p}, nil
}

// Attach puts c on the chip select; nil removes what is there.
func (p *SPI) Attach(c SPIChip) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chip = c
	p.attach(c)
}

// Unplug removes or restores the port: it cannot be opened then, and open handles fail (the kernel says ESHUTDOWN).
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

func (p *SPI) fail(op string, err error) error {
	return fmt.Errorf("%s: %s: %v", p.name, op, err) //nolint:errorlint // as periph words it
}

// A spiPort is an open handle of a port and its connection. Guarded by SPI.mu.
type spiPort struct {
	port      *SPI
	limit     physic.Frequency
	hz        int64
	connected bool
	half      bool
	bits      int
	closed    bool
}

// The clock that periph accepts.
const spiMinClock, spiMaxClock = 100 * physic.Hertz, physic.GigaHertz

// lock locks the port of a handle that is open.
func (c *spiPort) lock(op string) {
	c.port.mu.Lock()
	if c.closed {
		c.port.mu.Unlock()
		panic(fmt.Sprintf("emul: %s: %s after Close: periph's port has no file any more", c.port.name, op))
	}
}

func (c *spiPort) unlock() { c.port.mu.Unlock() }

// LimitSpeed caps the clock.
func (c *spiPort) LimitSpeed(f physic.Frequency) error {
	if f < spiMinClock || f > spiMaxClock {
		return c.port.fail("limit speed", fmt.Errorf("invalid speed %v, want %v to %v", f, spiMinClock, spiMaxClock))
	}
	c.lock("limit speed")
	defer c.unlock()
	c.limit = f
	return nil
}

// Connect returns the connection, once. The kernel looks at the bits of a word only when it transfers.
func (c *spiPort) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	switch {
	case f < spiMinClock || f > spiMaxClock:
		return nil, c.port.fail("connect", fmt.Errorf("invalid speed %v, want %v to %v", f, spiMinClock, spiMaxClock))
	case mode&^(spi.Mode3|spi.HalfDuplex|spi.NoCS|spi.LSBFirst) != 0:
		return nil, c.port.fail("connect", fmt.Errorf("invalid mode %v", mode))
	case bits < 1 || bits >= 256:
		return nil, c.port.fail("connect", fmt.Errorf("invalid bits %d, want 1 to 255", bits))
	}
	c.lock("connect")
	defer c.unlock()
	if c.connected {
		return nil, c.port.fail("connect", errors.New("a port connects exactly once; open another handle"))
	}
	c.connected = true // also if the kernel refuses
	if c.port.gone {
		return nil, c.port.fail("connect", syscall.ESHUTDOWN)
	}
	if c.limit > 0 && f > c.limit {
		f = c.limit
	}
	c.hz, c.half, c.bits = int64(f/physic.Hertz), mode&spi.HalfDuplex != 0, bits
	return c, nil
}

// Close closes the handle for good.
func (c *spiPort) Close() error {
	c.lock("close")
	defer c.unlock()
	c.closed = true
	return nil
}

func (c *spiPort) String() string { return c.port.name }

// Duplex reports whether reading and writing happen at once.
func (c *spiPort) Duplex() conn.Duplex {
	if c.half {
		return conn.Half
	}
	return conn.Full
}

// MaxTxSize is the limit of one transfer.
func (c *spiPort) MaxTxSize() int { return spiTransferMax }

// Tx exchanges w and r, of equal length unless one is empty.
func (c *spiPort) Tx(w, r []byte) error { return c.TxPackets([]spi.Packet{{W: w, R: r}}) }

// TxPackets exchanges the packets in order. The limit applies to their sum, as in the kernel.
func (c *spiPort) TxPackets(ps []spi.Packet) error {
	total := 0
	for _, p := range ps {
		total += max(len(p.W), len(p.R))
		switch {
		case len(p.W) > 0 && len(p.R) > 0 && (c.half || len(p.W) != len(p.R)), p.BitsPerWord != 0 && p.BitsPerWord != 8:
			return c.port.fail("transfer", syscall.EINVAL)
		}
	}
	switch {
	case total == 0:
		return c.port.fail("transfer", errors.New("empty packets"))
	case total > spiTransferMax:
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
		if k, ok := chip.(clocked); ok {
			k.Clock(c.hz)
		}
		if err := chip.SPI(p.W, p.R); err != nil {
			return c.port.fail("transfer", err)
		}
	}
	return nil
}

// admit accounts for n bytes and returns the chip that receives them, nil if there is none.
func (c *spiPort) admit(n int) (SPIChip, error) {
	c.lock("transfer")
	defer c.unlock()
	p := c.port
	switch {
	case p.gone:
		return nil, p.fail("transfer", syscall.ESHUTDOWN)
	case c.bits != 8:
		return nil, p.fail("transfer", syscall.EINVAL)
	}
	p.busy += time.Duration(int64(n) * 8 * int64(time.Second) / max(c.hz, 1))
	if p.mute {
		return nil, nil
	}
	return p.chip, nil
}

var (
	_ spi.PortCloser = (*spiPort)(nil)
	_ conn.Limits    = (*spiPort)(nil)
)
