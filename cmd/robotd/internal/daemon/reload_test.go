package daemon_test

import (
	"context"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/daemon"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/replay"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

const touchFile = "behaviors/reactions/ReactToTouch.json"

// folder writes the built-in resources into a folder that a robot may be started with.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, resources.Embedded()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A liveAuthor is a robot whose definitions are changed, recorded from its start on.
type liveAuthor struct {
	t      *testing.T
	c      *control.Client
	ctx    context.Context
	opts   setup.Options
	reload chan struct{}
	stop   func()
}

func newLiveAuthor(t *testing.T, set func(*setup.Options)) *liveAuthor {
	t.Helper()
	a := &liveAuthor{t: t, ctx: t.Context(), opts: setuptest.Options(t, 1), reload: make(chan struct{}, 1)}
	a.opts.Recording.Dir = t.TempDir()
	set(&a.opts)
	var listeners [2]net.Listener
	for i := range listeners {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners[i] = l
	}
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := daemon.Run(ctx, a.opts, daemon.Options{Control: listeners[0], Metrics: listeners[1], Reload: a.reload, Ready: func(url string) { ready <- url }})
		done <- err
	}()
	stopped := false
	a.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(a.stop)
	<-ready
	var err error
	if a.c, err = control.NewClient(listeners[0].Addr().String(), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *liveAuthor) change(path string, body any) control.Change {
	a.t.Helper()
	var c control.Change
	if _, err := a.c.PostInto(a.ctx, "/v1/behaviors/"+path, body, &c); err != nil {
		a.t.Fatal(err)
	}
	return c
}

func (a *liveAuthor) file(path string) control.FileState {
	a.t.Helper()
	var f control.FileState
	if _, err := a.c.Get(a.ctx, "/v1/behaviors/file?path="+url.QueryEscape(path), &f); err != nil {
		a.t.Fatal(err)
	}
	return f
}

// verify stops the robot and decides its recorded life again.
func (a *liveAuthor) verify(least uint64) {
	a.t.Helper()
	a.stop()
	h, err := record.OpenLife(a.opts.Recording.Dir)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	tree, err := replay.Tree(h)
	if err != nil {
		a.t.Fatal(err)
	}
	lived, diags := a.opts.Build(tree)
	if lived == nil {
		a.t.Fatal(diags)
	}
	p, err := sets.NewPlayer(tree, lived, a.opts.Build)
	if err != nil {
		a.t.Fatal(err)
	}
	v, err := replay.Verify(h, lived, p.Changes)
	if err != nil || v.Unreadable != nil || v.Parted != nil || v.Ticks < least {
		a.t.Errorf("%+v, %v", v, err)
	}
	a.definitions(h, tree)
}

// definitions checks that the definitions of every tick are found in the recording.
func (a *liveAuthor) definitions(h record.History, tree setup.Tree) {
	a.t.Helper()
	l := sets.NewLifetime(tree, a.opts.Build, func(see func(*engine.Command, string) bool) error {
		return replay.Reloads(h, func(tick uint64, c *engine.Command) bool {
			sum, _ := facts.Definitions(h, tick)
			return see(c, sum)
		})
	})
	first, last := h.Span()
	seen := map[string]bool{}
	for tick := first.Tick; tick <= last.Tick; tick++ {
		sum, err := facts.Definitions(h, tick)
		if err != nil {
			a.t.Fatal(err)
		}
		if seen[sum] {
			continue
		}
		seen[sum] = true
		if cat, err := l.Of(sum); sum == "" || err != nil || cat.Sum != sum {
			a.t.Errorf("tick %d: the definitions %q are not in the recording: %v", tick, sum, err)
		}
	}
	if len(seen) < 2 {
		a.t.Errorf("definitions %v", seen)
	}
}

// touchTime is a parameter of the tree that a query asks for.
func (a *liveAuthor) touchTime(query string) string {
	a.t.Helper()
	var tree control.Tree
	if _, err := a.c.Get(a.ctx, "/v1/tree"+query, &tree); err != nil {
		a.t.Fatal(err)
	}
	for _, n := range tree.Nodes {
		if _, rest, ok := strings.Cut(string(n.Params), `"minTouchTime_s":`); ok && n.ID == "ReactToTouch" {
			return rest[:strings.IndexAny(rest, ",}")]
		}
	}
	return "none"
}

// A folder is edited through the API of a living robot: all or nothing, with the way back; the recorded life is decided again to the bit.
func TestFolderIsEditedReloadedAndRolledBackWhileTheRobotLives(t *testing.T) {
	dir := folder(t)
	a := newLiveAuthor(t, func(s *setup.Options) {
		s.Read, s.Edits = func() (setup.Tree, error) { return setup.OpenTree(dir) }, dir
	})
	was := a.file(touchFile)
	if was.From != "folder" || was.ID != "ReactToTouch" {
		t.Errorf("%+v", was)
	}
	wrong := control.Edit{Path: touchFile, Text: strings.Replace(was.Text, "minTouchTime_s", "minTuchTime_s", 1)}
	for _, path := range []string{"check", "apply"} {
		c := a.change(path, wrong)
		if c.OK || c.Result != "invalid" || len(c.Findings) == 0 || c.Findings[0].File != touchFile || c.Findings[0].Line == 0 {
			t.Errorf("%s: %+v", path, c)
		}
	}
	if a.file(touchFile).Text != was.Text {
		t.Error("a wrong edit was written")
	}
	right := control.Edit{Path: touchFile, Text: strings.Replace(was.Text, `"minTouchTime_s": 0.3`, `"minTouchTime_s": 0.7`, 1)}
	if c := a.change("check", right); !c.OK || len(c.Plan.Changed) != 1 || c.Plan.Changed[0] != "ReactToTouch" || a.file(touchFile).Text != was.Text {
		t.Errorf("check: %+v", c)
	}
	if c := a.change("apply", right); !c.OK || c.Result != "applied" || c.Back != 1 {
		t.Errorf("apply: %+v", c)
	}
	if was, is := a.touchTime("?tick=1"), a.touchTime(""); was != "0.3" || is != "0.7" {
		t.Errorf("the tree of the first tick has %s s, that of now %s s", was, is)
	}
	if text, err := os.ReadFile(filepath.Join(dir, touchFile)); err != nil || string(text) != right.Text {
		t.Errorf("on disk: %s, %v", text, err)
	}
	a.differing()
	if c := a.change("rollback", struct{}{}); !c.OK || c.Back != 0 {
		t.Errorf("rollback: %+v", c)
	}
	a.differing(touchFile)
	if c := a.change("rollback", struct{}{}); c.OK || c.Result != "refused" {
		t.Errorf("second rollback: %+v", c)
	}
	more := control.Edit{Path: "behaviors/reactions/Nap.json", Text: `{"behaviorClass": "Wait", "behaviorID": "Nap"}`}
	if c := a.change("apply", more); !c.OK || len(c.Plan.Added) != 1 {
		t.Errorf("another file: %+v", c)
	}
	if err := os.Remove(filepath.Join(dir, more.Path)); err != nil {
		t.Fatal(err)
	}
	a.reload <- struct{}{} // as SIGHUP does
	var tree control.Tree
	for begin := time.Now(); ; {
		if _, err := a.c.Get(a.ctx, "/v1/tree", &tree); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(idsOf(tree), " "), "Nap") {
			break
		}
		if time.Since(begin) > 2*time.Minute {
			t.Fatal("the signal was not heard")
		}
	}
	a.verify(3)
}

// differing checks which files are others on disk than those that run.
func (a *liveAuthor) differing(want ...string) {
	a.t.Helper()
	var all control.FilesState
	if _, err := a.c.Get(a.ctx, "/v1/behaviors/files", &all); err != nil {
		a.t.Fatal(err)
	}
	var got []string
	for _, f := range all.Files {
		if f.Differs {
			got = append(got, f.Path)
		}
		if one := a.file(f.Path); one.Differs != f.Differs {
			a.t.Errorf("%s differs in one answer only", f.Path)
		}
	}
	if !slices.Equal(got, want) {
		a.t.Errorf("differing: %v, want %v", got, want)
	}
}

func idsOf(t control.Tree) (ids []string) {
	for _, n := range t.Nodes {
		ids = append(ids, n.ID)
	}
	return ids
}

// A folder that lies over the built-in one tells which files are its own. An edit of a built-in file becomes one of them.
func TestFilesOfALayerTellWhereTheyComeFrom(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, resources.LayerFile), []byte(`{"over": "built-in"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	a := newLiveAuthor(t, func(s *setup.Options) {
		s.Edits = dir
		s.Read = func() (setup.Tree, error) { return setup.OpenTree(dir) }
	})
	was := a.file(touchFile)
	edit := control.Edit{Path: touchFile, Text: strings.Replace(was.Text, `"minTouchTime_s": 0.3`, `"minTouchTime_s": 0.7`, 1)}
	if c := a.change("apply", edit); !c.OK {
		t.Errorf("apply: %+v", c)
	}
	if f := a.file(touchFile); was.From != "built-in" || f.From != "folder" || f.Text != edit.Text {
		t.Errorf("from %s to %s", was.From, f.From)
	}
	if got := a.origin("ReactToTouch"); got != setup.OriginReplaces {
		t.Errorf("an own file in place of a built-in one: %q", got)
	}
	remove := control.Edit{Path: touchFile, Remove: true}
	if c := a.change("apply", remove); !c.OK || len(c.Plan.Changed) != 1 || len(c.Plan.Removed) != 0 {
		t.Errorf("remove: %+v", c)
	}
	if f := a.file(touchFile); f.From != "built-in" || f.Text != was.Text || a.origin("ReactToTouch") != setup.BuiltIn {
		t.Errorf("from %s, of origin %q", f.From, a.origin("ReactToTouch"))
	}
	for path, want := range map[string]string{touchFile: "no own version", "behaviors/reactions/No.json": "no own version", resources.LayerFile: "says what the folder is"} {
		if c := a.change("apply", control.Edit{Path: path, Remove: true}); c.OK || !strings.Contains(c.Error, want) {
			t.Errorf("removal of %s: %+v", path, c)
		}
	}
	edit.Path = "behaviors/mine/ReactToTouch.json" // the ID decides what it replaces
	if c := a.change("apply", edit); !c.OK || len(c.Plan.Changed) != 1 {
		t.Errorf("apply at another path: %+v", c)
	}
	if got := a.origin("ReactToTouch") + "; " + a.origin("Wait"); got != setup.OriginReplaces+"; "+setup.BuiltIn {
		t.Errorf("origins: %s", got)
	}
	boot := filepath.Join(dir, "behavior_config.json")
	text := `{"normalBaseBehavior": "ModeSelector", "fallbackBehavior": "Wait", "userIntents": [], "useless": 1}`
	if err := os.WriteFile(boot, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	below := 0
	wrong := a.change("reload", struct{}{})
	for _, f := range wrong.Findings {
		if strings.HasPrefix(f.File, setup.BuiltIn+"/") {
			below++
		} else if _, err := os.Stat(f.File); err != nil {
			t.Errorf("a finding in a file that does not exist: %v", f)
		}
	}
	if wrong.OK || below == 0 || below == len(wrong.Findings) { // built-in files name what it does not declare, and it has an unknown key
		t.Errorf("reload: %+v", wrong)
	}
	if err := os.Remove(boot); err != nil {
		t.Fatal(err)
	}
	remove.Path = edit.Path
	if c := a.change("apply", remove); !c.OK || len(c.Plan.Changed) != 1 || a.origin("ReactToTouch") != setup.BuiltIn {
		t.Errorf("remove at another path: %+v", c)
	}
}

// origin says where the definition of a behavior that runs comes from.
func (a *liveAuthor) origin(id string) string {
	a.t.Helper()
	var tree control.Tree
	if _, err := a.c.Get(a.ctx, "/v1/tree", &tree); err != nil {
		a.t.Fatal(err)
	}
	i := slices.IndexFunc(tree.Nodes, func(n control.TreeNode) bool { return n.ID == id })
	if i < 0 {
		a.t.Fatalf("no behavior %s", id)
	}
	return tree.Nodes[i].Origin
}

// Without a folder edits stand over the built-in files, and taking one back shows the built-in file again.
func TestBuiltInFilesAreEditedInTheStateFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "resources")
	a := newLiveAuthor(t, func(s *setup.Options) {
		s.Edits, s.Overlay = dir, true
		s.Read = func() (setup.Tree, error) {
			tree, err := setup.OpenTree("")
			if err == nil {
				tree.FS, err = sets.Over(tree.FS, dir)
			}
			return tree, err
		}
	})
	was := a.file(touchFile)
	edit := control.Edit{Path: touchFile, Text: strings.Replace(was.Text, `"minTouchTime_s": 0.3`, `"minTouchTime_s": 0.7`, 1)}
	if c := a.change("apply", edit); !c.OK {
		t.Errorf("apply: %+v", c)
	}
	if f := a.file(touchFile); was.From != "built-in" || f.From != "edited" || f.Text != edit.Text {
		t.Errorf("from %s to %s", was.From, f.From)
	}
	if c := a.change("apply", control.Edit{Path: touchFile, Remove: true}); !c.OK || len(c.Plan.Changed) != 1 {
		t.Errorf("remove: %+v", c)
	}
	if f := a.file(touchFile); f.From != "built-in" || f.Text != was.Text {
		t.Errorf("from %s", f.From)
	}
	if c := a.change("apply", control.Edit{Path: touchFile, Remove: true}); c.OK || !strings.Contains(c.Error, "no own version") {
		t.Errorf("second removal: %+v", c)
	}
	a.verify(3)
}

// Nothing is written outside of the folder, nor to files that robots do not read.
func TestEditsStayBelowTheirFolder(t *testing.T) {
	dir, outside := folder(t), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "behaviors", "out")); err != nil {
		t.Fatal(err)
	}
	a := newLiveAuthor(t, func(s *setup.Options) {
		s.Read, s.Edits = func() (setup.Tree, error) { return setup.OpenTree(dir) }, dir
	})
	for _, path := range []string{
		"../x.json", "/etc/x.json", "behaviors/../../x.json", "behaviors/x.txt", "web/index.json", ".x.json", "behaviors/.x.json", "a\\x.json", "C:x.json", "",
		"behaviors/" + strings.Repeat("x", 300) + ".json", "behaviors/out/Nap.json",
	} {
		c := a.change("apply", control.Edit{Path: path, Text: `{"behaviorClass": "Wait", "behaviorID": "Nap"}`})
		if c.OK || c.Error == "" {
			t.Errorf("%q: %+v", path, c)
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
}
