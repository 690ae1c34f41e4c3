package device_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/hardware/simtest"
)

// The reference robot and two of its lines.
var (
	r1         = profile.R1()
	lineEnable = r1.Drive.Enable
	lineBeat   = r1.Drive.Beat
)

// bench is a simulated robot with its devices on a virtual clock.
type bench struct {
	t      *testing.T
	clk    *hwtest.Clock
	rig    *sim.Rig
	bus    *emul.Bus
	board  device.Board
	safety *device.Safety
	enable *spyLines
}

// spyLines remembers the level of MOTOR_EN as last driven, where a released or vanished line is low by its pull, and counts the
// rising edges of MOTOR_BEAT.
type spyLines struct {
	hardware.Lines
	high  bool
	clk   hardware.Clock
	fell  time.Time // when it last went from high to low
	beats int
	beat  bool // level of MOTOR_BEAT
}

type beatLine struct {
	hardware.Line
	spy *spyLines
}

func (l beatLine) Set(high bool) error {
	if l.spy.beat = high; high {
		l.spy.beats++
	}
	return l.Line.Set(high)
}

type spyLine struct {
	hardware.Line
	spy *spyLines
}

func (s *spyLines) Output(name string, initial bool) (hardware.Line, error) {
	l, err := s.Lines.Output(name, initial)
	switch {
	case err != nil:
		return nil, err
	case name == lineBeat:
		return beatLine{l, s}, nil
	case name != lineEnable:
		return l, nil
	}
	s.high = initial
	return spyLine{l, s}, nil
}

func (l spyLine) Set(high bool) error {
	err := l.Line.Set(high)
	if l.spy.high && !high {
		l.spy.fell = l.spy.clk.Now()
	}
	l.spy.high = high && err == nil
	return err
}

func (l spyLine) Close() error {
	l.spy.high = false
	return l.Line.Close()
}

func newBench(t *testing.T, opt sim.Options) *bench {
	t.Helper()
	b := &bench{t: t}
	b.rig, b.clk = simtest.NewRig(opt)
	b.enable = &spyLines{Lines: b.rig.Lines(), clk: b.clk}
	b.bus = b.rig.Bus(sim.BusName, nil).(*emul.Bus)
	b.board = simtest.Board(b.rig)
	b.board.Lines = b.enable
	b.safety = device.NewSafety(b.board.Lines)
	return b
}

// middle is a robot that stands free on the table, alone.
func middle(t *testing.T) *bench {
	b := newBench(t, sim.Options{Seed: 7, StartOffCharger: true, Nobody: true})
	b.rig.Place(0, 0, 0)
	return b
}

func (b *bench) device(name string) hardware.Device {
	b.t.Helper()
	d, err := device.New(name, b.board, b.safety, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return d
}

// runner opens the named devices and lets them run for a while.
func (b *bench) runner(names ...string) *hwtest.Runner {
	b.t.Helper()
	var all []hardware.Device
	for _, n := range names {
		all = append(all, b.device(n))
	}
	r := hwtest.NewRunner(b.clk, all...)
	if err := r.Open(); err != nil {
		b.t.Fatal(err)
	}
	r.Run(200*time.Millisecond, nil)
	return r
}

func (b *bench) apply(d hardware.Device, c hardware.Command) {
	b.t.Helper()
	if err := d.Apply(b.clk.Now(), c); err != nil {
		b.t.Fatalf("Apply %+v: %v", c, err)
	}
}

func (b *bench) fault(device, kind string) {
	b.t.Helper()
	if err := b.rig.Fault(device, kind, 0); err != nil {
		b.t.Fatal(err)
	}
}
