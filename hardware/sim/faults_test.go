package sim

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// read is one register read of a chip, as the fault leaves it.
func (b bench) read(addr uint16, reg byte, n int) ([]byte, error) {
	r := make([]byte, n)
	err := b.Bus(BusName, b.Clock).Tx(addr, []byte{reg}, r)
	return r, err
}

func TestFaultsReachTheChips(t *testing.T) {
	for _, c := range []struct {
		device, kind string
		addr         uint16
		want         error
	}{
		{hardware.IMU, KindAbsent, addrIMU, syscall.EREMOTEIO},
		{hardware.Battery, KindStuck, addrBattery, syscall.ETIMEDOUT},
		{hardware.Cliff, KindUnplug, addrCliff, syscall.ENODEV},
		{FaultBus, KindUnplug, addrServos, syscall.ENODEV},
		{FaultBus, KindStuck, addrRange, syscall.ETIMEDOUT},
		{FaultBus, KindAbsent, addrLights, syscall.EREMOTEIO},
	} {
		b := newBench(t, Options{})
		b.must(b.Rig.Fault(c.device, c.kind, time.Second))
		if _, err := b.read(c.addr, 0, 1); !errors.Is(err, c.want) {
			t.Errorf("%s %s: %v, want %v", c.device, c.kind, err, c.want)
		}
		if f := b.Faults(); len(f) != 1 || f[0].Kind != c.kind || !f[0].Until.Equal(epoch.Add(time.Second)) {
			t.Errorf("%s %s: active %v", c.device, c.kind, f)
		}
		b.Sleep(time.Second)
		if f := b.Faults(); len(f) != 0 {
			t.Errorf("%s %s: still active %v", c.device, c.kind, f)
		}
		if _, err := b.read(c.addr, 0, 1); err != nil {
			t.Errorf("%s %s: after its end %v", c.device, c.kind, err)
		}
	}
}

func TestDataFaultsChangeReadings(t *testing.T) {
	b := newBench(t, Options{})
	who := func() byte {
		r, err := b.read(addrIMU, 0x75, 1)
		b.must(err)
		return r[0]
	}
	if who() != 0x68 {
		t.Fatalf("identity %#x", who())
	}
	b.must(b.Rig.Fault(hardware.IMU, KindWrongID, 0))
	if who() == 0x68 {
		t.Error("wrong-id shows the right identity")
	}
	b.ClearFaults()
	if who() != 0x68 {
		t.Error("ClearFaults does not heal")
	}
	b.must(b.Rig.Fault(hardware.IMU, KindSlow, 0))
	before := b.Now()
	who()
	if d := b.Now().Sub(before); d < slowLag || d > slowLag+time.Millisecond {
		t.Errorf("slow took %v", d)
	}
	b.must(b.Rig.Fault(hardware.IMU, KindNack, 0))
	if f := b.Faults(); len(f) != 2 || f[0].Kind != KindNack || f[1].Kind != KindSlow {
		t.Errorf("active %v", f)
	}
	failed := 0
	for range 40 {
		if _, err := b.read(addrIMU, 0x75, 1); err != nil {
			failed++
		}
	}
	if failed < 8 || failed > 32 {
		t.Errorf("%d of 40 transactions failed", failed)
	}
}

func TestBrownoutStopsTheWheels(t *testing.T) {
	b := newBench(t, Options{Nobody: true})
	wheels := b.pwm(addrWheels, 1526)
	b.wake()
	b.must(wheels.Set(0, 1000, 0, 1000, 0))
	b.must(b.Rig.Fault(hardware.Motors, KindBrownout, time.Second))
	if err := wheels.Verify(); err == nil {
		t.Error("configuration survived")
	}
	if d := b.world.wheels[0].duty(true); d != 0 {
		t.Errorf("duty %v after the brown-out", d)
	}
	if len(b.Faults()) != 0 {
		t.Error("a brown-out is not lasting")
	}
}

func TestLineFaultsKeepOrRemoveLevels(t *testing.T) {
	b := newBench(t, Options{Nobody: true})
	touch, err := b.Rig.Lines().Input(lineTouch)
	b.must(err)
	b.must(b.Rig.Fault(hardware.Touch, KindStuck, time.Second))
	b.Touch(time.Minute)
	if high, _ := touch.Get(); high {
		t.Error("a stuck line follows the hand")
	}
	b.Sleep(time.Second)
	if high, _ := touch.Get(); !high {
		t.Error("the line stays stuck")
	}
	b.must(b.Rig.Fault(hardware.Charger, KindUnplug, time.Second))
	if _, err := b.Rig.Lines().Input(linePresent); !errors.Is(err, syscall.ENODEV) {
		t.Errorf("request of an unplugged line: %v", err)
	}
	b.Sleep(time.Second)
	if _, err := b.Rig.Lines().Input(linePresent); err != nil {
		t.Errorf("after its end: %v", err)
	}
}

func TestUnpluggedEnableStopsAndFrozenEncodersAreSilent(t *testing.T) {
	b := newBench(t, Options{Nobody: true})
	wheels := b.pwm(addrWheels, 1526)
	enc, err := b.Rig.Lines().Encoder(lineLeftA, lineLeftB, 4)
	b.must(err)
	b.wake()
	b.must(wheels.Set(0, 1000, 0, 1000, 0))
	b.Sleep(300 * time.Millisecond)
	moved, _ := enc.Count()
	b.must(b.Rig.Fault(hardware.Motors, KindFrozen, time.Second))
	b.Sleep(300 * time.Millisecond)
	if n, _ := enc.Count(); n != moved || moved == 0 {
		t.Errorf("frozen encoder counts: %d then %d", moved, n)
	}
	b.Sleep(time.Second)
	if n, _ := enc.Count(); n <= moved {
		t.Error("encoder stays frozen")
	}
	b.must(b.Rig.Fault(FaultEnable, KindUnplug, 0))
	if b.world.powered {
		t.Error("bridge still powered without its line")
	}
}

func TestEveryFaultCombinationWorksOrNamesTheReason(t *testing.T) {
	for _, d := range FaultDevices() {
		works := 0
		for _, k := range Kinds() {
			b := newBench(t, Options{})
			frozen := time.Duration(0)
			b.SetFreeze(func(d time.Duration) { frozen = d })
			err := b.Rig.Fault(d, k, time.Second)
			switch {
			case err == nil:
				works++
			case !strings.HasPrefix(err.Error(), "fault: "+d+" cannot be "+k+": "):
				t.Errorf("%s %s: %v", d, k, err)
			}
			if err == nil && k != KindBrownout && !b.faults.done.any() && frozen != time.Second {
				t.Errorf("%s %s does nothing", d, k)
			}
			b.ClearFaults()
			if b.faults.done.any() {
				t.Errorf("%s %s is not healed", d, k)
			}
		}
		if works == 0 {
			t.Errorf("nothing can break %s", d)
		}
	}
	if !slices.IsSorted(FaultDevices()) || !slices.IsSorted(Kinds()) {
		t.Error("lists are not sorted")
	}
}

func TestFaultErrorsNameValidChoices(t *testing.T) {
	b := newBench(t, Options{})
	for _, c := range []struct{ device, kind, want string }{
		{"motor", KindNack, `did you mean "motors"`},
		{"imu", "wrong_id", `did you mean "wrong-id"`},
		{"xyz", KindNack, "devices: battery bus"},
		{"touch", KindWrongID, "no identity"},
		{"vision", KindAbsent, "no chip"},
		{"lights", KindFrozen, "nothing is measured"},
	} {
		err := b.Rig.Fault(c.device, c.kind, 0)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.device, c.kind, err, c.want)
		}
	}
}

func TestHostFreezesOnlyForTimeAndWhereTimeCanBeHalted(t *testing.T) {
	b := newBench(t, Options{})
	if err := b.Rig.Fault(FaultHost, KindFrozen, time.Second); err == nil || !strings.Contains(err.Error(), "kill -STOP") {
		t.Errorf("without a clock that halts: %v", err)
	}
	b.SetFreeze(func(time.Duration) { t.Error("frozen for ever") })
	if err := b.Rig.Fault(FaultHost, KindFrozen, 0); err == nil || !strings.Contains(err.Error(), "such as 2s") {
		t.Errorf("without an end: %v", err)
	}
}

func (d damage) any() bool {
	return len(d.chips) > 0 || len(d.lines) > 0 || d.busStuck || d.busGone || len(d.spi) > 0 || d.frozen
}

func TestRefusedFaultListsOnlyWhatTheRobotHas(t *testing.T) {
	tree := resources.Embedded()
	for _, name := range profile.Names(tree) {
		p, _, err := profile.Load(tree, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := New(Options{Profile: p})
		for _, device := range []string{hardware.Vision, "wheels"} {
			_, err := r.planOf(device, "absent")
			if err == nil {
				t.Fatalf("%s: the fault of %s was accepted", name, device)
			}
			_, listed, _ := strings.Cut(err.Error(), "devices: ")
			for _, d := range strings.Fields(listed) {
				if r.partOf(d).none() {
					t.Errorf("%s, %s: lists %s, which it lacks", name, device, d)
				}
			}
		}
	}
}
