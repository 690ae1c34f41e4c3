package emul

import (
	"errors"
	"sync"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/hwtest"
)

func TestTxReachesTheChipAtItsAddress(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	c := &ram{}
	b.Attach(0x40, c)
	must(t, b.Tx(0x40, []byte{0x10, 0xAB, 0xCD}, nil))
	r := make([]byte, 2)
	must(t, b.Tx(0x40, []byte{0x10}, r))
	wantBytes(t, "registers", r, 0xAB, 0xCD)
}

func TestTxErrorsAreBusErrors(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	err := b.Tx(0x29, []byte{0}, nil)
	var be *hardware.BusError
	if !errors.As(err, &be) || *be != (hardware.BusError{Bus: "i2c-1", Addr: 0x29, Err: syscall.EREMOTEIO}) {
		t.Fatalf("error of an empty address: %#v", err)
	}
	wantErrno(t, b.Tx(0x80, nil, nil), syscall.EINVAL)
	b.Attach(0x29, &ram{err: syscall.EAGAIN})
	wantErrno(t, b.Tx(0x29, nil, nil), syscall.EAGAIN)
	b.Attach(0x29, &ram{err: errors.New("other")})
	wantErrno(t, b.Tx(0x29, nil, nil), syscall.EIO)
	b.Attach(0x29, nil)
	wantErrno(t, b.Tx(0x29, nil, nil), syscall.EREMOTEIO)
}

func TestSetSpeedFailsAsOnLinux(t *testing.T) {
	wantErrno(t, NewBus("i2c-1", nil, 1).SetSpeed(400*physic.KiloHertz), syscall.EOPNOTSUPP)
}

// 14 bytes read from a register are 17 on the wire: 383 µs at 400 kHz, 1530 µs at 100 kHz.
func TestWireTimeIsNineClocksAByte(t *testing.T) {
	for hz, want := range map[float64]time.Duration{400e3: 382500 * time.Nanosecond, 100e3: 1530 * time.Microsecond} {
		clk := hwtest.NewClock()
		b := NewBus("i2c-1", nil, 1)
		b.SetWire(hz, time.Microsecond)
		b.Attach(0x68, &ram{})
		must(t, b.For(clk).Tx(0x68, []byte{0x3B}, make([]byte, 14)))
		if got := clk.Slept(); got != want+time.Microsecond {
			t.Errorf("at %v Hz: %v, want %v and 1 µs", hz, got, want)
		}
	}
}

func TestDriversOfOneBusWaitForEachOther(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	b.SetWire(100e3, 100*time.Microsecond)
	b.Attach(0x40, &ram{})
	mine, yours := hwtest.NewClock(), hwtest.NewClock()
	const one = 280 * time.Microsecond // two bytes
	must(t, b.For(mine).Tx(0x40, []byte{0}, nil))
	must(t, b.For(yours).Tx(0x40, []byte{0}, nil))
	if mine.Slept() != one || yours.Slept() != 2*one {
		t.Fatalf("the first took %v, the second %v; want %v and twice that", mine.Slept(), yours.Slept(), one)
	}
	yours.Sleep(time.Second) // the bus is free by then
	must(t, b.For(yours).Tx(0x40, []byte{0}, nil))
	if got := yours.Slept() - time.Second - 2*one; got != one {
		t.Fatalf("on a free bus it took %v", got)
	}
}

func TestFailedTransactionsTakeTheirTime(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault Fault
		want  time.Duration
	}{
		{"not acknowledged: one byte", Fault{Absent: true}, 22500*time.Nanosecond + time.Millisecond},
		{"stuck: the adapter's time-out", Fault{Stuck: true}, hardware.BusTimeout(400e3)},
		{"adapter gone: none", Fault{Unplugged: true}, 0},
	} {
		b, clk, other := NewBus("i2c-1", nil, 1), hwtest.NewClock(), hwtest.NewClock()
		b.SetWire(400e3, time.Millisecond)
		b.Attach(0x40, &ram{})
		b.Attach(0x41, &ram{})
		b.SetFault(0x40, c.fault)
		if b.For(clk).Tx(0x40, make([]byte, 20), nil) == nil {
			t.Fatalf("%s: no error", c.name)
		}
		must(t, b.For(other).Tx(0x41, []byte{0}, nil))
		if got := other.Slept() - 45*time.Microsecond - time.Millisecond; clk.Slept() != c.want || got != c.want {
			t.Errorf("%s: %v for its driver, %v for the next, want %v", c.name, clk.Slept(), got, c.want)
		}
	}
}

// The time-outs are those that robotd sets on a board: 73 and 142 ms (hardware/linux). Two of 142 ms would be too late for a driver, so whoever
// waits behind one fails with it; so does the third of 73 ms.
func TestDevicesBehindAStuckBusDoNotWaitForAllTimeOuts(t *testing.T) {
	for hz, want := range map[float64][]time.Duration{
		100e3: {142250 * time.Microsecond, 142250 * time.Microsecond, 142250 * time.Microsecond},
		400e3: {73062500 * time.Nanosecond, 146125 * time.Microsecond, 146125 * time.Microsecond, 146125 * time.Microsecond},
	} {
		clk := hwtest.NewClock()
		b := NewBus("i2c-1", clk, 1)
		b.SetWire(hz, 0)
		b.Attach(0x40, &ram{})
		b.Stick(time.Second)
		var views []i2c.Bus
		var clocks []*hwtest.Clock
		for range want { // all begin at one instant
			clocks = append(clocks, hwtest.NewClock())
			views = append(views, b.For(clocks[len(clocks)-1]))
		}
		for i, took := range want {
			wantErrno(t, views[i].Tx(0x40, []byte{0}, nil), syscall.ETIMEDOUT)
			if got := clocks[i].Slept(); got != took {
				t.Errorf("%.0f Hz: device %d waits %v, want %v", hz, i, got, took)
			}
		}
		if b.Busy() > hardware.MaxBusTurn {
			t.Errorf("%.0f Hz: the bus was held for %v", hz, b.Busy())
		}
	}
}

func TestBusyCountsWireTimeAndCost(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	b.Attach(0x68, &ram{})
	must(t, b.Tx(0x68, []byte{0x3B}, make([]byte, 14))) // 2 address bytes, 1 written, 14 read
	if got, want := b.Busy(), 17*22500*time.Nanosecond+DefaultCost; got != want {
		t.Fatalf("busy %v, want %v", got, want)
	}
	if err := b.Tx(0x11, []byte{0}, nil); err == nil || b.Transactions() != 2 {
		t.Fatalf("%d transactions, want 2", b.Transactions())
	}
}

func TestStuckBusTimesOutEverywhereUntilItsTimeIsOver(t *testing.T) {
	clk := hwtest.NewClock()
	b := NewBus("i2c-1", nil, 1)
	b.SetClock(clk)
	b.Attach(0x40, &ram{})
	b.Stick(time.Second)
	for _, addr := range []uint16{0x40, 0x41} {
		wantErrno(t, b.Tx(addr, []byte{0}, nil), syscall.ETIMEDOUT)
	}
	if got := b.Busy(); got != 2*hardware.BusTimeout(DefaultHz) {
		t.Fatalf("busy %v after two time-outs", got)
	}
	clk.Sleep(999 * time.Millisecond)
	wantErrno(t, b.Tx(0x40, []byte{0}, nil), syscall.ETIMEDOUT)
	clk.Sleep(time.Millisecond)
	must(t, b.Tx(0x40, []byte{0}, nil))

	b.Stick(-1)
	clk.Sleep(time.Hour)
	wantErrno(t, b.Tx(0x40, []byte{0}, nil), syscall.ETIMEDOUT)
	b.Stick(0)
	must(t, b.Tx(0x40, []byte{0}, nil))
}

func TestStuckBusWithoutClockStaysUntilReleased(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	b.Attach(0x40, &ram{})
	b.Stick(time.Nanosecond)
	wantErrno(t, b.Tx(0x40, []byte{0}, nil), syscall.ETIMEDOUT)
	b.Stick(0)
	must(t, b.Tx(0x40, []byte{0}, nil))
}

func TestUnpluggedAdapterFailsWithENODEV(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	b.Attach(0x40, &ram{})
	b.Unplug(true)
	err := b.Tx(0x40, []byte{0}, nil)
	wantErrno(t, err, syscall.ENODEV)
	if hardware.Classify(err) != hardware.CauseGone {
		t.Fatalf("cause %v", hardware.Classify(err))
	}
	b.Unplug(false)
	must(t, b.Tx(0x40, []byte{0}, nil))
}

func TestBrownOutResetsTheChipOnly(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	b.Attach(0x40, &ram{})
	must(t, b.Tx(0x40, []byte{0, 7}, nil))
	b.BrownOut(0x40)
	b.BrownOut(0x55) // nobody there
	r := []byte{1}
	must(t, b.Tx(0x40, []byte{0}, r))
	wantBytes(t, "register", r, 0)
}

func TestViewSleepsLatencyOnItsCallersClock(t *testing.T) {
	clk := hwtest.NewClock()
	b := NewBus("i2c-1", clk, 1)
	mine := hwtest.NewClock()
	v := b.For(mine)
	b.Attach(0x40, &ram{})
	b.SetFault(0x40, Fault{Latency: 5 * time.Millisecond})
	must(t, v.Tx(0x40, []byte{0}, nil))
	must(t, b.Tx(0x40, []byte{0}, nil))
	if mine.Slept() != 5*time.Millisecond+DefaultCost+45*time.Microsecond || clk.Slept() != 0 {
		t.Fatalf("slept %v on the caller's clock, %v on the bus's", mine.Slept(), clk.Slept())
	}
	b.SetFault(0x40, Fault{Latency: 80 * time.Millisecond})
	wantErrno(t, v.Tx(0x40, []byte{0}, nil), syscall.ETIMEDOUT)
	if v.String() != "i2c-1" {
		t.Fatalf("name of the view: %q", v.String())
	}
}

// A lockingClock needs a lock that its owner also holds while it changes faults, as the virtual clock may.
type lockingClock struct {
	*hwtest.Clock
	world *sync.Mutex
}

func (c *lockingClock) Now() time.Time {
	c.world.Lock()
	defer c.world.Unlock()
	return c.Clock.Now()
}

func TestBusHoldsNoLockWhileCallingTheWorld(t *testing.T) {
	var world sync.Mutex
	clk := &lockingClock{Clock: hwtest.NewClock(), world: &world}
	b := NewBus("i2c-1", clk, 1)
	b.Attach(0x68, NewMPU6050(func() (a, g [3]float64) {
		world.Lock()
		defer world.Unlock()
		return a, g
	}))
	b.SetFault(0x68, Fault{Until: clk.Clock.Now().Add(time.Hour)})
	must(t, b.Tx(0x68, []byte{mpuPower1, 0}, nil))
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 2000 {
			if err := b.For(clk).Tx(0x68, []byte{mpuData}, make([]byte, 14)); err != nil {
				t.Error(err)
			}
		}
	})
	for range 2000 {
		world.Lock()
		b.SetFault(0x68, Fault{Until: clk.Clock.Now().Add(time.Hour)})
		b.Unplug(false)
		world.Unlock()
	}
	wg.Wait()
}

func TestBusIsSafeForManyActors(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	const actors, rounds = 8, 500
	for a := range actors {
		b.Attach(uint16(0x10+a), &ram{})
	}
	var wg sync.WaitGroup
	for a := range actors {
		wg.Go(func() {
			r := make([]byte, 1)
			for i := range rounds {
				addr := uint16(0x10 + a)
				if err := b.Tx(addr, []byte{byte(i), byte(a)}, nil); err != nil {
					t.Error(err)
				}
				if err := b.Tx(addr, []byte{byte(i)}, r); err != nil || r[0] != byte(a) {
					t.Errorf("read %d, %v", r[0], err)
				}
				b.SetFault(0x50, Fault{NackP: 0.5})
			}
		})
	}
	wg.Wait()
	if got := b.Transactions(); got != 2*actors*rounds {
		t.Fatalf("%d transactions", got)
	}
}

func BenchmarkTx14ByteRead(b *testing.B) {
	bus := NewBus("i2c-1", nil, 1)
	bus.Attach(0x68, NewMPU6050(func() (a, g [3]float64) { return a, g }))
	if err := bus.Tx(0x68, []byte{mpuPower1, 0}, nil); err != nil {
		b.Fatal(err)
	}
	w, r := []byte{mpuData}, make([]byte, 14)
	b.ReportAllocs()
	for b.Loop() {
		if err := bus.Tx(0x68, w, r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTx14ByteReadFaulty(b *testing.B) {
	clk := hwtest.NewClock()
	bus := NewBus("i2c-1", clk, 1)
	bus.Attach(0x68, NewMPU6050(func() (a, g [3]float64) { return a, g }))
	bus.SetFault(0x68, Fault{Garbage: true, Until: clk.Now().Add(time.Hour)})
	v, w, r := bus.For(clk), []byte{mpuData}, make([]byte, 14)
	b.ReportAllocs()
	for b.Loop() {
		if err := v.Tx(0x68, w, r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPCA9685Write(b *testing.B) {
	bus := NewBus("i2c-1", nil, 1)
	bus.Attach(0x41, NewPCA9685(func(int, float64) {}))
	if err := bus.Tx(0x41, []byte{pcaMode1, pcaAI}, nil); err != nil {
		b.Fatal(err)
	}
	w := make([]byte, 17)
	w[0] = pcaLED0
	b.ReportAllocs()
	for b.Loop() {
		w[3]++
		if err := bus.Tx(0x41, w, nil); err != nil {
			b.Fatal(err)
		}
	}
}
