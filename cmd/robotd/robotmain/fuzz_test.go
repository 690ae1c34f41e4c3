package robotmain

import (
	"bytes"
	"io/fs"
	"log/slog"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// FuzzCheckedFolderDrawsAndStarts takes a resource folder through the whole chain: load, check, draw in every format, live for
// a few ticks. The archive holds the files of the folder; edits are applied to it, three bytes each, as [edit] says. A folder is
// refused with an error that has a place, or it draws all its behaviors and starts without a panic.
func FuzzCheckedFolderDrawsAndStarts(f *testing.F) {
	refused, fine := folders(f)
	for i, archive := range slices.Concat(refused, fine) {
		if cat, diags := folder(archive, nil).Catalog(library.Registry()); (cat != nil) != (i >= len(refused)) {
			f.Fatalf("%s\nis fine: %t\n%s", archive, cat != nil, diags)
		}
		f.Add(archive, []byte(nil))
		f.Add(archive, []byte{1, whole, 0, 2, 5, 3})
		f.Add(archive, []byte{0, whole, 1})
	}
	f.Fuzz(func(t *testing.T, archive string, edits []byte) {
		cat, diags := folder(archive, edits).Catalog(library.Registry())
		if (cat == nil) != diags.HasErrors() {
			t.Fatalf("catalog %v, findings\n%s", cat, diags)
		}
		if cat == nil {
			return
		}
		for _, format := range graphFormats {
			if format != "paths" { // it leaves out what the base does not lead to
				draws(t, cat, format)
			}
		}
		starts(t, cat)
	})
}

// folder is the edited folder of an archive.
func folder(archive string, edits []byte) setup.Tree {
	names, files := behaviortest.Split(archive)
	for edits = edits[:min(len(edits), maxEdits)]; len(edits) >= 3 && len(names) > 0; edits = edits[3:] {
		edit(archive, names, files, edits[0], edits[1], edits[2])
	}
	tree := fstest.MapFS{}
	for name, text := range files {
		if fs.ValidPath(name) {
			tree[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return setup.Tree{FS: tree}
}

// draws fails if a behavior is not in the graph.
func draws(t *testing.T, cat *catalog.Catalog, format string) {
	t.Helper()
	var out bytes.Buffer
	if err := drawGraph(&out, cat, format); err != nil {
		t.Fatal(err)
	}
	for _, e := range cat.Entries {
		if plainID.MatchString(e.ID) && !strings.Contains(out.String(), e.ID) {
			t.Errorf("%s is not drawn as %s:\n%s", e.ID, format, out.String())
		}
	}
}

// starts fails if a robot with these behaviors cannot live for five ticks.
func starts(t *testing.T, cat *catalog.Catalog) {
	t.Helper()
	s := setup.Options{Catalog: cat, Seed: 1, Log: slog.New(slog.DiscardHandler)}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	sum, err := headless.Run(t.Context(), s, headless.Options{For: 5 * actors.DefaultPeriod})
	if err != nil || sum.Panics > 0 || sum.LifecycleViolations > 0 || sum.Ticks < 5 {
		t.Errorf("%v, %+v", err, sum)
	}
}

// maxEdits bounds the bytes that are edits: a folder with more of them only says that it is nonsense.
const maxEdits = 3 * 8

// whole as the place of an edit means the file, not a token of it.
const whole = 255

// token matches what an edit may replace in a file.
var token = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[\[\]{}]`)

// odd are values that code forgets.
var odd = []string{
	`""`, `null`, `0`, `-1`, `1e300`, `0.5`, `99999999999999999999`, `true`, `false`, `[]`, `{}`, `[""]`, `[null]`, `[[]]`, `"*"`, `"@"`, `"\u0000"`,
}

// edit changes a file, or one of its tokens, which becomes an odd value or another token of the same kind from the archive.
func edit(archive string, names []string, files map[string]string, file, place, change byte) {
	name := names[int(file)%len(names)]
	text := files[name]
	if place == whole {
		switch change % 4 {
		case 0:
			files[name] = ""
		case 1:
			files[name] = "{}\n"
		case 2:
			files[name] = files[names[int(change)%len(names)]]
		default:
			delete(files, name)
			files[path.Join(path.Dir(name), "other.json")] = text
		}
		return
	}
	tokens := token.FindAllStringIndex(text, -1)
	if len(tokens) == 0 {
		return
	}
	at := tokens[int(place)%len(tokens)]
	with := odd[int(change)%len(odd)]
	if change >= 64 { // most changes keep the kind, because most others are refused
		is := kind(text[at[0]:at[1]])
		all := slices.DeleteFunc(token.FindAllString(archive, -1), func(s string) bool { return kind(s) != is })
		with = append(all, with)[int(change-64)*7%(len(all)+1)]
	}
	files[name] = text[:at[0]] + with + text[at[1]:]
}

// kind is the kind of a token: its first letter, with all numbers alike and true like false.
func kind(token string) byte {
	switch c := token[0]; {
	case c == '-' || c >= '0' && c <= '9':
		return '0'
	case c == 'f':
		return 't'
	default:
		return c
	}
}

// folders are the archives that fuzzing begins with: what was once checked as fine and did not start, and what is fine: the shipped
// tree, and one of each kind of chooser.
func folders(f *testing.F) (refused, fine []string) {
	f.Helper()
	const (
		boot  = "-- behavior_config.json --\n" + `{"normalBaseBehavior": "Base", "fallbackBehavior": "Rest", "userIntents": ["hello"], "timers": ["T"], "features": ["Fun"], "enabledFeatures": ["Fun"], "behaviorStats": ["S"]}` + "\n"
		rest  = "-- behaviors/rest.json --\n" + `{"behaviorClass": "Wait", "behaviorID": "Rest"}` + "\n"
		queue = "-- behaviors/base.json --\n" + `{"behaviorClass": "DispatcherQueue", "behaviorID": "Base", "behaviors": ["Nap", "Rest"]}` + "\n"
	)
	refused = []string{
		boot + rest + queue + "-- behaviors/nap.json --\n",
		boot + rest + queue + "-- behaviors/nap.json --\n{}\n",
		boot + rest + queue,
		"-- behavior_config.json --\n" + rest,
		"-- behavior_config.json --\n{}\n" + rest,
		boot + rest + "-- mood_config.json --\n" + "-- behaviors/base.json --\n" +
			`{"behaviorClass": "AnimSequence", "behaviorID": "Base", "animNames": ["look_curious"], "emotionEventOnActivated": "Joy"}` + "\n",
	}
	return refused, []string{
		shippedArchive(f),
		boot + rest + "-- mood_config.json --\n{}\n-- emotionevents/joy.json --\n" + `{"name": "Joy", "emotionAffectors": [{"emotionType": "Happy", "value": 0.3}]}` + "\n" +
			"-- behaviors/base.json --\n" + `{"behaviorClass": "DispatcherScoring", "behaviorID": "Base", "interruptActiveBehavior": true, "emotionEventOnActivated": "Joy",
  "behaviors": [{"behaviorID": "Rest", "scoring": {"flatScore": 0.4}}]}` + "\n",
		boot + rest + "-- behaviors/base.json --\n" + `{"behaviorClass": "DispatcherRandom", "behaviorID": "Base", "behaviors": [{"behavior": "Own", "weight": 1, "cooldown_s": 1}],
  "anonymousBehaviors": [{"behaviorClass": "DispatcherPassThrough", "behaviorName": "Own", "delegateID": "Deep",
    "anonymousBehaviors": [{"behaviorClass": "Wait", "behaviorName": "Deep", "respondToUserIntents": [{"type": "hello"}]}]}]}` + "\n",
		boot + rest + "-- behaviors/base.json --\n" + `{"behaviorClass": "StateMachine", "behaviorID": "Base", "initialState": "A",
  "states": [{"name": "A", "behavior": "Rest"}, {"name": "B", "cancelSelf": true}], "stateTimerConditions": [{"name": "late", "begin_s": 0.1}],
  "transitionDefinitions": [{"from": "A", "interruptingTransitions": [{"to": "B", "condition": {"customCondition": "late"}}]}],
  "resumeReplacements": {"B": "A"}}` + "\n",
		boot + rest + "-- behaviors/base.json --\n" + `{"behaviorClass": "DispatcherStrictPriorityWithCooldown", "behaviorID": "Base", "interruptActiveBehavior": true, "linkScope": true,
  "behaviors": [{"behavior": "Again", "cooldown_s": -1}, {"behavior": "Rest", "cooldown_s": 0}]}` + "\n-- behaviors/again.json --\n" +
			`{"behaviorClass": "DispatcherRerun", "behaviorID": "Again", "delegateID": "Rest", "numRuns": 2}` + "\n",
	}
}

// shippedArchive is the shipped tree as an archive.
func shippedArchive(f *testing.F) string {
	f.Helper()
	var archive strings.Builder
	err := fs.WalkDir(resources.Embedded(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".json" {
			return err
		}
		src, err := fs.ReadFile(resources.Embedded(), name)
		archive.WriteString("-- " + name + " --\n" + string(src))
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	return archive.String()
}
