package robotmain

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/resources"
)

func (p *program) newInit() *cobra.Command {
	var force, layer bool
	var m moduleOf
	c := &cobra.Command{
		Use:   "init DIR",
		Short: "Write a resource folder to begin with",
		Long: `Init writes the built-in behaviors, the boot configuration and the mood data to DIR, which it makes if need be: JSON files for
robotd check, graph and run --resources, and JSON Schemas for editors. A folder that holds anything is refused. With --layer it writes no copy: the folder
holds only what is added to the built-in files or takes the place of one of them. With --module it writes a Go module with a class, and such a folder
beside it, robot/; go mod tidy and go build make a program of it.`,
		Example: "  robotd init my-robot\n  robotd init my-robot --layer\n  robotd init my-robot --module example.org/my-robot --replace ../robotd",
		Args:    want(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := vacant(args[0], force); err != nil {
				return err
			}
			if m.path != "" {
				return p.initModule(c.OutOrStdout(), args[0], m)
			}
			if m.checkout != "" {
				return usage("--replace belongs to --module")
			}
			files, err := builtInFiles()
			if layer {
				files, err = map[string]string{resources.LayerFile: layerText, resources.BehaviorsDir + "/": ""}, nil
			}
			if err != nil {
				return err
			}
			if err := writeFolder(args[0], files); err != nil {
				return err
			}
			schemas, err := p.schemas(args)
			if err != nil {
				return err
			}
			dir := filepath.Join(args[0], resources.SchemaDir)
			if err := writeSchemas(dir, schemas); err != nil {
				return fmt.Errorf("%w; the other files are there, and robotd schema %s --out %s writes the schemas", err, args[0], dir)
			}
			delete(files, resources.BehaviorsDir+"/")
			_, err = fmt.Fprintf(c.OutOrStdout(), "wrote %s to %s\n", plural(len(files)+len(schemas), "file"), args[0])
			return err
		},
	}
	c.Flags().BoolVar(&force, "force", false, "write into a folder that is not empty; files of the same names are overwritten, others stay")
	c.Flags().StringVar(&m.path, "module", "", "write a Go module of this `path`: a program with every command of robotd, a behavior class of its own, and a layered folder")
	c.Flags().StringVar(&m.checkout, "replace", "", "with --module: the `directory` of a checkout of robotd that the module is built with")
	c.Flags().BoolVar(&layer, "layer", false, "write a folder that lies over the built-in one: only files that add to it or take the place of one, by behavior ID or by path")
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

// builtInFiles are the built-in JSON files, by their names in a resource folder.
func builtInFiles() (map[string]string, error) {
	tree, files := resources.Embedded(), map[string]string{}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !resources.OfRobot(name) {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		files[name] = string(text)
		return err
	})
	return files, err
}

// initModule writes a module, and the schemas of its folder. Its own class is not among these: the program writes them anew.
func (p *program) initModule(w io.Writer, dir string, m moduleOf) error {
	if m.checkout != "" {
		abs, err := filepath.Abs(m.checkout)
		if err != nil {
			return err
		}
		m.checkout = abs
	}
	n, err := m.write(dir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "wrote %s to %s; next: cd %s, go mod tidy, go build, and ./%s schema %s --out %s/schema\n",
		plural(n, "file"), dir, dir, path.Base(m.path), moduleData, moduleData)
	return err
}

// layerText is the file that makes a folder lie over the built-in one.
const layerText = `// This folder lies over the built-in one. A file under behaviors/ adds a behavior, or takes the place of the built-in one of its ID;
// any other file takes the place of the built-in one of its path.
{
  "over": "built-in"
}
`
