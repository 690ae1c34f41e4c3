package device

import (
	"image"
	"math"

	"periph.io/x/devices/v3/ssd1306/image1bit"

	"github.com/robotd/robotd/hardware"
)

// The panel.
const faceWidth, faceHeight = 128, 64

// How far the eyes move when they look aside or up, in pixels, and in how many steps the lids close.
const (
	gazeX, gazeY = 14, 8
	lidSteps     = 8
)

// In how many steps a shape is told apart, and what a slant and a cheek of 1 are in pixels.
const (
	shapeSteps       = 16
	slantPX, cheekPX = 16, 20
)

// A pose is what one image of a face depends on: the expression, and how far its eyes are moved and closed.
type pose struct {
	name        string
	dx, dy, lid int // pixels to the right and down, and lidSteps
	rise        int // pixels up, by breath
	mouth       mouthPose

	tall, wide, slant, cheek int // shapeSteps
}

// A mouthPose is the mouth of a face that speaks; the zero value is none.
type mouthPose struct {
	speaks bool
	open   int // of mouthSteps
}

// poseOf is what the panel can show of a command. Left is the robot's own, which is on the right of the panel.
func poseOf(c hardware.ShowFace) pose {
	round := func(v float64) int { return int(math.Round(v)) }
	s := &c.Shape
	return pose{
		name: c.Face, dx: round(c.GazeX * gazeX), dy: -round(c.GazeY * gazeY), lid: round(c.Lid * lidSteps),
		tall: round(s.Tall * shapeSteps), wide: round(s.Wide * shapeSteps), slant: round(s.Slant * shapeSteps), cheek: round(s.Cheek * shapeSteps),
	}
}

// An eye is a rounded rectangle with a slanted upper and a curved lower lid. Lengths are in pixels of the right-hand eye
// as seen; the other one is its mirror image unless the expression says otherwise.
type eye struct {
	dx, dy float64 // offset of the center, outward and down
	w, h   float64 // half width and half height
	corner float64 // radius of the corners
	lid    float64 // how far the upper lid comes down
	slant  float64 // how much more at the inner corner (negative: at the outer)
	cheek  float64 // how far the lower lid bulges up in the middle
	heart  bool    // a heart instead
	shut   float64 // how much of its height the upper lid covers on top of that, 0 to 1
}

// A faceSpec is one expression.
type faceSpec struct {
	name  string
	right eye
	left  *eye    // nil: mirror of right
	shift float64 // both eyes to the right, in pixels
	extra func(*image1bit.VerticalLSB)
}

// faceSpecs is the table of expressions, by name in alphabetical order. Left and right are the robot's own: a robot
// that looks to its left looks to the right of the panel.
func faceSpecs() []faceSpec {
	open := eye{w: 15, h: 19, corner: 9}
	with := func(change func(*eye)) eye {
		e := open
		change(&e)
		return e
	}
	small := with(func(e *eye) { e.w, e.h, e.corner = 13, 15, 8 })
	return []faceSpec{
		{name: "angry", right: with(func(e *eye) { e.lid, e.slant = 6, 16 })},
		{name: "asleep", right: eye{w: 15, h: 2, corner: 2, dy: 10}},
		{name: "blink", right: eye{w: 16, h: 2, corner: 2}},
		{name: "charging", right: with(func(e *eye) { e.h, e.lid, e.dy = 13, 6, -6 }), extra: drawBattery},
		{name: "happy", right: with(func(e *eye) { e.cheek = 20 })},
		{name: "listening", right: with(func(e *eye) { e.h, e.w = 22, 14 }), extra: drawWaves},
		{name: "look_left", right: small, shift: 17},
		{name: "look_right", right: small, shift: -17},
		{name: "love", right: eye{w: 17, h: 17, heart: true}},
		{name: hardware.FaceNeutral, right: open},
		{name: "sad", right: with(func(e *eye) { e.lid, e.slant, e.dy = 4, -16, 4 })},
		{name: "scared", right: eye{w: 10, h: 12, corner: 10, dx: 6}},
		{name: "sleepy", right: with(func(e *eye) { e.lid, e.dy = 24, 4 })},
		{name: "surprised", right: eye{w: 18, h: 26, corner: 17}},
		{name: "thinking", right: with(func(e *eye) { e.dy, e.h = -6, 15 }), left: &eye{w: 15, h: 9, corner: 7, dy: -6}, shift: 10},
	}
}

// drawFace renders an expression; an unknown name renders as the neutral one.
func drawFace(at pose) *image1bit.VerticalLSB {
	if text, ok := hardware.DigitsOf(at.name); ok {
		return drawDigits(text)
	}
	specs := faceSpecs()
	spec := specs[0]
	for _, s := range specs {
		if s.name == hardware.FaceNeutral && spec.name != at.name || s.name == at.name {
			spec = s
		}
	}
	img := image1bit.NewVerticalLSB(image.Rect(0, 0, faceWidth, faceHeight))
	left, right := spec.right, spec.right
	if spec.left != nil {
		left = *spec.left
	}
	shift := spec.shift + float64(at.dx)
	for _, e := range []*eye{&left, &right} { // they stay on the panel
		e.bend(&at)
		side := max(0, faceWidth/2-eyeX-e.dx-e.w)
		shift = min(max(shift, -side), side)
		e.shut = float64(at.lid) / lidSteps
		e.dy = min(max(e.dy+float64(at.dy-at.rise), e.h-faceHeight/2), faceHeight/2-e.h)
	}
	drawEye(img, left, -1, shift)
	drawEye(img, right, 1, shift)
	if at.mouth.speaks && at.name != "charging" { // whose battery is there
		drawMouth(img, at.mouth.open)
	}
	if spec.extra != nil {
		spec.extra(img)
	}
	return img
}

// bend gives an eye the shape of a pose.
func (e *eye) bend(at *pose) {
	part := func(steps int) float64 { return float64(steps) / shapeSteps }
	e.h *= 1 + part(at.tall)/2
	e.w *= 1 + part(at.wide)/2
	e.slant += slantPX * part(at.slant)
	e.cheek = max(0, e.cheek+cheekPX*part(at.cheek))
}

// drawEye fills one eye. Side is −1 for the one on the left of the panel.
func drawEye(img *image1bit.VerticalLSB, e eye, side, shift float64) {
	cx, cy := faceWidth/2+side*(eyeX+e.dx)+shift, faceHeight/2+e.dy
	// No row is wider than one from side to side.
	from, to := span(max(0, int(cx-e.w)-1), min(faceWidth, int(cx+e.w)+2), func(x int) bool { return math.Abs((float64(x)+0.5-cx)*side) <= e.w })
	var plain [faceHeight / 8]byte // rows from side to side, of each row of bytes
	for y := max(0, int(cy-e.h)-1); y < min(faceHeight, int(cy+e.h)+2); y++ {
		row, any := e.row(float64(y) + 0.5 - cy)
		switch bit := byte(1) << (y % 8); {
		case !any:
		case row.plain && row.half == e.w:
			plain[y/8] |= bit
		default:
			covers := func(x int) bool { return row.covers((float64(x) + 0.5 - cx) * side) }
			lo, hi := span(from, to, covers)
			bits, split := img.Pix[y/8*img.Stride:][lo:hi], row.split()
			for x := range bits {
				if !split || covers(lo+x) {
					bits[x] |= bit
				}
			}
		}
	}
	for page, rows := range plain {
		if rows == 0 {
			continue
		}
		bits := img.Pix[page*img.Stride:][from:to]
		for x := range bits {
			bits[x] |= rows
		}
	}
}

// span is what is left of a row without the points at its ends that are not covered.
func span(from, to int, covers func(x int) bool) (lo, hi int) {
	for from < to && !covers(from) {
		from++
	}
	for to > from && !covers(to-1) {
		to--
	}
	return from, to
}

// eyeX is how far the eyes are from the middle, in pixels.
const eyeX = 27

// closedLine is half the height of the line that remains of a closed eye.
const closedLine = 2.0

// lidWay is how far down an eye its lid comes before it is closed, in half heights.
const lidWay = 1.6

// An eyeRow is what one row of an eye depends on. Points of it are u to the outside of the eye's center and v below.
type eyeRow struct {
	*eye
	v     float64
	half  float64 // its width to each side, without what its corners round off
	plain bool    // all of that is seen
	upper bool    // the upper lid may be in it
	lower bool    // the lower lid may be in it
}

// row is a row of the eye, and whether any of it may be seen.
func (e *eye) row(v float64) (r eyeRow, any bool) {
	r = eyeRow{eye: e, v: v, half: e.w}
	switch {
	case e.shut >= 1:
		middle := e.lid/2 - e.cheek/4 // of what the expression leaves open
		r.plain = true
		return r, math.Abs(v-middle) <= closedLine
	case v < -e.h+e.shut*lidWay*e.h:
		return r, false
	case e.heart:
		return r, true
	case math.Abs(v) > e.h:
		return r, false
	}
	round := min(e.corner, e.w, e.h) // radius of the corners
	if above := math.Abs(v) - e.h + round; above > 0 {
		r.half += math.Sqrt(round*round-above*above) - round
	}
	r.upper = (e.lid > 0 || e.slant != 0) && v < -e.h+(e.lid+math.Abs(e.slant))
	r.lower = e.cheek > 0 && v > e.h-e.cheek
	r.plain = !r.upper && !r.lower
	return r, true
}

// covers reports whether the eye covers a point of the row.
func (r *eyeRow) covers(u float64) bool {
	switch {
	case r.heart && !r.plain:
		return inHeart(u/r.w, r.v/r.h)
	case math.Abs(u) > r.half:
		return false
	case r.plain:
		return true
	}
	return !(r.upper && r.underUpper(u)) && !(r.lower && r.underLower(u))
}

// split reports whether the row may have a gap: the lower lid bulges in its middle, and a heart is open above.
func (r *eyeRow) split() bool { return r.lower || r.heart }

// underUpper reports whether the upper lid covers a point.
func (r *eyeRow) underUpper(u float64) bool {
	inward := (r.w - u) / (2 * r.w) // 1 at the inner corner
	drop := r.lid
	if r.slant > 0 {
		drop += r.slant * inward
	} else {
		drop -= r.slant * (1 - inward)
	}
	return r.v < -r.h+drop
}

// underLower reports whether the lower lid does.
func (r *eyeRow) underLower(u float64) bool {
	return r.v > r.h-r.cheek*(1-(u/r.w)*(u/r.w)*0.6)
}

// inHeart is the unit heart: two discs and the wedge below them.
func inHeart(u, v float64) bool {
	if math.Hypot(math.Abs(u)-0.48, v+0.4) <= 0.52 {
		return true
	}
	return v > -0.4 && v < 0.95 && math.Abs(u) <= (0.95-v)*0.74
}

// The mouth: an ellipse below and between the eyes, whose height follows what is said.
const (
	mouthY     = 54
	mouthW     = 9.0
	mouthLeast = 1.2 // half its height when the lips are closed
	mouthMost  = 7.5
	mouthRoom  = 10 // pixels to each side that hold it
)

// drawMouth adds a mouth that is open by so many steps.
func drawMouth(img *image1bit.VerticalLSB, open int) {
	h := mouthLeast + (mouthMost-mouthLeast)*float64(open)/mouthSteps
	for y := mouthY - mouthRoom; y < min(faceHeight, mouthY+mouthRoom); y++ {
		for x := faceWidth/2 - mouthRoom; x < faceWidth/2+mouthRoom; x++ {
			if math.Hypot((float64(x)+0.5-faceWidth/2)/mouthW, (float64(y)+0.5-mouthY)/h) <= 1 {
				img.SetBit(x, y, image1bit.On)
			}
		}
	}
}

// drawBattery adds a small battery with a charging bar below the eyes.
func drawBattery(img *image1bit.VerticalLSB) {
	const x0, y0, w, h = 50, 50, 26, 12
	for y := range h {
		for x := range w {
			edge := x == 0 || y == 0 || x == w-1 || y == h-1
			if edge || x >= 3 && x < 16 && y >= 3 && y < h-3 {
				img.SetBit(x0+x, y0+y, image1bit.On)
			}
		}
	}
	for y := 4; y < 8; y++ {
		img.SetBit(x0+w, y0+y, image1bit.On)
		img.SetBit(x0+w+1, y0+y, image1bit.On)
	}
}

// drawWaves adds two arcs at each side.
func drawWaves(img *image1bit.VerticalLSB) {
	for y := range faceHeight {
		for x := range faceWidth {
			u, v := math.Abs(float64(x)+0.5-faceWidth/2)-44, float64(y)+0.5-faceHeight/2
			if u <= 0 || math.Abs(v) >= u {
				continue
			}
			if d := math.Hypot(u, v); math.Abs(d-10) < 1.2 || math.Abs(d-16) < 1.2 {
				img.SetBit(x, y, image1bit.On)
			}
		}
	}
}

// shrunk is a face with fewer rows: each shows what any of the rows shows that it stands for.
func shrunk(img *image1bit.VerticalLSB, rows int) *image1bit.VerticalLSB {
	if rows >= faceHeight {
		return img
	}
	out := image1bit.NewVerticalLSB(image.Rect(0, 0, faceWidth, rows))
	for y := range faceHeight {
		for x := range faceWidth {
			if img.BitAt(x, y) {
				out.SetBit(x, y*rows/faceHeight, image1bit.On)
			}
		}
	}
	return out
}
