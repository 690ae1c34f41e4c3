package sim

import (
	"math/bits"

	"github.com/jakecoffman/cp/v2"
)

// nearMM is how near two things must be for cp to look at them closely. It is many steps of way, so that cp, which begins where its last look
// ended, has found the sides that face each other before they touch.
const nearMM = 10.0

// Categories of the shapes. Each box that does not move has one of its own; beyond the last, they share it.
const (
	ofRobot = uint(1) << iota
	ofCube
	_
	_
	ofLoad
	ofWall
)

const lastWall = bits.UintSize - 6

// wallCategory is that of the k-th box that does not move.
func wallCategory(k int) uint { return ofWall << min(k, lastWall) }

// boxOf is where a body has a box of its own frame.
func boxOf(b *cp.Body, in *box) box {
	p, r := b.Position(), b.Rotation()
	f := frame{at: vec{p.X, p.Y}, cos: r.X, sin: r.Y}
	return box{frame{f.out(in.at), f.sin*in.cos + f.cos*in.sin, f.cos*in.cos - f.sin*in.sin}, in.hl, in.hw}
}

// alongBody is a box that lies along the axes of its body.
func alongBody(forward, length, width float64) box {
	return box{frame{at: vec{forward, 0}, cos: 1}, length / 2, width / 2}
}

// sift tells cp before a step which pairs cannot touch in it: those that are apart, and those that do not overlap in height. cp works out the
// nearest points of every pair whose bounding boxes overlap, which costs more than all the rest of a step. It reports whether the robot can touch
// nothing, and each cube lies as in the last step, so that what it touches does not push it.
func (c *contacts) sift(w *world) (alone bool) {
	alone = true
	rebased := c.rebase(w)
	for i, r := range c.rests {
		if r.stirred || rebased {
			alone = c.siftCube(w, i) && alone
		} else {
			alone = still(c.cubes[i]) && alone
		}
	}
	robot := boxOf(c.robot, &c.shape)
	c.hull.Filter.Mask = c.meets(w, &robot, 0, bodyHighMM)
	if i := w.hands.load - 1; i >= 0 && c.load != nil {
		load, base := boxOf(c.robot, &c.cargo), w.cubes[i].base
		c.load.Filter.Mask = c.meets(w, &load, base, base+cubeMM)
		alone = alone && c.load.Filter.Mask == 0
	}
	return alone && c.hull.Filter.Mask == 0
}

// cubeShape is a cube about its middle.
var cubeShape = alongBody(0, cubeMM, cubeMM)

// rebase reports whether a cube has another height than in the last step.
func (c *contacts) rebase(w *world) (changed bool) {
	for i := range w.cubes {
		if base := w.cubes[i].base; base != c.bases[i] {
			c.bases[i], changed = base, true
		}
	}
	return changed
}

// siftCube does it for cube i against other cubes, and against what does not move, if the cube has moved. It reports whether it lies as in the
// last step.
func (c *contacts) siftCube(w *world, i int) (lies bool) {
	r := c.rests[i]
	r.stirred = false
	lies = still(c.cubes[i])
	if at := spotOf(c.cubes[i]); at != r.sifted {
		r.sifted, r.box = at, boxOf(c.cubes[i], &cubeShape)
		r.walls, lies = c.nearWalls(&r.box), false
	}
	mask := r.walls | ofRobot | ofLoad
	base := w.cubes[i].base
	for k := range w.cubes {
		if other := w.cubes[k].base; other == base || meets(base, base+cubeMM, other, other+cubeMM) {
			mask |= ofCube << k
		}
	}
	lies = lies && r.shape.Filter.Mask == mask
	r.shape.Filter.Mask = mask
	return lies
}

// meets is what a part of the robot may touch.
func (c *contacts) meets(w *world, b *box, base, top float64) uint {
	mask := c.nearWalls(b)
	for i, r := range c.rests {
		if under := w.cubes[i].base; b.near(&r.box, nearMM) && meets(base, top, under, under+cubeMM) {
			mask |= ofCube << i
		}
	}
	return mask
}

// nearWalls is what does not move and is near a box.
func (c *contacts) nearWalls(b *box) (mask uint) {
	for k := range c.walls {
		if b.near(&c.walls[k], nearMM) {
			mask |= wallCategory(k)
		}
	}
	return mask
}
