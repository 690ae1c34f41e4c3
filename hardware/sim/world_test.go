package sim

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/hwtest"
)

var epoch = hwtest.Start()

// off is a world with an unattended robot near the middle of the table.
func off(seed uint64) *world {
	return newWorld(Options{Seed: seed, Now: epoch, StartOffCharger: true, Nobody: true})
}

// drive sets the signed duties.
func (w *world) drive(left, right float64) {
	for i, d := range [2]float64{left, right} {
		for k := range w.wheels[i].motors {
			w.wheels[i].motors[k].set(0, math.Max(d, 0), &w.wheels[i])
			w.wheels[i].motors[k].set(1, math.Max(-d, 0), &w.wheels[i])
		}
	}
	w.powered = true
}

func (w *world) after(d time.Duration) { w.advance(w.start.Add(time.Duration(w.n)*step + d)) }

// bare removes everything from the table.
func (w *world) bare() {
	w.obstacles = nil
	w.block = newBox(pose(vec{5000, 0}, 0), 1, 1)
	w.chargerFrame, w.dock = frameOf(pose(vec{5000, 0}, 0)), pose(vec{5000, 0}, 0)
	for i := range w.cubes {
		w.cubes[i].present = false
	}
	w.contacts = newContacts(w)
}

func TestWheelsFollowDutyWithALag(t *testing.T) {
	w := off(1)
	if want := 1 - math.Exp(-stepS/wheelLagS); math.Abs(w.body.lag-want) > 1e-12 {
		t.Errorf("lag = %v, want %v", w.body.lag, want)
	}
	w.bare()
	w.place(pose(vec{-300, 0}, 0))
	w.drive(0.5, 0.5)
	w.after(60 * time.Millisecond)
	if v := w.forward(); math.Abs(v-110*(1-1/math.E)) > 1 {
		t.Errorf("speed after one time constant = %.1f mm/s, want 63 %% of 110", v)
	}
	w.after(3 * time.Second)
	if d := w.robot.XMM + 300; math.Abs(d-110*3) > 6 {
		t.Errorf("drove %.1f mm in 3 s at half duty, want about 330", d)
	}
	counts := float64(w.wheels[0].counts(perMM)) / countsPerRev * math.Pi * wheelDiamMM
	if d := w.robot.XMM + 300; math.Abs(counts-d) > 0.01*d+1 || counts == d {
		t.Errorf("encoder says %.2f mm, ground %.2f: want within 1 %% but not equal", counts, d)
	}
}

func TestOppositeWheelsTurnInPlace(t *testing.T) {
	w := off(1)
	w.bare()
	w.place(pose(vec{}, 0))
	w.drive(-0.2, 0.2)
	w.after(time.Second)
	want := 2 * 44 / treadMM * (1 - wheelLagS)
	if math.Abs(w.robot.HeadingRad-want) > 0.03 || position(w.robot).length() > 2 {
		t.Errorf("pose %+v, want a turn of %.2f rad in place", w.robot, want)
	}
	_, gyro := w.inertial()
	if math.Abs(gyro[2]-2*44/treadMM) > 0.1 {
		t.Errorf("gyro z = %.3f rad/s, want %.3f", gyro[2], 2*44/treadMM)
	}
}

func TestWheelsCoastWithoutEnable(t *testing.T) {
	w := off(1)
	w.bare()
	w.place(pose(vec{}, 0))
	w.drive(1, 1)
	w.after(time.Second)
	w.powered = false
	w.after(time.Second)
	x := w.robot.XMM
	w.after(time.Second)
	if w.robot.XMM != x || !w.idle() {
		t.Errorf("still moving without power: %+v", w.wheels)
	}
}

// script drives a robot about, into cubes and off the edge, with people around.
func script(seed uint64, hop time.Duration) *world {
	w := newWorld(Options{Seed: seed, Now: epoch})
	at := epoch
	acts := []func(){
		func() { w.drive(0.8, 0.75) }, func() { w.drive(-0.2, 0.5) }, func() { w.drive(1, 1) },
		func() { w.servos[0].pulse(0.09) }, func() { w.drive(0, 0) }, func() { w.drive(0.4, 0.6) },
		func() { w.shake(700 * time.Millisecond) }, func() { w.drive(1, 0.9) }, func() { w.show("Eve", w.n+4000) },
		func() { w.pushNearEdge() }, func() { w.drive(0.7, 0.7) }, func() { w.drive(0, 0) },
	}
	for _, act := range acts {
		act()
		w.checkAt = 0
		w.reschedule()
		end := at.Add(2600 * time.Millisecond)
		for at.Before(end) {
			at = at.Add(hop)
			if at.After(end) {
				at = end
			}
			w.advance(at)
		}
	}
	return w
}

// fingerprint is everything that a robot could learn about the world.
func fingerprint(w *world) []any {
	a, g := w.inertial()
	v, i := w.power()
	return []any{w.n, w.robot, w.wheels, w.servos, w.cubes, w.battery, w.stats(), a, g, v, i, w.detect(epoch)}
}

func TestResultsDoNotDependOnHowOftenTheWorldIsAdvanced(t *testing.T) {
	falls, pushed := 0, 0
	for seed := range uint64(8) {
		coarse := script(seed, 2600*time.Millisecond)
		want := fingerprint(coarse)
		falls += int(coarse.falls)
		for _, c := range coarse.cubes {
			if c.pose != c.home {
				pushed++
			}
		}
		for _, hop := range []time.Duration{time.Millisecond, 7 * time.Millisecond, 100 * time.Millisecond} {
			if got := fingerprint(script(seed, hop)); !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d in hops of %v:\n got %v\nwant %v", seed, hop, got, want)
			}
		}
	}
	if falls < 4 || pushed < 2 {
		t.Errorf("the runs are too tame to prove much: %d falls, %d cubes pushed", falls, pushed)
	}
}

func TestDifferentSeedsGiveDifferentWorlds(t *testing.T) {
	if reflect.DeepEqual(fingerprint(script(1, time.Second)), fingerprint(script(2, time.Second))) {
		t.Error("two seeds gave the same run")
	}
}

func TestLiveWorldDropsALongGap(t *testing.T) {
	w := newWorld(Options{Now: epoch, Live: true})
	w.advance(epoch.Add(time.Hour))
	if w.n != liveSteps {
		t.Errorf("caught up %d steps, want %d", w.n, liveSteps)
	}
	w.advance(epoch.Add(time.Hour + 10*time.Millisecond))
	if w.n != liveSteps+5 {
		t.Errorf("then at %d, want %d", w.n, liveSteps+5)
	}
}

func TestRobotFallsWhenItsCenterOfMassLeavesTheTable(t *testing.T) {
	w := off(3)
	w.bare()
	w.place(pose(vec{500, 0}, 0))
	w.drive(0.5, 0.5)
	for w.mode == standing && w.n < 5000 {
		w.after(step)
		front := w.cliffVolts(0) < 1
		if x := w.robot.XMM; front && x < 569 || !front && x > 571 {
			t.Fatalf("at x = %.1f the front cliff sensor reads %.2f V", x, w.cliffVolts(0))
		}
	}
	if x := w.robot.XMM; x < 612.5 || x > 614 {
		t.Errorf("fell at x = %.1f, want 613: 13 mm beyond the edge", x)
	}
	if s := w.stats(); s.Falls != 1 || !s.Fallen {
		t.Errorf("stats %+v", s)
	}
	driven := w.distanceMM
	w.drive(0, 0)
	w.after(2900 * time.Millisecond)
	if w.mode != fallen || w.cliffVolts(2) > 0.2 {
		t.Errorf("after 2.9 s mode %d", w.mode)
	}
	w.after(200 * time.Millisecond)
	if s := w.stats(); s.Falls != 1 || s.Fallen || w.distanceMM != driven || position(w.robot).length() > 50 {
		t.Errorf("put back: %+v at %+v", s, w.robot)
	}
}

func TestIdleTimeIsSkipped(t *testing.T) {
	w := newWorld(Options{Seed: 1, Now: epoch})
	w.after(1000 * time.Hour) // 1.8 billion steps: taken one by one, this would not end
	if w.n != steps(1000*time.Hour) {
		t.Errorf("at step %d", w.n)
	}
}

func BenchmarkStepRolling(b *testing.B) {
	w := off(1)
	w.bare()
	w.place(pose(vec{}, 0))
	w.drive(0.3, 0.5)
	for b.Loop() {
		w.run(w.n + 1)
	}
}

func BenchmarkStepPushing(b *testing.B) {
	w := newWorld(Options{Seed: 1, Now: epoch, Nobody: true})
	w.drive(-0.3, -0.3)
	for b.Loop() {
		w.run(w.n + 1)
	}
}

func BenchmarkMinuteRolling(b *testing.B) {
	w := off(1)
	w.bare()
	w.place(pose(vec{}, 0))
	w.drive(0.3, 0.5)
	for b.Loop() {
		w.run(w.n + steps(time.Minute))
	}
}

func BenchmarkMinuteIdle(b *testing.B) {
	w := newWorld(Options{Seed: 1, Now: epoch})
	for b.Loop() {
		w.run(w.n + steps(time.Minute))
	}
}
