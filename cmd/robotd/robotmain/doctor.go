package robotmain

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/cmd/robotd/internal/config"
	"github.com/robotd/robotd/cmd/robotd/internal/doctor"
	"github.com/robotd/robotd/hardware/profile"
)

func (p *program) newDoctor() *cobra.Command {
	f := &runFlags{}
	var asJSON bool
	var o doctor.Options
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Look whether this machine is the robot's board, and say what to do about what is not",
		Long: `doctor looks at the buses, chips, lines and ports of a robot on this machine, at permissions and kernel options, and at what stops
the wheels when robotd dies. It reads; it drives no line but the enable line, and that only where a one-shot keeps the motors
without power, or with --test-enable. robotd must not run meanwhile. The robot is that of robotd run, from flags, environment or robotd.json.

The exit code is 1 if a check failed.`,
		Example: `  robotd doctor --robot freenove-4wd
  robotd doctor --robot ./my-robot.json --json`,
		Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if f.settings, err = config.Resolve(c.Flags(), sources(f.config, settingRules())); err != nil {
				return badSetting(err)
			}
			tree, err := openTree(f.resources, false)
			if err != nil {
				return f.locateFolder(err)
			}
			body, err := p.readRobot(tree, f.robot, c.ErrOrStderr())
			if err != nil {
				return f.locate(err)
			}
			r := doctor.Run(body, o)
			if asJSON {
				err = json.NewEncoder(c.OutOrStdout()).Encode(r)
			} else {
				err = doctor.Write(c.OutOrStdout(), r)
			}
			if err == nil && r.Count(doctor.Fail) > 0 {
				err = &exitError{code: exitFailure}
			}
			return err
		},
	}
	c.Flags().StringVar(&f.config, "config", "", configUsage)
	c.Flags().StringVar(&f.resources, "resources", "", "resource `folder` with robots/, instead of the built-in one")
	c.Flags().StringVar(&f.robot, "robot", profile.Default, "`NAME` of a robot, or its file, which ends in .json")
	c.Flags().BoolVar(&o.TestEnable, "test-enable", false, "raise the enable line for a moment even if no one-shot keeps the motors off; wheels off the ground")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
