package emul_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/emul"
)

// ugvRig is a board in a robot whose wheels follow the duty at once: 1.3 m/s at full duty.
type ugvRig struct {
	t      *testing.T
	b      *emul.UGV
	now    time.Time
	duty   [2]float64
	mm     [2]float64
	screen [4]string
	lamps  [2]float64
	volts  float64
	gyro   float64
	text   string
}

func newUGV(t *testing.T, opt emul.UGVOptions) *ugvRig {
	r := &ugvRig{t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), volts: 11.8}
	opt.Start = r.now
	r.b = emul.NewUGV(opt, emul.UGVBody{
		Drive:   func(left, right float64) { r.duty = [2]float64{left, right} },
		Turned:  func() (float64, float64) { return r.mm[0], r.mm[1] },
		Inertia: func() (accel, gyro [3]float64) { return [3]float64{0, 0, 9806.65}, [3]float64{0, 0, r.gyro} },
		Volts:   func() float64 { return r.volts },
		Lamps:   func(base, head float64) { r.lamps = [2]float64{base, head} },
		Screen:  func(lines [4]string) { r.screen = lines },
	})
	return r
}

// run lets time pass and collects what the board writes.
func (r *ugvRig) run(d time.Duration) string {
	r.text = ""
	var p [512]byte
	for end := r.now.Add(d); r.now.Before(end); {
		r.now = r.now.Add(2 * time.Millisecond)
		for i := range r.mm {
			r.mm[i] += r.duty[i] * 1300 * 0.002
		}
		r.b.Advance(r.now)
		n, _ := r.b.Read(p[:])
		r.text += string(p[:n])
	}
	return r.text
}

func (r *ugvRig) send(lines ...string) {
	for _, l := range lines {
		_, _ = r.b.Write([]byte(l + "\n"))
	}
}

// messages are the objects of a type in what the board wrote last.
func (r *ugvRig) messages(kind int) (all []map[string]any) {
	for l := range strings.Lines(r.text) {
		var m map[string]any
		if json.Unmarshal([]byte(l), &m) == nil && m["T"] == float64(kind) {
			all = append(all, m)
		}
	}
	return all
}

var (
	wave  = emul.UGVOptions{Wheels: 1, Running: true}
	rover = emul.UGVOptions{ROS: true, Wheels: 2, Running: true}
)

func TestWireCarriesElevenBytesAMillisecond(t *testing.T) {
	r := newUGV(t, rover)
	r.send(`{"T":131,"cmd":0}`)
	r.run(20 * time.Millisecond)
	r.send(`{"T":130}`)
	var p [512]byte
	var first time.Duration
	n := 0
	for d := time.Duration(0); d < 40*time.Millisecond; d += 100 * time.Microsecond {
		r.b.Advance(r.now.Add(d))
		k, _ := r.b.Read(p[:])
		if n == 0 && k > 0 {
			first = d
		}
		if n += k; k > 0 && n > 30 {
			if got := float64(n) / (float64(d-first)/1e6 + 0.0868); math.Abs(got-11.52) > 1 {
				t.Fatalf("%.2f bytes a millisecond", got)
			}
		}
	}
	if first < 10*86806*time.Nanosecond || n < 100 {
		t.Errorf("%d bytes, the first after %v: ten bytes take 0.87 ms", n, first)
	}
}

func TestDefaultsOfBothFirmwaresDiffer(t *testing.T) {
	r := newUGV(t, wave)
	r.send(`{"T":130}`)
	if out := r.run(200 * time.Millisecond); strings.Count(out, `"T":1001`) != 1 || !strings.HasPrefix(out, `{"T":130}`) {
		t.Errorf("general firmware: no flow, and an echo; got %q", out)
	}
	r = newUGV(t, rover)
	r.send(`{"T":126}`)
	out := r.run(time.Second)
	if n := strings.Count(out, `"T":1001`); n < 18 || n > 21 || strings.Contains(out, `"T":126`) {
		t.Errorf("ROS firmware: a message each 50 ms, no echo; got %d in %q", n, out)
	}
}

func TestMessageHasTheFieldsOfItsFirmware(t *testing.T) {
	r := newUGV(t, rover)
	r.gyro = math.Pi / 2
	r.run(100 * time.Millisecond)
	m := r.messages(1001)[0]
	if m["az"] != 8192.0 || m["gz"] != 1476.0 || m["v"] != 1180.0 || m["odl"] != 0.0 {
		t.Errorf("1 g is 8192, 90°/s is 1476, 11.8 V is 1180: %v", m)
	}
	r = newUGV(t, wave)
	r.send(`{"T":"130"}`, `{"T":126}`)
	r.run(100 * time.Millisecond)
	if m := r.messages(1001)[0]; m["v"] != 11.8 || m["temp"] == nil || m["odl"] != nil {
		t.Errorf("volts are volts: %v", m)
	}
	if m := r.messages(1002)[0]; m["az"] != 1000.0 {
		t.Errorf("1 g is 1000: %v", m)
	}
}

func TestBoardStopsByItselfAfterThreeSeconds(t *testing.T) {
	for _, opt := range []emul.UGVOptions{wave, rover} {
		r := newUGV(t, opt)
		r.send(`{"T":1,"L":0.2,"R":0.2}`)
		r.run(2900 * time.Millisecond)
		if r.duty[0] <= 0 {
			t.Fatalf("%+v: does not drive", opt)
		}
		r.run(400 * time.Millisecond)
		if r.duty != [2]float64{} {
			t.Errorf("%+v: drives on: %v", opt, r.duty)
		}
		r.send(`{"T":136,"cmd":400}`, `{"T":1,"L":0.2,"R":0.2}`)
		r.run(350 * time.Millisecond)
		if r.duty[0] <= 0 {
			t.Errorf("%+v: stopped too early", opt)
		}
		r.run(350 * time.Millisecond)
		if r.duty != [2]float64{} {
			t.Errorf("%+v: 400 ms were set, drives on: %v", opt, r.duty)
		}
	}
}

func TestThirteenHasNoTimeoutInTheROSFirmware(t *testing.T) {
	r := newUGV(t, rover)
	r.run(3100 * time.Millisecond)
	r.send(`{"T":13,"X":0.2,"Z":0}`)
	r.run(10 * time.Second)
	if r.duty[0] <= 0 {
		t.Error("the ROS firmware stopped T 13, which the sources say it does not")
	}
	r = newUGV(t, wave)
	r.send(`{"T":13,"X":0.2,"Z":0}`)
	r.run(4 * time.Second)
	if r.duty != [2]float64{} {
		t.Error("the general firmware did not stop T 13")
	}
}

func TestSpeedBeyondTwoLeavesTheOldOne(t *testing.T) {
	r := newUGV(t, rover)
	for range 10 {
		r.send(`{"T":1,"L":0.3,"R":0.3}`)
		r.run(100 * time.Millisecond)
	}
	for range 10 {
		r.send(`{"T":1,"L":2.5,"R":2.5}`)
		r.run(100 * time.Millisecond)
	}
	if got := r.duty[0] * 1.3; math.Abs(got-0.3) > 0.06 {
		t.Errorf("drives %.2f m/s, want the old 0.3", got)
	}
}

func TestOpenLoopTakesMoreThanFullForLittle(t *testing.T) {
	r := newUGV(t, wave)
	r.send(`{"T":1,"L":0.49,"R":0.51}`)
	r.run(50 * time.Millisecond)
	if math.Abs(r.duty[0]-0.49*512/255) > 0.01 || r.duty[1] > 0.1 {
		t.Errorf("duties %v: 0.49 is almost full, 0.51 begins at 0 again", r.duty)
	}
}

func TestWrongMainTypeHasOtherScaleAndDirection(t *testing.T) {
	far := func(opt emul.UGVOptions, main int) float64 {
		r := newUGV(t, opt)
		r.send(fmt.Sprintf(`{"T":900,"main":%d,"module":0}`, main))
		for range 20 {
			r.send(`{"T":1,"L":0.2,"R":0.2}`)
			r.run(100 * time.Millisecond)
		}
		return r.mm[0]
	}
	beast := emul.UGVOptions{Wheels: 3, Running: true}
	right := far(beast, 3)
	if math.Abs(right-400) > 60 {
		t.Errorf("right type: %.0f mm in 2 s at 0.2 m/s", right)
	}
	if wrong := far(beast, 1); wrong > -500 {
		t.Errorf("a tracked robot taken for a WAVE ROVER drives %.0f mm, want open loop and backward", wrong)
	}
	if wrong := far(rover, 1); wrong < 800 {
		t.Errorf("a UGV Rover taken for a RaspRover drives %.0f mm, want three times as far", wrong)
	}
}

func TestStartTakesSecondsAndForgets(t *testing.T) {
	r := newUGV(t, emul.UGVOptions{Wheels: 3})
	r.send(`{"T":130}`)
	if out := r.run(3900 * time.Millisecond); !strings.Contains(out, "version: 0.95") || strings.Contains(out, "1001") {
		t.Errorf("start: %q", out)
	}
	r.send(`{"T":900,"main":3,"module":0}`, `{"T":143,"cmd":0}`, `{"T":1,"L":0.2,"R":0.2}`)
	r.run(time.Second)
	if r.duty[0] == 0 {
		t.Fatal("does not drive")
	}
	r.b.Reset()
	if out := r.run(time.Second); r.duty[0] != 0 || !strings.Contains(out, "rst:0x1") {
		t.Errorf("a reset stands the wheels and writes the loader's text; %v %q", r.duty, out)
	}
	r.run(4 * time.Second)
	r.send(`{"T":130}`)
	if out := r.run(100 * time.Millisecond); !strings.Contains(out, `{"T":130}`) {
		t.Errorf("echo is on again after a reset: %q", out)
	}
}

func TestVoltsAreTenSecondsOld(t *testing.T) {
	r := newUGV(t, rover)
	r.run(time.Second)
	r.volts = 10
	r.run(8 * time.Second)
	if m := r.messages(1001); m[len(m)-1]["v"] != 1180.0 {
		t.Errorf("%v", m[len(m)-1])
	}
	r.run(2 * time.Second)
	if m := r.messages(1001); m[len(m)-1]["v"] != 1000.0 {
		t.Errorf("%v", m[len(m)-1])
	}
}

func TestModulesFloodAndHideFields(t *testing.T) {
	r := newUGV(t, rover)
	r.send(`{"T":4,"cmd":2}`)
	if out := r.run(time.Second); strings.Count(out, `"T":1005`) < 100 {
		t.Errorf("no flood: %d", strings.Count(out, `"T":1005`))
	}
	r.send(`{"T":4,"cmd":1}`)
	r.run(time.Second)
	m := r.messages(1001)
	if a := m[len(m)-1]; a["az"] != 230.1 || a["ab"] == nil {
		t.Errorf("the arm's height overwrites the acceleration: %v", a)
	}
}

func TestLongAndBrokenLinesAreDroppedWithoutAWord(t *testing.T) {
	r := newUGV(t, rover)
	r.send(`{"T":131,"cmd":0}`)
	r.run(100 * time.Millisecond)
	r.send(`{"T":1,"L":0.2,`, `{"T":1,"L":"x","R":0.2}`, `{"T":1,"L":0.2,"R":0.2,"pad":"`+strings.Repeat("x", 260)+`"}`)
	if out := r.run(200 * time.Millisecond); out != "" || r.duty != [2]float64{} {
		t.Errorf("%q %v", out, r.duty)
	}
}

func TestTextAndLampsReachTheBoard(t *testing.T) {
	r := newUGV(t, rover)
	r.send(`{"T":3,"lineNum":2,"Text":"hello"}`, `{"T":132,"IO4":0,"IO5":255}`)
	r.run(100 * time.Millisecond)
	if r.screen[2] != "hello" || r.lamps != [2]float64{0, 1} {
		t.Errorf("%q %v", r.screen, r.lamps)
	}
}
