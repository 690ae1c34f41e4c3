package mpu6x_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/mpu6x"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x68

func TestReadConvertsUnitsAndReportsFaults(t *testing.T) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	accel, gyro := [3]float64{-2000, 500, 9806.65}, [3]float64{0.1, -4.5, 5}
	bus.Attach(addr, emul.NewMPU6050(func() ([3]float64, [3]float64) { return accel, gyro }))
	d := mpu6x.New(bus.For(clk), addr, clk, new(hardware.Health), nil)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	raw, err := d.Read()
	if err != nil {
		t.Fatal(err)
	}
	s := d.Decode(raw)
	for i := range 3 {
		if math.Abs(s.AccelMMPS2[i]-accel[i]) > 2 || math.Abs(s.GyroRadPS[i]-gyro[i]) > 0.001 {
			t.Errorf("axis %d: %v mm/s², %v rad/s", i, s.AccelMMPS2[i], s.GyroRadPS[i])
		}
	}
	if s.Celsius < 20 || s.Celsius > 45 {
		t.Errorf("%v °C", s.Celsius)
	}
	bus.BrownOut(addr)
	if err := d.Verify(); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("Verify: %v", err)
	}
	if err := d.Init(); err != nil {
		t.Errorf("repair: %v", err)
	}
	bus.SetFault(addr, emul.Fault{WrongID: true})
	if err := d.Init(); reg.CauseOf(err) != hardware.CauseWrongID {
		t.Errorf("foreign chip: %v", err)
	}
}

// Reset values by the register maps and not by the emulator: RM-MPU-6000A (0x40), RM-MPU-6500A and RM-MPU-9250A, section 3 (0x00 but for
// PWR_MGMT_1, 0x01), DS-000176 of the ICM-20602 (0x41). A 6500 that lost its power measures on, at ±250 °/s and ±2 g.
func TestBrownOutIsNoticedWhetherOrNotTheChipSleeps(t *testing.T) {
	for id, power := range map[byte]byte{0x68: 0x40, 0x70: 0x01, 0x71: 0x01, 0x72: 0x01, 0x73: 0x01, 0x74: 0x01, 0x75: 0x01, 0x78: 0x01, 0x12: 0x41} {
		for _, opts := range []*mpu6x.Opts{nil, {GyroDPS: 250, AccelG: 2, Filter: 1}} { // those ranges are the reset's
			d, bus, _ := setup(id, opts)
			if err := d.Init(); err != nil {
				t.Fatal(err)
			}
			if err := d.Verify(); err != nil {
				t.Errorf("%s before: %v", d, err)
			}
			bus.BrownOut(addr)
			var got [4]byte
			if err := errors.Join(bus.Tx(addr, []byte{0x6b}, got[:1]), bus.Tx(addr, []byte{0x1a}, got[1:])); err != nil || got != [4]byte{power} {
				t.Errorf("%s after the reset: %#02x, %v", d, got, err)
			}
			if err := d.Verify(); !errors.Is(err, reg.ErrConfigLost) {
				t.Errorf("%s after the brown-out: %v", d, err)
			}
			if err := d.Init(); err != nil || d.Verify() != nil {
				t.Errorf("%s repaired: %v, %v", d, err, d.Verify())
			}
		}
	}
}

func TestHaltPutsTheChipToSleep(t *testing.T) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(addr, emul.NewMPU6050(func() (a, g [3]float64) { return a, g }))
	d := mpu6x.New(bus.For(clk), addr, clk, new(hardware.Health), nil)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	if err := d.Halt(); err != nil || d.Verify() == nil {
		t.Errorf("Halt: %v; still awake: %v", err, d.Verify() == nil)
	}
}

// setup is a chip of a kind, with a clock.
func setup(id byte, opts *mpu6x.Opts) (*mpu6x.Dev, *emul.Bus, *hwtest.Clock) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	chip := emul.NewMPU6050(func() (a, g [3]float64) { return [3]float64{0, -4903.325, 9806.65}, [3]float64{math.Pi / 2} })
	chip.SetKind(id)
	chip.SetElapsed(emul.Since(clk.Now))
	bus.Attach(addr, chip)
	return mpu6x.New(bus.For(clk), addr, clk, new(hardware.Health), opts), bus, clk
}

// Identities by Linux's driver. 31 °C with the wrong scale would be 10 to 16 °C off.
func TestEachChipOfTheFamilyIsKnownAndReadsItsTemperature(t *testing.T) {
	for id, name := range map[byte]string{
		0x68: "MPU-6050", 0x70: "MPU-6500", 0x71: "MPU-9250", 0x73: "MPU-9255", 0x74: "MPU-6515", 0x78: "MPU-6880",
		0x98: "ICM-20689", 0xaf: "ICM-20608", 0xa6: "ICM-20609", 0x12: "ICM-20602", 0x20: "ICM-20690", 0xa9: "IAM-20680",
	} {
		d, _, _ := setup(id, nil)
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		if k := d.Kind(); k.ID != id || k.Name != name {
			t.Errorf("%#02x is %q, want %q", id, k.Name, name)
		}
		raw, err := d.Read()
		if s := d.Decode(raw); err != nil || math.Abs(s.Celsius-31) > 0.01 || math.Abs(s.GyroRadPS[0]-math.Pi/2) > 1e-3 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	d, _, _ := setup(0x42, nil)
	if err := d.Init(); reg.CauseOf(err) != hardware.CauseWrongID {
		t.Errorf("foreign chip: %v", err)
	}
}

// Only the newer chips have a filter of the accelerometer; two of them keep the size of the FIFO beside it.
func TestTheAccelerometerHasItsFilterToo(t *testing.T) {
	for id, want := range map[byte]byte{0x68: 0, 0x70: 3, 0x71: 3, 0x12: 3, 0x98: 0xc3, 0x20: 0xc3} {
		d, bus, _ := setup(id, &mpu6x.Opts{GyroDPS: 250, AccelG: 2, Filter: 3})
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		var got [3]byte
		for i, r := range []byte{0x1a, 0x1d} {
			if err := bus.Tx(addr, []byte{r}, got[i:i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if got[0] != 3 || got[1] != want {
			t.Errorf("%s: CONFIG %#02x, ACCEL_CONFIG2 %#02x, want 3 and %#02x", d, got[0], got[1], want)
		}
	}
}

func TestEachRangeHasItsScale(t *testing.T) {
	// Counts of 90 °/s and of 0.5 g, by the data sheet: 131, 65.5, 32.8, 16.4 a °/s and 16384 … 2048 a g.
	gyro, accel := map[int]float64{250: 11796, 500: 5898, 1000: 2949, 2000: 1475}, map[int]float64{2: -8192, 4: -4096, 8: -2048, 16: -1024}
	for dps, g := range map[int]int{250: 2, 500: 4, 1000: 8, 2000: 16} {
		d, _, _ := setup(0x68, &mpu6x.Opts{GyroDPS: dps, AccelG: g, Filter: 1})
		if err := d.Init(); err != nil {
			t.Fatal(err)
		}
		raw, err := d.Read()
		word := func(i int) float64 { return float64(int16(uint16(raw[i])<<8 | uint16(raw[i+1]))) }
		if err != nil || math.Abs(word(8)-gyro[dps]) > 1 || math.Abs(word(2)-accel[g]) > 1 {
			t.Errorf("±%d °/s, ±%d g: %v and %v counts, %v", dps, g, word(8), word(2), err)
		}
		if s := d.Decode(raw); math.Abs(s.AccelMMPS2[1]+4903.325) > 6 || math.Abs(s.GyroRadPS[0]-math.Pi/2) > 2e-3 {
			t.Errorf("±%d °/s, ±%d g: %+v", dps, g, s)
		}
	}
}

// What another program left is gone, and the reset is waited for: a write during it would be lost. The whole start stays below
// the time that one call of a driver may take.
func TestInitResetsWhatAnotherProgramLeft(t *testing.T) {
	d, bus, clk := setup(0x68, nil)
	for _, w := range [][]byte{{0x6b, 0}, {0x6a, 0x60}, {0x23, 0x78}, {0x13, 0x40}, {0x6c, 0x3f}} {
		if err := bus.Tx(addr, w, nil); err != nil {
			t.Fatal(err)
		}
	}
	begin := clk.Now()
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	if took := clk.Now().Sub(begin); took < 200*time.Millisecond || took > 245*time.Millisecond {
		t.Errorf("took %v", took)
	}
	for _, r := range []byte{0x6a, 0x23, 0x13, 0x6c} {
		var got [1]byte
		if err := bus.Tx(addr, []byte{r}, got[:]); err != nil || got[0] != 0 {
			t.Errorf("register %#02x: %#02x, %v", r, got[0], err)
		}
	}
	raw, err := d.Read()
	if s := d.Decode(raw); err != nil || s.GyroRadPS[0] < 1.5 {
		t.Errorf("the gyroscope does not turn yet: %+v, %v", s, err)
	}
	bus.BrownOut(addr)
	begin = clk.Now()
	if err := d.Init(); err != nil || clk.Now().Sub(begin) > 80*time.Millisecond {
		t.Errorf("repair took %v, %v", clk.Now().Sub(begin), err)
	}
}

func TestUnknownRangeNamesTheNearest(t *testing.T) {
	for want, o := range map[string]mpu6x.Opts{
		"mpu6x: range of the gyroscope in °/s 300 is none of [250 500 1000 2000]; nearest is 250": {GyroDPS: 300, AccelG: 4, Filter: 2},
		"mpu6x: range of the accelerometer in g 10 is none of [2 4 8 16]; nearest is 8":           {GyroDPS: 500, AccelG: 10, Filter: 2},
		"mpu6x: filter 0 is none of [1 2 3 4 5 6]; nearest is 1":                                  {GyroDPS: 500, AccelG: 4},
	} {
		d, _, _ := setup(0x68, &o)
		if err := d.Init(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func Example() {
	clk := hwtest.NewClock() // a device actor's clock
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(0x68, emul.NewMPU6050(func() (accel, gyro [3]float64) { return [3]float64{0, 0, 9806.65}, gyro }))

	d := mpu6x.New(bus, 0x68, clk, new(hardware.Health), nil)
	if err := d.Init(); err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = d.Halt() }()
	raw, err := d.Read()
	s := d.Decode(raw)
	fmt.Printf("%v %.0f mm/s² %.1f °C %v\n", d, s.AccelMMPS2[2], s.Celsius, err)
	// Output: MPU-6050{i2c1(0x68)} 9807 mm/s² 31.0 °C <nil>
}
