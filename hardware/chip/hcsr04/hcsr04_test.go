package hcsr04_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/hcsr04"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

// bench is a sensor on lines, with something in front of it.
type bench struct {
	t      *testing.T
	clk    *hwtest.Clock
	lines  *emul.Lines
	dev    *hcsr04.Dev
	health hardware.Health
	mm     float64
	found  bool
}

// unplugged is a driver whose lines lead nowhere.
func unplugged(t *testing.T, opts *hcsr04.Opts) *bench {
	t.Helper()
	b := &bench{t: t, clk: hwtest.NewClock(), lines: emul.NewLines(), mm: 1000, found: true}
	b.lines.SetNow(b.clk.Now)
	trigger, err := b.lines.Output("TRIG", false)
	echo, err2 := b.lines.Edges("ECHO")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	b.dev = hcsr04.New(trigger, echo, b.clk, &b.health, opts)
	if err := b.dev.Init(); err != nil {
		t.Fatal(err)
	}
	return b
}

func plugged(t *testing.T, opts *hcsr04.Opts) *bench {
	t.Helper()
	b := unplugged(t, opts)
	emul.NewSonar(b.lines, "TRIG", "ECHO", b.clk.Now, func() (float64, bool) { return b.mm, b.found })
	return b
}

// measure triggers and reads until there is an outcome.
func (b *bench) measure() (mm float64, found bool, err error) {
	b.t.Helper()
	if err := b.dev.Start(); err != nil {
		return 0, false, err
	}
	return b.outcome()
}

func (b *bench) outcome() (mm float64, found bool, err error) {
	for range 100 {
		mm, found, err = b.dev.Read()
		if !errors.Is(err, hcsr04.ErrPending) {
			return mm, found, err
		}
		b.clk.Sleep(time.Millisecond)
	}
	b.t.Fatal("no outcome after 100 ms")
	return mm, found, err
}

// pulse puts a pulse on the echo line of a sensor without a twin.
func (b *bench) pulse(after, length time.Duration) {
	at := b.clk.Now().Add(after)
	b.lines.SetInputAt("ECHO", true, at)
	b.lines.SetInputAt("ECHO", false, at.Add(length))
}

// Sound at 20 °C covers 343.5 m/s: there and back.
func TestEchoTimesAreDistances(t *testing.T) {
	for _, c := range []struct {
		celsius float64
		us      int
		mm      float64
	}{
		{20, 5822, 1000}, {20, 1164, 200}, {20, 58, 9.96}, {0, 5822, 965}, {30, 5822, 1017.4}, {-20.8333333, 40440, 6450},
	} {
		o := hcsr04.Opts{Celsius: c.celsius, MaxMM: 4000}
		if got := o.MM(time.Duration(c.us) * time.Microsecond); math.Abs(got-c.mm) > 0.001*c.mm {
			t.Errorf("%v °C, %d µs: %.1f mm, want %v", c.celsius, c.us, got, c.mm)
		}
	}
}

func TestDistanceNothingAndBrokenAreThreeOutcomes(t *testing.T) {
	b := plugged(t, nil)
	for _, b.mm = range []float64{50, 1000, 2900} {
		mm, found, err := b.measure()
		if err != nil || !found || math.Abs(mm-b.mm) > 0.005*b.mm { // 343 m/s there, 343.5 here
			t.Errorf("%v mm: %v, %v, %v", b.mm, mm, found, err)
		}
		b.clk.Sleep(hcsr04.Interval)
	}
	b.found = false
	if mm, found, err := b.measure(); err != nil || found {
		t.Errorf("nothing there: %v, %v, %v", mm, found, err)
	}
	if b.health.Errors != 0 || b.health.Reads != 4 {
		t.Errorf("health %+v", b.health)
	}
	_, found, err := unplugged(t, nil).measure()
	if !errors.Is(err, hcsr04.ErrSilent) || found {
		t.Errorf("unplugged: %v, %v", found, err)
	}
}

// Something too near confuses the sensor, but it is there. What is beyond the farthest distance is not.
func TestDistancesOutsideTheRange(t *testing.T) {
	b := plugged(t, &hcsr04.Opts{Celsius: 20, MaxMM: 500})
	b.mm = 3
	if mm, found, err := b.measure(); err != nil || !found || mm != 20 {
		t.Errorf("3 mm: %v, %v, %v", mm, found, err)
	}
	b.clk.Sleep(hcsr04.Interval)
	b.mm = 600
	if _, found, err := b.measure(); err != nil || found {
		t.Errorf("600 mm: %v, %v", found, err)
	}
}

// Old sensors hold the line for 200 ms when nothing answers: that is told after the longest echo, and the sensor is not triggered
// before the line fell. One that never lets go is broken.
func TestLongPulseIsNothingAndAnEndlessOneAFault(t *testing.T) {
	b := unplugged(t, nil)
	if err := b.dev.Start(); err != nil {
		t.Fatal(err)
	}
	b.clk.Sleep(time.Millisecond)
	b.lines.SetInput("ECHO", true)
	if _, found, err := b.outcome(); err != nil || found {
		t.Errorf("long pulse: %v, %v", found, err)
	}
	if err := b.dev.Start(); !errors.Is(err, hcsr04.ErrPending) {
		t.Errorf("Start while the line is high: %v", err)
	}
	b.clk.Sleep(100 * time.Millisecond)
	b.lines.SetInput("ECHO", false)
	if err := b.dev.Start(); err != nil {
		t.Errorf("Start after the line fell: %v", err)
	}
	b.pulse(time.Millisecond, 1164*time.Microsecond)
	if mm, found, err := b.outcome(); err != nil || !found || math.Abs(mm-200) > 1 {
		t.Errorf("next: %v, %v, %v", mm, found, err)
	}
	b.lines.SetInput("ECHO", true)
	if err := b.dev.Start(); !errors.Is(err, hcsr04.ErrPending) {
		t.Errorf("line high: %v", err)
	}
	b.clk.Sleep(250 * time.Millisecond)
	if err := b.dev.Start(); !errors.Is(err, hcsr04.ErrStuck) {
		t.Errorf("line high for ever: %v", err)
	}
}

// A measurement whose edges are incomplete is void, and what came before the trigger belongs to nothing.
func TestLostAndStrangeEdgesAreNoMeasurement(t *testing.T) {
	b := unplugged(t, nil)
	b.pulse(0, time.Millisecond) // of another sensor
	if err := b.dev.Start(); err != nil {
		t.Fatal(err)
	}
	b.pulse(time.Millisecond, 5822*time.Microsecond)
	if mm, found, err := b.outcome(); err != nil || !found || math.Abs(mm-1000) > 1 {
		t.Errorf("after a disturbance: %v, %v, %v", mm, found, err)
	}
	if err := b.dev.Start(); err != nil {
		t.Fatal(err)
	}
	for range 9 { // two edges more than the queue holds: the rising edge of the echo is lost
		b.pulse(time.Millisecond, 10*time.Microsecond)
	}
	b.lines.SetInput("ECHO", true)
	if _, _, err := b.outcome(); !errors.Is(err, hcsr04.ErrEdges) {
		t.Errorf("queue with a gap that begins with a falling edge: %v", err)
	}
	b.lines.SetInput("ECHO", false)
	b.lines.Unplug("ECHO", true)
	if _, _, err := b.measure(); hardware.Classify(err) != hardware.CauseGone {
		t.Errorf("line gone: %v", err)
	}
}

// The line flickers while the sound is under way, and the kernel drops edges. What is left looks like the end of the pulse.
func TestGapInTheEdgesIsNoMeasurement(t *testing.T) {
	b := unplugged(t, nil)
	if err := b.dev.Start(); err != nil {
		t.Fatal(err)
	}
	b.lines.SetInput("ECHO", true)
	if _, _, err := b.dev.Read(); !errors.Is(err, hcsr04.ErrPending) {
		t.Fatal(err)
	}
	b.clk.Sleep(time.Millisecond)
	for i := range 18 { // the two oldest are lost; the next is a falling one
		b.lines.SetInput("ECHO", i%2 != 0)
	}
	if mm, found, err := b.outcome(); !errors.Is(err, hcsr04.ErrEdges) {
		t.Errorf("%v, %v, %v", mm, found, err)
	}
}

func TestOptsOutsideTheWorldAreRefused(t *testing.T) {
	for want, o := range map[string]hcsr04.Opts{
		"hcsr04: air of 200 °C, want -40 to 60":               {Celsius: 200, MaxMM: 3000},
		"hcsr04: farthest distance 9000 mm, want 100 to 6000": {Celsius: 20, MaxMM: 9000},
	} {
		if err := hcsr04.New(nil, nil, nil, nil, &o).Init(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func Example() {
	clk, lines := hwtest.NewClock(), emul.NewLines() // a device actor's clock, a board's lines
	emul.NewSonar(lines, "SONAR_TRIG", "SONAR_ECHO", clk.Now, func() (float64, bool) { return 750, true })
	trigger, _ := lines.Output("SONAR_TRIG", false)
	echo, _ := lines.Edges("SONAR_ECHO")

	d := hcsr04.New(trigger, echo, clk, new(hardware.Health), nil)
	if err := errors.Join(d.Init(), d.Start()); err != nil {
		fmt.Println(err)
		return
	}
	clk.Sleep(hcsr04.Interval) // an actor polls once an interval
	mm, found, err := d.Read()
	fmt.Printf("%v %.0f mm %v %v\n", d, mm, found, err)
	// Output: HC-SR04{SONAR_TRIG, SONAR_ECHO} 751 mm true <nil>
}
