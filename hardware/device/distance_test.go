package device

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/vl53l0x"
)

// What a status makes of the number 700. Only "no target" frees the way, and a doubtful measurement leaves the last reading, as
// stale. What is perhaps too near is believed when it comes twice.
func TestOnlyNoTargetFreesTheWay(t *testing.T) {
	wall := hardware.RangeState{DistanceMM: 200, Found: true}
	free := hardware.RangeState{DistanceMM: 1200}
	near := hardware.RangeState{DistanceMM: 30, Found: true}
	for _, c := range []struct {
		statuses []vl53l0x.Status
		quality  hardware.Quality
		want     hardware.RangeState
	}{
		{[]vl53l0x.Status{0, 5, 7, 14, 15}, hardware.Stale, wall},
		{[]vl53l0x.Status{4, 6, 9, 13}, hardware.OK, free},
		{[]vl53l0x.Status{11}, hardware.OK, hardware.RangeState{DistanceMM: 700}},
		{[]vl53l0x.Status{8, 10, 12}, hardware.Stale, wall},
	} {
		for _, s := range c.statuses {
			p := NewRange(Board{}, NewSafety(nil))
			p.last = wall
			sample, err := p.judge(time.Time{}, vl53l0x.Measurement{Status: s, MM: 700})
			if err != nil || sample.Quality != c.quality || p.last != c.want {
				t.Errorf("%v: %v, %+v, %v; want %v, %+v", s, sample.Quality, p.last, err, c.quality, c.want)
			}
			if s.Class() != vl53l0x.Near {
				continue
			}
			if sample, err = p.judge(time.Time{}, vl53l0x.Measurement{Status: s, MM: 700}); err != nil || sample.Quality != hardware.OK || p.last != near {
				t.Errorf("%v twice: %v, %+v, %v", s, sample.Quality, p.last, err)
			}
		}
	}
	for _, s := range []vl53l0x.Status{1, 2, 3} {
		p := NewRange(Board{}, NewSafety(nil))
		if _, err := p.judge(time.Time{}, vl53l0x.Measurement{Status: s, MM: 700}); hardware.Classify(err) != hardware.CauseActuator {
			t.Errorf("%v: %v", s, err)
		}
	}
}

// The beam of something at 5 mm is outside the measuring range, but not outside the world.
func TestWhatIsNearerThanTheMinimumIsStillThere(t *testing.T) {
	p := NewRange(Board{}, NewSafety(nil))
	_, err := p.judge(time.Time{}, vl53l0x.Measurement{Status: 11, MM: 5})
	if want := (hardware.RangeState{DistanceMM: 30, Found: true}); err != nil || p.last != want {
		t.Errorf("%+v, %v", p.last, err)
	}
}

func TestManyInvalidMeasurementsAreAnError(t *testing.T) {
	p, now := NewRange(Board{}, NewSafety(nil)), time.Unix(0, 0)
	for range 10 {
		now = now.Add(rangePeriod)
		if _, err := p.judge(now, vl53l0x.Measurement{Status: 7}); hardware.Classify(err) == hardware.CauseRange {
			return
		}
	}
	t.Error("no error")
}
