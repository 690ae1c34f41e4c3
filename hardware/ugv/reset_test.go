package ugv_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/ugv"
)

func TestResetWhileDrivingStandsAndSetsUpAgain(t *testing.T) {
	for _, c := range []ugv.Config{wave, beast, rover} {
		b := newBench(t, c, boardOf(c)).ready()
		_ = b.run(2*time.Second, b.drive(0.3, 0.3))
		before := b.link.State()
		b.board.Reset()
		b.sent.Reset()
		if err := b.run(6*time.Second, b.drive(0.3, 0.3)); err != nil {
			t.Fatal(err)
		}
		s := b.link.State()
		if s.Epoch < 2 || s.Counts.Resets == 0 || !strings.Contains(b.sent.String(), `"T":900`) || !strings.Contains(b.sent.String(), `"T":136`) {
			t.Errorf("%s: %+v", c.Firmware, s)
		}
		// The bench goes on ordering; the motors' driver sees the epoch and does not. The speed is right again.
		_ = b.run(time.Second, b.drive(0.3, 0.3))
		if v := b.duty[0] * 1.25; math.Abs(v-0.3) > 0.05 {
			t.Errorf("%s: %.2f m/s after the reset", c.Firmware, v)
		}
		if c.Firmware == ugv.ROS && s.OdometerMM[0] < before.OdometerMM[0] {
			t.Errorf("the odometer went back from %.0f to %.0f", before.OdometerMM[0], s.OdometerMM[0])
		}
	}
}

func TestOdometerThatFallsToZeroIsAReset(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	_ = b.run(2*time.Second, b.drive(0.3, 0.3))
	b.noise = []byte("\n" + `{"T":1001,"L":0,"R":0,"ax":0,"ay":0,"az":8192,"gx":0,"gy":0,"gz":0,"mx":0,"my":0,"mz":0,"odl":0,"odr":0,"v":1180}` + "\n")
	b.sent.Reset()
	_ = b.run(300 * time.Millisecond)
	if s := b.link.State(); s.Counts.Resets != 1 || !strings.Contains(b.sent.String(), `"T":900`) {
		t.Errorf("%+v %q", s, b.sent.String())
	}
}

func TestRobotThatAKilledProcessLeftDrivingIsStoodAtOnce(t *testing.T) {
	b := newBench(t, rover, boardOf(rover))
	_, _ = b.board.Write([]byte(`{"T":1,"L":0.3,"R":0.3}` + "\n" + `{"T":1,"L":0.3,"R`))
	b.pass(200 * time.Millisecond)
	if b.duty[0] <= 0 {
		t.Fatal("does not drive")
	}
	_ = b.run(40 * time.Millisecond)
	b.pass(60 * time.Millisecond) // the board's own time is not over
	if b.duty != [2]float64{} {
		t.Errorf("drives on %v; sent %q", b.duty, b.sent.String())
	}
}

func TestEchoAndBootTextAreAReset(t *testing.T) {
	for _, sign := range []string{`{"T":1,"L":0.2,"R":0.2}`, "rst:0x1 (POWERON_RESET)", "version: 0.95"} {
		b := newBench(t, beast, boardOf(beast)).ready()
		_ = b.run(time.Second)
		b.noise = []byte("\n" + sign + "\n")
		b.sent.Reset()
		_ = b.run(200 * time.Millisecond)
		if s := b.link.State(); s.Counts.Resets != 1 || !strings.Contains(b.sent.String(), `"T":900,"main":3`) {
			t.Errorf("%s: %+v %q", sign, s, b.sent.String())
		}
	}
}

func TestLineThatIsTooLongIsNotTakenByItsBegin(t *testing.T) {
	b := newBench(t, beast, boardOf(beast)).ready()
	for seq := b.link.State().BaseSeq; b.link.State().BaseSeq == seq; { // the next message is 40 ms away
		_ = b.run(10 * time.Millisecond)
	}
	b.noise = []byte("\n" + `{"T":1001,"L":9,"R":9,"r":0,"p":0,"y":0,"temp":40,"v":11}` + strings.Repeat(" ", 600) + "garbage\n")
	_ = b.run(20 * time.Millisecond)
	if s := b.link.State(); s.LeftMMPS != 0 {
		t.Errorf("%+v", s)
	}
}

func TestLineIsHalfFullAtMost(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	b.sent.Reset()
	for i := range 2000 {
		b.now = b.now.Add(time.Millisecond)
		b.board.Advance(b.now)
		b.link.Light(uint8(i), uint8(i))
		if err := b.link.Pump(b.now); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.sent.Len() / 2; got > 5800 {
		t.Errorf("%d bytes a second of 11520", got)
	}
}

func TestTextAndBrokenLinesAreSkipped(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	before := b.link.State()
	b.noise = []byte("\n{\"T\":1001,\"L\":\n" + "wifi: connected\n{}\n{\"T\":1005,\"id\":1,\"status\":0}\n{\"T\":1001,\"L\":9,\"R\":9}\n[1]\n" + strings.Repeat("x", 3000) + "\n")
	if err := b.run(200 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	c := b.link.State().Counts
	if c.Broken-before.Counts.Broken < 3 || c.Skipped-before.Counts.Skipped < 3 || c.Rejected-before.Counts.Rejected != 1 || b.link.State().LeftMMPS != 0 {
		t.Errorf("%+v", c)
	}
	if c.Messages < before.Counts.Messages+4 {
		t.Error("messages after the noise are missing")
	}
}

func TestArmsFieldsAreNotTakenForAcceleration(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	_, _ = b.board.Write([]byte(`{"T":4,"cmd":1}` + "\n"))
	_ = b.run(500 * time.Millisecond)
	if a := b.link.State().Inertia.AccelMMPS2[2]; math.Abs(a-9806.65) > 10 {
		t.Errorf("vertical acceleration %.0f", a)
	}
}

func TestBothFirmwaresGiveTheSameUnits(t *testing.T) {
	for _, c := range []ugv.Config{wave, rover} {
		b := newBench(t, c, boardOf(c)).ready()
		b.gyro = 1.5
		_ = b.run(300 * time.Millisecond)
		s := b.link.State()
		if math.Abs(s.Volts-11.8) > 0.01 || math.Abs(s.Inertia.GyroRadPS[2]-1.5) > 0.01 || math.Abs(s.Inertia.AccelMMPS2[2]-9806.65) > 10 {
			t.Errorf("%s: %+v", c.Firmware, s)
		}
		if b.now.Sub(s.InertiaAt) > 100*time.Millisecond {
			t.Errorf("%s: the inertial sensor is %v old", c.Firmware, b.now.Sub(s.InertiaAt))
		}
	}
}

func TestCableOutAndBack(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	_ = b.run(time.Second, b.drive(0.2, 0.2))
	b.board.Unplug(true)
	err := b.run(50*time.Millisecond, b.drive(0.2, 0.2))
	if hardware.Classify(err) != hardware.CauseGone || !errors.Is(err, syscall.ENODEV) {
		t.Fatal(err)
	}
	b.pass(time.Second)
	if b.duty != [2]float64{} {
		t.Error("the board drives on without its cable")
	}
	b.board.Unplug(false)
	if err := b.link.Open(b.now); err != nil || b.opens != 2 {
		t.Fatal(err, b.opens)
	}
	if err := b.run(time.Second); err != nil || !b.link.State().Ready {
		t.Errorf("%v %+v", err, b.link.State())
	}
}

func TestSilenceIsNotFreshAndSetsUpAgain(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	b.board.Cut(true)
	_ = b.run(200 * time.Millisecond)
	if s := b.link.State(); s.Fresh(b.now) {
		t.Error("200 ms old is fresh")
	}
	_ = b.run(time.Second)
	b.board.Cut(false)
	_ = b.run(time.Second)
	if s := b.link.State(); s.Epoch != 2 || !s.Fresh(b.now) {
		t.Errorf("%+v", s)
	}
}

func TestFullKernelBufferHoldsNothing(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	_ = b.run(time.Second, b.drive(0.2, 0.2))
	b.full = true
	b.link.Stop()
	if err := b.run(100 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	b.full = false
	b.sent.Reset()
	_ = b.run(300 * time.Millisecond)
	if n := strings.Count(b.sent.String(), `"L":0,"R":0`); b.duty != [2]float64{} || n != 2 {
		t.Errorf("the stop got lost: %v", b.duty)
	}
}

func TestTextAndLightsGoOutAtALimitedRate(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	b.sent.Reset()
	n := 0
	_ = b.run(5*time.Second, func() {
		n++
		b.link.Show([4]string{fmt.Sprint(n), `"quoted\`, "ünicode", strings.Repeat("w", 40)})
		b.link.Light(uint8(n), uint8(n))
	}, b.drive(0.3, 0.3))
	if got := float64(b.sent.Len()) / 5; got > 6000 {
		t.Errorf("%.0f bytes a second", got)
	}
	if b.text[1] != `"quoted\` || b.text[3] != strings.Repeat("w", ugv.ScreenWidth) || b.text[2] != "  nicode" {
		t.Errorf("%q", b.text)
	}
	_ = b.run(time.Second)
	if b.text[0] != fmt.Sprint(n) || !b.link.Shown() || math.Abs(b.lamps[1]-float64(uint8(n))/255) > 0.01 {
		t.Errorf("%q %v", b.text, b.lamps)
	}
	if strings.Count(b.sent.String(), `"T":1,`) < 80 {
		t.Error("the wheels waited for the text")
	}
}

func TestConfigNamesWhatIsWrongAndTheNearest(t *testing.T) {
	for want, c := range map[string]ugv.Config{
		"firmware \"rso\"": {Firmware: "rso", Main: 1}, "the nearest is 3": {Firmware: ugv.ROS, Main: 7},
		"the nearest is 500ms": {Firmware: ugv.ROS, Main: 1, Timeout: 3 * time.Second}, "needs its free speed": {Firmware: ugv.General, Main: 1},
	} {
		if _, err := ugv.New(c, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
