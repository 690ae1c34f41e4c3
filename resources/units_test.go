package resources_test

import (
	"os"
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
