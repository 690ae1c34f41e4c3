package setup_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware"
)

func someMemory() *engine.Memory {
	return &engine.Memory{
		Mood: []engine.Feeling{{Emotion: "Happy", Value: 0.5, Age: time.Second}}, Events: []engine.Age{{Name: "Petted", Age: 2 * time.Second}},
		Timers: []engine.Age{{Name: "nap", Age: 3 * time.Second}}, Stats: []engine.Count{{Name: "Petted", N: 7}},
		Seen: hardware.Remembered{
			Faces: []hardware.RememberedFace{{ID: 3, Name: "Ada", DistanceMM: 400, Age: time.Second}}, Docked: true,
			Places: []hardware.RememberedPlace{{ID: 1, Kind: hardware.KindCharger, Age: time.Minute}},
		},
	}
}

func TestMemoryFileComesBackAsOldAsItIs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "memory.json")
	if m, err := setup.ReadMemory(file, time.Now()); m != nil || err != nil {
		t.Errorf("no file: %v, %v", m, err)
	}
	saved := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := setup.WriteMemory(file, someMemory(), saved); err != nil {
		t.Fatal(err)
	}
	for after, off := range map[time.Duration]time.Duration{0: 0, time.Hour: time.Hour, -time.Hour: 0} { // the clock may be set back
		m, err := setup.ReadMemory(file, saved.Add(after))
		if err != nil || !reflect.DeepEqual(m, someMemory().Older(off)) || m.Timers[0].Age != 3*time.Second+off || m.Seen.Faces[0].Age != time.Second+off {
			t.Errorf("%v later: %+v, %v", after, m, err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A clock that was not set yet when a memory was written makes it decades old. What is that old stays so, and is written and read again.
func TestMemoryOutlivesAClockThatIsSetByDecades(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.json")
	unset, set := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	m := someMemory()
	for _, c := range []struct{ written, read time.Time }{{unset, set}, {set, set}, {unset, set}} {
		if err := setup.WriteMemory(file, m, c.written); err != nil {
			t.Fatal(err)
		}
		var err error
		if m, err = setup.ReadMemory(file, c.read); err != nil {
			t.Fatalf("written %v, read %v: %v", c.written, c.read, err)
		}
	}
	if age := m.Timers[0].Age; age != engine.LongestAge || m.Mood[0].Value != 0.5 || m.Stats[0].N != 7 {
		t.Errorf("%v old: %+v", age, m)
	}
}

// Each prefix of a file, each flipped byte, and files of others are refused and never half read.
func TestTornDamagedAndForeignMemoryFilesAreRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.json")
	if err := setup.WriteMemory(file, someMemory(), time.Now()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, text []byte, want string) {
		t.Helper()
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := setup.ReadMemory(file, time.Now()); m != nil || err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), file+": ") {
			t.Errorf("%s: %+v, %v; want %s", what, m, err, want)
		}
	}
	for n := range len(whole) - 2 { // without the last brace and the newline
		refused("a prefix", whole[:n], "it is torn")
	}
	at := strings.Index(string(whole), `"Happy"`)
	flipped := append([]byte(nil), whole...)
	flipped[at+1] ^= 1
	refused("a flipped bit", flipped, "its sum is another one")
	refused("another version", []byte(strings.Replace(string(whole), `"version":2`, `"version":3`, 1)), "its version is 3, and this program reads versions 1 to 2")
	refused("another file", []byte(`{"name": "somebody"}`), "its version is 0")
	refused("a huge file", make([]byte, 2<<20), "at most 1048576")
	bad := someMemory()
	bad.Mood[0].Value = 7
	if err := setup.WriteMemory(file, bad, time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := setup.ReadMemory(file, time.Now()); err == nil || !strings.Contains(err.Error(), "emotion Happy is 7, want -1 to 1") {
		t.Error(err)
	}
	aside, err := setup.SetAside(file)
	if _, gone := os.Stat(file); err != nil || !errors.Is(gone, fs.ErrNotExist) || aside != file+".damaged" {
		t.Errorf("%s, %v, %v", aside, err, gone)
	}
}

// The reactions and features that people chose are read from the file by the next robot, and a file of the program before this one is read too.
// Rules: DT-X02, data/5.7b.
func TestChosenReactionsAndFeaturesOutliveARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.json")
	m := someMemory()
	m.Features = []engine.Overridden{{Feature: "Songs", Enabled: true}}
	m.Reactions = []engine.Chosen{{Condition: "CliffDetected", Behavior: "ReactToFrustrationMajor"}}
	if err := setup.WriteMemory(file, m, time.Now()); err != nil {
		t.Fatal(err)
	}
	back, err := setup.ReadMemory(file, time.Now())
	if err != nil || !slices.Equal(back.Features, m.Features) || !slices.Equal(back.Reactions, m.Reactions) {
		t.Errorf("read %+v, %v", back, err)
	}
	m.Features, m.Reactions = nil, nil
	if err := setup.WriteMemory(file, m, time.Now()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.NewReplacer(`"version":2`, `"version":1`).Replace(string(text))
	if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	if back, err := setup.ReadMemory(file, time.Now()); err != nil || len(back.Mood) != len(m.Mood) || len(back.Reactions) != 0 {
		t.Errorf("a file of version 1: %+v, %v", back, err)
	}
}
