package emul

import (
	"errors"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/gpio"

	"github.com/robotd/robotd/hardware"
)

func output(t *testing.T, l *Lines, name string, initial bool) hardware.Line {
	t.Helper()
	out, err := l.Output(name, initial)
	must(t, err)
	return out
}

func TestOutputFallsBackToItsPullWhenClosed(t *testing.T) {
	l := NewLines()
	l.Pull("RST", true)
	for name, pull := range map[string]bool{"MOTOR_EN": false, "RST": true} {
		out := output(t, l, name, !pull)
		if l.Level(name) == pull {
			t.Fatalf("%s: initial level not driven", name)
		}
		must(t, out.Close())
		must(t, out.Close())
		if l.Level(name) != pull {
			t.Fatalf("%s: released at %v", name, !pull)
		}
		if err := out.Set(true); !errors.Is(err, os.ErrClosed) {
			t.Fatalf("set after close: %v", err)
		}
	}
}

func TestSecondRequestOfALineFails(t *testing.T) {
	l := NewLines()
	out := output(t, l, "X", false)
	_, err := l.Input("X")
	wantErrno(t, err, syscall.EBUSY)
	_, err = l.Output("X", true)
	wantErrno(t, err, syscall.EBUSY)
	if l.Level("X") {
		t.Fatal("a refused request changed the level")
	}
	must(t, out.Close())
	in, err := l.Input("X")
	must(t, err)
	must(t, out.Close()) // does not take it from its new owner
	_, err = in.Get()
	must(t, err)
	_, err = l.Input("X")
	wantErrno(t, err, syscall.EBUSY)
}

// A change made while the world still handles the one before is handled after it, not inside.
func TestOutputChangesArriveInOrder(t *testing.T) {
	l := NewLines()
	var out hardware.Line
	var handled []bool
	l.OnOutput("X", func(level bool) {
		if level {
			must(t, out.Set(false))
		}
		handled = append(handled, level)
	})
	out = output(t, l, "X", false)
	must(t, out.Set(true))
	if len(handled) != 2 || !handled[0] || handled[1] {
		t.Fatalf("handled %v", handled)
	}
}

func TestInputReadsWorldLevelOrPull(t *testing.T) {
	l := NewLines()
	l.Pull("MOTOR_FAULT", true)
	in, err := l.Input("MOTOR_FAULT")
	must(t, err)
	level := func() bool {
		v, err := in.Get()
		must(t, err)
		return v
	}
	if !level() {
		t.Fatal("pull-up reads low")
	}
	l.SetInput("MOTOR_FAULT", false)
	if level() {
		t.Fatal("driven low, reads high")
	}
	wantErrno(t, in.Set(true), syscall.EPERM)
	if in.Name() != "MOTOR_FAULT" {
		t.Fatal(in.Name())
	}
}

func TestUnpluggedLineInvalidatesItsHandle(t *testing.T) {
	l := NewLines()
	var seen []bool
	l.OnOutput("MOTOR_EN", func(level bool) { seen = append(seen, level) })
	out := output(t, l, "MOTOR_EN", true)
	l.Unplug("MOTOR_EN", true)
	wantErrno(t, out.Set(true), syscall.ENODEV)
	_, err := out.Get()
	wantErrno(t, err, syscall.ENODEV)
	_, err = l.Output("MOTOR_EN", true)
	wantErrno(t, err, syscall.ENODEV)
	l.Unplug("MOTOR_EN", false)
	wantErrno(t, out.Set(true), syscall.ENODEV) // for good
	again := output(t, l, "MOTOR_EN", true)
	must(t, again.Close())
	if want := []bool{true, false, true, false}; !slices.Equal(seen, want) {
		t.Fatalf("the world saw %v, want %v", seen, want)
	}
}

func TestStuckLineKeepsItsLevel(t *testing.T) {
	l := NewLines()
	in, err := l.Input("TOUCH")
	must(t, err)
	l.Stuck("TOUCH", true, true)
	l.SetInput("TOUCH", false)
	if v, _ := in.Get(); !v {
		t.Fatal("stuck high, reads low")
	}
	l.Stuck("TOUCH", true, false)
	if v, _ := in.Get(); v {
		t.Fatal("healed, still high")
	}
	out := output(t, l, "EN", true)
	l.Stuck("EN", false, true)
	must(t, out.Set(true))
	if l.Level("EN") {
		t.Fatal("an output won against a short circuit")
	}
}

func TestOnOutputReportsChangesOnly(t *testing.T) {
	l := NewLines()
	n := 0
	l.OnOutput("X", func(bool) { n++ })
	out := output(t, l, "X", false)
	must(t, out.Set(false))
	if n != 0 {
		t.Fatalf("%d calls without a change", n)
	}
	must(t, out.Set(true))
	if n != 1 {
		t.Fatalf("%d calls after one change", n)
	}
	l.OnOutput("X", nil)
	must(t, out.Set(false))
	if n != 1 {
		t.Fatal("called after removal")
	}
}

func TestOutputPanicDoesNotMuteTheLine(t *testing.T) {
	l := NewLines()
	broken, calls := true, 0
	l.OnOutput("X", func(bool) {
		calls++
		if broken {
			panic("world")
		}
	})
	out := output(t, l, "X", false)
	func() {
		defer func() { _ = recover() }()
		_ = out.Set(true)
	}()
	broken = false
	must(t, out.Set(false))
	if calls != 2 {
		t.Fatalf("%d calls", calls)
	}
}

func TestEncoderCountsOnlyWhileIntact(t *testing.T) {
	l := NewLines()
	l.Shaft("A").Turn(100, 0) // without a listener
	e, err := l.Encoder("A", "B", 4)
	must(t, err)
	count := func(want int64, whole bool) {
		t.Helper()
		if n, ok := e.Count(); n != want || ok != whole {
			t.Fatalf("count %d %v, want %d %v", n, ok, want, whole)
		}
	}
	l.Shaft("A").Turn(10, 0)
	l.Shaft("A").Turn(-3, 0)
	l.Shaft("B").Turn(50, 0) // line B carries no counts
	count(7, true)
	l.FreezeEncoder("A", true)
	l.Shaft("A").Turn(5, 0)
	l.FreezeEncoder("A", false)
	l.Stuck("B", true, true)
	l.Shaft("A").Turn(5, 0)
	l.Stuck("B", true, false)
	count(7, true)
	l.LoseEdges("A", 2)
	l.Shaft("A").Turn(1, 0)
	count(6, false)
	must(t, e.Close())
	must(t, e.Close())
	l.Shaft("A").Turn(5, 0)

	e, err = l.Encoder("A", "B", 4)
	must(t, err)
	count(0, true)
	l.Unplug("B", true)
	l.Shaft("A").Turn(5, 0)
	count(0, false)
}

func TestEncoderTakesBothLinesOrNone(t *testing.T) {
	l := NewLines()
	out := output(t, l, "B", false)
	_, err := l.Encoder("A", "B", 4)
	wantErrno(t, err, syscall.EBUSY)
	_, err = l.Encoder("A", "A", 4)
	wantErrno(t, err, syscall.EBUSY)
	must(t, out.Close())
	e, err := l.Encoder("A", "B", 4)
	must(t, err)
	_, err = l.Input("B")
	wantErrno(t, err, syscall.EBUSY)
	must(t, e.Close())
}

func TestPinIsAnOutputOnly(t *testing.T) {
	l := NewLines()
	p := Pin(output(t, l, "DC", false))
	must(t, p.Out(gpio.High))
	if !l.Level("DC") || p.Name() != "DC" || p.String() != "DC" || p.Number() != -1 {
		t.Fatal("pin does not show its line")
	}
	wantErrno(t, p.PWM(gpio.DutyHalf, 0), syscall.EOPNOTSUPP)
	must(t, p.Halt())
	if !l.Level("DC") {
		t.Fatal("Halt changed the level")
	}
}

// The world takes its lock in the callback, and holds it while it talks to the lines: neither may wait for the other,
// and the last delivered level must be the final one.
func TestLinesHoldNoLockWhileCallingTheWorld(t *testing.T) {
	var world sync.Mutex
	var enabled bool
	l := NewLines()
	l.OnOutput("EN", func(level bool) {
		world.Lock()
		defer world.Unlock()
		enabled = level
	})
	out := output(t, l, "EN", false)
	e, err := l.Encoder("A", "B", 4)
	must(t, err)
	const rounds = 2000
	var wg sync.WaitGroup
	for g := range 2 { // driver and safe stop
		wg.Go(func() {
			for i := range rounds {
				if err := out.Set(i%2 == g); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range rounds {
		world.Lock()
		l.Shaft("A").Turn(1, 0)
		l.SetInput("TOUCH", i%2 == 0)
		l.Level("EN")
		world.Unlock()
	}
	wg.Wait()
	if enabled != l.Level("EN") {
		t.Fatalf("the world believes %v, the line is %v", enabled, l.Level("EN"))
	}
	if n, _ := e.Count(); n != rounds {
		t.Fatalf("%d counts", n)
	}
}

func BenchmarkLineSet(b *testing.B) {
	l := NewLines()
	l.OnOutput("EN", func(bool) {})
	out, err := l.Output("EN", false)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := out.Set(i%2 == 0); err != nil {
			b.Fatal(err)
		}
	}
}
