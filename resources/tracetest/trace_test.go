package tracetest_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/resources/tracetest"
)

const sample = `# What the file is about.

# About the first case.
case L-1 M-2: The first,
  which needs two lines.
tree
  R -> A
----
ok

# The second block.
event poked
tick
  R.Update: ask A
# Shows it.
stack
----
R.Update
  ! ask A: no

case L-2: Another.
tick
----
ok

# The end.
`

// echo returns a command and its input; "refuse" fails, and "quiet" is silent.
func echo(c *tracetest.Command) ([]string, error) {
	switch c.Verb() {
	case "refuse":
		return nil, errors.New("it may not be")
	case "quiet":
		return nil, nil
	}
	lines := []string{c.Verb() + " " + strings.Join(c.Args(), ",")}
	for _, in := range c.Input {
		lines = append(lines, "  "+in.Text)
	}
	return lines, nil
}

func TestFileIsWrittenAsItWasRead(t *testing.T) {
	f, err := tracetest.Parse("a.txt", sample)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.String(); got != sample {
		t.Errorf("written:\n%s", got)
	}
	if len(f.Cases) != 2 || f.Cases[0].Name() != "L-1 M-2" || f.Cases[1].Name() != "L-2" || len(f.Cases[0].Blocks) != 2 {
		t.Fatalf("cases %+v", f.Cases)
	}
	tick := f.Cases[0].Blocks[1].Commands[1]
	if tick.Verb() != "tick" || tick.No != 13 || tick.Input[0].Text != "R.Update: ask A" || tick.Input[0].No != 14 {
		t.Errorf("%+v", tick)
	}
}

// A title without a colon, input that stands elsewhere, and more empty lines are no trouble; the file is written in its one form.
func TestOtherFormsAreWrittenInTheOneForm(t *testing.T) {
	f, err := tracetest.Parse("a.txt", "\n\ncase one\n\ntick 2   \n\t R.Update: fail\n----\nok\n\n\ncase two\ntick\n----\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.String(), "case one\ntick 2\n  R.Update: fail\n----\nok\n\ncase two\ntick\n----\n"; got != want {
		t.Errorf("written:\n%q\nwant\n%q", got, want)
	}
}

func TestMistakesNameFileAndLine(t *testing.T) {
	for text, want := range map[string]string{
		"tick\n----\nok\n":                   `a.txt:1: "tick" before the first case; want: case RULES: what it shows`,
		"case\n":                             `a.txt:1: a case without a title; want: case RULES: what it shows`,
		"case x: y\ntick\n\n":                `a.txt:3: the block of "tick", line 2, ends without ----`,
		"case x: y\ntick\n":                  `a.txt:2: the block of "tick", line 2, ends without ----`,
		"case x: y\n----\n":                  `a.txt:2: ---- without a command before it`,
		"case x: y\ntick\ncase z: y\n":       `a.txt:3: "case z: y" inside a block; an empty line ends a block`,
		"case x: y\n\n  R -> A\n":            `a.txt:3: the indented line "R -> A" belongs to no command`,
		"# note\n  R -> A\n":                 `a.txt:2: the indented line "R -> A" belongs to no command`,
		"case x: y\ntick\n----\nok\n\n  A\n": `a.txt:6: the indented line "A" belongs to no command`,
	} {
		if _, err := tracetest.Parse("a.txt", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

func TestCaseFailsWithItsShortestPrefix(t *testing.T) {
	const text = "case x: y\ntick 1\n----\ntick 1\n\ntick 2\n----\ntick 3\n\ntick 4\n----\ntick 4\n"
	f, err := tracetest.Parse("a.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	const want = "shortest prefix that fails, from a.txt:1:\ncase x: y\ntick 1\n----\ntick 1\n\ntick 2\n----\ntick 3\n\ngot:\ntick 2"
	if err := f.Cases[0].Run(echo, false); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// Nothing passes by being left out: a block expects something, if only "ok".
func TestEveryBlockExpectsSomething(t *testing.T) {
	for text, fails := range map[string]bool{
		"case x: y\nquiet\n----\nok\n": false, "case x: y\nquiet\n----\n": true, "case x: y\ntick\n----\nok\n": true,
		"case x: y\ntick\n----\ntick \n": false, "case x: y\ntick\n----\ntick \ntick \n": true, "case x: y\ntick\ntick\n----\ntick \n": true,
	} {
		f, err := tracetest.Parse("a.txt", text)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Cases[0].Run(echo, false); (err != nil) != fails {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestEnvironmentsMistakesNameFileAndLine(t *testing.T) {
	f, err := tracetest.Parse("a.txt", "case x: y\ntick\n  R.Updat: fail\nrefuse me\n----\nok\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Cases[0].Run(echo, false); err == nil || err.Error() != "a.txt:4: refuse me: it may not be" {
		t.Errorf("%v", err)
	}
	err = f.Cases[0].Run(func(c *tracetest.Command) ([]string, error) {
		return nil, tracetest.Common(nil).Parse(c.Input[0], tracetest.Scripts{})
	}, false)
	if err == nil || !strings.HasPrefix(err.Error(), `a.txt:3: script "R.Updat: fail": unknown hook "Updat"; want one of Init, OnEnteredActivatableScope,`) {
		t.Errorf("%v", err)
	}
}

func TestRewriteWritesWhatCameOut(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "one.txt")
	const text, want = "# A\n\ncase x: y\ntick 1\n----\nold\n\nquiet\n----\n", "# A\n\ncase x: y\ntick 1\n----\ntick 1\n\nquiet\n----\nok\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, rewrite := range []bool{true, false} {
		tracetest.RunAll(t, dir, func(t *testing.T, file string) {
			tracetest.Run(t, file, func(t testing.TB) tracetest.Environment {
				names = append(names, path.Base(t.Name()))
				return echo
			}, rewrite)
		})
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("written:\n%s\n%v", got, err)
	}
	if !slices.Equal(names, []string{"x", "x"}) {
		t.Errorf("cases %q", names)
	}
}
