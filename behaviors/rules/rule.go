package rules

import (
	"fmt"
	"strings"
)

// A Rule is one line of rules.txt.
type Rule struct {
	ID string
	// Tests show the rule; empty if None says why there is nothing to show.
	Tests []Test
	None  string
	Line  int
}

// A Test names one test: the directory of its package, relative to the module, and its name with subtests.
type Test struct{ Dir, Name string }

func (t Test) String() string { return t.Dir + " " + t.Name }

// Top is the name of the test function.
func (t Test) Top() string {
	top, _, _ := strings.Cut(t.Name, "/")
	return top
}

// ParseTest reads "dir TestName/sub".
func ParseTest(text string) (Test, error) {
	dir, name, ok := strings.Cut(strings.TrimSpace(text), " ")
	if !ok || !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") {
		return Test{}, fmt.Errorf("want a directory and a test, found %q", text)
	}
	return Test{dir, name}, nil
}

// ParseRules reads rules.txt. Lines that begin with # are comments.
func ParseRules(text string) ([]Rule, error) {
	var all []Rule
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, rest, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("line %d: want RULE: DIR TEST; …", i+1)
		}
		r := Rule{ID: id, Line: i + 1}
		if why, none := strings.CutPrefix(rest, "none: "); none {
			r.None = why
			all = append(all, r)
			continue
		}
		for _, part := range strings.Split(rest, ";") {
			t, err := ParseTest(part)
			if err != nil {
				return nil, fmt.Errorf("line %d: %s: %w", i+1, id, err)
			}
			r.Tests = append(r.Tests, t)
		}
		all = append(all, r)
	}
	return all, nil
}
