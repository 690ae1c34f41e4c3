package resources_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotd/robotd/resources"
)

// A mutant is the sample file with one mistake.
type mutant struct {
	name string
	src  string
	line int    // where an error must be reported; 0 = anywhere
	hint string // what one of the hints must contain
}

// TestMutantsOfAGoodFileAreAllCaught makes every simple mistake at every place of the sample file, at least 200
// in all, and demands an error on the line of the mistake, with the right word where there is one.
// Rules: DT-F07, data/1.3d, data/1.5a, data/1.11c, data/1.11d.
func TestMutantsOfAGoodFileAreAllCaught(t *testing.T) {
	lines := strings.Split(sampleFile, "\n")
	var mutants []mutant
	for i := range lines {
		mutants = append(mutants, keyMutants(lines, i)...)
		mutants = append(mutants, syntaxMutants(lines, i)...)
	}
	if len(mutants) < 200 {
		t.Fatalf("only %d mutants", len(mutants))
	}
	for _, m := range mutants {
		_, diags := checkSample("f.json", []byte(m.src))
		if !caught(diags, m) {
			t.Errorf("%s: want an error on line %d with hint %q, got:\n%s", m.name, m.line, m.hint, diags)
		}
	}
	t.Logf("%d mutants", len(mutants))
}

func caught(diags resources.Diagnostics, m mutant) bool {
	atLine, hinted := m.line == 0, m.hint == ""
	for _, d := range diags {
		atLine = atLine || d.Severity == resources.Error && d.Line == m.line
		hinted = hinted || strings.Contains(d.Hint, m.hint)
	}
	return diags.HasErrors() && atLine && hinted
}

func withLine(lines []string, i int, text string) string {
	out := append([]string(nil), lines...)
	out[i] = text
	return strings.Join(out, "\n")
}

// keyMutants misspells the key at the start of a line, doubles it and gives it a wrong value.
func keyMutants(lines []string, i int) []mutant {
	key, value, ok := strings.Cut(strings.TrimSpace(lines[i]), ":")
	if !ok || !strings.HasPrefix(key, `"`) {
		return nil
	}
	key = strings.Trim(key, `"`)
	mid := len(key) / 2
	wrong := map[string]string{
		"left out": key[:mid] + key[mid+1:],
		"doubled":  key[:mid] + key[mid:mid+1] + key[mid:],
		"replaced": key[:mid] + "q" + key[mid+1:],
		"swapped":  key[:mid-1] + key[mid:mid+1] + key[mid-1:mid] + key[mid+1:],
		"cased":    strings.ToUpper(key[:1]) + strings.ToUpper(key[1:]),
	}
	var out []mutant
	for _, how := range []string{"left out", "doubled", "replaced", "swapped", "cased"} {
		if wrong[how] == key { // two equal neighbors swapped
			continue
		}
		out = append(out, mutant{
			name: fmt.Sprintf("%s: %s", key, how), line: i + 1, hint: `did you mean "` + key + `"?`,
			src: withLine(lines, i, strings.Replace(lines[i], key, wrong[how], 1)),
		})
	}
	if end := strings.LastIndex(value, ","); end > 0 && !strings.ContainsAny(value, "[{") {
		for _, v := range []string{"null", "{}", "[[]]"} {
			out = append(out, mutant{
				name: key + ": value " + v, line: i + 1,
				src: withLine(lines, i, fmt.Sprintf("  %q: %s,", key, v)),
			})
		}
		out = append(out, mutant{
			name: key + ": twice", line: i + 2, hint: fmt.Sprintf("at %d:", i+1),
			src: withLine(lines, i, lines[i]+"\n"+lines[i]),
		})
	}
	return out
}

// syntaxMutants removes one character that holds the file together.
func syntaxMutants(lines []string, i int) []mutant {
	text, _, _ := strings.Cut(lines[i], " //")
	if strings.Contains(text, "//") || strings.Contains(text, "/*") {
		return nil
	}
	var out []mutant
	for _, c := range []string{",", ":", `"`, "{", "[", "}", "]"} {
		at := strings.Index(text, c)
		if at < 0 {
			continue
		}
		out = append(out, mutant{
			name: fmt.Sprintf("line %d without %s", i+1, c),
			src:  withLine(lines, i, text[:at]+text[at+1:]),
		})
	}
	return out
}
