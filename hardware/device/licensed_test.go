package device_test

import (
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

// licence is a device's clock that may be refused the bus.
type licence struct {
	hardware.Clock
	refused bool
	inside  int
	entered int
}

func (l *licence) Enter() bool {
	if l.refused {
		return false
	}
	l.inside++
	l.entered++
	return true
}

func (l *licence) Leave() { l.inside-- }

// tapped counts the transactions that reach the bus although the licence was refused.
type tapped struct {
	i2c.Bus
	of      *licence
	illegal *int
}

func (b tapped) Tx(addr uint16, w, r []byte) error {
	if b.of.refused {
		*b.illegal++
	}
	return b.Bus.Tx(addr, w, r)
}

// A driver whose licence was taken away reaches no chip any more, whatever it does; its successor on the same bus does.
func TestADriverWithoutItsLicenceReachesNoChip(t *testing.T) {
	for _, name := range []string{hardware.Battery, hardware.Cliff, hardware.IMU, hardware.Lights, hardware.Motors, hardware.Range, hardware.Servos} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, sim.Options{Seed: 1})
			illegal, wire := 0, b.board.Bus
			b.board.Bus = func(clk hardware.Clock) i2c.Bus { return tapped{wire(clk), clk.(*licence), &illegal} }
			mine, next := &licence{Clock: b.clk}, &licence{Clock: b.clk}
			if !device.Replaceable(name) {
				t.Error("not replaceable")
			}
			zombie, err := device.New(name, b.board, b.safety)
			if err != nil {
				t.Fatal(err)
			}
			if err := zombie.Open(mine); err != nil {
				t.Fatal(err)
			}
			if mine.entered == 0 || mine.inside != 0 {
				t.Errorf("%d transactions entered, %d not left", mine.entered, mine.inside)
			}
			mine.refused = true
			before := mine.entered
			fresh, err := device.New(name, b.board, b.safety)
			if err != nil {
				t.Fatal(err)
			}
			if err := fresh.Open(next); err != nil {
				t.Fatalf("the successor cannot open: %v", err)
			}
			now := b.clk.Now()
			for range 3 {
				now = now.Add(100 * time.Millisecond)
				_, _ = zombie.Poll(now)
			}
			_ = zombie.Halt()
			if illegal > 0 || mine.entered != before {
				t.Errorf("%d transactions without a licence, %d entered", illegal, mine.entered-before)
			}
			if _, err := fresh.Poll(now.Add(time.Millisecond)); err != nil {
				t.Errorf("the successor after the zombie's halt: %v", err)
			}
		})
	}
	if device.Replaceable(hardware.Display) {
		t.Error("the display's port has no licence")
	}
}
