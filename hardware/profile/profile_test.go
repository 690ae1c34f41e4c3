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
