package robotmain

import (
	"bytes"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware/device"
)

func TestInvalidClassIsReportedWithItsPlace(t *testing.T) {
	build := func(*behaviors.Config) behaviors.Behavior { return nil }
	for want, classes := range map[string][]behaviors.Class{
		`Classes[0] has no Name`:                             {{New: build}},
		`class "Mine" has no New`:                            {{Name: "Mine"}},
		`the name "Wait" is taken by a built-in class`:       {{Name: "Wait", New: build}},
		`Classes[1]: the name "Mine" is taken by Classes[0]`: {{Name: "Mine", New: build}, {Name: "Mine", New: build}},
		`Classes[0]: "do dishes!" is no name of a class`:     {{Name: "do dishes!", New: build}},
	} {
		var stdout, stderr bytes.Buffer
		code := execute(t.Context(), Options{Classes: classes}, []string{"version"}, &stdout, &stderr)
		if code != exitFailure || !strings.Contains(stderr.String(), want) || stdout.Len() > 0 {
			t.Errorf("ends with %d: %q; want %q", code, stderr.String(), want)
		}
	}
}

func TestInvalidConditionOrDriverIsReportedWithItsPlace(t *testing.T) {
	for want, o := range map[string]Options{
		`robotmain.Options: Conditions[0]: the name "OnCharger" is taken by a built-in type`: {Conditions: []condition.Type{{Name: "OnCharger"}}},
		`robotmain.Options: Drivers: no subsystem is named "lidar"; want one of battery, `:   {Drivers: device.Drivers{"lidar": nil}},
	} {
		var stdout, stderr bytes.Buffer
		code := execute(t.Context(), o, []string{"version"}, &stdout, &stderr)
		if code != exitFailure || !strings.Contains(stderr.String(), want) || stdout.Len() > 0 {
			t.Errorf("ends with %d: %q; want %q", code, stderr.String(), want)
		}
	}
}

func TestVersionIsDevUnlessTheProgramNamesOne(t *testing.T) {
	for version, want := range map[string]string{"": "robotd dev ", "v2": "robotd v2 "} {
		var stdout, stderr bytes.Buffer
		if code := execute(t.Context(), Options{Version: version}, []string{"version"}, &stdout, &stderr); code != exitOK || !strings.HasPrefix(stdout.String(), want) {
			t.Errorf("%q: ends with %d: %q", version, code, stdout.String())
		}
	}
}
