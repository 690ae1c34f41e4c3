package robotmain

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

func (p *program) newCheck() *cobra.Command {
	var asJSON, strict, classes, lenient bool
	var walk walkFlags
	c := &cobra.Command{
		Use:   "check [DIR|ROBOT.json|robotd.json]",
		Short: "Check behavior files and robots: every mistake with its place",
		Long: `Check reads a resource folder (behaviors/, behavior_config.json and robots/; the built-in one without DIR) and prints every
mistake as file:line:col. It exits with 3 if there is an error, with --strict also if there is a warning. With a file robotd.json it checks
the configuration instead, with the file of a robot that robot.`,
		Args: wantFolder(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := walk.check(); err != nil {
				return err
			}
			switch {
			case isConfig(first(args)):
				return p.checkConfig(c.OutOrStdout(), c.ErrOrStderr(), first(args), asJSON)
			case isRobotFile(first(args)):
				return p.checkRobotFile(c.OutOrStdout(), first(args), strict, asJSON)
			case lenient && strict:
				return usage("--lenient and --strict exclude each other")
			case lenient && classes:
				return usage("--classes makes no sense with --lenient, which tells the state of every behavior")
			case lenient && walk.on:
				return p.walkLenient(c.OutOrStdout(), c.ErrOrStderr(), first(args), &walk, asJSON)
			case lenient:
				return p.checkLenient(c.OutOrStdout(), c.ErrOrStderr(), first(args), asJSON)
			}
			cat, diags, err := p.readTree(first(args))
			if err == nil {
				diags, err = p.withRobots(first(args), diags)
			}
			if err != nil {
				return err
			}
			if wrong := diags.HasErrors() || strict && diags.Count(resources.Warning) > 0; walk.on && cat != nil && !wrong {
				if !asJSON && len(diags) > 0 {
					if err := printCheck(c.ErrOrStderr(), cat, diags, false); err != nil {
						return err
					}
				}
				return walk.walkTree(c.OutOrStdout(), cat, asJSON)
			}
			if err := printCheck(c.OutOrStdout(), cat, diags, asJSON); err != nil {
				return err
			}
			if classes && !asJSON {
				if err := p.printClasses(c.OutOrStdout(), cat); err != nil {
					return err
				}
			}
			if diags.HasErrors() || strict && diags.Count(resources.Warning) > 0 {
				return findings()
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().BoolVar(&classes, "classes", false, "list the classes too, those without a behavior last")
	c.Flags().BoolVar(&lenient, "lenient", false, lenientUsage)
	c.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	walk.add(c)
	return c
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// readTree reads a resource folder. A folder that is none is a mistake on the command line.
func (p *program) readTree(dir string) (*catalog.Catalog, resources.Diagnostics, error) {
	tree, err := setup.OpenTree(dir)
	if err != nil {
		return nil, nil, usage("%v", err)
	}
	cat, diags := tree.Catalog(p.classes)
	return cat, diags, nil
}

// withRobots adds the findings in the robots of a resource folder.
func (p *program) withRobots(dir string, diags resources.Diagnostics) (resources.Diagnostics, error) {
	tree, err := setup.OpenTree(dir)
	if err != nil {
		return nil, usage("%v", err)
	}
	tree.Words = p.named.Words()
	_, found := tree.CheckRobots()
	return append(diags, found...), nil
}

// checkLenient reads the folder of another robot and prints what became of it.
func (p *program) checkLenient(w, errs io.Writer, dir string, asJSON bool) error {
	tree, err := openTree(dir, true)
	if err != nil {
		return usage("%v", err)
	}
	cat, l, diags := tree.Lenient(p.classes)
	if cat == nil {
		_, _ = fmt.Fprintln(errs, diags)
		return findings()
	}
	r := newLenientReport(cat, l, diags)
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	return r.write(w)
}

// walkLenient walks the tree of another robot.
func (p *program) walkLenient(w, errs io.Writer, dir string, f *walkFlags, asJSON bool) error {
	tree, err := openTree(dir, true)
	if err != nil {
		return usage("%v", err)
	}
	cat, _, diags := tree.Lenient(p.classes)
	if cat == nil {
		_, _ = fmt.Fprintln(errs, diags)
		return findings()
	}
	return f.walkTree(w, cat, asJSON)
}

// loadTree is readTree for commands that need the catalog: errors end them, with everything printed to w.
func (p *program) loadTree(dir string, w io.Writer) (*catalog.Catalog, error) {
	cat, diags, err := p.readTree(dir)
	if err != nil {
		return nil, err
	}
	if cat == nil {
		_, _ = fmt.Fprintln(w, diags)
		return nil, findings()
	}
	return cat, nil
}

func printCheck(w io.Writer, cat *catalog.Catalog, diags resources.Diagnostics, asJSON bool) error {
	result := struct {
		Behaviors   int                    `json:"behaviors"` // 0 if there are errors
		Errors      int                    `json:"errors"`
		Warnings    int                    `json:"warnings"`
		Diagnostics []resources.Diagnostic `json:"diagnostics"`
	}{Errors: diags.Count(resources.Error), Warnings: diags.Count(resources.Warning), Diagnostics: diags}
	if cat != nil {
		for _, e := range cat.Entries {
			if e.Analyzer == "" {
				result.Behaviors++
			}
		}
	}
	if asJSON {
		if result.Diagnostics == nil {
			result.Diagnostics = resources.Diagnostics{}
		}
		return json.NewEncoder(w).Encode(result)
	}
	if len(diags) > 0 {
		if _, err := fmt.Fprintln(w, diags); err != nil {
			return err
		}
	}
	if err := printOrigins(w, cat); err != nil {
		return err
	}
	text := plural(result.Behaviors, "behavior") + " are fine"
	if result.Behaviors == 1 {
		text = "1 behavior is fine"
	}
	if result.Errors > 0 {
		text = "nothing was loaded"
	}
	if cat != nil {
		if n := statesOf(cat); n["stand-in"]+n["inert"] > 0 {
			text += fmt.Sprintf(" (%s stood in for, %d inert)", plural(n["stand-in"], "behavior"), n["inert"])
		}
	}
	_, err := fmt.Fprintf(w, "%s; %s, %s\n", text, plural(result.Errors, "error"), plural(result.Warnings, "warning"))
	return err
}

// plural counts things by their name.
func plural(n int, name string) string {
	if n != 1 {
		name += "s"
	}
	return fmt.Sprintf("%d %s", n, name)
}

// printOrigins says of a layered folder where its behaviors come from: how many are built in, and each of its own.
func printOrigins(w io.Writer, cat *catalog.Catalog) error {
	if cat == nil {
		return nil
	}
	builtIn := 0
	for _, e := range cat.Entries {
		switch {
		case e.Origin == setup.BuiltIn:
			builtIn++
		case e.Origin != "" && e.Owner == "":
			if _, err := fmt.Fprintf(w, "%s: %s (%s)\n", e.ID, e.File, e.Origin); err != nil {
				return err
			}
		}
	}
	if builtIn == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s built in\n", plural(builtIn, "behavior"))
	return err
}
