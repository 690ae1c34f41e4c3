package condition_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// Rules: data/3.3x.
func TestHeatConditionsFollowTheBodyWhileTheirDevicesWork(t *testing.T) {
	r := newRig(t)
	hot, stalled := r.parse(`{"conditionType": "HighTemperature"}`), r.parse(`{"conditionType": "TooHotToCharge"}`)
	r.want(hot, false)
	r.want(stalled, false)
	r.world.Battery.Value = hardware.BatteryState{TempC: 56, CPUTempC: 40}
	r.world.Body.Hot, r.world.Body.ChargeStalled = true, true
	r.want(hot, true)
	r.want(stalled, true)
	if got := condition.Found(hot).Text; got != "battery 56.0 °C, processor 40.0 °C" {
		t.Errorf("said %q", got)
	}
	r.quality(hardware.Charger, hardware.Failed)
	r.want(hot, true)
	r.want(stalled, false)
	r.quality(hardware.Battery, hardware.Failed)
	r.want(hot, false)
}

// Rules: data/3.3x.
func TestTimePowerButtonPressedIncludesItsLimit(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "TimePowerButtonPressed", "minTimeButtonPressed_ms": 500}`)
	r.want(c, false)
	r.world.Body.Pressed, r.world.Body.PressedSince = true, r.when(time.Second)
	r.wantAt(c, seconds(1.499), false)
	r.wantAt(c, seconds(1.5), true)
	r.quality(hardware.Touch, hardware.Absent)
	r.want(c, false)
	r.quality(hardware.Touch, hardware.OK)
	r.world.Body.Pressed = false
	r.want(c, false)
}
