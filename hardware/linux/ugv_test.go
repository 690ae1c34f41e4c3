package linux

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/ugv"
)

// farBoard is an emulated board at the far end of a pseudo terminal, in real time.
type farBoard struct {
	mu    sync.Mutex
	board *emul.UGV
	duty  [2]float64
	mm    float64
	done  chan struct{}
	over  sync.WaitGroup
}

func startBoard(far *os.File) *farBoard {
	b := &farBoard{done: make(chan struct{})}
	b.board = emul.NewUGV(emul.UGVOptions{Start: time.Now(), ROS: true, Wheels: 2, Running: true}, emul.UGVBody{
		Drive:  func(left, right float64) { b.duty = [2]float64{left, right} },
		Turned: func() (float64, float64) { return b.mm, b.mm },
		Volts:  func() float64 { return 11.8 },
	})
	b.over.Go(func() { b.receive(far) })
	b.over.Go(func() { b.run(far) })
	return b
}

func (b *farBoard) receive(far *os.File) {
	for p := make([]byte, 256); ; {
		n, err := far.Read(p)
		if errors.Is(err, os.ErrClosed) {
			return
		}
		b.mu.Lock()
		_, _ = b.board.Write(p[:n])
		b.mu.Unlock()
	}
}

func (b *farBoard) run(far *os.File) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	p, last := make([]byte, 1024), time.Now()
	for {
		select {
		case <-b.done:
			return
		case <-tick.C:
		}
		b.mu.Lock()
		now := time.Now()
		b.mm += b.duty[0] * 1300 * now.Sub(last).Seconds()
		last = now
		b.board.Advance(now)
		n, _ := b.board.Read(p)
		b.mu.Unlock()
		_, _ = far.Write(p[:n])
	}
}

func (b *farBoard) moving() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.duty != [2]float64{}
}

// cable is a pseudo terminal whose far end Close takes away from who reads it.
func cable(t *testing.T) (far *os.File, node string) {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), "far"), fmt.Sprintf("/dev/pts/%d", n)
}

// pump pumps each 10 ms until f holds or twenty seconds have passed, and reports whether it did.
func pump(t *testing.T, link *ugv.Link, f func(now time.Time) bool) bool {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); <-tick.C {
		now := time.Now()
		if err := link.Pump(now); err != nil {
			t.Fatal(err)
		}
		if f(now) {
			return true
		}
	}
	return false
}

func TestBoardBehindTheKernelsTerminalIsDriven(t *testing.T) {
	far, node := cable(t)
	board := startBoard(far)
	link, err := ugv.New(ugv.Config{Name: "esp", Firmware: ugv.ROS, Main: 2}, func() (hardware.Serial, error) {
		return OpenSerial(SerialConfig{Name: "esp", Device: node})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := link.Open(time.Now()); err != nil {
		t.Fatal(err)
	}
	if !pump(t, link, func(time.Time) bool { return link.State().Ready }) {
		t.Fatalf("not ready: %+v", link.State())
	}
	if err := link.Enable().Set(true); err != nil {
		t.Fatal(err)
	}
	var from, next time.Time // from is before the last order that was sent
	if !pump(t, link, func(now time.Time) bool {
		from, next = next, now
		link.Drive(now, 0.3, 0.3)
		return link.State().OdometerMM[0] > 100
	}) {
		t.Fatalf("does not drive: %+v", link.State())
	}
	// Nobody pumps: the host stands still, and the board stops by its own time.
	for board.moving() && time.Since(from) < 20*time.Second {
		time.Sleep(time.Millisecond) //nolint:forbidigo // a real terminal keeps real time
	}
	if took := time.Since(from); board.moving() || took < 300*time.Millisecond {
		t.Errorf("the board stopped after %v, want its 400 ms and a little", took)
	}
	close(board.done)
	far.Close() // the cable is pulled out
	board.over.Wait()
	for end := time.Now().Add(20 * time.Second); err == nil && time.Now().Before(end); {
		err = link.Pump(time.Now())
	}
	if hardware.Classify(err) != hardware.CauseGone {
		t.Errorf("the far end is gone: %v", err)
	}
}
