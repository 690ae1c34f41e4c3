package robotmain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

func (p *program) newSchema() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "schema [DIR]",
		Short: "Write JSON Schemas, for completion and squiggles in an editor",
		Long: `Schema prints a JSON Schema for each kind of file of a resource folder as one JSON object, by file name; --out writes files. An editor finds
the schema of a file through its key "$schema". With DIR the names that the files of that folder define (behaviors, intents, timers, features,
stats, emotion events) are the only ones that its files may use.`,
		Example: "  robotd schema my-robot --out my-robot/schema",
		Args:    wantFolder(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			schemas, err := p.schemas(args)
			if err != nil {
				return err
			}
			if out == "" {
				return encodeIndented(c.OutOrStdout(), schemas)
			}
			if err := writeSchemas(out, schemas); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "wrote %s to %s\n", plural(len(schemas), "file"), out)
			return err
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "`directory` to write files to; made if need be")
	return c
}

// schemas makes the schemas for the files of a resource folder; without one, for any.
func (p *program) schemas(args []string) (map[string]map[string]any, error) {
	var names reference.Names
	if len(args) > 0 {
		tree, err := setup.OpenTree(args[0])
		if err != nil {
			return nil, usage("%v", err)
		}
		names = tree.Names()
	}
	return p.reference().Schemas(names), nil
}

// writeSchemas writes one file for each schema, all or none.
func writeSchemas(dir string, schemas map[string]map[string]any) error {
	files := map[string]string{}
	for name, schema := range schemas {
		var b strings.Builder
		if err := encodeIndented(&b, schema); err != nil {
			return err
		}
		files[name] = b.String()
	}
	return writeFolder(dir, files)
}

func encodeIndented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(v)
}
