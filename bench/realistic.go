package bench

import (
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/library/performing"
	"github.com/robotd/robotd/hardware"
)

// The files of the realistic tick. A unit plays a greeting as soon as three conditions are met, of which the last one is not. The player
// wants control always and plays for ever, so the dispatcher asks every unit in every tick and an animation runs.
const (
	realisticUnit = `"behaviorClass":"AnimSequence","animNames":["greet_happy"],"wantsToBeActivatedCondition":{"conditionType":"Compound","and":[` +
		`{"conditionType":"BatteryLevel","targetBatteryLevel":"Nominal"},` +
		`{"conditionType":"Compound","not":{"conditionType":"RobotPickedUp"}},` +
		`{"conditionType":"FaceKnown","maxFaceAge_s":3}]}`
	realisticPlayer = `"behaviorClass":"AnimSequence","animNames":["look_curious"],"num_loops":0`
	playerID        = "Player"
)

// newRealistic is the tick of a robot that does something: a dispatcher over n gated behaviors and one that plays, the shipped classes,
// and all twelve device actors, each of which polls its driver once in a tick.
func newRealistic(n int) (*robotd, error) {
	t := tree{base: dispatcher, extra: map[string]string{playerID: realisticPlayer}}
	for range n {
		t.units = append(t.units, realisticUnit)
	}
	cat, err := t.catalog(dispatch.StrictPriorityClass(), performing.AnimSequenceClass())
	if err != nil {
		return nil, err
	}
	var devices []actors.DeviceSpec
	for _, name := range hardware.Names {
		devices = append(devices, actors.DeviceSpec{Name: name, New: func(hardware.BusPermit) (hardware.Device, error) {
			return &steadyDevice{name: name, value: steady[name]}, nil
		}})
	}
	return startRobotd(cat, devices...)
}

// steadyDevice is a driver without a chip: it reads the same value in each tick and does at once what it is told.
type steadyDevice struct {
	name  string
	value any
}

// steady are the readings of a healthy robot that stands on a table.
var steady = map[string]any{
	hardware.Battery: hardware.BatteryState{Volts: 7.6, Amps: -0.4, Ratio: 0.6},
	hardware.Charger: hardware.ChargerState{},
	hardware.Cliff:   hardware.CliffState{Raw: [4]float64{600, 600, 600, 600}},
	hardware.Display: hardware.DisplayState{},
	hardware.IMU:     hardware.IMUState{AccelMMPS2: [3]float64{0, 0, 9810}, PeakAccelMMPS2: 9810},
	hardware.Lights:  hardware.LightsState{},
	hardware.Motors:  hardware.MotorState{Enabled: true},
	hardware.Range:   hardware.RangeState{},
	hardware.Servos:  hardware.ServoState{},
	hardware.Speaker: hardware.SpeakerState{},
	hardware.Touch:   hardware.TouchState{},
	hardware.Vision:  hardware.Detections{},
}

// Name, Period, Open, Poll, Apply and Halt implement hardware.Device.
func (d *steadyDevice) Name() string              { return d.name }
func (d *steadyDevice) Period() time.Duration     { return actors.DefaultPeriod }
func (d *steadyDevice) Open(hardware.Clock) error { return nil }
func (d *steadyDevice) Poll(time.Time) (hardware.Sample, error) {
	return hardware.Sample{Quality: hardware.OK, Value: d.value}, nil
}
func (d *steadyDevice) Apply(time.Time, hardware.Command) error { return nil }
func (d *steadyDevice) Halt() error                             { return nil }
