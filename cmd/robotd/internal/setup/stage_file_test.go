package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/engine"
)

func TestStageFileKeepsTheStageAndRefusesOtherText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stage")
	if stage, err := ReadStage(file); err != nil || stage != engine.StageComplete {
		t.Errorf("no file yet: %v, %v", stage, err)
	}
	for _, name := range engine.Stages() {
		want, _ := engine.ParseStage(name)
		if err := WriteStage(file, want); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadStage(file); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if err := os.WriteFile(file, []byte("onbording\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadStage(file); err == nil || !strings.Contains(err.Error(), `stage:1:1: there is no stage "onbording"; did you mean "onboarding"?`) {
		t.Error(err)
	}
	if err := WriteStage(filepath.Join(file, "below"), engine.StageDev); err == nil {
		t.Error("written below a file")
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
