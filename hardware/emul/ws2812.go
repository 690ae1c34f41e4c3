package emul

import (
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Times of the one-wire code of a WS2812B (Worldsemi, data sheet version 5: T0H 220 to 380 ns, T1H 580 ns to 1 µs; older parts: 200 to
// 550 ns and 550 to 950 ns). A high level of an odd length in between is read as its length against pixelHalf says.
const (
	pixelHalf  = 550 * time.Nanosecond
	pixelLeast = 150 * time.Nanosecond // shorter ones are no pulse
	pixelLatch = 50 * time.Microsecond // of low level: what was received is shown
)

// WS2812 is a chain of lights with one data wire, here the MOSI line of a SPI port: a light takes the first 24 bits that it sees, passes
// the rest on, and shows them when the line has been low for a while. Nothing can be read.
type WS2812 struct {
	guarded
	hz    int64
	order string
	show  func(all []hardware.RGB)
	all   []hardware.RGB
	got   []byte // of the data that are being received
	bits  int
	high  time.Duration
	low   time.Duration
}

// NewWS2812 returns count lights that take their colors in an order, "GRB" or "RGB". show is called with all of them when they change; it
// must not keep the slice.
func NewWS2812(count int, order string, show func(all []hardware.RGB)) *WS2812 {
	return &WS2812{hz: 1, order: order, show: show, all: make([]hardware.RGB, count)}
}

// Clock takes the clock of the port: the length of a bit decides what the lights understand.
func (c *WS2812) Clock(hz int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hz = max(hz, 1)
}

// PowerOnReset makes all lights dark.
func (c *WS2812) PowerOnReset() {
	c.mu.Lock()
	clear(c.all)
	c.got, c.bits = nil, 0
	all := slices.Clone(c.all)
	c.mu.Unlock()
	c.show(all)
}

// SPI takes the bytes of one transfer as levels of the wire. Before the next transfer the line is low for long enough.
func (c *WS2812) SPI(w, r []byte) error {
	clear(r)
	c.mu.Lock()
	bit := time.Duration(int64(time.Second) / c.hz)
	for _, b := range w {
		for k := 7; k >= 0; k-- {
			c.level(b>>k&1 != 0, bit)
		}
	}
	c.level(false, pixelLatch)
	all := slices.Clone(c.all)
	c.mu.Unlock()
	c.show(all)
	return nil
}

// level holds the wire at a level for a time. mu must be held.
func (c *WS2812) level(high bool, d time.Duration) {
	if high {
		c.high, c.low = c.high+d, 0
		return
	}
	if c.high >= pixelLeast {
		c.bit(c.high > pixelHalf)
	}
	c.high, c.low = 0, c.low+d
	if c.low >= pixelLatch {
		c.latch()
	}
}

// bit receives one, the most significant first.
func (c *WS2812) bit(one bool) {
	if c.bits%8 == 0 {
		c.got = append(c.got, 0)
	}
	if one {
		c.got[len(c.got)-1] |= 0x80 >> (c.bits % 8)
	}
	c.bits++
}

// latch shows what was received. A light that did not get all of its bits keeps its color.
func (c *WS2812) latch() {
	for i := range min(len(c.all), c.bits/24) {
		v := c.got[3*i:]
		if c.all[i] = (hardware.RGB{R: v[0], G: v[1], B: v[2]}); c.order == "GRB" {
			c.all[i] = hardware.RGB{R: v[1], G: v[0], B: v[2]}
		}
	}
	c.got, c.bits = c.got[:0], 0
}

var _ SPIChip = (*WS2812)(nil)
