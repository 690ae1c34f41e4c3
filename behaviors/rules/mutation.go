package rules

import (
	"fmt"
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

// Apply returns the source with the mistake in it.
func (m *Mutation) Apply(source string) (string, error) {
	if n := strings.Count(source, m.Old); n != 1 {
		return "", fmt.Errorf("line %d: the lines to replace occur %d times in %s, want once", m.Line, n, m.File)
	}
	return strings.Replace(source, m.Old, m.New, 1), nil
}
