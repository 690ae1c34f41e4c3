package device

import (
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/vl53l0x"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
)

var r1Cone = lookout(profile.R1()).ConeRad

// What a status makes of the number 700. Only "no target" frees the way; an invalid measurement leaves the last reading, as stale;
// something too near is there.
func TestOnlyNoTargetFreesTheWay(t *testing.T) {
	wall := hardware.RangeState{DistanceMM: 200, Found: true, FrontMM: 35, ConeRad: r1Cone}
	for _, c := range []struct {
		statuses []vl53l0x.Status
		quality  hardware.Quality
		want     hardware.RangeState
	}{
		{[]vl53l0x.Status{0, 5, 7, 14, 15}, hardware.Stale, wall},
		{[]vl53l0x.Status{4, 6, 9, 13}, hardware.OK, hardware.RangeState{DistanceMM: 1200, FrontMM: 35, ConeRad: r1Cone}},
		{[]vl53l0x.Status{11}, hardware.OK, hardware.RangeState{DistanceMM: 700, FrontMM: 35, ConeRad: r1Cone}},
		{[]vl53l0x.Status{8, 10, 12}, hardware.OK, hardware.RangeState{DistanceMM: 30, Found: true, FrontMM: 35, ConeRad: r1Cone}},
	} {
		for _, s := range c.statuses {
			p := NewRange(Board{}, NewSafety(nil))
			p.last = wall
			sample, err := p.judge(time.Time{}, vl53l0x.Measurement{Status: s, MM: 700})
			if err != nil || sample.Quality != c.quality || p.last != c.want {
				t.Errorf("%v: %v, %+v, %v; want %v, %+v", s, sample.Quality, p.last, err, c.quality, c.want)
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
	if want := (hardware.RangeState{DistanceMM: 30, Found: true, FrontMM: 35, ConeRad: r1Cone}); err != nil || p.last != want {
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

// oddBus replaces the status of single results of the sensor.
type oddBus struct {
	i2c.Bus
	odd []byte // statuses of the next results; 0: as it is
}

func (b *oddBus) Tx(addr uint16, w, r []byte) error {
	err := b.Bus.Tx(addr, w, r)
	if len(r) == 12 && len(b.odd) > 0 {
		if b.odd[0] != 0 {
			r[0] = b.odd[0]<<3 | 1
		}
		b.odd = b.odd[1:]
	}
	return err
}

// One doubtful measurement is noise: the poll takes the next one, and nobody notices. Two are told.
func TestDoubtfulMeasurementIsRepeatedInThePoll(t *testing.T) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(0x29, emul.NewVL53L0X(clk.Now, func() (float64, bool) { return 250, true }))
	odd := &oddBus{Bus: bus.For(clk)}
	p := NewRange(Board{Bus: func(hardware.Clock) i2c.Bus { return odd }}, NewSafety(nil))
	if err := p.Open(clk); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		odd     []byte
		quality hardware.Quality
		mm      float64
	}{
		{nil, hardware.OK, 250},
		{[]byte{7}, hardware.OK, 250},
		{[]byte{8}, hardware.OK, 250},
		{[]byte{7, 7}, hardware.Stale, 250},
		{[]byte{8, 8}, hardware.OK, 30},
		{[]byte{4}, hardware.OK, 1200},
	} {
		odd.odd = c.odd
		clk.Sleep(rangePeriod)
		at := clk.Now()
		s, err := p.Poll(at)
		if err != nil || s.Quality != c.quality || p.last.DistanceMM != c.mm {
			t.Errorf("%v: %v, %+v, %v", c.odd, s.Quality, p.last, err)
		}
		if took := clk.Now().Sub(at); took > rangePeriod {
			t.Errorf("%v took %v", c.odd, took)
		}
	}
}
