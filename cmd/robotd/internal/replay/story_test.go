package replay_test

import (
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/replay"
	"github.com/robotd/robotd/resources"
)

// changed is the shipped tree with a text replaced in one file.
func changed(t *testing.T, file, old, new string) fs.FS {
	t.Helper()
	tree := fstest.MapFS{}
	err := fs.WalkDir(resources.Embedded(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(resources.Embedded(), name)
		if path.Base(name) == file {
			if !strings.Contains(string(text), old) {
				t.Fatalf("%s has no %q:\n%s", name, old, text)
			}
			text = []byte(strings.Replace(string(text), old, new, 1))
		}
		tree[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func story(t *testing.T, s *studio, tree fs.FS) *replay.Story {
	t.Helper()
	h := opened(t, s.write(t))
	tell, err := replay.Tell(h, catalogOf(t, s.tree), catalogOf(t, tree), nil)
	if err != nil {
		t.Fatal(err)
	}
	return tell
}

// The same files decide the same; the story says so.
func TestStoryOfTheSameFilesHasNoDifference(t *testing.T) {
	s := story(t, shippedLife(t, time.Minute), resources.Embedded())
	if !s.Equal || s.First != nil || s.Turn != nil || s.Moved != nil || len(s.Activations)+len(s.Spans) > 0 || s.Ticks != 1000 {
		t.Errorf("%+v", s)
	}
	if text := words(t, func(w *strings.Builder) error { return s.Write(w) }); !strings.HasPrefix(text, "1000 ticks, 1m0s: these behaviors decide every tick as it was recorded\n") {
		t.Error(text)
	}
}

// A changed file gives the story: when, which behavior, instead of which, and why.
// Rules: goal/M9.
func TestStoryTellsWhatChangedFilesDecideOtherwise(t *testing.T) {
	s := story(t, shippedLife(t, 2*time.Minute), changed(t, "GreetFace.json", `"cooldownPerFace_s": 120`, `"cooldownPerFace_s": 5`))
	if s.Equal || s.First == nil || s.Turn == nil || s.Moved == nil || s.Moved.Tick < s.First.Tick {
		t.Fatalf("%+v", s)
	}
	if s.Turn.Behavior != "GreetFace" || s.Turn.Below != "ModeSelector" || len(s.Turn.Why) != 2 || s.Turn.Why[0].Recorded.Wanted || !s.Turn.Why[0].Here.Wanted {
		t.Errorf("%+v", s.Turn)
	}
	if n := len(s.Spans); n == 0 || s.Spans[0].FromS != s.Turn.AtS || s.DifferS <= 0 {
		t.Errorf("%d spans, %v s", n, s.DifferS)
	}
	for _, a := range s.Activations {
		if a.ID == "GreetFace" && len(a.OnlyHere) == 0 || len(a.OnlyHere)+len(a.OnlyRecorded) == 0 {
			t.Errorf("%+v", a)
		}
	}
	text := words(t, func(w *strings.Builder) error { return s.Write(w) })
	for _, want := range []string{
		"The two lives part in tick ", "\n  here      ", "GreetFace is active here instead of " + s.Turn.Instead + ", above ModeSelector.",
		"    recorded  no: Ada was greeted ", "    here      active; yes: ", "The stacks differ for ", "the world did not react to the new decisions",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

// The JSON of a story has the documented names.
func TestStoryJSONHasDocumentedNames(t *testing.T) {
	text, err := json.Marshal(replay.Story{First: &replay.First{}, Turn: &replay.Turn{Why: []replay.Why{{}}}, Moved: &replay.Moment{}, Activations: []replay.Activation{{}}, Spans: []replay.Span{{}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"life", "ticks", "equal", "first", "turn", "moved", "activations", "spans", "instead_of", "only_here_s", "recorded", "note"} {
		if !strings.Contains(string(text), `"`+name+`":`) {
			t.Errorf("no %q in %s", name, text)
		}
	}
}
