package estimate_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/estimate"
	"github.com/robotd/robotd/hardware/hwtest"
)

// wheeled drives a script about.
type wheeled struct {
	*script
	left, right, yaw float64
	body             hardware.Outline
	stall            bool
}

// step drives mm in a tick, and turns by rad.
func (y *wheeled) step(mm, rad float64) *hardware.Body {
	const dt = 0.06
	y.left, y.right, y.yaw = y.left+mm-rad*23, y.right+mm+rad*23, y.yaw+rad
	m := hardware.MotorState{
		Body: y.body, LeftMM: y.left, RightMM: y.right, LeftMMPS: (mm - rad*23) / dt, RightMMPS: (mm + rad*23) / dt,
	}
	if y.stall {
		m.Phase, m.Reason, m.Segment = hardware.PhaseAborted, "stall", 7
	}
	y.set(hardware.Motors, m)
	y.set(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, g}, PeakAccelMMPS2: g, YawRad: y.yaw, GyroRadPS: [3]float64{0, 0, rad / dt}})
	return y.tick()
}

func (y *wheeled) ahead(mm float64) {
	for range int(math.Abs(mm) / 5) {
		y.step(math.Copysign(5, mm), 0)
	}
}

func (y *wheeled) floor() { y.set(hardware.Cliff, hardware.CliffState{}) }

func (y *wheeled) marks(k hardware.MarkKind) (all []hardware.Mark) {
	if y.w.Map == nil {
		return nil
	}
	for _, m := range y.w.Map.Marks {
		if m.Kind == k {
			all = append(all, m)
		}
	}
	return all
}

// place is where a mark is.
func (y *wheeled) place(t *testing.T, k hardware.MarkKind, x, ymm, within float64) hardware.Mark {
	t.Helper()
	all := y.marks(k)
	for _, m := range all {
		if math.Hypot(m.XMM-x, m.YMM-ymm) <= within {
			return m
		}
	}
	t.Fatalf("no %v within %.0f mm of (%.0f, %.0f): %+v", k, within, x, ymm, all)
	return hardware.Mark{}
}

func (y *wheeled) none(t *testing.T, k hardware.MarkKind, why string) {
	t.Helper()
	if all := y.marks(k); len(all) > 0 {
		t.Fatalf("%s: %+v", why, all)
	}
}

func newWheeled() *wheeled {
	y := &wheeled{script: newScript()}
	y.step(0, 0)
	return y
}

// Rules: CLF-7.
func TestEdgeIsMarkedAtTheSensorThatLostTheFloor(t *testing.T) {
	y := newWheeled()
	y.ahead(100)
	y.cliffs(false, true)
	y.step(5, 0)
	m := y.place(t, hardware.MarkEdge, 105+30, -22, 1)
	if math.Abs(m.HeadingRad) > 0.01 || m.RadiusMM < 5 || m.RadiusMM > 30 || m.Met != 1 || m.At != y.s.Now {
		t.Errorf("%+v", m)
	}
	for range 20 {
		y.step(0, 0)
	}
	if n := len(y.marks(hardware.MarkEdge)); n != 1 {
		t.Errorf("%d marks of one edge at which it stands", n)
	}
}

func TestEdgeBehindPointsBackwards(t *testing.T) {
	y := newWheeled()
	y.ahead(-60)
	y.cliffs(false, false, true, false)
	y.step(-5, 0)
	if m := y.place(t, hardware.MarkEdge, -65-45, 22, 1); math.Abs(hardware.WrapRad(m.HeadingRad-math.Pi)) > 0.01 {
		t.Errorf("direction %.2f", m.HeadingRad)
	}
}

func TestMountsOfAnotherRobotPlaceTheEdge(t *testing.T) {
	y := newWheeled()
	y.set(hardware.Cliff, hardware.CliffState{
		Detected: [4]bool{true, true}, Mounts: [4]hardware.Mount{{XMM: 70, YMM: 0}, {XMM: 70, YMM: 0}},
	})
	y.step(5, 0)
	y.place(t, hardware.MarkEdge, 75, 0, 1)
	if n := len(y.marks(hardware.MarkEdge)); n != 1 {
		t.Errorf("%d marks by one sensor that counts for both sides", n)
	}
}

// Rules: CLF-7.
func TestMapIsForgottenAtPickUp(t *testing.T) {
	y := newWheeled()
	y.cliffs(true, true)
	y.step(5, 0)
	y.place(t, hardware.MarkEdge, 35, 22, 1)
	version := y.w.Map.Version
	y.cliffs(true, true, true, true)
	y.accel(3000, 0, 9000)
	y.ticks(300 * time.Millisecond)
	if !y.w.Body.PickedUp || len(y.w.Map.Marks) > 0 || y.w.Map.Version <= version {
		t.Errorf("picked up %v, version %d after %d, %+v", y.w.Body.PickedUp, y.w.Map.Version, version, y.w.Map.Marks)
	}
}

// Rules: CLF-7.
func TestEdgeIsForgottenWithTime(t *testing.T) {
	y := newWheeled()
	y.cliffs(true)
	y.step(5, 0)
	y.floor()
	y.ahead(-100)
	y.s.Now = y.s.Now.Add(29 * time.Minute)
	y.step(0, 0)
	if len(y.marks(hardware.MarkEdge)) != 1 {
		t.Fatal("forgotten within 29 minutes")
	}
	y.s.Now = y.s.Now.Add(2 * time.Minute)
	y.step(0, 0)
	y.none(t, hardware.MarkEdge, "after 31 minutes")
}

// Rules: CLF-7.
func TestEdgeOverWhichTheRobotDrivesIsRemoved(t *testing.T) {
	y := newWheeled()
	y.cliffs(true)
	y.step(5, 0)
	y.floor()
	y.ahead(60)
	y.none(t, hardware.MarkEdge, "60 mm on")
}

// approach drives at something mm before the sensor's place at the start.
func (y *wheeled) approach(mm, way float64) {
	for d := 0.0; d < way; d += 5 {
		y.set(hardware.Range, hardware.RangeState{DistanceMM: mm - d - 5, Found: mm-d-5 < 400})
		y.step(5, 0)
	}
}

func TestObstacleIsMarkedWhileDriving(t *testing.T) {
	y := newWheeled()
	y.approach(300, 200)
	m := y.place(t, hardware.MarkObstacle, 35+300, 0, 10)
	if n := len(y.marks(hardware.MarkObstacle)); n != 1 || m.Met < 2 {
		t.Errorf("%d marks, %+v", n, m)
	}
}

func TestObstacleIsNotMarkedWhileTurningOrStanding(t *testing.T) {
	y := newWheeled()
	for range 30 {
		y.set(hardware.Range, hardware.RangeState{DistanceMM: 150, Found: true})
		y.step(0, 0.05)
	}
	for range 30 {
		y.set(hardware.Range, hardware.RangeState{DistanceMM: 150, Found: true})
		y.step(0, 0)
	}
	y.none(t, hardware.MarkObstacle, "without driving")
}

func TestKnownCubeIsNoObstacle(t *testing.T) {
	y := newWheeled()
	see := func(d float64) {
		y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now, Objects: []hardware.Object{{ID: 2, Kind: hardware.KindCube, DistanceMM: d}}})
	}
	y.approach(300, 150)
	y.place(t, hardware.MarkObstacle, 335, 0, 15)
	see(335 - 150 + 22)
	y.step(0, 0)
	y.none(t, hardware.MarkObstacle, "seen to be a cube")
	y.approach(150, 50)
	y.none(t, hardware.MarkObstacle, "known as a cube")
}

func TestObstacleThatIsSeenThroughIsRemoved(t *testing.T) {
	y := newWheeled()
	y.approach(300, 100)
	y.place(t, hardware.MarkObstacle, 335, 0, 15)
	for range 10 {
		y.set(hardware.Range, hardware.RangeState{DistanceMM: 1200})
		y.step(5, 0)
	}
	y.none(t, hardware.MarkObstacle, "nothing ahead any more")
}

func TestObstacleUnderTheRobotIsRemoved(t *testing.T) {
	y := newWheeled()
	y.approach(150, 60)
	y.place(t, hardware.MarkObstacle, 185, 0, 15)
	y.fail(hardware.Range)
	y.ahead(120)
	y.none(t, hardware.MarkObstacle, "the robot stands there")
}

func TestStallIsMarkedBeforeTheNoseOnce(t *testing.T) {
	y := newWheeled()
	y.ahead(50)
	for range 5 {
		y.set(hardware.Motors, hardware.MotorState{
			LeftMM: y.left, RightMM: y.right, Segment: 7, Phase: hardware.PhaseAborted, Reason: "stall",
		})
		y.tick()
	}
	if m := y.place(t, hardware.MarkBump, 95, 0, 5); m.Met != 1 || len(y.marks(hardware.MarkBump)) != 1 {
		t.Errorf("%+v", y.marks(hardware.MarkBump))
	}
}

func TestQuietTickLeavesTheMapAloneAndAllocatesNothing(t *testing.T) {
	y := newWheeled()
	for range 12 {
		y.step(0, 0.5)
		y.cliffs(true)
		y.step(0, 0)
		y.floor()
	}
	if len(y.w.Map.Marks) < 8 {
		t.Fatalf("only %d marks", len(y.w.Map.Marks))
	}
	before := y.w.Map
	if n := testing.AllocsPerRun(100, func() { y.tick() }); n > 0 || y.w.Map != before {
		t.Errorf("%v allocations; the same map: %v", n, y.w.Map == before)
	}
}

// A random life keeps the bounds of the map, never writes a published one again, and gives the same maps again.
func TestRandomLifeKeepsTheMapWithinItsBounds(t *testing.T) {
	for seed := range uint64(5) {
		first, again := randomLife(t, seed), randomLife(t, seed)
		if !reflect.DeepEqual(first, again) {
			t.Fatalf("seed %d: another map the second time", seed)
		}
		if len(first.Marks) < 5 {
			t.Fatalf("seed %d: only %d marks", seed, len(first.Marks))
		}
	}
}

func randomLife(t *testing.T, seed uint64) *hardware.Map {
	rng := rand.New(rand.NewPCG(seed, 1))
	y := newWheeled()
	var old *hardware.Map
	var copied []hardware.Mark
	for range 4000 {
		turn := 0.0
		if rng.IntN(3) == 0 {
			turn = rng.Float64() - 0.5
		}
		var c hardware.CliffState
		for i := range c.Detected {
			c.Detected[i] = rng.IntN(40) == 0
		}
		y.set(hardware.Cliff, c)
		y.set(hardware.Range, hardware.RangeState{DistanceMM: 30 + 400*rng.Float64(), Found: rng.IntN(2) == 0})
		y.step(10*rng.Float64(), turn)
		m := y.w.Map
		if old != nil && !slices.Equal(old.Marks, copied) {
			t.Fatal("a published map was written again")
		}
		if m == nil || m == old {
			continue
		}
		if old != nil && m.Version <= old.Version {
			t.Fatalf("version %d after %d", m.Version, old.Version)
		}
		if len(m.Marks) > 128 || !slices.IsSortedFunc(m.Marks, func(a, b hardware.Mark) int { return a.At.Compare(b.At) }) {
			t.Fatalf("%d marks, or not sorted by age", len(m.Marks))
		}
		old, copied = m, slices.Clone(m.Marks)
	}
	return y.w.Map
}

// BenchmarkUpdateWithAFullMap is a tick that drives over a table whose edges are all known.
func BenchmarkUpdateWithAFullMap(b *testing.B) {
	e, w := estimate.New(), hardware.World{}
	y := &wheeled{script: &script{e: e, s: hardware.Snapshot{Now: hwtest.Start()}}}
	y.floor()
	y.level()
	for i := range 500 { // it turns on the spot, and has sensors far out
		y.set(hardware.Cliff, hardware.CliffState{
			Detected: [4]bool{i%2 == 0, i%2 == 0}, Mounts: [4]hardware.Mount{{XMM: 350}, {XMM: 350}, {XMM: -45, YMM: 22}, {XMM: -45, YMM: -22}},
		})
		y.step(0, 0.0256)
	}
	y.tick()
	b.ReportAllocs()
	for b.Loop() {
		e.Update(&y.s, &w)
	}
	b.ReportMetric(float64(len(y.w.Map.Marks)), "marks")
}

// A kit that is three times as large as R1 meets things where its own front and back are, and forgets what lies under its own body.
func TestMapFollowsTheOutlineOfTheRobot(t *testing.T) {
	for name, k := range map[string]struct {
		body        hardware.Outline
		front, back float64 // of its bumps
	}{
		"R1":  {hardware.Outline{}, 45, -55},
		"kit": {hardware.Outline{FrontMM: 120, BackMM: 160, WidthMM: 180}, 130, -160},
	} {
		bump := func(mm float64) *wheeled {
			y := newWheeled()
			y.body, y.stall = k.body, true
			y.step(mm, 0)
			y.stall = false
			return y
		}
		bump(3).place(t, hardware.MarkBump, k.front+3, 0, 1)
		y := bump(-3)
		y.place(t, hardware.MarkBump, k.back-3, 0, 1)
		y.ahead(-60)
		if gone := len(y.marks(hardware.MarkBump)) == 0; !gone {
			t.Errorf("%s: a bump 60 mm under the body is still on the map", name)
		}
	}
	side := func(body hardware.Outline) int { // a bump, then the robot turns and drives past it with 40 mm between its middle and the bump
		y := newWheeled()
		y.body, y.stall = hardware.Outline{FrontMM: 30, BackMM: 30, WidthMM: 40}, true
		y.step(3, 0)
		y.body, y.stall = body, false
		y.ahead(-60)
		y.step(0, 1.5)
		y.ahead(40)
		y.step(0, -1.5)
		y.ahead(100)
		return len(y.marks(hardware.MarkBump))
	}
	if r1, kit := side(hardware.Outline{}), side(hardware.Outline{FrontMM: 120, BackMM: 160, WidthMM: 180}); r1 != 1 || kit != 0 {
		t.Errorf("beside the middle %d bumps are left for R1, want 1; %d for the kit, want 0", r1, kit)
	}
}

// What stops a robot that does not know its place any more is still near it: its mark does not close the way for meters around.
func TestMarksOfALostRobotStaySmall(t *testing.T) {
	y := newWheeled()
	y.ahead(10000)
	if sigma := y.w.Body.PoseSigmaMM; sigma < 200 {
		t.Fatalf("the place is known to %.0f mm", sigma)
	}
	y.stall = true
	y.step(0, 0)
	if all := y.marks(hardware.MarkBump); len(all) != 1 || all[0].RadiusMM > 80 {
		t.Errorf("%+v", all)
	}
}
