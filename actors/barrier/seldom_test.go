package barrier

import (
	"testing"
	"time"
)

func TestAlarmOfVirtualTicksRingsAgainOnceItRang(t *testing.T) {
	rings := make(chan struct{}, 8)
	a := &seldomLookout{ring: func() { rings <- struct{}{} }}
	defer a.Close()
	for n := range 2 {
		for range 100 { // ticks
			a.Begin(time.Now())
			a.Stop()
		}
		select {
		case <-rings:
		case <-time.After(time.Minute):
			t.Fatalf("no ring %d", n)
		}
	}
	if len(rings) > 1 {
		t.Errorf("%d more rings than were asked for", len(rings))
	}
}
