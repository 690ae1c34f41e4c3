package halt_test

import (
	"bytes"
	"io"
	"strings"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/cmd/robotd/internal/halt"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
)

// port keeps what is written to it.
type port struct{ bytes.Buffer }

func (*port) Close() error { return nil }

// board is an emulated board with a PWM chip that another program left driving, and all lines pulled up.
func board() (halt.Board, *emul.PCA9685, *emul.Lines, *port) {
	clk := hwtest.NewClock()
	bus, chip, lines, serial := emul.NewBus("main", clk, 1), emul.NewPCA9685(nil), emul.NewLines(), &port{}
	bus.Attach(0x41, chip)
	tx := func(w ...byte) { _ = bus.Tx(0x41, w, nil) }
	tx(0x00, 0x20)                // awake, auto-increment
	tx(0x06, 0x00, 0x10, 0x00, 0) // output 0 is full on
	return halt.Board{
		Clock: clk, Lines: lines,
		Bus:    func(string) (i2c.Bus, error) { return bus.For(clk), nil },
		Serial: func(string) (io.WriteCloser, error) { return serial, nil },
	}, chip, lines, serial
}

func TestEveryWayThatTheRobotHasSwitchesItsMotorsOff(t *testing.T) {
	b, chip, lines, _ := board()
	if chip.Duty(0) == 0 {
		t.Fatal("the chip drives nothing before")
	}
	did, failed, err := halt.Motors(profile.R1(), b)
	if err != nil || len(failed) > 0 || len(did) != 2 || !strings.Contains(did[0], "MOTOR_EN is low") || !strings.Contains(did[1], "0x41 are off") {
		t.Errorf("%v, %v, %v", did, failed, err)
	}
	if chip.Duty(0) != 0 {
		t.Error("an output is on")
	}
	if l, err := lines.Output("MOTOR_EN", true); err != nil { // it was given back
		t.Error(err)
	} else {
		_ = l.Close()
	}
}

func TestOneWayThatWorksIsEnough(t *testing.T) {
	b, chip, lines, _ := board()
	if _, err := lines.Output("MOTOR_EN", true); err != nil { // a daemon that still holds it
		t.Fatal(err)
	}
	did, failed, err := halt.Motors(profile.R1(), b)
	if err != nil || len(did) != 1 || len(failed) != 1 || chip.Duty(0) != 0 {
		t.Errorf("%v, %v, %v", did, failed, err)
	}
	b.Bus = func(string) (i2c.Bus, error) { return nil, syscall.ENODEV }
	if did, _, err := halt.Motors(profile.R1(), b); err == nil || did != nil {
		t.Errorf("nothing worked: %v, %v", did, err)
	}
}

func TestChipAfterPowerLossIsSwitchedOff(t *testing.T) {
	b, chip, _, _ := board()
	chip.PowerOnReset()
	if _, failed, err := halt.Motors(profile.R1(), b); err != nil || len(failed) > 0 || chip.Duty(0) != 0 {
		t.Errorf("%v, %v", failed, err)
	}
}

func TestBoardBehindSerialPortIsToldToStandStill(t *testing.T) {
	b, _, _, serial := board()
	p := *profile.R1()
	p.Drive = &profile.Drive{Port: "esp"}
	did, _, err := halt.Motors(&p, b)
	if err != nil || len(did) != 1 || strings.Count(serial.String(), "{\"T\":1,\"L\":0,\"R\":0}\n") != 2 {
		t.Errorf("%v, %v, %q", did, err, serial.String())
	}
}

func TestRobotWithoutMotorsOrWaysIsTold(t *testing.T) {
	b, _, _, _ := board()
	p := *profile.R1()
	p.Drive = nil
	if did, _, err := halt.Motors(&p, b); err != nil || len(did) != 1 {
		t.Errorf("%v, %v", did, err)
	}
	p.Drive = &profile.Drive{}
	if _, _, err := halt.Motors(&p, b); err == nil || !strings.Contains(err.Error(), "nothing is known") {
		t.Error(err)
	}
}

var _ hardware.Lines = (*emul.Lines)(nil)
