package hardware

import (
	"testing"
	"time"
)

// Each device has its own place in what is told of all of them, that of its name.
func TestQualitiesAndLimitsStandAtThePlaceOfTheName(t *testing.T) {
	if len(Names) != Devices {
		t.Fatalf("%d names of %d devices", len(Names), Devices)
	}
	now := time.Unix(100, 0)
	values := map[string]any{
		Battery: BatteryState{}, Charger: ChargerState{}, Cliff: CliffState{}, Display: DisplayState{}, IMU: IMUState{}, Lights: LightsState{},
		Motors: MotorState{}, Range: RangeState{}, Servos: ServoState{}, Speaker: SpeakerState{}, Touch: TouchState{}, Vision: Detections{},
	}
	for k, name := range Names {
		n := Snapshot{Now: now}
		for device, value := range values {
			n.Put(&Sample{Device: device, At: now.Add(-time.Second), Quality: OK, Value: value})
		}
		all := n.Qualities()
		var limits [Devices]time.Duration
		limits[k] = time.Second
		if n.Expire(&limits); n.Qualities() != all {
			t.Errorf("%s is stale at its limit", name)
		}
		limits[k]--
		n.Expire(&limits)
		all[k] = Stale
		if n.Qualities() != all || n.QualityOf(name) != Stale {
			t.Errorf("beyond the limit of %s the qualities are %v, want %v", name, n.Qualities(), all)
		}
		n.Degrade(name, Failed)
		n.Expire(&limits)
		if n.QualityOf(name) != Failed {
			t.Errorf("%s failed and is %v", name, n.QualityOf(name))
		}
	}
}
