package device

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/spi"
	periph "periph.io/x/devices/v3/ssd1306"
	"periph.io/x/devices/v3/ssd1306/image1bit"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ssd1306"
	"github.com/robotd/robotd/hardware/profile"
)

const (
	displayPeriod = 100 * time.Millisecond

	// refreshTime is how often the panel is set up again. The port cannot be read, so the driver cannot detect a panel
	// that lost power; and it sends only differences to the picture that it assumes to be shown.
	refreshTime = 30 * time.Second
)

// Display drives the face: a SSD1306 panel of 128×64 or 128×32 pixels on SPI or I²C that shows named expressions.
type Display struct {
	core
	board  Board
	part   *profile.Display
	lines  hardware.Lines
	dc     hardware.Line
	reset  hardware.Line  // nil: the panel has none, or it was not requested
	port   spi.PortCloser // open while there is a panel
	panel  panel
	setUp  time.Time
	face   hardware.ShowFace // set by command
	setAt  time.Time         // it was set
	shown  hardware.ShowFace // sent to the panel
	lips   mouthPose         // sent to the panel
	breath lungs
	rise   int // of the eyes by breath, sent to the panel
	frames uint64
	dim    bool // set by command
	dimmed bool // sent to the panel
	last   hardware.DisplayState
	images map[pose]*image1bit.VerticalLSB // the faces that were drawn
}

// maxImages bounds the images that are kept, 1 KiB each.
const maxImages = 256

// NewDisplay returns the face, not opened. The data/command line is requested through s.
func NewDisplay(b Board, s *Safety) *Display {
	return &Display{
		core: newCore(hardware.Display, displayPeriod), board: b, part: b.robot().Display, lines: s.lines, face: hardware.ShowFace{Face: hardware.FaceNeutral},
		images: map[pose]*image1bit.VerticalLSB{},
	}
}

// Open requests the data/command line and sets up the panel, dark.
func (p *Display) Open(clk hardware.Clock) error {
	p.clk = clk
	if p.part.Chip == "" && (p.board.SPI == nil || p.board.Pin == nil) {
		return p.errorWithCause(hardware.CauseGone, "open", "no display port")
	}
	if err := p.create(clk.Now()); err != nil {
		return p.fail("open", err)
	}
	return nil
}

// create sets up the panel from nothing, on another handle of the port: a handle accepts one connection.
func (p *Display) create(now time.Time) error {
	p.closePort()
	p.dimmed = false
	p.health.Reads++
	connect := p.overSPI
	if p.part.Chip != "" {
		connect = p.overI2C
	}
	if err := connect(); err != nil {
		p.drop()
		return err
	}
	p.setUp = now
	return nil
}

func (p *Display) overSPI() error {
	if p.dc == nil {
		line, err := p.lines.Output(p.part.Data, false)
		if err != nil {
			return err
		}
		p.dc = line
	}
	if err := p.pulseReset(); err != nil {
		return err
	}
	port, err := p.board.SPI(p.part.Port)
	if err != nil {
		return p.portError("open port", err)
	}
	p.port = port
	// The rows of a small panel are wired one after the other.
	d, err := periph.NewSPI(port, p.board.Pin(p.dc), &periph.Opts{W: faceWidth, H: p.part.Height, Sequential: p.part.Height < faceHeight})
	if err != nil {
		return p.portError("connect", err)
	}
	p.panel = spiPanel{d}
	return nil
}

// overI2C is a panel on the bus that others share, so its pages are sent one by one: a whole picture would hold the bus for longer
// than a period of the wheels.
func (p *Display) overI2C() error {
	opts := ssd1306.DefaultOpts
	opts.Height = p.part.Height
	d := ssd1306.New(p.board.Bus(p.clk), p.board.address(p.part.Chip), p.clk, &p.health, &opts)
	if err := d.Init(); err != nil {
		return err
	}
	p.panel = d
	return nil
}

// A panel shows pictures of its own size, in the layout of image1bit.VerticalLSB.
type panel interface {
	Draw(bits []byte) error
	SetContrast(level byte) error
	Halt() error
}

// spiPanel is periph's driver.
type spiPanel struct{ *periph.Dev }

func (d spiPanel) Draw(bits []byte) error {
	r := d.Bounds()
	return d.Dev.Draw(r, &image1bit.VerticalLSB{Pix: bits, Stride: r.Dx(), Rect: r}, r.Min)
}

// resetTime is the data sheet's least time of the reset, rounded up.
const resetTime = 10 * time.Microsecond

// pulseReset resets a panel that has a line for that and of which nothing is known, once.
func (p *Display) pulseReset() error {
	if p.part.Reset == "" || p.reset != nil {
		return nil
	}
	line, err := p.lines.Output(p.part.Reset, false)
	if err != nil {
		return err
	}
	p.reset = line
	p.clk.Sleep(resetTime)
	return line.Set(true)
}

// drop forgets the panel after an error.
func (p *Display) drop() {
	p.health.Errors++
	p.closePort()
	p.closeLine()
}

// portError is an error of the port. SPI has no acknowledge, so whatever fails there is the port itself, and periph does not wrap the
// errno. Errors of I²C have their class.
func (p *Display) portError(op string, err error) error {
	if p.part.Chip != "" {
		return p.fail(op, err)
	}
	return p.errorWithCause(hardware.CauseGone, op, "%w", err)
}

// closePort forgets the panel and closes its port.
func (p *Display) closePort() {
	if p.port != nil {
		_ = p.port.Close()
	}
	p.port, p.panel, p.shown, p.lips, p.rise = nil, nil, hardware.ShowFace{}, mouthPose{}, 0
}

func (p *Display) closeLine() {
	for _, l := range []*hardware.Line{&p.dc, &p.reset} {
		if *l != nil {
			_ = (*l).Close()
			*l = nil
		}
	}
}

// Poll sends the face if it is not shown yet, and sets up the panel again after an error and every 30 s.
func (p *Display) Poll(now time.Time) (hardware.Sample, error) {
	if p.panel == nil || now.Sub(p.setUp) >= refreshTime {
		again := p.panel == nil
		if err := p.create(now); err != nil {
			return p.bad(now, "set up", err, p.value())
		}
		if again {
			p.health.Reinits++
		}
	}
	if err := p.send(p.face, p.speaks(now), p.breath.rise(now, p.face.Breath)); err != nil {
		return p.bad(now, "draw", err, p.value())
	}
	p.last = p.value()
	return p.good(&p.last)
}

// Contrast of the panel, out of 255.
const brightContrast, dimContrast = 0xFF, 0x08

// send draws the face and sets the brightness, unless the panel has them already.
func (p *Display) send(face hardware.ShowFace, lips mouthPose, rise int) error {
	if p.dim != p.dimmed {
		level := byte(brightContrast)
		if p.dim {
			level = dimContrast
		}
		if err := p.panel.SetContrast(level); err != nil {
			p.drop()
			return p.portError("dim", err)
		}
		p.dimmed = p.dim
	}
	if p.shown == face && p.lips == lips && p.rise == rise {
		return nil
	}
	at := poseOf(face)
	another := p.shown.Face == "" || at != poseOf(p.shown)
	if another || p.lips != lips || p.rise != rise {
		p.health.Reads++
		at.mouth, at.rise = lips, rise
		if err := p.panel.Draw(p.image(at).Pix); err != nil {
			p.drop()
			return p.portError("draw", err)
		}
	}
	if another { // neither moving lips nor breath are another face
		p.frames++
	}
	p.shown, p.lips, p.rise = face, lips, rise
	return nil
}

// speaks is the mouth of this instant. It moves as often as the display is polled: a deadline of its own would have the bus carry more.
func (p *Display) speaks(now time.Time) (m mouthPose) {
	m.open, m.speaks = p.board.Mouth.Open(now)
	return m
}

// image is the picture of a face.
func (p *Display) image(at pose) *image1bit.VerticalLSB {
	img := p.images[at]
	if img == nil {
		if len(p.images) >= maxImages {
			clear(p.images)
		}
		img = shrunk(drawFace(at), p.part.Height)
		p.images[at] = img
	}
	return img
}

// Deadline is now while an image waits to be sent: a blink is shorter than two polls. After an error the next poll is early enough.
func (p *Display) Deadline() time.Time {
	if p.panel == nil || p.shown == p.face {
		return time.Time{}
	}
	return p.setAt
}

func (p *Display) value() hardware.DisplayState {
	return hardware.Showing(p.shown, p.frames)
}

// Apply sets the face or the brightness. The next poll sends it.
func (p *Display) Apply(now time.Time, c hardware.Command) error {
	switch c := c.(type) {
	case hardware.ShowFace:
		return p.setFace(now, c)
	case hardware.DimFace:
		p.dim = c.On
	default:
		return p.unknownCommand(c)
	}
	return nil
}

func (p *Display) setFace(now time.Time, show hardware.ShowFace) error {
	if !hardware.KnownExpression(show.Face) {
		return p.errorWithCause(hardware.CauseCommand, "show face", "no face %q; known: %s", show.Face, fmt.Sprint(hardware.Expressions))
	}
	p.face = show.Limited()
	p.setAt = now
	return nil
}

// Halt switches the panel off and releases port and line.
func (p *Display) Halt() error {
	var err error
	if p.panel != nil {
		err = p.panel.Halt()
	}
	p.closePort()
	p.closeLine()
	return err
}
