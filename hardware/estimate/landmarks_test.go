package estimate_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/estimate"
	"github.com/robotd/robotd/hardware/hwtest"
)

const degree = math.Pi / 180

// lost is a robot whose odometry drifts, between things whose true places are known.
type lost struct {
	*wheeled
	rng    *rand.Rand
	truth  hardware.Pose
	things []hardware.KnownObject
	drift  float64 // rad of heading, a mm
	times  float64 // by which sightings are noisier; 0 stands for 1
}

func newLost(seed uint64) *lost {
	return &lost{wheeled: newWheeled(), rng: rand.New(rand.NewPCG(seed, 7))}
}

// move drives the true robot, and the believed one with an error.
func (l *lost) move(mm, rad float64) {
	s, c := math.Sincos(l.truth.HeadingRad + rad/2)
	l.truth.XMM, l.truth.YMM = l.truth.XMM+mm*c, l.truth.YMM+mm*s
	l.truth.HeadingRad = hardware.WrapRad(l.truth.HeadingRad + rad)
	l.step(mm, rad+l.drift*math.Abs(mm)+0.0022*math.Sqrt(math.Abs(rad))*l.rng.NormFloat64())
}

// look sees all things, with the noise of the simulated camera.
func (l *lost) look() {
	d := hardware.Detections{CapturedAt: l.s.Now}
	k := max(l.times, 1)
	for _, o := range l.things {
		mm, bearing := l.truth.To(o.Pose.XMM, o.Pose.YMM)
		d.Objects = append(d.Objects, hardware.Object{
			ID: o.ID, Kind: o.Kind, DistanceMM: mm * (1 + k*0.01*l.rng.NormFloat64()), BearingRad: bearing + k*degree*l.rng.NormFloat64(),
			HeadingRad: hardware.WrapRad(o.Pose.HeadingRad - l.truth.HeadingRad + k*degree*l.rng.NormFloat64()),
		})
	}
	l.set(hardware.Vision, d)
}

func (l *lost) put(id int, kind string, x, y float64) {
	l.things = append(l.things, hardware.KnownObject{ID: id, Kind: kind, Pose: hardware.Pose{XMM: x, YMM: y}})
}

func (l *lost) off() (mm, rad float64) {
	p := l.w.Body.Pose
	return math.Hypot(p.XMM-l.truth.XMM, p.YMM-l.truth.YMM), math.Abs(hardware.WrapRad(p.HeadingRad - l.truth.HeadingRad))
}

func TestChargerInSightCorrectsADriftingHeading(t *testing.T) {
	run := func(sees bool) (mm, rad float64) {
		l := newLost(1)
		l.put(1, hardware.KindCharger, 400, 100)
		for i := range 1500 {
			if i > 100 {
				l.drift = 3e-5
			}
			l.move(4, 0.02)
			if sees && i%8 == 0 {
				l.look()
			}
		}
		return l.off()
	}
	_, with := run(true)
	_, without := run(false)
	if without < 8*degree || with > 2*degree {
		t.Errorf("off by %.1f° with the charger in sight, %.1f° without", with/degree, without/degree)
	}
}

func TestUncertaintyGrowsWithTheWayAndShrinksAtALandmark(t *testing.T) {
	l := newLost(2)
	l.put(1, hardware.KindCharger, 500, 0)
	l.look()
	l.move(0, 0)
	before, _ := l.w.Body.PoseSigmaMM, 0
	for range 200 {
		l.move(5, 0.1)
	}
	far, turned := l.w.Body.PoseSigmaMM, l.w.Body.HeadingSigmaRad
	c, _ := l.w.Charger()
	if far <= before+3 || turned < 0.5*degree || c.SigmaMM < far/2 {
		t.Fatalf("after a meter %.1f mm, %.2f°, charger %.1f mm; before %.1f mm", far, turned/degree, c.SigmaMM, before)
	}
	for range 10 {
		l.look()
		l.move(0, 0)
	}
	if b := l.w.Body; b.PoseSigmaMM > far || b.HeadingSigmaRad > turned*0.95 {
		t.Errorf("the charger in sight leaves %.1f mm, %.2f°", b.PoseSigmaMM, b.HeadingSigmaRad/degree)
	}
	if c, _ = l.w.Charger(); c.SigmaMM > 8 {
		t.Errorf("the charger in sight is known to %.1f mm", c.SigmaMM)
	}
}

// The truth is within two sigma in about 95 % of all instants, over many lives with the noise that the filter assumes.
func TestTruthIsWithinTwoSigma(t *testing.T) {
	n, place, heading := 0.0, 0.0, 0.0
	for seed := range uint64(40) {
		l := newLost(seed)
		l.put(1, hardware.KindCharger, 400, 100)
		l.put(2, hardware.KindCube, -200, 300)
		for i := range 600 {
			l.move(4*l.rng.Float64(), 0.3*(l.rng.Float64()-0.4))
			if i%16 == 0 && i%200 < 80 {
				l.look()
			}
			if i%20 == 19 {
				mm, rad := l.off()
				n++
				if mm <= 2*l.w.Body.PoseSigmaMM {
					place++
				}
				if rad <= 2*l.w.Body.HeadingSigmaRad {
					heading++
				}
			}
		}
	}
	if place/n < 0.93 || heading/n < 0.93 {
		t.Errorf("place %.1f %%, heading %.1f %% within 2 sigma", 100*place/n, 100*heading/n)
	}
}

func TestWrongSightingDoesNotMoveTheRobot(t *testing.T) {
	l := newLost(3)
	l.put(2, hardware.KindCube, 300, 0)
	for range 10 {
		l.look()
		l.move(0, 0)
	}
	before := l.w.Body.Pose
	l.things[0].Pose.YMM = 120 // another cube under its number, once
	l.look()
	l.move(0, 0)
	o, _ := l.w.Object(2)
	if l.w.Body.Pose != before || math.Abs(o.Pose.YMM) > 15 {
		t.Errorf("the robot is moved to %+v, the cube to %+v", l.w.Body.Pose, o.Pose)
	}
}

func TestMovedCubeIsFollowedAndDoesNotMoveTheRobot(t *testing.T) {
	l := newLost(4)
	l.put(2, hardware.KindCube, 300, 0)
	for range 10 {
		l.look()
		l.move(0, 0)
	}
	before := l.w.Body.Pose
	l.things[0].Pose.YMM = 120
	for range 4 {
		l.look()
		l.move(0, 0)
	}
	o, _ := l.w.Object(2)
	if d := math.Hypot(o.Pose.XMM-300, o.Pose.YMM-120); d > 15 {
		t.Errorf("the cube is believed %.0f mm away from where it was put", d)
	}
	if d, _ := before.To(l.w.Body.Pose.XMM, l.w.Body.Pose.YMM); d > 1 {
		t.Errorf("the robot is believed %.1f mm elsewhere", d)
	}
}

func TestCubeThatIsPushedDoesNotMoveTheRobot(t *testing.T) {
	l := newLost(5)
	l.put(2, hardware.KindCube, 60, 0)
	for range 40 {
		l.move(3, 0)
		l.things[0].Pose.XMM = l.truth.XMM + 60
		l.look()
	}
	l.move(0, 0)
	if mm, rad := l.off(); mm > 1 || rad > degree {
		t.Errorf("off by %.1f mm, %.2f°", mm, rad/degree)
	}
	if o, _ := l.w.Object(2); math.Abs(o.Pose.XMM-l.truth.XMM-60) > 5 {
		t.Errorf("the cube is believed at %.0f mm, is at %.0f", o.Pose.XMM, l.truth.XMM+60)
	}
}

// An action that steers by the pose sees no jump, however wrong the pose was.
func TestOneSightingMovesThePoseByLittle(t *testing.T) {
	l := newLost(6)
	l.put(1, hardware.KindCharger, 400, 0)
	for range 10 {
		l.look()
		l.move(0, 0)
	}
	l.drift = 2e-4
	for range 100 {
		l.move(8, 0.06)
	}
	l.drift = 0
	for range 60 {
		before := l.w.Body.Pose
		l.look()
		l.move(0, 0)
		d, _ := before.To(l.w.Body.Pose.XMM, l.w.Body.Pose.YMM)
		if turn := math.Abs(hardware.WrapRad(l.w.Body.Pose.HeadingRad - before.HeadingRad)); d > 4.01 || turn > 1.1*degree {
			t.Fatalf("the pose jumps by %.1f mm, %.2f°", d, turn/degree)
		}
	}
}

func TestNewOriginForgetsUncertaintyAndLandmarks(t *testing.T) {
	l := newLost(8)
	l.put(1, hardware.KindCharger, 400, 0)
	l.look()
	for range 100 {
		l.move(5, 0.05)
	}
	l.e.Delocalize()
	l.tick()
	if b := l.w.Body; b.PoseSigmaMM != 0 || b.HeadingSigmaRad != 0 || len(l.w.Objects) > 0 {
		t.Errorf("%+v, %d objects", b, len(l.w.Objects))
	}
}

func TestWheelsWaitForTheGyroscopeToLearnItsOffset(t *testing.T) {
	y := newScript()
	learning := func(on bool) bool {
		y.set(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, g}, PeakAccelMMPS2: g, Learning: on})
		return y.tick().CanDrive
	}
	if learning(true) || !learning(false) {
		t.Error("the wheels do not wait, or not only for the gyroscope")
	}
	y = newScript()
	y.s.Now = y.s.Now.Add(3 * time.Second)
	if !learning(true) {
		t.Error("the wheels wait for ever")
	}
}

// An inertial sensor that comes back after an hour learns its offset anew. Its error has grown since then, not since the start.
func TestUncertaintyGrowsSinceTheGyroscopeLearns(t *testing.T) {
	y := newScript()
	yaw := 0.0
	ticks := func(n int, on bool) float64 {
		for range n {
			yaw += 1e-5 // the heading moves with the offset
			y.set(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, g}, PeakAccelMMPS2: g, YawRad: yaw, Learning: on})
			y.tick()
		}
		return y.w.Body.HeadingSigmaRad
	}
	y.s.Now = y.s.Now.Add(time.Hour)
	ticks(1, false)
	if sigma := ticks(8, true); sigma > 1*degree {
		t.Errorf("%.2f° after half a second", sigma/degree)
	}
	y.fail(hardware.IMU)
	y.s.Now = y.s.Now.Add(time.Hour)
	y.tick()
	if sigma := ticks(8, true); sigma > 1*degree {
		t.Errorf("%.2f° after an hour without the sensor", sigma/degree)
	}
	if sigma := ticks(84, true); sigma < 2*degree || sigma > 3*degree { // 6 s of 0.4 °/s
		t.Errorf("%.2f° after 6 s", sigma/degree)
	}
}

// Nor does one that is repaired an hour after the start.
func TestUncertaintyOfAGyroscopeThatComesLateIsThatOfALateStart(t *testing.T) {
	e, w, now := estimate.New(), hardware.World{}, hwtest.Start()
	s := hardware.Snapshot{Now: now}
	e.Update(&s, &w)
	s.Now = now.Add(time.Hour)
	e.Update(&s, &w)
	for i := range 8 {
		s.Now = s.Now.Add(60 * time.Millisecond)
		s.Put(&hardware.Sample{Device: hardware.IMU, Seq: uint64(i + 1), At: s.Now, Quality: hardware.OK, Value: hardware.IMUState{
			AccelMMPS2: [3]float64{0, 0, g}, PeakAccelMMPS2: g, YawRad: 1e-5 * float64(i), Learning: true,
		}})
		e.Update(&s, &w)
	}
	if sigma := w.Body.HeadingSigmaRad; sigma == 0 || sigma > 1*degree {
		t.Errorf("%.2f°", sigma/degree)
	}
}

// A cube that the robot pushes keeps its distance. That says nothing of where the robot is.
func TestCubeThatIsPushedDoesNotHoldTheRobotBack(t *testing.T) {
	l := newLost(5)
	l.put(2, hardware.KindCube, 300, 0)
	for range 20 {
		l.look()
		l.move(0, 0)
	}
	for range 50 {
		l.look()
		l.move(4, 0)
	}
	for range 80 {
		l.things[0].Pose.XMM++
		l.look()
		l.move(1, 0)
	}
	if mm, rad := l.off(); mm > 3 || rad > 2*degree {
		t.Errorf("off by %.1f mm and %.1f°", mm, rad/degree)
	}
}

// A drifting heading makes the place unsure across the way, not along it.
func TestPlaceIsLeastSureAcrossAStraightWay(t *testing.T) {
	for _, heading := range []float64{0, 0.7, -1.2} {
		l := newLost(4)
		l.step(0, heading)
		for range 400 {
			l.step(4, 0)
		}
		b := l.w.Body
		off := math.Abs(hardware.WrapRad(2*(b.PoseAxisRad-heading-math.Pi/2))) / 2
		if b.PoseAcrossMM <= 0 || b.PoseSigmaMM < 1.5*b.PoseAcrossMM || off > 20*degree {
			t.Errorf("heading %.0f°: %.1f mm, %.1f mm across, axis %.0f°", heading/degree, b.PoseSigmaMM, b.PoseAcrossMM, b.PoseAxisRad/degree)
		}
	}
}
