package robotmain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/cmd/robotd/internal/calibrate"
	"github.com/robotd/robotd/cmd/robotd/internal/config"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// calibrateFlags are the flags of calibrate, named like those of run.
type calibrateFlags struct {
	runFlags
	list bool
}

func (p *program) newCalibrate() *cobra.Command {
	f := &calibrateFlags{}
	c := &cobra.Command{
		Use:   "calibrate [STEP…]",
		Short: "Measure a robot, step by step, and keep what differs from its profile",
		Long: `Calibrate measures what differs between two robots of one kind. It asks for what a person must do or read. Without a step it takes those that are
not done, so it goes on where it was left. Each result is checked and kept at once, in the calibration file that robotd run reads.
robotd must not run meanwhile. The wheels turn in the steps wheel, track and edges, a servo in that of its joint. With --backend sim the simulated world does what a person would.

Steps:
` + stepLines() + `
The exit code is 1 if a step failed.`,
		Example: `  robotd calibrate --backend linux --robot jetbot
  robotd calibrate wheel battery --backend linux --robot freenove-4wd
  robotd calibrate --list`,
		ValidArgs: calibrate.Names(),
		RunE:      func(c *cobra.Command, steps []string) error { return f.run(c, p, steps) },
	}
	fl := c.Flags()
	fl.StringVar(&f.config, "config", "", configUsage)
	fl.StringVar(&f.robot, "robot", profile.Default, "`NAME` of a robot, or its file, which ends in .json")
	fl.StringVar(&f.backend, "backend", backends[0], "sim, or linux: the buses and lines of this machine")
	fl.StringVar(&f.resources, "resources", "", "resource `folder` with robots/, instead of the built-in one")
	fl.Uint64Var(&f.seed, "seed", 1, "of the simulated world: each seed is another robot")
	fl.StringVar(&f.recording.state, "state", "", "state `folder`, as of robotd run")
	fl.StringVar(&f.recording.calibration, "calibration", "", "`file` with what was measured; default calibration-ROBOT.json in the state folder")
	fl.BoolVar(&f.list, "list", false, "only tell which steps are done")
	return c
}

func stepLines() string {
	var b strings.Builder
	for _, s := range calibrate.Steps() {
		_, _ = fmt.Fprintf(&b, "  %-10s %s\n", s.Name, s.Doc)
	}
	return b.String()
}

func (f *calibrateFlags) run(c *cobra.Command, program *program, names []string) (err error) {
	if f.settings, err = config.Resolve(c.Flags(), sources(f.config, settingRules())); err != nil {
		return badSetting(err)
	}
	if !slices.Contains(backends, f.backend) {
		return f.locate(wrong([]string{"backend"}, "%v", resources.Unknown("back end", f.backend, backends)))
	}
	tree, err := openTree(f.resources, false)
	if err != nil {
		return f.locateFolder(err)
	}
	p, err := program.readRobot(tree, f.robot, c.ErrOrStderr())
	if err != nil {
		return f.locate(err)
	}
	body := setup.Body(p, f.backend == "linux", f.seed)
	file, err := f.file(body)
	if err != nil {
		return err
	}
	release, err := setup.Lock(file)
	switch {
	case errors.Is(err, setup.ErrLocked):
		return fmt.Errorf("%s: %w: stop it first", file, err)
	case err != nil:
		return err
	}
	defer release()
	known, err := setup.ReadCalibration(file, body, p)
	if err != nil {
		return err
	}
	steps, err := calibrate.Choose(names, p, known)
	switch {
	case err != nil:
		return usage("%v", err)
	case f.list:
		return listSteps(c.OutOrStdout(), p, known)
	case len(steps) == 0:
		_, err = fmt.Fprintf(c.OutOrStdout(), "all steps are done, in %s; a step that is named is taken again\n", file)
		return err
	}
	return f.measure(c, program, p, known, steps, func(next profile.Calibration) error {
		return setup.WriteCalibration(file, body, next, time.Now())
	})
}

// file is where the calibration is kept.
func (f *calibrateFlags) file(body string) (string, error) {
	if f.recording.calibration != "" {
		return f.recording.calibration, nil
	}
	state, err := setup.StateDir(f.recording.state)
	if err != nil {
		return "", usage("%v", err)
	}
	return setup.CalibrationFile(state, body), nil
}

// measure takes the steps on the robot.
func (f *calibrateFlags) measure(c *cobra.Command, program *program, p *profile.Profile, known profile.Calibration, steps []calibrate.Step, keep func(profile.Calibration) error) error {
	ctx, _, release := signals(c.Context(), patience, nil, func(error) {})
	defer release()
	out := c.OutOrStdout()
	b := calibrate.Bench{Out: out, Keep: keep}
	var r *simrobot.Robot
	if f.backend == "linux" {
		var err error
		if r, err = simrobot.NewReal(p); err != nil {
			return err
		}
		b.Clock, b.Operator = wall{}, calibrate.NewTerminal(c.InOrStdin(), out)
		ended, end := context.WithCancel(ctx)
		defer end()
		go watch(ended, r.Safety)
	} else {
		hurry := &hurried{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		r = simrobot.New(p, hurry, f.seed, false)
		world, ok := r.Rig.(calibrate.World)
		if !ok {
			return errors.New("the simulated world does not tell what is true of it")
		}
		b.Clock, b.Operator = hurry, &calibrate.Person{World: world, Out: out}
	}
	defer func() { _ = r.Safety.Close() }()
	b.Board, b.Safety = r.Board(known), r.Safety
	b.Board.Drivers, b.Board.Named = program.drivers, program.named
	return b.Run(ctx, steps)
}

// hurried is the time of a simulated world in which one goroutine does all: it passes as fast as that one sleeps.
type hurried struct {
	clock.Live
	now time.Time
}

// Now is the instant.
func (h *hurried) Now() time.Time { return h.now }

// Sleep lets d pass.
func (h *hurried) Sleep(d time.Duration) { h.now = h.now.Add(max(d, 0)) }

// watch takes the power from the wheels if their driver hangs.
func watch(ctx context.Context, s *device.Safety) {
	t := time.NewTicker(device.DefaultLease / 5)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-t.C:
			s.Watch(now)
		}
	}
}

// listSteps tells which steps are done.
func listSteps(w io.Writer, p *profile.Profile, known profile.Calibration) error {
	var b strings.Builder
	for _, s := range calibrate.Steps() {
		state := "to do"
		if why := s.Lacks(p); why != "" {
			state = "none: " + why
		} else if s.Done(p, known) {
			state = "done"
		}
		_, _ = fmt.Fprintf(&b, "%-10s %-5s  %s\n", s.Name, state, s.Doc)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
