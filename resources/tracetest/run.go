package tracetest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An Environment carries out one command and returns the lines that came of it. An error ends the case.
type Environment func(c *Command) ([]string, error)

// RunAll runs every *.txt file of a directory as a subtest of its own.
func RunAll(t *testing.T, dir string, run func(t *testing.T, path string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { run(t, file) })
	}
}

// Run runs every case of a file as a subtest, each in an environment of its own. With rewrite, expectations are replaced by what
// came out.
func Run(t *testing.T, path string, begin func(t testing.TB) Environment, rewrite bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse(path, string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Cases {
		t.Run(c.Name(), func(t *testing.T) {
			if err := c.Run(begin(t), rewrite); err != nil {
				t.Fatal(err)
			}
		})
	}
	if rewrite && !t.Failed() {
		if err := os.WriteFile(path, []byte(f.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Run runs the case. The error holds the shortest prefix that fails. With rewrite, it writes what came out into the case.
func (c *Case) Run(do Environment, rewrite bool) error {
	for i, b := range c.Blocks {
		got, err := b.run(do)
		if err != nil {
			return err
		}
		if rewrite {
			b.Want = got
		}
		if !slices.Equal(got, b.Want) {
			return fmt.Errorf("shortest prefix that fails, from %s:%d:\n%s\ngot:\n%s", c.File, c.No, c.prefix(i+1), strings.Join(got, "\n"))
		}
	}
	return nil
}

// run returns what comes of the commands of a block.
func (b *Block) run(do Environment) ([]string, error) {
	var got []string
	for _, c := range b.Commands {
		lines, err := do(c)
		if placed := (*Error)(nil); err != nil && !errors.As(err, &placed) {
			err = c.Errorf("%s: %v", c.Text, err)
		}
		if err != nil {
			return nil, err
		}
		got = append(got, lines...)
	}
	if len(got) == 0 {
		got = []string{"ok"}
	}
	return got, nil
}

// Unknown is the error of a command that an environment does not know; it knows those of the list.
func Unknown(known ...string) error {
	return fmt.Errorf("unknown command; want one of %s", strings.Join(known, ", "))
}
