package profile_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

func TestReferenceRobotHasEveryPartAndALineThatStopsIt(t *testing.T) {
	p := profile.R1()
	if got := p.Subsystems(); len(got) != len(hardware.Names) {
		t.Errorf("has %v, want all of %v", got, hardware.Names)
	}
	if p.Stop() != profile.StopLine {
		t.Errorf("stops by %v", p.Stop())
	}
	if c := p.Chips[p.Drive.Chip]; c.Address != 0x41 || c.FrequencyHz != 1526 || c.OscillatorHz != 25e6 {
		t.Errorf("wheels on %+v", c)
	}
}

func TestEveryBuiltInRobotReadsWithoutAFinding(t *testing.T) {
	tree := resources.Embedded()
	for _, name := range profile.Names(tree) {
		if p, diags, err := profile.Load(tree, name, nil); p == nil || len(diags) > 0 || err != nil {
			t.Errorf("%s: %v %v", name, diags, err)
		}
	}
}

// small is a robot of one part; the words in angle brackets are replaced by the cases.
const small = `{
  "robot": "small", "title": "Small",
  "buses": {"main": {}},
  "ports": {"esp": {"kind": "serial", "device": "/dev/serial0"}},
  "lines": {"TRIG": {"name": "GPIO27"}, "ECHO": {"name": "GPIO22"}},
  "chips": {"pwm": {"chip": "pca9685", "address": "0x40", "frequency_Hz": 50}},
  "parts": {
    "drive": {"driver": "bridge", "chip": "pwm", "left": [{"forward": 0, "backward": 1}], "right": [{"forward": 2, "backward": 3}], "tread_mm": 100, "wheel_mm": 60, "max_mmps": 500},
    "range": {"driver": "sonar", "trigger": "TRIG", "echo": "ECHO"}
  },
  "body": {"front_mm": 50, "back_mm": 50, "width_mm": 100}
}`

func TestRobotWithoutEnableLineIsStoppedByNothingOutside(t *testing.T) {
	p, diags := profile.Parse("robots/small.json", []byte(small), nil)
	if p == nil || len(diags) > 0 {
		t.Fatal(diags)
	}
	if p.Stop() != profile.StopProcess || p.Has(hardware.Cliff) || !p.Has(hardware.Range) {
		t.Errorf("%v %v", p.Stop(), p.Subsystems())
	}
}

func TestMistakesInARobotAreToldOnceAtTheirPlace(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"chip": "pwm"`, `"chip": "pmw"`, `robots/small.json:8:43: error: parts.drive.chip: there is no chip "pmw"; did you mean "pwm"?`},
		{`"trigger": "TRIG"`, `"trigger": "TRIGG"`, `there is no line "TRIGG"`},
		{`"address": "0x40"`, `"address": "0x99"`, `chips.pwm.address: "0x99" is no I²C address`},
		{`"frequency_Hz": 50`, `"frequency_Hz": 5`, `chips.pwm.frequency_Hz`},
		{`"driver": "sonar"`, `"driver": "sonra"`, `did you mean "sonar"`},
		{`"chip": "pca9685"`, `"chip": "pca9865"`, `did you mean "pca9685"`},
		{`"name": "GPIO27"`, `"pull": "up"`, `a line needs its name, or chip and offset`},
		{`"chips": {`, `"chips": {"more": {"chip": "ina219", "address": "0x40"}, `, `has the address 0x40 of more on bus main`},
		{`"robot": "small"`, `"robot": "smal"`, `robot: is "smal", but the file is small.json`},
		{`"tread_mm": 100`, `"tread_cm": 10`, `tread_mm`},
	} {
		src := strings.Replace(small, c.old, c.new, 1)
		p, diags := profile.Parse("robots/small.json", []byte(src), nil)
		if p != nil || len(diags) != 1 || !strings.Contains(diags[0].String(), c.want) {
			t.Errorf("%s: %v, want one finding with %s", c.new, diags, c.want)
		}
	}
}

// serial is a robot whose board is behind a serial port.
const serial = `{
  "robot": "serial", "title": "Serial",
  "ports": {"esp": {"kind": "serial", "device": "/dev/serial0"}, "face": {"kind": "spi", "device": "SPI0.0"}},
  "parts": {
    "drive": {"driver": "ugv", "port": "esp", "firmware": "ros", "main": 2, "tread_mm": 172, "wheel_mm": 80, "max_mmps": 1300},
    "imu": {"driver": "ugv"}
  },
  "body": {"front_mm": 126, "back_mm": 126, "width_mm": 231}
}`

func TestRobotBehindASerialPortIsStoppedByItsBoard(t *testing.T) {
	p, diags := profile.Parse("robots/serial.json", []byte(serial), nil)
	if p == nil || len(diags) > 0 {
		t.Fatal(diags)
	}
	if p.Stop() != profile.StopBoard || p.Drive.TimeoutMS != 400 || p.Drive.Reckons() || p.IMU.Mount != [3]string{"x", "y", "z"} {
		t.Errorf("%v %+v", p.Stop(), p.Drive)
	}
	for main, reckons := range map[string]bool{"1": true, "2": true, "3": false} {
		src := strings.NewReplacer(`"ros"`, `"general"`, `"main": 2`, `"main": `+main).Replace(serial)
		if p, diags := profile.Parse("robots/serial.json", []byte(src), nil); p == nil || p.Drive.Reckons() != reckons {
			t.Errorf("main %s: %v", main, diags)
		}
	}
}

func TestMistakesInASerialRobotAreToldOnceAtTheirPlace(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"firmware": "ros"`, `"firmware": "rso"`, `did you mean "ros"`},
		{`"main": 2`, `"main": 4`, `serial.json:5:74: error: parts.drive.main: 4 is above the limit 3`},
		{`"main": 2`, `"main": 2, "minDuty": 0.2`, `parts.drive.minDuty: this board controls the speed by encoders`},
		{`"main": 2`, `"main": 2, "timeout_ms": 3000`, `parts.drive.timeout_ms`},
		{`"port": "esp"`, `"port": "face"`, `face is a spi port, want a serial port`},
		{`"port": "esp"`, `"port": "esq"`, `there is no port "esq"; did you mean "esp"?`},
		{serial[strings.Index(serial, `    "drive"`):strings.Index(serial, `    "imu"`)], ``, `parts.imu: the driver ugv needs a drive with the driver ugv`},
	} {
		src := strings.Replace(serial, c.old, c.new, 1)
		p, diags := profile.Parse("robots/serial.json", []byte(src), nil)
		if p != nil || len(diags) != 1 || !strings.Contains(diags[0].String(), c.want) {
			t.Errorf("%s: %v, want one finding with %s", c.new, diags, c.want)
		}
	}
}

func TestUnknownRobotNamesTheNearest(t *testing.T) {
	_, _, err := profile.Load(resources.Embedded(), "smi", nil)
	if err == nil || !strings.Contains(err.Error(), `"sim"`) {
		t.Error(err)
	}
}

func TestDriverOfAnotherModuleReadsItsOwnKeys(t *testing.T) {
	src := strings.Replace(small, `"driver": "sonar", "trigger": "TRIG", "echo": "ECHO"`, `"driver": "lidar", "rays": 12`, 1)
	p, diags := profile.Parse("robots/small.json", []byte(src), nil)
	if p != nil || len(diags) == 0 {
		t.Fatal("a foreign driver was accepted without its module")
	}
	p, diags = parseWith(src, profile.Words{"range": {"lidar"}})
	if p == nil || p.Range.Driver.Driver != "lidar" || p.Range.Keys.Int("rays") != 12 {
		t.Fatal(diags)
	}
}

func parseWith(src string, also profile.Words) (*profile.Profile, resources.Diagnostics) {
	return profile.Parse("robots/small.json", []byte(src), also)
}

func TestLineWithoutAPullKeepsItsResistor(t *testing.T) {
	p := profile.R1()
	if l := p.Lines["TOUCH"]; l.Pull != profile.PullAsIs {
		t.Errorf("%+v", l)
	}
	if l := p.Lines["MOTOR_EN"]; l.Pull != "down" {
		t.Errorf("%+v", l)
	}
}
