package emul

import (
	"bytes"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/hwtest"
)

// faulty returns a bus with plain registers at 0x40, register n holding n.
func faulty(seed uint64) (*Bus, *ram) {
	b := NewBus("i2c-1", nil, seed)
	c := &ram{}
	for i := range c.regs {
		c.regs[i] = byte(i)
	}
	b.Attach(0x40, c)
	return b, c
}

func busRead(t *testing.T, b *Bus, addr uint16, reg byte, n int) []byte {
	t.Helper()
	r := make([]byte, n)
	must(t, b.Tx(addr, []byte{reg}, r))
	return r
}

func TestEachFaultGivesItsErrno(t *testing.T) {
	tests := []struct {
		name  string
		fault Fault
		want  syscall.Errno
	}{
		{"absent", Fault{Absent: true}, syscall.EREMOTEIO},
		{"certain nack", Fault{NackP: 1}, syscall.EREMOTEIO},
		{"stuck", Fault{Stuck: true}, syscall.ETIMEDOUT},
		{"unplugged", Fault{Unplugged: true}, syscall.ENODEV},
		{"slow", Fault{Latency: 80 * time.Millisecond}, syscall.ETIMEDOUT},
		{"unplugged beats stuck", Fault{Unplugged: true, Stuck: true}, syscall.ENODEV},
		{"stuck beats absent", Fault{Stuck: true, Absent: true}, syscall.ETIMEDOUT},
	}
	for _, tt := range tests {
		b, c := faulty(1)
		b.SetFault(0x40, tt.fault)
		wantErrno(t, b.Tx(0x40, []byte{0, 1}, nil), tt.want)
		if c.seen != 0 {
			t.Errorf("%s: the chip saw a failed transaction", tt.name)
		}
		b.SetFault(0x40, Fault{})
		must(t, b.Tx(0x40, []byte{0, 1}, nil))
	}
}

func TestNackNextCountsDown(t *testing.T) {
	b, _ := faulty(1)
	b.SetFault(0x40, Fault{NackNext: 2})
	for range 2 {
		wantErrno(t, b.Tx(0x40, []byte{0}, nil), syscall.EREMOTEIO)
	}
	must(t, b.Tx(0x40, []byte{0}, nil))
	if got := b.Fault(0x40).NackNext; got != 0 {
		t.Fatalf("NackNext %d left", got)
	}
}

// nacks returns which of n transactions failed at NackP 0.3.
func nacks(seed uint64, n int, other bool) []bool {
	b, _ := faulty(seed)
	b.SetFault(0x40, Fault{NackP: 0.3})
	b.SetFault(0x41, Fault{NackP: 0.5})
	var out []bool
	for range n {
		out = append(out, b.Tx(0x40, []byte{0}, nil) != nil)
		if other {
			_ = b.Tx(0x41, []byte{0}, nil)
		}
	}
	return out
}

func TestRandomFaultsDependOnSeedAndAddress(t *testing.T) {
	const n = 2000
	a, again, other, busy := nacks(7, n, false), nacks(7, n, false), nacks(8, n, false), nacks(7, n, true)
	count, differs := 0, false
	for i := range a {
		if a[i] != again[i] {
			t.Fatal("equal seeds gave different runs")
		}
		if a[i] != busy[i] {
			t.Fatal("traffic at another address changed the run")
		}
		differs = differs || a[i] != other[i]
		if a[i] {
			count++
		}
	}
	if !differs {
		t.Fatal("different seeds gave equal runs")
	}
	if count < n/4 || count > n*7/20 {
		t.Fatalf("%d of %d failed at probability 0.3", count, n)
	}
}

func TestFaultEndsAtUntil(t *testing.T) {
	clk := hwtest.NewClock()
	b, _ := faulty(1)
	b.SetClock(clk)
	b.SetFault(0x40, Fault{Absent: true, Until: clk.Now().Add(time.Second)})
	wantErrno(t, b.Tx(0x40, []byte{0}, nil), syscall.EREMOTEIO)
	ahead := hwtest.NewClock()
	ahead.Sleep(time.Second)
	must(t, b.For(ahead).Tx(0x40, []byte{0}, nil))
	must(t, b.Tx(0x40, []byte{0}, nil)) // ended for good
}

func TestFaultWithoutClockStaysUntilReplaced(t *testing.T) {
	b, _ := faulty(1)
	b.SetFault(0x40, Fault{Absent: true, Until: time.Unix(1, 0)})
	wantErrno(t, b.Tx(0x40, []byte{0}, nil), syscall.EREMOTEIO)
}

func TestFreezeRepeatsTheLastAnswerPerRegister(t *testing.T) {
	b, c := faulty(1)
	wantBytes(t, "before", busRead(t, b, 0x40, 0x3B, 4), 0x3B, 0x3C, 0x3D, 0x3E)
	b.SetFault(0x40, Fault{Freeze: true})
	c.regs[0x3C], c.regs[0x60] = 99, 42
	wantBytes(t, "frozen", busRead(t, b, 0x40, 0x3B, 4), 0x3B, 0x3C, 0x3D, 0x3E)
	wantBytes(t, "first read of another", busRead(t, b, 0x40, 0x60, 1), 42)
	c.regs[0x60] = 43
	wantBytes(t, "then frozen too", busRead(t, b, 0x40, 0x60, 1), 42)

	must(t, b.Tx(0x40, []byte{0x60, 44}, nil)) // acknowledged, and it can be read back
	wantBytes(t, "written", busRead(t, b, 0x40, 0x60, 1), 44)
	wantBytes(t, "others stay", busRead(t, b, 0x40, 0x3B, 4), 0x3B, 0x3C, 0x3D, 0x3E)

	must(t, b.Tx(0x40, []byte{0x3E, 1}, nil)) // the last register of the burst
	wantBytes(t, "burst over a written register", busRead(t, b, 0x40, 0x3B, 4), 0x3B, 99, 0x3D, 1)
	b.SetFault(0x40, Fault{})
	c.regs[0x3B] = 7
	wantBytes(t, "healed", busRead(t, b, 0x40, 0x3B, 4), 7, 99, 0x3D, 1)
	b.SetFault(0x40, Fault{Freeze: true})
	b.BrownOut(0x40)
	wantBytes(t, "a reset chip has no last answer", busRead(t, b, 0x40, 0x3B, 4), 0, 0, 0, 0)
}

func TestFreezeOfWordRegistersKeepsNeighbors(t *testing.T) {
	volts, amps := 8.0, 1.0
	b := NewBus("i2c-1", nil, 1)
	b.Attach(0x45, NewINA219(func() (float64, float64) { return volts, amps }))
	before := busRead(t, b, 0x45, inaShunt, 2)
	b.SetFault(0x45, Fault{Freeze: true})
	amps = 2
	must(t, b.Tx(0x45, []byte{inaConfig, 0x39, 0x9F}, nil)) // register 0 ends where register 1 begins
	wantBytes(t, "shunt", busRead(t, b, 0x45, inaShunt, 2), before...)
}

func TestFrozenConverterStillDelivers(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	c, clk, volts := newADS(t)
	b.Attach(0x48, c)
	must(t, b.Tx(0x48, shot(0), nil))
	clk.Sleep(adsShotTime)
	before := busRead(t, b, 0x48, adsConversion, 2)
	b.SetFault(0x48, Fault{Freeze: true})
	volts[0] = 3
	must(t, b.Tx(0x48, shot(0), nil))
	wantBytes(t, "busy", busRead(t, b, 0x48, adsConfig, 2)[:1], 0x43)
	clk.Sleep(adsShotTime)
	wantBytes(t, "ready", busRead(t, b, 0x48, adsConfig, 2)[:1], 0xC3)
	wantBytes(t, "frozen", busRead(t, b, 0x48, adsConversion, 2), before...)
}

func TestFrozenRangerStillDelivers(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	c, clk, o := newToF()
	b.Attach(0x29, c)
	must(t, b.Tx(0x29, []byte{tofIntConfig, tofNewSample}, nil))
	b.SetFault(0x29, Fault{Freeze: true})
	for i := range 3 {
		o.mm = float64(100 + i)
		must(t, b.Tx(0x29, []byte{tofStart, tofModeShot}, nil))
		wantBytes(t, "busy", busRead(t, b, 0x29, tofIntStatus, 1), 0)
		clk.Sleep(tofFresh)
		wantBytes(t, "ready", busRead(t, b, 0x29, tofIntStatus, 1), tofNewSample)
		if r := busRead(t, b, 0x29, tofResult, 12); r[11] != 104 {
			t.Fatalf("measurement %d: %d mm", i, r[11])
		}
		must(t, b.Tx(0x29, []byte{tofIntClear, 1}, nil))
	}
}

func TestFreezeFollowsTheRegisterPointer(t *testing.T) {
	b, c := faulty(1)
	r := make([]byte, 1)
	must(t, b.Tx(0x40, []byte{0x20}, nil))
	must(t, b.Tx(0x40, nil, r))
	b.SetFault(0x40, Fault{Freeze: true})
	c.regs[0x20], c.ptr = 77, 0x20
	must(t, b.Tx(0x40, nil, r))
	wantBytes(t, "frozen", r, 0x20)
}

func TestRememberedReadsAreLimited(t *testing.T) {
	b, _ := faulty(1)
	for reg := range 256 {
		busRead(t, b, 0x40, byte(reg), 1)
	}
	if n := len(b.slots[0x40].memory.reads); n != maxRemembered {
		t.Fatalf("%d answers remembered, limit %d", n, maxRemembered)
	}
	b.SetFault(0x40, Fault{Freeze: true})
	wantBytes(t, "newest", busRead(t, b, 0x40, 255, 1), 255)
}

func TestGarbageIsRandomAndSeeded(t *testing.T) {
	read := func(seed uint64) []byte {
		b, _ := faulty(seed)
		b.SetFault(0x40, Fault{Garbage: true})
		return busRead(t, b, 0x40, 0, 14)
	}
	one, again, two := read(1), read(1), read(2)
	if !bytes.Equal(one, again) || bytes.Equal(one, two) {
		t.Fatalf("seed 1: % x and % x, seed 2: % x", one, again, two)
	}
}

func TestAllOnesDamagesReadsOnly(t *testing.T) {
	b, c := faulty(1)
	b.SetFault(0x40, Fault{AllOnes: true, Garbage: true, Freeze: true})
	must(t, b.Tx(0x40, []byte{5, 1}, nil))
	wantBytes(t, "read", busRead(t, b, 0x40, 5, 2), 0xFF, 0xFF)
	if c.regs[5] != 1 {
		t.Fatal("the write did not arrive")
	}
}

func TestWrongIDChangesIdentityOnly(t *testing.T) {
	b := NewBus("i2c-1", nil, 1)
	clk := hwtest.NewClock()
	b.Attach(0x68, NewMPU6050(func() (a, g [3]float64) { return a, g }))
	b.Attach(0x29, NewVL53L0X(clk.Now, func() (float64, bool) { return 0, false }))
	b.Attach(0x45, NewINA219(func() (float64, float64) { return 0, 0 }))
	for _, addr := range []uint16{0x68, 0x29, 0x45} {
		b.SetFault(addr, Fault{WrongID: true})
	}
	if got := busRead(t, b, 0x68, mpuWhoAmI, 1); got[0] == mpuIdentity || got[0] == 0xFF {
		t.Fatalf("identity % x", got)
	}
	wantBytes(t, "power register", busRead(t, b, 0x68, mpuPower1, 1), mpuSleep)
	wantBytes(t, "model in a burst", busRead(t, b, 0x29, 0xBF, 4), 0, 0xEA, 0xCC, 0x10)
	wantBytes(t, "chip without identity", busRead(t, b, 0x45, inaConfig, 2), 0xFF, 0xFF)
}
