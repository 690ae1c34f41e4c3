package facts_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

// edited is the catalog of a run with a text replaced in one file.
func edited(t *testing.T, run *setup.Options, file, old, text string) *catalog.Catalog {
	t.Helper()
	tree := fstest.MapFS{}
	err := fs.WalkDir(run.Tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(run.Tree, name)
		if name == file {
			data = []byte(strings.Replace(string(data), old, text, 1))
		}
		tree[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	cat, diags := run.Build(setup.Tree{FS: tree})
	if cat == nil {
		t.Fatal(diags)
	}
	return cat
}

// After a reload the past has the definitions of its time: the state names them, and tree and answers tell of their files.
func TestPastHasTheDefinitionsOfItsTime(t *testing.T) {
	const file, id = "behaviors/freeplay/GreetFace.json", "GreetFace"
	run := setuptest.Options(t, 1)
	first := run.Catalog
	next := edited(t, &run, file, `"cooldownPerFace_s": 120`, "\n\n\"cooldownPerFace_s\": 5")
	if same := edited(t, &run, file, "", ""); same.Sum != first.Sum || next.Sum == first.Sum || len(first.Sum) != 16 {
		t.Fatalf("the sum of the files is %s, of the same ones %s, of others %s", first.Sum, same.Sum, next.Sum)
	}
	run.Changes = func(*engine.Command) (*catalog.Change, error) { return catalog.Compare(first, next) }
	tape := &tape{life: run.Life("sim", epoch, true)}
	l := newLifeInto(t, run, tape)
	l.live(6 * time.Second)
	if _, err := l.system.Inbox().Post(engine.Command{Kind: engine.Reload, Set: 1}); err != nil {
		t.Fatal(err)
	}
	l.live(12 * time.Second)
	if now := l.feed.Newest().State(); now.Definitions != next.Sum {
		t.Errorf("the state of now names the definitions %q, want %q", now.Definitions, next.Sum)
	}
	l.end()
	var asked []string
	p := &facts.Past{Source: tape, Catalog: func(sum string) (*catalog.Catalog, error) {
		asked = append(asked, sum)
		switch sum {
		case first.Sum:
			return first, nil
		case next.Sum, "":
			return next, nil
		}
		return nil, errors.New("never heard of " + sum)
	}}
	cooldown := func(tick uint64) string {
		t.Helper()
		tree, err := p.Tree(tick)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range tree.Nodes {
			if n.ID == id {
				_, rest, _ := strings.Cut(string(n.Params), `"cooldownPerFace_s":`)
				return rest[:strings.IndexAny(rest, ",}")]
			}
		}
		return "none"
	}
	for tick, want := range map[uint64]struct {
		cat      *catalog.Catalog
		cooldown string
	}{1: {first, "120"}, 99: {first, "120"}, 105: {next, "5"}, 200: {next, "5"}, 0: {next, "5"}} {
		if got := cooldown(tick); got != want.cooldown {
			t.Errorf("tick %d: the tree has a cooldown of %s s, want %s", tick, got, want.cooldown)
		}
		if tick == 0 {
			continue
		}
		if s, err := p.State(tick); err != nil || s.Definitions != want.cat.Sum {
			t.Errorf("tick %d: the state names %q, %v; want %q", tick, s.Definitions, err, want.cat.Sum)
		}
		asked = nil
		if w, err := p.Why(id, tick); err != nil || w.Line != want.cat.Find(id).Line || len(asked) != 1 || asked[0] != want.cat.Sum {
			t.Errorf("tick %d: why rests on %q, line %d, %v", tick, asked, w.Line, err)
		}
	}
	if _, err := p.Tree(10_000); !errors.Is(err, control.ErrRefused) {
		t.Errorf("a tick after the end: %v", err)
	}
	p.Live, asked = true, nil
	if cooldown(0); len(asked) != 1 || asked[0] != "" {
		t.Errorf("a robot that lives was asked for %q", asked)
	}
}
