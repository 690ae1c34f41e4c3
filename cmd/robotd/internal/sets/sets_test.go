package sets

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// told collects the records of a store.
type told struct {
	mu   sync.Mutex
	list []event.Reload
}

func (t *told) Observe(r event.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, r.(event.Reload))
}

func (t *told) newest() event.Reload { return t.list[len(t.list)-1] }

// files is a small tree: its behavior waits so many seconds.
func files(wait string) fstest.MapFS {
	return fstest.MapFS{
		"behavior_config.json":        {Data: []byte(`{"normalBaseBehavior": "Rest", "fallbackBehavior": "Rest", "userIntents": []}`)},
		"behaviors/Rest.json":         {Data: []byte(`{"behaviorClass": "Wait", "behaviorID": "Rest"}`)},
		"behaviors/" + wait + ".json": {Data: []byte(`{"behaviorClass": "Wait", "behaviorID": "` + wait + `"}`)},
	}
}

// classesOf are the shipped classes and one that does what its file says, as the constructor of an author may. A constructor that hangs returns with the
// test.
func classesOf(t *testing.T) *behaviors.Registry {
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	return library.Registry().With(behaviors.Class{Name: "Author", New: func(cfg *behaviors.Config) behaviors.Behavior {
		switch cfg.StringOr("do", "") {
		case "panic":
			_ = cfg.StringsOr("steps", nil)[0]
		case "end":
			runtime.Goexit()
		case "hang":
			<-ended
		}
		return struct{}{}
	}})
}

// Whatever the constructor of an author does, the robot keeps its definitions and goes on: a panic is a finding with its line, and one that does
// not return keeps others from running, but nobody from an answer.
// Rules: L-44.
func TestConstructorsOfAuthorsAreContained(t *testing.T) {
	now := fs.FS(files("S0"))
	s, log := newStore(t, &now, takes)
	first := s.Now()
	does := func(what string) {
		next := files("S1")
		next["behaviors/Odd.json"] = &fstest.MapFile{Data: []byte(`{"behaviorClass": "Author", "behaviorID": "Odd", "do": "` + what + `", "steps": []}`)}
		now = next
	}
	for _, c := range []struct{ what, result, text string }{
		{"panic", Invalid, "Odd.json:1:19: error: the constructor of class Author panicked when it read Odd: runtime error: index out of range [0] with length 0 (sets_test.go:"},
		{"end", Failed, "a constructor of a behavior class ended its goroutine (runtime.Goexit)"},
		{"hang", Failed, "have not returned within"},
		{"nothing", Failed, "has not returned since the last time"},
	} {
		does(c.what)
		if c.what == "hang" { // the one after it is refused at once
			s.making.limit = 50 * time.Millisecond
		}
		if o := s.Reload(t.Context(), CauseSignal); o.Result != c.result || !strings.Contains(o.Text, c.text) || s.Now() != first || log.newest().Result != c.result {
			t.Errorf("%s: %+v", c.what, o)
		}
	}
}

// A change that waits for another one is refused when its time is over.
func TestChangeWaitsForAnotherOneAsLongAsItsContext(t *testing.T) {
	now := fs.FS(files("S0"))
	s, _ := newStore(t, &now, takes)
	if err := s.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range []Outcome{s.Reload(ctx, CauseOperator), s.Rollback(ctx)} {
		if o.Result != Failed || !strings.Contains(o.Text, "another change of the definitions is not over yet") {
			t.Errorf("%+v", o)
		}
	}
	s.end()
	if o := s.Reload(t.Context(), CauseOperator); o.Result != Unchanged {
		t.Errorf("%+v", o)
	}
}

// newStore is a store whose ticks are those of do, with the files of now.
func newStore(t *testing.T, now *fs.FS, do func(s *Store, c engine.Command) engine.Reply) (*Store, *told) {
	t.Helper()
	classes := classesOf(t)
	build := func(tree setup.Tree) (*catalog.Catalog, resources.Diagnostics) { return tree.Catalog(classes) }
	tree, err := setup.Tree{FS: *now}.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	first, diags := build(setup.Tree{FS: tree})
	if first == nil {
		t.Fatal(diags)
	}
	log := &told{}
	s := NewStore(Options{
		First: Set{Catalog: first, Tree: tree}, Observer: log,
		Read:  func() (setup.Tree, error) { return setup.Tree{FS: *now}, nil },
		Build: build,
	})
	s.making.limit = time.Hour // a loaded machine may take its time
	s.Attach(func(_ context.Context, c engine.Command) (engine.Reply, error) {
		r := do(s, c)
		if r.Err != "" {
			return r, errors.New(r.Err)
		}
		return r, nil
	})
	return s, log
}

// takes is a tick that takes what is offered.
func takes(s *Store, c engine.Command) engine.Reply {
	if _, err := s.Changes(&c); err != nil {
		return engine.Reply{Err: err.Error()}
	}
	return engine.Reply{Text: "taken"}
}

func TestStoreChangesAndGoesBackAsFarAsItKeeps(t *testing.T) {
	now := fs.FS(files("S0"))
	s, log := newStore(t, &now, takes)
	if o := s.Reload(t.Context(), CauseOperator); o.Result != Unchanged || log.newest().Result != Unchanged {
		t.Errorf("%+v", o)
	}
	for i := range kept + 3 {
		now = files("S" + string(rune('a'+i)))
		if o := s.Reload(t.Context(), CauseSignal); o.Result != Applied || len(o.Plan.Added) != 1 || len(o.Plan.Removed) != 1 {
			t.Fatalf("%+v", o)
		}
	}
	for range kept {
		if o := s.Rollback(t.Context()); o.Result != Applied {
			t.Fatalf("%+v", o)
		}
	}
	if s.Now().Catalog.Find("Sc") == nil {
		t.Errorf("back to %v", s.Now().Catalog.IDs())
	}
	if o := s.Rollback(t.Context()); o.Result != Refused || !strings.Contains(o.Text, "no earlier definitions") {
		t.Errorf("%+v", o)
	}
}

func TestRefusedWrongAndUnreadableFilesLeaveTheSet(t *testing.T) {
	now := fs.FS(files("S0"))
	refuse := true
	s, log := newStore(t, &now, func(s *Store, c engine.Command) engine.Reply {
		if refuse {
			return engine.Reply{Err: "not now"}
		}
		return takes(s, c)
	})
	first := s.Now()
	now = files("S1")
	if o := s.Reload(t.Context(), CauseOperator); o.Result != Refused || o.Text != "not now" || s.Now() != first {
		t.Errorf("%+v", o)
	}
	refuse = false
	if _, err := s.Changes(&engine.Command{Set: 1}); err == nil { // a tick that comes too late
		t.Error("an offer that was taken back is taken")
	}
	wrong := files("S2")
	wrong["behaviors/S2.json"].Data = []byte(`{"behaviorClass": "Wayt", "behaviorID": "S2"}`)
	now = wrong
	if o := s.Reload(t.Context(), CauseOperator); o.Result != Invalid || !strings.Contains(o.Text, "Wayt") || s.Now() != first || log.newest().Result != Invalid {
		t.Errorf("%+v", o)
	}
	s.opts.Read = func() (setup.Tree, error) { return setup.Tree{}, errors.New("no disk") }
	if o := s.Reload(t.Context(), CauseOperator); o.Result != Failed || o.Text != "no disk" {
		t.Errorf("%+v", o)
	}
}

// The time of a tick to answer begins when it is asked: a disk on which the files take longer than that does not refuse a change.
func TestSlowDiskLeavesTheTickItsTime(t *testing.T) {
	now := fs.FS(files("S0"))
	s, _ := newStore(t, &now, takes)
	s.patience = time.Minute
	do, left := s.do, time.Duration(0)
	s.Attach(func(ctx context.Context, c engine.Command) (engine.Reply, error) {
		end, ok := ctx.Deadline()
		if left = time.Until(end); !ok || ctx.Err() != nil {
			t.Error("the tick has no time, or as much as it likes")
		}
		return do(ctx, c)
	})
	read := s.opts.Read
	s.opts.Read = func() (setup.Tree, error) {
		s.patience = time.Hour // what was measured until here is over long before
		return read()
	}
	now = files("S1")
	if o := s.Reload(t.Context(), CauseOperator); o.Result != Applied || left < 30*time.Minute {
		t.Errorf("%+v; the tick had %v", o, left)
	}
}

// A change that no tick answers is over some time after it was offered, and a tick that comes later does not take it.
func TestChangeThatNoTickAnswersIsOver(t *testing.T) {
	now := fs.FS(files("S0"))
	s, _ := newStore(t, &now, takes)
	s.patience = time.Millisecond
	var asked engine.Command
	s.Attach(func(ctx context.Context, c engine.Command) (engine.Reply, error) {
		asked = c
		<-ctx.Done()
		return engine.Reply{}, ctx.Err()
	})
	now = files("S1")
	if o := s.Reload(t.Context(), CauseOperator); o.Result != Failed {
		t.Errorf("%+v", o)
	}
	if _, err := s.Changes(&asked); err == nil {
		t.Error("the tick that came too late took it")
	}
	if err := s.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if o := s.Rollback(t.Context()); o.Result != Failed || !strings.Contains(o.Text, "not over yet") { // after its own patience
		t.Errorf("%+v", o)
	}
	s.end()
}

// Who asked for a change may hang up: the tick takes it all the same, and the files stay as they were written.
func TestChangeOutlivesTheOneWhoAsked(t *testing.T) {
	now := fs.FS(files("S0"))
	s, _ := newStore(t, &now, takes)
	ctx, hangUp := context.WithCancel(t.Context())
	do := s.do
	s.Attach(func(ctx context.Context, c engine.Command) (engine.Reply, error) {
		if hangUp(); ctx.Err() != nil {
			return engine.Reply{}, ctx.Err()
		}
		return do(ctx, c)
	})
	now = files("S1")
	if o := s.Reload(ctx, CauseOperator); o.Result != Applied {
		t.Errorf("%+v", o)
	}
}

// A file that was written for a change that no tick took is as it was before.
func TestRefusedEditIsTakenBackFromTheFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, files("S0")); err != nil {
		t.Fatal(err)
	}
	now := os.DirFS(dir)
	s, _ := newStore(t, &now, func(*Store, engine.Command) engine.Reply { return engine.Reply{Err: "not now"} })
	s.opts.Where.Dir = dir
	path := "behaviors/S0.json"
	was, _ := os.ReadFile(filepath.Join(dir, path))
	text := `{"behaviorClass": "Wait", "behaviorID": "S0", "doing": "Other"}`
	if o := s.Edit(t.Context(), Edit{Path: path, Text: &text}); o.Result != Refused {
		t.Errorf("%+v", o)
	}
	more := `{"behaviorClass": "Wait", "behaviorID": "More"}`
	if o := s.Edit(t.Context(), Edit{Path: "behaviors/More.json", Text: &more}); o.Result != Refused {
		t.Errorf("%+v", o)
	}
	is, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil || string(is) != string(was) {
		t.Errorf("%s, %v", is, err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "behaviors")); len(left) != 2 {
		t.Errorf("left %v", left)
	}
}

// An edit of a text that is not there any more changes nothing: somebody else wrote meanwhile.
func TestEditOfAnOldTextIsRefused(t *testing.T) {
	now := fs.FS(files("S0"))
	s, _ := newStore(t, &now, takes)
	s.opts.Where.Dir = t.TempDir()
	const path = "behaviors/Rest.json"
	text := `{"behaviorClass": "Wait", "behaviorID": "Rest", "doing": "Resting"}`
	was, err := fs.ReadFile(now, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ was, result string }{{Sum("another"), Failed}, {Sum(string(was)), Applied}, {"", Applied}} {
		o := s.Edit(t.Context(), Edit{Path: path, Text: &text, Was: c.was})
		if o.Result != c.result || c.result == Failed && !strings.Contains(o.Text, "has changed since it was read") {
			t.Errorf("%q: %+v", c.was, o)
		}
		if _, err := os.Stat(filepath.Join(s.opts.Where.Dir, path)); (err == nil) != (c.result == Applied) {
			t.Errorf("%q: the file: %v", c.was, err)
		}
		text = strings.Replace(text, "Resting", "Resting a lot", 1)
	}
	if o := s.Edit(t.Context(), Edit{Path: "behaviors/New.json", Text: &text, Was: Sum("gone")}); o.Result != Failed {
		t.Errorf("a file that is gone: %+v", o)
	}
}

func TestTreeInMemoryIsATree(t *testing.T) {
	tree := asTree{"a.json": "1", "b/c.json": "22", "b/d/e.json": "333"}
	if err := fstest.TestFS(tree, "a.json", "b/c.json", "b/d/e.json"); err != nil {
		t.Error(err)
	}
}
