package sim

import (
	"math"
	"time"
)

const (
	onLift = -1 // a cube's on, if the lift holds it
	// overhangMM is how far the middle of a cube may be from that of the one below it, along its sides. Beyond it topples. The edges of a
	// cube are rounded, so it is less than half of one.
	overhangMM = 15.0
	// besideMM is how far from the middle of what it fell off a cube comes to lie, at least.
	besideMM = cubeMM + 2
)

// cube is one cube. It stands on the table or on another cube, or the lift holds it, or it is not there: it fell, and is put back later.
type cube struct {
	home, pose hpose
	present    bool
	backAt     int64   // a cube that fell is put back
	moves      int64   // until this step it moves, as the camera sees it
	on         int     // the cube that it stands on, counted from 1; 0 for the table
	base       float64 // height of its lower side
	sides      sides
	around     box   // it, when it was at boxed
	boxed      hpose // zero before
}

func (c *cube) box() box {
	if c.pose != c.boxed || c.around.hl == 0 {
		c.around, c.boxed = newBox(c.pose, cubeMM, cubeMM), c.pose
	}
	return c.around
}

// meets reports whether two things overlap in height.
func meets(base, top, otherBase, otherTop float64) bool {
	return base < otherTop-0.5 && otherBase < top-0.5
}

// sides are the numbers of a cube's sides, opposite ones having a sum of 7: the upper one, that along its heading, and that to the left.
type sides struct{ up, fore, left uint8 }

// upright is a cube as it is meant to stand.
var upright = sides{1, 2, 3}

// tipped is the cube rolled over by 90° towards the direction d of its frame, or along the axis nearest to it.
func (s sides) tipped(d vec) sides {
	switch {
	case math.Abs(d.x) >= math.Abs(d.y) && d.x >= 0:
		return sides{7 - s.fore, s.up, s.left}
	case math.Abs(d.x) >= math.Abs(d.y):
		return sides{s.fore, 7 - s.up, s.left}
	case d.y >= 0:
		return sides{7 - s.left, s.fore, s.up}
	}
	return sides{s.left, s.fore, 7 - s.up}
}

// tossed is a cube as it fell, by seed: every second one is upright.
func tossed(s noise, i int) sides {
	c := upright
	if s.unit(srcToss, int64(i)) < 0.5 {
		return c
	}
	for k := range 1 + int(s.bits(srcToss+1, int64(i))%4) {
		a := s.span(srcToss+2, int64(8*i+k), -math.Pi, math.Pi)
		c = c.tipped(direction(a))
	}
	return c
}

// rider is the cube that stands on cube i, -1 for none.
func (w *world) rider(i int) int {
	for k := range w.cubes {
		if w.cubes[k].present && w.cubes[k].on == i+1 {
			return k
		}
	}
	return -1
}

// below finds what is under cube i: the height of its upper side, which cube it is (-1: the table), and whether cube i stands on it.
func (w *world) below(i int) (level float64, on int, firm bool) {
	b := w.cubes[i].box()
	on, firm = -1, true
	for j := range w.cubes {
		c := &w.cubes[j]
		if j == i || !c.present || c.on == onLift || c.base >= w.cubes[i].base+cubeMM || w.carries(i, j) || c.base+cubeMM <= level {
			continue
		}
		if o := c.box(); o.overlaps(b) && w.cubes[i].base+playMM >= c.base+cubeMM-1 {
			level, on, firm = c.base+cubeMM, j, centered(o, b.at)
		}
	}
	return level, on, firm
}

// carries reports whether cube j stands on cube i, or on one that does.
func (w *world) carries(i, j int) bool {
	for k := w.cubes[j].on; k > 0; k = w.cubes[k-1].on {
		if k == i+1 {
			return true
		}
	}
	return false
}

// centered reports whether p is so near to the middle of a cube that one stands there.
func centered(b box, p vec) bool {
	d := b.in(p)
	return math.Abs(d.x) <= overhangMM && math.Abs(d.y) <= overhangMM
}

// land lets cube i, which nothing holds, come to rest where it is: on the cube below, on the table, or beside a cube that does not carry it.
func (w *world) land(i int) {
	c := &w.cubes[i]
	_, on, firm := w.below(i)
	switch {
	case on >= 0 && (!firm || !w.free(i, c.box().shrunk(1.5), w.cubes[on].base+cubeMM)):
		w.topple(i, position(w.cubes[on].pose))
		return
	case on >= 0:
		c.on, c.base = on+1, w.cubes[on].base+cubeMM
	case !w.table.inside(position(c.pose), 0):
		w.lose(i)
		return
	case !w.free(i, c.box().shrunk(1.5), 0):
		w.topple(i, position(c.pose))
		return
	default:
		c.on, c.base = 0, 0
	}
	if c.on == 0 && c.box().overlaps(w.pad) {
		c.backAt = w.n + cubeBackSteps
	}
	w.settled(i)
}

// settled notes that cube i came to rest at a new place. What stood on it falls, if only onto it.
func (w *world) settled(i int) {
	w.contacts.put(i, w.cubes[i])
	w.checkAt = 0
	w.reschedule()
	w.unload(i)
}

// lose takes cube i off the table. What stood on it falls.
func (w *world) lose(i int) {
	c := &w.cubes[i]
	c.present, c.on, c.base, c.backAt = false, 0, 0, w.n+cubeBackSteps
	w.contacts.put(i, *c)
	w.unload(i)
	w.reschedule()
}

// unload lets what stands on cube i fall, as the cube is no longer where it was.
func (w *world) unload(i int) {
	if k := w.rider(i); k >= 0 {
		w.cubes[k].on = 0
		w.land(k)
	}
}

// topple lets cube i fall to the table beside the place from: away from it if there is room, and rolled over to that side.
func (w *world) topple(i int, from vec) {
	c := &w.cubes[i]
	c.on = 0
	away := position(c.pose).sub(from)
	first := math.Atan2(away.y, away.x)
	if away.length() < 1e-9 {
		first = c.pose.HeadingRad
	}
	for _, turn := range [8]float64{0, 45, -45, 90, -90, 135, -135, 180} {
		d := direction(first + degrees(turn))
		for mm := besideMM; mm < 3*cubeMM; mm += 4 {
			p := from.add(d.scale(mm))
			if !w.table.inside(p, 0) && !w.walled() {
				if turn == 0 {
					w.lose(i)
					return
				}
				break
			}
			if b := newBox(pose(p, c.pose.HeadingRad), cubeMM, cubeMM); w.free(i, b, 0) {
				c.sides = c.sides.tipped(b.turned(d))
				c.pose, c.base, c.moves = pose(p, c.pose.HeadingRad), 0, w.n+comingSteps
				w.settled(i)
				return
			}
		}
	}
	w.lose(i)
}

// shrunk is a box whose sides are that much nearer to its middle.
func (b box) shrunk(mm float64) box { return box{b.frame, b.hl - mm, b.hw - mm} }

// turned is the direction d in the frame of b.
func (b box) turned(d vec) vec { return vec{b.cos*d.x + b.sin*d.y, b.cos*d.y - b.sin*d.x} }

// free reports whether cube i overlaps nothing in a box that begins at a height.
func (w *world) free(i int, b box, base float64) bool {
	if b.overlaps(w.block) || w.mode == standing && base < bodyHighMM && b.overlaps(w.body.box(w.robot)) || w.walled() && !w.table.inside(b.at, cubeMM) {
		return false
	}
	for _, o := range w.obstacles {
		if b.overlaps(o.box) {
			return false
		}
	}
	for j := range w.cubes {
		if c := &w.cubes[j]; j != i && c.present && meets(base, base+cubeMM, c.base, c.base+cubeMM) && b.overlaps(c.box()) {
			return false
		}
	}
	return true
}

// ride keeps cube i on the cube below it, and lets it topple when that is no longer below.
func (w *world) ride(i int) {
	c := &w.cubes[i]
	below := &w.cubes[c.on-1]
	if below.present && centered(below.box(), position(c.pose)) {
		c.base = below.base + cubeMM
		return
	}
	w.topple(i, position(below.pose))
}

// cubeBack puts a cube at its first place, or waits a second if something is there.
func (w *world) cubeBack(i int) {
	c := &w.cubes[i]
	home := position(c.home)
	taken := position(w.robot).distance(home) < 150
	for j := range w.cubes {
		taken = taken || j != i && w.cubes[j].present && position(w.cubes[j].pose).distance(home) < 70
	}
	if taken {
		c.backAt = w.n + steps(time.Second)
		return
	}
	c.pose, c.present, c.backAt, c.on, c.base = c.home, true, never, 0, 0
	w.settled(i)
}

// moveCube puts the cube of that number, or for 0 the one that is nearest to p, at p. If another one stands there, it comes to stand on it.
// It stays where it is if p is not on the table or something else is there; the robot in a person's hands is not.
func (w *world) moveCube(id int, p hpose) bool {
	i, at := -1, position(p)
	for k := range w.cubes {
		c := &w.cubes[k]
		if c.present && (id == 0 || id == k+1) && (i < 0 || position(c.pose).distance(at) < position(w.cubes[i].pose).distance(at)) {
			i = k
		}
	}
	if i < 0 {
		return false
	}
	on, ok := w.cubeFits(i, p)
	if !ok {
		return false
	}
	c := &w.cubes[i]
	if w.hands.load == i+1 {
		w.hands.load = 0
		w.contacts.ungrab(w)
	}
	w.forget(i)
	c.pose, c.backAt, c.moves, c.on, c.base = p, never, w.n+comingSteps, 0, 0
	if on >= 0 {
		c.on, c.base = on+1, w.cubes[on].base+cubeMM
	}
	w.settled(i)
	return true
}

// forget takes cube i out of the fingers' reach.
func (w *world) forget(i int) {
	h := &w.hands
	if h.slot == i+1 {
		h.slot = 0
	}
	if h.tip.cube == i+1 {
		h.tip = tip{}
	}
	h.gaps[i] = math.Inf(1)
}

// cubeFits reports whether cube i has room at p, and on which cube it then stands; -1 for the table.
func (w *world) cubeFits(i int, p hpose) (on int, ok bool) {
	b := newBox(p, cubeMM, cubeMM)
	for j := range w.cubes {
		c := &w.cubes[j]
		if j != i && c.present && c.on != onLift && !w.carries(i, j) && c.box().overlaps(b) && w.rider(j) < 0 && centered(c.box(), b.at) {
			return j, w.free(i, b, c.base+cubeMM)
		}
	}
	return -1, w.table.inside(position(p), cubeMM) && !b.overlaps(w.pad) && w.free(i, b, 0)
}
