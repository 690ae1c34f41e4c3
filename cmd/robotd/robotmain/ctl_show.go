package robotmain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// stack shows the activated behaviors, base first, and those that want control.
func (r *remote) stack() *cobra.Command {
	return &cobra.Command{
		Use: "stack", Short: "Show the behavior stack, what is in scope, and what moves the robot", Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			var s control.State
			if _, err := r.get(c.Context(), "/v1/state", &s); err != nil {
				return err
			}
			if r.json {
				return json.NewEncoder(c.OutOrStdout()).Encode(struct {
					Tick  uint64               `json:"tick"`
					Stack []control.StackEntry `json:"stack"`
					Scope []control.ScopeEntry `json:"scope"`

					Sentence control.SentenceState `json:"sentence"`
					Banner   []control.BannerState `json:"banner"`

					Stage    string               `json:"stage"`
					Boot     string               `json:"boot"`
					Checks   bool                 `json:"checks"`
					SelfTest bool                 `json:"self_test"`
					EStop    bool                 `json:"estop"`
					Stop     control.StopState    `json:"stop"`
					Run      control.RunState     `json:"run"`
					Feature  control.FeatureState `json:"feature"`
					Mood     control.MoodState    `json:"mood"`
					Troubles control.TroubleState `json:"troubles"`
				}{s.Tick, s.Stack, s.Scope, s.Sentence, s.Banner, s.Stage, s.Boot, s.Checks, s.SelfTest, s.EStop, s.Stop, s.Run, s.Feature, s.Mood, s.Troubles})
			}
			return tables(c.OutOrStdout(), func(w io.Writer) {
				for i, e := range s.Stack {
					mark := ""
					if e.InControl {
						mark = "in control"
					}
					_, _ = fmt.Fprintf(w, "%s%s\t%s\t%.1f s\t%s\n", strings.Repeat("  ", i), e.ID, e.State, e.ActiveS, mark)
				}
			}, func(w io.Writer) {
				scope(w, s.Scope)
			}, func(w io.Writer) {
				put := lines(w)
				doing(put, &s)
				mind(put, &s)
				failures(put, &s)
			})
		},
	}
}

// scope shows who may be chosen, in the order in which they are asked, below the one that asks: a layer, or another one that may be chosen.
func scope(w io.Writer, entries []control.ScopeEntry) {
	asker, depth := "", map[string]int{}
	for i, e := range entries {
		if depth[e.Asker] == 0 && (e.Asker != asker || i == 0) { // it is on the stack
			asker = e.Asker
			_, _ = fmt.Fprintf(w, "%s asks, in order:\t\t\n", cmp.Or(asker, "nobody"))
		}
		depth[e.ID] = depth[e.Asker] + 1
		_, _ = fmt.Fprintf(w, "%s%s\t%s\t%s\n", strings.Repeat("  ", depth[e.ID]), e.ID, cmp.Or(e.Wants, "–"), e.Why)
	}
}

// doing shows what the robot does, and what holds it back.
func doing(put func(name, format string, args ...any), s *control.State) {
	if s.Sentence.Text != "" {
		put("does", "%s (%s)", s.Sentence.Text, s.Sentence.Why)
	}
	for _, b := range s.Banner {
		put(b.Level, "%s, for %.0f s", b.Text, max(0, s.TimeS-b.SinceS))
	}
}

// state shows the state view, as JSON in full, as text in brief.
func (r *remote) state() *cobra.Command {
	return &cobra.Command{
		Use: "state", Short: "Show the robot's state", Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			var s control.State
			raw, err := r.get(c.Context(), "/v1/state", &s)
			if err != nil {
				return err
			}
			if r.json {
				_, err = c.OutOrStdout().Write(raw)
				return err
			}
			return table(c.OutOrStdout(), func(w io.Writer) { gist(w, &s) })
		},
	}
}

func gist(w io.Writer, s *control.State) {
	put := lines(w)
	ids := make([]string, len(s.Stack))
	for i, e := range s.Stack {
		ids[i] = e.ID
	}
	put("robot", "%s, robotd %s, tick %d, %.0f s", s.Robot, s.Version, s.Tick, s.TimeS)
	put("stack", "%s", strings.Join(ids, " > "))
	doing(put, s)
	mind(put, s)
	put("body", "%s, battery %s (%.2f V, %.0f %%), face %s", s.Body.Treads, s.Body.Battery, s.Body.Volts, 100*s.Body.Charge, s.Body.Face)
	put("place", "%.0f, %.0f mm, %.2f rad; on charger: %t, charging: %t", s.Body.Pose.XMM, s.Body.Pose.YMM, s.Body.Pose.HeadingRad, s.Body.OnCharger, s.Body.Charging)
	put("ticks", "median %.0f µs, p99 %.0f µs, max %.0f µs, %d missed, %d skipped", s.Latency.P50US, s.Latency.P99US, s.Latency.MaxUS, s.Latency.Missed, s.Latency.Skipped)
	if s.Intent.Pending+s.Intent.Active != "" {
		put("intent", "pending %q, active %q", s.Intent.Pending, s.Intent.Active)
	}
	services(put, &s.Services)
	failures(put, s)
	for _, d := range s.Devices {
		note := d.Value
		if d.Cause != "" {
			note += "; last failure " + d.Cause
		}
		if d.Fault != "" {
			note += "; broken on purpose: " + d.Fault
		}
		put(d.Name, "%s, %.0f ms old, %d restarts; %s", d.Quality, d.AgeMS, d.Restarts, note)
	}
}

// faultList shows or clears the injected faults.
func (r *remote) faultList() *cobra.Command {
	var clear bool
	c := &cobra.Command{
		Use: "faults", Short: "List the faults that were injected, or take them away", Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if clear {
				return r.post(c, "/v1/faults/clear", struct{}{})
			}
			var all []control.FaultState
			raw, err := r.get(c.Context(), "/v1/faults", &all)
			if err != nil {
				return err
			}
			if r.json {
				_, err = c.OutOrStdout().Write(raw)
				return err
			}
			if len(all) == 0 {
				_, err = fmt.Fprintln(c.OutOrStdout(), "nothing is broken on purpose")
				return err
			}
			return table(c.OutOrStdout(), func(w io.Writer) {
				for _, f := range all {
					left := "until cleared"
					if f.LeftS > 0 {
						left = fmt.Sprintf("%.1f s left", f.LeftS)
					}
					_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", f.Device, f.Kind, left)
				}
			})
		},
	}
	c.Flags().BoolVar(&clear, "clear", false, "heal everything")
	return c
}

// lines returns a writer of lines with a name.
func lines(w io.Writer) func(name, format string, args ...any) {
	return func(name, format string, args ...any) {
		_, _ = fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
}

// tables writes one table below the other, each with columns of its own width.
func tables(out io.Writer, fs ...func(w io.Writer)) error {
	for _, f := range fs {
		if err := table(out, f); err != nil {
			return err
		}
	}
	return nil
}

// table aligns the columns that f writes.
func table(out io.Writer, f func(w io.Writer)) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	f(w)
	return w.Flush()
}
