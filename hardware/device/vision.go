package device

import (
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

const visionPeriod = 100 * time.Millisecond

// Vision publishes the detections of a vision process or of the simulator's geometry. It computes nothing itself.
type Vision struct {
	core
	detect func(time.Time) hardware.Detections
	last   hardware.Detections
}

// NewVision returns the eyes, not opened.
func NewVision(b Board) *Vision {
	return &Vision{core: newCore(hardware.Vision, visionPeriod), detect: b.Detect}
}

// Open fails if there is no source of detections, so that the missing vision is visible.
func (p *Vision) Open(clk hardware.Clock) error {
	p.clk = clk
	if p.detect == nil {
		return p.errorWithCause(hardware.CauseGone, "open", "no source of detections")
	}
	return nil
}

// Poll returns the newest detections. The slices are copied, because samples are shared and immutable.
func (p *Vision) Poll(now time.Time) (hardware.Sample, error) {
	p.last = p.detect(now)
	p.last.Faces, p.last.Objects = slices.Clone(p.last.Faces), slices.Clone(p.last.Objects)
	p.last.Pets, p.last.Points = slices.Clone(p.last.Pets), slices.Clone(p.last.Points)
	p.last.Images = slices.Clone(p.last.Images)
	return p.good(&p.last)
}

// Apply refuses everything.
func (p *Vision) Apply(_ time.Time, c hardware.Command) error { return p.unknownCommand(c) }

// Halt does nothing: eyes have no output.
func (p *Vision) Halt() error { return nil }
