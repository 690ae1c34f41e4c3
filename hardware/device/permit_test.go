package device_test

import (
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

// permit is a bus permit that may be taken away.
type permit struct {
	refused bool
	inside  int
	entered int
}

func (l *permit) Enter() bool {
	if l.refused {
		return false
	}
	l.inside++
	l.entered++
	return true
}

func (l *permit) Leave() { l.inside-- }

// tapped counts the transactions that reach the bus although the permit was taken away.
type tapped struct {
	i2c.Bus
	of      *permit
	illegal *int
}

func (b tapped) Tx(addr uint16, w, r []byte) error {
	if b.of.refused {
		*b.illegal++
	}
	return b.Bus.Tx(addr, w, r)
}

// A driver whose permit was taken away reaches no chip any more, whatever it does. Its successor on the same bus does.
func TestDriverWithoutPermitReachesNoChip(t *testing.T) {
	for _, name := range []string{hardware.Battery, hardware.Cliff, hardware.IMU, hardware.Lights, hardware.Motors, hardware.Range, hardware.Servos} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, sim.Options{Seed: 1})
			illegal, wire := 0, b.board.Bus
			mine, next := &permit{}, &permit{}
			tap := func(of *permit) device.Board {
				board := b.board
				board.Bus = func(clk hardware.Clock) i2c.Bus { return tapped{wire(clk), of, &illegal} }
				return board
			}
			if !device.Replaceable(name) {
				t.Error("not replaceable")
			}
			zombie, err := device.New(name, tap(mine), b.safety, mine)
			if err != nil {
				t.Fatal(err)
			}
			if err := zombie.Open(b.clk); err != nil {
				t.Fatal(err)
			}
			if mine.entered == 0 || mine.inside != 0 {
				t.Errorf("%d transactions entered, %d not left", mine.entered, mine.inside)
			}
			mine.refused = true
			before := mine.entered
			fresh, err := device.New(name, tap(next), b.safety, next)
			if err != nil {
				t.Fatal(err)
			}
			if err := fresh.Open(b.clk); err != nil {
				t.Fatalf("the successor cannot open: %v", err)
			}
			now := b.clk.Now()
			for range 3 {
				now = now.Add(100 * time.Millisecond)
				_, _ = zombie.Poll(now)
			}
			_ = zombie.Halt()
			if illegal > 0 || mine.entered != before {
				t.Errorf("%d transactions without a permit, %d entered", illegal, mine.entered-before)
			}
			if _, err := fresh.Poll(now.Add(time.Millisecond)); err != nil {
				t.Errorf("the successor after the zombie's halt: %v", err)
			}
		})
	}
	if device.Replaceable(hardware.Display) {
		t.Error("the display's port asks no permit")
	}
}
