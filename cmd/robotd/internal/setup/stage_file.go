package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/resources"
)

// ReadStage reads the stage that a file keeps. Without the file it is the stage of daily use.
func ReadStage(file string) (engine.Stage, error) {
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return engine.StageComplete, nil
	case err != nil:
		return 0, err
	}
	name := strings.TrimSpace(string(text))
	stage, ok := engine.ParseStage(name)
	if !ok {
		return 0, fmt.Errorf("%s:1:1: %w", file, resources.Unknown("stage", name, engine.Stages()))
	}
	return stage, nil
}

// WriteStage writes a stage to a file. The file is replaced as a whole or not at all.
func WriteStage(file string, stage engine.Stage) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(next, stage)
	err = errors.Join(err, next.Sync(), next.Close())
	if err == nil {
		err = os.Rename(next.Name(), file)
	}
	if err != nil {
		_ = os.Remove(next.Name())
	}
	return err
}
