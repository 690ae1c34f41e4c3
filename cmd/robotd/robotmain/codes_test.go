package robotmain

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codeSources are the folders whose code reports findings about files.
var codeSources = []string{
	"resources", "behaviors", "behaviors/catalog", "behaviors/condition", "behaviors/dispatch", "behaviors/library/*", "actions/express",
	"cmd/robotd/internal/setup",
}

// elsewhere are the codes that no folder of files can show, with the test that shows them, and notACode words of the same look.
var (
	elsewhere = map[string]string{
		"key-missing":    "behaviors/library/voice: a warning of ReactToVoiceCommand",
		"reason-unknown": "behaviors/library/sleep: a reason of SleepCycle that is none",
		"no-behavior":    "behaviors/catalog: a note of a lenient load",
		"file-limit":     "resources: TestTooManyFilesAreReported",
		"dir-missing":    "resources: a folder without behaviors is no resource folder (Open)",
		"class-panic":    "behaviors/catalog/testdata/class-panics.txt: no shipped constructor panics",
		"event-unknown":  "behaviors/catalog/testdata/event-unknown.txt: only the code of a class can name an event",
	}
	notACode = []string{"built-in", "class-missing", "hook-budget", "id-missing", "re-run", "stand-in"}
)

var codeLike = regexp.MustCompile(`"([a-z]+(?:-[a-z]+)+)"`)

// TestEveryCodeOfAFindingIsShownByAMistake reads the codes from the sources, so that a new one needs a mistake that shows it.
// Rules: data/1.11a.
func TestEveryCodeOfAFindingIsShownByAMistake(t *testing.T) {
	shown := ""
	files, err := filepath.Glob(filepath.Join(mistakes, "[a-z]*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		shown += readArchive(t, file).want
	}
	codes := codesOf(t)
	if len(codes) < 30 {
		t.Fatalf("only %v", codes)
	}
	for _, code := range codes {
		if _, other := elsewhere[code]; !other && !strings.Contains(shown, "["+code+"]") && !slices.Contains(notACode, code) {
			t.Errorf("no mistake shows %s", code)
		}
	}
}

// codesOf lists what looks like a code in the sources.
func codesOf(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	for _, dir := range codeSources {
		files, err := filepath.Glob(filepath.Join("../../..", filepath.FromSlash(dir), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.Split(string(src), "\n") {
				if strings.HasPrefix(strings.TrimSpace(line), "//") {
					continue
				}
				for _, m := range codeLike.FindAllStringSubmatch(line, -1) {
					found[m[1]] = true
				}
			}
		}
	}
	var codes []string
	for c := range found {
		codes = append(codes, c)
	}
	slices.Sort(codes)
	return codes
}
