// Package robotmain is robotd's command line. [Main] is the whole main function of a program: cmd/robotd calls it without anything
// added, and another module calls it with behavior classes, condition types and drivers of its own. Such a program has every command, page
// and metric of robotd, and its JSON files may name the added classes and conditions:
//
//	package main
//
//	import (
//		"github.com/robotd/robotd/behaviors"
//		"github.com/robotd/robotd/cmd/robotd/robotmain"
//	)
//
//	func main() { robotmain.Main(robotmain.Options{Classes: []behaviors.Class{NodClass()}}) }
//
// NodClass stands for a function of that module that returns a class. Actions need no registration: an action is a Go value that a class
// makes and hands to [behaviors.Control.Act].
package robotmain

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/hardware/device"
)

// Options are what a program adds to robotd. The zero value is robotd itself.
type Options struct {
	// Version is what the version command and the page show; empty is "dev".
	Version string
	// Classes are behavior classes beside the built-in ones. Each needs a name of its own.
	Classes []behaviors.Class
	// Conditions are condition types beside the built-in ones. Each needs a name of its own.
	Conditions []condition.Type
	// Drivers make devices in place of the built-in ones, by subsystem, such as hardware.Range.
	Drivers device.Drivers
	// Named are drivers that a robot's file asks for: by the word in its key "driver", then by subsystem. The profile's part has the driver's
	// own keys, in Keys.
	Named device.NamedDrivers
}

// Main runs the command line of this process and ends it with the exit code.
func Main(o Options) { os.Exit(execute(context.Background(), o, os.Args[1:], os.Stdout, os.Stderr)) }

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, o Options, args []string, stdout, stderr io.Writer) int {
	p, err := newProgram(o)
	if err != nil {
		return report(stderr, err)
	}
	root := p.root(stdout, stderr)
	root.SetArgs(args)
	named(root)
	err = root.ExecuteContext(ctx)
	if p.queue == nil {
		return report(stderr, err)
	}
	return lastWords(p.queue, err)
}

// A program is what the commands share.
type program struct {
	version string
	classes *behaviors.Registry // everything that a JSON file may name
	drivers device.Drivers
	named   device.NamedDrivers
	queue   *eventlog.Queue // before stderr, for a live robot
	exit    func(code int)
}

// newProgram registers what the program adds. What cannot be registered is an error, not a panic: its author reads it.
func newProgram(o Options) (*program, error) {
	taken := map[string]string{}
	built := library.Registry()
	for _, name := range built.Names() {
		if built.Find(name).State == behaviors.Real { // a program may bring the code that a stand-in waits for
			taken[name] = "a built-in class"
		}
	}
	for i, c := range o.Classes {
		switch {
		case c.Name == "":
			return nil, fmt.Errorf("robotmain.Options: Classes[%d] has no Name", i)
		case !behaviors.ClassName(c.Name):
			return nil, fmt.Errorf("robotmain.Options: Classes[%d]: %q is no name of a class: want letters and digits, with a capital first, such as %q", i, c.Name, "DoDishes")
		case c.New == nil:
			return nil, fmt.Errorf("robotmain.Options: class %q has no New", c.Name)
		case taken[c.Name] != "":
			return nil, fmt.Errorf("robotmain.Options: Classes[%d]: the name %q is taken by %s; choose another", i, c.Name, taken[c.Name])
		}
		taken[c.Name] = fmt.Sprintf("Classes[%d]", i)
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	conditions, err := condition.NewSet(o.Conditions...)
	if err != nil {
		return nil, fmt.Errorf("robotmain.Options: %w", err)
	}
	if err := o.Drivers.Check(); err != nil {
		return nil, fmt.Errorf("robotmain.Options: Drivers: %w", err)
	}
	if err := o.Named.Check(); err != nil {
		return nil, fmt.Errorf("robotmain.Options: Named: %w", err)
	}
	return &program{version: o.Version, classes: library.Registry(o.Classes...).WithConditions(conditions), drivers: o.Drivers, named: o.Named, exit: os.Exit}, nil
}
