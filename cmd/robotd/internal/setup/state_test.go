package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

func TestStateFolderIsFoundInThisOrder(t *testing.T) {
	for _, env := range []struct{ named, service, xdg, home, want string }{
		{"here", "/var/lib/robotd", "/x", "/home/ada", "here"},
		{"", "/var/lib/robotd", "/x", "/home/ada", "/var/lib/robotd"},
		{"", "/var/lib/robotd:/var/lib/more", "", "", "/var/lib/robotd"},
		{"", "", "/x", "/home/ada", "/x/robotd"},
		{"", "relative", "relative too", "/home/ada", "/home/ada/.local/state/robotd"},
		{"", "", "", "/home/ada", "/home/ada/.local/state/robotd"},
	} {
		t.Setenv("STATE_DIRECTORY", env.service)
		t.Setenv("XDG_STATE_HOME", env.xdg)
		t.Setenv("HOME", env.home)
		if got, err := setup.StateDir(env.named); err != nil || got != env.want {
			t.Errorf("%+v: %q, %v", env, got, err)
		}
	}
	t.Setenv("STATE_DIRECTORY", "")
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "")
	if _, err := setup.StateDir(""); err == nil || !strings.Contains(err.Error(), "--state DIR") {
		t.Errorf("without any: %v", err)
	}
}

func TestFolderThatTakesNoFilesIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := setup.MakeDir(filepath.Join(dir, "a", "b")); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "a", "b")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := setup.MakeDir(filepath.Join(dir, "file", "b")); err == nil || !strings.HasSuffix(err.Error(), "file/b: files cannot be written there: not a directory") {
		t.Errorf("%v", err)
	}
}

func TestLifeIsDescribedAsItIsLived(t *testing.T) {
	tree, err := setup.OpenTree("")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := tree.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Open("behavior_config.json"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"web/index.html", "web/openapi.json"} {
		if _, err := kept.Open(name); err == nil {
			t.Errorf("%s is recorded", name)
		}
	}
	if again, err := (setup.Tree{FS: kept}).Recorded(); err != nil || again.Hash != kept.Hash {
		t.Errorf("the recorded tree has another hash: %v", err)
	}
}
