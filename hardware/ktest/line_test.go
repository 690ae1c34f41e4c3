//go:build kernel

package ktest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/linux"
)

// chipOf is the GPIO chip of the bridge at an I²C node: it hangs on the same device.
func chipOf(t *testing.T, node string) string {
	t.Helper()
	all, _ := filepath.Glob("/sys/bus/i2c/devices/" + filepath.Base(node) + "/device/gpiochip*")
	if i := slices.IndexFunc(all, func(p string) bool { return !strings.Contains(p, "gpio/") }); i >= 0 {
		return filepath.Base(all[i])
	}
	parent, err := filepath.EvalSymlinks("/sys/bus/i2c/devices/" + filepath.Base(node) + "/..")
	must(t, err)
	all, _ = filepath.Glob(parent + "/gpiochip*")
	if len(all) != 1 {
		t.Fatalf("GPIO chips of %s: %v", parent, all)
	}
	return filepath.Base(all[0])
}

// lines are those of a new bridge, P0 to P7 by offset.
func lines(t *testing.T, change func(c []linux.LineConfig)) (*bridge, *linux.Lines) {
	t.Helper()
	br, node := plug(t, emul.NewBus("empty", nil, 1))
	chip := chipOf(t, node)
	conf := make([]linux.LineConfig, 8)
	for i := range conf {
		conf[i] = linux.LineConfig{Name: fmt.Sprintf("P%d", i), Chip: chip, Offset: i}
	}
	if change != nil {
		change(conf)
	}
	return br, linux.NewLines("robotd", conf)
}

func TestOutputDrivesItsPinFromTheRequestOn(t *testing.T) {
	br, l := lines(t, nil)
	for _, initial := range []bool{false, true} {
		br.pins.sets = nil
		line, err := l.Output("P3", initial)
		must(t, err)
		if out, high := br.pins.driven(3); !out || high != initial {
			t.Errorf("requested as %t: output %t, high %t", initial, out, high)
		}
		for _, s := range br.pins.sets { // a glitch is a level that nobody asked for
			if (s != 0) != initial {
				t.Errorf("requested as %t: the kernel set %#x", initial, br.pins.sets)
			}
		}
		for _, high := range []bool{true, false, true} {
			must(t, line.Set(high))
			if _, is := br.pins.driven(3); is != high {
				t.Errorf("set %t, the pin is %t", high, is)
			}
			if got, err := line.Get(); err != nil || got != high {
				t.Errorf("set %t, read %t (%v)", high, got, err)
			}
		}
		must(t, line.Close())
		must(t, line.Close())
		if out, _ := br.pins.driven(3); out {
			t.Error("after Close the pin is still driven: its pull cannot decide")
		}
		if err := line.Set(true); !errors.Is(err, os.ErrClosed) {
			t.Errorf("set after Close: %v", err)
		}
	}
}

func TestInputReadsItsPinAndCannotBeSet(t *testing.T) {
	br, l := lines(t, func(c []linux.LineConfig) { c[1].ActiveLow = true; c[0].Bias = linux.PullUp; c[1].Bias = linux.NoPull })
	for i, activeLow := range []bool{false, true} {
		line, err := l.Input(fmt.Sprintf("P%d", i))
		must(t, err)
		for _, high := range []bool{true, false, true} {
			br.pins.put(i, high)
			if got, err := line.Get(); err != nil || got != (high != activeLow) {
				t.Errorf("pin %t, active low %t: read %t (%v)", high, activeLow, got, err)
			}
		}
		if err := line.Set(true); !errors.Is(err, syscall.EPERM) {
			t.Errorf("set an input: %v", err)
		}
		must(t, line.Close())
	}
}

func TestActiveLowOutputStartsAtTheLevelThatMeansNo(t *testing.T) {
	br, l := lines(t, func(c []linux.LineConfig) { c[2].ActiveLow = true })
	line, err := l.Output("P2", false)
	must(t, err)
	defer line.Close()
	if out, high := br.pins.driven(2); !out || !high {
		t.Errorf("output %t, high %t", out, high)
	}
	for _, s := range br.pins.sets {
		if s == 0 {
			t.Errorf("the pin was low for a moment: %v", br.pins.sets)
		}
	}
}

func TestLineThatIsTakenNamesItsHolder(t *testing.T) {
	_, l := lines(t, nil)
	line, err := l.Input("P5")
	must(t, err)
	for _, again := range []func() error{
		func() error { _, err := l.Output("P5", false); return err },
		func() error { _, err := l.Edges("P5"); return err },
		func() error { _, err := l.Encoder("P4", "P5", 4); return err },
	} {
		err := again()
		if !errors.Is(err, syscall.EBUSY) || !strings.Contains(err.Error(), `line 5, which "robotd" holds`) {
			t.Errorf("%v", err)
		}
	}
	must(t, line.Close())
	line, err = l.Output("P5", false)
	must(t, err)
	line.Close()
}

func TestUnknownLineIsGone(t *testing.T) {
	_, l := lines(t, nil)
	for _, name := range []string{"GPIO17", "MOTOR_EN"} {
		_, err := l.Input(name)
		if hardware.Classify(err) != hardware.CauseGone {
			t.Errorf("%v", err)
		}
		t.Log(err)
	}
}

// The driver of the CP2112 polls its pins, every 40 ms on this kernel.
const poll = 60 * time.Millisecond

func TestEdgesHaveTimesAndNumbers(t *testing.T) {
	br, l := lines(t, nil)
	e, err := l.Edges("P6")
	must(t, err)
	defer e.Close()
	var got []hardware.Edge
	buf := make([]hardware.Edge, 4)
	for i := range 6 {
		begin := time.Now()
		br.pins.put(6, i%2 == 0)
		must(t, within(time.Second, "the edge is seen", func() bool {
			n, err := e.Take(buf)
			must(t, err)
			got = append(got, buf[:n]...)
			return len(got) == i+1
		}))
		if high, err := e.Get(); err != nil || high != (i%2 == 0) {
			t.Errorf("level %t (%v)", high, err)
		}
		t.Logf("edge %+v after %v", got[i], time.Since(begin))
	}
	for i, g := range got {
		if g.Rising != (i%2 == 0) || g.Seq != uint32(i+1) || i > 0 && g.At <= got[i-1].At {
			t.Errorf("edge %d is %+v", i, g)
		}
	}
}

func TestKernelDropsTheOldestEdgesAndTheGapShows(t *testing.T) {
	br, l := lines(t, nil)
	e, err := l.Edges("P6")
	must(t, err)
	defer e.Close()
	const edges = hardware.EdgeQueue + 4
	for i := range edges {
		br.pins.put(6, i%2 == 0)
		<-time.After(poll)
	}
	buf := make([]hardware.Edge, 2*edges)
	n, err := e.Take(buf)
	must(t, err)
	if n != hardware.EdgeQueue || buf[n-1].Seq-buf[0].Seq != hardware.EdgeQueue-1 || buf[0].Seq < 2 {
		t.Errorf("%d edges, from %d to %d", n, buf[0].Seq, buf[max(n-1, 0)].Seq)
	}
	t.Logf("of %d edges %d were kept, numbers %d to %d", edges, n, buf[0].Seq, buf[n-1].Seq)
}

func TestEncoderCountsBothWays(t *testing.T) {
	br, l := lines(t, nil)
	enc, err := l.Encoder("P0", "P1", 4)
	must(t, err)
	defer enc.Close()
	at := 0
	turn := func(to int) {
		for at != to {
			if at < to {
				at++
			} else {
				at--
			}
			br.pins.put(0, (at+1)&3 >= 2)
			br.pins.put(1, at&3 >= 2)
			<-time.After(poll)
		}
	}
	for _, to := range []int{9, 4, -3} {
		turn(to)
		if n, ok := enc.Count(); n != int64(to) || !ok {
			t.Errorf("the shaft is at %d, the encoder counted %d (%t)", to, n, ok)
		}
	}
}

func TestLinesOfAVanishedChipAreGone(t *testing.T) {
	br, l := lines(t, nil)
	out, err := l.Output("P3", true)
	must(t, err)
	in, err := l.Input("P4")
	must(t, err)
	edges, err := l.Edges("P6")
	must(t, err)
	enc, err := l.Encoder("P0", "P1", 4)
	must(t, err)
	br.unplug()
	for name, err := range map[string]error{
		"set":  out.Set(false),
		"get":  second(in.Get()),
		"take": second(edges.Take(make([]hardware.Edge, 1))),
	} {
		if hardware.Classify(err) != hardware.CauseGone {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, ok := enc.Count(); ok {
		t.Error("an encoder without its chip says that it is sound")
	}
	for _, c := range []interface{ Close() error }{out, in, edges, enc} {
		must(t, c.Close())
	}
	if _, err := l.Output("P3", false); hardware.Classify(err) != hardware.CauseGone {
		t.Errorf("request: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
