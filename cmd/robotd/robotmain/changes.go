package robotmain

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// changes are files that a command wrote, and what they held before.
type changes struct{ done []change }

type change struct {
	name string
	old  []byte // nil: there was no file
}

// write writes a file and makes its folder if need be. Only with force it overwrites one.
func (c *changes) write(name, text string, force bool) error {
	old, err := os.ReadFile(name)
	switch {
	case err == nil && !force:
		return usage("%s exists; --force overwrites it", name)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err == nil && old == nil {
		old = []byte{}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := put(name, text); err != nil {
		return err
	}
	c.done = append(c.done, change{name, old})
	return nil
}

// undo takes everything back; folders stay.
func (c *changes) undo() error {
	var all []error
	for i := len(c.done) - 1; i >= 0; i-- {
		if d := c.done[i]; d.old == nil {
			all = append(all, os.Remove(d.name))
		} else {
			all = append(all, put(d.name, string(d.old)))
		}
	}
	c.done = nil
	return errors.Join(all...)
}

// put leaves the file as it was unless all of the text fits on the disk.
func put(name, text string) error {
	return writeWhole(name, 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// names are the files that were written, in order, each once.
func (c *changes) names() []string {
	var out []string
	seen := map[string]bool{}
	for _, d := range c.done {
		if !seen[d.name] {
			seen[d.name] = true
			out = append(out, d.name)
		}
	}
	return out
}
