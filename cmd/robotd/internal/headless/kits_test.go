package headless_test

import (
	"flag"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

var kitLife = flag.Duration("kits", 5*time.Minute, "how long each robot lives; CI lets each live half an hour")

// Each robot lives on its own emulated body, with what it has: it drives about, decides, and nothing falls, breaks or hangs.
func TestEachKitLivesOnItsOwnBody(t *testing.T) {
	for _, name := range profile.Names(resources.Embedded()) {
		t.Run(name, func(t *testing.T) {
			p, diags, err := profile.Load(resources.Embedded(), name, nil)
			if p == nil || err != nil {
				t.Fatal(diags, err)
			}
			s := setuptest.Options(t, 1)
			s.Robot = p
			sum, err := headless.Run(t.Context(), s, headless.Options{For: *kitLife})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%.1f m, %.0f times as fast, %v", sum.DistanceM, sum.SpeedX, sum.Activations)
			if sum.Falls != 0 || sum.LifecycleViolations != 0 || sum.Panics != 0 || sum.Hangs != 0 || sum.Restarts != 0 {
				t.Errorf("%d falls, %d violations, %d panics, %d hangs, %d restarts", sum.Falls, sum.LifecycleViolations, sum.Panics, sum.Hangs, sum.Restarts)
			}
			if want := min(10, 0.5*kitLife.Minutes()); sum.DistanceM < want {
				t.Errorf("drove %.1f m in %v, want at least %.1f", sum.DistanceM, *kitLife, want)
			}
			ways, starts := 0, uint64(0)
			for _, n := range sum.Activations {
				ways, starts = ways+1, starts+n
			}
			if rate := float64(starts) / kitLife.Minutes(); ways < 4 || rate > 40 {
				t.Errorf("%d behaviors, %.0f activations a minute: %v", ways, rate, sum.Activations)
			}
		})
	}
}

// r1With is R1 with text of its profile replaced, old after new.
func r1With(t *testing.T, replace ...string) *profile.Profile {
	t.Helper()
	src, err := fs.ReadFile(resources.Embedded(), "robots/sim.json")
	if err != nil {
		t.Fatal(err)
	}
	text := string(src)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("R1 has no %s", replace[i])
		}
		text = strings.Replace(text, replace[i], replace[i+1], 1)
	}
	p, diags := profile.Parse("robots/sim.json", []byte(text), nil)
	if p == nil || diags.HasErrors() { // a PCF8591 on R1's fast bus is a warning
		t.Fatal(diags)
	}
	return p
}

// R1 lives as well with other chips behind the same parts.
func TestRobotLivesWithOtherChipsBehindItsParts(t *testing.T) {
	for name, p := range map[string]*profile.Profile{
		"cliff sensors on an ads7830": r1With(t, `"cliff": { "chip": "ads1115"`, `"cliff": { "chip": "ads7830"`),
		"cliff sensors on a pcf8591":  r1With(t, `"cliff": { "chip": "ads1115"`, `"cliff": { "chip": "pcf8591"`),
		"panel and pixels on SPI": r1With(t, `"ports": {`, `"ports": { "pixels": { "kind": "spi", "device": "SPI1.0", "speed_kHz": 6400 },`,
			`"driver": "pwm", "chip": "lights"`, `"driver": "ws2812", "port": "pixels", "count": 10`),
	} {
		t.Run(name, func(t *testing.T) {
			s := setuptest.Options(t, 1)
			s.Robot = p
			sum, err := headless.Run(t.Context(), s, headless.Options{For: 10 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if sum.Falls+sum.LifecycleViolations+sum.Panics+sum.Hangs+sum.Restarts != 0 || sum.DistanceM < 8 {
				t.Errorf("%.1f m, %d falls, %d violations, %d panics, %d hangs, %d restarts", sum.DistanceM, sum.Falls, sum.LifecycleViolations, sum.Panics, sum.Hangs, sum.Restarts)
			}
		})
	}
}
