package sim

import (
	"math"

	"github.com/robotd/robotd/hardware/profile"
)

const (
	voidVolts = 0.05

	// The cone of the distance sensor is sampled by coneRays rays.
	coneRays     = 7
	rangeMinMM   = 30.0
	sonarMinMM   = 20.0
	echoCos      = 0.8660254037844386 // of the slant from which on a wall returns no sound: 30°
	wallHeightMM = 300.0
	rangeHighMM  = 30.0 // of the distance sensor above the table
)

// offsets are the constant errors of the sensors, and the sources of the others.
type offsets struct {
	floor [4]float64 // volts of the cliff sensors over the table
	gyro  [3]float64 // rad/s

	cliffs [4]source
	pots   [3]source
	accels [3]source
	gyros  [3]source
}

func newOffsets(s noise, floorVolts float64) (o offsets) {
	for i := range o.floor {
		o.floor[i] = floorVolts + s.span(srcOffset, int64(10+i), -0.1, 0.1)
		o.cliffs[i] = s.source(srcCliff + uint64(i))
	}
	for i := range o.gyro {
		o.gyro[i] = s.span(srcOffset, int64(20+i), -0.012, 0.012)
		o.pots[i] = s.source(srcFeedback + uint64(i))
		o.accels[i], o.gyros[i] = s.source(srcIMU+uint64(i)), s.source(srcIMU+uint64(3+i))
	}
	return o
}

// cliffVolts is the output of cliff sensor i. The sensor's spot is 4 mm wide, so the voltage falls over 4 mm.
func (w *world) cliffVolts(i int) float64 {
	jitter := w.offsets.cliffs[i].bell(w.n)
	if w.senses.palm && w.mode == held {
		return palmVolts + 0.005*jitter
	}
	floor := 0.0
	if w.mode == standing {
		floor = w.floor(i)
	}
	return voidVolts + (w.offsets.floor[i]-voidVolts)*floor + (0.002+0.008*floor)*jitter
}

// floor is which part of the spot of cliff sensor i lies on the table. As long as the robot stands still, that is worked out once.
func (w *world) floor(i int) float64 {
	s := &w.spots[i]
	if !s.known || s.robot != w.robot {
		s.robot, s.known, s.floor = w.robot, true, 1
		if spot := w.frame().out(w.body.cliffs[i]); !w.walled() && !w.table.inside(spot, 2) {
			s.floor = clamp(w.table.margin(spot)/4+0.5, 0, 1)
		}
	}
	return s.floor
}

// cliffSpot is what was worked out last for the spot of a cliff sensor.
type cliffSpot struct {
	robot hpose
	floor float64
	known bool
}

// overVoid reports whether the light of sensor i finds nothing that reflects it: no floor, or a black one.
func (w *world) overVoid(i int) bool {
	switch {
	case w.mode != standing:
		return !w.senses.palm || w.mode != held
	case w.walled():
		return false
	}
	return !w.table.inside(w.frame().out(w.body.cliffs[i]), 0)
}

// potVolts is the feedback of servo i.
func (w *world) potVolts(i int, f *profile.Feedback) float64 {
	s := &w.servos[i]
	return f.LowVolts + s.gain*(f.HighVolts-f.LowVolts)*(s.at-s.min)/(s.max-s.min) + 0.002*w.offsets.pots[i].bell(w.n)
}

// ahead is the true distance from the sensor to the nearest solid object in the cone; false if there is none in reach.
func (w *world) ahead() (float64, bool) {
	if w.mode != standing || w.body.cone == 0 {
		return 0, false
	}
	f := w.frame()
	nose, heading := f.out(vec{w.body.rangeX, 0}), w.robot.HeadingRad
	if w.body.onHead && w.servos[pan].at != 0 {
		heading += w.servos[pan].at
		f = frameOf(pose(nose, heading))
	}
	var rays [coneRays]vec
	cast := func() []vec { // when something may be in the cone
		if rays[0] == (vec{}) {
			for k := range rays {
				rays[k] = direction(heading + w.body.cone*(2*float64(k)/(coneRays-1)-1))
			}
		}
		return rays[:]
	}
	best := math.Inf(1)
	if w.walled() {
		best = w.wallAhead(nose, cast())
	}
	f.at = nose
	try := func(b *box, base, height float64) {
		if b.distance(nose) > min(best, w.body.rangeMax)+1 || !w.body.inCone(f.in(b.at), vec{b.hl, b.hw}.length()+1) {
			return // no ray is shorter than that, or none meets it
		}
		for _, d := range cast() {
			if t, ok := b.ray(nose, d); ok && t < best && w.looksAt(t, height) && w.inBeam(t, base) {
				best = t
			}
		}
	}
	try(&w.block, 0, obstacleHeightMM)
	for i := range w.obstacles {
		try(&w.obstacles[i].box, 0, obstacleHeightMM)
	}
	for i := range w.cubes {
		if w.cubes[i].present {
			b := w.cubes[i].box()
			try(&b, w.cubes[i].base, w.cubes[i].base+cubeMM)
		}
	}
	return best, best <= w.body.rangeMax
}

// wallAhead is the distance along the nearest ray that a wall returns. Sound that meets a wall at a slant goes elsewhere.
func (w *world) wallAhead(p vec, rays []vec) float64 {
	best := math.Inf(1)
	for _, d := range rays {
		t, edge := w.table.meets(p, d)
		if slant := -d.dot(w.table.normals[edge]); w.looksAt(t, wallHeightMM) && (!w.body.sonar || slant > echoCos) {
			best = min(best, t)
		}
	}
	return best
}

// looksAt reports whether a sensor on the head that looks up still meets something of that height at a distance.
func (w *world) looksAt(mm, height float64) bool {
	if !w.body.onHead {
		return true
	}
	return eyeMM+mm*math.Tan(w.servos[head].at-w.body.cone) <= height
}

// inBeam reports whether something whose lower side is that high reaches down into the cone somewhere above its footprint, which begins
// at a distance.
func (w *world) inBeam(mm, base float64) bool {
	return base == 0 || base <= rangeHighMM+(mm+cubeMM)*w.body.coneSin/w.body.coneCos
}

// inCone reports whether a circle of radius r around p, in the frame of the nose, reaches into the cone of the distance sensor.
func (b *body) inCone(p vec, r float64) bool {
	return math.Abs(p.y)*b.coneCos <= p.x*b.coneSin+r && p.x > -r
}

// ranged is what the distance sensor measures: 1 % and 1 mm of noise, never less than its minimum. What is too near for a sonar gives no
// echo.
func (w *world) ranged() (mm float64, found bool) {
	d, ok := w.ahead()
	if !ok || w.body.sonar && d < sonarMinMM {
		return 0, false
	}
	d += (1 + 0.01*d) * w.seed.bell(srcRange, w.n)
	if w.body.sonar {
		return max(d, 0), true
	}
	return clamp(d, rangeMinMM, w.body.rangeMax), true
}
