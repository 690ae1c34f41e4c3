package setup_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

func TestPipeIsNoRobot(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "robot.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (setup.Tree{FS: resources.Embedded()}).Robot(pipe); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a pipe: %v", err)
	}
}
