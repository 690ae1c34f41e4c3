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
			rings := make(chan time.Time, 8)
			a := make1(func() { rings <- time.Now() })
			defer a.Close()
			begin := time.Now()
			a.Set(time.Hour)
			a.Set(3 * time.Millisecond) // instead
			if d := (<-rings).Sub(begin); d < 3*time.Millisecond {
				t.Errorf("rang after %v", d)
			}
			a.Set(0)
			<-rings
			if len(rings) > 0 {
				t.Error("rang again")
			}
		})
	}
}

func TestStoppedAlarmDoesNotRing(t *testing.T) {
	const soon = 5 * time.Millisecond
	makers := map[string]func(ring func()) Alarm{
		"best of the system":   NewAlarm,
		"timer of the runtime": NewTimerAlarm,
	}
	for name, make1 := range makers {
		t.Run(name, func(t *testing.T) {
			for inTime := false; !inTime; { // a busy machine may let the alarm ring first: then again
				rings, later := make(chan bool, 8), make(chan bool, 8)
				a, b := make1(func() { rings <- true }), make1(func() { later <- true })
				inTime = within(soon, func() {
					a.Set(soon)
					a.Stop()
				})
				b.Set(4 * soon)
				<-later
				if inTime && len(rings) > 0 {
					t.Error("rang")
				}
				a.Close()
				b.Close()
			}
		})
	}
}
