package robotmain

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/top"
	"github.com/robotd/robotd/resources"
)

func (p *program) newNew() *cobra.Command {
	var in string
	var force bool
	c := &cobra.Command{
		Use:   "new CLASS ID DIR",
		Short: "Write the file of a new behavior",
		Long: `New writes DIR/behaviors/ID.json, a behavior of the class CLASS in the resource folder DIR: what the class needs with values to begin
with, and in comments what else it may be given. It prints the name of the file and, as check does, what is left to do. It writes nothing if there is no such class, if
the ID is taken, if the file exists, or if check would find an error in it. On a terminal it asks for what is missing.`,
		Example: "  robotd new AnimSequence Yawn my-robot\n  robotd new Wait Rest my-robot --in base",
		Args:    p.wantNew,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return p.ask(c.InOrStdin(), c.OutOrStdout(), in, force)
			}
			return p.scaffold(c.OutOrStdout(), instance{class: args[0], id: args[1], dir: args[2], in: in, force: force})
		},
	}
	c.Flags().StringVar(&in, "in", "", "`directory` below behaviors/ to write to; made if need be")
	c.Flags().BoolVar(&force, "force", false, "overwrite the file if it exists")
	return c
}

// An instance is a behavior to be written.
type instance struct {
	class, id, dir, in string
	force              bool
}

// file is its place in the resource folder, with slashes.
func (i instance) file() string {
	return path.Join(resources.BehaviorsDir, filepath.ToSlash(i.in), i.id+".json")
}

// plainID matches IDs that are file names everywhere.
var plainID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// scaffold writes the file and prints what it still needs.
func (p *program) scaffold(w io.Writer, i instance) error {
	class := p.classes.Find(i.class)
	switch {
	case class == nil:
		return usage("%v; see robotd check --classes", resources.UnknownOr("class", i.class, p.classes.Names(), ""))
	case !plainID.MatchString(i.id):
		return usage("%q cannot be the ID of a behavior and the name of its file: want letters, digits and _, with a letter first", i.id)
	case i.in != "" && !filepath.IsLocal(i.in):
		return usage("--in %q leads out of %s", i.in, resources.BehaviorsDir)
	}
	opened, err := setup.OpenTree(i.dir)
	if err != nil {
		return usage("%v", err)
	}
	tree := opened.FS
	if err := i.free(tree); err != nil {
		return err
	}
	name := filepath.Join(i.dir, filepath.FromSlash(i.file()))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	old, _ := os.ReadFile(name) // kept if force replaces it
	if err := i.write(name, p.text(i, tree)); err != nil {
		return err
	}
	diags, err := p.about(i.dir, name)
	if err != nil {
		return err
	}
	if diags.HasErrors() {
		undo := func() error { return os.Remove(name) }
		if old != nil {
			undo = func() error { return os.WriteFile(name, old, 0o644) }
		}
		return errors.Join(undo(), usage("a new behavior of the class %s cannot stand in %s yet:\n%v", i.class, i.dir, diags))
	}
	if _, err := fmt.Fprintln(w, name); err != nil || len(diags) == 0 {
		return err
	}
	_, err = fmt.Fprintln(w, diags)
	return err
}

// text is the file of the instance.
func (p *program) text(i instance, tree fs.FS) string {
	_, err := fs.Stat(tree, resources.SchemaDir)
	text, _ := reference.Of(p.classes).Scaffold(i.class, i.id, i.file(), setup.Tree{FS: tree}.Names(), err == nil)
	return text
}

// about is what check finds in one file.
func (p *program) about(dir, name string) (resources.Diagnostics, error) {
	_, diags, err := p.readTree(dir)
	return slices.DeleteFunc(diags, func(d resources.Diagnostic) bool { return filepath.Clean(d.File) != filepath.Clean(name) }), err
}

// wantNew takes three arguments, or none on a terminal.
func (p *program) wantNew(c *cobra.Command, args []string) error {
	if f, ok := c.InOrStdin().(*os.File); ok && len(args) == 0 && top.IsTerminal(f) {
		return nil
	}
	return want(3, 3)(c, args)
}

// ask asks for class, ID and place, one a line, and again after an answer that cannot be.
func (p *program) ask(in io.Reader, out io.Writer, sub string, force bool) error {
	lines := bufio.NewScanner(in)
	question := func(text string, check func(answer string) error) (string, error) {
		for {
			if _, err := fmt.Fprint(out, text+": "); err != nil {
				return "", err
			}
			if !lines.Scan() {
				return "", errors.Join(lines.Err(), usage("no answer to %q", text))
			}
			answer := strings.TrimSpace(lines.Text())
			err := check(answer)
			if err == nil {
				return answer, nil
			}
			if _, err := fmt.Fprintln(out, err); err != nil {
				return "", err
			}
		}
	}
	class, err := question("class (robotd list classes)", func(a string) error {
		if p.classes.Find(a) == nil {
			return resources.Unknown("class", a, p.classes.Names())
		}
		return nil
	})
	if err != nil {
		return err
	}
	id, err := question("ID, the name of its file", func(a string) error {
		if !plainID.MatchString(a) {
			return fmt.Errorf("want letters, digits and _, with a letter first")
		}
		return nil
	})
	if err != nil {
		return err
	}
	dir, err := question("resource folder", func(a string) error { _, err := setup.OpenTree(a); return err })
	if err != nil {
		return err
	}
	return p.scaffold(out, instance{class: class, id: id, dir: dir, in: sub, force: force})
}

// free refuses an ID that another file has; upper and lower case do not differ (B-3).
func (i instance) free(tree fs.FS) error {
	docs, _ := resources.LoadBehaviors(tree)
	layer, layered := tree.(*resources.Layered)
	for _, d := range docs {
		if layered && !layer.Own(d.File()) {
			continue // the new file takes its place
		}
		id := d.Root().StringOr("behaviorID", "")
		if strings.EqualFold(id, i.id) && !(i.force && d.File() == i.file()) {
			return usage("the ID %q is taken by %s", id, filepath.Join(i.dir, filepath.FromSlash(d.File())))
		}
	}
	return nil
}

// write creates the file; only with force one that exists is overwritten.
func (i instance) write(name, text string) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if i.force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usage("%s exists; --force overwrites it", name)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// printClasses lists the classes with the number of behaviors of each in a catalog, which is nil if it has errors.
func (p *program) printClasses(w io.Writer, cat *catalog.Catalog) error {
	if cat == nil {
		return nil
	}
	reg := p.classes
	width, count := 0, map[string]int{}
	for _, e := range cat.Entries {
		count[e.Class.Name]++
	}
	names := reg.Names()
	for _, n := range names {
		width = max(width, len(n))
	}
	slices.SortStableFunc(names, func(a, b string) int { return min(count[b], 1) - min(count[a], 1) })
	for _, n := range names {
		of := "no behavior"
		if count[n] > 0 {
			of = plural(count[n], "behavior")
		}
		if _, err := fmt.Fprintf(w, "%-*s  %-12s  %s\n", width, n, of, reg.Find(n).Doc); err != nil {
			return err
		}
	}
	return nil
}
