package estimate

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Limits of the map. When it is full the mark that was met longest ago goes.
const (
	// maxMarks is the whole edge of a table of 1.2 m by 0.8 m, met every 30 mm.
	maxMarks = 128

	// A table does not move, but the belief of where it is drifts. What stands on it is moved about sooner, and what stopped the wheels
	// may have been a hand.
	edgeTime     = 30 * time.Minute
	obstacleTime = 5 * time.Minute
	bumpTime     = 2 * time.Minute

	// What is nearer than this to a mark of its kind is that mark: a third of the distance between two sensors of R1 for edges, the spread of
	// the range sensor's cone at 150 mm for obstacles. An edge met from another side is another edge.
	mergeEdgeMM  = 15.0
	mergeThingMM = 40.0
	mergeTurn    = 70 * deg

	// A mark that is met again is not written again before it moved by sameMM or became sameTime older: the map stays as it is while the
	// robot drives towards it.
	sameMM   = 4.0
	sameTime = time.Second

	// settled meetings: from there on the newest one moves a mark by this share.
	settled = 4
)

// chart keeps the map. A published map is never written again.
type chart struct {
	now  *hardware.Map
	next []hardware.Mark // being changed in this tick; nil if nothing changed

	aged time.Time

	void [4]bool // the sensors over no floor in the tick before
	seq  uint64  // of the newest cliff scan used

	ranged  ranging
	stalled uint64 // segment whose stall is on the map
}

// marks are those of this tick so far.
func (c *chart) marks() []hardware.Mark {
	switch {
	case c.next != nil:
		return c.next
	case c.now != nil:
		return c.now.Marks
	}
	return nil
}

// change makes the marks writable.
func (c *chart) change() {
	if c.next == nil {
		c.next = append(make([]hardware.Mark, 0, len(c.marks())+4), c.marks()...)
	}
}

// publish ends the changes of a tick.
func (c *chart) publish() *hardware.Map {
	if c.next == nil {
		return c.now
	}
	version := uint64(1)
	if c.now != nil {
		version = c.now.Version + 1
	}
	slices.SortStableFunc(c.next, func(a, b hardware.Mark) int { return a.At.Compare(b.At) })
	if n := len(c.next) - maxMarks; n > 0 {
		c.next = c.next[n:]
	}
	c.now, c.next = &hardware.Map{Version: version, Marks: c.next}, nil
	return c.now
}

// clear forgets all marks, at a new origin.
func (c *chart) clear() {
	c.ranged = ranging{}
	if len(c.marks()) > 0 {
		c.next = []hardware.Mark{}
	}
}

// drop removes the marks for which gone holds.
func (c *chart) drop(gone func(m *hardware.Mark) bool) {
	for i := 0; i < len(c.marks()); {
		if !gone(&c.marks()[i]) {
			i++
			continue
		}
		c.change()
		c.next = slices.Delete(c.next, i, i+1)
	}
}

// age forgets what was met too long ago.
func (c *chart) age(now time.Time) {
	if now.Sub(c.aged) < sameTime {
		return
	}
	c.aged = now
	for i := range c.marks() {
		if m := &c.marks()[i]; now.Sub(m.At) > lasts(m.Kind) {
			c.drop(func(m *hardware.Mark) bool { return now.Sub(m.At) > lasts(m.Kind) })
			return
		}
	}
}

func lasts(k hardware.MarkKind) time.Duration {
	switch k {
	case hardware.MarkEdge:
		return edgeTime
	case hardware.MarkObstacle:
		return obstacleTime
	}
	return bumpTime
}

// meet adds a mark, or moves the one that it is.
func (c *chart) meet(m hardware.Mark) {
	for i, old := range c.marks() {
		if !sameMark(&old, &m) {
			continue
		}
		k := 1 / float64(min(old.Met+1, settled))
		x, y := old.XMM+k*(m.XMM-old.XMM), old.YMM+k*(m.YMM-old.YMM)
		if math.Hypot(x-old.XMM, y-old.YMM) < sameMM && m.At.Sub(old.At) < sameTime {
			return
		}
		old.XMM, old.YMM, old.At, old.Met = x, y, m.At, old.Met+1
		old.HeadingRad = hardware.WrapRad(old.HeadingRad + k*hardware.WrapRad(m.HeadingRad-old.HeadingRad))
		old.RadiusMM += k * (m.RadiusMM - old.RadiusMM)
		c.change()
		c.next[i] = old
		return
	}
	m.Met = 1
	c.change()
	c.next = append(c.next, m)
}

// sameMark reports whether two meetings are of the same thing.
func sameMark(a, b *hardware.Mark) bool {
	d := math.Hypot(a.XMM-b.XMM, a.YMM-b.YMM)
	if a.Kind != b.Kind {
		return false
	}
	if a.Kind == hardware.MarkEdge {
		return d < mergeEdgeMM && math.Abs(hardware.WrapRad(a.HeadingRad-b.HeadingRad)) < mergeTurn
	}
	return d < mergeThingMM
}
