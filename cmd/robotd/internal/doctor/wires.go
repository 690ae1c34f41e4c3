package doctor

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/robotd/robotd/hardware/linux"
	"github.com/robotd/robotd/hardware/profile"
)

func lines(p *profile.Profile) (all []Check) {
	l := linux.LinesOf(p)
	for _, name := range slices.Sorted(maps.Keys(p.Lines)) {
		all = append(all, line(l, name))
	}
	return all
}

func line(l *linux.Lines, name string) Check {
	c := Check{What: name, State: OK}
	info, err := l.Info(name)
	switch {
	case err != nil:
		c.State, c.Text, c.Advice = Fail, strings.TrimPrefix(err.Error(), "line "+name+": "), lineAdvice(err)
	case info.Used:
		c.State, c.Text = Fail, fmt.Sprintf("%s is held by %s", info.Place, info.Holder)
		c.Advice = freeIt
	default:
		c.Text = info.Place
	}
	return c
}

// freeIt is what to do about a line that another process holds.
const freeIt = "stop what holds it; if that is robotd itself, stop the service before you run the doctor"

func lineAdvice(err error) string {
	switch {
	case errors.Is(err, syscall.EBUSY):
		return freeIt
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return "put the user into the group gpio (adduser NAME gpio) and log in anew"
	case errors.Is(err, syscall.ENODEV), errors.Is(err, syscall.ENOENT):
		return "is this the board of the profile? gpioinfo lists the lines that there are"
	case errors.Is(err, syscall.EINVAL):
		return "name chip and offset of the line in the profile"
	}
	return ""
}

func ports(p *profile.Profile) (all []Check) {
	for _, name := range slices.Sorted(maps.Keys(p.Ports)) {
		port := p.Ports[name]
		c := Check{What: port.Kind + " port " + name, State: OK, Text: port.Device}
		node := port.Device
		if port.Kind == "spi" {
			node = "/dev/spidev" + strings.TrimPrefix(port.Device, "SPI")
		}
		if err := usable(node); err != nil {
			c.State, c.Text, c.Advice = Fail, fmt.Sprintf("%s: %v", node, err), portAdvice(port.Kind, err)
		}
		all = append(all, c)
	}
	return all
}

// usable reports whether a device node may be opened, without opening it: a serial board may restart when its port is opened.
func usable(node string) error {
	if _, err := os.Stat(node); err != nil {
		return errors.Unwrap(err)
	}
	return unix.Access(node, unix.R_OK|unix.W_OK)
}

func portAdvice(kind string, err error) string {
	switch {
	case errors.Is(err, syscall.EACCES) && kind == "spi":
		return "put the user into the group spi (adduser NAME spi) and log in anew"
	case errors.Is(err, syscall.EACCES):
		return "put the user into the group dialout (adduser NAME dialout) and log in anew"
	case kind == "spi":
		return "switch SPI on (raspi-config, Interface, SPI; or dtparam=spi=on in config.txt)"
	}
	return "is the board's cable plugged in? Another path can be given in a profile of your own"
}

// settle is how long a released line may take to follow its resistor.
const settle = 5 * time.Millisecond

// stop tells what stops the wheels when this process dies, and tests the enable line on request.
func stop(p *profile.Profile, o Options) []Check {
	if p.Drive == nil {
		return nil
	}
	c := Check{What: "when robotd dies", State: OK}
	switch p.Stop() {
	case profile.StopLine:
		c.Text = "the one-shot on " + p.Drive.Enable + " takes the motors' power within 300 ms"
	case profile.StopBoard:
		c.Text = "the motor board stops by its own time-out"
	case profile.StopProcess:
		c.State, c.Text = Warn, "nothing outside this process stops the wheels: a PWM chip repeats its last order for ever if the process freezes or is killed"
		c.Advice = "keep the speed low and a hand near the switch; a one-shot on the chip's OE pin or in the motors' supply closes the gap (hardware/README.md)"
	}
	all := []Check{c}
	if p.Drive.Enable == "" {
		return all
	}
	if p.Drive.Beat == "" && !o.TestEnable {
		return append(all, Check{What: "release of " + p.Drive.Enable, State: Note, Text: "not tested", Advice: "wheels off the ground, then robotd doctor --test-enable"})
	}
	return append(all, release(linux.LinesOf(p), p.Drive.Enable))
}

// release raises the enable line for a moment, gives it back in order, and reads whether its resistor pulls it low. With a one-shot the
// motors stay without power, since nothing beats. It tells nothing of a process that is killed: then the GPIO driver decides whether the line is
// let go at all (persistent).
func release(l *linux.Lines, name string) Check {
	c := Check{What: "release of " + name, State: OK, Text: "its resistor pulls the line low when it is let go"}
	high, err := after(l, name)
	switch {
	case err != nil:
		c.State, c.Text, c.Advice = Fail, err.Error(), lineAdvice(err)
	case high:
		c.State, c.Text = Fail, "the line stays high when it is let go"
		c.Advice = "a resistor of 100 kΩ to ground belongs to it"
	}
	return c
}

// after is the level of a line after it was driven high and given back.
func after(l *linux.Lines, name string) (bool, error) {
	out, err := l.Output(name, true)
	if err != nil {
		return false, err
	}
	if err := out.Close(); err != nil {
		return false, err
	}
	in, err := l.Input(name)
	if err != nil {
		return false, err
	}
	defer func() { _ = in.Close() }()
	time.Sleep(settle) //nolint:forbidigo // no robot runs, so there is no clock of one
	return in.Get()
}
