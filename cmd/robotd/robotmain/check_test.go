package robotmain

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckOfManyMistakesPrintsAThousandAndTheirNumber(t *testing.T) {
	const mistakes = 80_000
	dir := t.TempDir()
	names := make([]string, mistakes)
	for i := range names {
		names[i] = fmt.Sprintf(`"D%d"`, i)
	}
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("behavior_config.json", `{"normalBaseBehavior": "Base", "fallbackBehavior": "Base", "userIntents": []}`)
	write("behaviors/Base.json", `{"behaviorClass": "DispatcherQueue", "behaviorID": "Base", "behaviors": [`+strings.Join(names, ",")+`]}`)
	var stdout, stderr bytes.Buffer
	if code := execute(t.Context(), Options{}, []string{"check", dir}, &stdout, &stderr); code != exitFindings {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if len(lines) != 1002 {
		t.Errorf("%d lines", len(lines))
	}
	if want := "error: 79000 more errors are not shown; the limit is 1000 findings"; lines[0] != want {
		t.Errorf("begins with %q, want %q", lines[0], want)
	}
	if want := "nothing was loaded; 80000 errors, 0 warnings"; lines[len(lines)-1] != want {
		t.Errorf("ends with %q, want %q", lines[len(lines)-1], want)
	}
}
