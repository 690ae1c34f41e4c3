package robotmain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// noReaction stands for no behavior.
const noReaction = "none"

// feature shows or switches features.
func (r *remote) feature() *cobra.Command {
	return &cobra.Command{
		Use: "feature [NAME " + strings.ToLower(strings.Join(engine.OverrideNames, "|")) + "]", Short: "Switch a feature on or off whatever the files say; without a name, list them",
		Long: `Feature lists the features that the files declare and whether they are on. With a name it switches one on or off, whatever the files say, from
the next tick on and in later lives too; default leaves it to the files again.`,
		Example: "  robotd ctl feature\n  robotd ctl feature AttentionTransfer enabled", Args: want(0, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return r.settings(c, func(w io.Writer, s *control.SettingsState) { gates(w, s.Features) })
			case 1:
				return usage("feature %s: want default, enabled or disabled; usage: %s", args[0], c.UseLine())
			}
			to, err := engine.ParseOverride(args[1])
			if err != nil {
				return usage("%v", err)
			}
			return r.post(c, "/v1/feature", control.FeatureRequest{Feature: args[0], Override: to.String()})
		},
	}
}

// reaction shows or chooses reactions.
func (r *remote) reaction() *cobra.Command {
	return &cobra.Command{
		Use: "reaction [CONDITION BEHAVIOR|" + noReaction + "]", Short: "Choose the reaction to a condition; without one, list them",
		Long: `Reaction lists the conditions of conditionToBehaviorMap.json with what may be their reaction, and what is. With a condition it makes one of the
options its reaction, in later lives too; ` + noReaction + ` takes it back.`,
		Example: "  robotd ctl reaction\n  robotd ctl reaction CliffDetected ReactToFrustrationMajor", Args: want(0, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return r.settings(c, func(w io.Writer, s *control.SettingsState) { reactions(w, s.Reactions) })
			case 1:
				return usage("reaction %s: want a behavior, or %s; usage: %s", args[0], noReaction, c.UseLine())
			}
			q := control.ReactionRequest{Condition: args[0]}
			if args[1] == "" {
				return usage("reaction %s: the behavior is empty; want one, or %s; usage: %s", args[0], noReaction, c.UseLine())
			}
			if args[1] != noReaction {
				q.Behavior = args[1]
			}
			return r.post(c, "/v1/reaction", q)
		},
	}
}

// settings shows what people set for good.
func (r *remote) settings(c *cobra.Command, show func(w io.Writer, s *control.SettingsState)) error {
	var s control.State
	if _, err := r.get(c.Context(), "/v1/state", &s); err != nil {
		return err
	}
	if r.json {
		return json.NewEncoder(c.OutOrStdout()).Encode(s.Settings)
	}
	return table(c.OutOrStdout(), func(w io.Writer) { show(w, &s.Settings) })
}

func gates(w io.Writer, all []control.GateState) {
	if len(all) == 0 {
		_, _ = fmt.Fprintln(w, "the files declare no features")
	}
	for _, g := range all {
		by := "by the files"
		if g.Override != engine.OverrideDefault.String() {
			by = "by hand"
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", g.Name, map[bool]string{true: "enabled", false: "disabled"}[g.Enabled], by)
	}
}

func reactions(w io.Writer, all []control.ReactionState) {
	if len(all) == 0 {
		_, _ = fmt.Fprintln(w, "there is no conditionToBehaviorMap.json: nobody can choose reactions")
	}
	for _, e := range all {
		is := noReaction
		if e.Behavior != "" {
			is = e.Behavior
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\tof %s\n", e.Condition, is, strings.Join(e.Options, ", "))
	}
}

// byHand lists the features that people override, and the reactions that they chose.
func byHand(s *control.SettingsState) string {
	var parts []string
	for _, g := range s.Features {
		if g.Override != engine.OverrideDefault.String() {
			parts = append(parts, g.Name+" "+strings.ToLower(g.Override))
		}
	}
	for _, r := range s.Reactions {
		if r.Behavior != "" {
			parts = append(parts, r.Condition+": "+r.Behavior)
		}
	}
	return strings.Join(parts, ", ")
}
