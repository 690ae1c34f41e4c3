package daemon_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// A robot without sensors, servos and lights is no broken one: nothing speaks of what it never had.
func TestWhatARobotLacksIsNowhereAFault(t *testing.T) {
	s := setuptest.Options(t, 1)
	var diags resources.Diagnostics
	s.Robot, diags = profile.Parse("robots/cart.json", []byte(`{
		"robot": "cart", "title": "A cart", "buses": {"main": {}}, "chips": {"pwm": {"chip": "pca9685", "address": "0x60", "frequency_Hz": 1526}},
		"parts": {"drive": {"driver": "bridge", "chip": "pwm", "left": [{"forward": 0, "backward": 1}], "right": [{"forward": 2, "backward": 3}],
			"tread_mm": 100, "wheel_mm": 60, "max_mmps": 300}, "speaker": {"driver": "none"}},
		"body": {"front_mm": 50, "back_mm": 50, "width_mm": 100}, "world": {"floor": "walls"}}`), nil)
	if s.Robot == nil {
		t.Fatal(diags)
	}
	c, ctx := serve(t, s)
	var st control.State
	for ready := false; !ready; { // a busy machine may need a while for the first poll
		if _, err := c.Get(ctx, "/v1/state", &st); err != nil {
			t.Fatal(err)
		}
		ready = !slices.ContainsFunc(st.Devices, func(d control.DeviceState) bool { return d.Quality != hardware.OK.String() })
	}
	var names, said []string
	for _, d := range st.Devices {
		names = append(names, d.Name+" "+d.Quality)
	}
	for _, b := range st.Banner {
		said = append(said, b.Text)
	}
	if want := []string{"motors ok", "speaker ok"}; !slices.Equal(names, want) {
		t.Errorf("devices are %q, want %q", names, want)
	}
	text := strings.Join(said, "; ")
	if !strings.Contains(text, "nothing outside this process stops the wheels") {
		t.Errorf("held back by %q", said)
	}
	for _, name := range hardware.Names {
		if !s.Robot.Has(name) && strings.Contains(text, hardware.Spoken(name)) {
			t.Errorf("held back by %q, although it has no %s", said, name)
		}
	}
	if st.Robot != "cart" {
		t.Errorf("the robot is called %q", st.Robot)
	}
	for deadline := time.Now().Add(2 * time.Minute); ; { // a machine that lets no tick through for a moment makes it unready for a moment
		_, err := c.Get(ctx, "/readyz", nil)
		if err != nil && strings.Contains(err.Error(), "status 200") { // a plain text for probes
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("not ready: %v", err)
		}
	}
}
