package device

import (
	"fmt"
	"slices"
	"time"

	"periph.io/x/devices/v3/ssd1306"
	"periph.io/x/devices/v3/ssd1306/image1bit"

	"github.com/robotd/robotd/hardware"
)

const (
	displayPeriod = 100 * time.Millisecond

	// refreshTime is how often the panel is set up again. The port cannot be read, so the driver cannot detect a panel
	// that lost power; and it sends only differences to the picture that it assumes to be shown.
	refreshTime = 30 * time.Second
)

// Display drives the face: a 128×64 SSD1306 panel on SPI that shows named expressions.
type Display struct {
	core
	board  Board
	lines  hardware.Lines
	dc     hardware.Line
	panel  *ssd1306.Dev
	setUp  time.Time
	face   string // set by command
	shown  string // sent to the panel
	frames uint64
	dim    bool // set by command
	dimmed bool // sent to the panel
	blinks blinks
	last   hardware.DisplayState
	images map[string]*image1bit.VerticalLSB // the faces that were drawn
}

// NewDisplay returns the face, not opened. The data/command line is requested through s.
func NewDisplay(b Board, s *Safety) *Display {
	return &Display{
		core: newCore(hardware.Display, displayPeriod), board: b, lines: s.lines, face: FaceNeutral, blinks: blinks{on: true},
		images: map[string]*image1bit.VerticalLSB{},
	}
}

// Open requests the data/command line and sets up the panel, dark.
func (p *Display) Open(clk hardware.Clock) error {
	p.clk = clk
	if p.board.SPI == nil || p.board.Pin == nil {
		return p.errorWithCause(hardware.CauseGone, "open", "no display port")
	}
	if err := p.create(clk.Now()); err != nil {
		return p.fail("open", err)
	}
	return nil
}

// create sets up the panel from nothing. A port accepts one connection, so it is closed first.
func (p *Display) create(now time.Time) error {
	p.panel, p.shown, p.dimmed = nil, "", false
	p.health.Reads++
	err := func() error {
		if p.dc == nil {
			line, err := p.lines.Output(LineDisplayDC, false)
			if err != nil {
				return err
			}
			p.dc = line
		}
		if err := p.board.SPI.Close(); err != nil {
			return err
		}
		panel, err := ssd1306.NewSPI(p.board.SPI, p.board.Pin(p.dc), &ssd1306.Opts{W: faceWidth, H: faceHeight})
		p.panel = panel
		return err
	}()
	if err != nil {
		p.drop()
		return err
	}
	p.setUp = now
	return nil
}

// drop forgets the panel after an error.
func (p *Display) drop() {
	p.health.Errors++
	p.panel, p.shown = nil, ""
	p.closeLine()
}

func (p *Display) closeLine() {
	if p.dc != nil {
		_ = p.dc.Close()
		p.dc = nil
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
	if err := p.send(p.blinks.face(now, p.face)); err != nil {
		return p.bad(now, "draw", err, p.value())
	}
	p.last = p.value()
	return p.good(&p.last)
}

// Contrast of the panel, out of 255.
const brightContrast, dimContrast = 0xFF, 0x08

// send draws the face and sets the brightness, unless the panel has them already.
func (p *Display) send(face string) error {
	if p.dim != p.dimmed {
		level := byte(brightContrast)
		if p.dim {
			level = dimContrast
		}
		if err := p.panel.SetContrast(level); err != nil {
			p.drop()
			return err
		}
		p.dimmed = p.dim
	}
	if p.shown == face {
		return nil
	}
	p.health.Reads++
	if err := p.panel.Draw(p.panel.Bounds(), p.image(face), p.panel.Bounds().Min); err != nil {
		p.drop()
		return err
	}
	p.shown = face
	p.frames++
	return nil
}

// image is the picture of a face.
func (p *Display) image(face string) *image1bit.VerticalLSB {
	img := p.images[face]
	if img == nil {
		img = drawFace(face)
		p.images[face] = img
	}
	return img
}

func (p *Display) value() hardware.DisplayState {
	return hardware.DisplayState{Face: p.shown, Frames: p.frames}
}

// Apply sets the face, the brightness, or blinking. The next poll sends it.
func (p *Display) Apply(_ time.Time, c hardware.Command) error {
	switch c := c.(type) {
	case hardware.ShowFace:
		return p.setFace(c)
	case hardware.DimFace:
		p.dim = c.On
	case hardware.KeepFaceAlive:
		p.blinks.on = c.On
	default:
		return p.unknownCommand(c)
	}
	return nil
}

func (p *Display) setFace(show hardware.ShowFace) error {
	if !slices.Contains(Faces(), show.Face) {
		return p.errorWithCause(hardware.CauseCommand, "show face", "no face %q; known: %s", show.Face, fmt.Sprint(Faces()))
	}
	p.face = show.Face
	return nil
}

// Halt switches the panel off and releases the line.
func (p *Display) Halt() error {
	if p.panel == nil {
		p.closeLine()
		return nil
	}
	err := p.panel.Halt()
	p.panel, p.shown = nil, ""
	p.closeLine()
	return err
}
