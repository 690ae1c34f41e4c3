package linux

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// Consumer is the name under which lines are requested, as gpioinfo shows it.
const Consumer = "robotd"

// A Host is this machine as the board of a robot.
type Host struct {
	robot *profile.Profile
	buses map[string]*I2C
	lines *Lines
}

// Open opens the I²C buses of the robot p. Lines and ports are opened by who asks for them, since a device that restarts must be able to
// open them again. It fails if a bus is absent, cannot be used, or does only SMBus; the error names each.
func Open(p *profile.Profile) (*Host, error) {
	h := &Host{robot: p, buses: map[string]*I2C{}, lines: NewLines(Consumer, lineConfigs(p))}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(p.Buses)) {
		bus, err := OpenI2C(busConfig(name, p.Buses[name]))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		h.buses[name] = bus
	}
	if len(errs) > 0 {
		return nil, errors.Join(append(errs, h.Close())...)
	}
	return h, nil
}

// busConfig reads a bus of a profile. A device that is no path is the kernel's name of the adapter.
func busConfig(name string, b profile.Bus) I2CConfig {
	if !strings.HasPrefix(b.Device, "/") {
		return I2CConfig{Name: name, Adapter: b.Device}
	}
	return I2CConfig{Name: name, Device: b.Device}
}

func lineConfigs(p *profile.Profile) []LineConfig {
	var all []LineConfig
	for name, l := range p.Lines {
		bias := Bias(l.Pull)
		if l.Pull == profile.PullAsIs {
			bias = AsIs
		}
		all = append(all, LineConfig{Name: name, Line: l.Name, Chip: l.Chip, Offset: l.Offset, ActiveLow: l.ActiveLow, Bias: bias})
	}
	return all
}

// Bus is the named bus as seen by an actor with clock clk, which may be nil. A bus that the robot does not have answers every
// transaction with ENODEV.
func (h *Host) Bus(name string, clk hardware.Clock) i2c.Bus {
	if b := h.buses[name]; b != nil {
		return b.For(clk)
	}
	return noBus(name)
}

// I2C is the named bus itself, with its counts; nil if the robot does not have it.
func (h *Host) I2C(name string) *I2C { return h.buses[name] }

// Lines are the GPIO lines of the robot.
func (h *Host) Lines() hardware.Lines { return h.lines }

// Pin makes an output line usable by periph's display driver.
func (h *Host) Pin(l hardware.Line) gpio.PinOut { return Pin(l) }

// SPI opens the named port.
func (h *Host) SPI(name string) (spi.PortCloser, error) {
	port, err := h.port(name, "spi")
	if err != nil {
		return nil, err
	}
	bus, cs, err := spiNumbers(port.Device)
	if err != nil {
		return nil, fmt.Errorf("port %s: %w", name, err)
	}
	return OpenSPI(SPIConfig{Name: name, Bus: bus, Select: cs, Limit: physic.Frequency(port.SpeedHz) * physic.Hertz})
}

// spiNumbers reads bus and chip select of "SPI0.1" or "/dev/spidev0.1".
func spiNumbers(device string) (bus, cs int, err error) {
	numbers := strings.TrimPrefix(strings.TrimPrefix(device, "/dev/spidev"), "SPI")
	b, c, ok := strings.Cut(numbers, ".")
	if ok && numbers != device {
		bus, err = strconv.Atoi(b)
		if err == nil {
			cs, err = strconv.Atoi(c)
		}
	}
	if !ok || numbers == device || err != nil {
		return 0, 0, fmt.Errorf("%q is no SPI port; it is SPI, bus, a point and chip select, as in SPI0.0: %w", device, syscall.EINVAL)
	}
	return bus, cs, nil
}

// Serial opens the named port.
func (h *Host) Serial(name string) (hardware.Serial, error) {
	port, err := h.port(name, "serial")
	if err != nil {
		return nil, err
	}
	p, err := OpenSerial(SerialConfig{Name: name, Device: port.Device, Baud: int(port.SpeedHz)})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// port is the named port of the profile, if it is of that kind.
func (h *Host) port(name, kind string) (profile.Port, error) {
	port, ok := h.robot.Ports[name]
	if !ok || port.Kind != kind {
		return port, fmt.Errorf("port %s: robot %s has no %s port of that name: %w", name, h.robot.Name, kind, syscall.ENODEV)
	}
	return port, nil
}

// Temperatures returns that of the processor in °C; nothing here measures the battery's, and 0 means not measured.
func (h *Host) Temperatures(time.Time) (battery, processor float64) {
	b, err := os.ReadFile("/sys/class/thermal/thermal_zone0/temp")
	if err != nil {
		return 0, 0
	}
	milli, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, 0
	}
	return 0, float64(milli) / 1000
}

// Close closes the buses. Lines and ports are closed by those who opened them.
func (h *Host) Close() error {
	var errs []error
	for _, b := range h.buses {
		errs = append(errs, b.Close())
	}
	return errors.Join(errs...)
}

// noBus is a bus that the robot does not have.
type noBus string

func (b noBus) String() string                  { return string(b) }
func (b noBus) SetSpeed(physic.Frequency) error { return syscall.ENODEV }
func (b noBus) Tx(addr uint16, _, _ []byte) error {
	return &hardware.BusError{Bus: string(b), Addr: addr, Err: syscall.ENODEV}
}
