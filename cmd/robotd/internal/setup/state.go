package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Folders inside the state folder.
const (
	recordingsDir = "recordings"
	tracesDir     = "traces"
	editsDir      = "resources"
	memoryFileIn  = "memory.json"
	stageFileIn   = "stage"
)

// StateDir returns the folder for what outlives the process: the one that is named, what the service manager gives ($STATE_DIRECTORY),
// or robotd in the user's folder for such files (XDG). It is not made here.
func StateDir(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	if dir, _, _ := strings.Cut(os.Getenv("STATE_DIRECTORY"), ":"); filepath.IsAbs(dir) {
		return dir, nil
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "robotd"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return "", errors.New("there is no state folder: neither $STATE_DIRECTORY nor $XDG_STATE_HOME nor $HOME names one; name it with --state DIR")
	}
	return filepath.Join(home, ".local", "state", "robotd"), nil
}

// RecordingsDir returns the folder of the recordings in a state folder.
func RecordingsDir(state string) string { return filepath.Join(state, recordingsDir) }

// TracesDir returns the folder of the execution traces in a state folder.
func TracesDir(state string) string { return filepath.Join(state, tracesDir) }

// EditsDir returns the folder of the files that stand over the built-in ones, in a state folder.
func EditsDir(state string) string { return filepath.Join(state, editsDir) }

// MemoryFile returns the file that keeps what a robot knows, in a state folder.
func MemoryFile(state string) string { return filepath.Join(state, memoryFileIn) }

// CalibrationFile returns the file that keeps what was measured of a robot, in a state folder.
func CalibrationFile(state, body string) string {
	return filepath.Join(state, "calibration-"+body+".json")
}

// StageFile returns the file that keeps the stage of the robot's life, in a state folder.
func StageFile(state string) string { return filepath.Join(state, stageFileIn) }

// MakeDir makes a folder that other users cannot read, and reports whether files can be made in it. A full disk is no error: it may have
// room later.
func MakeDir(dir string) error {
	err := os.MkdirAll(dir, 0o750)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, ".probe-*"); err == nil {
			_ = probe.Close()
			return os.Remove(probe.Name())
		}
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return nil
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s: files cannot be written there: %w", dir, err)
}
