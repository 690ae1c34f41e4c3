package headless_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
)

// memories are whole files, without the sum: right ones, and what somebody may write into one by hand.
var memories = []string{
	`{"Mood":[{"Emotion":"Happy","Value":0.5,"Age":1000000000}],"Events":[{"Name":"Petted","Age":1}],"Timers":[{"Name":"nap","Age":5}],"Stats":[{"Name":"Petted","N":7}],"Seen":{"Faces":[{"ID":3,"Name":"Ada","DistanceMM":400}],"Docked":true,"Places":[{"ID":1,"Kind":"charger"}]}}`,
	`null`, `[]`, `{}`, `"x"`, `{"Mood":null}`, `{"Mood":[null]}`, `{"Mood":[{"Emotion":"Nosuch","Value":1}]}`, `{"Mood":[{"Emotion":"Happy","Value":1e300}]}`,
	`{"Mood":[{"Emotion":"Happy","Value":0.1},{"Emotion":"Happy","Value":-0.1}]}`, `{"Off":-5}`, `{"Off":9223372036854775807}`, `{"Events":[{"Name":"","Age":0}]}`,
	`{"Timers":[{"Name":"nap","Age":-1}]}`, `{"Timers":[{"Name":"nap","Age":1e30}]}`, `{"Stats":[{"Name":"Petted","N":18446744073709551615}]}`, `{"Stats":[{"Name":"Petted","N":-1}]}`,
	`{"Seen":{"Places":[{"ID":1,"Kind":"charger","Pose":{"x_mm":1e308,"y_mm":-1e308,"heading_rad":1e9}}]}}`, `{"Seen":{"Places":[{"ID":-7,"Kind":"moon"}]}}`,
	`{"Seen":{"Faces":[{"ID":0,"DistanceMM":-1e308,"BearingRad":1e308},{"ID":0}]}}`, `{"Unheard":1}`, `{"Mood":{"Happy":1}}`, `{"Mood":[` + strings.Repeat(`{"Emotion":"Happy"},`, 5000) + `{"Emotion":"Happy"}]}`,
	strings.Repeat("[", 20000), `{"Mood":[{"Emotion":"` + strings.Repeat("a", 70000) + `"}]}`, `{"Seen":{"Faces":[{"Name":"\u0000\ud800 \u202e"}]}}`,
}

// Whatever a memory file holds, sum and version right: it is refused with one error that names the file, or the robot lives with it.
func FuzzRobotLivesWithAnyMemory(f *testing.F) {
	for _, m := range memories {
		f.Add(m)
	}
	o := setuptest.Options(f, 1)
	file := filepath.Join(f.TempDir(), "memory.json")
	saved := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, memory string) {
		raw := json.RawMessage(memory)
		sum := sha256.Sum256(raw)
		text := fmt.Appendf(nil, `{"version":1,"saved":"2026-01-01T00:00:00Z","sum":%q,"memory":%s}`, hex.EncodeToString(sum[:]), raw)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := setup.ReadMemory(file, saved.Add(time.Minute))
		if err != nil {
			if text := err.Error(); m != nil || !strings.HasPrefix(text, file+": ") || len(text) > len(file)+400 {
				t.Errorf("%v with the error %.600s", m, text)
			}
			return
		}
		s := o
		s.Memory = m
		life, err := headless.Run(t.Context(), s, headless.Options{For: 300 * time.Millisecond})
		if err != nil || life.LifecycleViolations+life.Panics+life.Hangs > 0 || life.Ticks < 4 {
			t.Errorf("%v: %+v", err, life)
		}
	})
}

// A memory file that is no file does not hold the start: to open a pipe would wait for a writer.
func TestMemoryThatIsAPipeIsRefusedAtOnce(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "memory.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := setup.ReadMemory(pipe, time.Now()); m != nil || err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("%v, %v", m, err)
	}
	if m, err := setup.ReadMemory(t.TempDir(), time.Now()); m != nil || err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a folder: %v, %v", m, err)
	}
}

func TestMemoryOfAPlaceThatIsNowhereIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.json")
	m, err := setup.ReadMemory(file, time.Now())
	if m != nil || err != nil {
		t.Fatal(m, err)
	}
	far := &engine.Memory{Seen: hardware.Remembered{Places: []hardware.RememberedPlace{{Kind: hardware.KindCharger, Pose: hardware.Pose{XMM: -1e308}}}}}
	if err := setup.WriteMemory(file, far, time.Now()); err != nil {
		t.Fatal(err)
	}
	if m, err := setup.ReadMemory(file, time.Now()); m != nil || err == nil || !strings.Contains(err.Error(), "something seen at -1e+308: want at most 1e+07") {
		t.Errorf("%v, %v", m, err)
	}
}
