package linux

import (
	"bytes"
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
	last  time.Time // up to which it lives
	text  []byte    // of a line that is not whole yet
	heard time.Time // when the newest order to the wheels came
	told  bool      // that order was to stand
	stood time.Time // when the wheels stopped last
	done  chan struct{}
	over  sync.WaitGroup
}

func startBoard(far *os.File) *farBoard {
	b := &farBoard{done: make(chan struct{}), last: time.Now()}
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
		b.advance() // what comes now comes after what the board did until now, on a busy machine too
		b.orders(p[:n])
		_, _ = b.board.Write(p[:n])
		b.mu.Unlock()
	}
}

// orders looks for orders to the wheels. mu is held.
func (b *farBoard) orders(p []byte) {
	b.text = append(b.text, p...)
	for line, rest, ok := bytes.Cut(b.text, []byte{'\n'}); ok; line, rest, ok = bytes.Cut(b.text, []byte{'\n'}) {
		if b.text = rest; bytes.HasPrefix(line, []byte(`{"T":1,`)) {
			b.heard, b.told = b.last, bytes.HasPrefix(line, []byte(`{"T":1,"L":0,`))
		}
	}
}

// advance lets the board live until now. mu is held.
func (b *farBoard) advance() {
	now, moved := time.Now(), b.duty != [2]float64{}
	b.mm += b.duty[0] * 1300 * now.Sub(b.last).Seconds()
	b.last = now
	b.board.Advance(now)
	if moved && b.duty == [2]float64{} {
		b.stood = now
	}
}

func (b *farBoard) run(far *os.File) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for p := make([]byte, 1024); ; {
		select {
		case <-b.done:
			return
		case <-tick.C:
		}
		b.mu.Lock()
		b.advance()
		n, _ := b.board.Read(p)
		b.mu.Unlock()
		_, _ = far.Write(p[:n])
	}
}

// silent is how long the board heard no order until its wheels stopped, and whether the newest was to stand; they turn again when one to drive comes.
func (b *farBoard) silent() (d time.Duration, stopped, told bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stood.Sub(b.heard), b.duty == [2]float64{} && b.stood.After(b.heard), b.told
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
	// Nobody pumps any more: the host stands still, and the board stops by its own time. On a busy machine the link's last words may have been to
	// stand, because the order had become old; then once more.
	var took time.Duration
	stopped, told := false, true
	for end := time.Now().Add(20 * time.Second); told && time.Now().Before(end); {
		from := link.State().OdometerMM[0]
		if !pump(t, link, func(now time.Time) bool {
			link.Drive(now, 0.3, 0.3)
			return link.State().OdometerMM[0] > from+100
		}) {
			t.Fatalf("does not drive: %+v", link.State())
		}
		for took, stopped, told = board.silent(); !stopped && time.Now().Before(end); took, stopped, told = board.silent() {
			time.Sleep(time.Millisecond) //nolint:forbidigo // a real terminal keeps real time
		}
	}
	if !stopped || told || took < 300*time.Millisecond {
		t.Errorf("the board stopped (%v, told %v) after %v, want its 400 ms and a little", stopped, told, took)
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
