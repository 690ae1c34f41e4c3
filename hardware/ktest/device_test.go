//go:build kernel

package ktest

import (
	"errors"
	"maps"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/linux"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// Lines of R1 on the bridge's pins. Those that are read come last.
var onPins = []string{"MOTOR_EN", "MOTOR_BEAT", "OLED_DC", "MOTOR_ON", "TOUCH", "PWR_BTN", "CHG_PRESENT", "CHG_STAT"}

const firstInput = 3

// robot is R1, simulated, behind a bridge: its bus and eight of its lines reach the devices through the kernel. Encoders do not, since the
// bridge's driver looks at the pins every 40 ms only, and there is no SPI port.
type robot struct {
	t       *testing.T
	rig     *sim.Rig
	bridge  *bridge
	host    *linux.Host
	devices map[string]hardware.Device
	due     map[string]time.Time
	samples map[string]int
	errs    map[string][]error
	snap    hardware.Snapshot
}

func newRobot(t *testing.T, names ...string) *robot {
	t.Helper()
	rig := sim.New(sim.Options{Seed: 1, Now: time.Now(), StartOffCharger: true, Nobody: true})
	rig.SetNow(time.Now)
	br, node := plug(t, rig.Bus(sim.BusName, nil))
	connect(t, br.pins, rig.Lines())

	p := *profile.R1()
	p.Buses = map[string]profile.Bus{"main": {Device: node}}
	p.Lines = maps.Clone(p.Lines)
	for pin, name := range onPins {
		p.Lines[name] = profile.Line{Chip: chipOf(t, node), Offset: pin, Pull: p.Lines[name].Pull}
	}
	host, err := linux.Open(&p)
	must(t, err)
	t.Cleanup(func() { host.Close() })
	board := device.Board{
		Bus:   func(clk hardware.Clock) i2c.Bus { return host.Bus("main", clk) },
		Lines: mixed{host.Lines(), rig.Lines()}, SPI: rig.SPI, Pin: host.Pin, Detect: rig.Detect, Temperatures: host.Temperatures, Profile: &p,
	}
	r := &robot{
		t: t, rig: rig, bridge: br, host: host,
		devices: map[string]hardware.Device{}, due: map[string]time.Time{}, samples: map[string]int{}, errs: map[string][]error{},
	}
	safety := device.NewSafety(board.Lines)
	for _, name := range names {
		d, err := device.New(name, board, safety, nil)
		must(t, err)
		if err := d.Open(realClock{}); err != nil {
			t.Fatalf("open %s: %v", name, err)
		}
		r.devices[name], r.due[name] = d, time.Now()
		t.Cleanup(func() { _ = d.Halt() })
	}
	return r
}

// connect wires the pins to the robot's lines.
func connect(t *testing.T, p *pins, l hardware.Lines) {
	t.Helper()
	inputs := map[int]hardware.Line{}
	for pin := firstInput; pin < len(onPins); pin++ {
		in, err := l.Input(onPins[pin])
		must(t, err)
		inputs[pin] = in
	}
	var mu sync.Mutex
	outputs := map[int]hardware.Line{}
	p.sense = func(pin int) bool {
		in := inputs[pin]
		if in == nil {
			return false
		}
		high, err := in.Get()
		return high && err == nil
	}
	p.drive = func(pin int, output, high bool) {
		mu.Lock()
		defer mu.Unlock()
		line := outputs[pin]
		switch {
		case pin >= firstInput:
		case line == nil && output:
			outputs[pin], _ = l.Output(onPins[pin], high) // nobody else requests it
		case output:
			_ = line.Set(high)
		case line != nil:
			_ = line.Close()
			delete(outputs, pin)
		}
	}
}

// mixed are the lines that the pins carry, and the others as they are.
type mixed struct {
	hardware.Lines // of the kernel
	rest           hardware.Lines
}

func (m mixed) of(name string) hardware.Lines {
	if slices.Contains(onPins, name) {
		return m.Lines
	}
	return m.rest
}

func (m mixed) Output(name string, initial bool) (hardware.Line, error) {
	return m.of(name).Output(name, initial)
}
func (m mixed) Input(name string) (hardware.Line, error) { return m.of(name).Input(name) }
func (m mixed) Encoder(a, b string, edges int) (hardware.Encoder, error) {
	return m.rest.Encoder(a, b, edges)
}

// run polls each device at its period for d, or until stop.
func (r *robot) run(d time.Duration, stop func() bool) {
	end := time.Now().Add(d)
	names := slices.Sorted(maps.Keys(r.devices))
	for {
		next := slices.MinFunc(names, func(a, b string) int { return r.due[a].Compare(r.due[b]) })
		if r.due[next].After(end) {
			return
		}
		realClock{}.Sleep(time.Until(r.due[next]))
		r.poll(next)
		if stop != nil && stop() {
			return
		}
	}
}

func (r *robot) poll(name string) {
	now := time.Now()
	s, err := r.devices[name].Poll(now)
	s.Device, s.At = name, now
	r.due[name] = now.Add(r.devices[name].Period())
	if err != nil {
		r.errs[name] = append(r.errs[name], err)
		s.Quality = hardware.Failed
	}
	if s.Quality == hardware.OK {
		r.samples[name]++
	}
	r.snap.Put(&s)
}

// onBus are the devices that use the bus or a line of the bridge.
var onBus = []string{
	hardware.Battery, hardware.Charger, hardware.Cliff, hardware.Display, hardware.IMU, hardware.Lights, hardware.Motors, hardware.Range, hardware.Servos, hardware.Touch,
}

func TestEveryDeviceLivesOnTheKernelsBus(t *testing.T) {
	r := newRobot(t, onBus...)
	r.run(3*time.Second, nil)
	for _, name := range onBus {
		if len(r.errs[name]) > 0 || r.samples[name] < 10 {
			t.Errorf("%s: %d good samples, errors %v", name, r.samples[name], r.errs[name])
		}
	}
	s := &r.snap
	if v := s.Battery.Value.Volts; v < 3.3 || v > 4.3 {
		t.Errorf("battery at %g V", v)
	}
	if a := s.IMU.Value.AccelMMPS2; math.Abs(math.Hypot(math.Hypot(a[0], a[1]), a[2])-9810) > 300 {
		t.Errorf("acceleration %v at rest", a)
	}
	for i, c := range s.Cliff.Value.Detected {
		if c {
			t.Errorf("cliff %d in the middle of the table", i)
		}
	}
	if s.Charger.Value.OnContacts || s.Touch.Value.Touched {
		t.Errorf("charger %+v, touch %+v", s.Charger.Value, s.Touch.Value)
	}
	st := r.host.I2C("main").Stats()
	t.Logf("samples %v", r.samples)
	t.Logf("bus: %+v, busy %.0f %%", st, 100*st.Busy.Seconds()/3)
}

func TestRobotDrivesAStretchThroughTheKernel(t *testing.T) {
	r := newRobot(t, hardware.Cliff, hardware.Motors)
	r.run(200*time.Millisecond, nil)
	before := r.rig.View().Robot
	m := r.devices[hardware.Motors]
	for range 60 {
		must(t, m.Apply(time.Now(), hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 60, SpeedMMPS: 60}))
		r.run(100*time.Millisecond, func() bool {
			return r.snap.Motors.Value.Segment == 1 && r.snap.Motors.Value.Phase != hardware.PhaseMoving
		})
		if r.snap.Motors.Value.Phase != hardware.PhaseMoving {
			break
		}
	}
	r.run(200*time.Millisecond, nil)
	after := r.rig.View().Robot
	went := math.Hypot(after.XMM-before.XMM, after.YMM-before.YMM)
	t.Logf("went %.1f mm; %+v; errors %v", went, r.snap.Motors.Value, r.errs)
	if r.snap.Motors.Value.Phase != hardware.PhaseDone || math.Abs(went-60) > 4 {
		t.Errorf("went %.1f mm of 60: %+v, errors %v", went, r.snap.Motors.Value, r.errs)
	}
}

func TestWheelsStandWhenTheirBridgeIsUnplugged(t *testing.T) {
	r := newRobot(t, hardware.Cliff, hardware.Motors)
	r.run(200*time.Millisecond, nil)
	m := r.devices[hardware.Motors]
	moving := func() bool { return r.snap.Motors.Value.LeftMMPS > 20 }
	for range 20 {
		must(t, m.Apply(time.Now(), hardware.Drive{ID: 1, Kind: hardware.Wheels, LeftMMPS: 40, RightMMPS: 40}))
		if r.run(100*time.Millisecond, moving); moving() {
			break
		}
	}
	if !moving() {
		t.Fatalf("%+v, %v", r.snap.Motors.Value, r.errs)
	}
	away := make(chan struct{})
	go func() {
		r.bridge.unplug()
		close(away)
	}()
	r.run(300*time.Millisecond, func() bool { return len(r.errs[hardware.Motors]) > 0 })
	if err := errors.Join(r.errs[hardware.Motors]...); hardware.Classify(err) != hardware.CauseGone {
		t.Errorf("motors report %v", err)
	}
	for _, d := range r.devices {
		_ = d.Halt() // as far as the hardware allows
	}
	<-away
	realClock{}.Sleep(600 * time.Millisecond) // the one-shot's longest pulse, and the wheels run down
	before := r.rig.View().Robot
	realClock{}.Sleep(200 * time.Millisecond)
	after := r.rig.View().Robot
	if went := math.Hypot(after.XMM-before.XMM, after.YMM-before.YMM); went > 0.1 {
		t.Errorf("the wheels still turn: %.1f mm in 200 ms", went)
	}
}
