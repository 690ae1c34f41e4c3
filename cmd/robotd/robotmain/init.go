package robotmain

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/resources"
)

func (p *program) newInit() *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "init DIR",
		Short: "Write a resource folder to begin with",
		Long: `Init writes the built-in behaviors, the boot configuration and the mood data to DIR, which it makes if need be: JSON files for
robotd check, graph and run --resources, and JSON Schemas for editors. A folder that holds anything is refused.`,
		Example: "  robotd init my-robot",
		Args:    want(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := vacant(args[0], force); err != nil {
				return err
			}
			n, err := writeResources(args[0])
			if err != nil {
				return err
			}
			schemas, err := p.schemas(args)
			if err != nil {
				return err
			}
			if err := writeSchemas(filepath.Join(args[0], resources.SchemaDir), schemas); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "wrote %s to %s\n", plural(n+len(schemas), "file"), args[0])
			return err
		},
	}
	c.Flags().BoolVar(&force, "force", false, "write into a folder that is not empty; files of the same names are overwritten, others stay")
	return c
}

// vacant refuses a place that cannot become a resource folder, and with force only what is no folder.
func vacant(dir string, force bool) error {
	if dir == "" {
		return usage("the name of the folder is empty")
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return usage("%q is not a directory; name one that is empty or does not exist", dir)
	case force:
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		return usage("directory %q is not empty: it holds %q; name another one, or write into it with --force", dir, entries[0].Name())
	}
	return err
}

// writeResources writes the built-in JSON files below dir and returns their number. Nothing is written outside, wherever links
// in it lead.
func writeResources(dir string) (n int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	tree := resources.Embedded()
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !resources.OfRobot(name) {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		n++
		return root.WriteFile(name, text, 0o644)
	})
	return n, err
}
