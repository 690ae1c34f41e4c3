package robotmain

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// driveEvery is how often an order is repeated: three in the time for which one holds, so that two may be lost.
const driveEvery = registry.SteerTime / 3

func (r *remote) drive() *cobra.Command {
	var q control.DriveRequest
	var span time.Duration
	c := &cobra.Command{
		Use:   "drive LEFT RIGHT",
		Short: "Drive the wheels directly, and with flags head and lift",
		Long: fmt.Sprintf(`Drive turns the wheels with LEFT and RIGHT mm/s, each from -%[1]g to %[1]g, until --for is over or it is interrupted. It locks the tracks that
move; while an action or a behavior holds one it is refused, and the answer names the holder. With --interrupt the actions end first.

An order holds for %[2]v, so a robot whose driver is gone stops. The cliff reflex, an emergency stop, stale sensors and a pick-up end the drive; at an
edge only the way back is open. A replay of the recording drives the same way.`, registry.SteerMMPS, registry.SteerTime),
		Example: "  robotd ctl drive 80 80 --for 2s --interrupt\n  robotd ctl drive --for 1s -- -60 -60\n  robotd ctl drive 0 0 --head 30",
		Args:    want(2, 2),
		RunE: func(c *cobra.Command, args []string) (err error) {
			for i, mmps := range []*float64{&q.LeftMMPS, &q.RightMMPS} {
				if *mmps, err = strconv.ParseFloat(args[i], 64); err != nil {
					return usage("%s: %q is no speed in mm/s, such as 80", [...]string{"LEFT", "RIGHT"}[i], args[i])
				}
			}
			if err := q.Steering().Check(); err != nil {
				return usage("%v", err)
			}
			if span <= 0 {
				return usage("--for %v: the time must be positive", span)
			}
			return r.driveFor(c, q, span)
		},
	}
	c.Flags().DurationVar(&span, "for", time.Second, "for how long")
	c.Flags().Float64Var(&q.HeadDPS, "head", 0, "turn the head with so many `degrees` a second, up is positive")
	c.Flags().Float64Var(&q.LiftMMPS, "lift", 0, "move the lift with so many `mm` a second, up is positive")
	c.Flags().BoolVar(&q.Interrupt, "interrupt", false, "end the actions that hold what moves")
	return c
}

// driveFor repeats an order until its time is over or the context ends, then stops. The first refusal ends it.
func (r *remote) driveFor(c *cobra.Command, q control.DriveRequest, span time.Duration) error {
	client, err := r.client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context(), span)
	defer cancel()
	tick := time.NewTicker(driveEvery)
	defer tick.Stop()
	first := true
	for ctx.Err() == nil {
		answer, err := client.Post(c.Context(), "/v1/drive", q)
		if c.Context().Err() != nil { // interrupted
			break
		}
		if err != nil {
			return err
		}
		if first {
			if err := r.answer(c, answer); err != nil {
				return err
			}
		}
		first = false
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	// It stops by itself, but not at once. The context of an interrupted command is over.
	stop, end := context.WithTimeout(context.WithoutCancel(c.Context()), r.timeout)
	defer end()
	answer, err := client.Post(stop, "/v1/drive", control.DriveRequest{})
	if err != nil {
		return err
	}
	return r.answer(c, answer)
}

// answer prints an answer.
func (r *remote) answer(c *cobra.Command, answer control.Answer) (err error) {
	if r.json {
		return json.NewEncoder(c.OutOrStdout()).Encode(answer)
	}
	_, err = fmt.Fprintln(c.OutOrStdout(), answer.Text)
	return err
}
