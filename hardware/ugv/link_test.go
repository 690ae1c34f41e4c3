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
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/ugv"
)

// bench is a link to an emulated board on a cable that can be listened to.
type bench struct {
	t     *testing.T
	board *emul.UGV
	link  *ugv.Link
	now   time.Time
	begin time.Time
	duty  [2]float64
	mm    [2]float64
	gyro  float64
	text  [4]string
	lamps [2]float64
	sent  strings.Builder // what the link wrote
	noise []byte          // read before what the board sends
	mute  bool            // what the link writes is lost
	full  bool            // the kernel has no room
	opens int
}

func (b *bench) Read(p []byte) (int, error) {
	if len(b.noise) > 0 {
		n := copy(p, b.noise)
		b.noise = b.noise[n:]
		return n, nil
	}
	return b.board.Read(p)
}

func (b *bench) Write(p []byte) (int, error) {
	if b.full {
		return 0, nil
	}
	b.sent.Write(p)
	if b.mute {
		return len(p), nil
	}
	return b.board.Write(p)
}

func (b *bench) Close() error { return b.board.Close() }

var (
	wave  = ugv.Config{Name: "esp", Firmware: ugv.General, Main: 1, MaxMPS: 1.25}
	beast = ugv.Config{Name: "esp", Firmware: ugv.General, Main: 3}
	rover = ugv.Config{Name: "esp", Firmware: ugv.ROS, Main: 2}
)

func boardOf(c ugv.Config) emul.UGVOptions {
	return emul.UGVOptions{ROS: c.Firmware == ugv.ROS, Wheels: c.Main, Running: true}
}

func newBench(t *testing.T, c ugv.Config, opt emul.UGVOptions) *bench {
	b := &bench{t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	b.begin = b.now
	opt.Start = b.now
	b.board = emul.NewUGV(opt, emul.UGVBody{
		Drive:   func(left, right float64) { b.duty = [2]float64{left, right} },
		Turned:  func() (float64, float64) { return b.mm[0], b.mm[1] },
		Inertia: func() (accel, gyro [3]float64) { return [3]float64{0, 0, 9806.65}, [3]float64{0, 0, b.gyro} },
		Volts:   func() float64 { return 11.8 },
		Lamps:   func(base, head float64) { b.lamps = [2]float64{base, head} },
		Screen:  func(lines [4]string) { b.text = lines },
	})
	link, err := ugv.New(c, func() (hardware.Serial, error) { b.opens++; return b, nil })
	if err != nil {
		t.Fatal(err)
	}
	b.link = link
	if err := link.Open(b.now); err != nil {
		t.Fatal(err)
	}
	return b
}

// pass lets time pass without the link: the host stands still.
func (b *bench) pass(d time.Duration) {
	for end := b.now.Add(d); b.now.Before(end); {
		b.now = b.now.Add(2 * time.Millisecond)
		for i := range b.mm {
			b.mm[i] += b.duty[i] * 1250 * 0.002
		}
		b.board.Advance(b.now)
	}
}

// run pumps each 10 ms and calls each before, and returns the first error.
func (b *bench) run(d time.Duration, each ...func()) (err error) {
	for end := b.now.Add(d); b.now.Before(end) && err == nil; {
		b.pass(10 * time.Millisecond)
		for _, f := range each {
			f()
		}
		err = b.link.Pump(b.now)
	}
	return err
}

// ready runs until the board is set up, with the stop path permitting motion.
func (b *bench) ready() *bench {
	b.t.Helper()
	if err := b.run(500 * time.Millisecond); err != nil {
		b.t.Fatal(err)
	}
	if s := b.link.State(); !s.Ready || s.Epoch != 1 {
		b.t.Fatalf("not set up: %+v; sent %q", s, b.sent.String())
	}
	if err := b.link.Enable().Set(true); err != nil {
		b.t.Fatal(err)
	}
	return b
}

func (b *bench) drive(left, right float64) func() {
	return func() { b.link.Drive(b.now, left, right) }
}

func TestNothingMovesBeforeTheBoardAnswered(t *testing.T) {
	for _, c := range []ugv.Config{wave, rover} {
		b := newBench(t, c, boardOf(c))
		b.mute = true // our question does not arrive; the ROS board sends by itself
		b.board.Cut(true)
		if err := b.run(time.Second, b.drive(0.3, 0.3)); err != nil {
			t.Fatal(err)
		}
		if b.link.Enable().Set(true) == nil || b.link.State().Ready || strings.Contains(b.sent.String(), "0.") {
			t.Errorf("%s: sent %q", c.Firmware, b.sent.String())
		}
		b.mute = false
		b.board.Cut(false)
		b.ready()
		if got := b.sent.String(); strings.Index(got, `"T":130`) > strings.Index(got, `"T":900`) {
			t.Errorf("set up before it answered: %q", got)
		}
	}
}

func TestSetUpTellsTheRobotFirstThenTheTimeout(t *testing.T) {
	b := newBench(t, wave, boardOf(wave)).ready()
	at := -1
	for _, want := range []string{
		`{"T":130}`, `{"T":900,"main":1,"module":0}`, `{"T":136,"cmd":400}`, `{"T":142,"cmd":40}`, `{"T":131,"cmd":1}`, `{"T":143,"cmd":0}`, `{"T":4,"cmd":0}`,
	} {
		i := strings.Index(b.sent.String(), want+"\n")
		if i <= at {
			t.Errorf("%s is missing or out of order in %q", want, b.sent.String())
		}
		at = i
	}
	if strings.Contains(b.sent.String(), `"T":13,`) || strings.Contains(b.sent.String(), `"T":11,`) {
		t.Error("only T 1 moves the wheels")
	}
}

func TestTimeoutIsRepeated(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	b.sent.Reset()
	_ = b.run(5 * time.Second)
	if n := strings.Count(b.sent.String(), `"T":136`); n < 4 || n > 6 {
		t.Errorf("%d times in 5 s", n)
	}
}

func TestOtherFirmwareThanTheProfileSaysIsRefused(t *testing.T) {
	b := newBench(t, wave, boardOf(rover))
	err := b.run(time.Second)
	if hardware.Classify(err) != hardware.CauseWrongID || !strings.Contains(err.Error(), `the board runs the firmware "ros"`) {
		t.Fatal(err)
	}
	b.sent.Reset()
	_ = b.link.Enable().Set(true)
	_ = b.run(time.Second, b.drive(0.3, 0.3))
	if b.duty != [2]float64{} {
		t.Errorf("drives %v", b.duty)
	}
}

func TestSilentBoardIsRefusedWithTheReason(t *testing.T) {
	for _, c := range []struct {
		noise, want string
		cause       hardware.Cause
	}{
		{"", "nothing comes", hardware.CauseTimeout},
		{strings.Repeat("\x00\xfe\x86\x98a", 40), "1000000 baud", hardware.CauseWrongID},
		{"\n" + strings.Repeat(`{"T":70,"bus_v":11.1}`+"\n", 10), "firmware from before 2024", hardware.CauseWrongID},
		{"\n" + strings.Repeat("login: root\n", 10), "no board's", hardware.CauseWrongID},
	} {
		b := newBench(t, wave, boardOf(wave))
		b.board.Switch(false)
		b.noise = []byte(c.noise)
		err := b.run(9 * time.Second)
		if hardware.Classify(err) != c.cause || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v", c.noise, err)
		}
		if b.run(time.Second) == nil {
			t.Errorf("%.20q: the refusal does not last", c.noise)
		}
		b.board.Switch(true)
		_ = b.link.Open(b.now)
		if err := b.run(6 * time.Second); err != nil || !b.link.State().Ready {
			t.Errorf("%.20q: switched on: %v", c.noise, err)
		}
	}
}

func TestBoardThatJustStartedIsWaitedFor(t *testing.T) {
	for _, c := range []ugv.Config{wave, rover} {
		opt := boardOf(c)
		opt.Running = false
		b := newBench(t, c, opt)
		if err := b.run(5 * time.Second); err != nil || !b.link.State().Ready || b.link.State().Version == "" {
			t.Errorf("%v %+v", err, b.link.State())
		}
	}
}

func TestOrderedSpeedIsDriven(t *testing.T) {
	for _, c := range []ugv.Config{wave, beast, rover} {
		b := newBench(t, c, boardOf(c)).ready()
		_ = b.run(time.Second, b.drive(0.3, -0.2))
		from := b.mm
		b.sent.Reset()
		_ = b.run(2*time.Second, b.drive(0.3, -0.2))
		l, r := (b.mm[0]-from[0])/2, (b.mm[1]-from[1])/2
		if math.Abs(l-300) > 20 || math.Abs(r+200) > 20 {
			t.Errorf("%v: %.0f and %.0f mm/s", c, l, r)
		}
		if n := strings.Count(b.sent.String(), `"T":1,`); n < 20 || n > 41 {
			t.Errorf("%d orders in 2 s, want 10 to 20 a second", n)
		}
		s := b.link.State()
		if c.Closed() && math.Abs(s.LeftMMPS-300) > 60 {
			t.Errorf("%v: speed %.0f", c, s.LeftMMPS)
		}
		if c.Firmware == ugv.ROS && math.Abs(s.OdometerMM[0]-b.mm[0]) > 40 {
			t.Errorf("odometer %.0f of %.0f", s.OdometerMM[0], b.mm[0])
		}
	}
}

func TestSpeedIsLimitedBelowWhatTheBoardMisunderstands(t *testing.T) {
	for _, c := range []struct {
		conf ugv.Config
		want string
	}{{rover, `"L":1.9900,"R":-1.9900`}, {wave, `"L":0.4900,"R":-0.4900`}} {
		b := newBench(t, c.conf, boardOf(c.conf)).ready()
		_ = b.run(100*time.Millisecond, b.drive(7, -7))
		if !strings.Contains(b.sent.String(), c.want) {
			t.Errorf("want %s in %q", c.want, b.sent.String())
		}
		b.sent.Reset()
		_ = b.run(200*time.Millisecond, b.drive(math.NaN(), 1))
		if s := b.sent.String(); strings.Contains(s, "NaN") || !strings.Contains(s, `"L":0,"R":0`) {
			t.Errorf("%q", s)
		}
	}
}

func TestStopGoesOutAtOnceAndTwice(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	_ = b.run(time.Second, b.drive(0.3, 0.3))
	b.sent.Reset()
	if err := b.link.Enable().Set(false); err != nil || strings.TrimSpace(b.sent.String()) != `{"T":1,"L":0,"R":0}` {
		t.Errorf("%v, sent %q without a pump", err, b.sent.String())
	}
	_ = b.run(time.Second, b.drive(0.3, 0.3))
	if n := strings.Count(b.sent.String(), `{"T":1,`); n != 2 || b.duty != [2]float64{} {
		t.Errorf("%d orders, duty %v: %q", n, b.duty, b.sent.String())
	}
}

func TestHostThatStandsStillIsStoppedByTheBoard(t *testing.T) {
	for _, c := range []ugv.Config{wave, rover} {
		b := newBench(t, c, boardOf(c)).ready()
		_ = b.run(time.Second, b.drive(0.2, 0.2))
		b.pass(320 * time.Millisecond)
		if b.duty[0] <= 0 {
			t.Errorf("%s: stopped before its time", c.Firmware)
		}
		b.pass(430 * time.Millisecond)
		if b.duty != [2]float64{} {
			t.Errorf("%s: drives on %v", c.Firmware, b.duty)
		}
	}
}

func TestOrderThatIsNotRepeatedEndsThoughOthersPump(t *testing.T) {
	b := newBench(t, rover, boardOf(rover)).ready()
	_ = b.run(time.Second, b.drive(0.2, 0.2))
	_ = b.run(450 * time.Millisecond)
	if b.duty != [2]float64{} {
		t.Errorf("drives on %v", b.duty)
	}
}

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
