package robotmain

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// calibrated runs robotd calibrate with a state folder.
func calibrated(t *testing.T, state string, args ...string) (text string, err error) {
	t.Helper()
	var out strings.Builder
	c := new(program).newCalibrate()
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(append(args, "--state", state, "--config", "none"))
	err = c.ExecuteContext(t.Context())
	return out.String(), err
}

func TestCalibrateKeepsEachStepAndGoesOnLater(t *testing.T) {
	state := t.TempDir()
	if text, err := calibrated(t, state, "gyro", "battery"); err != nil || !strings.Contains(text, "battery_factor = ") {
		t.Fatalf("%v: %s", err, text)
	}
	if text, err := calibrated(t, state, "--list"); err != nil || !strings.Contains(text, "gyro       done") || !strings.Contains(text, "wheel      to do") {
		t.Errorf("%v: %s", err, text)
	}
	if text, err := calibrated(t, state); err != nil || strings.Contains(text, "gyro:") || !strings.Contains(text, "tread_mm = ") {
		t.Errorf("%v: %s", err, text)
	}
	if text, err := calibrated(t, state); err != nil || !strings.HasPrefix(text, "all steps are done, in ") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestCalibrateRefusesWhileAnotherRobotdUsesTheFile(t *testing.T) {
	state := t.TempDir()
	file := filepath.Join(state, "calibration-sim-sim-1.json")
	release, err := setup.Lock(file)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := calibrated(t, state); err == nil || err.Error() != file+": another robotd uses it: stop it first" {
		t.Error(err)
	}
}

func TestCalibrateNamesTheNearestStepAndBackEnd(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"weel", `there is no step "weel"; did you mean "wheel"?`},
		{"--backend=linus", `there is no back end "linus"; did you mean "linux"?`},
		{"gyro --robot=jetbot", "robot jetbot has no step gyro: it has no inertial sensor"},
	} {
		if _, err := calibrated(t, t.TempDir(), strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.args, err, c.want)
		}
	}
}
