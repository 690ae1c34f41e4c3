package engine

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// statusDelay is how long a state holds before the lights show it, so that one late reading does not flash.
const statusDelay = time.Second

// status is how the robot is, in the back lights: red if it is stopped, if a device that driving needs has failed, or if the battery is
// low; green bars while it charges; else dark, and always dark while it saves power.
type status struct {
	shown, next [5]hardware.RGB
	due         time.Time // when next is shown
	bars        int       // lit while it charges
}

var (
	statusStopped = [5]hardware.RGB{{R: 160}, {R: 160}, {R: 160}, {R: 160}, {R: 160}}
	statusFailed  = [5]hardware.RGB{{R: 160}, {}, {}, {}, {R: 160}}
	statusLow     = [5]hardware.RGB{{}, {}, {R: 90}}
)

// colors is what the lights show now. They show nothing if they do not work themselves.
func (s *status) colors(k *core) [5]hardware.RGB {
	next := s.of(k)
	if next != s.next || s.due.IsZero() {
		s.next, s.due = next, k.view.Now.Add(statusDelay)
	}
	if !k.view.Now.Before(s.due) {
		s.shown = s.next
	}
	return s.shown
}

func (s *status) of(k *core) [5]hardware.RGB {
	w := k.view.World
	b := &w.Body
	switch {
	case !w.Lights.OK(), k.view.Services.PowerSave:
		return [5]hardware.RGB{}
	case k.halted:
		return statusStopped
	case broken(w.Motors.Quality), broken(w.Cliff.Quality), broken(w.IMU.Quality), broken(w.Battery.Quality):
		return statusFailed
	case b.Charging:
		return s.charge(w.Battery.Value.Ratio)
	case b.Battery == hardware.BatteryLow && !b.OnContacts:
		return statusLow
	}
	return [5]hardware.RGB{}
}

// broken reports whether a device does not answer; one that was never heard of is not there.
func broken(q hardware.Quality) bool { return q != hardware.OK && q != hardware.Absent }

// charge is a bar for each fifth of the battery. The number changes only when the charge is well beyond a limit.
func (s *status) charge(ratio float64) (c [5]hardware.RGB) {
	const margin = 0.02
	if n := int(ratio * 5); n+1 != s.bars && (int((ratio-margin)*5) == n && int((ratio+margin)*5) == n || s.bars == 0) {
		s.bars = min(max(n+1, 1), 5)
	}
	for i := range s.bars {
		c[i] = hardware.RGB{G: 60}
	}
	return c
}
