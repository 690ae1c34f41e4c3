package clock

import (
	"testing"
	"time"
)

func TestAlarmRingsOnceAndNotTooEarly(t *testing.T) {
	makers := map[string]func(ring func()) Alarm{
		"best of the system":   NewAlarm,
		"timer of the runtime": NewTimerAlarm,
	}
	for name, make1 := range makers {
		t.Run(name, func(t *testing.T) {
			rings, later := make(chan time.Time, 8), make(chan time.Time, 8)
			a := make1(func() { rings <- time.Now() })
			b := make1(func() { later <- time.Now() })
			defer b.Close()
			defer a.Close()
			begin := time.Now()
			a.Set(time.Hour)
			a.Set(3 * time.Millisecond) // instead
			if d := (<-rings).Sub(begin); d < 3*time.Millisecond {
				t.Errorf("rang after %v", d)
			}
			a.Set(0)
			<-rings
			a.Set(5 * time.Millisecond)
			a.Stop()
			b.Set(20 * time.Millisecond)
			<-later
			if len(rings) > 0 || len(later) > 0 {
				t.Error("rang again")
			}
		})
	}
}
