package facts_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

const tapePeriod = 60 * time.Millisecond

// written is a history of ticks 1 to last in which a test says what was recorded.
func written(last uint64) *tape {
	h := &tape{life: record.Life{PeriodNS: int64(tapePeriod)}}
	for n := uint64(1); n <= last; n++ {
		h.ticks = append(h.ticks, instant(n))
	}
	return h
}

func instant(tick uint64) record.Instant {
	return record.Instant{Tick: tick, At: time.Duration(tick) * tapePeriod}
}

func (h *tape) say(tick uint64, topic, key, data string) {
	h.all = append(h.all, record.Message{Tick: tick, At: instant(tick).At, Topic: topic, Key: key, Data: []byte(data)})
}

// sayTicks tells the duration of some ticks in one of them.
func (h *tape) sayTicks(from, to uint64) {
	var at, zero []float64
	for n := from; n <= to; n++ {
		at, zero = append(at, instant(n).At.Seconds()), append(zero, 5)
	}
	data, _ := json.Marshal(map[string]any{"at_s": at, "duration_us": zero, "late_us": zero})
	h.say(to, "/timing", "", string(data))
}

// forget removes what lies in a gap, but for the newest of what changed in it, which a writer tells behind it.
func (h *tape) forget(from, to uint64) {
	h.ticks = slices.DeleteFunc(h.ticks, func(i record.Instant) bool { return i.Tick >= from && i.Tick <= to })
	h.gaps = append(h.gaps, record.Gap{From: instant(from), To: instant(to), Reason: "disk full"})
}

// shy is a file whose damage is found when it is read.
type shy struct {
	*tape
	found bool
}

func (h *shy) Scan(topics []string, from, to uint64, yield func(record.Message) bool) error {
	h.found = true
	return h.tape.Scan(topics, from, to, yield)
}

func (h *shy) Gaps() []record.Gap {
	if !h.found {
		return nil
	}
	return h.tape.Gaps()
}

func volts(v float64) string { return fmt.Sprintf(`{"volts":%g}`, v) }

// In a gap of the recording no number has a value, nor has the time of a tick where there was none. Behind a gap there is what holds then.
func TestSeriesHasNothingWhereNothingIsRecorded(t *testing.T) {
	h := written(2000) // 120 s
	h.say(1, "/reading", hardware.Battery, volts(3.7))
	h.say(1000, "/reading", hardware.Battery, volts(3.6))
	for n := uint64(1); n <= 1986; n += 15 {
		if n < 490 || n > 1500 && (n < 1690 || n > 1790) { // about 6 s without ticks at 100 s
			h.sayTicks(n, n+14)
		}
	}
	h.forget(500, 1499) // 30 to 90 s
	for name, source := range map[string]record.History{"known": h, "found while it is read": &shy{tape: h}} {
		p := &facts.Past{Source: source}
		set, err := p.Series([]string{"battery", "tick"}, 0, 120, 600)
		if err != nil {
			t.Fatal(err)
		}
		inside := func(at, from, to float64) bool { return at > from-1e-9 && at < to-1e-9 }
		for series, s := range set.Series {
			for i, at := range s.T {
				if inside(at, 30, 89.8) || series == "tick" && inside(at, 102, 106) {
					t.Errorf("%s, %s has %g at %g s, where nothing is recorded", name, series, s.Last[i], at)
				}
				if want := map[bool]float64{true: 3.7, false: 3.6}[at < 30]; series == "battery" && (s.Min[i] != want || s.Max[i] != want) {
					t.Errorf("%s, battery at %g s is %g to %g, want %g", name, at, s.Min[i], s.Max[i], want)
				}
			}
			if n := len(s.T); n < 250 || n > 302 {
				t.Errorf("%s, %s: %d values in a minute", name, series, n)
			}
		}
	}
	for name, source := range map[string]record.History{"known": h, "found while it is read": &shy{tape: h}} {
		got := numbersOf(t, &facts.Past{Source: source}, "battery", 10, 110)
		if want := "10 3.7, 30 NaN, 90 3.6"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// hidden is a file in which damage hides what holds for ten seconds behind a gap.
type hidden struct {
	*tape
	from, to uint64
}

func (h *hidden) At(tick uint64, topics []string, yield func(record.Message) bool) error {
	if tick >= h.from && tick < h.to {
		return errors.New("damage hides it")
	}
	return h.tape.At(tick, topics, yield)
}

// What damage hides is not told, but what is recorded behind it is: changes at once, and the rest from the next keyframe on.
func TestSeriesGoesOnBehindDamage(t *testing.T) {
	h := written(2000)
	h.say(1, "/reading", hardware.Battery, volts(3.7))
	h.say(1, "/pose", "", `{"x_mm":1}`)
	h.say(550, "/pose", "", `{"x_mm":2}`)
	h.forget(400, 499)
	p := &facts.Past{Source: &hidden{h, 400, 666}} // until 40 s
	if got, want := numbersOf(t, p, "battery", 10, 110), "10 3.7, 24 NaN, 39.96 3.7"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := numbersOf(t, p, "x", 10, 110), "10 1, 24 NaN, 33 2, 39.96 2"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for from, want := range map[float64]string{35: "40.04 3.7", 30.5: "40.52 3.7"} { // windows that begin where it is hidden
		if got := numbersOf(t, p, "battery", from, 110); got != want {
			t.Errorf("from %g s: %s, want %s", from, got, want)
		}
	}
}

// numbersOf writes all times and values of one series.
func numbersOf(t *testing.T, p *facts.Past, series string, from, to float64) (text string) {
	t.Helper()
	err := p.Numbers([]string{series}, from, to, func(_ int, at, v float64) {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprint(math.Round(at*1000)/1000, " ", v)
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A device that does not work keeps its last reading, which is no measurement. When it works again its reading counts, also the same one.
func TestSeriesHasNothingWhileTheDeviceDoesNotWork(t *testing.T) {
	h := written(2000)
	quality := func(tick uint64, q string) { h.say(tick, "/device", hardware.Battery, `{"quality":"`+q+`"}`) }
	quality(1, "absent")
	quality(100, "ok")
	h.say(100, "/reading", hardware.Battery, volts(3.7))
	quality(500, "failed")
	quality(600, "failed") // its count of errors grew
	quality(1000, "ok")
	quality(1200, "stale")
	quality(1500, "failed")
	quality(1600, "ok")
	h.say(1600, "/reading", hardware.Battery, volts(3.9))
	p := &facts.Past{Source: h}
	if got, want := numbersOf(t, p, "battery", 0, 120), "0.06 NaN, 6 3.7, 30 NaN, 60 3.7, 90 NaN, 96 3.9"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := numbersOf(t, p, "battery", 40, 95), "40 NaN, 60 3.7, 90 NaN"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	set, err := p.Series([]string{"battery"}, 0, 120, 600)
	if err != nil {
		t.Fatal(err)
	}
	s := set.Series["battery"]
	for i, at := range s.T {
		if at < 5.9 || at > 30.1 && at < 59.9 || at > 90.1 && at < 95.9 {
			t.Errorf("%g V at %g s, when the battery monitor did not work", s.Last[i], at)
		}
		if at > 95.9 && s.Min[i] != 3.9 {
			t.Errorf("%g V at %g s, from before the failure", s.Min[i], at)
		}
	}
	if n := len(s.T); n < 385 || n > 395 {
		t.Errorf("%d spans have a value, want those of about 78 s", n)
	}
}
