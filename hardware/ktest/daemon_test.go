//go:build kernel

package ktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// The daemon as it is installed drives a JetBot, all of whose chips are on the kernel's I²C bus. It has no display here: the bridge takes 61
// bytes at once, and a picture has more.
func TestDaemonDrivesAJetBotOnTheKernelsBus(t *testing.T) {
	file, err := os.ReadFile("/jetbot.json")
	must(t, err)
	text := strings.Replace(string(file), `"/dev/i2c-1"`, `"CP2112 SMBus Bridge"`, 1)
	head, rest, _ := strings.Cut(text, `"display":`)
	_, tail, _ := strings.Cut(rest, "},")
	text = head + tail
	must(t, os.WriteFile("/tmp/jetbot.json", []byte(text), 0o600))
	p, diags := profile.Parse("jetbot.json", []byte(text), nil)
	if p == nil {
		t.Fatal(diags)
	}
	rig := sim.New(sim.Options{Profile: p, Seed: 1, Now: time.Now()})
	rig.SetNow(time.Now)
	plug(t, rig.Bus(sim.BusName, nil))

	cmd := exec.Command("/robotd", "run", "--backend", "linux", "--robot", "/tmp/jetbot.json", "--state", "/tmp/state", "--no-record", "--no-flight-recorder",
		"--summary", "json", "--log-format", "text", "--log-level", "warn")
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	begin := time.Now()
	must(t, cmd.Start())
	// When it sets off depends on what it decides to do first.
	drove := within(90*time.Second, "the robot drives a stretch", func() bool { return rig.Stats().DistanceM > 0.15 && time.Since(begin) > 10*time.Second })
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := errors.Join(drove, cmd.Wait()); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	var sum struct {
		Ticks, Panics, Lifecycle_violations int
	}
	must(t, json.Unmarshal(out.Bytes(), &sum))
	st := rig.Stats()
	t.Logf("%s\ndriven %.2f m, fell %d times\n%s", out.String(), st.DistanceM, st.Falls, log.String())
	// qemu does some 125 million instructions a second here, so a hook or a device may be late and be restarted.
	if sum.Ticks < 100 || sum.Panics+sum.Lifecycle_violations > 0 {
		t.Errorf("%+v", sum)
	}
	realClock{}.Sleep(time.Second) // the wheels coast
	before := rig.Stats().DistanceM
	realClock{}.Sleep(time.Second)
	if after := rig.Stats().DistanceM; after-before > 0.001 {
		t.Errorf("the wheels turn after the daemon ended: %.3f m in a second", after-before)
	}
}
