// Package estimate fuses readings into an estimate of the robot's state and surroundings: its pose, whether it stands on
// its treads, its battery level, and the objects and faces that it has seen.
//
// Its place in the tick: [Estimator.Update] runs once at the start of each tick, on the snapshot that the tick sees,
// and fills the [hardware.World] that every behavior and action reads. It is a pure function of its own state and the
// snapshot, so that a replay of the snapshots gives the same worlds, bit by bit. It has no clock and no lock.
//
//	e := estimate.New()
//	e.Update(&snapshot, &world)
//
// Every failure has a safe outcome: without fresh cliff sensors the robot cannot drive, without a battery monitor the
// battery counts as low, without an inertial sensor the heading comes from the wheels.
package estimate

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// An Estimator holds the state that is kept between ticks.
type Estimator struct {
	firstUpdate time.Time // first update
	last        time.Time // previous update
	odo         odometry
	treads      treads
	shake       shake
	battery     battery
	charger     platform
	images      images
	memory      memory
	hands       hands
	aim         aim
	distance    distanceAhead
	heat        heat
	landmarks   landmarks
	perception  perception
	chart       chart
	views       views
	origin      uint64

	cliffSince time.Time
	pushed     bool          // in the tick before
	unlearned  time.Duration // for how long the gyroscope has been read without its offset; 0 when that is known

	places   *hardware.Remembered // of an earlier life, until it is clear whether they count; nil for none
	placesAt time.Time
}

// New returns an estimator in its initial state: at the origin, on treads, battery unknown.
func New() *Estimator { return &Estimator{origin: 1} }

// Update takes the readings of one tick and fills w completely. It keeps no reference to s; the slices in w are new
// whenever their content changed, and never written again.
func (e *Estimator) Update(s *hardware.Snapshot, w *hardware.World) {
	if e.firstUpdate.IsZero() {
		e.firstUpdate, e.last = s.Now, s.Now
	}
	dt := max(s.Now.Sub(e.last), 0)
	e.last = s.Now

	if e.treads.update(s) {
		e.Delocalize() // TRD-2
	}
	on := e.treads.state == hardware.OnTreads
	e.takePlaces(s)
	e.odo.update(s, on)
	e.landmarks.move(e.odo.pose, e.motion(s, dt))
	e.charger.update(s, &e.odo, on)
	images := e.images.fresh(s)
	e.memory.update(s, images, e, on)

	e.aim.update(s)
	e.distance.update(s, e.odo.pose, on && e.aim.ahead)

	w.Snapshot = *s
	w.Range, w.RangeAside = e.aim.judge(s.Range)
	if s.Vision.OK() && !sees(s) {
		w.Vision.Quality = hardware.Stale // what is heard holds
	}
	e.body(s, dt, &w.Body)
	e.pushed = w.Body.Moved
	w.Around = e.perception.update(s, images, on)
	w.Faces = e.memory.knownFaces(e.pose())
	w.Objects = e.memory.knownObjects()
	w.Views = e.views.now
	w.Map = e.chart.update(&felt{s: s, p: w.Body.Pose, sigma: min(w.Body.PoseSigmaMM, maxFeltMM), w: w, ahead: e.aim.ahead})
}

// Delocalize declares the robot's place lost. A new origin begins, and objects of the old one are forgotten. Faces stay,
// because the robot looks for people around itself and not on a map.
func (e *Estimator) Delocalize() {
	e.origin++
	e.odo.forget()
	e.landmarks.lose()
	e.memory.told = 0
	e.memory.objects = nil
	e.memory.misses.all = nil
	e.chart.clear()
	e.views.clear()
}

// Forget does what Delocalize does, and forgets faces too.
func (e *Estimator) Forget() {
	e.Delocalize()
	e.memory.faces = nil
}

// learnTime is how long after the start the wheels wait at most for the gyroscope, which learns its offset in half a second of rest. A robot
// that drives off at once turns by 10° unnoticed before it rests.
const learnTime = 2 * time.Second

// learns reports whether the robot should stand still for the gyroscope.
func (e *Estimator) learns(s *hardware.Snapshot) bool {
	return s.IMU.OK() && s.IMU.Value.Learning && s.Now.Sub(e.firstUpdate) < learnTime
}

// pose is where the robot believes to be.
func (e *Estimator) pose() hardware.Pose { return e.landmarks.fused(e.odo.pose) }

// motion is how far the odometry can be trusted in this tick, which is dt after the one before. While the sensor is silent, its offset moves
// nothing; what passes until its first reading counts, for as long as the wheels would wait for it, because it is little and the ordinary start.
func (e *Estimator) motion(s *hardware.Snapshot, dt time.Duration) motion {
	m := motion{tread: s.Motors.Value.Tread(), pushed: e.pushed, reckoned: s.Motors.Value.Reckoned, blind: !s.IMU.OK()}
	switch {
	case m.blind && s.IMU.Seq == 0:
		e.unlearned = min(e.unlearned+dt, learnTime)
	case m.blind:
	case s.IMU.Value.Learning:
		e.unlearned += dt
		m.learning = e.unlearned.Seconds()
	default:
		e.unlearned = 0
	}
	return m
}

// body fills b.
func (e *Estimator) body(s *hardware.Snapshot, dt time.Duration, b *hardware.Body) {
	feel, motors := s.Cliff.OK(), &s.Motors.Value
	switch {
	case !feel || !s.Cliff.Value.Any():
		e.cliffSince = time.Time{}
	case e.cliffSince.IsZero():
		e.cliffSince = s.Now
	}
	*b = hardware.Body{
		Pose:         e.pose(),
		Origin:       e.origin,
		Treads:       e.treads.state,
		TreadsSince:  e.treads.since,
		PickedUp:     e.treads.pickedUp,
		CliffSince:   e.cliffSince,
		OnContacts:   s.Charger.OK() && s.Charger.Value.OnContacts,
		OnPlatform:   e.charger.on,
		Charging:     s.Charger.OK() && s.Charger.Value.Charging,
		Battery:      e.battery.update(s, e.firstUpdate),
		CanFeelEdges: feel,
		CanDrive:     (feel || motors.Edgeless) && s.Motors.OK() && !motors.Drained && !e.learns(s),
		CanSee:       sees(s),
		CanFeelAhead: s.Range.OK() && e.aim.ahead,
		CanNod:       s.Servos.OK() && !s.Servos.Value.NoHead,
		CanLift:      s.Servos.OK() && !s.Servos.Value.NoLift,
		CanCharge:    s.Charger.Quality != hardware.Absent,
		Edgeless:     motors.Edgeless,
		Reckoned:     motors.Reckoned,
		Drained:      motors.Drained,

		Carrying:      s.Vision.Value.Carrying,
		CarriedID:     s.Vision.Value.CarriedID,
		CubeConnected: s.Vision.OK() && s.Vision.Value.CubeConnected,
	}
	e.landmarks.sure(b)
	b.Shaken, b.ShakenAt = e.shake.update(s, b.PickedUp, dt)
	if s.Touch.OK() && s.Touch.Value.Touched {
		b.Touched, b.TouchedSince = true, s.Touch.Value.Since
	}
	if s.Touch.OK() && s.Touch.Value.Pressed {
		b.Pressed, b.PressedSince = true, s.Touch.Value.PressedSince
	}
	e.hands.update(s, b.PickedUp, b.Treads == hardware.OnTreads, b)
	e.heat.update(s, b)
	b.ObstacleAt, b.RangeAt = e.distance.obstacleAt, e.distance.rangeAt
}
