package rules

import (
	"fmt"
	"slices"
	"strings"
)

// A Mutation is one mistake in the code and the test that must find it.
type Mutation struct {
	Rule string
	What string
	File string // relative to the module
	Test Test
	Old  string // occurs exactly once in the file
	New  string
	Line int // where it stands in its list
}

// ParseMutations reads one file of mutations.
func ParseMutations(text string) ([]Mutation, error) {
	var all []Mutation
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		head, ok := strings.CutPrefix(lines[i], "== ")
		if !ok {
			if s := strings.TrimSpace(lines[i]); s != "" && !strings.HasPrefix(s, "#") {
				return nil, fmt.Errorf("line %d: want == RULE: WHAT, found %q", i+1, lines[i])
			}
			continue
		}
		m := Mutation{Line: i + 1}
		if m.Rule, m.What, ok = strings.Cut(head, ": "); !ok {
			return nil, fmt.Errorf("line %d: want == RULE: WHAT", i+1)
		}
		var err error
		if i, err = m.read(lines, i+1); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// read reads what follows the heading, and returns the index of the last line of the mutation.
func (m *Mutation) read(lines []string, i int) (int, error) {
	var into *string
	for ; i < len(lines); i++ {
		line := lines[i]
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "<<<<":
			into = &m.Old
		case line == ">>>>":
			into = &m.New
		case line == "====":
			if m.File == "" || m.Test.Name == "" || strings.TrimSpace(m.Old) == "" || m.Old == m.New {
				return i, fmt.Errorf("line %d: file, test, or a difference is missing", m.Line)
			}
			return i, nil
		case into != nil:
			*into += line + "\n"
		case word == "file":
			m.File = rest
		case word == "test":
			var err error
			if m.Test, err = ParseTest(rest); err != nil {
				return i, fmt.Errorf("line %d: %w", i+1, err)
			}
		default:
			return i, fmt.Errorf("line %d: want file, test, <<<<, >>>> or ====, found %q", i+1, line)
		}
	}
	return i, fmt.Errorf("line %d: the mutation has no end", m.Line)
}

// Apply returns the source with the mistake in it. Comments at the end of lines are not compared: they may be worded anew.
func (m *Mutation) Apply(source string) (string, error) {
	lines, bare := strings.SplitAfter(source, "\n"), withoutComments(source)
	old := withoutComments(strings.TrimSuffix(m.Old, "\n"))
	at, n := 0, 0
	for i := 0; i+len(old) <= len(bare); i++ {
		if slices.Equal(bare[i:i+len(old)], old) {
			at, n = i, n+1
		}
	}
	if n != 1 {
		return "", fmt.Errorf("line %d: the lines to replace occur %d times in %s, want once", m.Line, n, m.File)
	}
	return strings.Join(lines[:at], "") + m.New + strings.Join(lines[at+len(old):], ""), nil
}

// withoutComments are the lines of a text without the comments that follow code.
func withoutComments(text string) []string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if code, _, ok := strings.Cut(l, " // "); ok && strings.TrimSpace(code) != "" {
			lines[i] = code
		}
	}
	return lines
}
