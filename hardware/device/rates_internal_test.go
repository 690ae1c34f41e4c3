package device

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
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

// A device is opened at the end of a window, and its first polls, in the next one, take more than those of all its life. They do not count: on a slow bus
// they would be a reason to refuse the robot for good.
func TestFirstPollsOfADeviceDoNotCount(t *testing.T) {
	r := NewRates()
	bus := &emul.Bus{}
	other, cliff := r.part(hardware.Motors), r.part(hardware.Cliff)
	r.add(other, 20*time.Millisecond)
	now := time.Duration(0)
	poll := func(p *rate, transactions int) {
		for range transactions {
			const n, took = 5, 900 * time.Microsecond
			r.note(&metered{Bus: bus, part: p}, n, now, took, false)
			now += took
		}
		_ = r.polled(p, now)
	}
	until := func(end time.Duration, transactions int) {
		for ; now < end; now += 10 * time.Millisecond {
			r.note(&metered{Bus: bus, part: other}, 58, now, 9*time.Millisecond, false)
			_ = r.polled(other, now)
			if transactions > 0 {
				poll(cliff, transactions)
			}
		}
	}
	until(900*time.Millisecond, 0)
	r.add(cliff, 10*time.Millisecond)
	until(1400*time.Millisecond, 13)
	until(6*time.Second, 9)
	if cliff.peakTx < 9 || cliff.peakTx > 9.2 { // a poll may begin in one window and end in the next
		t.Errorf("a poll of the cliff sensors takes %.2f transactions, want 9", cliff.peakTx)
	}
}

// The scans of a converter take 9.9 and 10.1 ms in turn, which is 13 and 14 ms with the room of a poll. Then they take 7 ms for good.
func TestPeriodDoesNotFollowEveryMean(t *testing.T) {
	r := NewRates()
	bus := &emul.Bus{}
	cliff := r.part(hardware.Cliff)
	r.add(cliff, 10*time.Millisecond)
	now := time.Duration(0)
	window := func(scan time.Duration) time.Duration {
		for end := now + ratesWindow; now < end; now += max(cliff.period, scan) {
			for i, n := range []int{5, 5, 58} { // of two lengths, or the time of a byte is not known
				r.note(&metered{Bus: bus, part: cliff}, n, now+time.Duration(i)*scan/3, 600*time.Microsecond+time.Duration(n)*10*time.Microsecond, false)
			}
			_ = r.polled(cliff, now+scan)
		}
		return cliff.period
	}
	for range openedWindows + 2 {
		window(10100 * time.Microsecond)
	}
	for i := range 10 {
		if got := window(9900*time.Microsecond + time.Duration(i%2)*200*time.Microsecond); got != 14*time.Millisecond {
			t.Fatalf("window %d: a period of %v, want 14ms", i, got)
		}
	}
	window(7 * time.Millisecond)
	if got := window(7 * time.Millisecond); got != 10*time.Millisecond {
		t.Errorf("a quicker scan has a period of %v, want 10ms, which is wanted", got)
	}
}
