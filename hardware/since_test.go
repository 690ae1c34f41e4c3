package hardware_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// plainClock tells only instants, runningClock also how long it runs.
type plainClock struct{ at time.Time }

func (c *plainClock) Now() time.Time        { return c.at }
func (c *plainClock) Sleep(d time.Duration) { c.at = c.at.Add(d) }

type runningClock struct {
	plainClock
	start time.Time
	asked int
}

func (c *runningClock) Elapsed() time.Duration {
	c.asked++
	return c.at.Sub(c.start)
}

func TestTimeSinceOriginIsTheSameOnEveryClock(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	origin := start.Add(3 * time.Second)
	plain, running := &plainClock{at: origin}, &runningClock{plainClock: plainClock{at: start}, start: start}
	a, b := hardware.SinceOn(plain, origin), hardware.SinceOn(running, origin)
	if a.Now() != 0 || b.Now() != -3*time.Second {
		t.Fatalf("at first %v and %v", a.Now(), b.Now())
	}
	asked := running.asked
	plain.Sleep(7 * time.Millisecond)
	running.Sleep(3*time.Second + 7*time.Millisecond)
	if want := 7 * time.Millisecond; a.Now() != want || b.Now() != want {
		t.Errorf("%v and %v, want %v", a.Now(), b.Now(), want)
	}
	if running.asked == asked {
		t.Error("a clock that tells how long it runs was asked for an instant")
	}
}
