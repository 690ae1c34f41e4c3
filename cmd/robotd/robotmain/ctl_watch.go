package robotmain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// watch prints what happens as it does.
func (r *remote) watch() *cobra.Command {
	var topics []string
	var span time.Duration
	c := &cobra.Command{
		Use: "watch", Short: "Print what happens, as it happens, until Ctrl-C",
		Long: `Watch prints a line for each activation, action, intent, fault, failure, restart and act of a person. With --topics it prints other facts
of the robot instead, each whenever it changes, for example /stack, /pose or /log; a wrong name is answered with the nearest one.`,
		Example: `  robotd ctl watch
  robotd ctl watch --topics /log,/stack --json`,
		Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if span < 0 {
				return usage("--for %v: the time must not be negative", span)
			}
			client, err := r.client()
			if err != nil {
				return err
			}
			ctx, cancel := context.WithCancel(c.Context())
			defer cancel()
			if span > 0 {
				ctx, cancel = context.WithTimeout(ctx, span)
				defer cancel()
			}
			chosen := topics
			if len(chosen) == 0 {
				chosen = []string{"/event"}
			}
			return client.Watch(ctx, chosen, func(m control.WatchMessage, lost int) error {
				return r.tell(c.OutOrStdout(), m, lost)
			})
		},
	}
	c.Flags().StringSliceVar(&topics, "topics", nil, "`topics` with commas between them, instead of /event")
	c.Flags().DurationVar(&span, "for", 0, "stop after this time; 0 = until Ctrl-C")
	return c
}

// tell prints one message.
func (r *remote) tell(w io.Writer, m control.WatchMessage, lost int) error {
	if r.json {
		return json.NewEncoder(w).Encode(m)
	}
	if lost > 0 {
		if _, err := fmt.Fprintf(w, "… %d messages were lost: this terminal is too slow\n", lost); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, lineOf(m))
	return err
}

// lineOf is a message in one line.
func lineOf(m control.WatchMessage) string {
	var e struct{ Kind, Who, Text string }
	if m.Topic == "/event" && json.Unmarshal(m.Data, &e) == nil {
		return fmt.Sprintf("%10.3f s  %-12s %-20s %s", m.AtS, e.Kind, e.Who, e.Text)
	}
	var data bytes.Buffer
	if json.Compact(&data, m.Data) != nil {
		data.Write(m.Data)
	}
	name := m.Topic
	if m.Key != "" {
		name += " " + m.Key
	}
	return fmt.Sprintf("%10.3f s  %s %s", m.AtS, name, data.String())
}
