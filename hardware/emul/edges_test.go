package emul

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/hwtest"
)

func edgesOf(t *testing.T) (*Lines, hardware.Edges, *hwtest.Clock) {
	t.Helper()
	l, clk := NewLines(), hwtest.NewClock()
	l.SetNow(clk.Now)
	e, err := l.Edges("ECHO")
	must(t, err)
	return l, e, clk
}

func TestEdgesCarryTheirTimesAndDirections(t *testing.T) {
	l, e, clk := edgesOf(t)
	start := clk.Now()
	clk.Sleep(450 * time.Microsecond)
	l.SetInput("ECHO", true)
	l.SetInput("ECHO", true) // no change, no edge
	l.SetInputAt("ECHO", false, start.Add(6281*time.Microsecond))
	buf := make([]hardware.Edge, 4)
	n, err := e.Take(buf)
	must(t, err)
	if n != 2 || !buf[0].Rising || buf[1].Rising || buf[0].Seq != 1 || buf[1].Seq != 2 {
		t.Fatalf("%d edges %+v", n, buf[:n])
	}
	if d := buf[1].At - buf[0].At; d != 5831*time.Microsecond {
		t.Errorf("pulse of %v", d)
	}
	if n, err := e.Take(buf); n != 0 || err != nil {
		t.Errorf("taken twice: %d, %v", n, err)
	}
}

// Twenty edges in a queue of sixteen: the four oldest are gone and the numbers tell it.
func TestFullEdgeQueueDropsTheOldestAndTheNumbersTell(t *testing.T) {
	l, e, _ := edgesOf(t)
	for i := range 20 {
		l.SetInput("ECHO", i%2 == 0)
	}
	var buf [10]hardware.Edge
	n, err := e.Take(buf[:])
	must(t, err)
	if n != 10 || buf[0].Seq != 5 || buf[9].Seq != 14 {
		t.Fatalf("%d edges, first %d, last %d", n, buf[0].Seq, buf[9].Seq)
	}
	if n, _ = e.Take(buf[:]); n != 6 || buf[5].Seq != 20 {
		t.Fatalf("rest: %d edges, last %d", n, buf[5].Seq)
	}
}

func TestStuckLineGivesAnEdgeOnlyIfItsLevelChanges(t *testing.T) {
	l, e, _ := edgesOf(t)
	l.Stuck("ECHO", false, true) // low already
	l.SetInput("ECHO", true)     // the short wins
	buf := make([]hardware.Edge, 4)
	if n, _ := e.Take(buf); n != 0 {
		t.Fatalf("%d edges from a stuck line", n)
	}
	l.Stuck("ECHO", false, false)
	if n, _ := e.Take(buf); n != 1 || !buf[0].Rising {
		t.Fatalf("released: %+v", buf[:n])
	}
}

func TestWorldCatchesUpBeforeEdgesAreTaken(t *testing.T) {
	l, e, clk := edgesOf(t)
	l.OnRead("ECHO", func() { l.SetInputAt("ECHO", true, clk.Now()) })
	if high, err := e.Get(); !high || err != nil {
		t.Fatalf("level %v, %v", high, err)
	}
	buf := make([]hardware.Edge, 4)
	if n, _ := e.Take(buf); n != 1 {
		t.Fatalf("%d edges", n)
	}
}

func TestEdgesOfAnUnpluggedOrClosedLineFail(t *testing.T) {
	l, e, _ := edgesOf(t)
	_, err := l.Edges("ECHO")
	wantErrno(t, err, syscall.EBUSY)
	l.Unplug("ECHO", true)
	buf := make([]hardware.Edge, 4)
	_, err = e.Take(buf)
	wantErrno(t, err, syscall.ENODEV)
	l.Unplug("ECHO", false)
	again, err := l.Edges("ECHO")
	must(t, err)
	must(t, e.Close()) // does not take the line from its new owner
	l.SetInput("ECHO", true)
	if n, err := again.Take(buf); n != 1 || err != nil {
		t.Fatalf("%d edges, %v", n, err)
	}
	must(t, again.Close())
	if _, err := again.Take(buf); !errors.Is(err, os.ErrClosed) {
		t.Fatalf("after Close: %v", err)
	}
}
