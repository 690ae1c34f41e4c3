package robotmain

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware/sim"
)

// askLimit is how long a shell waits for a running robot, when it completes names. Without an answer they are the built-in ones.
const askLimit = 300 * time.Millisecond

// A nameList lists the words that an argument or a flag may be.
type nameList func(c *cobra.Command) []string

// complete gives the commands the words with which shells complete them.
func (p *program) complete(root *cobra.Command) {
	words := func(all ...string) nameList { return func(*cobra.Command) []string { return all } }
	intents := p.ofRobot(func(s *control.State) []string { return s.Intents }, func() []string { return p.builtIn().Intents })
	behaviors := p.ofRobot(func(s *control.State) []string { return s.Behaviors }, func() []string { return p.builtIn().Behaviors })
	devices, onOff := p.ofRobot(func(s *control.State) []string { return s.Parts.Breaks }, sim.FaultDevices), words("on", "off")
	arguments(root, "ctl intent", intents)
	arguments(root, "ctl run-behavior", behaviors)
	arguments(root, "ctl do", words(registry.Names()...))
	arguments(root, "ctl stage", words(engine.Stages()...))
	arguments(root, "ctl selftest", onOff)
	arguments(root, "ctl checks", onOff)
	arguments(root, "ctl fault", devices, words(sim.Kinds()...))
	arguments(root, "why", behaviors)
	arguments(root, "list", words(listKinds()...))
	for _, act := range find(root, "ctl").Commands() {
		if names := control.ActNames(act.Name()); names != nil {
			arguments(root, "ctl "+act.Name(), words(names...))
		}
	}
	for _, command := range []string{"run", "config", "soak", "stop-motors"} {
		for flag, names := range map[string]nameList{
			"base":   func(*cobra.Command) []string { return p.builtIn().Behaviors },
			"robot":  func(*cobra.Command) []string { return p.builtIn().Robots },
			"people": words(sim.PeopleNames()...), "log-level": words(logLevels...), "log-format": words(eventlog.Formats()...), "summary": words(runstats.SummaryFormats()...),
			"backend": words(backends...),
		} {
			if c := find(root, command); c.Flags().Lookup(flag) != nil {
				_ = c.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
					return beginning(names(c), begun), cobra.ShellCompDirectiveDefault
				})
			}
		}
	}
}

// find is the command of that path below root. The path is one of ours.
func find(root *cobra.Command, path string) *cobra.Command {
	c, _, err := root.Find(strings.Fields(path))
	if err != nil {
		panic("robotmain: no command " + path)
	}
	return c
}

// arguments sets what the arguments of a command may be, one list for each.
func arguments(root *cobra.Command, path string, lists ...nameList) {
	find(root, path).ValidArgsFunction = func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(lists) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return beginning(lists[len(args)](c), begun), cobra.ShellCompDirectiveNoFileComp
	}
}

func beginning(names []string, begun string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, begun) })
}

// ofRobot are names of the running robot, or built-in ones if none answers.
func (p *program) ofRobot(pick func(*control.State) []string, builtIn func() []string) nameList {
	return func(c *cobra.Command) []string {
		remoteAddress(c)
		addr := c.Flags().Lookup("addr")
		if addr == nil {
			return builtIn()
		}
		var s control.State
		if client, err := control.NewClient(addr.Value.String(), askLimit); err == nil {
			if _, err := client.Get(c.Context(), "/v1/state", &s); err == nil {
				return pick(&s)
			}
		}
		return builtIn()
	}
}

// builtInNames are names of the tree inside the binary.
type builtInNames struct{ Behaviors, Intents, Robots []string }

func (p *program) builtIn() (n builtInNames) {
	tree, err := setup.OpenTree("")
	if err != nil {
		return n
	}
	n.Robots = tree.Robots()
	if cat, _ := p.buildTree(tree); cat != nil {
		n.Behaviors, n.Intents = cat.IDs(), cat.Boot.Intents
	}
	return n
}
