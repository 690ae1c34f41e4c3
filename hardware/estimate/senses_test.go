package estimate_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// onTable is a simulated robot that stands still in the middle of the table.
func onTable(t *testing.T, seed uint64) *robot {
	t.Helper()
	r := newRobot(t, sim.Options{Seed: seed, StartOffCharger: true})
	r.Rig.Place(0, 0, 0)
	r.live(time.Second)
	return r
}

// The chips tell a robot in a hand from one on a palm, and from one on the table.
func TestSimulatedPalmAndHandAreToldApart(t *testing.T) {
	r := onTable(t, 6)
	if b := r.w.Body; b.Held || b.InPalm || !b.PalmUntil.IsZero() {
		t.Fatalf("on the table: %+v", b)
	}
	for seconds := range 3 {
		r.Rig.PickUp()
		at := r.Clock.Now()
		r.live(time.Duration(2+seconds) * time.Second)
		if b := r.w.Body; !b.Held || b.InPalm || b.HeldSince.Sub(at) > 500*time.Millisecond || b.HeldSince.Before(at) {
			t.Fatalf("in a hand: %+v", b)
		}
		r.Rig.Palm()
		at = r.Clock.Now()
		r.live(3 * time.Second)
		if b := r.w.Body; !b.Held || !b.InPalm || b.PalmSince.Sub(at) > time.Second || b.Treads != hardware.InAir {
			t.Fatalf("on a palm: %+v", b)
		}
		r.Rig.PutDownHere()
		r.live(3 * time.Second)
		if b := r.w.Body; b.Held || b.InPalm || b.PalmUntil.IsZero() || b.Treads != hardware.OnTreads {
			t.Fatalf("back on the table: %+v", b)
		}
	}
}

// A tremor that turns nothing is no hand: only a turn of more than a degree since the robot stood makes it held, and standing again ends that.
// Rules: TRD-3.
func TestHeldNeedsATurnSinceTheRobotStood(t *testing.T) {
	y := newScript()
	tremble := func(yaw float64) *hardware.Body {
		for i := range 20 {
			gyro := [3]float64{0.1, 0, 0.1}
			if i%2 == 0 {
				gyro = [3]float64{-0.1, 0, -0.1}
			}
			y.set(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, g}, GyroRadPS: gyro, YawRad: yaw})
			y.tick()
		}
		return &y.w.Body
	}
	tremble(0.5) // it turned itself before, on the table
	y.cliffs(true, true, true, true)
	if b := tremble(0.5); !b.PickedUp || b.Held {
		t.Fatalf("lifted straight up: picked up %v, held %v", b.PickedUp, b.Held)
	}
	if b := tremble(0.5 + 0.9*math.Pi/180); b.Held {
		t.Error("held after 0.9°")
	}
	if b := tremble(0.5 + 1.1*math.Pi/180); !b.Held {
		t.Error("not held after 1.1°")
	}
	if b := tremble(0.5); !b.Held {
		t.Error("held no more when the hand turned it back")
	}
	y.cliffs(false, false, false, false)
	tremble(0.5)
	y.cliffs(true, true, true, true)
	if b := tremble(0.5); b.Held {
		t.Error("the turn before it stood counts")
	}
	y.cliffs(false, false, false, false)
	tremble(0.5)
	y.cliffs(true, true, true, true) // it is turned at once, before the pick-up is confirmed
	if b := tremble(0.5 + 2*math.Pi/180); !b.Held {
		t.Error("a turn before the pick-up was confirmed does not count")
	}
}

// A robot that fell and lies on its side is picked up by nobody.
func TestRobotOnItsSideIsNotHeld(t *testing.T) {
	y := newScript()
	y.cliffs(true, true, true, true)
	y.set(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 9800, 300}, RollRad: 1.5, GyroRadPS: [3]float64{1, 0, 0}})
	if b := y.ticks(time.Second); !b.Held {
		t.Fatal("it turns in a hand, and is not held")
	}
	y.accel(0, 9800, 300)
	if b := y.ticks(1400 * time.Millisecond); !b.Held {
		t.Error("a hand may rest for a while")
	}
	if b := y.ticks(300 * time.Millisecond); b.Held || !b.PickedUp {
		t.Errorf("it lies still: held %v, picked up %v", b.Held, b.PickedUp)
	}
}

// Turns and drives of its own are no unexpected movement; a hand that turns the robot is, again and again while it lasts.
func TestSimulatedTwistIsUnexpectedMovement(t *testing.T) {
	r := onTable(t, 7)
	moved := func(d time.Duration) (n int) {
		for end := r.Clock.Now().Add(d); r.Clock.Now().Before(end); {
			if r.tick(); r.w.Body.Moved {
				n++
			}
		}
		return n
	}
	r.drive(t, hardware.Drive{Kind: hardware.Turn, AngleRad: math.Pi, SpeedRadPS: 3})
	r.drive(t, hardware.Drive{Kind: hardware.Straight, DistanceMM: 60, SpeedMMPS: 120})
	if n := moved(time.Second); n != 0 {
		t.Errorf("moved unexpectedly %d times by itself", n)
	}
	before := r.Rig.View().Robot.HeadingRad
	r.Rig.Twist(time.Second)
	if n := moved(time.Second); n < 3 || n > 5 {
		t.Errorf("a hand turned it for a second: told %d times, want once each 200 ms or so", n)
	}
	if n := moved(time.Second); n > 1 {
		t.Errorf("told %d times when the hand was gone", n)
	}
	if turned := hardware.WrapRad(r.Rig.View().Robot.HeadingRad - before); math.Abs(turned-math.Pi/3) > 0.05 {
		t.Errorf("turned by %.2f rad", turned)
	}
}

// What appears ahead is sudden; what the robot drives or turns towards is not.
func TestSuddenObstacleIsToldFromOneThatIsApproached(t *testing.T) {
	y := newScript()
	far := hardware.RangeState{DistanceMM: 1200}
	at := func(mm float64) hardware.RangeState { return hardware.RangeState{DistanceMM: mm, Found: true} }
	y.set(hardware.Range, far)
	y.ticks(time.Second)
	mm := 0.0
	drive := func(step float64) {
		mm += step
		y.set(hardware.Motors, hardware.MotorState{LeftMM: mm, RightMM: mm, LeftMMPS: step / 0.06, RightMMPS: step / 0.06})
	}
	for d := 420.0; d > 60; d -= 10 { // towards a wall
		drive(10)
		y.set(hardware.Range, at(d))
		if d > 400 {
			y.set(hardware.Range, far)
		}
		y.tick()
	}
	if b := y.w.Body; !b.ObstacleAt.IsZero() || !b.RangeAt.IsZero() {
		t.Fatalf("a wall that the robot drove to is sudden: %v, %v", b.ObstacleAt, b.RangeAt)
	}
	drive(0)
	y.set(hardware.Range, far) // it goes away
	y.tick()
	if b := y.w.Body; !b.ObstacleAt.IsZero() || b.RangeAt != y.s.Now {
		t.Errorf("what left ahead: obstacle %v, range %v", b.ObstacleAt, b.RangeAt)
	}
	y.set(hardware.Range, at(325))
	if y.tick(); !y.w.Body.ObstacleAt.IsZero() {
		t.Error("75 mm nearer than what can be expected is sudden")
	}
	y.set(hardware.Range, far)
	y.tick()
	y.set(hardware.Range, at(200))
	if y.tick(); y.w.Body.ObstacleAt != y.s.Now {
		t.Error("what appeared 200 mm ahead is not sudden")
	}
	told := y.w.Body.ObstacleAt
	y.set(hardware.Range, far)
	y.tick()
	y.set(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, g}, YawRad: 0.1, GyroRadPS: [3]float64{0, 0, 1.6}})
	y.set(hardware.Range, at(100))
	y.tick()
	if y.w.Body.ObstacleAt != told {
		t.Error("the robot turned, and what it turned to is sudden")
	}
}

// A warm battery stops the charger, which is neither full nor away, until it has cooled.
func TestSimulatedHeatStallsTheCharger(t *testing.T) {
	r := newRobot(t, sim.Options{Seed: 3, BatteryRatio: 0.5})
	r.live(3 * time.Second)
	if b := r.w.Body; !b.Charging || b.Hot || b.ChargeStalled {
		t.Fatalf("on the charger: %+v", b)
	}
	r.Rig.Heat(10 * time.Second)
	r.live(5 * time.Second)
	charge := r.Rig.Stats().BatteryRatio
	r.live(3 * time.Second)
	if b := r.w.Body; b.Charging || !b.Hot || !b.ChargeStalled || b.Battery == hardware.BatteryFull || !b.OnContacts {
		t.Fatalf("warm: %+v", b)
	}
	if now := r.Rig.Stats().BatteryRatio; now != charge {
		t.Errorf("charged from %g to %g", charge, now)
	}
	r.live(5 * time.Second)
	if b := r.w.Body; !b.Charging || b.Hot || b.ChargeStalled {
		t.Fatalf("cooled: %+v", b)
	}
}

func TestHeatLimitsAreThoseOfTheirParts(t *testing.T) {
	for _, s := range []struct {
		battery, cpu float64
		hot, stalled bool
	}{{54.9, 89.9, false, true}, {55, 20, true, true}, {20, 90, true, false}, {44.9, 20, false, false}, {45, 20, false, true}} {
		y := newScript()
		y.set(hardware.Charger, hardware.ChargerState{OnContacts: true})
		y.set(hardware.Battery, hardware.BatteryState{Volts: 3.8, TempC: s.battery, CPUTempC: s.cpu})
		if b := y.tick(); b.Hot != s.hot || b.ChargeStalled != s.stalled {
			t.Errorf("%+v: hot %v, stalled %v", s, b.Hot, b.ChargeStalled)
		}
	}
	y := newScript()
	y.set(hardware.Charger, hardware.ChargerState{OnContacts: true})
	for _, s := range []struct {
		battery float64
		stalled bool
	}{{46, true}, {40.1, true}, {40, true}, {39.9, false}, {44, false}} {
		y.set(hardware.Battery, hardware.BatteryState{Volts: 3.8, TempC: s.battery})
		if b := y.tick(); b.ChargeStalled != s.stalled {
			t.Errorf("%g °C: stalled %v", s.battery, b.ChargeStalled)
		}
	}
}

func TestSimulatedPowerButtonIsDebounced(t *testing.T) {
	r := onTable(t, 2)
	r.Rig.Press(30 * time.Millisecond)
	r.live(300 * time.Millisecond)
	if r.w.Body.Pressed {
		t.Error("a short bounce counts as pressed")
	}
	at := r.Clock.Now()
	r.Rig.Press(2 * time.Second)
	r.live(time.Second)
	if b := r.w.Body; !b.Pressed || b.PressedSince.Before(at) || b.PressedSince.Sub(at) > 200*time.Millisecond {
		t.Errorf("pressed %v since %v", b.Pressed, b.PressedSince.Sub(at))
	}
	r.live(2 * time.Second)
	if r.w.Body.Pressed {
		t.Error("still pressed")
	}
}

// Motion counts in the tick of its image and in the next, and in no third.
func TestMotionCountsInTheTickOfItsImageAndTheNext(t *testing.T) {
	y := newScript()
	see := func(m hardware.Motion) {
		y.s.Now = y.s.Now.Add(0)
		y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now, Motion: m})
	}
	see(hardware.Motion{0.3, 0, 0, 0.1})
	y.tick()
	if m := y.w.Around.Motion; m != (hardware.Motion{0.3, 0, 0, 0.1}) {
		t.Errorf("tick of the image: %v", m)
	}
	see(hardware.Motion{0.1, 0, 0, 0.2})
	y.tick()
	if m := y.w.Around.Motion; m != (hardware.Motion{0.3, 0, 0, 0.2}) {
		t.Errorf("next tick, with another image: %v", m)
	}
	y.tick()
	if m := y.w.Around.Motion; m != (hardware.Motion{0.1, 0, 0, 0.2}) {
		t.Errorf("the tick after: %v", m)
	}
	y.tick()
	if m := y.w.Around.Motion; m != (hardware.Motion{}) {
		t.Errorf("two ticks after the newest image: %v", m)
	}
}

// Beliefs that images make last as long as they may.
func TestPerceptionKeepsWhatItMay(t *testing.T) {
	y := newScript()
	see := func(d hardware.Detections) {
		d.CapturedAt = y.s.Now
		y.set(hardware.Vision, d)
		y.tick()
	}
	see(hardware.Detections{
		Habitat: hardware.InHabitat, Trouble: "ImageQualityTooDark", Light: hardware.Darkened, Music: hardware.Music{Beat: hardware.SteadyBeat, TempoBPM: 120, BeatAt: y.s.Now},
		Pets: []hardware.Pet{{ID: 4}}, Points: []hardware.SalientPoint{{Kind: "Hand"}},
	})
	see(hardware.Detections{Light: hardware.Illuminated})
	see(hardware.Detections{Pets: []hardware.Pet{{ID: 4}, {ID: 2}}})
	a := &y.w.Around
	if a.Habitat != hardware.InHabitat || a.EngineError != "ImageQualityTooDark" || a.Light != hardware.LightUnknown || a.LightSeq != 2 ||
		a.Music != (hardware.Music{}) || len(a.Points) != 0 {
		t.Errorf("after an image that tells nothing: %+v", a)
	}
	if len(a.Pets) != 2 || a.Pets[0].ID != 2 || a.Pets[0].Times != 1 || a.Pets[1].Times != 2 {
		t.Errorf("pets %+v", a.Pets)
	}
	y.cliffs(true, true, true, true)
	y.accel(2000, 1000, 9550)
	y.ticks(time.Second)
	if a.Habitat != hardware.HabitatUnknown {
		t.Errorf("picked up, and still %v", a.Habitat)
	}
	y.ticks(time.Minute)
	if len(a.Pets) != 0 {
		t.Errorf("after a minute: pets %+v", a.Pets)
	}
	y.fail(hardware.Vision)
	y.tick()
	if a.EngineError != "ImageQualityTooDark" {
		t.Error("the newest error was forgotten")
	}
}

// Who looked into the camera last is remembered with the face.
func TestEyeContactIsRememberedWithItsFace(t *testing.T) {
	y := newScript()
	see := func(eyes bool) {
		y.set(hardware.Vision, hardware.Detections{CapturedAt: y.s.Now, Faces: []hardware.Face{{ID: 1, DistanceMM: 500, EyeContact: eyes}}})
		y.tick()
	}
	see(false)
	if at := y.w.Faces[0].EyesAt; !at.IsZero() {
		t.Errorf("looked elsewhere, and made eye contact at %v", at)
	}
	looked := y.s.Now
	see(true)
	see(false)
	if at := y.w.Faces[0].EyesAt; at != looked {
		t.Errorf("eye contact at %v, want %v", at, looked)
	}
}

// A palm is under a robot that is picked up, level, with skin below three sensors at least, while both sensors work.
func TestPalmNeedsEachOfItsSigns(t *testing.T) {
	skin := func(n int) (c hardware.CliffState) {
		c.Detected = [4]bool{true, true, true, true}
		for i := range n {
			c.Raw[i] = 200
		}
		return c
	}
	for name, s := range map[string]struct {
		change func(y *script)
		want   bool
	}{
		"as it is":           {func(*script) {}, true},
		"three sensors":      {func(y *script) { y.set(hardware.Cliff, skin(3)) }, true},
		"two sensors":        {func(y *script) { y.set(hardware.Cliff, skin(2)) }, false},
		"tilted":             {func(y *script) { y.accel(5500, 0, 8100) }, false},
		"blind below":        {func(y *script) { y.fail(hardware.Cliff) }, false},
		"no sense of motion": {func(y *script) { y.fail(hardware.IMU) }, false},
	} {
		y := newScript()
		y.set(hardware.Cliff, skin(4))
		y.ticks(time.Second)
		s.change(y)
		if y.tick(); y.w.Body.InPalm != s.want {
			t.Errorf("%s: in palm %v", name, y.w.Body.InPalm)
		}
	}
	y := newScript() // skin below a robot that nobody picked up: a dark table
	y.set(hardware.Cliff, hardware.CliffState{Raw: [4]float64{200, 200, 200, 200}})
	if b := y.ticks(time.Second); b.InPalm || b.PickedUp {
		t.Errorf("on a dark table: %+v", b)
	}
}

// While the distance is not measured, or the robot is in a hand, nothing appears ahead; nor with the first reading after that.
func TestNothingIsSuddenAfterAPauseOfTheRangeSensor(t *testing.T) {
	near := hardware.RangeState{DistanceMM: 100, Found: true}
	for name, pause := range map[string]func(y *script){
		"failed":    func(y *script) { y.fail(hardware.Range) },
		"in a hand": func(y *script) { y.cliffs(true, true, true, true); y.ticks(time.Second) },
	} {
		y := newScript()
		y.set(hardware.Range, hardware.RangeState{DistanceMM: 1200})
		y.ticks(time.Second)
		pause(y)
		y.tick()
		if name == "in a hand" {
			y.set(hardware.Range, near)
			y.tick()
			y.cliffs()
			y.ticks(time.Second)
		}
		y.set(hardware.Range, near)
		if y.tick(); !y.w.Body.ObstacleAt.IsZero() || !y.w.Body.RangeAt.IsZero() {
			t.Errorf("%s: sudden at %v", name, y.w.Body.ObstacleAt)
		}
	}
}
