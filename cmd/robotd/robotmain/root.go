package robotmain

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/resources"
)

// root builds the tree of commands. Results go to stdout, everything else to stderr.
func (p *program) root(stdout, stderr io.Writer) *cobra.Command {
	root := group(&cobra.Command{
		Use:   "robotd",
		Short: "The on-robot daemon of a small companion robot",
		Long: `robotd runs the behaviors of a small companion robot. Without a robot it simulates one.

Exit codes: 0 done, 1 failed, 2 wrong command line or variable, 3 findings in behavior files, robotd.json or lives, or decisions that differ, 4 no daemon answers.`,
	})
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRun = func(c *cobra.Command, _ []string) { remoteAddress(c) }
	root.AddCommand(
		p.newRun(), p.newSoak(),
		p.newInit(), p.newNew(), p.newCheck(), p.newFmt(), p.newList(), p.newSchema(), p.newPlan(), newRollback(), p.newGraph(),
		p.newReplay(), p.newView(), p.newWhy(), newRecord(), newExport(),
		newCtl(), newTop(), p.newConfig(), p.newDoctor(), p.newCalibrate(), p.newStopMotors(), p.newVersion(),
	)
	p.complete(root)
	return root
}

// named makes the two commands that the library brings name the nearest for a wrong word, as ours do, instead of ending with 0.
func named(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			group(c)
		case "help":
			c.Run, c.RunE = nil, func(_ *cobra.Command, args []string) error {
				about, rest, err := root.Find(args)
				if err != nil || len(rest) == 0 {
					about.InitDefaultHelpFlag()
					return errors.Join(err, about.Help())
				}
				return unknownCommand(about, rest[0])
			}
		}
	}
}

// unknownCommand names the nearest command below c.
func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return usage("%v", resources.UnknownOr("command", name, names, "see "+c.CommandPath()+" --help"))
}

// group makes a command that only holds others. Without one of them it prints its help, for a wrong one it names the nearest.
func group(c *cobra.Command) *cobra.Command {
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return unknownCommand(c, args[0])
	}
	return c
}

// flagError adds the nearest flag to the error of an unknown one.
func flagError(c *cobra.Command, err error) error {
	text := err.Error()
	name, ok := strings.CutPrefix(text, "unknown flag: --")
	if !ok {
		if strings.HasPrefix(text, "unknown shorthand flag: ") && strings.ContainsAny(text, "0123456789") {
			text += " (before negative numbers write --)"
		}
		return usage("%s; see %s --help", text, c.CommandPath())
	}
	var names []string
	add := func(f *pflag.Flag) { names = append(names, "--"+f.Name) }
	c.Flags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	return usage("%v", resources.UnknownOr("flag", "--"+name, names, "see "+c.CommandPath()+" --help"))
}

// want checks the number of arguments; most < 0 means any number.
func want(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("something is missing; usage: %s", c.UseLine())
		case most >= 0 && len(args) > most:
			return usage("%s is too much; usage: %s", strconv.Quote(args[most]), c.UseLine())
		}
		return nil
	}
}

// wantFolder is want for commands whose last argument is a folder. An empty one, such as a variable of the shell that is not set, is not
// the built-in tree.
func wantFolder(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if k := len(args); k > 0 && args[k-1] == "" {
			return usage("the name of the folder is empty; usage: %s", c.UseLine())
		}
		return want(least, most)(c, args)
	}
}
