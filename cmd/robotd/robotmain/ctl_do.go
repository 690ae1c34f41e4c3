package robotmain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/resources"
)

// waitEvery is how often --wait asks whether the action has ended.
const waitEvery = 200 * time.Millisecond

func (r *remote) doAction() *cobra.Command {
	var q control.ActionRequest
	var wait bool
	c := &cobra.Command{
		Use:   "do NAME [KEY=VALUE…]",
		Short: "Let the robot do one action",
		Long: `Do queues one action. 'robotd ctl actions --known' lists names, keys, units, limits and defaults.

The action runs beside those of behaviors and obeys tracks: while one of them holds a part of the body that it needs, it is refused, and the answer
names the holder. With --interrupt the actions that hold one end first; a lock of a behavior itself is never taken away. With --at the action has a
place in the queue of the behaviors instead, whose next action ends it. An emergency stop ends it. 'robotd ctl cancel TAG' ends it alone.`,
		Example: "  robotd ctl do DriveStraight distance_mm=100\n  robotd ctl do --interrupt --wait TurnInPlace angle_deg=90",
		Args:    want(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			pairs, err := control.ParsePairs(args[1:])
			if err == nil {
				err = precheck(args[0], pairs)
			}
			if err == nil {
				_, err = q.Position()
			}
			if err != nil {
				return usage("%v", err)
			}
			q.Action, q.Params = args[0], map[string]json.RawMessage{}
			for key, text := range pairs {
				q.Params[key], _ = json.Marshal(text)
			}
			if wait {
				return r.doAndWait(c, q)
			}
			return r.post(c, "/v1/actions/do", q)
		},
	}
	c.Flags().StringVar(&q.At, "at", "", "`place` in the queues: "+strings.Join(control.Positions(), ", ")+" (default IN_PARALLEL)")
	c.Flags().BoolVar(&q.Interrupt, "interrupt", false, "end the actions that hold what this one needs")
	c.Flags().BoolVar(&wait, "wait", false, "wait until it has ended; exit with 1 if it failed")
	return c
}

// precheck refuses what no robot knows. What names a clip is left to the robot, which may have others.
func precheck(name string, pairs map[string]string) error {
	if pairs["clip"] != "" {
		return nil
	}
	_, _, err := registry.Make(name, pairs, nil)
	return err
}

// doAndWait queues an action, waits for its end, and fails as it failed.
func (r *remote) doAndWait(c *cobra.Command, q control.ActionRequest) error {
	client, err := r.client()
	if err != nil {
		return err
	}
	answer, err := client.Post(c.Context(), "/v1/actions/do", q)
	if err != nil {
		return err
	}
	tag, err := strconv.ParseUint(answer.Text[strings.LastIndexByte(answer.Text, ' ')+1:], 10, 32)
	if err != nil {
		return fmt.Errorf("%q names no tag", answer.Text)
	}
	end, err := r.ended(c.Context(), tag)
	if err != nil {
		return err
	}
	if r.json {
		err = json.NewEncoder(c.OutOrStdout()).Encode(end)
	} else {
		_, err = fmt.Fprintln(c.OutOrStdout(), end.Name+": "+result(end))
	}
	if err == nil && end.Result != "SUCCESS" {
		err = errors.New(end.Name + " ended with " + result(end))
	}
	return err
}

func result(end *control.EndedAction) string {
	if end.Detail == "" {
		return end.Result
	}
	return end.Result + ", " + end.Detail
}

// ended waits until the action of that tag has ended.
func (r *remote) ended(ctx context.Context, tag uint64) (*control.EndedAction, error) {
	for {
		var s control.ActionsState
		if _, err := r.get(ctx, "/v1/actions", &s); err != nil {
			return nil, err
		}
		for i := range s.Ended {
			if s.Ended[i].Tag == tag {
				return &s.Ended[i], nil
			}
		}
		select {
		case <-time.After(waitEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// actions shows what runs, what waits, and what has ended; or what there is.
func (r *remote) actions() *cobra.Command {
	var known bool
	c := &cobra.Command{
		Use: "actions", Short: "Show running and waiting actions, how those of the operator ended, or what there is to do", Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if known {
				if r.json {
					return json.NewEncoder(c.OutOrStdout()).Encode(registry.All())
				}
				return table(c.OutOrStdout(), knownActions)
			}
			var s control.ActionsState
			if _, err := r.get(c.Context(), "/v1/actions", &s); err != nil {
				return err
			}
			if r.json {
				return json.NewEncoder(c.OutOrStdout()).Encode(s)
			}
			return tables(c.OutOrStdout(), func(w io.Writer) {
				for _, a := range s.Running {
					_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%.1f s\t%s\t%s\n", a.Tag, a.Name, a.Status, a.ForS, strings.Join(a.Tracks, "+"), a.Owner)
				}
			}, func(w io.Writer) {
				for i := range s.Ended {
					_, _ = fmt.Fprintf(w, "%d\t%s\t%s\tat %.1f s\n", s.Ended[i].Tag, s.Ended[i].Name, result(&s.Ended[i]), s.Ended[i].TimeS)
				}
			})
		},
	}
	c.Flags().BoolVar(&known, "known", false, "list the actions that 'do' knows, with keys, units, limits and defaults")
	return c
}

// knownActions writes the table of the actions.
func knownActions(w io.Writer) {
	for _, k := range registry.All() {
		_, _ = fmt.Fprintf(w, "%s\t%s\n", k.Name, k.Doc)
		for i := range k.Keys {
			_, _ = fmt.Fprintf(w, "  %s\t%s\n", k.Keys[i].Name, k.Keys[i].String())
		}
	}
}

// cancel goes back to the base behavior, or ends one action.
func (r *remote) cancel() *cobra.Command {
	return &cobra.Command{
		Use: "cancel [TAG]", Short: "Go back to the base behavior, or end the action of a tag", Args: want(0, 1),
		Long: `Cancel ends the behavior that an operator runs and goes back to the base behavior. With a tag, as 'robotd ctl do' and 'robotd ctl actions' print it, it
ends that action and nothing else; with "all" it ends the actions of the operator.`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return r.post(c, "/v1/cancel", struct{}{})
			}
			if args[0] == "all" {
				return r.post(c, "/v1/actions/cancel", control.TagRequest{})
			}
			tag, err := strconv.ParseUint(args[0], 10, 32)
			if err != nil || tag == 0 {
				return usage("%v", resources.UnknownOr("tag", args[0], []string{"all"}, "a tag is a number such as 1000001; robotd ctl actions lists them"))
			}
			return r.post(c, "/v1/actions/cancel", control.TagRequest{Tag: tag})
		},
	}
}
