// Package wander chooses ways for robots that go nowhere in particular: away from known edges and obstacles, and to where they have not been.
package wander

import (
	"math"
	"slices"

	"github.com/robotd/robotd/hardware"
)

const (
	// edgeReach is how far to each side of a place where an edge was felt the edge is believed to go on.
	edgeReach = 120.0
	// halfMM is half the width of the robot, with room for the error of its place.
	halfMM = 40.0
	// marginMM is how far before an edge or obstacle a drive ends: the sensors are 30 mm in front of the axle, and the edge is felt there.
	marginMM = 95.0
	// shortMM and chordMM are how far apart two places of an edge must and may be for the edge to be believed straight between them, chordCos the cosine of how
	// far the directions in which they were met may be off the normal.
	shortMM, chordMM, chordCos = 40.0, 1000.0, 0.1
	// edgeOn is how far an edge between two places is believed to go on beyond them.
	edgeOn = 400.0
	// beyondMM is how far beyond a line between two edges the robot must have stood for the line to be no edge.
	beyondMM = 15.0
	// directions are looked at around the robot.
	directions = 24
	// sightMM is how far ahead a way is looked at.
	sightMM = 700.0
	// newMM is the distance from all places where it has been that counts as new.
	newMM = 250.0
	// beenMM is how far apart two remembered places are at least.
	beenMM = 60.0
	// places are remembered; the oldest goes.
	places = 96
)

// Been remembers where a robot has been since it lost its place last. The zero value is empty.
type Been struct {
	origin  uint64
	n, next int
	at      [places][2]float64
}

// Note remembers where the robot is now.
func (b *Been) Note(body *hardware.Body) {
	if b.origin != body.Origin {
		*b = Been{origin: body.Origin}
	}
	if p := body.Pose; b.n == 0 || b.far(p.XMM, p.YMM) >= beenMM {
		b.at[b.next] = [2]float64{p.XMM, p.YMM}
		b.next, b.n = (b.next+1)%places, min(b.n+1, places)
	}
}

// far is the distance of a point from all places where it has been.
func (b *Been) far(x, y float64) float64 {
	least := math.Inf(1)
	for _, p := range b.at[:b.n] {
		least = min(least, (p[0]-x)*(p[0]-x)+(p[1]-y)*(p[1]-y))
	}
	return math.Sqrt(least)
}

// A Way is a turn, and a straight drive after it.
type Way struct{ TurnRad, DistanceMM float64 }

// Choose returns the way that is wanted, or one near it that leads not as soon to an edge or obstacle that is known, and rather to places
// where the robot has not been. It turns by at least leastRad to either side. The distance is never longer than wanted; it is 0 if there is
// no way of at least leastMM.
func Choose(w *hardware.World, been *Been, want Way, leastRad, leastMM float64) Way {
	m := newTerrain(w, been)
	best, most := Way{}, math.Inf(-1)
	for k := range directions {
		turn := hardware.WrapRad(want.TurnRad + float64(alternate(k))*2*math.Pi/directions)
		if math.Abs(turn) < leastRad {
			continue
		}
		heading := w.Body.Pose.HeadingRad + turn
		way := min(want.DistanceMM, m.free(heading)-marginMM)
		if way < leastMM {
			continue
		}
		sin, cos := math.Sincos(heading)
		fresh := min(been.far(w.Body.Pose.XMM+way*cos, w.Body.Pose.YMM+way*sin), newMM)
		if value := 2*way + 0.2*fresh - 30*math.Abs(hardware.WrapRad(turn-want.TurnRad)); value > most {
			best, most = Way{turn, way}, value
		}
	}
	if math.IsInf(most, -1) {
		return Way{TurnRad: m.widest(leastRad)}
	}
	return best
}

// alternate counts 0, 1, −1, 2, −2 …
func alternate(k int) int {
	if k%2 == 1 {
		return (k + 1) / 2
	}
	return -k / 2
}

// terrain is what a choice needs of the map.
type terrain struct {
	pose   hardware.Pose
	discs  []disc
	chords []chord
}

type disc struct{ x, y, r float64 }

type chord struct{ ax, ay, bx, by float64 }

func newTerrain(w *hardware.World, been *Been) terrain {
	t := terrain{pose: w.Body.Pose}
	if w.Map == nil {
		return t
	}
	var edges []hardware.Mark
	for _, m := range w.Map.Marks {
		if m.Kind == hardware.MarkEdge {
			edges = append(edges, m)
			t.discs = append(t.discs, disc{m.XMM, m.YMM, edgeReach})
			continue
		}
		t.discs = append(t.discs, disc{m.XMM, m.YMM, m.RadiusMM + halfMM})
	}
	for i, a := range edges {
		for _, b := range edges[:i] {
			if c, ok := edge(a, b, been); ok {
				t.chords = append(t.chords, c)
			}
		}
	}
	return t
}

// edge is the line at which the floor may be believed to end between two places where it does, and beyond them. On a floor without inner
// corners the line beyond them never meets the floor again.
func edge(a, b hardware.Mark, been *Been) (c chord, ok bool) {
	dx, dy := b.XMM-a.XMM, b.YMM-a.YMM
	d := math.Hypot(dx, dy)
	if d < shortMM || d > chordMM {
		return c, false
	}
	dx, dy = dx/d, dy/d
	nx, ny := dy, -dx
	if nx*math.Cos(a.HeadingRad)+ny*math.Sin(a.HeadingRad) < 0 {
		nx, ny = -nx, -ny
	}
	for _, m := range []hardware.Mark{a, b} {
		if nx*math.Cos(m.HeadingRad)+ny*math.Sin(m.HeadingRad) < chordCos {
			return c, false
		}
	}
	stood := func(from, to float64) bool { // beyond the line
		return slices.ContainsFunc(been.at[:been.n], func(p [2]float64) bool {
			x, y := p[0]-a.XMM, p[1]-a.YMM
			along := x*dx + y*dy
			return along > from && along < to && x*nx+y*ny > beyondMM
		})
	}
	on := 0.0
	switch {
	case stood(0, d):
		return c, false
	case !stood(-edgeOn, d+edgeOn):
		on = edgeOn
	}
	return chord{a.XMM - on*dx, a.YMM - on*dy, b.XMM + on*dx, b.YMM + on*dy}, true
}

// free is how far the axle can go in a direction before it meets what is known.
func (t *terrain) free(heading float64) float64 {
	sin, cos := math.Sincos(heading)
	way := sightMM
	for _, d := range t.discs {
		x, y := d.x-t.pose.XMM, d.y-t.pose.YMM
		ahead, aside := x*cos+y*sin, math.Abs(y*cos-x*sin)
		if ahead > 0 && aside < d.r {
			way = min(way, ahead)
		}
	}
	for _, c := range t.chords {
		way = min(way, c.meets(t.pose.XMM, t.pose.YMM, cos, sin))
	}
	return way
}

// meets is how far a way in the direction (ux, uy) goes to the chord; sightMM if it misses it.
func (c *chord) meets(x, y, ux, uy float64) float64 {
	dx, dy := c.bx-c.ax, c.by-c.ay
	det := ux*dy - uy*dx
	if math.Abs(det) < 1e-6 {
		return sightMM
	}
	px, py := c.ax-x, c.ay-y
	way, along := (px*dy-py*dx)/det, (px*uy-py*ux)/det
	if way < 0 || along < 0 || along > 1 {
		return sightMM
	}
	return way
}

// widest is the turn to where most is free.
func (t *terrain) widest(leastRad float64) float64 {
	best, most := math.Pi, -1.0
	for k := range directions {
		turn := hardware.WrapRad(float64(alternate(k)) * 2 * math.Pi / directions)
		if way := t.free(t.pose.HeadingRad + turn); math.Abs(turn) >= leastRad && way > most {
			best, most = turn, way
		}
	}
	return best
}
