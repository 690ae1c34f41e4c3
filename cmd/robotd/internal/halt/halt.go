// Package halt switches the motors of a real robot off without a running daemon: after it ended, however it ended, and before it begins.
package halt

import (
	"errors"
	"fmt"
	"io"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/pca9685"
	"github.com/robotd/robotd/hardware/profile"
)

// A Board is what the motors hang on.
type Board struct {
	Clock  hardware.Clock
	Lines  hardware.Lines
	Bus    func(name string) (i2c.Bus, error)
	Serial func(port string) (io.WriteCloser, error)
}

// still is the order to stand still of the boards that speak JSON, whatever their firmware. It is sent twice: the first may follow half a line.
const still = "\n{\"T\":1,\"L\":0,\"R\":0}\n"

// Motors switches the motors of a robot off in each way that it has, and says which worked. One way is enough: there is
// an error only if none did. Why a way did not is in failed.
func Motors(p *profile.Profile, b Board) (did []string, failed []error, err error) {
	if p.Drive == nil {
		return []string{"the robot has no motors"}, nil, nil
	}
	try := func(done, wanted string, f func() error) {
		if err := f(); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", wanted, err))
			return
		}
		did = append(did, done)
	}
	if line := p.Drive.Enable; line != "" {
		try(fmt.Sprintf("the line %s is low", line), "drive the line "+line+" low", func() error { return low(b.Lines, line) })
	}
	if c, ok := p.Chips[p.Drive.Chip]; ok && c.Kind == "pca9685" {
		at := fmt.Sprintf("%s at %#x", p.Drive.Chip, c.Address)
		try("all outputs of "+at+" are off", "switch the outputs of "+at+" off", func() error { return off(b, c) })
	}
	if port := p.Drive.Port; port != "" {
		try("the board at the port "+port+" is told to stand still", "tell the board at the port "+port+" to stand still", func() error { return order(b, port) })
	}
	switch {
	case len(did) > 0:
		return did, failed, nil
	case len(failed) == 0:
		return nil, nil, fmt.Errorf("robot %s: nothing is known that switches its motors off", p.Name)
	}
	return nil, failed, fmt.Errorf("robot %s: its motors may turn: no way to switch them off worked", p.Name)
}

// low drives a line low. Whoever requests it next finds it so.
func low(lines hardware.Lines, name string) error {
	line, err := lines.Output(name, false)
	if err != nil {
		return err
	}
	return errors.Join(line.Set(false), line.Close())
}

// off switches every output of a PWM chip off and reads it back, whatever another program left in it. Servos on the same chip go limp.
func off(b Board, c profile.Chip) error {
	bus, err := b.Bus(c.Bus)
	if err != nil {
		return err
	}
	return pca9685.New(bus, c.Address, c.FrequencyHz, b.Clock, new(hardware.Health)).Init()
}

func order(b Board, port string) error {
	w, err := b.Serial(port)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, still+still)
	return errors.Join(err, w.Close())
}
