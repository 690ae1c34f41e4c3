package performing

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Rules: data/2.2.5.
func TestDanceCountsFromTheNearestBeatBeforeOrBehind(t *testing.T) {
	at := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	const ms = time.Millisecond
	for _, c := range []struct{ next, beat, want time.Duration }{
		{0, 0, 0},
		{600 * ms, 100 * ms, 600 * ms},  // a whole period later
		{700 * ms, 100 * ms, 600 * ms},  // 100 ms late
		{900 * ms, 100 * ms, 1100 * ms}, // 200 ms early
		{0, 200 * ms, 200 * ms},         // the newest beat is ahead
		{0, 300 * ms, -200 * ms},
	} {
		d := DanceToTheBeat{next: at.Add(c.next)}
		d.follow(&hardware.Music{Beat: hardware.SteadyBeat, TempoBPM: 120, BeatAt: at.Add(c.beat)})
		if got := d.next.Sub(at); got != c.want || d.period != 500*ms {
			t.Errorf("next %v, a beat at %v: %v, want %v; period %v", c.next, c.beat, got, c.want, d.period)
		}
	}
	d := DanceToTheBeat{next: at, period: 500 * ms}
	if d.follow(&hardware.Music{Beat: hardware.PossibleBeat}); d.next != at || d.period != 500*ms {
		t.Errorf("without a tempo: %v, period %v", d.next, d.period)
	}
}
