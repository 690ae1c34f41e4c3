package device

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/ugv"
)

// Parts of a robot whose board is an ESP32 behind a serial port (package ugv). They share one link, which outlives their restarts.

// answerTime is how long Open waits for the board: one that runs already answers and is set up within it. One that was just switched on
// takes seconds, during which polls give stale samples.
const (
	answerTime = 200 * time.Millisecond
	answerStep = 5 * time.Millisecond
)

// errNoSerial is what a board without serial ports gives.
var errNoSerial = errors.New("this board has no serial ports")

// ugvPart is one device's handle of the link.
type ugvPart struct {
	core
	board  Board
	safety *Safety
	permit hardware.BusPermit
	link   *ugv.Link
	state  ugv.State // of the newest pump
}

func newUGVPart(name string, period time.Duration, b Board, s *Safety, permit hardware.BusPermit) ugvPart {
	return ugvPart{core: newCore(name, period), board: b, safety: s, permit: permit}
}

// newUGV returns a device that the board serves; nil if another driver does.
func newUGV(name string, b Board, s *Safety, permit hardware.BusPermit) hardware.Device {
	p := b.robot()
	serves := map[string]bool{
		hardware.Motors: p.Drive != nil && p.Drive.Driver.Driver == ugvDriver, hardware.IMU: p.IMU != nil && p.IMU.Driver.Driver == ugvDriver,
		hardware.Battery: p.Battery != nil && p.Battery.Driver.Driver == ugvDriver, hardware.Display: p.Display != nil && p.Display.Driver.Driver == ugvDriver,
		hardware.Lights: p.Lights != nil && p.Lights.Driver.Driver == ugvDriver,
	}
	if !serves[name] {
		return nil
	}
	switch name {
	case hardware.Motors:
		return newUGVMotors(newUGVPart(name, ugvMotorsPeriod, b, s, permit))
	case hardware.IMU:
		return newUGVIMU(newUGVPart(name, ugvIMUPeriod, b, s, permit))
	case hardware.Battery:
		return &ugvBattery{ugvPart: newUGVPart(name, ugvBatteryPeriod, b, s, permit)}
	case hardware.Display:
		return newUGVDisplay(newUGVPart(name, displayPeriod, b, s, permit))
	default:
		return &ugvLights{ugvPart: newUGVPart(name, lightsPeriod, b, s, permit)}
	}
}

const ugvDriver = "ugv"

// UGV is the link to the board of a robot whose profile has one, made at the first call. Safety then stops the wheels through it.
func (s *Safety) UGV(b Board) (*ugv.Link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ugv != nil {
		return s.ugv, nil
	}
	p := b.robot().Drive
	switch {
	case p == nil || p.Port == "":
		return nil, fmt.Errorf("the drive of the robot %s is no board on a serial port", b.robot().Name)
	case b.Serial == nil:
		return nil, errNoSerial
	}
	link, err := ugv.New(ugvConfig(p), func() (hardware.Serial, error) { return b.Serial(p.Port) })
	if err != nil {
		return nil, err
	}
	if s.mu.Open() {
		link.Alone()
	}
	s.ugv, s.brake = link, link.Enable()
	return link, nil
}

func ugvConfig(p *profile.Drive) ugv.Config {
	return ugv.Config{
		Name: p.Port, Firmware: ugv.Firmware(p.Firmware), Main: p.Main, Timeout: time.Duration(p.TimeoutMS) * time.Millisecond, MaxMPS: p.MaxMMPS / 1000,
		MinDuty: p.MinDuty,
	}
}

// connect opens the port and waits a little for the board.
func (u *ugvPart) connect(clk hardware.Clock) error {
	u.setClock(clk)
	link, err := u.safety.UGV(u.board)
	if err != nil {
		return u.errorWithCause(hardware.CauseGone, "open", "%w", err)
	}
	u.link = link
	if err := link.Open(clk.Now()); err != nil {
		return u.errorWithCause(hardware.CauseGone, "open port", "%w", err)
	}
	for end := clk.Now().Add(answerTime); ; clk.Sleep(answerStep) {
		if err := u.pump(clk.Now()); err != nil {
			return u.fail("identify", err)
		}
		if u.state.Ready || !clk.Now().Before(end) {
			return nil
		}
	}
}

// pump takes what came and writes what is due, with the permit of this device.
func (u *ugvPart) pump(now time.Time) error {
	if u.permit != nil {
		if !u.permit.Enter() {
			return errNoPermit
		}
		defer u.permit.Leave()
	}
	u.health.Reads++
	err := u.link.Pump(now)
	u.state = u.link.State()
	if err != nil {
		u.health.Errors++
		var d *hardware.DeviceError
		if errors.As(err, &d) { // of the port: every device that it serves has it
			return &hardware.DeviceError{Device: u.name, Op: d.Op, Cause: d.Cause, Err: fmt.Errorf("%s: %w", d.Device, d.Err)}
		}
	}
	return err
}
