package main

import (
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/cmd/robotd/internal/app"
	"github.com/robotd/robotd/resources"
)

// newRoot builds the tree of commands. Results go to stdout, everything else to stderr.
func newRoot(stdout, stderr io.Writer) *cobra.Command {
	root := group(&cobra.Command{
		Use:   "robotd",
		Short: "The on-robot daemon of a small companion robot",
		Long: `robotd runs the behaviors of a small companion robot. Without a robot it simulates one.

Exit codes: 0 done, 1 failed, 2 wrong command line, 3 findings in behavior files, 4 no daemon answers.`,
	})
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newRun(), newInit(), newCheck(), newNew(), newGraph(), newCtl(), newBoard(), newVersion())
	return root
}

// group makes a command that only holds others: without one of them it prints its help, with a wrong one it suggests.
func group(c *cobra.Command) *cobra.Command {
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		var names []string
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		return usage("%s", unknown("command", args[0], names, "see "+c.CommandPath()+" --help"))
	}
	return c
}

// unknown words a mistaken name, with the nearest valid one or else with where to look.
func unknown(kind, name string, valid []string, otherwise string) string {
	text := "there is no " + kind + " " + strconv.Quote(name)
	if near, ok := resources.Nearest(name, valid); ok {
		return text + "; did you mean " + strconv.Quote(near) + "?"
	}
	if otherwise == "" {
		return text + "; " + app.Valid(valid)
	}
	return text + "; " + otherwise
}

// flagError adds the nearest flag to a mistaken one.
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
	return usage("%s", unknown("flag", "--"+name, names, "see "+c.CommandPath()+" --help"))
}

// want checks the number of arguments; max < 0 means any number.
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
