package sim

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// The camera's field of view. Faces are high, so the head must look up; objects lie low, so it must not look up much.
const (
	viewDeg                     = 30.0 // to each side; of a camera that no head nods, so wide that it sees high and low
	faceMaxMM                   = 1500.0
	faceHeadMinDeg              = 10.0
	thingHeadMaxDeg             = 15.0
	cubeMinMM, cubeMaxMM        = 60.0, 800.0
	chargerMaxMM, chargerSeeDeg = 900.0, 75.0
	obstacleHeightMM            = 90.0
	chargerMiddleMM             = 40.0 // height of the middle of what is seen of it
	chargerID, firstCubeID      = 1, 2
)

// detect returns what is found in an image of this instant, with the errors of [world.glance].
func (w *world) detect(now time.Time) hardware.Detections {
	seen := hardware.Detections{CapturedAt: now}
	w.perceive(&seen)
	if i := w.hands.load; i != 0 {
		seen.Carrying, seen.CarriedID = true, ObjectID(i)
	}
	if w.mode == fallen {
		return seen
	}
	for _, v := range w.visitors() {
		if f, ok := w.seeFace(v); ok {
			seen.Faces = append(seen.Faces, f)
		}
	}
	if w.mode == held || w.servos[0].at > degrees(thingHeadMaxDeg)+1e-6 {
		return seen
	}
	if o, ok := w.seeCharger(); ok {
		seen.Objects = append(seen.Objects, o)
	}
	for i := range w.cubes {
		if o, ok := w.seeCube(i); ok {
			seen.Objects = append(seen.Objects, o)
		}
	}
	return seen
}

func (w *world) seeFace(v visitor) (hardware.Face, bool) {
	d, bearing := w.robot.To(v.at.x, v.at.y)
	lookingUp := w.body.Head == nil || w.servos[head].at >= degrees(faceHeadMinDeg)-1e-6
	if d > faceMaxMM || math.Abs(bearing) > degrees(viewDeg) || !lookingUp && !v.guest {
		return hardware.Face{}, false
	}
	rise := (v.heightMM - eyeMM) / d
	if w.hides(bearing, d, v.heightMM) {
		return hardware.Face{}, false
	}
	for i := range w.obstacles {
		if t, ok := w.obstacles[i].ray(position(w.robot), direction(w.robot.HeadingRad+bearing)); ok && t < d && eyeMM+t*rise < obstacleHeightMM {
			return hardware.Face{}, false
		}
	}
	e, ok := w.glance(srcSighting+uint64(v.id), d, 0)
	return hardware.Face{
		ID:           v.id,
		Name:         v.name,
		DistanceMM:   d + e.mm,
		BearingRad:   bearing + e.bearing,
		ElevationRad: math.Atan(rise) + e.rad,
		EyeContact:   w.stares(&v, bearing),
	}, ok
}

func (w *world) seeCharger() (hardware.Object, bool) {
	c := w.charger
	d, _ := w.robot.To(c.XMM, c.YMM)
	_, side := c.To(w.robot.XMM, w.robot.YMM)
	if d > chargerMaxMM || math.Abs(side) > degrees(chargerSeeDeg) {
		return hardware.Object{}, false
	}
	return w.seeThing(chargerID, hardware.KindCharger, c, chargerMiddleMM, side, -1)
}

func (w *world) seeCube(i int) (hardware.Object, bool) {
	c := &w.cubes[i]
	if d := position(w.robot).distance(position(c.pose)); !c.present || c.on == onLift || d < cubeMinMM || d > cubeMaxMM {
		return hardware.Object{}, false
	}
	_, side := c.pose.To(w.robot.XMM, w.robot.YMM)
	o, ok := w.seeThing(firstCubeID+i, hardware.KindCube, c.pose, c.base+cubeMM/2, math.Remainder(side, math.Pi/2), i)
	o.BaseMM, o.Up = c.base, c.sides.up
	return o, ok
}

// seeThing checks the field of view and whether a box or another cube than self hides the thing at p, whose middle is at a height and whose
// side is seen at a slant.
func (w *world) seeThing(id int, kind string, p hpose, height, slant float64, self int) (hardware.Object, bool) {
	at := position(w.robot)
	d, bearing := w.robot.To(p.XMM, p.YMM)
	if math.Abs(bearing) > degrees(viewDeg) {
		return hardware.Object{}, false
	}
	ray := direction(w.robot.HeadingRad + bearing)
	for i := range w.obstacles {
		if t, ok := w.obstacles[i].ray(at, ray); ok && t < d {
			return hardware.Object{}, false
		}
	}
	for i := range w.cubes {
		c := &w.cubes[i]
		if i == self || !c.present || c.on == onLift {
			continue
		}
		b := c.box()
		if t, ok := b.ray(at, ray); ok && t < d && c.spans(eyeMM+t/d*(height-eyeMM)) {
			return hardware.Object{}, false
		}
	}
	if w.hides(bearing, d, height) {
		return hardware.Object{}, false
	}
	e, ok := w.glance(srcSighting+128+uint64(id), d, slant)
	if e.other && self >= 0 {
		id = firstCubeID + (self+1)%len(w.cubes)
	}
	return hardware.Object{
		ID:         id,
		Kind:       kind,
		DistanceMM: max(d+e.mm, 0),
		BearingRad: bearing + e.bearing,
		HeadingRad: wrap(p.HeadingRad - w.robot.HeadingRad + e.rad),
	}, ok
}

// spans reports whether a height is within that of the cube.
func (c *cube) spans(mm float64) bool { return mm >= c.base && mm <= c.base+cubeMM }

// hides reports whether the carried cube hides what is at that bearing, distance and height: the line of sight from the camera passes
// through it.
func (w *world) hides(bearing, d, height float64) bool {
	i := w.hands.load - 1
	if i < 0 {
		return false
	}
	b := newBox(w.hands.at, cubeMM, cubeMM)
	t, ok := b.ray(vec{}, direction(bearing))
	return ok && t < d && w.cubes[i].spans(eyeMM+t/d*(height-eyeMM))
}
