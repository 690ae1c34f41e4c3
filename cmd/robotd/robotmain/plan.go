package robotmain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

func (p *program) newPlan() *cobra.Command {
	r := &remote{}
	c := &cobra.Command{
		Use:   "plan [[OLD] NEW]",
		Short: "Show what a change of the behavior files would do to each behavior",
		Long: `Plan shows which behaviors are added, changed (another definition), restarted (the same definition, but what it rests on is another
one), untouched, and removed, when other files take the place of the present ones. Nothing changes. Without an argument a running robot
plans to read its own files again; with NEW its present definitions are compared with that folder; with OLD and NEW no robot is asked.
Blanks and comments change nothing. It exits with 3 if a file has an error.`,
		Example: `  robotd plan
  robotd plan ./my-robot
  robotd plan ./robot-of-yesterday ./my-robot`,
		Args: wantFolder(0, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return r.change(c, "/v1/behaviors/plan")
			}
			from, err := p.planFrom(c, r, args)
			if err != nil {
				return err
			}
			to, err := p.loadTree(args[len(args)-1], c.ErrOrStderr())
			if err != nil {
				return err
			}
			ch, err := catalog.Compare(from, to)
			if err != nil {
				return err
			}
			return writePlan(c.OutOrStdout(), &ch.Plan, r.json)
		},
	}
	r.register(c)
	return c
}

// planFrom is the catalog of OLD, or of the robot that runs.
func (p *program) planFrom(c *cobra.Command, r *remote, args []string) (*catalog.Catalog, error) {
	if len(args) == 2 {
		return p.loadTree(args[0], c.ErrOrStderr())
	}
	var now control.SetState
	if _, err := r.get(c.Context(), "/v1/behaviors/set", &now); err != nil {
		return nil, err
	}
	cat, diags := p.buildTree(setup.Tree{FS: sets.TreeOf(now.Files), Dir: "robot"})
	if cat == nil {
		return nil, fmt.Errorf("this program does not accept the definitions of the robot; is it of another version?\n%v", diags)
	}
	return cat, nil
}

func newRollback() *cobra.Command {
	r := &remote{}
	c := &cobra.Command{
		Use:   "rollback",
		Short: "Give a running robot its previous behavior definitions back",
		Long: `Rollback changes a running robot back to the definitions that it had before the newest change, between two ticks. Eight sets are kept in
memory. The files stay as they are: correct them, or the next reload and the next start use them again.`,
		Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return r.change(c, "/v1/behaviors/rollback") },
	}
	r.register(c)
	return c
}

func (r *remote) reload() *cobra.Command {
	return &cobra.Command{
		Use: "reload", Short: "Read the behavior files again, as SIGHUP does: all of them or none", Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return r.change(c, "/v1/behaviors/reload") },
	}
}

// register registers the flags of a command outside of ctl that asks a running robot.
func (r *remote) register(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&r.address, "addr", controlAddress, "control `address` of the daemon")
	fl.DurationVar(&r.timeout, "timeout", 5*time.Second, "how long to wait for an answer")
	fl.BoolVar(&r.json, "json", false, "print one JSON object")
}

// change asks for a change of the definitions, or for its plan, and prints what came of it.
func (r *remote) change(c *cobra.Command, path string) error {
	client, err := r.client()
	if err != nil {
		return err
	}
	var answer control.Change
	raw, err := client.PostInto(c.Context(), path, struct{}{}, &answer)
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	if r.json {
		if _, err := out.Write(raw); err != nil {
			return err
		}
	} else {
		if len(answer.Findings) > 0 {
			_, _ = fmt.Fprintln(c.ErrOrStderr(), answer.Findings)
		}
		if answer.OK && answer.Plan != nil {
			if _, err := fmt.Fprintln(out, answer.Result); err != nil {
				return err
			}
			if err := writePlan(out, (*catalog.Plan)(answer.Plan), false); err != nil {
				return err
			}
		}
	}
	switch {
	case answer.OK:
		return nil
	case answer.Result == sets.Invalid:
		return findings()
	}
	return errors.New(answer.Error)
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
