package look

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// The survey of what was looked at: cells around the place where the search began, as far as a cube is seen.
const (
	cellMM     = 75.0
	nearbyMM   = 650.0
	cellsWide  = 18
	surveyTime = 2 * time.Minute // a cell that was looked at longer ago counts as not looked at
	// hidesMM is half the width of what hides the ground behind it.
	hidesMM = 28.0
	// beyondMM is how far to the side of a place where an edge was felt there is no ground either.
	beyondMM = 120.0
	// roomMM is what a place to look from keeps from edges, obstacles and objects.
	roomMM = 100.0
	// lookDirections are the directions of a search, 30° apart: half of what a look covers, so that one that fails to see has a neighbor.
	lookDirections = 12
)

// A survey is how long ago each cell around the robot was looked at, from 0 (just now) to 1 (long ago, or never). Cells beyond an edge, and those in
// which something known stands, count as 0: there is nothing to find.
type survey struct {
	w        *hardware.World
	home     hardware.Pose // middle of the cells
	from     hardware.Pose // the robot
	age      [cellsWide * cellsWide]float64
	blockers []blocker
	looks    []hardware.View
}

// A blocker is something that hides what is behind it.
type blocker struct{ x, y, radius float64 }

// newSurvey works out a survey from the looks that the world remembers and from own ones. wanted is an object that may be anywhere, so it hides nothing.
func newSurvey(w *hardware.World, home hardware.Pose, wanted int, own []hardware.View) *survey {
	s := &survey{w: w, home: home, from: w.Body.Pose}
	looks := own
	if w.Views != nil {
		looks = append(looks[:len(looks):len(looks)], w.Views.All...)
	}
	s.looks = looks
	for i := range w.Objects {
		o := &w.Objects[i]
		if o.Origin == w.Body.Origin && o.ID != w.Body.CarriedID && o.ID != wanted {
			s.blockers = append(s.blockers, blocker{o.Pose.XMM, o.Pose.YMM, hidesMM})
		}
	}
	if w.Map != nil {
		for i := range w.Map.Marks {
			if m := &w.Map.Marks[i]; m.Kind != hardware.MarkEdge {
				s.blockers = append(s.blockers, blocker{m.XMM, m.YMM, max(hidesMM, m.RadiusMM)})
			}
		}
	}
	for i := range s.age {
		x, y := s.place(i)
		if math.Hypot(x-home.XMM, y-home.YMM) > nearbyMM || s.offTable(x, y) {
			continue
		}
		s.age[i] = 1
		for k := range looks {
			v := &looks[k]
			old := min(float64(w.Now.Sub(v.At))/float64(surveyTime), 1)
			if old < s.age[i] && s.inView(v.Pose, x, y) {
				s.age[i] = old
			}
		}
	}
	return s
}

// place is the middle of a cell.
func (s *survey) place(i int) (x, y float64) {
	at := func(n int) float64 { return (float64(n) - (cellsWide-1)/2.0) * cellMM }
	return s.home.XMM + at(i%cellsWide), s.home.YMM + at(i/cellsWide)
}

// offTable reports whether a place is behind an edge that was felt.
func (s *survey) offTable(x, y float64) bool {
	if s.w.Map == nil {
		return false
	}
	for i := range s.w.Map.Marks {
		m := &s.w.Map.Marks[i]
		if m.Kind != hardware.MarkEdge {
			continue
		}
		sin, cos := math.Sincos(m.HeadingRad)
		dx, dy := x-m.XMM, y-m.YMM
		if dx*cos+dy*sin > 0 && math.Abs(dy*cos-dx*sin) < beyondMM {
			return true
		}
	}
	return false
}

// inView reports whether a place is in the view from a pose, and nothing known hides it.
func (s *survey) inView(p hardware.Pose, x, y float64) bool {
	d, bearing := p.To(x, y)
	return d >= sureNearMM && d <= thingFarMM && math.Abs(bearing) <= sureSideRad && !s.hidden(p, x, y)
}

// hidden reports whether something stands between a pose and a place.
func (s *survey) hidden(p hardware.Pose, x, y float64) bool {
	dx, dy := x-p.XMM, y-p.YMM
	far := math.Hypot(dx, dy)
	if far == 0 {
		return false
	}
	dx, dy = dx/far, dy/far
	for _, b := range s.blockers {
		bx, by := b.x-p.XMM, b.y-p.YMM
		along := bx*dx + by*dy
		if along > 0 && along < far-cubeMM && math.Abs(bx*dy-by*dx) < b.radius {
			return true
		}
	}
	return false
}

// worth is how much there is to see from a pose: the ages of the cells in view, in cells.
func (s *survey) worth(p hardware.Pose) float64 {
	sum := 0.0
	for i, age := range s.age {
		if age == 0 {
			continue
		}
		if x, y := s.place(i); s.inView(p, x, y) {
			sum += age
		}
	}
	return sum
}

const (
	// A look is worth its turn if it shows that many cells that were not looked at, a tenth of what is in view, and a drive if it shows half of that:
	// the ground behind a small box.
	leastCells, leastThere = 5.0, 2.5
	// turnCells and driveCells are what a half turn and a meter of driving cost, in cells.
	turnCells, driveCells = 6.0, 5.0
	// unsureCells is what a meter costs beyond where there surely is ground, which is sureGroundMM around everything that stands on it.
	unsureCells, sureGroundMM = 12.0, 120.0
	// It drives once or twice this far.
	driveMM, driveSteps = 180.0, 2
)

// direction is the turn to the direction from here that is worth most, the first of equals; false if none is worth it.
func (s *survey) direction() (turnRad float64, ok bool) {
	best := leastCells
	for k := range lookDirections {
		turn := hardware.WrapRad(float64(k) * 2 * math.Pi / lookDirections)
		p := s.from
		p.HeadingRad = hardware.WrapRad(p.HeadingRad + turn)
		if worth := s.worth(p) - turnCells*math.Abs(turn)/math.Pi; worth > best {
			best, turnRad, ok = worth, turn, true
		}
	}
	return turnRad, ok
}

// viewpoint is the place to drive to from which there is most to see, the first of equals, with the heading to look in; false if none is worth it.
// not are places that could not be reached.
func (s *survey) viewpoint(not []hardware.Pose) (best hardware.Pose, ok bool) {
	most := leastThere
	for k := range driveSteps * lookDirections {
		away := driveMM * float64(1+k%driveSteps)
		sin, cos := math.Sincos(s.from.HeadingRad + float64(k/driveSteps)*2*math.Pi/lookDirections)
		p := hardware.Pose{XMM: s.from.XMM + away*cos, YMM: s.from.YMM + away*sin}
		if !s.free(p, not) {
			continue
		}
		cost := driveCells*away/1000 + unsureCells*s.unsure(p)/1000
		for h := range lookDirections {
			p.HeadingRad = hardware.WrapRad(float64(h) * 2 * math.Pi / lookDirections)
			if worth := s.worth(p) - cost; worth > most {
				most, best, ok = worth, p, true
			}
		}
	}
	return best, ok
}

// unsure is how far a place is beyond where there surely is ground: where the robot stood, and where things stand.
func (s *survey) unsure(p hardware.Pose) float64 {
	nearest := math.Hypot(p.XMM-s.from.XMM, p.YMM-s.from.YMM)
	for i := range s.looks {
		nearest = min(nearest, math.Hypot(p.XMM-s.looks[i].XMM, p.YMM-s.looks[i].YMM))
	}
	for _, b := range s.blockers {
		nearest = min(nearest, math.Hypot(p.XMM-b.x, p.YMM-b.y))
	}
	return max(nearest-sureGroundMM, 0)
}

// free reports whether the robot may stand at a place, as far as it knows.
func (s *survey) free(p hardware.Pose, not []hardware.Pose) bool {
	if s.offTable(p.XMM, p.YMM) {
		return false
	}
	for _, n := range not {
		if math.Hypot(p.XMM-n.XMM, p.YMM-n.YMM) < roomMM {
			return false
		}
	}
	for _, b := range s.blockers {
		if math.Hypot(p.XMM-b.x, p.YMM-b.y) < roomMM {
			return false
		}
	}
	if s.w.Map != nil {
		for i := range s.w.Map.Marks {
			if m := &s.w.Map.Marks[i]; math.Hypot(p.XMM-m.XMM, p.YMM-m.YMM) < roomMM+m.RadiusMM {
				return false
			}
		}
	}
	return true
}
