package feed

import (
	"testing"
	"time"
)

func TestLatencyWindowForgetsAfterAMinute(t *testing.T) {
	var w window
	const start = 5 * time.Second
	for i := range 1000 {
		w.add(start+time.Duration(i)*time.Millisecond, time.Duration(i+1)*time.Microsecond)
	}
	for _, c := range []struct{ p, us float64 }{{0.5, 500}, {0.99, 990}, {1, 1000}} {
		if got := w.percentile(c.p); got < c.us || got > 1.07*c.us {
			t.Errorf("percentile %g is %g, want %g to 7 %% more", c.p, got, c.us)
		}
	}
	if w.maxUS() != 1000 {
		t.Errorf("max %g", w.maxUS())
	}
	w.add(start+62*time.Second, 5*time.Microsecond)
	if got := w.percentile(0.99); got != 6 || w.maxUS() != 5 || w.count != 1 {
		t.Errorf("after a minute: p99 %g, max %g, %d", got, w.maxUS(), w.count)
	}
	w.add(start+time.Hour, 7*time.Microsecond)
	if w.count != 1 || w.maxUS() != 7 {
		t.Errorf("after an hour: %d", w.count)
	}
}

func TestLatencyBucketBoundsExceedTheirValues(t *testing.T) {
	for us := range 200_000 {
		d := time.Duration(us) * time.Microsecond
		if b := boundUS(bucketOf(d)); b <= float64(us) || b > float64(us)*1.07+1 {
			t.Fatalf("%d µs is in the bucket up to %g", us, b)
		}
	}
	if b := bucketOf(time.Hour); b != buckets-1 {
		t.Errorf("an hour is in bucket %d", b)
	}
}
