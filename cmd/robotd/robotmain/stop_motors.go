package robotmain

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/cmd/robotd/internal/config"
	"github.com/robotd/robotd/cmd/robotd/internal/halt"
	"github.com/robotd/robotd/hardware/linux"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

func (p *program) newStopMotors() *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "stop-motors",
		Short: "Switch the motors of a robot off that no daemon drives",
		Long: `Stop-motors drives the enable line of the motors low, switches the outputs of their PWM chip off, or orders their board to stand still: each way
that the robot has. The unit files call it after the daemon has ended, however it ended, and early at boot, since a PWM chip keeps its duty when its
host dies. Robot and back end are those of robotd run, from flags, environment or robotd.json.

A simulated robot has no motors to stop: there it says so, does nothing and exits with 0, since the unit files of a machine without a robot call it, too, and must not
fail. By hand, --backend linux belongs to it unless robotd.json has it. It exits with 1 if no way worked, with 2 if a flag is wrong, and with 3 if a file or variable is,
after it has stopped the motors as far as the rest of it says which. A running
daemon holds the lines; robotd ctl estop stops its motors.`,
		Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return f.stopMotors(c, p) },
	}
	fl := c.Flags()
	fl.StringVar(&f.config, "config", "", configUsage)
	fl.StringVar(&f.robot, "robot", profile.Default, "`NAME` of a robot, or its file, which ends in .json")
	fl.StringVar(&f.backend, "backend", backends[0], "sim, or linux: the buses and lines of this machine")
	fl.StringVar(&f.resources, "resources", "", "resource `folder` with robots/, instead of the built-in one")
	return c
}

func (f *runFlags) stopMotors(c *cobra.Command, program *program) (err error) {
	s := sources(f.config, settingRules())
	s.Salvage = true // a mistake elsewhere in the file is no reason to let the wheels turn
	var mistakes error
	if f.settings, mistakes = config.Resolve(c.Flags(), s); mistakes != nil {
		c.PrintErrln("robotd: mistakes in the configuration are left out:", mistakes)
		defer func() {
			if err == nil {
				err = &exitError{code: exitFindings}
			}
		}()
	}
	switch words := []string{backends[0], "linux"}; {
	case !slices.Contains(words, f.backend):
		return f.locate(wrong([]string{"backend"}, "%v", resources.Unknown("back end", f.backend, words)))
	case f.backend == backends[0]:
		_, err = fmt.Fprintln(c.OutOrStdout(), "the robot is simulated: there are no motors to stop; --backend linux stops those of this machine")
		return err
	}
	tree, err := openTree(f.resources, false)
	if err != nil {
		return f.locateFolder(err)
	}
	p, err := program.readRobot(tree, f.robot, c.ErrOrStderr())
	if err != nil {
		return f.locate(err)
	}
	b, done, err := boardOf(p)
	if err != nil {
		return err
	}
	defer done()
	did, failed, err := halt.Motors(p, b)
	for _, why := range failed {
		c.PrintErrln("robotd:", why)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.OutOrStdout(), strings.Join(did, "; "))
	return err
}

// wall is the time of this machine.
type wall struct{}

func (wall) Now() time.Time        { return time.Now() }
func (wall) Sleep(d time.Duration) { <-time.After(d) }

// boardOf opens the lines of this machine; a bus or port is opened when it is asked for, so that one that is absent does not keep a line.
func boardOf(p *profile.Profile) (b halt.Board, done func(), err error) {
	alone := *p
	alone.Buses = nil
	host, err := linux.Open(&alone)
	if err != nil {
		return b, nil, err
	}
	hosts := []*linux.Host{host}
	b.Clock, b.Lines = wall{}, host.Lines()
	b.Bus = func(name string) (i2c.Bus, error) {
		one := *p
		one.Buses = map[string]profile.Bus{name: p.Buses[name]}
		h, err := linux.Open(&one)
		if err != nil {
			return nil, err
		}
		hosts = append(hosts, h)
		return h.Bus(name, wall{}), nil
	}
	b.Serial = func(port string) (io.WriteCloser, error) { return host.Serial(port) }
	return b, func() {
		for _, h := range hosts {
			_ = h.Close()
		}
	}, nil
}
