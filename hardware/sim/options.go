package sim

import (
	"time"

	"github.com/robotd/robotd/hardware/profile"
)

// StepMS is the length of one simulation step in milliseconds. A wheel moves at most 0.44 mm in one.
const StepMS = 2

const (
	step  = StepMS * time.Millisecond
	stepS = StepMS / 1000.0
	never = int64(1) << 62 // a step that does not come

	// liveSteps limits the steps that a live world catches up at once. A longer gap means that the process was suspended;
	// simulating it would drive the robot off the table without control.
	liveSteps = int64(250 * time.Millisecond / step)
)

// Options configure a world. The zero value is a usable one.
type Options struct {
	// Seed chooses the layout of the table, the battery charge, sensor offsets, noise and when people come and go.
	Seed uint64
	// Profile describes the robot. Nil means R1.
	Profile *profile.Profile
	// Now is the instant of step 0. Zero means the instant of the first access.
	Now time.Time
	// Live caps catching up at 250 ms and drops the rest. Leave it false in virtual time.
	Live bool
	// Alone says that one goroutine at a time uses the robot, as in virtual time. It takes no locks then.
	Alone bool
	// StartOffCharger starts the robot near the middle of the table. By default it starts docked, facing out.
	StartOffCharger bool
	// Nobody means that no people come, except for guests of ShowFace.
	Nobody bool
	// BatteryRatio is the initial charge, above 0 up to 1. Zero chooses 0.6 to 1 by seed.
	BatteryRatio float64
	// BatteryLife is how long a driving robot takes from a full battery to 3.5 V. Zero means 7 minutes.
	BatteryLife time.Duration
	// PulseRatio is the width of the one-shot's pulse over its nominal width. Zero chooses 0.7 to 1.3 by seed, the tolerance of
	// its parts.
	PulseRatio float64
	// OnPower is called when the motors' power comes or goes, with the instant of the world. It must not use the Rig.
	OnPower func(at time.Time, on bool)
	// ChargeTime is how long the charger takes from empty to full. Zero means 150 seconds.
	ChargeTime time.Duration
}

func (o Options) withDefaults() Options {
	if o.BatteryLife <= 0 {
		o.BatteryLife = 7 * time.Minute
	}
	if o.ChargeTime <= 0 {
		o.ChargeTime = 150 * time.Second
	}
	return o
}

// steps is the number of whole steps that cover d.
func steps(d time.Duration) int64 { return int64((d + step - 1) / step) }

// Measures of R1, the robot of hardware/README.md, and of its surroundings, millimeters unless named otherwise. The robot's
// origin is the middle of its axle.
const (
	bodyFront  = 35.0
	bodyBack   = 55.0
	bodyLength = bodyFront + bodyBack
	bodyWidth  = 60.0
	bodyReach  = 62.65 // origin to a rear corner
	massX      = -10.0 // center of mass on the x axis

	wheelMMPS    = 220.0 // free speed at full duty
	wheelLagS    = 0.060 // first-order lag from duty to speed
	treadMM      = 46.0  // distance between the wheels
	wheelDiamMM  = 29.0
	countsPerRev = 2800.0 // four edges a quadrature period

	headMinDeg, headMaxDeg = -22.0, 45.0
	liftMinMM, liftMaxMM   = 32.0, 92.0

	cubeMM       = 45.0
	gravityMMPS2 = 9810.0

	// The charger is a flat pad with a block at its closed end. A docked robot's rear touches the block.
	chargerLength = 110.0
	chargerWidth  = 84.0
	blockLength   = 20.0
	// dockX is the x of a docked robot's origin in the charger's frame.
	dockX = -chargerLength/2 + blockLength + bodyBack
)

// DockOffsetMM is how far in front of the charger's center, along its heading, the origin of a docked robot is.
const DockOffsetMM = dockX

// cliffMounts are the positions of the cliff sensors on the robot: front left, front right, back left, back right.
var cliffMounts = [4]vec{{30, 22}, {30, -22}, {-45, 22}, {-45, -22}}
