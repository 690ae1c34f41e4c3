package metrics

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

func newDevices(t *testing.T) (*Metrics, func(want float64, name string, labels ...string)) {
	t.Helper()
	m := newIn(shipped(), prometheus.NewPedanticRegistry())
	return m, func(want float64, name string, labels ...string) {
		t.Helper()
		if got := valueOf(t, m, name, labels...); got != want {
			t.Errorf("%s%v = %v, want %v", name, labels, got, want)
		}
	}
}

func TestTotalsSurviveARestart(t *testing.T) {
	m, want := newDevices(t)
	sample := func(reads, errors, reinits uint64) {
		m.Observe(&event.Sample{Device: "imu", At: epoch, Good: true, Reads: reads, Errors: errors, Reinits: reinits})
	}
	sample(10, 1, 0)
	sample(30, 1, 1)
	want(30, "robotd_hardware_reads_total", "device", "imu")
	m.Observe(event.Failure{Actor: "device/imu", Group: "device", Reason: "nack"})
	m.Observe(event.Restart{Actor: "device/imu", Group: "device", Reason: "nack"})
	sample(50, 2, 1) // no total is lower than before the restart
	want(80, "robotd_hardware_reads_total", "device", "imu")
	want(3, "robotd_hardware_read_errors_total", "device", "imu")
	want(2, "robotd_hardware_reinits_total", "device", "imu")
}

func TestTotalsSurviveAnUnreportedRestart(t *testing.T) {
	m, want := newDevices(t)
	for _, reads := range []uint64{100, 5, 9} {
		m.Observe(&event.Sample{Device: "imu", At: epoch, Good: true, Reads: reads})
	}
	want(109, "robotd_hardware_reads_total", "device", "imu")
}

// A sample of a failed poll carries no totals. If the incarnation goes on, its totals must not be counted twice.
func TestBlankSampleIsNoRestart(t *testing.T) {
	m, want := newDevices(t)
	m.Observe(&event.Sample{Device: "imu", At: epoch, Good: true, Reads: 100})
	m.Observe(&event.Sample{Device: "imu", At: epoch.Add(time.Second)})
	m.Observe(&event.Sample{Device: "imu", At: epoch.Add(2 * time.Second), Good: true, Reads: 101})
	want(101, "robotd_hardware_reads_total", "device", "imu")
}

func TestErrorsOfBadSampleAreCounted(t *testing.T) {
	m, want := newDevices(t)
	m.Observe(&event.Sample{Device: "imu", At: epoch, Good: true, Reads: 1})
	m.Observe(&event.Sample{Device: "imu", At: epoch.Add(time.Second), Reads: 2, Errors: 1})
	want(1, "robotd_hardware_read_errors_total", "device", "imu")
}

// The age is worked out at the scrape. It needs no calendar, so that a server whose clock differs sees the same.
func TestAgeOfReadingsGrowsUntilNextGoodSample(t *testing.T) {
	now := epoch
	o := shipped()
	o.Now = func() time.Time { return now }
	m := newIn(o, prometheus.NewPedanticRegistry())
	age := func() float64 { return valueOf(t, m, "robotd_hardware_sample_age_seconds", "device", "imu") }
	if got := age(); !math.IsNaN(got) {
		t.Errorf("an age of %v before the first sample", got)
	}
	m.Observe(&event.Sample{Device: "imu", At: epoch, Good: true, Reads: 1})
	for _, want := range []float64{0, 2, 4} {
		if got := age(); got != want {
			t.Errorf("an age of %v, want %v", got, want)
		}
		now = now.Add(2 * time.Second)
		m.Observe(&event.Sample{Device: "imu", At: now, Reads: 2})
		m.Observe(event.Failure{Actor: "device/imu", Group: "device", Reason: "nack"})
	}
	m.Observe(&event.Sample{Device: "imu", At: now, Good: true, Reads: 3})
	now = now.Add(20 * time.Millisecond)
	if got := age(); got != 0.02 {
		t.Errorf("an age of %v, want 20 ms", got)
	}
	if got := valueOf(t, m, "robotd_hardware_sample_age_seconds", "device", "range"); !math.IsNaN(got) {
		t.Errorf("an age of %v for a device without a sample", got)
	}
}

func TestActorUpFollowsFailuresAndRestarts(t *testing.T) {
	m, want := newDevices(t)
	want(0, "robotd_actor_up", "actor", "motors")
	m.Observe(&event.Sample{Device: "motors", At: epoch})
	want(0, "robotd_actor_up", "actor", "motors") // no good sample yet
	m.Observe(&event.Sample{Device: "motors", At: epoch, Good: true})
	want(1, "robotd_actor_up", "actor", "motors")
	m.Observe(event.Failure{Actor: "device/motors", Group: "device", Reason: "nack"})
	want(0, "robotd_actor_up", "actor", "motors")
	m.Observe(event.Retry{Actor: "device/motors", Tries: 1})
	want(0, "robotd_actor_up", "actor", "motors")
	m.Observe(event.Restart{Actor: "device/motors", Group: "device", Reason: "nack"})
	want(1, "robotd_actor_up", "actor", "motors")
	want(1, "robotd_actor_restarts_total", "actor", "motors", "reason", "nack")
	want(1, "robotd_actor_restart_attempts_total", "actor", "motors")
}

// A driver that hung and returned goes on with its totals: they are not counted anew.
func TestTotalsSurviveAHang(t *testing.T) {
	m, want := newDevices(t)
	sample := func(reads uint64) {
		m.Observe(&event.Sample{Device: "imu", At: epoch, Good: true, Reads: reads, Reinits: 7})
	}
	sample(1000)
	m.Observe(event.Failure{Actor: "device/imu", Group: "device", Where: "driver", Reason: "hang"})
	want(0, "robotd_actor_up", "actor", "imu")
	sample(1010)
	want(1, "robotd_actor_up", "actor", "imu")
	want(1010, "robotd_hardware_reads_total", "device", "imu")
	want(7, "robotd_hardware_reinits_total", "device", "imu")
	m.Observe(event.Failure{Actor: "device/imu", Group: "device", Where: "driver", Reason: "hang"})
	m.Observe(event.Restart{Actor: "device/imu", Group: "device", Reason: "hang"}) // this time it was replaced
	sample(5)
	want(1015, "robotd_hardware_reads_total", "device", "imu")
	want(1, "robotd_actor_restarts_total", "actor", "imu", "reason", "hang")
}

func TestFailureAloneIsNoRestart(t *testing.T) {
	m, want := newDevices(t)
	for range 3 {
		m.Observe(event.Failure{Actor: "device/motors", Group: "device", Reason: "gone"})
	}
	want(0, "robotd_actor_restarts_total", "actor", "motors", "reason", "gone")
}

func TestUnknownReasonsCountAsOther(t *testing.T) {
	m, want := newDevices(t)
	m.Observe(event.Restart{Actor: "device/imu", Group: "device", Reason: "text nobody foresaw"})
	want(1, "robotd_actor_restarts_total", "actor", "imu", "reason", "other")
	m.Observe(event.Failure{Actor: "action/Drive", Group: "action", Reason: "text nobody foresaw"})
	want(1, "robotd_hook_failures_total", "group", "action", "reason", "other")
}

// The acceptance check adds up the restarts and looks for actors that are down, splitting lines at white space.
func TestRestartSeriesReadableByFields(t *testing.T) {
	m, _ := newDevices(t)
	m.Observe(event.Restart{Actor: "device/motors", Group: "device", Reason: "nack"})
	for _, d := range hardware.Names {
		m.Observe(&event.Sample{Device: d, At: epoch, Good: true})
	}
	restarts := 0
	for _, line := range strings.Split(string(scrape(t, m)), "\n") {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "robotd_actor_up"):
			if len(fields) != 2 || fields[1] != "1" {
				t.Errorf("%q: want two fields, the second 1", line)
			}
		case strings.HasPrefix(line, "robotd_actor_restarts_total"):
			if len(fields) != 2 {
				t.Errorf("%q: want two fields", line)
			}
			if fields[1] == "1" {
				restarts++
			}
		}
	}
	if restarts != 1 {
		t.Errorf("%d restarts, want 1", restarts)
	}
}

func TestDeadLettersAndRefusedCommandsAreCounted(t *testing.T) {
	m, want := newDevices(t)
	m.Observe(event.DeadLetter{To: "stack", Type: "x"})
	m.Observe(event.Command{Device: "servos", Type: "MoveHead", Text: "out of range"})
	want(1, "robotd_dead_letters_total")
	want(1, "robotd_hardware_commands_refused_total", "device", "servos")
}

func TestDeviceLabelsAreCapped(t *testing.T) {
	m, want := newDevices(t)
	for i := range 100 {
		m.Observe(&event.Sample{Device: fmt.Sprintf("device%d", i), At: epoch, Good: true, Reads: 1})
	}
	want(float64(100-(maxDevices-len(hardware.Names))), "robotd_hardware_reads_total", "device", other)
}

func TestLostLinesOfTheLogAreCounted(t *testing.T) {
	o := shipped()
	o.LogDropped = func() uint64 { return 5 }
	if got := valueOf(t, New(o), "robotd_log_lines_dropped_total"); got != 5 {
		t.Errorf("%v lines, want 5", got)
	}
}

func TestHistoryIsExported(t *testing.T) {
	o := shipped()
	o.History = func() int { return 7 }
	if got := valueOf(t, New(o), "robotd_history_bytes"); got != 7 {
		t.Errorf("%v bytes, want 7", got)
	}
}

func TestRecorderIsExported(t *testing.T) {
	o := shipped()
	o.Recorder = func() record.Stats { return record.Stats{Bytes: 9, Dropped: 3, Files: 2, Up: true} }
	m := New(o)
	for name, want := range map[string]float64{
		"robotd_recorder_up": 1, "robotd_recorder_bytes_total": 9, "robotd_recorder_dropped_total": 3, "robotd_recorder_files_total": 2,
	} {
		if got := valueOf(t, m, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if up := valueOf(t, New(shipped()), "robotd_recorder_up"); !math.IsNaN(up) {
		t.Errorf("without a recording up is %v", up)
	}
}

func TestActorsAndRealTimeThreadAreShown(t *testing.T) {
	o := shipped()
	o.Actors, o.Realtime = func() int { return 7 }, func() bool { return true }
	m := New(o)
	if n, rt := valueOf(t, m, "robotd_actors"), valueOf(t, m, "robotd_realtime"); n != 7 || rt != 1 {
		t.Errorf("%v actors, real-time %v; want 7 and 1", n, rt)
	}
	if n, rt := valueOf(t, New(shipped()), "robotd_actors"), valueOf(t, New(shipped()), "robotd_realtime"); n != 0 || rt != 0 {
		t.Errorf("%v actors, real-time %v; want 0 and 0", n, rt)
	}
}

func TestTickRecordsFillCountersAndHistograms(t *testing.T) {
	now := epoch
	o := shipped()
	o.Period, o.Now = period, func() time.Time { return now }
	m := newIn(o, prometheus.NewPedanticRegistry())
	m.Observe(&event.Tick{N: 1, Duration: 80 * time.Microsecond, Lateness: 30 * time.Microsecond})
	now = epoch.Add(1500 * time.Millisecond)
	m.Observe(&event.Tick{N: 2, Duration: 90 * time.Millisecond, Lateness: -time.Microsecond, Skipped: 3, Missed: true})
	now = now.Add(7 * time.Second)
	for name, want := range map[string]float64{
		"robotd_tick_age_seconds": 7, "robotd_ticks_total": 2, "robotd_tick_deadline_missed_total": 1, "robotd_ticks_skipped_total": 3,
		"robotd_tick_interval_seconds": 0.06, "robotd_last_tick_timestamp_seconds": float64(epoch.Unix()) + 1.5,
		"robotd_tick_duration_seconds": 2, "robotd_tick_lateness_seconds": 2,
	} {
		if got := valueOf(t, m, name); got != want {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	if sum := find(t, m, "robotd_tick_lateness_seconds").Histogram.GetSampleSum(); sum != 30e-6 {
		t.Errorf("lateness adds up to %v s, want 30 µs: a tick before its deadline is not late", sum)
	}
	h := find(t, m, "robotd_tick_duration_seconds").Histogram
	for _, b := range h.GetBucket() {
		want, slow := uint64(0), b.GetUpperBound() >= 0.1
		if b.GetUpperBound() >= 100e-6 {
			want = 1
		}
		if slow {
			want = 2
		}
		if b.GetCumulativeCount() != want {
			t.Errorf("bucket %v holds %d, want %d", b.GetUpperBound(), b.GetCumulativeCount(), want)
		}
		if e := b.GetExemplar(); b.GetUpperBound() == 0.1 && (e == nil || e.GetLabel()[0].GetValue() != "2") {
			t.Errorf("the missed tick has no exemplar with its number: %v", e)
		}
	}
	if len(h.GetPositiveSpan()) == 0 {
		t.Error("there are no native buckets")
	}
}

// The alert SlowTicks compares a quantile with half of the period. A server without native histograms knows no quantile beyond the last
// bound, so that bounds tell a slow tick from a good one at the longest period too.
func TestBoundsTellSlowTicksAtTheLongestPeriod(t *testing.T) {
	m := newIn(shipped(), prometheus.NewPedanticRegistry())
	m.Observe(&event.Tick{N: 1, Duration: actors.MaxPeriod * 4 / 10, Lateness: actors.MaxPeriod * 4 / 10})
	m.Observe(&event.Tick{N: 2, Duration: actors.MaxPeriod * 9 / 10, Lateness: actors.MaxPeriod * 9 / 10})
	for _, name := range []string{"robotd_tick_duration_seconds", "robotd_tick_lateness_seconds"} {
		counts := map[float64]uint64{}
		for _, b := range find(t, m, name).Histogram.GetBucket() {
			counts[b.GetUpperBound()] = b.GetCumulativeCount()
		}
		if half, whole := counts[actors.MaxPeriod.Seconds()/2], counts[actors.MaxPeriod.Seconds()]; half != 1 || whole != 2 {
			t.Errorf("%s: %d ticks below half of the period and %d below the period, want 1 and 2", name, half, whole)
		}
	}
}

func TestConcurrentObservationsAreAllCounted(t *testing.T) {
	m, want := newDevices(t)
	var wg sync.WaitGroup
	for _, d := range hardware.Names {
		wg.Go(func() {
			for i := range uint64(200) {
				m.Observe(&event.Sample{Device: d, At: epoch, Good: true, Reads: i + 1})
				m.Observe(&event.Tick{N: i})
				m.Observe(event.Failure{Actor: "behavior/" + d, Group: "behavior", Reason: "panic"})
			}
		})
	}
	for range 5 {
		gather(t, m)
	}
	wg.Wait()
	for _, d := range hardware.Names {
		want(200, "robotd_hardware_reads_total", "device", d)
	}
	want(float64(200*len(hardware.Names)), "robotd_ticks_total")
}
