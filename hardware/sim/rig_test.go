package sim

import (
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ads1115"
	"github.com/robotd/robotd/hardware/chip/ina219"
	"github.com/robotd/robotd/hardware/chip/mpu6x"
	"github.com/robotd/robotd/hardware/chip/pca9685"
	"github.com/robotd/robotd/hardware/chip/vl53l0x"
	"github.com/robotd/robotd/hardware/hwtest"
)

// bench is a rig with its clock and drivers.
type bench struct {
	*Rig
	*hwtest.Clock
	t *testing.T
}

func newBench(t *testing.T, opt Options) bench {
	opt.Now = epoch
	b := bench{New(opt), hwtest.NewClock(), t}
	b.SetNow(b.Clock.Now)
	return b
}

func (b bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// wake raises MOTOR_EN and starts a pulse without end.
func (b bench) wake() hardware.Line {
	b.t.Helper()
	enable, err := b.Rig.Lines().Output(lineEnable, true)
	b.must(err)
	b.world.supply.width = never / 2
	_, err = b.Rig.Lines().Output(lineBeat, true)
	b.must(err)
	return enable
}

// pwm is an initialized PWM chip.
func (b bench) pwm(addr uint16, hz float64) *pca9685.Dev {
	b.t.Helper()
	d := pca9685.New(b.Bus(BusName, b.Clock), addr, hz, b.Clock, &hardware.Health{})
	b.must(d.Init())
	return d
}

func (b bench) adc(addr uint16) *ads1115.Dev {
	b.t.Helper()
	d := ads1115.New(b.Bus(BusName, b.Clock), addr, b.Clock, &hardware.Health{}, nil)
	b.must(d.Init())
	return d
}

func (b bench) volts(d *ads1115.Dev, ch int) float64 {
	b.t.Helper()
	raw, err := d.Read(ch)
	b.must(err)
	return d.Volts(raw)
}

func TestWheelsTurnOnlyWithEnableAndCount(t *testing.T) {
	b := newBench(t, Options{Seed: 5, Nobody: true, EdgeCost: -1})
	wheels := b.pwm(addrWheels, 1526)
	left, err := b.Rig.Lines().Encoder(lineLeftA, lineLeftB, 4)
	b.must(err)
	b.must(wheels.Set(0, 2048, 0, 2048, 0))
	b.Sleep(500 * time.Millisecond)
	if n, _ := left.Count(); n != 0 || b.Stats().DistanceM != 0 {
		t.Errorf("moved %d counts with MOTOR_EN low", n)
	}
	enable := b.wake()
	b.Sleep(time.Second)
	n, ok := left.Count()
	mm := float64(n) / countsPerRev * math.Pi * wheelDiamMM
	if !ok || math.Abs(mm-110*(1-wheelLagS)) > 2 {
		t.Errorf("left wheel %.1f mm in 1 s at half duty", mm)
	}
	if d := b.Stats().DistanceM; math.Abs(d-mm/1000) > 0.002 {
		t.Errorf("drove %.4f m, encoder says %.4f", d, mm/1000)
	}
	b.must(enable.Set(false))
	b.Sleep(time.Second)
	stopped, _ := left.Count()
	b.Sleep(time.Second)
	if n, _ := left.Count(); n != stopped {
		t.Error("turns on without power")
	}
	b.must(wheels.Set(0, 0, 1024, 0, 1024))
	b.must(enable.Set(true))
	b.Sleep(time.Second)
	if n, _ := left.Count(); n >= stopped {
		t.Error("IN2 does not drive backward")
	}
}

func TestServosMoveAndReportByTheirPots(t *testing.T) {
	b := newBench(t, Options{OscillatorHz: 25e6, Spread: -1})
	servos, pots := b.pwm(addrServos, 50), b.adc(addrFeedback)
	b.must(servos.Set(0, 4096*2/20, 4096*3/2/20)) // 2 ms and 1.5 ms
	b.Sleep(50 * time.Millisecond)
	if v := b.volts(pots, 0); v > 2.8 {
		t.Errorf("head jumped to %.2f V", v)
	}
	b.Sleep(time.Second)
	if v := b.volts(pots, 0); math.Abs(v-3.0) > 0.03 {
		t.Errorf("head at %.3f V, want 3.0: +45°", v)
	}
	if v := b.volts(pots, 1); math.Abs(v-1.65) > 0.03 {
		t.Errorf("lift at %.3f V, want 1.65: half way", v)
	}
}

func TestSensorsSeeThePickUp(t *testing.T) {
	b := newBench(t, Options{Seed: 2})
	cliff := b.adc(addrCliff)
	imu := mpu6x.New(b.Bus(BusName, b.Clock), addrIMU, b.Clock, &hardware.Health{}, nil)
	b.must(imu.Init())
	tilt := func() float64 {
		raw, err := imu.Read()
		b.must(err)
		x := float64(int16(raw[0])<<8 | int16(raw[1]))
		z := float64(int16(raw[4])<<8 | int16(raw[5]))
		return math.Atan2(x, z)
	}
	for ch := range 4 {
		if v := b.volts(cliff, ch); math.Abs(v-2.4) > 0.2 {
			t.Errorf("cliff %d reads %.2f V on the charger", ch, v)
		}
	}
	if a := tilt(); math.Abs(a+degrees(7)) > 0.03 {
		t.Errorf("pitch %.3f rad on the charger, want -7°", a)
	}
	b.PickUp()
	b.Sleep(time.Second)
	for ch := range 4 {
		if v := b.volts(cliff, ch); v > 0.2 {
			t.Errorf("cliff %d reads %.2f V in the air", ch, v)
		}
	}
	if a := tilt(); a < 0.15 {
		t.Errorf("pitch %.3f rad in hand", a)
	}
	if s := b.Stats(); s.OnContacts || !s.Held || !b.View().Robot.Held {
		t.Errorf("held: %+v", s)
	}
	b.PutDownHere()
	if s := b.Stats(); !s.OnContacts || s.Held || s.Dockings != 0 {
		t.Errorf("put back: %+v", s)
	}
}

func TestBatteryRangeAndLinesReachTheBoard(t *testing.T) {
	b := newBench(t, Options{Seed: 4, BatteryRatio: 0.5, Nobody: true})
	battery := ina219.New(b.Bus(BusName, b.Clock), addrBattery, b.Clock, &hardware.Health{}, nil)
	b.must(battery.Init())
	tof := vl53l0x.New(b.Bus(BusName, b.Clock), addrRange, b.Clock, &hardware.Health{}, nil)
	b.must(tof.Init())
	present, err := b.Rig.Lines().Input(linePresent)
	b.must(err)
	status, err := b.Rig.Lines().Input(lineStatus)
	b.must(err)
	level := func(l hardware.Line) bool {
		high, err := l.Get()
		b.must(err)
		return high
	}
	b.Sleep(100 * time.Millisecond)
	_, amps, err := battery.Read()
	b.must(err)
	if math.Abs(amps-chargingAmps) > 0.05 || !level(present) || level(status) {
		t.Errorf("charging: %.3f A, present %v, status high %v", amps, level(present), level(status))
	}
	b.Sleep(2 * time.Minute)
	if volts, _, err := battery.Read(); err != nil || !level(status) || math.Abs(volts-4.2) > 0.02 {
		t.Errorf("charged: %.3f V, status high %v, %v", volts, level(status), err)
	}
	v := b.View()
	b.Place(v.Charger.XMM+250*math.Cos(v.Charger.HeadingRad), v.Charger.YMM+250*math.Sin(v.Charger.HeadingRad), v.Charger.HeadingRad+math.Pi)
	b.Sleep(100 * time.Millisecond)
	if _, amps, err = battery.Read(); err != nil || amps > -idleAmps/2 || level(present) {
		t.Errorf("off the charger: %.3f A, present %v, %v", amps, level(present), err)
	}
	b.must(tof.Start())
	b.Sleep(100 * time.Millisecond)
	m, err := tof.Result()
	want := 250 - bodyFront + chargerLength/2 - blockLength
	if err != nil || m.Status.Class() != vl53l0x.Valid || math.Abs(float64(m.MM)-want) > 0.05*want {
		t.Errorf("range to the charger's block %+v, %v; want about %.0f", m, err, want)
	}
}

func TestTouchAndLightsReachTheirChips(t *testing.T) {
	b := newBench(t, Options{})
	touch, err := b.Rig.Lines().Input(lineTouch)
	b.must(err)
	b.Touch(300 * time.Millisecond)
	if high, _ := touch.Get(); !high {
		t.Error("no touch")
	}
	b.Sleep(302 * time.Millisecond)
	if high, _ := touch.Get(); high {
		t.Error("touch does not end")
	}
	b.must(b.pwm(addrLights, 500).Set(3, 4096, 0, 2048))
	if c := b.Lights(); c[1] != (hardware.RGB{R: 255, B: 128}) || c[0] != (hardware.RGB{}) {
		t.Errorf("lights %v", c)
	}
}

func TestDisplayPortShowsFrames(t *testing.T) {
	b := newBench(t, Options{})
	dc, err := b.Rig.Lines().Output(linePanelDC, false)
	b.must(err)
	port, err := b.SPI("face")
	b.must(err)
	conn, err := port.Connect(8*physic.MegaHertz, spi.Mode0, 8)
	b.must(err)
	b.must(conn.Tx([]byte{0x8D, 0x14, 0x20, 0x00, 0xA1, 0xC8, 0xA4, 0xAF}, nil))
	b.must(b.Pin(dc).Out(true))
	b.must(conn.Tx(make([]byte, 1024), nil))
	if bits, on := b.Frame(); !on || bits != [1024]byte{} {
		t.Errorf("display on %v", on)
	}
}

func TestUnknownBusFailsWithENODEV(t *testing.T) {
	err := newBench(t, Options{}).Bus("i2c7", nil).Tx(addrIMU, []byte{0x75}, make([]byte, 1))
	if hardware.CauseOfErrno(err) != hardware.CauseGone {
		t.Errorf("err = %v", err)
	}
}

func TestRigsOfOneSeedAgreeDespiteExtraReads(t *testing.T) {
	run := func(extra bool) (View, Stats, hardware.Detections) {
		b := newBench(t, Options{Seed: 9, StartOffCharger: true})
		wheels := b.pwm(addrWheels, 1526)
		b.wake()
		b.must(wheels.Set(0, 2000, 0, 1500, 0))
		for k := range 400 {
			b.Sleep(17 * time.Millisecond)
			if k%6 == 0 {
				b.Detect(b.Now())
			}
			if extra {
				b.View()
				b.Detect(b.Now())
			}
		}
		b.ShowFace("Eve", time.Minute)
		return b.View(), b.Stats(), b.Detect(b.Now())
	}
	v1, s1, d1 := run(false)
	v2, s2, d2 := run(true)
	if !reflect.DeepEqual(v1, v2) || s1 != s2 || !reflect.DeepEqual(d1, d2) {
		t.Errorf("runs differ:\n%+v %+v %+v\n%+v %+v %+v", v1, s1, d1, v2, s2, d2)
	}
}

func TestRigIsSafeForConcurrentUse(t *testing.T) {
	b := newBench(t, Options{StartOffCharger: true})
	wheels := b.pwm(addrWheels, 1526)
	enc, err := b.Rig.Lines().Encoder(lineRightA, lineRightB, 4)
	b.must(err)
	enable := b.wake()
	jobs := []func(i int){
		func(i int) { _ = wheels.Set(0, uint16(i*40), 0, uint16(i*30), 0) },
		func(i int) { b.Sleep(3 * time.Millisecond); enc.Count() },
		func(i int) { _ = enable.Set(i%3 > 0) },
		func(i int) { b.View(); b.Detect(b.Now()) },
		func(i int) { _ = b.Rig.Fault(FaultEnable, KindUnplug, 5*time.Millisecond); b.Faults() },
		func(i int) { _ = b.Rig.Fault(hardware.Motors, KindBrownout, 0); b.ClearFaults() },
		func(i int) { b.PickUp(); b.PutDownHere() },
	}
	var wg sync.WaitGroup
	for _, job := range jobs {
		wg.Go(func() {
			for i := range 50 {
				job(i)
			}
		})
	}
	wg.Wait()
	if b.Stats().Held {
		t.Error("still held")
	}
}

func BenchmarkSensorRead(b *testing.B) {
	r := New(Options{Now: epoch})
	for b.Loop() {
		r.ranged()
	}
}
