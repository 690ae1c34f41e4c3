package facts

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
)

// Each number that can be plotted is what its field of the topic holds.
func TestNumberIsReadFromItsFieldOfTheTopic(t *testing.T) {
	motors, cliff := feed.MotorsReading{LeftMMPS: 11, RightMMPS: 12}, feed.CliffReading{Raw: [4]float64{1, 2, 3, 4}}
	imu, servos := feed.IMUReading{YawRad: 1, PitchRad: 2, RollRad: 3}, feed.ServosReading{HeadRad: -1, LiftMM: 40.5}
	battery, pose := feed.BatteryReading{Volts: 3.71, Amps: -0.25, Ratio: 0.5}, poseValue{XMM: 100.5, YMM: -7}
	timing := timingValue{AtS: []float64{1, 2}, DurationUS: []float64{30, 40}, LateUS: []float64{5, 6}}
	type want struct {
		value any
		reads []float64
	}
	all := map[string]want{
		"battery": {battery, []float64{3.71}}, "charge": {battery, []float64{50}}, "current": {battery, []float64{-0.25}},
		"depth": {stackValue{Layers: make([]layerValue, 3)}, []float64{3}}, "head": {servos, []float64{-180 / math.Pi}}, "lift": {servos, []float64{40.5}},
		"pitch": {imu, []float64{2 * 180 / math.Pi}}, "roll": {imu, []float64{3 * 180 / math.Pi}}, "yaw": {imu, []float64{180 / math.Pi}},
		"range": {feed.RangeReading{DistanceMM: 99.5, Found: true}, []float64{99.5}}, "wheel_left": {motors, []float64{11}}, "wheel_right": {motors, []float64{12}},
		"x": {pose, []float64{100.5}}, "y": {pose, []float64{-7}}, "refusals": {control.CounterState{Refusals: 8}, []float64{8}},
		"tick": {timing, []float64{30, 40}}, "late": {timing, []float64{5, 6}},
		"cliff_front_left": {cliff, []float64{1}}, "cliff_front_right": {cliff, []float64{2}}, "cliff_back_left": {cliff, []float64{3}}, "cliff_back_right": {cliff, []float64{4}},
	}
	for i, name := range condition.EmotionNames() {
		v := 0.1 * float64(i+1)
		all["mood."+name] = want{control.MoodState{Emotions: map[string]float64{name: v, "another": 9}}, []float64{v}}
	}
	for _, n := range numbers() {
		w, ok := all[n.Name]
		if !ok {
			t.Errorf("%s is not tested", n.Name)
			continue
		}
		data, err := json.Marshal(w.value)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		n.read(data, 1, func(_, v float64) { got = append(got, v) })
		if len(got) != len(w.reads) {
			t.Errorf("%s of %s: %v, want %v", n.Name, data, got, w.reads)
			continue
		}
		for i := range got {
			if got[i] != w.reads[i] {
				t.Errorf("%s of %s: %v, want %v", n.Name, data, got, w.reads)
			}
		}
	}
	rangeOf([]byte(`{"distance_mm":5,"found":false}`), 1, func(_, v float64) {
		if !math.IsNaN(v) {
			t.Errorf("a range of nothing is %g", v)
		}
	})
}
