package sim

import (
	"math"
	"math/rand/v2"

	"github.com/robotd/robotd/hardware"
)

const (
	// placeTries limits the search for a free place when laying out the table; an object without a place is left out.
	placeTries = 400
	// laneMM and laneWidthMM keep a lane in front of the charger free, so that the robot can always come home.
	laneMM, laneWidthMM = 380.0, 240.0
)

// obstacle is a solid box that never moves.
type obstacle struct {
	box
	pose          hpose
	length, width float64
}

// newTable is a rectangle of 1200 × 800 mm with its corners cut.
func newTable() polygon {
	const x, y, c = 600.0, 400.0, 90.0
	return newPolygon(vec{x, -y + c}, vec{x, y - c}, vec{x - c, y}, vec{-x + c, y},
		vec{-x, y - c}, vec{-x, -y + c}, vec{-x + c, -y}, vec{x - c, -y})
}

// roomMin and roomMax are the lengths of a room's sides, wallMM the thickness of its walls.
const roomMin, roomMax, wallMM = 2500.0, 4000.0, 50.0

// newRoom is a floor with walls, as long and wide as the seed says.
func newRoom(s noise) polygon {
	x, y := s.span(srcRoom, 0, roomMin, roomMax)/2, s.span(srcRoom, 1, roomMin, roomMax)/2
	return newPolygon(vec{x, -y}, vec{x, y}, vec{-x, y}, vec{-x, -y})
}

// walled reports whether walls surround the floor: nothing falls.
func (w *world) walled() bool { return w.body.walled }

// walls are the boxes around a floor with walls.
func (w *world) walls() (all []box) {
	if !w.walled() {
		return nil
	}
	for i, a := range w.table.corners {
		e := w.table.corners[(i+1)%len(w.table.corners)].sub(a)
		n := w.table.normals[i]
		at := a.add(e.scale(0.5)).sub(n.scale(wallMM / 2))
		all = append(all, newBox(pose(at, math.Atan2(e.y, e.x)), e.length()+2*wallMM, wallMM))
	}
	return all
}

// layOut puts the charger near an edge, if there is one, then boxes and cubes where there is room.
func (w *world) layOut() {
	rng := rand.New(rand.NewPCG(w.opt.Seed, 0x7461626c65))
	w.table = newTable()
	w.extent = vec{600, 400}
	boxes, scale, gap := 1, 1.0, 90.0
	if w.walled() {
		w.table = newRoom(w.seed)
		w.extent = w.table.corners[1]
		boxes, scale, gap = 3, 2.5, max(gap, 2.3*w.body.reach)
	}
	if w.body.World.Charger {
		w.setCharger(rng)
	} else {
		w.noCharger()
	}
	for range boxes + rng.IntN(2) {
		length, width := scale*(60+80*rng.Float64()), scale*(50+30*rng.Float64())
		if p, ok := w.freePlace(rng, math.Hypot(length, width)/2, gap); ok {
			w.obstacles = append(w.obstacles, obstacle{newBox(p, length, width), p, length, width})
		}
	}
	for i := range w.cubes {
		p, ok := w.freePlace(rng, cubeMM/math.Sqrt2, 60)
		w.cubes[i] = cube{home: p, pose: p, present: ok, backAt: never, sides: tossed(w.seed, i)}
	}
}

// noCharger puts the charger where nothing ever comes.
func (w *world) noCharger() {
	w.charger = pose(vec{-elsewhere, 0}, math.Pi)
	w.chargerFrame = frameOf(w.charger)
	w.pad = newBox(w.charger, chargerLength, chargerWidth)
	w.dock = w.charger
	w.block = newBox(w.charger, 1, 1)
}

func (w *world) setCharger(rng *rand.Rand) {
	edge := 2 * rng.IntN(4) // the even edges are the sides, the odd ones the cut corners
	a, b := w.table.corners[edge], w.table.corners[(edge+1)%len(w.table.corners)]
	at := a.add(b.sub(a).scale(0.35 + 0.3*rng.Float64()))
	n := w.table.normals[edge]
	w.charger = pose(at.add(n.scale(15+chargerLength/2)), hardware.WrapRad(math.Atan2(n.y, n.x)))
	w.chargerFrame = frameOf(w.charger)
	w.pad = newBox(w.charger, chargerLength, chargerWidth)
	w.dock = pose(w.chargerFrame.out(vec{w.body.dockX, 0}), w.charger.HeadingRad)
	back := w.chargerFrame.out(vec{-chargerLength/2 + blockLength/2, 0})
	w.block = newBox(pose(back, w.charger.HeadingRad), blockLength, chargerWidth)
}

// freePlace looks for a pose where an object of the given radius has a distance of gap millimeters to everything else.
func (w *world) freePlace(rng *rand.Rand, radius, gap float64) (hpose, bool) {
	lane := newBox(pose(w.chargerFrame.out(vec{laneMM / 2, 0}), w.charger.HeadingRad), laneMM+chargerLength, laneWidthMM)
	for range placeTries {
		p := vec{(rng.Float64()*2 - 1) * w.extent.x, (rng.Float64()*2 - 1) * w.extent.y}
		h := (rng.Float64()*2 - 1) * math.Pi
		if w.table.margin(p) > radius+gap && lane.distance(p) > radius+20 && w.room(p, radius+gap) > radius+gap {
			return pose(p, h), true
		}
	}
	return hpose{}, false
}

// room is the distance from p to the nearest object placed so far. When one is that near, the others do not matter.
func (w *world) room(p vec, near float64) float64 {
	m := math.Inf(1)
	for i := range w.cubes {
		if c := &w.cubes[i]; c.present && c.on != onLift {
			m = min(m, position(c.pose).distance(p)-cubeMM/math.Sqrt2)
		}
	}
	for i := 0; i < len(w.obstacles) && m > near; i++ {
		m = min(m, w.obstacles[i].distance(p))
	}
	return m
}

// spot is the pose nearest to p at which the robot overlaps nothing solid and its axle is at least margin inside the
// table. If there is none within 600 mm, it is p.
func (w *world) spot(p hpose, margin float64) hpose {
	if w.walled() {
		margin = max(margin, w.body.reach+5)
		p.XMM, p.YMM = clamp(p.XMM, margin-w.extent.x, w.extent.x-margin), clamp(p.YMM, margin-w.extent.y, w.extent.y-margin)
	}
	if w.clear(p, margin) {
		return p
	}
	for r := 10.0; r <= 600; r += 10 {
		for k := range 16 {
			q := p
			q.XMM += r * math.Cos(float64(k)*math.Pi/8)
			q.YMM += r * math.Sin(float64(k)*math.Pi/8)
			if w.clear(q, margin) {
				return q
			}
		}
	}
	return p
}

func (w *world) clear(p hpose, margin float64) bool {
	if m := w.table.margin(position(p)); m < margin || w.walled() && m < w.body.reach {
		return false
	}
	b := w.body.box(p)
	if b.overlaps(w.block) {
		return false
	}
	for _, o := range w.obstacles {
		if b.overlaps(o.box) {
			return false
		}
	}
	for i := range w.cubes {
		if c := &w.cubes[i]; c.present && c.on != onLift && b.overlaps(c.box()) {
			return false
		}
	}
	return true
}
