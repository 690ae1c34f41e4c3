package sim

import (
	"cmp"
	"time"

	"github.com/robotd/robotd/hardware/emul"
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
	// People says what the people do who come by themselves: by default they come, look, and go. NoPeople is the same as Nobody.
	People People
	// BatteryRatio is the initial charge, above 0 up to 1. Zero chooses 0.6 to 1 by seed.
	BatteryRatio float64
	// BatteryLife is how long a driving robot takes from a full battery to 3.5 V a cell. Zero means 7 minutes, and 90 for a robot without
	// charger, whose empty battery somebody changes.
	BatteryLife time.Duration
	// PulseRatio is the width of the one-shot's pulse over its nominal width. Zero chooses 0.7 to 1.3 by seed, the tolerance of
	// its parts.
	PulseRatio float64
	// OnPower is called when the motors' power comes or goes, with the instant of the world. It must not use the Rig.
	OnPower func(at time.Time, on bool)
	// BusHz is the frequency of the I²C bus, BusCost what a transaction costs besides its bytes. Zero means the speed of the profile, and
	// [emul.DefaultCost].
	BusHz   float64
	BusCost time.Duration
	// OscillatorHz is the clock of the PWM chips. Zero chooses 23.5 to 27 MHz for each chip by seed, as chips were measured.
	OscillatorHz float64
	// Spread scales by how much servos and their potentiometers differ from what they should be. Zero means 1: ends of travel and
	// feedback are wrong by up to 5 %. A negative one means exact ones.
	Spread float64
	// Mount are the axes of the inertial sensor that really point forward, left and up. Zero means those of the profile.
	Mount [3]string
	// SightNoise scales the errors of sightings, and how often one is missed, far off or taken for another thing. Zero means 1, a negative
	// one none.
	SightNoise float64
	// SightDelay is the time from an image, of which the camera takes ten a second, to what was found in it: at most 200 ms. Zero means
	// 60 ms; a negative one means that an image is taken and worked out whenever somebody asks.
	SightDelay time.Duration
	// Light is the level of the light, above 0 up to 1; zero means 1. Below 0.5 things are missed, below 0.1 nothing is seen.
	Light float64
	// Slip scales how much the wheels slip. Zero means 1, and 2 on the floor of a room; a negative one none.
	Slip float64
	// EdgeCost is how long the processor handles one edge of an encoder, during which the line's interrupt is masked. Zero means
	// [emul.DefaultEdgeCost]; a negative one means that every edge is seen.
	EdgeCost time.Duration
	// ChargeTime is how long the charger takes from empty to full. Zero means 150 seconds.
	ChargeTime time.Duration
}

func (o Options) withDefaults() Options {
	o.Nobody = o.Nobody || o.People == NoPeople
	if o.Nobody {
		o.People = NoPeople
	}
	if o.Profile == nil {
		o.Profile = profile.R1()
	}
	if o.BatteryLife <= 0 {
		o.BatteryLife = 7 * time.Minute
		if !o.Profile.World.Charger {
			o.BatteryLife = 90 * time.Minute
		}
	}
	if o.BusHz <= 0 {
		o.BusHz = emul.DefaultHz
		if o.Profile != nil && o.Profile.Buses[profile.MainBus].SpeedHz > 0 {
			o.BusHz = o.Profile.Buses[profile.MainBus].SpeedHz
		}
	}
	if o.Spread == 0 {
		o.Spread = 1
	}
	o.SightNoise, o.Light = cmp.Or(o.SightNoise, 1), cmp.Or(min(max(o.Light, 0), 1), 1)
	if o.SightDelay == 0 {
		o.SightDelay = sightDelay
	}
	if o.Slip == 0 {
		o.Slip = 1
		if o.Profile.World.Floor == "walls" {
			o.Slip = carpetSlip
		}
	}
	if o.BusCost <= 0 {
		o.BusCost = emul.DefaultCost
	}
	if o.Mount == ([3]string{}) {
		o.Mount = [3]string{"x", "y", "z"}
		if m := o.Profile.IMU; m != nil && m.Mount[0] != "" {
			o.Mount = m.Mount
		}
	}
	if o.EdgeCost == 0 {
		o.EdgeCost = emul.DefaultEdgeCost
	}
	if o.ChargeTime <= 0 {
		o.ChargeTime = 150 * time.Second
	}
	return o
}

// steps is the number of whole steps that cover d.
func steps(d time.Duration) int64 { return int64((d + step - 1) / step) }

// Measures of the robot's surroundings, millimeters unless named otherwise. The robot's origin is the middle of its axle.
const (
	cubeMM       = 44.0
	gravityMMPS2 = 9810.0

	// The charger is a flat pad with a block at its closed end. A docked robot's rear touches the block.
	chargerLength = 110.0
	chargerWidth  = 84.0
	blockLength   = 20.0
)
