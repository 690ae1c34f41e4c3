package metrics

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// Each record counts in one series.
func TestEachTroubleRecordCountsInItsSeries(t *testing.T) {
	m := New(shipped())
	for _, r := range []event.Record{
		event.Zombies{N: 5, Limit: 32},
		event.Zombies{N: 4, Limit: 32},
		event.Stale{N: 3, By: "A"},
		event.Stale{N: 2, By: "B"},
		event.Dropped{N: 9},
		event.Slow{Actor: "behavior/A", Where: "Update", Took: time.Second},
		event.Slow{Actor: "action/Drive", Where: "Init", Took: time.Second},
		event.Failure{Actor: "device/" + hardware.Motors, Group: "device", Where: "driver", Reason: "hang"},
		event.Failure{Actor: "device/" + hardware.Motors, Group: "device", Where: "poll", Reason: "nack"},
		event.Overdue{Actor: "stack", Stage: "drain"},
		event.Lapse{Device: hardware.Motors, For: time.Second},
		event.DeadLetter{To: "stack", Type: "string"},
	} {
		m.Observe(r)
	}
	for series, want := range map[string]float64{
		"robotd_zombies": 4, "robotd_stale_requests_total": 5, "robotd_events_dropped_total": 9, "robotd_dead_letters_total": 1,
	} {
		if got := valueOf(t, m, series); got != want {
			t.Errorf("%s is %v, want %v", series, got, want)
		}
	}
	for _, c := range []struct {
		series, label, value string
		want                 float64
	}{
		{"robotd_slow_hooks_total", "group", "behavior", 1},
		{"robotd_slow_hooks_total", "group", "action", 1},
		{"robotd_driver_hangs_total", "device", hardware.Motors, 1},
		{"robotd_driver_hangs_total", "device", hardware.Battery, 0},
		{"robotd_control_lapses_total", "device", hardware.Motors, 1},
		{"robotd_control_lapses_total", "device", hardware.Battery, 0},
		{"robotd_stops_overdue_total", "stage", "drain", 1},
		{"robotd_stops_overdue_total", "stage", "halt", 0},
	} {
		if got := valueOf(t, m, c.series, c.label, c.value); got != c.want {
			t.Errorf("%s{%s=%q} is %v, want %v", c.series, c.label, c.value, got, c.want)
		}
	}
}
