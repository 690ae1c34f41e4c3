package estimate_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/estimate"
	"github.com/robotd/robotd/hardware/hwtest"
)

const g = 9806.65

// script feeds an estimator with hand-made snapshots, one every 60 ms.
type script struct {
	e   *estimate.Estimator
	s   hardware.Snapshot
	w   hardware.World
	seq uint64
}

func newScript() *script {
	y := &script{e: estimate.New(), s: hardware.Snapshot{Now: hwtest.Start()}}
	y.set(hardware.Cliff, hardware.CliffState{Raw: [4]float64{800, 800, 800, 800}})
	y.level()
	y.set(hardware.Motors, hardware.MotorState{})
	y.set(hardware.Battery, hardware.BatteryState{Volts: 3.8})
	y.set(hardware.Charger, hardware.ChargerState{})
	y.set(hardware.Touch, hardware.TouchState{})
	y.tick()
	return y
}

func (y *script) set(device string, v any) {
	y.seq++
	y.s.Put(&hardware.Sample{Device: device, Seq: y.seq, At: y.s.Now, Quality: hardware.OK, Value: v})
}

func (y *script) fail(device string) {
	y.s.Put(&hardware.Sample{Device: device, Quality: hardware.Failed})
}

func (y *script) accel(x, lateral, z float64) {
	y.set(hardware.IMU, hardware.IMUState{
		AccelMMPS2: [3]float64{x, lateral, z}, PitchRad: math.Atan2(x, z), RollRad: math.Atan2(lateral, z),
		PeakAccelMMPS2: math.Sqrt(x*x + lateral*lateral + z*z),
	})
}

func (y *script) level() { y.accel(0, 0, g) }

func (y *script) cliffs(d ...bool) {
	var c hardware.CliffState
	copy(c.Detected[:], d)
	y.set(hardware.Cliff, c)
}

// tick advances by 60 ms and updates.
func (y *script) tick() *hardware.Body {
	y.s.Now = y.s.Now.Add(60 * time.Millisecond)
	y.e.Update(&y.s, &y.w)
	return &y.w.Body
}

func (y *script) ticks(d time.Duration) *hardware.Body {
	for end := y.s.Now.Add(d); y.s.Now.Before(end); {
		y.tick()
	}
	return &y.w.Body
}

func TestPoseFollowsEncodersAndGyro(t *testing.T) {
	y := newScript()
	mm, yaw := 0.0, 0.0
	for range 50 { // straight 100 mm, then a quarter turn by the gyroscope, then straight 100 mm
		mm += 2
		y.set(hardware.Motors, hardware.MotorState{LeftMM: mm, RightMM: mm, LeftMMPS: 33, RightMMPS: 33})
		y.tick()
	}
	for range 50 {
		yaw += math.Pi / 100
		y.set(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, g}, YawRad: yaw, GyroRadPS: [3]float64{0, 0, 0.52}})
		y.tick()
	}
	for range 50 {
		mm += 2
		y.set(hardware.Motors, hardware.MotorState{LeftMM: mm, RightMM: mm, LeftMMPS: 33, RightMMPS: 33})
		y.tick()
	}
	p := y.w.Body.Pose
	if math.Abs(p.XMM-100) > 0.1 || math.Abs(p.YMM-100) > 0.1 || math.Abs(p.HeadingRad-math.Pi/2) > 1e-6 {
		t.Errorf("pose %+v, want 100, 100, π/2", p)
	}
}

func TestHeadingComesFromTheWheelsWithoutGyro(t *testing.T) {
	y := newScript()
	y.fail(hardware.IMU)
	y.tick()
	for i := range 20 {
		d := float64(i+1) * 46 * math.Pi / 4 / 20
		y.set(hardware.Motors, hardware.MotorState{LeftMM: -d, RightMM: d, LeftMMPS: -30, RightMMPS: 30})
		y.tick()
	}
	if p := y.w.Body.Pose; math.Abs(p.HeadingRad-math.Pi/2) > 1e-6 || math.Abs(p.XMM) > 1e-6 {
		t.Errorf("pose %+v", p)
	}
}

// A device that was not ready yet moves nothing when it begins in the middle of its counts.
// Rules: HW-1.
func TestFirstReadingsAreNoMotion(t *testing.T) {
	y := &script{e: estimate.New(), s: hardware.Snapshot{Now: hwtest.Start()}}
	y.ticks(300 * time.Millisecond)
	y.set(hardware.Motors, hardware.MotorState{LeftMM: 20, RightMM: 20, LeftMMPS: 400, RightMMPS: 400})
	y.set(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, g}, YawRad: 0.2, GyroRadPS: [3]float64{0, 0, 4}})
	y.set(hardware.Cliff, hardware.CliffState{Raw: [4]float64{800, 800, 800, 800}})
	y.tick()
	if p := y.w.Body.Pose; p != (hardware.Pose{}) {
		t.Errorf("the first readings moved it to %+v", p)
	}
}

// An image shows things where the robot was when it was taken; if that was in another frame of coordinates, it places none and moves nothing.
// Rules: HW-1, TRD-2.
func TestImageOfAnotherFrameOfCoordinatesPlacesNothing(t *testing.T) {
	y := newScript()
	y.ticks(300 * time.Millisecond)
	taken := y.s.Now
	y.e.Delocalize()
	y.tick()
	before := y.w.Body.Pose
	cube := hardware.Object{ID: 3, Kind: hardware.KindCube, DistanceMM: 200}
	y.set(hardware.Vision, hardware.Detections{CapturedAt: taken, Objects: []hardware.Object{cube}})
	y.tick()
	if len(y.w.Objects) != 0 || y.w.Body.Pose != before {
		t.Errorf("an image from before knows %+v and the robot is at %+v", y.w.Objects, y.w.Body.Pose)
	}
	y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now, Objects: []hardware.Object{cube}})
	y.tick()
	if len(y.w.Objects) != 1 {
		t.Errorf("an image of this frame knows %+v", y.w.Objects)
	}
}

// Rules: HW-1.
func TestRestartedDriverCausesNoMotion(t *testing.T) {
	y := newScript()
	y.set(hardware.Motors, hardware.MotorState{LeftMM: 500, RightMM: 480})
	y.set(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, g}, YawRad: 3})
	y.tick()
	before := y.w.Body.Pose
	y.set(hardware.Motors, hardware.MotorState{})
	y.level()
	y.tick()
	if p := y.w.Body.Pose; p != before {
		t.Errorf("moved from %+v to %+v", before, p)
	}
}

// Rules: TRD-1, TRD-2.
func TestTreadsStatesFollowSensors(t *testing.T) {
	all := []bool{true, true, true, true}
	cases := []struct {
		name  string
		setup func(*script)
		after time.Duration
		want  hardware.Treads
	}{
		{"standing", func(*script) {}, time.Second, hardware.OnTreads},
		{"lifted with a tilt, at once", func(y *script) { y.cliffs(all...); y.accel(2000, 1000, 9550) }, 60 * time.Millisecond, hardware.InAir},
		{"lifted level, a little later", func(y *script) { y.cliffs(all...) }, 300 * time.Millisecond, hardware.InAir},
		{"level and void for a moment", func(y *script) { y.cliffs(all...) }, 60 * time.Millisecond, hardware.OnTreads},
		{"two sensors beyond the edge", func(y *script) { y.cliffs(true, true) }, time.Second, hardware.OnTreads},
		{"tilted with blind sensors", func(y *script) { y.fail(hardware.Cliff); y.accel(5500, 0, 8100) }, 120 * time.Millisecond, hardware.InAir},
		{"on its left side", func(y *script) { y.cliffs(all...); y.accel(0, -9800, 300) }, 400 * time.Millisecond, hardware.OnLeftSide},
		{"on its right side", func(y *script) { y.cliffs(all...); y.accel(0, 9800, 300) }, 400 * time.Millisecond, hardware.OnRightSide},
		{"on its back", func(y *script) { y.cliffs(all...); y.accel(9500, 0, 2400) }, time.Second, hardware.OnBack},
		{"not yet on its back", func(y *script) { y.cliffs(all...); y.accel(9500, 0, 2400) }, 600 * time.Millisecond, hardware.InAir},
		{"on its face", func(y *script) { y.cliffs(all...); y.accel(-9790, 0, 100) }, 400 * time.Millisecond, hardware.OnFace},
		{"over its back", func(y *script) { y.cliffs(all...); y.accel(3000, 0, -9300) }, 400 * time.Millisecond, hardware.OnFace},
		{"falling", func(y *script) { y.cliffs(all...); y.accel(100, 0, 200) }, 320 * time.Millisecond, hardware.Falling},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			y := newScript()
			origin := y.w.Body.Origin
			c.setup(y)
			if b := y.ticks(c.after); b.Treads != c.want {
				t.Fatalf("%v, want %v", b.Treads, c.want)
			}
			if lost := y.w.Body.Origin != origin; lost != (c.want != hardware.OnTreads) {
				t.Errorf("origin went from %d to %d", origin, y.w.Body.Origin)
			}
			y.cliffs()
			y.level()
			if b := y.ticks(time.Second); b.Treads != hardware.OnTreads || b.PickedUp {
				t.Errorf("after being put down: %+v", b)
			}
		})
	}
}

func TestShakenOnlyWhilePickedUp(t *testing.T) {
	y := newScript()
	y.accel(20000, 0, g)
	if y.ticks(time.Second).Shaken {
		t.Error("shaken on the table")
	}
	y.cliffs(true, true, true, true)
	b := y.ticks(500 * time.Millisecond)
	if !b.Shaken || !b.ShakenAt.Equal(y.s.Now) {
		t.Errorf("not shaken: %+v", b)
	}
	last := b.ShakenAt
	y.accel(0, 0, g)
	if b := y.ticks(500 * time.Millisecond); b.Shaken || b.ShakenAt.Sub(last) > 200*time.Millisecond {
		t.Errorf("still shaken: %+v", b)
	}
}

func TestBatteryLevelFollowsVoltage(t *testing.T) {
	volts := func(v float64) func(*script) {
		return func(y *script) {
			for range 1500 { // 90 s let the low-pass settle
				y.set(hardware.Battery, hardware.BatteryState{Volts: v})
				y.tick()
			}
		}
	}
	cases := []struct {
		name  string
		steps []func(*script)
		want  hardware.BatteryLevel
	}{
		{"nominal", []func(*script){volts(3.8)}, hardware.BatteryNominal},
		{"low", []func(*script){volts(3.5)}, hardware.BatteryLow},
		{"low until well above", []func(*script){volts(3.5), volts(3.6)}, hardware.BatteryLow},
		{"no longer low", []func(*script){volts(3.5), volts(3.65)}, hardware.BatteryNominal},
		{"full", []func(*script){volts(4.18)}, hardware.BatteryFull},
		{"full until well below", []func(*script){volts(4.18), volts(4.1)}, hardware.BatteryFull},
		{"no cell", []func(*script){volts(2.5)}, hardware.BatteryLow},
		{"failed monitor", []func(*script){volts(3.8), func(y *script) { y.fail(hardware.Battery); y.tick() }}, hardware.BatteryLow},
		{"recovered monitor", []func(*script){volts(3.8), func(y *script) { y.fail(hardware.Battery); y.tick() }, volts(3.8)}, hardware.BatteryNominal},
		{"charging is not full", []func(*script){func(y *script) {
			y.set(hardware.Charger, hardware.ChargerState{OnContacts: true, Charging: true})
		}, volts(4.0)}, hardware.BatteryNominal},
		{"charger finished", []func(*script){func(y *script) {
			y.set(hardware.Charger, hardware.ChargerState{OnContacts: true})
		}, volts(4.0)}, hardware.BatteryFull},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			y := newScript()
			for _, f := range c.steps {
				f(y)
			}
			if got := y.w.Body.Battery; got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// What nobody measures is unknown for ever; a monitor that fails is as good as an empty battery.
func TestBatteryIsUnknownUntilMeasuredAndLowWithoutReadings(t *testing.T) {
	e, s, w := estimate.New(), hardware.Snapshot{Now: hwtest.Start()}, hardware.World{}
	e.Update(&s, &w)
	if w.Body.Battery != hardware.BatteryUnknown {
		t.Errorf("first %v", w.Body.Battery)
	}
	s.Now = s.Now.Add(5 * time.Second)
	if e.Update(&s, &w); w.Body.Battery != hardware.BatteryUnknown {
		t.Errorf("without a monitor %v", w.Body.Battery)
	}
	s.Degrade(hardware.Battery, hardware.Failed)
	if e.Update(&s, &w); w.Body.Battery != hardware.BatteryLow {
		t.Errorf("with one that fails %v", w.Body.Battery)
	}
}

func TestFailedSensorsClearCapabilities(t *testing.T) {
	y := newScript()
	if b := y.tick(); !b.CanDrive || !b.CanFeelEdges || b.CanSee {
		t.Fatalf("healthy but eyeless: %+v", b)
	}
	y.fail(hardware.Cliff)
	if b := y.tick(); b.CanDrive || b.CanFeelEdges {
		t.Errorf("without cliff sensors: %+v", b)
	}
	y.cliffs()
	y.fail(hardware.Motors)
	if b := y.tick(); b.CanDrive || !b.CanFeelEdges {
		t.Errorf("without motors: %+v", b)
	}
}

func TestCliffSinceHoldsWhileAnySensorSeesNoFloor(t *testing.T) {
	y := newScript()
	y.cliffs(true)
	y.tick()
	since := y.s.Now
	y.cliffs(false, true)
	y.tick()
	if !y.w.Body.CliffSince.Equal(since) {
		t.Errorf("since %v, want %v", y.w.Body.CliffSince, since)
	}
	y.cliffs()
	if b := y.tick(); !b.CliffSince.IsZero() {
		t.Errorf("since %v without a cliff", b.CliffSince)
	}
}

func TestOnPlatformHoldsUntilTheRobotLeaves(t *testing.T) {
	y := newScript()
	y.set(hardware.Charger, hardware.ChargerState{OnContacts: true, Charging: true})
	if b := y.tick(); !b.OnContacts || !b.OnPlatform || !b.Charging {
		t.Fatalf("docked: %+v", b)
	}
	c, ok := y.w.Charger()
	if d := math.Hypot(c.Pose.XMM, c.Pose.YMM); !ok || math.Abs(d-estimate.DockOffsetMM) > 1e-9 || c.Pose.XMM > 0 {
		t.Fatalf("charger under the robot: %+v, %v", c, ok)
	}
	y.set(hardware.Charger, hardware.ChargerState{})
	mm := 0.0
	for range 10 {
		mm += 5
		y.set(hardware.Motors, hardware.MotorState{LeftMM: mm, RightMM: mm, LeftMMPS: 80, RightMMPS: 80})
		y.tick()
	}
	if b := y.w.Body; b.OnContacts || !b.OnPlatform {
		t.Errorf("50 mm out: %+v", b)
	}
	for range 10 {
		mm += 5
		y.set(hardware.Motors, hardware.MotorState{LeftMM: mm, RightMM: mm, LeftMMPS: 80, RightMMPS: 80})
		y.tick()
	}
	if y.w.Body.OnPlatform {
		t.Error("100 mm out and still on the platform")
	}
	if c, ok := y.w.Charger(); !ok || math.Abs(c.Pose.XMM+estimate.DockOffsetMM) > 1e-9 {
		t.Errorf("forgot the charger: %+v %v", c, ok)
	}
}

func (y *script) see(d hardware.Detections) {
	d.CapturedAt = y.s.Now
	y.set(hardware.Vision, d)
}

func TestSightingsArePlacedWhereTheRobotWas(t *testing.T) {
	y := newScript()
	y.see(hardware.Detections{
		Faces:   []hardware.Face{{ID: 1, DistanceMM: 500, BearingRad: 0.2}},
		Objects: []hardware.Object{{ID: 3, Kind: hardware.KindCube, DistanceMM: 200, HeadingRad: 1}},
	})
	mm := 0.0
	for range 20 { // the image arrives while the robot drives on
		mm += 5
		y.set(hardware.Motors, hardware.MotorState{LeftMM: mm, RightMM: mm, LeftMMPS: 80, RightMMPS: 80})
		y.tick()
	}
	if len(y.w.Objects) != 1 || math.Abs(y.w.Objects[0].Pose.XMM-200) > 1 || math.Abs(y.w.Objects[0].Pose.HeadingRad-1) > 1e-9 {
		t.Errorf("objects %+v", y.w.Objects)
	}
	f, ok := y.w.Face(10 * time.Second)
	if want := math.Hypot(500*math.Cos(0.2)-100, 500*math.Sin(0.2)); !ok || math.Abs(f.DistanceMM-want) > 1 || f.BearingRad < 0.2 {
		t.Errorf("face %+v, want %.1f mm away", f, want)
	}
}

func TestFacesKeepTheirNamesAndFade(t *testing.T) {
	y := newScript()
	y.see(hardware.Detections{Faces: []hardware.Face{{ID: 1, Name: "Ada", DistanceMM: 500}, {ID: 2, DistanceMM: 400}}})
	y.tick()
	y.see(hardware.Detections{Faces: []hardware.Face{{ID: 1, DistanceMM: 500}}})
	y.tick()
	if len(y.w.Faces) != 2 || y.w.Faces[0].ID != 1 || y.w.Faces[0].Name != "Ada" {
		t.Fatalf("faces %+v", y.w.Faces)
	}
	old := y.w.Faces
	y.ticks(61 * time.Second)
	if len(y.w.Faces) != 0 || len(old) != 2 {
		t.Errorf("after a minute: %+v", y.w.Faces)
	}
}

// Rules: TRD-2.
func TestObjectsAreForgottenWithTheirOrigin(t *testing.T) {
	y := newScript()
	y.see(hardware.Detections{
		Faces:   []hardware.Face{{ID: 1, DistanceMM: 500}},
		Objects: []hardware.Object{{ID: 1, Kind: hardware.KindCharger, DistanceMM: 300}},
	})
	y.tick()
	if _, ok := y.w.Charger(); !ok {
		t.Fatal("no charger")
	}
	y.e.Delocalize()
	y.tick()
	if _, ok := y.w.Charger(); ok || len(y.w.Faces) != 1 {
		t.Errorf("charger %v, faces %d", ok, len(y.w.Faces))
	}
}

func TestChargerPoseIsSmoothedButFollowsAMove(t *testing.T) {
	y := newScript()
	at := func(mm float64) float64 {
		y.see(hardware.Detections{Objects: []hardware.Object{{ID: 1, Kind: hardware.KindCharger, DistanceMM: mm}}})
		y.tick()
		c, _ := y.w.Charger()
		x, _ := y.w.Body.Pose.To(c.Pose.XMM, c.Pose.YMM)
		return x
	}
	if at(300) != 300 {
		t.Error("the first sighting does not place it")
	}
	if mm := at(310); mm < 302 || mm > 308 {
		t.Errorf("%.1f mm after 300 and 310 were seen", mm)
	}
	if a, b := at(600), at(605); a > 320 || b > 320 {
		t.Errorf("one or two sightings elsewhere move it to %.0f, %.0f mm", a, b)
	}
	if c := at(598); math.Abs(c-598) > 1 {
		t.Errorf("three sightings elsewhere leave it at %.0f mm", c)
	}
}

func TestEqualSnapshotsGiveEqualWorlds(t *testing.T) {
	run := func() []hardware.World {
		y := newScript()
		var all []hardware.World
		for i := range 200 {
			y.accel(float64(i*37%900), float64(i*91%500), g)
			y.cliffs(i%17 == 0, i%50 > 40, i%50 > 41, i%50 > 42)
			y.see(hardware.Detections{Faces: []hardware.Face{{ID: i % 5, DistanceMM: float64(i)}}})
			y.tick()
			all = append(all, y.w)
		}
		return all
	}
	if !reflect.DeepEqual(run(), run()) {
		t.Error("two runs differ")
	}
}
