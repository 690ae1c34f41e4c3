package device

import (
	"testing"
	"time"
)

// At 400 kHz and 150 µs for a transaction; the shortest length came only behind pictures of the panel on the same bus, which take 12 ms.
func TestBusIsNotSlowBecauseTheShortestTransactionsWaited(t *testing.T) {
	const wire, cost = 22500 * time.Nanosecond, 150 * time.Microsecond
	r := NewRates()
	for _, n := range []int{4, 6, 33, 58} {
		r.least[n] = cost + wire*time.Duration(n)
	}
	for _, waited := range []bool{false, true} {
		if waited {
			r.least[2], r.least[70] = 3*time.Millisecond, 5*time.Millisecond
		}
		if w, c := r.measured(); w < wire-time.Microsecond || w > wire+time.Microsecond || c < cost-10*time.Microsecond || c > cost+10*time.Microsecond {
			t.Errorf("waited %v: measured %v a byte and %v, want %v and %v", waited, w, c, wire, cost)
		}
	}
}
