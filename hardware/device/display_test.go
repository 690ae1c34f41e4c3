package device_test

import (
	"math"
	"testing"
	"time"

	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/hwtest"
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

// rises lists the topmost rows of a panel that breathes, and how long it was at each, over a time.
func rises(b *bench, r *hwtest.Runner, d time.Duration) (rows map[int]int, turns int) {
	rows = map[int]int{}
	was, up := -1, false
	for at := time.Duration(0); at < d; at += 100 * time.Millisecond {
		r.Run(100*time.Millisecond, nil)
		_, top, _, _, _ := litBox(frameOf(b))
		rows[top]++
		if was >= 0 && top != was {
			if top < was != up {
				turns++
			}
			if up = top < was; top-was > 1 || was-top > 1 {
				rows[-1]++ // a jump
			}
		}
		was = top
	}
	return rows, turns
}

// The eyes go up and down by one pixel at a time, as often a minute as the breath says. The reading, which decisions rest on, does not change.
func TestFaceBreathesByItself(t *testing.T) {
	b := middle(t)
	r := b.runner(hardware.Display)
	face := hardware.ShowFace{Face: hardware.FaceNeutral, Breath: hardware.Breath{PerMinute: 20, Depth: 1}}
	b.apply(r.Devices[0], face)
	r.Run(200*time.Millisecond, nil)
	before := r.Snapshot.Display.Value
	rows, turns := rises(b, r, time.Minute)
	if len(rows) != 4 || rows[-1] != 0 || turns < 38 || turns > 42 { // a breath has two turns
		t.Errorf("rows %v, %d turns", rows, turns)
	}
	if after := r.Snapshot.Display.Value; after.Shows() != face || after.Frames > before.Frames+2 { // it is set up anew twice a minute
		t.Errorf("the reading changed from %+v to %+v", before, after)
	}
	face.Breath = hardware.Breath{PerMinute: 10, Depth: 0.7} // in the middle of a breath
	b.apply(r.Devices[0], face)
	if rows, turns = rises(b, r, time.Minute); len(rows) != 3 || turns < 18 || turns > 22 {
		t.Errorf("slower: rows %v, %d turns", rows, turns)
	}
	face.Breath = hardware.Breath{}
	b.apply(r.Devices[0], face)
	r.Run(time.Second, nil)
	if rows, _ = rises(b, r, 10*time.Second); len(rows) != 1 {
		t.Errorf("without breath: rows %v", rows)
	}
}

// Each part of a shape changes what it names, and zero changes nothing.
func TestShapeBendsTheEyes(t *testing.T) {
	b := middle(t)
	r := b.runner(hardware.Display)
	look := func(s hardware.Shape) (frame [1024]byte) {
		b.apply(r.Devices[0], hardware.ShowFace{Face: hardware.FaceNeutral, Shape: s})
		r.Run(200*time.Millisecond, nil)
		return frameOf(b)
	}
	_, top, _, bottom, lit := litBox(look(hardware.Shape{}))
	height := bottom - top + 1
	for name, c := range map[string]struct {
		shape hardware.Shape
		high  float64 // of the height of the neutral eyes
		lit   [2]float64
	}{
		"tall":    {hardware.Shape{Tall: 0.5}, 1.25, [2]float64{1.2, 1.3}},
		"short":   {hardware.Shape{Tall: -1}, 0.5, [2]float64{0.4, 0.6}},
		"wide":    {hardware.Shape{Wide: 0.5}, 1, [2]float64{1.2, 1.3}},
		"narrow":  {hardware.Shape{Wide: -1}, 1, [2]float64{0.4, 0.6}},
		"angry":   {hardware.Shape{Slant: 1}, 1, [2]float64{0.7, 0.9}},
		"sad":     {hardware.Shape{Slant: -1}, 1, [2]float64{0.7, 0.9}},
		"smiling": {hardware.Shape{Cheek: 1}, 0.8, [2]float64{0.4, 0.65}},
		"beyond":  {hardware.Shape{Tall: 9, Wide: math.NaN()}, 1.5, [2]float64{1.4, 1.6}},
	} {
		_, u, _, d, n := litBox(look(c.shape))
		if share := float64(n) / float64(lit); share < c.lit[0] || share > c.lit[1] || math.Abs(float64(d-u+1)-c.high*float64(height)) > 3 {
			t.Errorf("%s: %d rows of %d, %.2f of the pixels", name, d-u+1, height, share)
		}
	}
	if angry, sad := look(hardware.Shape{Slant: 1}), look(hardware.Shape{Slant: -1}); angry == sad {
		t.Error("both slants look alike")
	}
	_, _, _, _, happy := litBox(look(hardware.Shape{Cheek: 1}))
	b.apply(r.Devices[0], hardware.ShowFace{Face: hardware.FaceHappy})
	r.Run(200*time.Millisecond, nil)
	if _, _, _, _, n := litBox(frameOf(b)); n != happy {
		t.Errorf("a neutral face with a whole smile has %d pixels, the happy one %d", happy, n)
	}
}
