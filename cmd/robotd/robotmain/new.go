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
	var i instance
	var class newClass
	c := &cobra.Command{
		Use:   "new CLASS ID DIR | new --class NAME [ID] DIR",
		Short: "Write the file of a new behavior, or a new class",
		Long: `New writes DIR/behaviors/ID.json, a behavior of the class CLASS in the resource folder DIR: what the class needs with values to begin
with, and in comments what else it may be given. It prints the name of the file and, as check does, what is left to do. It writes nothing if there is no such class, if
the ID is taken, if the file exists, or if check would find an error in it. With --parent it adds the behavior to the list of another one, whose comments and layout stay.
On a terminal it asks for what is missing.

With --class it writes a class of that name into DIR, a Go module that init --module made or a checkout of robotd: a Go file with its parameters, a test with a trace, and
a behavior of the class. The class is registered by the list in classes_gen.go, which go generate writes from the functions that return a class.`,
		Example: `  robotd new AnimSequence Yawn my-robot
  robotd new Wait Rest my-robot --in base --parent FreePlay
  robotd new --class DoDishes my-module`,
		Args: func(c *cobra.Command, args []string) error {
			if class.name != "" || c.Flags().Changed("class") {
				return want(1, 2)(c, args)
			}
			return p.wantNew(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case c.Flags().Changed("class"):
				class.root = args[len(args)-1]
				i.class, i.id = class.name, class.name
				if len(args) == 2 {
					i.id = args[0]
				}
				return p.scaffoldClass(c.OutOrStdout(), class, i)
			case class.theme != "":
				return usage("--package belongs to --class")
			case len(args) == 0:
				return p.ask(c.InOrStdin(), c.OutOrStdout(), i)
			}
			i.class, i.id, i.dir = args[0], args[1], args[2]
			return p.scaffold(c.OutOrStdout(), i)
		},
	}
	c.Flags().StringVar(&i.in, "in", "", "`directory` below behaviors/ to write to; made if need be")
	c.Flags().StringVar(&i.parent, "parent", "", "`ID` of the behavior whose list the new one joins")
	c.Flags().BoolVar(&i.force, "force", false, "overwrite files that exist")
	c.Flags().StringVar(&class.name, "class", "", "write a class of this `name`, and a behavior of it")
	c.Flags().StringVar(&class.theme, "package", "", "with --class in a checkout of robotd: the `directory` of its package below behaviors/library")
	return c
}

// An instance is a behavior to be written.
type instance struct {
	class, id, dir, in, parent string
	force                      bool
}

// file is its place in the resource folder, with slashes.
func (i instance) file() string {
	return path.Join(resources.BehaviorsDir, filepath.ToSlash(i.in), i.id+".json")
}

// plainID matches IDs that are file names everywhere.
var plainID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// scaffold writes the file and prints what it still needs.
func (p *program) scaffold(w io.Writer, i instance) error {
	var ch changes
	told, err := p.add(i, &ch)
	if err != nil {
		return errors.Join(ch.undo(), err)
	}
	_, err = fmt.Fprintln(w, strings.Join(told, "\n"))
	return err
}

// add writes the file and changes that of its parent, if it has one. It returns what to tell. After an error the changes have to be taken back.
func (p *program) add(i instance, ch *changes) (told []string, err error) {
	class := p.classes.Find(i.class)
	switch {
	case class == nil:
		return nil, usage("%v", resources.UnknownOr("class", i.class, p.classes.Names(), "robotd list classes has all of them"))
	case !plainID.MatchString(i.id):
		return nil, usage("%q cannot be the ID of a behavior and the name of its file: want letters, digits and _, with a letter first", i.id)
	case i.in != "" && !filepath.IsLocal(i.in):
		return nil, usage("--in %q leads out of %s", i.in, resources.BehaviorsDir)
	}
	if err := i.isRead(); err != nil {
		return nil, err
	}
	opened, err := setup.OpenTree(i.dir)
	if err != nil {
		return nil, usage("%v", err)
	}
	tree := opened.FS
	if err := i.free(tree); err != nil {
		return nil, err
	}
	var par *parent
	if i.parent != "" {
		if par, err = p.parentOf(tree, i.parent); err != nil {
			return nil, err
		}
	}
	name := filepath.Join(i.dir, filepath.FromSlash(i.file()))
	if err := ch.write(name, p.text(i, tree), i.force); err != nil {
		return nil, err
	}
	told, files := []string{name}, []string{name}
	if par != nil {
		line, err := p.join(par, i, tree, ch)
		if err != nil {
			return nil, err
		}
		told, files = append(told, line), append(files, filepath.Join(i.dir, filepath.FromSlash(par.file)))
	}
	diags, err := p.about(i.dir, files...)
	if err != nil {
		return nil, err
	}
	if diags.HasErrors() {
		return nil, usage("a new behavior of the class %s cannot stand in %s yet:\n%v", i.class, i.dir, diags)
	}
	if len(diags) > 0 {
		told = append(told, diags.String())
	}
	return told, nil
}

// isRead refuses a folder in which nobody looks for behaviors.
func (i instance) isRead() error {
	dir := filepath.Join(i.dir, resources.BehaviorsDir)
	for name := range strings.SplitSeq(filepath.ToSlash(filepath.Clean(i.in)), "/") { // "." for none
		if strings.HasPrefix(name, ".") && name != "." {
			return usage("--in %q is not read: the name %q begins with a dot", i.in, name)
		}
		dir = filepath.Join(dir, name)
		if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return usage("--in %q is not read: %s is a link", i.in, dir)
		}
	}
	return nil
}

// text is the file of the instance.
func (p *program) text(i instance, tree fs.FS) string {
	_, err := fs.Stat(tree, resources.SchemaDir)
	text, _ := reference.Of(p.classes).Scaffold(i.class, i.id, i.file(), setup.Tree{FS: tree}.Names(), err == nil)
	return text
}

// about is what check finds in some files.
func (p *program) about(dir string, names ...string) (resources.Diagnostics, error) {
	_, diags, err := p.readTree(dir)
	return slices.DeleteFunc(diags, func(d resources.Diagnostic) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return filepath.Clean(d.File) == filepath.Clean(n) })
	}), err
}

// wantNew takes three arguments, or none on a terminal.
func (p *program) wantNew(c *cobra.Command, args []string) error {
	if k := len(args); k > 1 && args[k-1] == "" {
		return usage("the name of the folder is empty; usage: %s", c.UseLine())
	}
	if f, ok := c.InOrStdin().(*os.File); ok && len(args) == 0 && top.IsTerminal(f) {
		return nil
	}
	return want(3, 3)(c, args)
}

// ask asks for class, ID, place and parent, one a line, and again after an answer that cannot be.
func (p *program) ask(in io.Reader, out io.Writer, i instance) error {
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
	ask := func(to *string, text string, check func(answer string) error) (err error) {
		if *to == "" {
			*to, err = question(text, check)
		}
		return err
	}
	err := ask(&i.class, "class (robotd list classes)", func(a string) error {
		if p.classes.Find(a) == nil {
			return resources.Unknown("class", a, p.classes.Names())
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = ask(&i.id, "ID, the name of its file", func(a string) error {
		if !plainID.MatchString(a) {
			return fmt.Errorf("want letters, digits and _, with a letter first")
		}
		return nil
	})
	if err != nil {
		return err
	}
	var tree fs.FS
	err = ask(&i.dir, "resource folder", func(a string) error {
		opened, err := setup.OpenTree(a)
		tree = opened.FS
		return err
	})
	if err != nil {
		return err
	}
	err = ask(&i.parent, "parent, whose list it joins (empty: none)", func(a string) (err error) {
		if a != "" {
			_, err = p.parentOf(tree, a)
		}
		return err
	})
	if err != nil {
		return err
	}
	return p.scaffold(out, i)
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
