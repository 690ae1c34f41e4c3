//go:build kernel

package ktest

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/linux"
)

// realClock is the machine's time.
type realClock struct{}

func (realClock) Now() time.Time        { return time.Now() }
func (realClock) Sleep(d time.Duration) { <-time.After(d) }

// shelf is a bus with chips that show known values.
func shelf() *emul.Bus {
	b := emul.NewBus("shelf", nil, 1)
	reading := 0 // the current differs a little from reading to reading, as a battery's does
	b.Attach(0x29, emul.NewVL53L0X(time.Now, func() (float64, bool) { return 437, true }))
	b.Attach(0x41, emul.NewPCA9685(func(int, float64) {}))
	b.Attach(0x45, emul.NewINA219(func() (float64, float64) { reading++; return 3.9, 0.85 + 0.0003*float64(reading%5) }))
	b.Attach(0x48, emul.NewADS1115(emul.Since(time.Now), func(ch int) float64 { return 0.5 * float64(ch+1) }))
	b.Attach(0x68, emul.NewMPU6050(func() (accel, gyro [3]float64) { return [3]float64{1000, -2000, 9806.65}, [3]float64{0.1, -0.2, 0.5} }))
	return b
}

func open(t *testing.T, node string) *linux.I2C {
	t.Helper()
	b, err := linux.OpenI2C(linux.I2CConfig{Name: "main", Device: node})
	must(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

func TestTransactionsReachTheChipThroughTheKernel(t *testing.T) {
	_, node := plug(t, shelf())
	b := open(t, node)
	if path, name := b.Device(); path != node || name[:6] != "CP2112" {
		t.Errorf("%s is %q", path, name)
	}
	id := make([]byte, 2)
	must(t, b.Tx(0x29, []byte{0xC0}, id))
	if id[0] != 0xEE || id[1] != 0xAA {
		t.Errorf("identity of the VL53L0X: % x", id)
	}
	begin := time.Now()
	for range 100 {
		must(t, b.Tx(0x68, []byte{0x75}, id[:1]))
	}
	t.Logf("one transaction takes %v", time.Since(begin)/100)
	if id[0] != 0x68 {
		t.Errorf("identity of the MPU-6050: %#x", id[0])
	}
	if st := b.Stats(); st.Transactions != 101 || st.Failed != 0 {
		t.Errorf("%+v", st)
	}
}

func TestMissingAcknowledgeAndStuckBusDiffer(t *testing.T) {
	bus := shelf()
	_, node := plug(t, bus)
	b := open(t, node)
	ping := func(addr uint16) error { return b.Tx(addr, []byte{0}, make([]byte, 1)) }
	must(t, ping(0x48))
	must(t, ping(0x68))
	err := ping(0x50)
	if hardware.Classify(err) != hardware.CauseNack || !errors.Is(err, syscall.EREMOTEIO) {
		t.Errorf("empty address: %v", err)
	}
	t.Logf("empty address: %v", err)
	bus.SetFault(0x48, emul.Fault{Absent: true})
	for range 3 {
		if err := ping(0x48); hardware.Classify(err) != hardware.CauseNack {
			t.Errorf("chip that left: %v", err)
		}
		must(t, ping(0x68))
	}
	bus.SetFault(0x48, emul.Fault{})
	must(t, ping(0x48))
	bus.Stick(-1)
	begin := time.Now()
	_ = ping(0x48)
	err = ping(0x68)
	if hardware.Classify(err) != hardware.CauseTimeout {
		t.Errorf("stuck bus: %v", err)
	}
	t.Logf("stuck bus, two transactions in %v: %v", time.Since(begin), err)
	bus.Stick(0)
	must(t, ping(0x68))
	must(t, ping(0x48))
}

func TestHungAdapterEndsInATimeOut(t *testing.T) {
	br, node := plug(t, shelf())
	b := open(t, node)
	must(t, b.Tx(0x68, []byte{0}, nil))
	must(t, b.Tx(0x48, []byte{0}, nil))
	br.mute.Store(true)
	begin := time.Now()
	var err error
	for _, a := range []uint16{0x68, 0x48} {
		err = b.Tx(a, []byte{0}, nil)
		if err == nil {
			t.Error("a transaction on a hung adapter succeeds")
		}
	}
	if hardware.Classify(err) != hardware.CauseTimeout {
		t.Errorf("hung adapter: %v", err)
	}
	took := time.Since(begin)
	t.Logf("two transactions in %v: %v", took, err)
	if took > 2*time.Second {
		t.Errorf("two transactions take %v", took)
	}
	br.mute.Store(false)
	must(t, within(2*time.Second, "the adapter works again", func() bool { return b.Tx(0x68, []byte{0x75}, make([]byte, 1)) == nil }))
}

func TestUnpluggedAdapterIsGoneAndFoundAgain(t *testing.T) {
	bus := shelf()
	br, _, err := plugIn(bus)
	must(t, err)
	b, err := linux.OpenI2C(linux.I2CConfig{Name: "main", Adapter: "CP2112 SMBus Bridge"})
	must(t, err)
	defer b.Close()
	must(t, b.Tx(0x68, []byte{0x75}, make([]byte, 1)))
	away := make(chan struct{})
	go func() {
		br.unplug()
		close(away)
	}()
	must(t, within(5*time.Second, "a transaction finds the adapter gone", func() bool {
		return errors.Is(b.Tx(0x68, []byte{0x75}, make([]byte, 1)), syscall.ENODEV)
	}))
	select {
	case <-away: // the kernel waits until all have closed the node
	case <-time.After(5 * time.Second):
		t.Fatal("the kernel still waits for the bus to be closed")
	}
	if err := b.Tx(0x68, nil, make([]byte, 1)); hardware.Classify(err) != hardware.CauseGone {
		t.Errorf("without an adapter: %v", err)
	}
	plug(t, bus)
	must(t, within(2*time.Second, "the bus works again", func() bool { return b.Tx(0x68, []byte{0x75}, make([]byte, 1)) == nil }))
}
