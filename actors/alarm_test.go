package actors

import (
	"testing"
	"time"
)

func TestAlarmRingsOnceAndNotTooEarly(t *testing.T) {
	makers := map[string]func(ring func()) alarm{
		"best of the system":   newAlarm,
		"timer of the runtime": func(ring func()) alarm { return newTimerAlarm(ring) },
	}
	for name, make1 := range makers {
		t.Run(name, func(t *testing.T) {
			rings, later := make(chan time.Time, 8), make(chan time.Time, 8)
			a := make1(func() { rings <- time.Now() })
			b := make1(func() { later <- time.Now() })
			defer b.close()
			defer a.close()
			begin := time.Now()
			a.set(time.Hour)
			a.set(3 * time.Millisecond) // instead
			if d := (<-rings).Sub(begin); d < 3*time.Millisecond {
				t.Errorf("rang after %v", d)
			}
			a.set(0)
			<-rings
			a.set(5 * time.Millisecond)
			a.stop()
			b.set(20 * time.Millisecond)
			<-later
			if len(rings) > 0 || len(later) > 0 {
				t.Error("rang again")
			}
		})
	}
}
