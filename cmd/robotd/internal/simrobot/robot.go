package simrobot

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/path"
	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// A Robot is the simulated robot: emulated chips in a simulated world, the stop path that needs no bus, and vision.
type Robot struct {
	Rig     World
	Real    bool // not simulated: nothing knows what is true in its world
	Safety  *device.Safety
	Profile *profile.Profile
	board   device.Board
	now     func() time.Time
	voices  voices
	vision  outsideVision
	look    atomic.Pointer[hardware.Look] // the wanted vision modes; nil before the first tick
}

// New builds a robot of that profile on a timeline, among few people. It does not move before its devices are opened.
func New(p *profile.Profile, timeline clock.Timeline, seed uint64, live bool) *Robot {
	return Among(sim.FewPeople, p, timeline, seed, live)
}

// Among builds a robot among people.
func Among(people sim.People, p *profile.Profile, timeline clock.Timeline, seed uint64, live bool) *Robot {
	rig := sim.New(sim.Options{Profile: p, Seed: seed, People: people, Now: timeline.Now(), Live: live, Alone: !live})
	rig.SetNow(timeline.Now)
	if e, ok := timeline.(hardware.Elapser); ok {
		rig.SetElapser(e)
	}
	if v, ok := timeline.(*clock.Virtual); ok {
		rig.SetFreeze(v.Freeze)
	}
	return Over(rig, p, timeline, live)
}

// Over builds the robot of that profile over a world that exists already. The timeline is that of the robot's drivers.
func Over(w World, p *profile.Profile, timeline clock.Timeline, live bool) *Robot {
	r := &Robot{Rig: w, Profile: p, now: timeline.Now}
	r.board = device.Board{
		Bus:     func(clk hardware.Clock) i2c.Bus { return r.Rig.Bus(sim.BusName, clk) },
		Profile: p, Lines: r.Rig.Lines(), SPI: r.Rig.SPI, Serial: r.Rig.Serial, Pin: r.Rig.Pin, Detect: r.detect, Temperatures: r.Rig.Temperatures,
		Rates: device.NewRates(), Mouth: new(device.Mouth),
	}
	r.Safety = device.NewSafety(r.board.Lines)
	if live {
		r.Safety.NumberStops(uint64(rand.Uint32()))
	}
	return r
}

// Speak has a voice make what the robot says. It is called before the robot starts.
func (r *Robot) Speak(v device.Voice) { r.board.Voice = v }

// Alone lets one goroutine at a time use the robot, and run its timeline, without locks. It is called before the robot is used.
func (r *Robot) Alone() {
	r.Safety.Alone()
	r.board.Rates.Alone()
}

// Board is what the robot's devices are connected to, with what was measured of the robot. It is for those who open devices themselves.
func (r *Robot) Board(known profile.Calibration) device.Board {
	b := r.board
	b.Calibration = known
	return b
}

// Rates tells how fast the devices are polled and what the bus carries.
func (r *Robot) Rates() device.RateState { return r.board.Rates.State() }

// Specs describes the device actors: one for each subsystem that the robot has.
func (r *Robot) Specs() []actors.DeviceSpec {
	names := r.Profile.Subsystems()
	specs := make([]actors.DeviceSpec, 0, len(names))
	for _, name := range names {
		s := actors.DeviceSpec{
			Name: name, New: func(permit hardware.BusPermit) (hardware.Device, error) {
				return device.New(name, r.board, r.Safety, permit)
			}, Replace: device.Replaceable(name) && r.board.BuiltIn(name), // one that is not built in may reach anything
		}
		if name == hardware.Motors {
			s.Safe = r.Safety.Down
			s.Watch = func(now time.Time) { r.Safety.Watch(now) }
		}
		specs = append(specs, s)
	}
	return specs
}

// Start starts the device, action and behavior actors of this robot. The robot observes each tick after the given observers.
func (r *Robot) Start(o setup.Options, timeline clock.Timeline, observer event.Observer, ticks []actors.TickObserver, fatal func(error)) (*actors.System, error) {
	r.board.Drivers, r.board.Named, r.board.Calibration, r.board.Learned = o.Drivers, o.Named, o.Calibration, o.Learned
	system, err := actors.Start(actors.Config{
		Catalog: o.Catalog, Base: o.Base, Stage: o.Stage, Memory: o.Memory, Seed: o.Seed, Period: o.Period, Budget: o.Budget, Devices: r.Specs(),
		Timeline: timeline, Observer: observer, Ticks: append(ticks, r), Fatal: fatal, Recorder: o.Tape, Changes: o.Changes,
		Plan: func(o *actions.PathOrder) actions.PathAnswer { return path.Plan(o, path.Outline(r.Profile.Body)) },
	})
	if err == nil {
		r.hear(system.Inbox(), o.Catalog.Boot.Intents)
	}
	return system, err
}
