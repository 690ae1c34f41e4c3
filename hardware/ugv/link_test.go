package ugv_test

import (
	"math"
	"strings"
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

// A board that never answers as it should is a fault with a cause of its own, and says what came instead.
// Rules: FLT-5.
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

// A WAVE ROVER's speed is a duty above the one up to which its motors do not turn, and is read back as the same speed.
func TestOpenLoopSpeedIsADutyThatTurnsTheMotors(t *testing.T) {
	c := wave
	c.MinDuty = 0.2
	for _, x := range []struct {
		mps  float64
		want string
	}{{0.125, "{\"T\":1,\"L\":0.1394,\"R\":-0.1394}"}, {0.01, "{\"T\":1,\"L\":0.1028,\"R\":-0.1028}"}} {
		r := newBench(t, c, boardOf(c)).ready()
		r.sent.Reset()
		r.link.Drive(r.now, x.mps, -x.mps)
		r.run(100 * time.Millisecond)
		if !strings.Contains(r.sent.String(), x.want) {
			t.Errorf("%g m/s is %q, want %q", x.mps, r.sent.String(), x.want)
		}
		if v := c.Speed(-x.mps); math.Abs(v+x.mps) > 1e-9 {
			t.Errorf("%g m/s is read back as %g", -x.mps, v)
		}
	}
	if v := c.Speed(0); v != 0 {
		t.Errorf("0 is read back as %g", v)
	}
	c.MinDuty = 0.95
	if _, err := ugv.New(c, nil); err == nil {
		t.Error("a duty of 0.95 is taken")
	}
}
