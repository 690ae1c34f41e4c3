package sim

import (
	"io/fs"
	"math"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ina219"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// kit is a bench with a built-in robot, alone in the middle of an empty room.
func kit(t *testing.T, name string, seed uint64) bench {
	t.Helper()
	return kitWith(t, name, Options{Seed: seed})
}

// kitWith is a kit with options besides its profile.
func kitWith(t *testing.T, name string, opt Options) bench {
	t.Helper()
	p, diags, err := profile.Load(resources.Embedded(), name, nil)
	if p == nil || err != nil {
		t.Fatal(diags, err)
	}
	opt.Profile, opt.Nobody = p, true
	b := newBench(t, opt)
	w := b.world
	w.obstacles = nil
	for i := range w.cubes {
		w.cubes[i].present = false
	}
	w.contacts = newContacts(w)
	w.place(pose(vec{}, 0))
	return b
}

func (b bench) after(d time.Duration) hardware.Pose {
	b.Sleep(d)
	return b.View().Robot.Pose
}

// The vendor's table: for each wheel the channel that drives it forward and the one that drives it backward.
var freenoveForward, freenoveBackward = [4]int{1, 2, 7, 5}, [4]int{0, 3, 6, 4}

func (b bench) freenove(duty uint16, channels [4]int) {
	b.t.Helper()
	d := b.pwm(0x40, 50)
	for _, ch := range channels {
		b.must(d.Set(ch, duty))
	}
}

func TestFreenoveDrivesByTheVendorsTable(t *testing.T) {
	for _, c := range []struct {
		name     string
		channels [4]int
		sign     float64
	}{{"forward", freenoveForward, 1}, {"backward", freenoveBackward, -1}} {
		b := kit(t, "freenove-4wd", 1)
		b.freenove(1500, c.channels)
		if p := b.after(2 * time.Second); c.sign*p.XMM < 200 || math.Abs(p.YMM) > 150 {
			t.Errorf("%s: at %.0f, %.0f mm after 2 s", c.name, p.XMM, p.YMM)
		}
	}
}

// A driver that takes the odd channel of wheel 2 for its forward one works against the other wheel of that side.
func TestFreenoveTurnsIfTheSecondWheelIsWiredLikeTheOthers(t *testing.T) {
	b := kit(t, "freenove-4wd", 1)
	b.freenove(1500, [4]int{1, 3, 7, 5})
	if p := b.after(2 * time.Second); p.HeadingRad < 0.5 {
		t.Errorf("heading %.2f rad, want a left turn: the left side stands", p.HeadingRad)
	}
}

func TestToyMotorsDoNotTurnBelowTheirDeadBand(t *testing.T) {
	b := kit(t, "freenove-4wd", 1)
	b.freenove(400, freenoveForward)
	if p := b.after(5 * time.Second); p != (hardware.Pose{}) {
		t.Errorf("moved to %+v by a duty of 400 of 4096", p)
	}
}

// Nobody writes, nobody stops: the chip holds what it was told last.
func TestFreenoveDrivesOnWhenNobodyWrites(t *testing.T) {
	b := kit(t, "freenove-4wd", 1)
	b.freenove(800, freenoveForward)
	near := b.after(time.Second)
	if far := b.after(4 * time.Second); far.XMM < near.XMM+100 {
		t.Errorf("from %.0f to %.0f mm in 4 s, want it to drive on", near.XMM, far.XMM)
	}
	b.must(b.Bus(BusName, b.Clock).Tx(0x40, []byte{0xFD, 0x10}, nil)) // all channels fully off
	stop := b.after(4 * time.Second)
	if later := b.after(time.Second); later != stop {
		t.Error("drives after all channels were switched off")
	}
}

func TestBrakedMotorsStopSoonerThanCoastingOnes(t *testing.T) {
	way := func(stop uint16) float64 {
		b := kit(t, "freenove-4wd", 1)
		d := b.pwm(0x40, 50)
		for _, ch := range freenoveForward {
			b.must(d.Set(ch, 2500))
		}
		from := b.after(time.Second)
		for ch := range 8 {
			b.must(d.Set(ch, stop))
		}
		return b.after(2*time.Second).XMM - from.XMM
	}
	if brake, coast := way(4096), way(0); brake <= 0 || coast < 2*brake {
		t.Errorf("braked it rolls %.0f mm, coasting %.0f mm", brake, coast)
	}
}

func TestEachKitIsAPieceOfItsOwn(t *testing.T) {
	seen := map[hardware.Pose]bool{}
	for seed := range uint64(4) {
		b := kit(t, "freenove-4wd", seed+1)
		b.freenove(1500, freenoveForward)
		seen[b.after(time.Second)] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d of 4 pieces differ", len(seen))
	}
}

// The vendor's counts at 50 Hz for angles of its own: tilt 90° is level and larger is up, pan 30° is left. Oscillator and servos are as
// their data sheets say.
func TestFreenoveServosFollowTheVendorsCounts(t *testing.T) {
	for _, c := range []struct {
		ch    int
		count uint16
		servo int
		deg   float64
	}{{9, 329, head, 0}, {9, 376, head, 20}, {8, 284, pan, 0}, {8, 421, pan, 60}, {8, 148, pan, -60}} {
		b := kitWith(t, "freenove-4wd", Options{Seed: 1, OscillatorHz: 25e6, Spread: -1})
		b.must(b.pwm(0x40, 50).Set(c.ch, c.count))
		b.after(2 * time.Second)
		const most = 1 // degrees: one count is 0.4°, and the prescaler is a whole number
		if got := b.world.servos[c.servo].at * 180 / math.Pi; math.Abs(got-c.deg) > most {
			t.Errorf("channel %d at %d: %.1f°, want %.0f°", c.ch, c.count, got, c.deg)
		}
	}
}

func TestLineSensorsAreHighWithoutFloor(t *testing.T) {
	b := kit(t, "freenove-4wd", 1)
	for _, name := range []string{"LINE_LEFT", "LINE_MIDDLE", "LINE_RIGHT"} {
		line, err := b.Rig.Lines().Input(name)
		b.must(err)
		for _, held := range []bool{false, true, false} {
			if b.PutDownHere(); held {
				b.PickUp()
			}
			if high, err := line.Get(); err != nil || high != held {
				t.Errorf("%s is %v while held is %v, %v", name, high, held, err)
			}
		}
	}
}

func TestLightsShineAsThePixelsWereSent(t *testing.T) {
	b := kit(t, "freenove-4wd", 1)
	port, err := b.SPI("pixels")
	b.must(err)
	conn, err := port.Connect(6400*physic.KiloHertz, spi.Mode0, 8)
	b.must(err)
	var wire []byte
	for _, v := range []byte{255, 0, 128} { // green first
		for k := 7; k >= 0; k-- {
			wire = append(wire, 0xC0|0x38*(v>>k&1))
		}
	}
	b.must(conn.Tx(wire, nil))
	if got := b.Lights()[0]; got != (hardware.RGB{R: 0, G: 255, B: 128}) {
		t.Errorf("shines %v", got)
	}
}

func TestRoomKeepsARobotThatPushesItsWall(t *testing.T) {
	for seed := range uint64(5) {
		b := kit(t, "freenove-4wd", seed)
		b.freenove(2000, freenoveForward)
		p := b.after(20 * time.Second)
		w := b.world
		gap := w.extent.x - p.XMM - w.body.front
		if s := b.Stats(); s.Falls != 0 || math.Abs(p.HeadingRad) < 0.3 && math.Abs(gap) > 25 || w.table.margin(position(p)) < w.body.width/2-10 {
			t.Errorf("seed %d: %d falls, %.0f mm from the wall, heading %.2f, margin %.0f", seed, s.Falls, gap, p.HeadingRad, w.table.margin(position(p)))
		}
	}
}

func TestJetbotDrivesByEitherWiring(t *testing.T) {
	b := kit(t, "jetbot", 1)
	d := b.pwm(0x60, 1526)
	for _, ch := range []int{8, 9, 13, 12} { // the HAT: duty and IN2 of M1 and M2
		b.must(d.Set(ch, 4096))
	}
	hat := b.after(time.Second)
	for ch := range 16 {
		b.must(d.Set(ch, 0))
	}
	from := b.after(2 * time.Second)
	for _, ch := range []int{1, 2} { // the direct inputs
		b.must(d.Set(ch, 4096))
	}
	if direct := b.after(time.Second); hat.XMM < 100 || position(direct).distance(position(from)) < 100 {
		t.Errorf("by the HAT to %.0f mm; directly from %+v to %+v", hat.XMM, from, direct)
	}
}

// ping measures as a driver does, without one: a trigger, and the time between the edges of the echo.
func (b bench) ping() (mm float64) {
	b.t.Helper()
	trigger, err := b.Rig.Lines().Output("SONAR_TRIG", false)
	b.must(err)
	echo, err := b.Rig.Lines().Edges("SONAR_ECHO")
	b.must(err)
	b.must(trigger.Set(true))
	b.Sleep(10 * time.Microsecond)
	b.must(trigger.Set(false))
	b.Sleep(60 * time.Millisecond)
	buf := make([]hardware.Edge, 4)
	n, err := echo.Take(buf)
	b.must(err)
	b.must(trigger.Close())
	b.must(echo.Close())
	if n != 2 {
		b.t.Fatalf("%d edges", n)
	}
	return float64((buf[1].At - buf[0].At).Microseconds()) * 0.1715
}

func TestSonarMeasuresTheWallThatItFaces(t *testing.T) {
	b := kit(t, "freenove-4wd", 1)
	w := b.world
	wall := w.extent.x
	for _, gap := range []float64{100, 500, 1000} {
		b.Place(wall-115-gap, 0, 0)
		if mm := b.ping(); math.Abs(mm-gap) > 5+0.04*gap {
			t.Errorf("%.0f mm before the wall it measures %.0f", gap, mm)
		}
	}
	const nothing = 38000 * 0.1715
	b.Place(wall-700, 0, degrees(50)) // no ray of the cone meets the wall straight enough
	if mm := b.ping(); mm < 0.9*nothing && mm < 1500 {
		t.Errorf("hears %.0f mm from a wall at a slant", mm)
	}
	b.Place(0, 0, 0)
	w.servos[pan].at, w.servos[pan].target = degrees(60), degrees(60)
	left := b.ping()
	w.servos[pan].at, w.servos[pan].target = 0, 0
	if ahead := b.ping(); math.Abs(left-ahead) < 20 {
		t.Errorf("hears %.0f mm to the left and %.0f ahead", left, ahead)
	}
}

// A head that looks up no longer sees what lies on the floor before it.
func TestSonarOnARaisedHeadLooksOverACube(t *testing.T) {
	b := kit(t, "freenove-4wd", 1)
	w := b.world
	w.cubes[0] = cube{pose: pose(vec{115 + 300 + cubeMM/2, 0}, 0), present: true, backAt: never}
	if mm := b.ping(); math.Abs(mm-300) > 15 {
		t.Errorf("measures %.0f mm to a cube at 300", mm)
	}
	w.servos[head].at, w.servos[head].target = degrees(30), degrees(30)
	if mm := b.ping(); mm < 500 {
		t.Errorf("with the head up it measures %.0f mm", mm)
	}
}

// The battery as each kit's converter reads it: two cells at half of 5.2 V in 255 steps, three at a quarter of the ADS1115's 125 µV.
func TestKitsReadTheVoltageOfTheirCells(t *testing.T) {
	b := kit(t, "freenove-4wd", 1)
	r := make([]byte, 1)
	b.must(b.Bus(BusName, b.Clock).Tx(0x48, []byte{0x94}, r))
	if v := float64(r[0]) / 255 * 5.2 * 2; v < 7.0 || v > 8.4 {
		t.Errorf("freenove reads %.2f V", v)
	}
	b.must(b.Bus(BusName, b.Clock).Tx(0x48, []byte{0xF4}, r))
	if r[0] < 150 {
		t.Errorf("the converter answers %d to its maker's question, like a PCF8591", r[0])
	}
	b = kit(t, "jetbot", 1)
	if v := b.volts(b.adc(0x48), 0) * 4; v < 10.5 || v > 12.6 {
		t.Errorf("jetbot reads %.2f V", v)
	}
}

func TestEmptyBatteryOfAKitIsChanged(t *testing.T) {
	b := kit(t, "jetbot", 1)
	b.world.battery.charge = emptyUnits + 1
	b.after(time.Minute)
	if ratio := b.Stats().BatteryRatio; ratio < 0.9 {
		t.Errorf("charge is %.2f", ratio)
	}
}

// edited is a bench with a built-in robot whose file was changed.
func edited(t *testing.T, name, old, now string) bench {
	t.Helper()
	file := "robots/" + name + ".json"
	src, err := fs.ReadFile(resources.Embedded(), file)
	if err != nil || !strings.Contains(string(src), old) {
		t.Fatal(file, old, err)
	}
	p, diags := profile.Parse(file, []byte(strings.Replace(string(src), old, now, 1)), nil)
	if p == nil {
		t.Fatal(diags)
	}
	return newBench(t, Options{Profile: p, Seed: 1, Nobody: true, BatteryRatio: 0.5})
}

// The driver turns the sign of what a shunt between battery and robot measures, so the simulator must have put it there.
func TestShuntIsWhereTheProfileSays(t *testing.T) {
	for charges, sign := range map[string]float64{"true": -1, "false": 1} {
		b := edited(t, "sim", `"charges": true`, `"charges": `+charges)
		b.Place(0, 0, 0)
		b.Sleep(100 * time.Millisecond)
		battery := ina219.New(b.Bus(BusName, b.Clock), addrBattery, b.Clock, &hardware.Health{}, nil)
		b.must(battery.Init())
		b.Sleep(100 * time.Millisecond)
		if _, amps, err := battery.Read(); err != nil || amps*sign < idleAmps/2 {
			t.Errorf("off the charger, charges %s: %.3f A, %v", charges, amps, err)
		}
	}
}

func TestPanWithAPotentiometerTellsWhereItIs(t *testing.T) {
	b := edited(t, "freenove-4wd", `"high_us": 2056,`, `"high_us": 2056, "feedback": {"chip": "adc", "channel": 3, "low_V": 0.5, "high_V": 4.5, "fullScale_V": 5.2},`)
	b.world.servos[pan].at = degrees(30)
	r := make([]byte, 1)
	b.must(b.Bus(BusName, b.Clock).Tx(0x48, []byte{0x84 | 5<<4}, r))
	if v, want := float64(r[0])/255*5.2, 0.5+4.0*90/120; math.Abs(v-want) > 0.1 {
		t.Errorf("at 30° the potentiometer gives %.2f V, want %.2f", v, want)
	}
}
