package setup

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/library"
)

// maxDelegates is a full catalog: a base and what it delegates to.
const maxDelegates = 4095

// BenchmarkDelegates is what a base with as many delegates as there may be costs: its check, the start of an engine over it, and a
// fresh incarnation of it, which a restart waits for within the budget of one constructor. The goal of the last two is 20 ms. The
// delegates are files of their own, or anonymous behaviors of the base.
func BenchmarkDelegates(b *testing.B) {
	for _, kind := range []struct {
		name string
		tree fstest.MapFS
	}{{"files", manyDelegates(maxDelegates)}, {"anonymous", manyAnonymous(maxDelegates)}} {
		cat, diags := Tree{FS: kind.tree}.Catalog(library.Registry())
		if cat == nil || len(cat.Find("Base").Delegates) != maxDelegates {
			b.Fatalf("%.1000s", diags)
		}
		b.Run(kind.name+"/check", func(b *testing.B) {
			for b.Loop() {
				Tree{FS: kind.tree}.Catalog(library.Registry())
			}
		})
		b.Run(kind.name+"/start", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer() // the instances of the check are the first incarnations, once
				cat, _ := Tree{FS: kind.tree}.Catalog(library.Registry())
				b.StartTimer()
				e, err := engine.New(engine.Options{Catalog: cat})
				if err == nil {
					err = e.Start(time.Unix(0, 0))
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(kind.name+"/incarnation", func(b *testing.B) {
			for b.Loop() {
				cat.Find("Base").New()
			}
		})
	}
	b.Run("dangling/check", func(b *testing.B) {
		tree := folder(80_000, "")
		for b.Loop() {
			if cat, _ := (Tree{FS: tree}).Catalog(library.Registry()); cat != nil {
				b.Fatal("passed")
			}
		}
	})
}

// delegateName is the name of delegate i.
func delegateName(i int) string { return fmt.Sprintf("D%d", i) }

// folder is a resource folder with a base that names n delegates, and extra keys.
func folder(n int, extra string) fstest.MapFS {
	names := make([]string, n)
	for i := range names {
		names[i] = `"` + delegateName(i) + `"`
	}
	return fstest.MapFS{
		"behavior_config.json": {Data: []byte(`{"normalBaseBehavior": "Base", "fallbackBehavior": "Base", "userIntents": []}`)},
		"behaviors/Base.json": {Data: []byte(`{"behaviorClass": "DispatcherQueue", "behaviorID": "Base", "behaviors": [` +
			strings.Join(names, ",") + "]" + extra + "}")},
	}
}

func manyDelegates(n int) fstest.MapFS {
	tree := folder(n, "")
	for i := range n {
		tree["behaviors/"+delegateName(i)+".json"] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"behaviorClass": "Wait", "behaviorID": %q}`, delegateName(i))}
	}
	return tree
}

func manyAnonymous(n int) fstest.MapFS {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"behaviorClass": "Wait", "behaviorName": %q}`, delegateName(i))
	}
	return folder(n, `, "anonymousBehaviors": [`+strings.Join(list, ",")+"]")
}
