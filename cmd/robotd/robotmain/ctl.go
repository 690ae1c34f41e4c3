package robotmain

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/resources"
)

// A remote is what all ctl commands share: how to reach the daemon and how to print.
type remote struct {
	address string
	timeout time.Duration
	json    bool
}

func newCtl() *cobra.Command {
	r := &remote{}
	c := group(&cobra.Command{
		Use:   "ctl",
		Short: "Speak to a running robotd",
		Long:  "Ctl asks a running robotd to do something, or shows what it is doing. It exits with 4 if none answers.",
	})
	fl := c.PersistentFlags()
	fl.StringVar(&r.address, "addr", controlAddress, "control `address` of the daemon")
	fl.DurationVar(&r.timeout, "timeout", 5*time.Second, "how long to wait for an answer")
	fl.BoolVar(&r.json, "json", false, "print JSON")
	c.AddCommand(r.stack(), r.state(), r.watch(), r.faultList())
	c.AddCommand(r.intent(), r.hear(), r.simple("wake", "Let the robot hear its trigger word", "/v1/wake"), r.runBehavior(), r.cancel())
	c.AddCommand(r.doAction(), r.actions(), r.drive())
	c.AddCommand(r.stage(), r.consoleVar(), r.feature(), r.reaction(), r.onOff("selftest", "Begin or end the self test", "/v1/selftest"),
		r.onOff("checks", "Check the invariants of the stack after each tick, or not", "/v1/checks"))
	c.AddCommand(r.worldCommands()...)
	c.AddCommand(r.reload(), r.fault(), r.simple("estop", "Stop everything that moves, now; it stays stopped", "/v1/estop"), r.resume())
	return c
}

// client is made after the flags were read.
func (r *remote) client() (*control.Client, error) {
	if r.timeout <= 0 {
		return nil, usage("--timeout %v: the time must be positive", r.timeout)
	}
	c, err := control.NewClient(r.address, r.timeout)
	if err != nil {
		return nil, usage("--addr: %v", err)
	}
	return c, nil
}

// post sends a command and prints the answer.
func (r *remote) post(c *cobra.Command, path string, body any) error {
	client, err := r.client()
	if err != nil {
		return err
	}
	answer, err := client.Post(c.Context(), path, body)
	if err != nil {
		if r.json && answer.Error != "" {
			_ = json.NewEncoder(c.OutOrStdout()).Encode(answer)
		}
		return err
	}
	if r.json {
		return json.NewEncoder(c.OutOrStdout()).Encode(answer)
	}
	_, err = fmt.Fprintln(c.OutOrStdout(), answer.Text)
	return err
}

// get reads a value, and its bytes for --json.
func (r *remote) get(ctx context.Context, path string, v any) ([]byte, error) {
	client, err := r.client()
	if err != nil {
		return nil, err
	}
	return client.Get(ctx, path, v)
}

// simple is a command without parameters.
func (r *remote) simple(name, short, path string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return r.post(c, path, struct{}{}) },
	}
}

// resume ends the emergency stop that the newest state shows. A stop that comes later stays.
func (r *remote) resume() *cobra.Command {
	var stop uint64
	c := &cobra.Command{
		Use: "resume", Short: "End the emergency stop", Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("stop") {
				var s control.State
				if _, err := r.get(c.Context(), "/v1/state", &s); err != nil {
					return err
				}
				stop = s.Stop.Number
			}
			return r.post(c, "/v1/resume", control.ResumeRequest{Stop: &stop})
		},
	}
	c.Flags().Uint64Var(&stop, "stop", 0, "`number` of the stop, as estop printed it (default the newest)")
	return c
}

func (r *remote) intent() *cobra.Command {
	return &cobra.Command{
		Use:     "intent NAME [KEY=VALUE…]",
		Short:   "Tell the robot what a user wants",
		Example: "  robotd ctl intent come_here",
		Args:    want(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			data, err := control.ParsePairs(args[1:])
			if err != nil {
				return usage("%v", err)
			}
			body := struct {
				Name string            `json:"name"`
				Data map[string]string `json:"data,omitempty"`
			}{args[0], data}
			return r.post(c, "/v1/intent", body)
		},
	}
}

func (r *remote) hear() *cobra.Command {
	var app bool
	c := &cobra.Command{
		Use:   "hear NAME [KEY=VALUE…]",
		Short: "Tell the robot what a cloud or an app says, with their names",
		Long: `Hear sends a message as a cloud does, or with --app as an app does, whose one parameter is "param". The robot translates the names by
user_intent_map.json of its resources.`,
		Example: "  robotd ctl hear intent_clock_settimer_extend timer_duration=30\n  robotd ctl hear --app intent_meet_victor param=Ada",
		Args:    want(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			data, err := control.ParsePairs(args[1:])
			if err != nil {
				return usage("%v", err)
			}
			m := control.Message{Intent: args[0]}
			if app {
				if m.From, m.Param = "app", data["param"]; len(data) > 1 || len(data) == 1 && m.Param == "" {
					return usage("a message of an app has one parameter, param=VALUE")
				}
				return r.post(c, "/v1/intents", m)
			}
			for key, text := range data {
				if m.Params == nil {
					m.Params = map[string]json.RawMessage{}
				}
				m.Params[key] = scalar(text)
			}
			return r.post(c, "/v1/intents", m)
		},
	}
	c.Flags().BoolVar(&app, "app", false, "speak as an app")
	return c
}

// scalar is a number or a flag as it is, and anything else as a text.
func scalar(text string) json.RawMessage {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err == nil {
		switch v.(type) {
		case bool, float64:
			return json.RawMessage(text)
		}
	}
	raw, _ := json.Marshal(text)
	return raw
}

func (r *remote) runBehavior() *cobra.Command {
	times := 1
	c := &cobra.Command{
		Use:   "run-behavior ID",
		Short: "Run one behavior until it ends",
		Args:  want(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if times == 0 {
				return usage("--times 0: once is the least; -1 runs it for ever")
			}
			return r.post(c, "/v1/run-behavior", control.RunRequest{ID: args[0], Times: times})
		},
	}
	c.Flags().IntVar(&times, "times", 1, "how often; -1 = again and again until cancel")
	return c
}

func (r *remote) stage() *cobra.Command {
	return &cobra.Command{
		Use:   "stage " + strings.Join(engine.Stages(), "|"),
		Short: "Change the stage of the robot's life, which chooses its base behavior",
		Args:  want(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if _, ok := engine.ParseStage(args[0]); !ok {
				return usage("%v", resources.Unknown("stage", args[0], engine.Stages()))
			}
			return r.post(c, "/v1/stage", control.StageRequest{Stage: args[0]})
		},
	}
}

func (r *remote) consoleVar() *cobra.Command {
	return &cobra.Command{
		Use: "var NAME VALUE", Short: "Give a console variable a value, for the condition ConsoleVar", Args: want(2, 2),
		Example: "  robotd ctl var Speed 5\n  robotd ctl var -- Speed -5",
		RunE: func(c *cobra.Command, args []string) error {
			n, err := strconv.ParseInt(args[1], 10, 32)
			if err != nil {
				return usage("%s is no whole number of 32 bits, such as 5; usage: %s", strconv.Quote(args[1]), c.UseLine())
			}
			return r.post(c, "/v1/var", control.VarRequest{Name: args[0], Value: int32(n)})
		},
	}
}

// onOff is a command with a switch as its argument.
func (r *remote) onOff(name, short, path string) *cobra.Command {
	return &cobra.Command{
		Use: name + " on|off", Short: short, Args: want(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if args[0] != "on" && args[0] != "off" {
				return usage("%v", resources.Unknown("switch", args[0], []string{"off", "on"}))
			}
			return r.post(c, path, control.SwitchRequest{On: args[0] == "on"})
		},
	}
}
