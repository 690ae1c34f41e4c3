package robotmain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/resources"
)

func (p *program) newFmt() *cobra.Command {
	var f formatting
	c := &cobra.Command{
		Use:   "fmt FILE|DIR ...",
		Short: "Lay out behavior files and their relatives",
		Long: `Fmt writes the JSON files of resource folders, or single files, in one layout: two spaces a level, class and name first, then what every class
has, then what its own class has. Comments stay with what they are about, and the meaning never changes. It prints the names of files that it
changed; - formats standard input to standard output. A file with mistakes is left alone and told, with exit code 3.`,
		Example: "  robotd fmt my-robot\n  robotd fmt --check my-robot\n  robotd fmt - < Yawn.json",
		Args:    want(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			f.out, f.errs, f.arrange = c.OutOrStdout(), c.ErrOrStderr(), reference.Of(p.classes).Arrange()
			return f.run(args, c.InOrStdin())
		},
	}
	c.Flags().BoolVar(&f.check, "check", false, "change nothing, name the files that would change, and exit with 3 if there are any")
	c.Flags().BoolVar(&f.diff, "diff", false, "change nothing, print what would change, and exit with 3 if anything would")
	return c
}

// formatting is one run of fmt.
type formatting struct {
	check, diff bool
	out, errs   io.Writer
	arrange     resources.Arrange
	found       bool // mistakes, or with check and diff a file that would change
}

func (f *formatting) run(args []string, stdin io.Reader) error {
	for _, arg := range args {
		if err := f.each(arg, stdin); err != nil {
			return err
		}
	}
	if f.found {
		return findings()
	}
	return nil
}

// each formats what an argument names.
func (f *formatting) each(arg string, stdin io.Reader) error {
	if arg == "-" {
		src, err := io.ReadAll(io.LimitReader(stdin, resources.MaxFileBytes+1))
		if err != nil {
			return err
		}
		return f.one("-", src)
	}
	info, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usage("there is no file or directory %q", arg)
	case err != nil:
		return err
	case !info.IsDir():
		return f.file(arg)
	}
	return f.folder(arg)
}

// folder formats the files of a resource folder that a robot lives with, and of any other folder all JSON files.
func (f *formatting) folder(dir string) error {
	n := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := name != dir && strings.HasPrefix(d.Name(), ".")
		switch rel, _ := filepath.Rel(dir, name); {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden || path.Ext(name) != ".json" || !d.Type().IsRegular() || !resources.OfRobot(filepath.ToSlash(rel)):
			return nil
		}
		n++
		return f.file(name)
	})
	if err == nil && n == 0 {
		return usage("no *.json file in directory %q", dir)
	}
	return err
}

func (f *formatting) file(name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return f.one(name, src)
}

// one formats a file, or says what is wrong with it.
func (f *formatting) one(name string, src []byte) error {
	text, diags, err := resources.Format(name, src, f.arrange)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if text == nil {
		if !diags.HasErrors() {
			text = src // it holds nothing
		} else {
			f.found = true
			if name == "-" && !f.check && !f.diff { // where the text would be, nothing is
				_, err := fmt.Fprintf(f.errs, "%v\n", diags)
				return err
			}
			return f.put("%v\n", diags)
		}
	}
	same := bytes.Equal(text, src)
	switch {
	case f.diff:
		f.found = f.found || !same
		return f.put("%s", udiff.Unified(name, name, string(src), string(text)))
	case f.check:
		f.found = f.found || !same
	case name == "-":
		return f.put("%s", text)
	case !same:
		err := writeWhole(name, 0o644, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
		if err != nil {
			return err
		}
	}
	if same {
		return nil
	}
	return f.put("%s\n", name)
}

func (f *formatting) put(format string, args ...any) error {
	_, err := fmt.Fprintf(f.out, format, args...)
	return err
}
