package facts

import (
	"testing"

	"github.com/robotd/robotd/actors/event"
)

func TestDeviceThatStaysBrokenIsToldOnce(t *testing.T) {
	r := &Recorder{failing: map[string]string{}, hung: map[string]bool{}}
	failure := func(group, actor, where, reason string) event.Record {
		return event.Failure{Group: group, Actor: actor, Where: where, Reason: reason}
	}
	for i, c := range []struct {
		rec  event.Record
		want bool
	}{
		{failure("device", "device/range", "poll", "nack"), true},
		{failure("device", "device/range", "open", "nack"), true},
		{failure("device", "device/range", "open", "nack"), false},
		{failure("device", "device/imu", "open", "nack"), true},
		{failure("device", "device/range", "open", "timeout"), true},
		{event.Restart{Actor: "device/range"}, true},
		{failure("device", "device/range", "open", "timeout"), true},
		{failure("device", "device/touch", "driver", "hang"), true},
		{failure("device", "device/touch", "driver", "hang"), false},
		{&event.Sample{Device: "touch", Good: true}, false}, // it returned
		{failure("device", "device/touch", "driver", "hang"), true},
		{failure("behavior", "behavior/Dance", "Update", "panic"), true},
		{failure("behavior", "behavior/Dance", "Update", "panic"), true},
	} {
		if s, ok := c.rec.(*event.Sample); ok {
			r.returned(s.Device)
			continue
		}
		if got := r.fresh(c.rec); got != c.want {
			t.Errorf("%d, %+v: %t", i, c.rec, got)
		}
	}
}
