package robotmain

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/cmd/robotd/internal/top"
)

func newTop() *cobra.Command {
	r := &remote{}
	var once bool
	c := &cobra.Command{
		Use: "top", Short: "Show a running robot in the terminal, live",
		Long: `Top shows what a running robot does and why, its stack, who may be chosen, actions, devices, which behaviors take the time, and the newest
events. It can stop the robot. It goes on when the daemon starts again. The keys are shown with ?. Colors are left out with NO_COLOR.`,
		Example: `  robotd top
  robotd top --once`,
		Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := r.client()
			if err != nil {
				return err
			}
			if once {
				return top.Once(c.Context(), client, c.OutOrStdout())
			}
			if err := top.Run(c.Context(), client, c.OutOrStdout()); errors.Is(err, top.ErrNoTerminal) {
				return usage("%v", err)
			} else if err != nil {
				return err
			}
			return nil
		},
	}
	fl := c.Flags()
	fl.StringVar(&r.address, "addr", controlAddress, "control `address` of the daemon")
	fl.DurationVar(&r.timeout, "timeout", 5*time.Second, "how long to wait for an answer")
	fl.BoolVar(&once, "once", false, "print one frame of plain text, without a terminal")
	return c
}
