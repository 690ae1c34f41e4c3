package linux

import (
	"errors"
	"sync"
	"syscall"
	"testing"
	"time"
)

// queueClock is the clock of callers of whom somebody must know that they wait.
type queueClock struct {
	mu    sync.Mutex
	now   time.Time
	asked chan struct{} // one for each reading, as long as there is room
}

func (c *queueClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case c.asked <- struct{}{}:
	default:
	}
	return c.now
}

func (c *queueClock) Sleep(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// All devices wait in one queue while SCL is held low. None of them may wait for the time-outs of all others: from 250 ms on its driver counts
// as one that hangs. A single chip that stretches the clock for too long costs a fast bus no other transaction.
func TestDevicesBehindAStuckBusDoNotWaitForAllTimeOuts(t *testing.T) {
	const devices = 7 // of R1
	for hz, tries := range map[uint32]int{100_000: 1, 400_000: 2} {
		k := pi()
		k.hz = hz
		clk := &queueClock{asked: make(chan struct{}, devices-1)}
		first, go1 := make(chan struct{}), make(chan struct{})
		transfers := 0
		k.answer = func(uint16, []message) syscall.Errno { // the bus is held by its caller
			if transfers++; transfers == 1 {
				close(first)
				<-go1
			}
			clk.Sleep(k.limit)
			return syscall.ETIMEDOUT
		}
		b, err := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1"}, k)
		if err != nil {
			t.Fatal(err)
		}
		errs := make(chan error, devices)
		call := func(addr uint16) { errs <- b.For(clk).Tx(addr, []byte{0}, make([]byte, 1)) }
		go call(0x40)
		<-first
		for len(clk.asked) > 0 {
			<-clk.asked
		}
		for i := range uint16(devices - 1) {
			go call(0x41 + i)
		}
		for range devices - 1 {
			<-clk.asked
		}
		close(go1)
		for range devices {
			if err := <-errs; !errors.Is(err, syscall.ETIMEDOUT) {
				t.Errorf("%d Hz: %v", hz, err)
			}
		}
		if took := clk.now.Sub(time.Time{}); transfers != tries || took > 200*time.Millisecond || b.Stats().Failed != devices {
			t.Errorf("%d Hz: %d transfers of %v, the last driver waited %v; %+v", hz, transfers, k.limit, took, b.Stats())
		}
	}
}

// A missing acknowledge takes no time, whatever an adapter calls it: who waits behind it gets its turn, also on a slow bus that was busy before.
func TestDevicesBehindAMissingAcknowledgeGetTheirTurn(t *testing.T) {
	k := pi()
	k.hz = 100_000
	clk := &queueClock{asked: make(chan struct{}, 4)}
	first, go1 := make(chan struct{}), make(chan struct{})
	transfers := 0
	k.answer = func(_ uint16, _ []message) syscall.Errno {
		switch transfers++; transfers {
		case 1: // a whole picture
			close(first)
			<-go1
			clk.Sleep(92 * time.Millisecond)
			return 0
		default: // what a CP2112 says of an absent chip
			return syscall.ETIMEDOUT
		}
	}
	b, err := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1"}, k)
	if err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, 3)
	call := func(addr uint16) { errs <- b.For(clk).Tx(addr, []byte{0}, make([]byte, 1)) }
	go call(0x3c)
	<-first
	for len(clk.asked) > 0 {
		<-clk.asked
	}
	go call(0x41)
	go call(0x42)
	<-clk.asked
	<-clk.asked
	close(go1)
	for range 3 {
		<-errs
	}
	if transfers != 3 {
		t.Errorf("%d of 3 transfers were made", transfers)
	}
}
