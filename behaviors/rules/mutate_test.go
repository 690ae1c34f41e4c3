//go:build mutate

package rules_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/rules"
)

var only = flag.String("mutation", "", "run only mutations whose rule and text match this `pattern`")

// Every mutation makes the named test of its rule fail. It must compile, so that it is the test and not the compiler that finds it.
func TestMutations(t *testing.T) {
	pattern := regexp.MustCompile(*only)
	slots := make(chan struct{}, max(1, runtime.NumCPU()))
	for list, all := range mutations(t) {
		for _, m := range all {
			name := m.Rule + ": " + m.What
			if !pattern.MatchString(name) {
				continue
			}
			t.Run(filepath.Base(list)+"/"+name, func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				defer tell(t, m)
				mutate(t, m)
			})
		}
	}
}

// tell writes the line that `make mutate` shows.
func tell(t *testing.T, m rules.Mutation) {
	found := "found"
	if t.Failed() {
		found = "NOT FOUND"
	}
	fmt.Printf("%-9s %-5s %-75s %s\n", found, m.Rule, m.What, m.Test)
}

func mutate(t *testing.T, m rules.Mutation) {
	source, err := filepath.Abs(filepath.Join(root, m.File))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := m.Apply(string(text))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mutated := filepath.Join(dir, filepath.Base(m.File))
	overlay := filepath.Join(dir, "overlay.json")
	plan, err := json.Marshal(map[string]map[string]string{"Replace": {source: mutated}})
	if err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]string{mutated: wrong, overlay: string(plan)} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parts := strings.Split(m.Test.Name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	cmd := exec.Command("go", "test", "-overlay", overlay, "-count=1", "-timeout", "120s", "-run", strings.Join(parts, "/"), "./"+m.Test.Dir)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	switch text := string(out); {
	case err == nil && strings.Contains(text, "no tests to run"):
		t.Errorf("%s does not exist", m.Test)
	case err == nil:
		t.Errorf("%s passes although %s", m.Test, m.What)
	case strings.Contains(text, "[build failed]"), strings.Contains(text, "[setup failed]"):
		t.Errorf("the mutation does not compile:\n%s", text)
	case !strings.Contains(text, "--- FAIL: "+m.Test.Top()) && !strings.Contains(text, "panic:"):
		t.Errorf("something else failed:\n%s", text)
	}
}
