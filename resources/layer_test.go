package resources_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/resources"
)

func TestLayeredTreeHidesFilesByPathAndBehaviorsByID(t *testing.T) {
	below := fstest.MapFS{
		"behaviors/base/Wait.json": {Data: []byte("below")}, "behaviors/play/Dance.json": {Data: []byte("below")},
		"behavior_config.json": {Data: []byte("below")}, "mood_config.json": {Data: []byte("below")}, "web/index.json": {Data: []byte("page")},
	}
	own := fstest.MapFS{
		"behaviors/mine/DANCE.json": {Data: []byte("own")}, "behaviors/mine/Yawn.json": {Data: []byte("own")}, "behavior_config.json": {Data: []byte("own")},
	}
	tree := resources.NewLayered(own, below)
	var seen []string
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		seen = append(seen, name+"="+string(text))
		return err
	})
	want := "behavior_config.json=own behaviors/base/Wait.json=below behaviors/mine/DANCE.json=own behaviors/mine/Yawn.json=own mood_config.json=below"
	if got := strings.Join(seen, " "); err != nil || got != want {
		t.Errorf("got  %s\nwant %s\n%v", got, want, err)
	}
	for _, hidden := range []string{"behaviors/play/Dance.json", "web/index.json", "nothing.json"} {
		if _, err := tree.Open(hidden); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s opens: %v", hidden, err)
		}
	}
	if _, err := fs.ReadDir(tree, "nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory of neither tree: %v", err)
	}
	if !tree.Own("behaviors/mine/Yawn.json") || tree.Own("behaviors/base/Wait.json") {
		t.Error("Own does not tell the trees apart")
	}
	if !tree.Replaces("behaviors/mine/DANCE.json") || tree.Replaces("behaviors/mine/Yawn.json") || tree.Replaces("behaviors/base/Wait.json") {
		t.Error("Replaces does not tell what is hidden")
	}
}
