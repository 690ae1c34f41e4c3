package resources_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The units that drive hardware.
const (
	daemonUnit = "systemd/robotd.service"
	motorsUnit = "systemd/robotd-stop-motors.service"
)

// unit reads the settings of a unit file: the values of each key, in their order.
func unit(t *testing.T, file string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			settings[key] = append(settings[key], value)
		}
	}
	return settings
}

// A cause outside of the daemon may last: the daemon is started until it is gone. A mistake in a file or on the command line stays.
func TestDaemonIsStartedUntilOutsideCauseIsGone(t *testing.T) {
	u := unit(t, daemonUnit)
	for key, want := range map[string]string{
		"Restart": "on-failure", "RestartSec": "2", "StartLimitIntervalSec": "0", "StartLimitBurst": "", "RestartPreventExitStatus": "2 3",
	} {
		if got := strings.Join(slices.Compact(u[key]), ","); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

// drivers names the kernel module that registers each group of character devices; "" for one that every kernel has built in.
var drivers = map[string]string{
	"char-i2c": "i2c_dev", "char-spi": "spidev", "char-alsa": "snd", "char-video4linux": "videodev", "char-gpiochip": "",
	"char-ttyUSB": "usbserial", "char-ttyACM": "cdc_acm", "char-ttySC": "sc16is7xx",
	"char-ttyAMA": "", "char-ttyS": "", "char-ttyTHS": "", "char-ttyAML": "",
}

// words are the words of all values of a key.
func words(values []string) []string { return strings.Fields(strings.Join(values, " ")) }

// groups are the groups of character devices that a unit may open.
func groups(u map[string][]string) (all []string) {
	for _, allowed := range u["DeviceAllow"] {
		if name, _, _ := strings.Cut(allowed, " "); strings.HasPrefix(name, "char-") {
			all = append(all, name)
		}
	}
	return all
}

// systemd takes the numbers of a group from /proc/devices when the unit starts: a group whose driver is loaded later stays forbidden.
func TestDriversAreLoadedBeforeTheirGroupsAreAllowed(t *testing.T) {
	for _, file := range []string{daemonUnit, motorsUnit, "examples/camera/robotd-camera.service"} {
		u := unit(t, file)
		var want []string
		for _, group := range groups(u) {
			module, known := drivers[group]
			if !known {
				t.Errorf("%s: this test does not know which module has %s", file, group)
			}
			if module != "" {
				want = append(want, "modprobe@"+module+".service")
			}
		}
		slices.Sort(want)
		for _, key := range []string{"Wants", "After"} {
			got := slices.DeleteFunc(words(u[key]), func(name string) bool { return !strings.HasPrefix(name, "modprobe@") })
			if slices.Sort(got); !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("%s: %s= has %v, want %v", file, key, got, want)
			}
		}
	}
	if u := unit(t, motorsUnit); !slices.Contains(words(u["Before"]), "sysinit.target") || !slices.Equal(u["DefaultDependencies"], []string{"no"}) {
		t.Error("the motors are not switched off early at boot")
	}
}

var serialPort = regexp.MustCompile(`/dev/(tty[A-Za-z]+)`)

// A serial port that a robot's file names may be opened by the daemon, and by what switches its motors off.
func TestServicesMayOpenSerialPortsOfShippedRobots(t *testing.T) {
	files, err := filepath.Glob("robots/*.json")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{"ttyUSB": true, "ttyACM": true, "ttySC": true, "ttyAML": true} // where people plug in a board of their own
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, port := range serialPort.FindAllStringSubmatch(string(text), -1) {
			named[port[1]] = true
		}
	}
	if !named["ttyTHS"] || !named["ttyAMA"] {
		t.Fatalf("the robots' files name %v only", named)
	}
	for _, file := range []string{daemonUnit, motorsUnit} {
		allowed := groups(unit(t, file))
		for name := range named {
			if !slices.Contains(allowed, "char-"+name) {
				t.Errorf("%s forbids /dev/%s", file, name)
			}
		}
	}
}
