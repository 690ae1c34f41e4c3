package robotmain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/catalog"
)

func (p *program) newPlan() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "plan OLD NEW",
		Short: "Show what becomes of each behavior when one folder takes the place of another",
		Long: `Plan compares two resource folders as a reload does: which behaviors are added, changed (another definition), restarted (the same
definition, but what it rests on is another one), untouched, and removed. Both folders are checked first; it exits with 3 if one has an
error. Blanks and comments change nothing.`,
		Example: "  robotd plan ./robot-of-yesterday ./my-robot",
		Args:    want(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			from, err := p.loadTree(args[0], c.ErrOrStderr())
			if err != nil {
				return err
			}
			to, err := p.loadTree(args[1], c.ErrOrStderr())
			if err != nil {
				return err
			}
			ch, err := catalog.Compare(from, to)
			if err != nil {
				return err
			}
			return writePlan(c.OutOrStdout(), &ch.Plan, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// writePlan prints one line for each behavior that does not stay as it is, and then the counts.
func writePlan(w io.Writer, plan *catalog.Plan, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(plan)
	}
	var errs []error
	line := func(format string, args ...any) {
		_, err := fmt.Fprintf(w, format+"\n", args...)
		errs = append(errs, err)
	}
	for _, group := range []struct {
		what string
		ids  []string
	}{{"added", plan.Added}, {"changed", plan.Changed}, {"restarted", plan.Restarted}, {"removed", plan.Removed}} {
		for _, id := range group.ids {
			if why := plan.Reasons[id]; why != "" {
				line("%-10s %s, because of %s", group.what, id, why)
			} else {
				line("%-10s %s", group.what, id)
			}
		}
	}
	line("%s", plan)
	return errors.Join(errs...)
}
