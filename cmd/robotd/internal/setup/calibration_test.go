package setup_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware/profile"
)

func TestCalibrationComesBackFromItsFile(t *testing.T) {
	p, file := profile.R1(), filepath.Join(t.TempDir(), "state", "calibration.json")
	if c, err := setup.ReadCalibration(file, "sim", p); c != nil || err != nil {
		t.Errorf("no file: %v, %v", c, err)
	}
	want := profile.Calibration{"gyro_radps(z)": -0.011, "wheel_mm(left)": p.Drive.WheelMM * 1.03}
	if err := setup.WriteCalibration(file, "sim", want, time.Now()); err != nil {
		t.Fatal(err)
	}
	if c, err := setup.ReadCalibration(file, "sim", p); err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("%v, %v; want %v", c, err, want)
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestTornDamagedAndForeignCalibrationsAreRefused(t *testing.T) {
	p, file := profile.R1(), filepath.Join(t.TempDir(), "calibration.json")
	write := func(c profile.Calibration) []byte {
		t.Helper()
		if err := setup.WriteCalibration(file, "sim", c, time.Now()); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	refused := func(what string, text []byte, want string) {
		t.Helper()
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if c, err := setup.ReadCalibration(file, "sim", p); c != nil || err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), file+": ") {
			t.Errorf("%s: %v, %v; want %s", what, c, err, want)
		}
	}
	whole := write(profile.Calibration{"gyro_radps(z)": 0.011})
	for n := range len(whole) - 2 {
		refused("a prefix", whole[:n], "it is torn")
	}
	refused("another value", []byte(strings.Replace(string(whole), "0.011", "0.012", 1)), "its sum is another one")
	refused("another version", []byte(strings.Replace(string(whole), `"version":1`, `"version":9`, 1)), "its version is 9, and this program reads version 1")
	refused("a steep gyroscope", write(profile.Calibration{"gyro_radps(z)": 3}), "gyro_radps(z) is 3; of robot sim it is between -0.4 and 0.4")
	refused("an unknown key", write(profile.Calibration{"gyro_radps(w)": 0}), `there is no calibration "gyro_radps(w)"; did you mean "gyro_radps(`)
	text := write(profile.Calibration{})
	if _, err := setup.ReadCalibration(file, "sim-sim-2", p); err == nil || !strings.Contains(err.Error(), "it was measured of robot sim; want one of sim-sim-2") {
		t.Errorf("of another robot: %v in %s", err, text)
	}
}

func TestEachSimulatedRobotHasACalibrationOfItsOwn(t *testing.T) {
	p := profile.R1()
	if a, b, c := setup.Body(p, true, 1), setup.Body(p, false, 1), setup.Body(p, false, 2); a == b || b == c {
		t.Errorf("%s, %s, %s: want three", a, b, c)
	}
}

func TestOneProcessAtATimeKeepsACalibration(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "calibration.json")
	release, err := setup.Lock(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := setup.Lock(file); !errors.Is(err, setup.ErrLocked) {
		t.Errorf("%v, want %v", err, setup.ErrLocked)
	}
	release()
	if release, err = setup.Lock(file); err != nil {
		t.Fatalf("after release: %v", err)
	}
	release()
}
