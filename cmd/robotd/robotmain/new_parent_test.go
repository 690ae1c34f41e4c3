package robotmain

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// family is a resource folder with a parent in its own layout.
func family(t *testing.T, parent string) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../../resources")); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "behaviors", "Par.json")
	if err := os.WriteFile(file, []byte(parent), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

func TestNewBehaviorJoinsTheListOfItsParent(t *testing.T) {
	const queue = "// Mine.\n{ \"behaviorClass\": \"DispatcherQueue\", \"behaviorID\": \"Par\",\n  \"behaviors\": [\n    \"Explore\", // first\n    \"GreetFace\" // then\n  ] }\n"
	dir, file := family(t, queue)
	code, out, diag := command(t, "new", "Wait", "Nap", dir, "--parent", "Par")
	if code != 0 || !strings.Contains(out, "Par.json: Nap is the last in the list of Par\n") {
		t.Fatalf("new ends with %d: %s%s", code, out, diag)
	}
	want := strings.Replace(queue, "\"GreetFace\" // then\n", "\"GreetFace\", // then\n    \"Nap\"\n", 1)
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

func TestNewBehaviorStandsBeforeOneThatAlwaysWants(t *testing.T) {
	dir, file := family(t, `{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Par", "interruptActiveBehavior": false, "behaviors": ["GreetFace", "Wait"]}`)
	code, out, diag := command(t, "new", "GreetFace", "Hail", dir, "--parent", "Par")
	if text, err := os.ReadFile(file); code != 0 || err != nil || !strings.Contains(string(text), `["GreetFace", "Hail", "Wait"]`) || !strings.Contains(out, "before Wait") {
		t.Errorf("new ends with %d: %s%s\n%s", code, out, diag, text)
	}
}

func TestParentThatNamesTheNewOneAlreadyStays(t *testing.T) {
	const text = `{"behaviorClass": "DispatcherQueue", "behaviorID": "Par", "behaviors": ["Nap", "Explore"]}`
	dir, file := family(t, text)
	code, out, diag := command(t, "new", "Wait", "Nap", dir, "--parent", "Par")
	if got, err := os.ReadFile(file); code != 0 || err != nil || string(got) != text || !strings.Contains(out, "names Nap already") {
		t.Errorf("new ends with %d: %s%s\n%s", code, out, diag, got)
	}
}

func TestParentWithoutAListOfNamesIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"behaviorClass": "Wait", "behaviorID": "Par"}`:                                `the class Wait of the parent "Par" has no list of behaviors`,
		`{"behaviorClass": "DispatcherRandom", "behaviorID": "Par", "behaviors": []}`:   "lists behaviors with more than their names (behavior, cooldown_s, weight)",
		`{"behaviorClass": "DispatcherQueue", "behaviorID": "Par"}`:                     `has no "behaviors" yet`,
		`{"behaviorClass": "DispatcherQueue", "behaviorID": "Par", "behaviors": "One"}`: `"behaviors" is no list`,
		`{"behaviorClass": "Foreign", "behaviorID": "Par", "behaviors": []}`:            `the class "Foreign" of the parent "Par" is not known`,
		`{"behaviorClass": "DispatcherQueue", "behaviorID": "Part", "behaviors": []}`:   `did you mean "Part"?`,
	} {
		dir, _ := family(t, text)
		before := contents(t, dir)
		code, out, diag := command(t, "new", "Wait", "Nap", dir, "--parent", "Par")
		if code != 2 || out != "" || !strings.Contains(diag, want) {
			t.Errorf("%s\nends with %d: %s%s\nwant %s", text, code, out, diag, want)
		}
		if !maps.Equal(before, contents(t, dir)) {
			t.Errorf("%s: the folder changed", text)
		}
	}
}

func TestBuiltInParentIsReplacedInALayer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "own")
	if code, _, diag := command(t, "init", dir, "--layer"); code != 0 {
		t.Fatal(diag)
	}
	if code, _, diag := command(t, "new", "GreetFace", "Hail", dir, "--parent", "ModeSelector"); code != 0 {
		t.Fatal(diag)
	}
	text, err := os.ReadFile(filepath.Join(dir, "behaviors", "base", "ModeSelector.json"))
	if err != nil || !strings.Contains(string(text), `"Hail"`) {
		t.Errorf("%v\n%s", err, text)
	}
	if code, out, diag := command(t, "check", dir); code != 0 || !strings.Contains(out, "0 errors, 0 warnings") {
		t.Errorf("check ends with %d: %s%s", code, out, diag)
	}
}
