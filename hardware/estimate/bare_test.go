package estimate_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/estimate"
	"github.com/robotd/robotd/hardware/hwtest"
)

// bare is a robot of few parts: wheels without encoders, no inertial sensor, no charger, no sensors that look down.
func bare() *script {
	y := &script{e: estimate.New(), s: hardware.Snapshot{Now: hwtest.Start()}}
	y.set(hardware.Motors, hardware.MotorState{TreadMM: 130, Reckoned: true, Edgeless: true})
	y.set(hardware.Battery, hardware.BatteryState{Volts: 7.6, Cells: 2})
	y.tick()
	return y
}

func TestBareRobotDrivesAndKnowsWhatItLacks(t *testing.T) {
	b := bare().ticks(5 * time.Second)
	if !b.CanDrive || !b.Edgeless || !b.Reckoned {
		t.Errorf("drives %v, edgeless %v, reckoned %v; want all", b.CanDrive, b.Edgeless, b.Reckoned)
	}
	if b.CanFeelEdges || b.CanFeelAhead || b.CanCharge || b.CanNod || b.CanLift || b.CanSee {
		t.Errorf("claims what it has not: %+v", b)
	}
	if b.Treads != hardware.OnTreads || b.PickedUp || b.Battery != hardware.BatteryNominal {
		t.Errorf("treads %v, picked up %v, battery %v", b.Treads, b.PickedUp, b.Battery)
	}
}

func TestRobotWithSensorsThatLookDownNeedsThem(t *testing.T) {
	y := bare()
	y.set(hardware.Motors, hardware.MotorState{})
	if y.tick().CanDrive {
		t.Error("drives without its cliff sensors")
	}
}

func TestTurnFollowsTheTreadOfTheDriver(t *testing.T) {
	y := bare()
	for i := range 20 {
		d := float64(i+1) * 130 * math.Pi / 4 / 20
		y.set(hardware.Motors, hardware.MotorState{TreadMM: 130, Reckoned: true, Edgeless: true, LeftMM: -d, RightMM: d, LeftMMPS: -85, RightMMPS: 85})
		y.tick()
	}
	if h := y.w.Body.Pose.HeadingRad; math.Abs(h-math.Pi/2) > 1e-6 {
		t.Errorf("turned %.3f rad, want a quarter", h)
	}
}

// Line sensors at the front, and nothing else: all of them without floor is the only sign of a hand.
func TestAllSensorsWithoutFloorMeanLiftedWithoutInertialSensor(t *testing.T) {
	y := bare()
	floor := func(all bool, d ...bool) {
		var c hardware.CliffState
		copy(c.Detected[:], d)
		c.AllVoid = all
		y.set(hardware.Cliff, c)
	}
	floor(false, true, false)
	if y.ticks(time.Second).PickedUp {
		t.Error("one sensor over a dark patch counts as lifted")
	}
	floor(true, true, true)
	if b := y.ticks(time.Second); !b.PickedUp || b.Treads != hardware.InAir {
		t.Errorf("all sensors without floor: picked up %v, %v", b.PickedUp, b.Treads)
	}
	floor(false)
	if b := y.ticks(time.Second); b.PickedUp || b.Treads != hardware.OnTreads {
		t.Errorf("on the floor again: picked up %v, %v", b.PickedUp, b.Treads)
	}
}

func TestBatteryLevelIsThatOfOneCell(t *testing.T) {
	for volts, want := range map[float64]hardware.BatteryLevel{7.6: hardware.BatteryNominal, 7.0: hardware.BatteryLow, 8.35: hardware.BatteryFull, 5.9: hardware.BatteryLow} {
		y := bare()
		y.set(hardware.Battery, hardware.BatteryState{Volts: volts, Cells: 2})
		for range 100 {
			y.set(hardware.Battery, hardware.BatteryState{Volts: volts, Cells: 2})
			y.ticks(time.Second)
		}
		if got := y.w.Body.Battery; got != want {
			t.Errorf("%.1f V of two cells is %v, want %v", volts, got, want)
		}
	}
}
