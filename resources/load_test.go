package resources_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/resources"
)

// Rules: data/1.1c.
func TestEmbeddedTreeHasItsDirectories(t *testing.T) {
	for _, dir := range []string{"behaviors", "robots", "web"} {
		entries, err := fs.ReadDir(resources.Embedded(), dir)
		if err != nil || len(entries) == 0 {
			t.Errorf("%s: %d entries, %v", dir, len(entries), err)
		}
	}
}

// The shipped files must at least be readable; what they mean is checked by the packages that know.
// Rules: data/1.11m.
func TestEmbeddedBehaviorsParse(t *testing.T) {
	docs, diags := resources.LoadBehaviors(resources.Embedded())
	if diags.HasErrors() {
		t.Errorf("%d documents, findings:\n%s", len(docs), diags)
	}
}

// Rules: data/1.1a, data/1.1d, data/1.2a, data/1.2e, data/1.2l.
func TestLoadBehaviorsReadsTheTreeInOrder(t *testing.T) {
	tree := fstest.MapFS{
		"behaviors/b.json":           {Data: []byte(`{"behaviorID": "b"}`)},
		"behaviors/a/z.json":         {Data: []byte(`{"behaviorID": "z"}`)},
		"behaviors/a.json":           {Data: []byte(`{"behaviorID": "a"}`)},
		"behaviors/a/b/c.json":       {Data: []byte(`{"behaviorID": "c",}`)},
		"behaviors/broken.json":      {Data: []byte(`{"behaviorID" "x"}`)},
		"behaviors/empty.json":       {Data: []byte(` `)},
		"behaviors/README.md":        {Data: []byte(`text`)},
		"behaviors/.hidden.json":     {Data: []byte(`{{`)},
		"behaviors/.git/x.json":      {Data: []byte(`{{`)},
		"behaviors/Shout.JSON":       {Data: []byte(`{}`)},
		"behaviors/notes.jsonc":      {Data: []byte(`{}`)},
		"behaviors/pipe.json":        {Mode: fs.ModeNamedPipe},
		"robots/not-a-behavior.json": {Data: []byte(`{{`)},
	}
	docs, diags := resources.LoadBehaviors(tree)
	var got string
	for _, d := range docs {
		got += d.File() + "=" + d.Root().String("behaviorID") + " "
	}
	if want := "behaviors/a.json=a behaviors/a/b/c.json=c behaviors/a/z.json=z behaviors/b.json=b "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want := `behaviors/Shout.JSON: warning: only files ending in .json are read; rename it
behaviors/a/b/c.json:1:19: error: trailing comma before '}'; remove it
behaviors/broken.json:1:15: error: expected ':' after the key, found '"'; is something missing before it?
behaviors/empty.json:1:1: info: the file is empty
behaviors/notes.jsonc: warning: only files ending in .json are read; rename it
behaviors/pipe.json: error: cannot be read: not a regular file`
	if diags.String() != want {
		t.Errorf("got\n%s\nwant\n%s", diags, want)
	}
}

// brokenFS fails for one name.
type brokenFS struct {
	fstest.MapFS
	name string
}

func (b brokenFS) Open(name string) (fs.File, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("medium error")}
	}
	return b.MapFS.Open(name)
}

func (b brokenFS) Stat(name string) (fs.FileInfo, error) { return b.MapFS.Stat(name) }

func (b brokenFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("medium error")}
	}
	return b.MapFS.ReadDir(name)
}

// Rules: data/1.2a, data/1.3l.
func TestUnreadableFileIsReported(t *testing.T) {
	tree := fstest.MapFS{
		"behaviors/a.json":     {Data: []byte(`{"x": 1}`)},
		"behaviors/sub/b.json": {Data: []byte(`{"x": 1}`)},
	}
	for _, name := range []string{"behaviors/a.json", "behaviors/sub"} {
		docs, diags := resources.LoadBehaviors(brokenFS{tree, name})
		if want := name + ": error: cannot be read: medium error"; diags.String() != want || len(docs) != 1 {
			t.Errorf("%d documents, got %s\nwant %s", len(docs), diags, want)
		}
	}
	_, diags := resources.LoadBehaviors(fstest.MapFS{"x": {}})
	if want := "behaviors: error: there is no such directory"; diags.String() != want {
		t.Errorf("got %s\nwant %s", diags, want)
	}
	_, diags = resources.LoadBehaviors(fstest.MapFS{"behaviors/README.md": {}})
	if want := "behaviors: warning: no *.json file in this directory"; diags.String() != want {
		t.Errorf("got %s\nwant %s", diags, want)
	}
	_, diags = resources.LoadBehaviors(fstest.MapFS{"behaviors": {Data: []byte("{}")}})
	if want := "behaviors: error: cannot be read: not a directory"; diags.String() != want {
		t.Errorf("got %s\nwant %s", diags, want)
	}
	doc, diags := resources.LoadFile(tree, "robots/none.json")
	if want := "robots/none.json: error: cannot be read: file does not exist"; doc != nil || diags.String() != want {
		t.Errorf("got %s\nwant %s", diags, want)
	}
	big := fstest.MapFS{"behaviors/big.json": {Data: make([]byte, 3*resources.MaxFileBytes)}}
	if _, diags := resources.LoadBehaviors(big); diags.String() != "behaviors/big.json: error: the file has 3145728 bytes, more than the limit 1048576" {
		t.Errorf("got %s", diags)
	}
}

// Rules: data/1.2j.
func TestFilesBeyondTheLimitAreReported(t *testing.T) {
	tree := fstest.MapFS{}
	for i := range resources.MaxFiles + 2 {
		tree[fmt.Sprintf("behaviors/f%05d.json", i)] = &fstest.MapFile{Data: []byte(`{"x":1}`)}
	}
	docs, diags := resources.LoadBehaviors(tree)
	want := "behaviors/f04096.json: error: this and all files after it are not read: 4098 files, the limit is 4096"
	if len(docs) != resources.MaxFiles || diags.String() != want {
		t.Errorf("%d documents, %s", len(docs), diags)
	}
}

// Rules: data/1.1c.
func TestOpenOfWrongDirectoryNamesTheReason(t *testing.T) {
	dir := t.TempDir()
	mkdir := func(elem ...string) string {
		path := filepath.Join(append([]string{dir}, elem...)...)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write := func(path string) string {
		if err := os.WriteFile(path, []byte(`{"x": 1}`), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := mkdir("good")
	behaviors := mkdir("good", "behaviors")
	file := write(filepath.Join(behaviors, "a.json"))
	empty := mkdir("empty")
	fake := mkdir("fake")
	write(filepath.Join(fake, "behaviors"))

	tree, err := resources.Open(good)
	if err != nil {
		t.Fatal(err)
	}
	if docs, diags := resources.LoadBehaviors(tree); len(docs) != 1 || len(diags) > 0 {
		t.Errorf("%d documents, %s", len(docs), diags)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none"): "does not exist",
		file:                       "is not a directory",
		empty:                      "has no behaviors directory",
		fake:                       "has no behaviors directory",
		behaviors:                  "has no behaviors directory; it holds *.json files itself, did you mean its parent",
	} {
		if _, err := resources.Open(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("Open(%s): got %v, want %q", path, err, want)
		}
	}
	if _, err := resources.Open(behaviors); !strings.Contains(fmt.Sprint(err), fmt.Sprintf("%q?", good)) {
		t.Errorf("the parent is not named: %v", err)
	}
}

// A named pipe would block an open, and a linked directory could lead in a circle.
// Rules: data/1.1d, data/1.2a, data/1.3l.
func TestLoadFromDiskDoesNotHang(t *testing.T) {
	dir := t.TempDir()
	behaviors := filepath.Join(dir, "behaviors")
	if err := errors.Join(
		os.Mkdir(behaviors, 0o755),
		os.WriteFile(filepath.Join(dir, "real"), []byte(`{"x": 1}`), 0o644),
		syscall.Mkfifo(filepath.Join(behaviors, "a.json"), 0o644),
		os.Symlink("..", filepath.Join(behaviors, "b")),
		os.Symlink("../real", filepath.Join(behaviors, "c.json")),
		os.Symlink("nowhere", filepath.Join(behaviors, "d.json")),
	); err != nil {
		t.Fatal(err)
	}
	linked := t.TempDir() // here behaviors itself is a link, as in a tree that is switched by one
	if err := os.Symlink(behaviors, filepath.Join(linked, "behaviors")); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{dir, linked} {
		checkOddFiles(t, root)
	}
}

func checkOddFiles(t *testing.T, root string) {
	t.Helper()
	tree, err := resources.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	docs, diags := resources.LoadBehaviors(tree)
	want := `behaviors/a.json: error: cannot be read: not a regular file
behaviors/b: warning: a linked directory is not searched; copy it, or link its files
behaviors/d.json: error: cannot be read: no such file or directory`
	if diags.String() != want || len(docs) != 1 || docs[0].File() != "behaviors/c.json" {
		t.Errorf("%d documents, got\n%s\nwant\n%s", len(docs), diags, want)
	}
}

// The files of a robot are those that are loaded: linked ones, too, and those of a linked folder, but no hidden ones and none of a linked
// directory deeper down. What cannot be loaded is an error, as it is when it is loaded.
// Rules: data/1.2a.
func TestFilesOfATreeAreThoseThatAreLoaded(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	behaviors := filepath.Join(dir, "behaviors")
	if err := errors.Join(
		os.MkdirAll(filepath.Join(behaviors, ".git"), 0o755),
		os.MkdirAll(filepath.Join(outside, "deep"), 0o755),
		os.WriteFile(filepath.Join(outside, "real.json"), []byte(`{"x": 1}`), 0o644),
		os.WriteFile(filepath.Join(outside, "deep", "d.json"), []byte(`{"x": 1}`), 0o644),
		os.WriteFile(filepath.Join(behaviors, "a.json"), []byte(`{"x": 1}`), 0o644),
		os.WriteFile(filepath.Join(behaviors, ".git", "b.json"), []byte(`{"x": 1}`), 0o644),
		os.WriteFile(filepath.Join(behaviors, "notes.txt"), nil, 0o644),
		os.Symlink("nowhere", filepath.Join(behaviors, ".#a.json")), // the lock of an editor
		os.Symlink("nowhere", filepath.Join(behaviors, "notes")),
		os.Symlink(outside, filepath.Join(behaviors, "circle")),
		os.Symlink(filepath.Join(outside, "real.json"), filepath.Join(behaviors, "c.json")),
		os.Symlink(outside, filepath.Join(dir, "emotionevents")),
		os.Symlink("/", filepath.Join(dir, "elsewhere")),
	); err != nil {
		t.Fatal(err)
	}
	tree := os.DirFS(dir)
	got, err := resources.Files(tree)
	if want := "[behaviors/a.json behaviors/c.json emotionevents/deep/d.json emotionevents/real.json]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %s\n%v", got, want, err)
	}
	loaded := 0
	for _, folder := range []string{"behaviors", "emotionevents"} {
		docs, _ := resources.LoadDir(tree, folder)
		loaded += len(docs)
	}
	if loaded != len(got) {
		t.Errorf("%d files are loaded", loaded)
	}
	for what, add := range map[string]func(name string) error{
		"no such file":       func(name string) error { return os.Symlink("nowhere", name) },
		"not a regular file": func(name string) error { return syscall.Mkfifo(name, 0o644) },
	} {
		odd := filepath.Join(behaviors, "odd.json")
		if err := add(odd); err != nil {
			t.Fatal(err)
		}
		if _, err := resources.Files(tree); err == nil || !strings.Contains(err.Error(), "behaviors/odd.json: "+what) {
			t.Errorf("%s: %v", what, err)
		}
		if err := os.Remove(odd); err != nil {
			t.Fatal(err)
		}
	}
}

// What a robot lives with is its data; the page and its reference, dashboards and test data are not.
func TestOnlyDataOfRobotIsOfRobot(t *testing.T) {
	for name, want := range map[string]bool{
		"behavior_config.json": true, "mood_config.json": true, "behaviors/base/Wait.json": true, "emotionevents/body.json": true,
		"behaviors/web/Wait.json": true, "behaviors/README.md": false, "web/openapi.json": false, "web/index.html": false,
		"dashboards/robotd.json": false, "rules/robotd.yml": false, "testdata/bad/depth.json": false, "robots/sim.json": true,
		"examples/camera/any.json": false,
	} {
		if got := resources.OfRobot(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
