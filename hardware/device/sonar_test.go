package device_test

import (
	"math"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
)

// sonarBench is a sonar that looks at something.
type sonarBench struct {
	*hwtest.Env
	lines *emul.Lines
	mm    float64
	found bool
	dev   hardware.Device
}

func newSonarBench(t *testing.T) *sonarBench {
	t.Helper()
	b := &sonarBench{lines: emul.NewLines(), mm: 800, found: true}
	clk := hwtest.NewClock()
	b.lines.SetNow(clk.Now)
	emul.NewSonar(b.lines, "TRIG", "ECHO", clk.Now, func() (float64, bool) { return b.mm, b.found })
	safety := device.NewSafety(b.lines)
	board := device.Board{Lines: b.lines, Profile: &profile.Profile{
		Range: &profile.Range{Driver: profile.Driver{Driver: "sonar"}, Trigger: "TRIG", Echo: "ECHO", MaxMM: 3000},
	}}
	fresh := func() hardware.Device {
		d, err := device.New(hardware.Range, board, safety, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	b.Env = &hwtest.Env{
		Clock: clk, Fresh: fresh,
		Break: func() { b.lines.Unplug("ECHO", true) },
		Mend:  func() { b.lines.Unplug("ECHO", false) },
	}
	b.dev = fresh()
	return b
}

// poll polls once, a period later.
func (b *sonarBench) poll() (hardware.Sample, error) {
	b.Clock.Sleep(b.dev.Period())
	return b.dev.Poll(b.Clock.Now())
}

func TestSonarKeepsTheContract(t *testing.T) {
	hwtest.Contract(t, func() (hardware.Device, *hwtest.Env) {
		b := newSonarBench(t)
		return b.dev, b.Env
	})
}

// One odd echo changes nothing, the second of its kind does.
func TestSonarReadingIsTheMedianOfThree(t *testing.T) {
	b := newSonarBench(t)
	if err := b.dev.Open(b.Clock); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		mm    float64
		found bool // something is there
		want  float64
	}{
		{800, true, 800},
		{800, true, 800},
		{800, true, 800}, // the measurement was triggered by the poll before
		{250, true, 800},
		{800, true, 800},
		{0, false, 800},
		{300, true, 800},
		{300, true, 800},
		{300, true, 300},
		{0, false, 300},
		{0, false, 300},
		{0, false, 3000},
	} {
		b.mm, b.found = c.mm, c.found
		s, err := b.poll()
		if err != nil || s.Quality != hardware.OK {
			t.Fatalf("poll %d: %v, %v", i, s.Quality, err)
		}
		got := *s.Value.(*hardware.RangeState)
		if math.Abs(got.DistanceMM-c.want) > 0.005*c.want || got.Found != (c.want <= 400) {
			t.Errorf("poll %d: %+v, want %v mm", i, got, c.want)
		}
	}
}

// A sensor without power or with a broken wire is silent. That is never free space.
func TestSilentSonarFails(t *testing.T) {
	b := newSonarBench(t)
	if err := b.dev.Open(b.Clock); err != nil {
		t.Fatal(err)
	}
	b.lines.OnOutput("TRIG", nil) // the wire is off
	var err error
	for i := 0; err == nil; i++ {
		var s hardware.Sample
		if s, err = b.poll(); i > 0 && err == nil && s.Quality == hardware.OK {
			t.Fatalf("poll %d: %+v", i, s.Value)
		}
		if i > 5 {
			t.Fatal("no error")
		}
	}
	if hardware.Classify(err) != hardware.CauseTimeout {
		t.Error(err)
	}
}

// An old module holds its echo line for 200 ms when it sees nothing. It is not triggered meanwhile, and what it told grows stale.
func TestSlowSonarIsGivenItsTime(t *testing.T) {
	b := newSonarBench(t)
	b.found = false
	if err := b.dev.Open(b.Clock); err != nil {
		t.Fatal(err)
	}
	b.lines.OnRead("ECHO", nil) // from now on the test is the module
	b.lines.OnOutput("TRIG", nil)
	b.lines.SetInput("ECHO", true)
	for i, want := range []hardware.Quality{hardware.OK, hardware.Stale, hardware.Stale} {
		if s, err := b.poll(); err != nil || s.Quality != want {
			t.Errorf("poll %d: %v, %v; want %v", i, s.Quality, err, want)
		}
	}
	b.lines.SetInput("ECHO", false)
	var s hardware.Sample
	for range 2 { // the first triggers, the second has the answer
		b.Clock.Sleep(b.dev.Period() - 10*time.Millisecond)
		b.lines.SetInputAt("ECHO", true, b.Clock.Now())
		b.lines.SetInputAt("ECHO", false, b.Clock.Now().Add(5822*time.Microsecond))
		b.Clock.Sleep(10 * time.Millisecond)
		var err error
		if s, err = b.dev.Poll(b.Clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if v := s.Value.(*hardware.RangeState); s.Quality != hardware.OK || math.Abs(v.DistanceMM-1000) > 1 {
		t.Errorf("%v, %+v", s.Quality, v)
	}
}

// The shutdown line of a VL53L0X resets it, also one that hangs with its own address.
func TestRangeSensorIsResetByItsShutdownLine(t *testing.T) {
	clk, lines := hwtest.NewClock(), emul.NewLines()
	bus := emul.NewBus("i2c1", clk, 1)
	chip := emul.NewVL53L0X(clk.Now, func() (float64, bool) { return 321, true })
	bus.Attach(0x29, chip)
	edges := 0
	lines.OnOutput("XSHUT", func(high bool) { chip.XSHUT(high); edges++ })
	board := device.Board{
		Lines: lines, Bus: func(c hardware.Clock) i2c.Bus { return bus.For(c) },
		Profile: &profile.Profile{
			Chips: map[string]profile.Chip{"tof": {Kind: "vl53l0x", Address: 0x29}},
			Range: &profile.Range{Driver: profile.Driver{Driver: "vl53l0x"}, Chip: "tof", Reset: "XSHUT", MaxMM: 1200},
		},
	}
	d, err := device.New(hardware.Range, board, device.NewSafety(lines), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Open(clk); err != nil {
		t.Fatal(err)
	}
	clk.Sleep(d.Period())
	s, err := d.Poll(clk.Now())
	if v, ok := s.Value.(*hardware.RangeState); err != nil || !ok || v.DistanceMM != 321 || edges != 3 { // up, down, up
		t.Errorf("%+v, %v, %d edges", s, err, edges)
	}
	if err := d.Halt(); err != nil {
		t.Error(err)
	}
}
