package facts

import (
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

func TestTreeMarksBehaviorsWhoseClassHasNoCode(t *testing.T) {
	tree := setup.Tree{FS: fstest.MapFS{
		"A.json": {Data: []byte(`{"behaviorClass": "DispatcherQueue", "behaviorID": "A", "behaviors": ["B", "C"]}`)},
		"B.json": {Data: []byte(`{"behaviorClass": "SnakeGame", "behaviorID": "B"}`)},
		"C.json": {Data: []byte(`{"behaviorClass": "SDKLock", "behaviorID": "C"}`)},
	}}
	cat, _, _ := tree.Lenient(library.Registry())
	want := map[string]string{"A": "", "B": "stand-in", "C": "inert"}
	for _, n := range TreeOf(cat, "").Nodes {
		if n.State != want[n.ID] {
			t.Errorf("%s is marked as %q", n.ID, n.State)
		}
	}
}
