package device

import (
	"math"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// Times of the one-wire code of WS2812 lights (Worldsemi, data sheet): a bit takes 1.25 µs and begins high, for 0.3 µs if it is 0 and for
// 0.8 µs if it is 1. Lights show what they received when the wire was low for 280 µs.
const (
	pixelBit   = 1250e-9
	pixelZero  = 300e-9
	pixelOne   = 800e-9
	pixelLatch = 280e-6
	pixelLeast = 2.2e6 // clock below which a bit has too few steps
	pixelMost  = 8.0e6 // ... and above which it does not fit into a byte
	// repeatTime is how often the colors are sent again: nothing can be read, and lights that lost their power are dark.
	repeatTime = time.Second
)

// Pixels are WS2812 lights in a row, on the data line of a SPI port. They show the five back lights, each on its share of the row.
type Pixels struct {
	core
	board  Board
	part   *profile.Lights
	port   spi.PortCloser
	conn   spi.Conn
	symbol pixelSymbol
	colors [5]hardware.RGB // set by command
	shown  [5]hardware.RGB // sent
	sentAt time.Time       // zero: not since the port was opened
	buf    []byte
	last   hardware.LightsState
}

// NewPixels returns the lights, not opened.
func NewPixels(b Board) *Pixels {
	return &Pixels{core: newCore(hardware.Lights, lightsPeriod), board: b, part: b.robot().Lights}
}

// A pixelSymbol is how many steps of the SPI clock a bit takes, and for how many of them the wire is high.
type pixelSymbol struct{ steps, zero, one int }

// symbolAt fits the code to a clock.
func symbolAt(hz float64) (s pixelSymbol, ok bool) {
	s.steps = int(math.Round(pixelBit * hz))
	s.zero, s.one = max(1, int(math.Round(pixelZero*hz))), int(math.Round(pixelOne*hz))
	return s, hz >= pixelLeast && hz <= pixelMost && s.zero < s.one && s.one < s.steps
}

// Open opens the port and switches all lights off.
func (p *Pixels) Open(clk hardware.Clock) error {
	p.clk = clk
	hz := p.board.robot().Ports[p.part.Port].SpeedHz
	symbol, ok := symbolAt(hz)
	if p.symbol = symbol; !ok {
		return p.errorWithCause(hardware.CauseOther, "open", "a SPI clock of %.0f kHz cannot make the lights' code; want 2400 or 6400 kHz", hz/1000)
	}
	if p.board.SPI == nil {
		return p.errorWithCause(hardware.CauseGone, "open", "no port")
	}
	return p.send(clk.Now())
}

// send sends the colors. An error is one of the port, since nobody answers, and closes it.
func (p *Pixels) send(now time.Time) error {
	p.health.Reads++
	err := p.connect()
	if err == nil {
		p.buf = p.frame(p.buf[:0])
		err = p.conn.Tx(p.buf, nil)
	}
	if err != nil {
		p.health.Errors++
		p.close()
		return p.errorWithCause(hardware.CauseGone, "send", "%w", err)
	}
	p.shown, p.sentAt = p.colors, now
	return nil
}

func (p *Pixels) connect() (err error) {
	if p.conn != nil {
		return nil
	}
	if p.port, err = p.board.SPI(p.part.Port); err != nil {
		return err
	}
	hz := p.board.robot().Ports[p.part.Port].SpeedHz
	p.conn, err = p.port.Connect(physic.Frequency(hz)*physic.Hertz, spi.Mode0, 8)
	return err
}

func (p *Pixels) close() {
	if p.port != nil {
		_ = p.port.Close()
	}
	p.port, p.conn, p.sentAt = nil, nil, time.Time{}
}

// frame appends the levels of the wire for all lights, after a low byte and with the low time that ends it.
func (p *Pixels) frame(buf []byte) []byte {
	w := bits{buf: append(buf, 0)}
	for i := range p.part.Count {
		c := p.colors[i*len(p.colors)/p.part.Count]
		all := [3]uint8{c.G, c.R, c.B}
		if p.part.Order == "RGB" {
			all = [3]uint8{c.R, c.G, c.B}
		}
		for _, v := range all {
			for k := 7; k >= 0; k-- {
				high := p.symbol.zero
				if v>>k&1 != 0 {
					high = p.symbol.one
				}
				w.add(high, p.symbol.steps)
			}
		}
	}
	return append(w.buf, make([]byte, int(pixelLatch*p.board.robot().Ports[p.part.Port].SpeedHz/8)+1)...)
}

// bits packs levels, the first one in the highest bit.
type bits struct {
	buf []byte
	n   int // bits of the last byte that are taken; 0: none begun
}

// add appends one symbol: high steps, then low ones.
func (b *bits) add(high, steps int) {
	for i := range steps {
		if b.n == 0 {
			b.buf = append(b.buf, 0)
		}
		if i < high {
			b.buf[len(b.buf)-1] |= 0x80 >> b.n
		}
		b.n = (b.n + 1) % 8
	}
}

// Poll sends colors that changed, and all again from time to time.
func (p *Pixels) Poll(now time.Time) (hardware.Sample, error) {
	if p.shown != p.colors || p.sentAt.IsZero() || now.Sub(p.sentAt) >= repeatTime {
		if err := p.send(now); err != nil {
			return p.bad(now, "send", err, p.value())
		}
	}
	p.last = p.value()
	return p.good(&p.last)
}

func (p *Pixels) value() hardware.LightsState { return hardware.LightsState{Colors: p.shown} }

// Apply sets the colors. The next poll sends them.
func (p *Pixels) Apply(_ time.Time, c hardware.Command) error {
	set, ok := c.(hardware.SetLights)
	if !ok {
		return p.unknownCommand(c)
	}
	p.colors = set.Colors
	return nil
}

// Halt switches the lights off and closes the port.
func (p *Pixels) Halt() error {
	p.colors = [5]hardware.RGB{}
	if p.conn == nil {
		p.close()
		return nil
	}
	err := p.send(p.clk.Now())
	p.close()
	return err
}
