package device_test

import (
	"math"
	"testing"
	"time"

	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

// litBox is the part of the panel that is lit, in pixels, and how many are.
func litBox(frame [1024]byte) (left, top, right, bottom, lit int) {
	left, top = 128, 64
	for i, column := range frame {
		for bit := range 8 {
			if column>>bit&1 == 0 {
				continue
			}
			x, y := i%128, i/128*8+bit
			left, right, top, bottom, lit = min(left, x), max(right, x), min(top, y), max(bottom, y), lit+1
		}
	}
	return left, top, right, bottom, lit
}

// The robot's own left is on the right of its display.
func TestEyesLookWhereTheyAreTold(t *testing.T) {
	b := middle(t)
	r := b.runner(hardware.Display)
	look := func(f hardware.ShowFace) (left, top, right, bottom, lit int) {
		b.apply(r.Devices[0], f)
		r.Run(200*time.Millisecond, nil)
		if got := r.Snapshot.Display.Value.Shows(); got != f {
			t.Errorf("shows %+v, want %+v", got, f)
		}
		frame, _ := b.rig.Frame()
		return litBox(frame)
	}
	left, top, right, bottom, lit := look(hardware.ShowFace{Face: hardware.FaceNeutral})
	l, u, r2, d, n := look(hardware.ShowFace{Face: hardware.FaceNeutral, GazeX: 1, GazeY: 0.5})
	if l != left+14 || r2 != right+14 || u != top-4 || d != bottom-4 || n != lit {
		t.Errorf("to the left and up: %d…%d, %d…%d (%d lit); straight ahead: %d…%d, %d…%d (%d lit)", l, r2, u, d, n, left, right, top, bottom, lit)
	}
	_, _, _, _, half := look(hardware.ShowFace{Face: hardware.FaceNeutral, Lid: 0.5})
	if half > lit*2/3 || half < lit/3 {
		t.Errorf("half closed: %d of %d lit", half, lit)
	}
	for _, name := range hardware.Expressions {
		if _, u, _, d, _ := look(hardware.ShowFace{Face: name, Lid: 1}); d-u > 12 && name != "charging" && name != "listening" {
			t.Errorf("%s with closed lids is %d pixels high", name, d-u)
		}
	}
}

// While the robot speaks its mouth moves between and below the eyes. The reading, which decisions rest on, is that of the face alone.
func TestMouthMovesWhileTheRobotSpeaks(t *testing.T) {
	b := middle(t)
	b.board.Mouth = new(device.Mouth)
	r := b.runner(hardware.Display, hardware.Speaker)
	b.apply(r.Devices[0], hardware.ShowFace{Face: hardware.FaceNeutral})
	r.Run(200*time.Millisecond, nil)
	_, _, _, bottom, silent := litBox(frameOf(b))
	before := r.Snapshot.Display.Value
	b.apply(r.Devices[1], hardware.PlaySound{ID: 1, Text: "mamamamamamamamamamama", Duration: 2 * time.Second})
	looks := map[int]bool{}
	for range 12 {
		r.Run(100*time.Millisecond, nil)
		_, _, _, low, lit := litBox(frameOf(b))
		if low <= bottom || lit <= silent {
			t.Errorf("no mouth: %d pixels to row %d, silent %d to row %d", lit, low, silent, bottom)
		}
		looks[lit] = true
	}
	if len(looks) < 2 {
		t.Errorf("the mouth does not move: %v", looks)
	}
	r.Run(2*time.Second, nil)
	if _, _, _, low, lit := litBox(frameOf(b)); low != bottom || lit != silent {
		t.Errorf("the mouth stays: %d pixels to row %d, want %d to %d", lit, low, silent, bottom)
	}
	if after := r.Snapshot.Display.Value; after != before {
		t.Errorf("the reading changed from %+v to %+v", before, after)
	}
}

func frameOf(b *bench) [1024]byte {
	frame, _ := b.rig.Frame()
	return frame
}

// A command that makes no other image costs nothing on the bus.
func TestUnchangedImageIsNotSentAgain(t *testing.T) {
	b := middle(t)
	r := b.runner(hardware.Display)
	for i, f := range []hardware.ShowFace{
		{Face: "happy", GazeX: 0.5}, {Face: "happy", GazeX: 0.5}, {Face: "happy", GazeX: 0.51}, {Face: "happy", GazeX: 0.7},
	} {
		before := r.Snapshot.Display.Value.Frames
		b.apply(r.Devices[0], f)
		r.Run(200*time.Millisecond, nil)
		if sent := r.Snapshot.Display.Value.Frames > before; sent != (i == 0 || i == 3) {
			t.Errorf("command %d: sent %v", i, sent)
		}
	}
}

// What a driver cannot draw is drawn as near as it can.
func TestGazeBeyondItsRangeIsLimited(t *testing.T) {
	b := middle(t)
	r := b.runner(hardware.Display)
	b.apply(r.Devices[0], hardware.ShowFace{Face: "happy", GazeX: -7, GazeY: math.NaN(), Lid: math.Inf(1)})
	r.Run(200*time.Millisecond, nil)
	if got, want := r.Snapshot.Display.Value.Shows(), (hardware.ShowFace{Face: "happy", GazeX: -1, Lid: 1}); got != want {
		t.Errorf("shows %+v, want %+v", got, want)
	}
}

// A blink is shorter than two polls, so an image does not wait for the next one.
func TestNewImageHasItsOwnDeadline(t *testing.T) {
	b := middle(t)
	r := b.runner(hardware.Display)
	d := r.Devices[0]
	r.Run(200*time.Millisecond, nil)
	deadline := d.(hardware.Deadliner).Deadline
	if got := deadline(); !got.IsZero() {
		t.Errorf("at rest: %v", got)
	}
	b.apply(d, hardware.ShowFace{Face: "happy"})
	if got := deadline(); !got.Equal(b.clk.Now()) {
		t.Errorf("with an image that waits: %v, want %v", got, b.clk.Now())
	}
	r.Run(200*time.Millisecond, nil)
	if got := deadline(); !got.IsZero() {
		t.Errorf("shown: %v", got)
	}
}

// A dim face stays dim when the panel is set up again, and becomes bright again on request.
func TestDimFaceStaysDimAfterPanelReset(t *testing.T) {
	b := middle(t)
	r := b.runner(hardware.Display)
	d := r.Devices[0]
	bright := b.rig.Contrast()
	b.apply(d, hardware.DimFace{On: true})
	r.Run(200*time.Millisecond, nil)
	dim := b.rig.Contrast()
	if dim >= bright/4 || dim == 0 {
		t.Errorf("contrast %d, bright %d", dim, bright)
	}
	b.fault(hardware.Display, sim.KindBrownout)
	r.Run(31*time.Second, nil)
	if got := b.rig.Contrast(); got != dim {
		t.Errorf("after a brown-out %d, want %d", got, dim)
	}
	b.apply(d, hardware.DimFace{On: false})
	r.Run(200*time.Millisecond, nil)
	if got := b.rig.Contrast(); got != bright {
		t.Errorf("bright again: %d, want %d", got, bright)
	}
}

// periph's port connects once and cannot be used after Close: each set-up needs a handle of its own, and must give it back.
func TestEverySetUpOpensItsOwnPort(t *testing.T) {
	b := middle(t)
	opened, closed, open := 0, 0, b.board.SPI
	b.board.SPI = func(name string) (spi.PortCloser, error) {
		opened++
		port, err := open(name)
		return closing{port, &closed}, err
	}
	r := b.runner(hardware.Display)
	b.apply(r.Devices[0], hardware.ShowFace{Face: "happy"})
	r.Run(65*time.Second, nil)
	if s := r.Snapshot.Display; s.Quality != hardware.OK || s.Value.Face != "happy" {
		t.Fatalf("after two refreshes: %v %+v", s.Quality, s.Value)
	}
	if opened != 3 || closed != 2 {
		t.Errorf("opened %d times, closed %d times; want 3 and 2", opened, closed)
	}
	for range 2 {
		if err := r.Devices[0].Halt(); err != nil {
			t.Fatal(err)
		}
	}
	if closed != 3 {
		t.Errorf("after Halt: closed %d times, want 3", closed)
	}
}

// closing counts how often a port is closed.
type closing struct {
	spi.PortCloser
	n *int
}

func (c closing) Close() error {
	*c.n++
	return c.PortCloser.Close()
}
