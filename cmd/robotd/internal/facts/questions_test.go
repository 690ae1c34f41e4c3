package facts

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

// spoken keeps the newest message of a topic.
type spoken struct {
	topic string
	data  []byte
}

func (s *spoken) Tick(_ uint64, _ time.Duration, batch []record.Message) {
	for _, m := range batch {
		if m.Topic == s.topic {
			s.data = m.Data
		}
	}
}

// What a low battery means depends on the robot: one without a charger goes nowhere, and one whose battery is empty does not drive.
func TestLowBatteryIsRecordedAsTheRobotCanMendIt(t *testing.T) {
	start, run := time.Unix(0, 0), setuptest.Options(t, 1)
	for _, c := range []struct {
		body hardware.Body
		want control.BannerState
	}{
		{hardware.Body{CanCharge: true}, control.BannerState{Level: "warn", Text: "battery low (7.0 V): it goes home"}},
		{hardware.Body{}, control.BannerState{Level: "warn", Text: "battery low (7.0 V): it has no charger to go to; charge or change the battery"}},
		{hardware.Body{Drained: true}, control.BannerState{Level: "error", Text: "battery empty (7.0 V): it does not drive until the battery is charged or changed"}},
	} {
		sink := &spoken{topic: topicSentence}
		r := NewRecorder(Options{Setup: run, Start: start, Now: func() time.Time { return start }, Sinks: []record.Sink{sink}, Virtual: true})
		b := r.buffer()
		b.tick, b.at, b.catalog, b.answers = 1, time.Second, run.Catalog, &behaviors.Answers{}
		b.world.Body, b.world.Body.Battery, b.world.Battery.Value.Volts = c.body, hardware.BatteryLow, 7
		r.full <- b
		r.Close(time.Minute)
		var v sentenceValue
		if err := json.Unmarshal(sink.data, &v); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(v.Banner, func(b control.BannerState) bool { return b.Key == "battery" })
		if i < 0 || v.Banner[i].Level != c.want.Level || v.Banner[i].Text != c.want.Text {
			t.Errorf("%+v, want %+v", v.Banner, c.want)
		}
		if _, shown := r.Said(1); !slices.Equal(shown, v.Banner) {
			t.Errorf("shown live: %+v, recorded: %+v", shown, v.Banner)
		}
	}
}
