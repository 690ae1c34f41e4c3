package estimate

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Noise of motion, after the figures of actions/RATES.md: 0.33° mean error of the heading after a minute of driving and 0.81° after five is a
// random walk; a length is wrong by less than 0.5 % and a straight way by 1.4 mm sideways after 400 mm.
const (
	wayVar      = 0.015             // mm² of way, a mm
	turnVar     = 6e-6              // rad² of heading, a rad turned
	driveVar    = 4e-7              // rad² of heading, a mm driven
	turnMM2     = 0.3               // mm² of place, a rad turned: the robot does not turn exactly about its axle
	movedVar    = 40.0 * 40         // mm², when it was turned or pushed otherwise than by its wheels
	spinVar     = 1 * deg * 1 * deg // rad², at the same time
	offsetVar   = 0.007 * 0.007     // (rad/s)² of the offset of a gyroscope of this family before it is known
	tickS       = 0.06
	wheelVar    = 2.5e-6 // rad² of heading a mm of a wheel: 1.5° after 300 mm
	reckonedVar = 10.0   // mm² a mm: a way of 1 m is wrong by 100 mm
	stillVar    = 0.3    // mm² a second of the place of a cube: somebody may have touched it
)

// Noise of a sighting, with room for a camera that is mounted askew: what a sighting tells is taken for less than it is.
const (
	rangeSigma, rangeShare = 2.0, 0.012 // mm, and a share of the distance
	bearingSigma           = 1.2 * deg
	headingSigma           = 1.5 * deg
	dockSigma, dockTurn    = 3.0, 2 * deg // of a robot on the contacts
)

const (
	maxLandmarks = 4 // the charger and three cubes
	dim          = 3 + 3*maxLandmarks

	// gate is the squared Mahalanobis distance that 99.9 % of all sightings of a thing that stands still keep (χ², three degrees of freedom).
	// movedTimes sightings in a row outside it that agree with each other within agreeMM mean that the thing was moved.
	gate       = 16.3
	movedTimes = 3
	agreeMM    = 40.0
	// What is nearer than touchMM may be pushed, turned or lifted by the robot: it steers nothing, and is no landmark until it is seen from
	// farther away, where it then stands.
	touchMM = 110.0
	// One sighting moves the believed pose by no more than this, so that an action that steers by the pose sees no jump. What is left comes
	// with the next ones.
	stepMM, stepRad = 4.0, 0.8 * deg
	// A landmark that was not seen for that long gives its place to a new one.
	landmarkTime = 2 * time.Minute
)

// landmarks fuses odometry with sightings of things that stand still: an extended Kalman filter over the poses of the robot and of up to four
// landmarks, as in Smith, Self and Cheeseman, "Estimating uncertain spatial relationships in robotics" (1990). The state is the pose of the
// robot and those of the landmarks, in the odometry frame of the origin.
//
// The believed pose is the raw odometry, moved by a correction that changes only with a sighting. Without landmarks it is the raw odometry.
type landmarks struct {
	raw  hardware.Pose // odometry at the tick before
	turn float64       // of the correction: fused = rotate(raw, turn) + (dx, dy)
	sin  float64       // of turn, like cos, once it was corrected
	cos  float64
	dx   float64
	dy   float64

	n       int
	marks   [maxLandmarks]landmark
	x       [dim]float64
	p       [dim][dim]float64
	scatter scatter
	grown   float64 // variance of place and heading that motion added since the beginning, for what is no landmark
}

// landmark is what is known of one beside its pose.
type landmark struct {
	id      int
	charger bool
	at      time.Time // of the newest sighting
	misses  int
	missed  hardware.Pose // where the newest sighting that did not fit had it
	times   float64       // by which the noise of its sightings was larger than expected, at most
	off     [3]float64    // of the newest sighting from what was expected, if paired
	paired  bool
}

// fused is a pose of the raw odometry as it is believed.
func (l *landmarks) fused(raw hardware.Pose) hardware.Pose {
	if l.turn == 0 && l.dx == 0 && l.dy == 0 {
		return raw
	}
	return hardware.Pose{
		XMM: raw.XMM*l.cos - raw.YMM*l.sin + l.dx, YMM: raw.XMM*l.sin + raw.YMM*l.cos + l.dy,
		HeadingRad: hardware.WrapRad(raw.HeadingRad + l.turn),
	}
}

// correct makes the correction that of a raw and a believed pose.
func (l *landmarks) correct(raw, believed hardware.Pose) {
	l.turn = hardware.WrapRad(believed.HeadingRad - raw.HeadingRad)
	l.sin, l.cos = math.Sincos(l.turn)
	l.dx = believed.XMM - (raw.XMM*l.cos - raw.YMM*l.sin)
	l.dy = believed.YMM - (raw.XMM*l.sin + raw.YMM*l.cos)
}

// lose begins a new origin at the believed pose, which is exact there by definition.
func (l *landmarks) lose() {
	l.n, l.grown = 0, 0
	l.p = [dim][dim]float64{}
}

// motion is how a tick moved the robot, beside its way.
type motion struct {
	tread    float64 // distance between the wheels
	pushed   bool    // otherwise than by its wheels
	reckoned bool    // nobody knows whether the wheels turned
	blind    bool    // the gyroscope is silent: the heading is that of the wheels
	learning float64 // for how many seconds the offset of the gyroscope was not known; 0 if it is
}

// start begins at a pose, without any correction.
func (l *landmarks) start(p hardware.Pose) {
	*l = landmarks{raw: p}
	l.x[0], l.x[1], l.x[2] = p.XMM, p.YMM, p.HeadingRad
}

// move follows the odometry to raw.
func (l *landmarks) move(raw hardware.Pose, m motion) {
	way := math.Hypot(raw.XMM-l.raw.XMM, raw.YMM-l.raw.YMM)
	turn := math.Abs(hardware.WrapRad(raw.HeadingRad - l.raw.HeadingRad))
	l.raw = raw
	if way == 0 && turn == 0 && !m.pushed {
		return
	}
	to := l.fused(raw)
	a, b := -(to.YMM - l.x[1]), to.XMM-l.x[0] // of x and y by the heading
	l.x[0], l.x[1], l.x[2] = to.XMM, to.YMM, to.HeadingRad
	size := 3 + 3*l.n
	for j := range size {
		l.p[0][j] += a * l.p[2][j]
		l.p[1][j] += b * l.p[2][j]
	}
	for i := range size {
		l.p[i][0] += a * l.p[i][2]
		l.p[i][1] += b * l.p[i][2]
	}
	place, heading := wayVar*way+turnMM2*turn, turnVar*turn+driveVar*way
	if m.learning > 0 { // the offset is constant, so the error grows with the time: the difference of two squares
		heading += offsetVar * tickS * (2*m.learning - tickS)
	}
	if m.blind {
		heading += wheelVar * (way + turn*m.tread/2)
	}
	if m.reckoned {
		place += reckonedVar * way
	}
	if m.pushed {
		place, heading = place+movedVar, heading+spinVar
	}
	l.p[0][0] += place
	l.p[1][1] += place
	l.p[2][2] += heading
	l.grown += place
}

// seen is a sighting of a landmark: where it is relative to the robot at the pose from, and how exactly that is known.
type seen struct {
	o       hardware.Object
	at      time.Time
	from    hardware.Pose // raw odometry when the image was taken
	noise   [3]float64    // variances of distance, bearing and heading
	charger bool
	felt    bool // by the contacts
}

// noiseOf are the variances of a sighting at a distance.
func noiseOf(distance float64) [3]float64 {
	r := rangeSigma + rangeShare*distance
	return [3]float64{r * r, bearingSigma * bearingSigma, headingSigma * headingSigma}
}

// see takes a sighting. It returns the believed pose of the thing and true if it is a landmark.
func (l *landmarks) see(s seen) (hardware.Pose, bool) {
	i, known := l.find(s.o.ID, s.charger)
	if !s.charger && s.o.DistanceMM < touchMM {
		if known {
			l.remove(i)
		}
		return hardware.Pose{}, false
	}
	if !known {
		if i = l.free(s); i < 0 {
			return hardware.Pose{}, false
		}
		l.begin(i, s.noisier(l.scatter.times()))
		return l.pose(i), true
	}
	v, ok := l.expect(i, s.from)
	off := s.off(&v)
	s = l.scattered(i, s, off, ok)
	m := &l.marks[i]
	if age := s.at.Sub(m.at); !s.charger && age > 0 {
		l.p[3+3*i][3+3*i] += stillVar * age.Seconds()
		l.p[4+3*i][4+3*i] += stillVar * age.Seconds()
	}
	m.at = s.at
	if ok && l.update(i, &v, &off, &s.noise) {
		m.misses = 0
		return l.pose(i), true
	}
	place := s.place(l)
	if m.misses > 0 && math.Hypot(place.XMM-m.missed.XMM, place.YMM-m.missed.YMM) > agreeMM {
		m.misses = 0
	}
	m.missed = place
	if m.misses++; m.misses >= movedTimes {
		l.begin(i, s)
	}
	return l.pose(i), true
}

// pose of a landmark.
func (l *landmarks) pose(i int) hardware.Pose {
	return hardware.Pose{XMM: l.x[3+3*i], YMM: l.x[4+3*i], HeadingRad: hardware.WrapRad(l.x[5+3*i])}
}

// place is where a sighting has a thing.
func (s *seen) place(l *landmarks) hardware.Pose {
	p := l.fused(s.from)
	x, y := ahead(p, s.o.DistanceMM, s.o.BearingRad)
	return hardware.Pose{XMM: x, YMM: y, HeadingRad: hardware.WrapRad(p.HeadingRad + s.o.HeadingRad)}
}

// find is the landmark of a thing. There is one charger, whatever its number.
func (l *landmarks) find(id int, charger bool) (int, bool) {
	for i := range l.n {
		if m := &l.marks[i]; m.charger == charger && (charger || m.id == id) {
			return i, true
		}
	}
	return -1, false
}

// free is a place for a new landmark: a new one, or that of the cube that was not seen for longest; -1 for none.
func (l *landmarks) free(s seen) int {
	if l.n < maxLandmarks {
		l.n++
		return l.n - 1
	}
	oldest := -1
	for i := range l.n {
		if m := &l.marks[i]; !m.charger && (s.charger || s.at.Sub(m.at) > landmarkTime) && (oldest < 0 || m.at.Before(l.marks[oldest].at)) {
			oldest = i
		}
	}
	return oldest
}

// remove forgets a landmark; the last one takes its place.
func (l *landmarks) remove(i int) {
	last := l.n - 1
	if i != last {
		l.marks[i] = l.marks[last]
		for k := range 3 {
			l.x[3+3*i+k] = l.x[3+3*last+k]
		}
		for k := range 3 {
			for j := range dim {
				l.p[3+3*i+k][j] = l.p[3+3*last+k][j]
			}
		}
		for k := range 3 {
			for j := range dim {
				l.p[j][3+3*i+k] = l.p[j][3+3*last+k]
			}
		}
	}
	l.n--
	for k := range 3 {
		for j := range dim {
			l.p[3+3*last+k][j], l.p[j][3+3*last+k] = 0, 0
		}
	}
}
