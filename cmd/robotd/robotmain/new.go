package robotmain

import (
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
	"github.com/robotd/robotd/resources"
)

func (p *program) newNew() *cobra.Command {
	var in string
	var force bool
	c := &cobra.Command{
		Use:   "new CLASS ID DIR",
		Short: "Write the file of a new behavior",
		Long: `New writes DIR/behaviors/ID.json, a behavior of the class CLASS in the resource folder DIR, and prints its name and, as check
does, what the file still needs. It writes nothing if there is no such class, if the ID is taken, or if the file exists.`,
		Example: "  robotd new AnimSequence Yawn my-robot\n  robotd new Wait Rest my-robot --in base",
		Args:    want(3, 3),
		RunE: func(c *cobra.Command, args []string) error {
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
	tree, err := resources.Open(i.dir)
	if err != nil {
		return usage("%v", err)
	}
	if err := i.free(tree); err != nil {
		return err
	}
	name := filepath.Join(i.dir, filepath.FromSlash(i.file()))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	text := fmt.Sprintf("// %s\n{\n  \"behaviorClass\": %q,\n  \"behaviorID\": %q\n}\n", class.Doc, i.class, i.id)
	if err := i.write(name, text); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, name); err != nil {
		return err
	}
	_, diags, err := p.readTree(i.dir)
	if err != nil {
		return err
	}
	for _, d := range diags {
		if filepath.Clean(d.File) == filepath.Clean(name) {
			if _, err := fmt.Fprintln(w, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// free refuses an ID that another file has; upper and lower case do not differ (B-3).
func (i instance) free(tree fs.FS) error {
	docs, _ := resources.LoadBehaviors(tree)
	for _, d := range docs {
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
