package linux

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

func TestRobotWithoutItsBusesIsRefusedWithEach(t *testing.T) {
	_, err := Open(&profile.Profile{Name: "x", Buses: map[string]profile.Bus{"main": {Device: "/dev/i2c-97"}, "arm": {Device: "CP9999 bridge"}}})
	if err == nil || !errors.Is(err, syscall.ENOENT) || !errors.Is(err, syscall.ENODEV) {
		t.Fatalf("%v", err)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], `bus arm: no I²C adapter is named "CP9999 bridge"`) || lines[1] != "bus main: open /dev/i2c-97: no such file or directory" {
		t.Errorf("%q", lines)
	}
}

func TestPortOrBusThatTheRobotDoesNotHaveIsGone(t *testing.T) {
	h, err := Open(&profile.Profile{Name: "x", Ports: map[string]profile.Port{
		"face": {Kind: "spi", Device: "SPI97.0"}, "odd": {Kind: "spi", Device: "/dev/ttyS0"}, "board": {Kind: "serial", Device: "/dev/tty-nowhere", SpeedHz: 115200},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Bus("main", nil).Tx(0x40, nil, nil); hardware.Classify(err) != hardware.CauseGone {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"face":  "port face: open /dev/spidev97.0: no such file or directory",
		"odd":   `port odd: "/dev/ttyS0" is no SPI port; it is SPI, bus, a point and chip select, as in SPI0.0: invalid argument`,
		"board": "port board: robot x has no spi port of that name: no such device",
		"none":  "port none: robot x has no spi port of that name: no such device",
	} {
		if _, err := h.SPI(name); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := h.Serial("board"); err == nil || err.Error() != "port board: open /dev/tty-nowhere: no such file or directory" {
		t.Error(err)
	}
	if _, err := h.Lines().Output("MOTOR_EN", false); hardware.Classify(err) != hardware.CauseGone {
		t.Error(err)
	}
}

func TestEveryLineOfTheReferenceRobotKeepsItsPlaceAndPull(t *testing.T) {
	all := lineConfigs(profile.R1())
	i := slices.IndexFunc(all, func(c LineConfig) bool { return c.Name == "MOTOR_EN" })
	if len(all) != len(profile.R1().Lines) || slices.IndexFunc(all, func(c LineConfig) bool { return c.Name == "TOUCH" && c.Bias == AsIs }) < 0 || i < 0 || all[i].Line != "MOTOR_EN" || all[i].Bias != PullDown {
		t.Errorf("%+v", all)
	}
	for _, p := range profile.Pulls {
		if b := Bias(p); b != PullUp && b != PullDown && b != NoPull && p != profile.PullAsIs {
			t.Errorf("pull %q of a profile has no bias", p)
		}
	}
}

func TestSPIPortIsNamedAsPeriphNamesIt(t *testing.T) {
	for _, d := range []string{"SPI0.1", "/dev/spidev0.1"} {
		if b, c, err := spiNumbers(d); b != 0 || c != 1 || err != nil {
			t.Errorf("%s: %d.%d, %v", d, b, c, err)
		}
	}
	for _, d := range []string{"", "SPI", "SPI0", "SPIx.0", "SPI0.", "0.1"} {
		if _, _, err := spiNumbers(d); !errors.Is(err, syscall.EINVAL) {
			t.Errorf("%s: %v", d, err)
		}
	}
}
