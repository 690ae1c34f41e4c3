package ads7830_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/ads7830"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x48

// tape notes what is written to a bus and answers with a count.
type tape struct {
	*emul.Bus
	written []byte
}

func (b *tape) Tx(addr uint16, w, r []byte) error {
	b.written = append(b.written, w...)
	return b.Bus.Tx(addr, w, r)
}

// Commands as other people's code has them: with the supply as reference, and with the internal one.
func TestCommandsOfTheInputs(t *testing.T) {
	for _, c := range []struct {
		opts *ads7830.Opts
		want [8]byte
	}{
		{nil, [8]byte{0x84, 0xc4, 0x94, 0xd4, 0xa4, 0xe4, 0xb4, 0xf4}},
		{&ads7830.InternalOpts, [8]byte{0x8c, 0xcc, 0x9c, 0xdc, 0xac, 0xec, 0xbc, 0xfc}},
	} {
		clk := hwtest.NewClock()
		bus := &tape{Bus: emul.NewBus("i2c1", clk, 1)}
		bus.Attach(addr, emul.NewADS7830(3.3, func(ch int) float64 { return 0.25 * float64(ch) }))
		d := ads7830.New(bus, addr, clk, new(hardware.Health), c.opts)
		for ch := range ads7830.Inputs {
			v, err := d.Volts(ch)
			if err != nil || math.Abs(v-0.25*float64(ch)) > 0.02 {
				t.Errorf("input %d: %v V, %v", ch, v, err)
			}
		}
		if got := [8]byte(bus.written); got != c.want {
			t.Errorf("% x, want % x", got, c.want)
		}
	}
}

// Freenove's board, version 2: two cells at input 2 behind a divider by 2, and 5.2 V for 255.
func TestBatteryOfAFreenoveBoard(t *testing.T) {
	for battery, raw := range map[float64]byte{8.4: 206, 7.4: 181, 7.0: 172, 6.5: 159} {
		clk := hwtest.NewClock()
		bus := emul.NewBus("i2c1", clk, 1)
		bus.Attach(addr, fixed(raw))
		d := ads7830.New(bus, addr, clk, new(hardware.Health), &ads7830.Opts{Volts: 5.2})
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		if v, err := d.Volts(2); err != nil || math.Abs(2*v-battery) > 0.021 {
			t.Errorf("%d: %v V, %v; want %v", raw, 2*v, err, battery)
		}
	}
}

// fixed is a chip that always reads the same.
type fixed byte

func (f fixed) PowerOnReset() {}
func (f fixed) I2C(_, r []byte) error {
	for i := range r {
		r[i] = byte(f)
	}
	return nil
}

func TestMissingChipAndInputAreErrors(t *testing.T) {
	clk := hwtest.NewClock()
	d := ads7830.New(emul.NewBus("i2c1", clk, 1), addr, clk, new(hardware.Health), nil)
	if err := d.Init(); hardware.Classify(err) != hardware.CauseNack {
		t.Errorf("absent: %v", err)
	}
	if _, err := d.Volts(8); err == nil || err.Error() != "ads7830: no input 8, want 0 to 7" {
		t.Error(err)
	}
	bad := ads7830.New(emul.NewBus("i2c1", clk, 1), addr, clk, new(hardware.Health), &ads7830.Opts{})
	if err := bad.Init(); err == nil || err.Error() != "ads7830: full scale 0 V, want more than 0 and at most 50" {
		t.Error(err)
	}
}

func Example() {
	clk := hwtest.NewClock() // a device actor's clock
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(0x48, emul.NewADS7830(3.3, func(int) float64 { return 1.65 }))

	d := ads7830.New(bus, 0x48, clk, new(hardware.Health), nil)
	if err := d.Init(); err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = d.Halt() }()
	volts, err := d.Volts(2)
	fmt.Printf("%v %.2f V %v\n", d, volts, err)
	// Output: ADS7830{i2c1(0x48)} 1.66 V <nil>
}
