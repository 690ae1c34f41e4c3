package estimate_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/estimate"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/hardware/simtest"
	"github.com/robotd/robotd/resources"
)

// robot is the simulated robot with an estimator.
type robot struct {
	*simtest.Robot
	e  *estimate.Estimator
	w  hardware.World
	id uint64
}

func newRobot(t *testing.T, opt sim.Options) *robot {
	t.Helper()
	opt.Nobody = true
	r := &robot{Robot: simtest.NewRobot(t, opt), e: estimate.New()}
	r.tick()
	learns := r.w.IMU.Value.Learning
	r.live(2 * time.Second) // the gyroscope finds its bias
	if !learns || r.w.IMU.Value.Learning {
		t.Fatalf("the gyroscope learns its offset at first: %v, after 2 s: %v", learns, r.w.IMU.Value.Learning)
	}
	return r
}

// live runs with a tick every 60 ms.
func (r *robot) live(d time.Duration) {
	for end := r.Clock.Now().Add(d); r.Clock.Now().Before(end); {
		r.tick()
	}
}

func (r *robot) tick() {
	r.Run(60*time.Millisecond, nil)
	r.e.Update(&r.Snapshot, &r.w)
}

func (r *robot) drive(t *testing.T, c hardware.Drive) {
	t.Helper()
	r.id++
	c.ID = r.id
	for range 300 {
		if err := r.Devices[hardware.Motors].Apply(r.Clock.Now(), c); err != nil {
			t.Fatal(err)
		}
		r.tick()
		if m := r.w.Motors.Value; m.Segment == c.ID && m.Phase != hardware.PhaseMoving {
			if m.Phase != hardware.PhaseDone {
				t.Fatalf("%+v: %s", c, m.Reason)
			}
			return
		}
	}
	t.Fatalf("%+v does not end", c)
}

func TestPoseMatchesTheWorldAfterALap(t *testing.T) {
	r := newRobot(t, sim.Options{Seed: 5, StartOffCharger: true})
	r.Rig.Place(0, 0, 0)
	for range 4 {
		r.drive(t, hardware.Drive{Kind: hardware.Straight, DistanceMM: 100, SpeedMMPS: 100})
		r.drive(t, hardware.Drive{Kind: hardware.Turn, AngleRad: math.Pi / 2, SpeedRadPS: 2})
	}
	r.live(time.Second)
	truth, believed := r.Rig.View().Robot, r.w.Body.Pose
	if d := math.Hypot(truth.XMM-believed.XMM, truth.YMM-believed.YMM); d > 8 {
		t.Errorf("off by %.1f mm after 400 mm: believes %+v, is at %+v", d, believed, truth)
	}
	if a := hardware.WrapRad(truth.HeadingRad - believed.HeadingRad); math.Abs(a) > 2*math.Pi/180 {
		t.Errorf("off by %.3f rad after a full turn", a)
	}
}

func TestSimulatedPickUpShakeAndPutDownAreRecognized(t *testing.T) {
	r := newRobot(t, sim.Options{Seed: 6, StartOffCharger: true})
	r.Rig.Place(0, 0, 0)
	r.live(time.Second)
	origin := r.w.Body.Origin
	r.Rig.PickUp()
	r.live(300 * time.Millisecond)
	if b := r.w.Body; !b.PickedUp || b.Treads != hardware.InAir || b.Origin == origin {
		t.Fatalf("300 ms after the lift: %+v", b)
	}
	r.live(2 * time.Second)
	if b := r.w.Body; b.Treads != hardware.InAir || b.Shaken {
		t.Errorf("in the hand: %+v", b)
	}
	r.Rig.Shake(time.Second)
	r.live(600 * time.Millisecond)
	if !r.w.Body.Shaken {
		t.Errorf("while shaken: %+v", r.w.Body)
	}
	r.live(2 * time.Second)
	r.Rig.PutDownHere()
	r.live(600 * time.Millisecond)
	if b := r.w.Body; b.PickedUp || b.Treads != hardware.OnTreads || !b.CanDrive {
		t.Errorf("600 ms after being put down: %+v", b)
	}
}

func TestSimulatedFallIsRecognized(t *testing.T) {
	r := newRobot(t, sim.Options{Seed: 6, StartOffCharger: true})
	r.Rig.Place(0, 420, math.Pi/2) // its mass is beyond the edge
	seen := map[hardware.Treads]bool{}
	for range 70 {
		r.tick()
		seen[r.w.Body.Treads] = true
	}
	if !seen[hardware.OnLeftSide] || !seen[hardware.InAir] {
		t.Errorf("states seen in a fall: %v", seen)
	}
}

func TestDockedStartIsRecognized(t *testing.T) {
	r := newRobot(t, sim.Options{Seed: 8, BatteryRatio: 0.5})
	b := r.w.Body
	if !b.OnContacts || !b.OnPlatform || !b.Charging || b.Battery == hardware.BatteryLow {
		t.Fatalf("on the charger: %+v", b)
	}
	r.drive(t, hardware.Drive{Kind: hardware.Straight, DistanceMM: 200, SpeedMMPS: 80, Retreat: true})
	r.drive(t, hardware.Drive{Kind: hardware.Turn, AngleRad: math.Pi, SpeedRadPS: 2})
	r.live(time.Second)
	if b := r.w.Body; b.OnContacts || b.OnPlatform || b.Charging {
		t.Errorf("200 mm away: %+v", b)
	}
	c, ok := r.w.Charger()
	v := r.Rig.View()
	trueDist, trueBearing := v.Robot.To(v.Charger.XMM, v.Charger.YMM)
	d, bearing := r.w.Body.Pose.To(c.Pose.XMM, c.Pose.YMM)
	if !ok || math.Abs(d-trueDist) > 8 || math.Abs(hardware.WrapRad(bearing-trueBearing)) > 3*math.Pi/180 {
		t.Errorf("charger believed %.0f mm at %.2f rad, is %.0f mm at %.2f rad", d, bearing, trueDist, trueBearing)
	}
}

// The sonar of this kit sits on its head. With the head up it hears nothing of a box before the wheels, and says so.
func TestRaisedHeadDoesNotCallTheWayFree(t *testing.T) {
	p, diags, err := profile.Load(resources.Embedded(), "freenove-4wd", nil)
	if p == nil || err != nil {
		t.Fatal(diags, err)
	}
	r := &robot{Robot: simtest.NewRobot(t, sim.Options{Seed: 1, Nobody: true, Profile: p}), e: estimate.New()}
	nod := func(angle float64) {
		t.Helper()
		r.id++
		if err := r.Devices[hardware.Servos].Apply(r.Clock.Now(), hardware.MoveHead{ID: r.id, AngleRad: angle}); err != nil {
			t.Fatal(err)
		}
		r.live(time.Second)
	}
	box := r.Rig.View().Obstacles[0]
	sin, cos := math.Sincos(box.HeadingRad)
	r.Rig.Place(box.XMM-(115+200+box.LengthMM/2)*cos, box.YMM-(115+200+box.LengthMM/2)*sin, box.HeadingRad)
	nod(0)
	if v := r.w.Range; !v.OK() || !v.Value.Found || !r.w.Body.CanFeelAhead {
		t.Fatalf("head down: %+v", v)
	}
	nod(40 * math.Pi / 180)
	if v := r.w.Range; v.Quality != hardware.Stale || r.w.Body.CanFeelAhead {
		t.Errorf("head up: %+v", v)
	}
	nod(0)
	if v := r.w.Range; !v.OK() || !v.Value.Found || !r.w.Body.CanFeelAhead || !r.w.Body.ObstacleAt.IsZero() {
		t.Errorf("head down again: %+v, obstacle at %v", v, r.w.Body.ObstacleAt)
	}
}
