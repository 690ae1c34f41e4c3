package robotmain

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// A slip is one word of a shipped file that is misspelt.
type slip struct {
	file, word string
	key        bool   // it is a key
	under      string // the key that it stands under, if it is a value
	src        string // of the file
	line, col  int
}

// freeText are the keys whose texts mean nothing to the robot, and declared those whose words other files refer to: a slip in one of
// these is told where the word is used.
var (
	freeText = []string{"doing", "greeting", "say"}
	declared = []string{"name", "userIntents", "timers", "features", "behaviorStats"}
)

// TestEachMisspeltWordOfAShippedFileIsOneFindingThatNamesIt misspells every key, and every word that is a choice or a name, of every shipped
// file, one at a time.
// Rules: data/1.11c, data/1.11d, data/1.11j.
func TestEachMisspeltWordOfAShippedFileIsOneFindingThatNamesIt(t *testing.T) {
	tree := shipped(t)
	reg := library.Registry()
	keys, words := 0, 0
	for _, s := range slips(tree) {
		mutant := fstest.MapFS{}
		for name, f := range tree {
			mutant[name] = f
		}
		mutant[s.file] = &fstest.MapFile{Data: []byte(s.src)}
		_, diags := setup.Tree{FS: mutant}.Catalog(reg)
		if s.key {
			keys++
		} else {
			words++
		}
		if slices.Contains(declared, s.under) {
			if len(diags) == 0 && s.under != "name" {
				continue // nothing uses the word
			}
			if !diags.HasErrors() || !strings.Contains(diags.String(), short(s.word)) {
				t.Errorf("%s:%d:%d: %s, which others name:\n%s", s.file, s.line, s.col, s.word, diags)
			}
			continue
		}
		if len(diags) != 1 || diags[0].File != s.file || diags[0].Pos() != (resources.Pos{Line: s.line, Col: s.col}) ||
			!strings.Contains(diags[0].Message+diags[0].Hint, s.word) {
			t.Errorf("%s:%d:%d: %s without a letter:\n%s", s.file, s.line, s.col, s.word, diags)
		}
	}
	if keys < 200 || words < 100 {
		t.Errorf("%d keys and %d words", keys, words)
	}
	t.Logf("%d keys and %d words, each misspelt once", keys, words)
}

// shipped is the built-in tree in memory.
func shipped(t *testing.T) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	err := fs.WalkDir(resources.Embedded(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".json") {
			return err
		}
		data, err := fs.ReadFile(resources.Embedded(), name)
		tree[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

var quoted = regexp.MustCompile(`"([A-Za-z][A-Za-z0-9_]{3,})"(\s*:)?`)

// slips misspells each word of the behavior files, the boot configuration and the mood data.
func slips(tree fstest.MapFS) (out []slip) {
	for _, name := range slices.Sorted(keysOf(tree)) {
		if !strings.HasPrefix(name, "behaviors/") && name != catalog.BootFile && name != catalog.MoodFile && !strings.HasPrefix(name, catalog.EmotionsDir) {
			continue
		}
		lines := strings.Split(string(tree[name].Data), "\n")
		under := ""
		for i, line := range lines {
			code, _, _ := strings.Cut(line, "//")
			for _, at := range quoted.FindAllStringSubmatchIndex(code, -1) {
				word, isKey := code[at[2]:at[3]], at[4] >= 0
				s := slip{file: name, word: word, key: isKey, under: under, line: i + 1, col: at[0] + 1}
				if isKey {
					under, s.under = word, ""
				} else if slices.Contains(freeText, under) {
					continue
				}
				lines[i] = line[:at[2]] + short(word) + line[at[3]:]
				s.src = strings.Join(lines, "\n")
				lines[i] = line
				out = append(out, s)
			}
		}
	}
	return out
}

// short is a word without the letter in its middle.
func short(word string) string { return word[:len(word)/2] + word[len(word)/2+1:] }

func keysOf(tree fstest.MapFS) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for name := range tree {
			if !yield(name) {
				return
			}
		}
	}
}
