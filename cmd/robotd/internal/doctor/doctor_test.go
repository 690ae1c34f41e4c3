package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/chip/mpu6x"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

func now() time.Time { return time.Unix(0, 0) }

// absent is a robot on a board that is nowhere.
const absent = `{
  "robot": "absent", "title": "Absent",
  "buses": {"main": {"device": "/dev/i2c-999"}},
  "ports": {"esp": {"kind": "serial", "device": "/dev/no-such-port"}, "led": {"kind": "spi", "device": "SPI999.0"}},
  "lines": {"EN": {"name": "NO_SUCH_LINE"}},
  "chips": {"pwm": {"chip": "pca9685", "address": "0x40", "frequency_Hz": 50}},
  "parts": {
    "drive": {"driver": "bridge", "chip": "pwm", "left": [{"forward": 0, "backward": 1}], "right": [{"forward": 2, "backward": 3}],
      "enable": "EN", "tread_mm": 100, "wheel_mm": 60, "max_mmps": 500}
  },
  "body": {"front_mm": 50, "back_mm": 50, "width_mm": 100}
}`

func robot(t *testing.T, src string) *profile.Profile {
	t.Helper()
	p, diags := profile.Parse("robots/absent.json", []byte(src), nil)
	if p == nil {
		t.Fatal(diags)
	}
	return p
}

func find(t *testing.T, r Report, what string) Check {
	t.Helper()
	for _, s := range r.Sections {
		for _, c := range s.Checks {
			if c.What == what {
				return c
			}
		}
	}
	t.Fatalf("no check of %s in %+v", what, r)
	return Check{}
}

func TestWhatIsAbsentIsSaidWithWhatToDo(t *testing.T) {
	r := Run(robot(t, absent), Options{TestEnable: true})
	for what, advice := range map[string]string{
		"bus main": "i2c_arm=on", "EN": "gpioinfo", "serial port esp": "cable", "spi port led": "spi=on", "release of EN": "gpioinfo",
	} {
		if c := find(t, r, what); c.State != Fail || !strings.Contains(c.Advice, advice) || c.Text == "" {
			t.Errorf("%s: %+v, want the advice %s", what, c, advice)
		}
	}
	if c := find(t, r, "when robotd dies"); c.State != Warn {
		t.Errorf("%+v, want a warning: there is no one-shot", c)
	}
	if c := find(t, r, "cliff"); c.State != Note {
		t.Errorf("%+v", c)
	}
	var b bytes.Buffer
	if err := Write(&b, r); err != nil || !strings.Contains(b.String(), "5 failed, ") {
		t.Errorf("%v\n%s", err, &b)
	}
}

func TestEnableLineWithoutOneShotIsRaisedOnlyOnRequest(t *testing.T) {
	if c := find(t, Run(robot(t, absent), Options{}), "release of EN"); c.State != Note || !strings.Contains(c.Advice, "--test-enable") {
		t.Errorf("%+v", c)
	}
}

func TestErrnoHasItsAdvice(t *testing.T) {
	for _, c := range []struct {
		of   func(error) string
		err  syscall.Errno
		want string
	}{
		{busAdvice, syscall.EACCES, "group i2c"},
		{busAdvice, syscall.EOPNOTSUPP, "SMBus"},
		{chipAdvice, syscall.EREMOTEIO, "power"},
		{chipAdvice, syscall.ETIMEDOUT, "held low"},
		{lineAdvice, syscall.EACCES, "group gpio"},
		{lineAdvice, syscall.EINVAL, "chip and offset"},
		{lineAdvice, syscall.EBUSY, "stop what holds it"},
	} {
		if got := c.of(fmt.Errorf("open: %w", c.err)); !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %s", c.err, got, c.want)
		}
	}
	if got := portAdvice("spi", errors.Join(syscall.EACCES)); !strings.Contains(got, "group spi") {
		t.Error(got)
	}
}

func TestEachChipShowsWhatItIsAndAnotherOneAtItsAddressIsToldApart(t *testing.T) {
	bus := emul.NewBus("i2c-998", nil, 1)
	bus.Attach(0x29, emul.NewVL53L0X(now, func() (float64, bool) { return 100, true }))
	bus.Attach(0x40, emul.NewPCA9685(func(int, float64) {}))
	bus.Attach(0x45, emul.NewINA219(func() (float64, float64) { return 3.9, 0 }))
	bus.Attach(0x48, emul.NewADS1115(emul.Since(now), func(int) float64 { return 1 }))
	bus.Attach(0x68, emul.NewMPU6050(func() (a, g [3]float64) { return }))
	for addr, c := range map[uint16]struct{ kind, text string }{
		0x29: {"vl53l0x", "0xee"}, 0x40: {"pca9685", "asleep"}, 0x45: {"ina219", "3.90 V"}, 0x48: {"ads1115", "0x8583"}, 0x68: {"mpu6050", "MPU-6050"},
	} {
		got := identify(bus, "x", profile.Chip{Kind: c.kind, Address: addr}, "/dev/i2c-998")
		if got.State != OK || !strings.Contains(got.Text, c.text) {
			t.Errorf("%s: %+v, want %s", c.kind, got, c.text)
		}
	}
	if got := identify(bus, "x", profile.Chip{Kind: "vl53l0x", Address: 0x68}, "/dev/i2c-998"); got.State != Fail || got.Advice == "" {
		t.Errorf("a motion sensor was taken for a distance sensor: %+v", got)
	}
	if got := identify(bus, "x", profile.Chip{Kind: "pca9685", Address: 0x41}, "/dev/i2c-998"); got.State != Fail || !strings.Contains(got.Advice, "nothing answers") {
		t.Errorf("nothing was taken for a chip: %+v", got)
	}
}

// The doctor knows the sensors that the driver drives, with their clones.
func TestEachInertialSensorThatCanBeDrivenIsKnown(t *testing.T) {
	for _, k := range mpu6x.Kinds {
		bus := emul.NewBus("i2c-998", nil, 1)
		chip := emul.NewMPU6050(func() (a, g [3]float64) { return })
		chip.SetKind(k.ID)
		bus.Attach(0x68, chip)
		if got := identify(bus, "x", profile.Chip{Kind: "mpu6050", Address: 0x68}, "/dev/i2c-998"); got.State != OK || got.Text != k.Name {
			t.Errorf("%#02x: %+v, want %s", k.ID, got, k.Name)
		}
	}
}

// A line by chip and offset is on the pins of the serial port as well as one by its name.
func TestSerialConsoleOnPinsByOffsetIsAFailure(t *testing.T) {
	p, diags, err := profile.Load(resources.Embedded(), "freenove-4wd", nil)
	if p == nil || err != nil {
		t.Fatal(diags, err)
	}
	got := console(p, "console=serial0,115200 console=tty1")
	if len(got) != 1 || got[0].State != Fail || !strings.Contains(got[0].Text, "the robot needs GPIO14, GPIO15") {
		t.Errorf("%+v", got)
	}
	elsewhere := &profile.Profile{Lines: map[string]profile.Line{"EN": {Chip: "gpio-expander", Offset: 14}}}
	if got := console(elsewhere, "console=serial0,115200"); got != nil {
		t.Errorf("the pin of another chip: %+v", got)
	}
}

func TestSerialConsoleOnTheRobotsPinsIsAFailure(t *testing.T) {
	p := robot(t, absent)
	if got := console(p, "console=tty1 root=/dev/mmcblk0p2"); got != nil {
		t.Errorf("%+v", got)
	}
	if got := console(p, "console=serial0,115200 console=tty1"); len(got) != 1 || got[0].State != Fail || !strings.Contains(got[0].Advice, "console=serial0,115200") {
		t.Errorf("%+v", got)
	}
}
