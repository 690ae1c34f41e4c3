package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
)

// memoryVersion is the version of the format. Files of versions from oldestMemory on are read; one of another is set aside.
const (
	memoryVersion = 2 // features and reactions
	oldestMemory  = 1
)

// Limits of a memory file.
const (
	maxMemoryList = 4096
	farthestMM    = 1e7 // a robot that drives on for months
)

// A memoryFile is what the file holds: one line of JSON with the sum of the memory in it, which tells a torn file from a whole one.
type memoryFile struct {
	Version int             `json:"version"`
	Saved   time.Time       `json:"saved"`
	Sum     string          `json:"sum"` // SHA-256 of the memory as it stands here
	Memory  json.RawMessage `json:"memory"`
}

// ReadMemory reads what an earlier life left in a file: nothing if there is no file. The memory is as old as the file. An error names what is wrong with it; the
// caller sets it aside.
func ReadMemory(file string, now time.Time) (*engine.Memory, error) {
	text, err := readKept(file, "a memory")
	if text == nil {
		return nil, err
	}
	m, saved, err := decodeMemory(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m.Older(min(max(now.Sub(saved), 0), engine.LongestAge)), nil
}

func decodeMemory(text []byte) (*engine.Memory, time.Time, error) {
	var file memoryFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, time.Time{}, fmt.Errorf("it is torn, or no memory of a robot: %w", err)
	}
	switch {
	case file.Version < oldestMemory || file.Version > memoryVersion:
		return nil, time.Time{}, fmt.Errorf("its version is %d, and this program reads versions %d to %d", file.Version, oldestMemory, memoryVersion)
	case file.Sum != sumOf(file.Memory):
		return nil, time.Time{}, errors.New("it is damaged: its sum is another one")
	}
	var m engine.Memory
	d := json.NewDecoder(bytes.NewReader(file.Memory))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return nil, time.Time{}, fmt.Errorf("it is no memory of a robot: %w", err)
	}
	return &m, file.Saved, sane(&m)
}

// sane checks what the sum cannot: a file that somebody wrote by hand.
func sane(m *engine.Memory) error {
	for _, n := range []int{len(m.Mood), len(m.Events), len(m.Timers), len(m.Stats), len(m.Seen.Faces), len(m.Seen.Places), len(m.Features), len(m.Reactions)} {
		if n > maxMemoryList {
			return fmt.Errorf("a list of %d, more than the limit %d", n, maxMemoryList)
		}
	}
	ages := []time.Duration{m.Off}
	for _, f := range m.Mood {
		if ages = append(ages, f.Age); math.Abs(f.Value) > 1 {
			return fmt.Errorf("emotion %s is %g, want -1 to 1", f.Emotion, f.Value)
		}
	}
	for _, a := range append(m.Events, m.Timers...) {
		ages = append(ages, a.Age)
	}
	at := m.Seen.Pose
	far := []float64{at.XMM, at.YMM, at.HeadingRad}
	for _, f := range m.Seen.Faces {
		ages, far = append(ages, f.Age), append(far, f.DistanceMM, f.BearingRad, f.Elevated)
	}
	for _, p := range m.Seen.Places {
		ages, far = append(ages, p.Age), append(far, p.Pose.XMM, p.Pose.YMM, p.Pose.HeadingRad)
	}
	for _, d := range far {
		if math.Abs(d) > farthestMM {
			return fmt.Errorf("something seen at %g: want at most %g, in mm or radians", d, float64(farthestMM))
		}
	}
	for _, a := range ages {
		if a < 0 || a > engine.LongestAge {
			return fmt.Errorf("an age of %v: want none below 0 or above ten years", a)
		}
	}
	return nil
}

func sumOf(memory []byte) string {
	sum := sha256.Sum256(memory)
	return hex.EncodeToString(sum[:])
}

// WriteMemory puts a memory into a file, whole or not at all; when it returns it lasts.
func WriteMemory(file string, m *engine.Memory, now time.Time) error {
	memory, err := json.Marshal(m)
	if err != nil {
		return err
	}
	text, err := json.Marshal(memoryFile{Version: memoryVersion, Saved: now, Sum: sumOf(memory), Memory: memory})
	if err != nil {
		return err
	}
	return writeKept(file, append(text, '\n'))
}

// SetAside gives a file that cannot be read another name, in place of one that was set aside before, and returns it.
func SetAside(file string) (string, error) {
	aside := file + ".damaged"
	return aside, os.Rename(file, aside)
}
