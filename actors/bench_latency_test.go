package actors

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
)

// BenchmarkLatency runs a live robot and reports how long ticks take and how late they start.
func BenchmarkLatency(b *testing.B) {
	for _, period := range []time.Duration{time.Millisecond, DefaultPeriod} {
		b.Run(period.String(), func(b *testing.B) {
			w := newWatcher()
			live(b, actorstest.Probes(b, "A! > B X Y\nB! > C\nC! > D\nD > E\nE\nX\nY", nil, nil), w, period, 10*time.Millisecond)
			n := int(6 * time.Second / period)
			var took, late []time.Duration
			for range n {
				t := <-w.ticks
				took, late = append(took, t.timing.Duration), append(late, t.timing.Lateness)
			}
			for name, ds := range map[string][]time.Duration{"tick": took, "late": late} {
				slices.Sort(ds)
				for _, p := range []float64{50, 99, 99.9} {
					b.ReportMetric(float64(ds[int(float64(len(ds)-1)*p/100)].Nanoseconds())/1e3, fmt.Sprintf("%s-p%v-us", name, p))
				}
			}
		})
	}
}
