package setup_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// A recording holds the built-in animations, so that another version of the program replays the life with those that it was lived with. A
// tree that has files of its own in their place is recorded as it is.
func TestRecordedTreeHoldsTheAnimationsOfTheLife(t *testing.T) {
	small := fstest.MapFS{
		"behavior_config.json": {Data: []byte(`{"normalBaseBehavior": "Rest", "fallbackBehavior": "Rest", "userIntents": []}`)},
		"behaviors/Rest.json":  {Data: []byte(`{"behaviorClass": "Wait", "behaviorID": "Rest"}`)},
	}
	own := fstest.MapFS{"animations/builtin/one.json": {Data: []byte(`{"clips": []}`)}}
	beside := fstest.MapFS{"animations/trick.json": {Data: []byte(`{"clips": []}`)}}
	for name, c := range map[string]struct {
		more              fstest.MapFS
		builtIn, withName bool
	}{"none": {nil, true, false}, "own": {own, false, false}, "beside": {beside, true, true}} {
		tree := fstest.MapFS{}
		for _, m := range []fstest.MapFS{small, c.more} {
			for n, f := range m {
				tree[n] = f
			}
		}
		kept, err := setup.Tree{FS: tree}.Recorded()
		if err != nil {
			t.Fatal(name, err)
		}
		for file, want := range map[string]bool{
			"behaviors/Rest.json": true, "animations/builtin/social.json": c.builtIn, "animations/trick.json": c.withName, "animations/builtin/one.json": !c.builtIn,
		} {
			if _, err := fs.Stat(kept, file); (err == nil) != want || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %s: %v", name, file, err)
			}
		}
		cat, diags := setup.Tree{FS: kept}.Catalog(library.Registry())
		if cat == nil || (cat.Animations.Clip("celebrate") != nil) != c.builtIn {
			t.Errorf("%s: the recorded tree: %v", name, diags)
		}
	}
}
