package robotmain

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/config"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/speech"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/resources"
)

// Default addresses.
const (
	controlAddress  = "127.0.0.1:8420"
	metricsAddress  = "127.0.0.1:9420"
	foxgloveAddress = "127.0.0.1:8765"
)

// robotUsage is the usage of --robot.
const robotUsage = "`NAME` of a robot, as robotd list robots shows them, or its file, which ends in .json"

// backends are what --backend may name. Never written.
var backends = []string{"sim", "linux"}

// runFlags are the flags of run.
type runFlags struct {
	recording                                                                                  recordFlags
	resources, base, stageFile, robot, backend, listen, metrics, foxglove, logLevel, logFormat string
	people, speed, summary, faultFile, trace                                                   string
	period, budget, span                                                                       time.Duration
	seed                                                                                       uint64
	speech, speechCommand                                                                      string
	headless, open, realtime, foxgloveControl, lenient                                         bool
	config                                                                                     string
	settings                                                                                   *config.Settings
	faults, acts                                                                               []string
	collect                                                                                    func() // ends the postponement of the garbage collector
	unedited                                                                                   error  // why the own files of the state folder are not used
}

func (p *program) newRun() *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "run",
		Short: "Let the robot live",
		Long: `Run starts the daemon: the simulated robot, its behaviors, the live page and the metrics. The first signal (Ctrl-C,
SIGTERM) stops it in order, the second at once. SIGHUP reads the definitions again, as robotd ctl reload does; when the
terminal that the robot was started from is closed, it stops the robot.

A flag that does not stand on the command line is taken from the environment (--log-level from ROBOTD_LOG_LEVEL), else from robotd.json
("log-level": "debug"), else it has its default; robotd config tells what holds and from where. With --headless only a file that is named
counts.

With --headless the same robot lives in virtual time as fast as the machine can, without listeners; equal seeds give
equal runs, which the decision hash of the summary shows.`,
		Example: `  robotd run
  robotd run --resources ./my-robot --listen 127.0.0.1:8080
  robotd run --headless --for 30m --seed 7 --summary json
  robotd run --headless --for 2m --fault "12.5s motors brownout" --act "30s pickup" --act "35s putdown"`,
		Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return p.run(c, f) },
	}
	f.register(c)
	return c
}

func (f *runFlags) register(c *cobra.Command) {
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.config, "config", "", configUsage)
	fl.StringVar(&f.resources, "resources", "", "resource `folder` instead of the built-in one")
	fl.BoolVar(&f.lenient, "lenient", false, lenientUsage)
	fl.StringVar(&f.base, "base", "", "base `behavior` instead of the configured one")
	fl.StringVar(&f.stageFile, "stage-file", "", "`file` that keeps the stage of the robot's life; see robotd ctl stage. Default stage in the state folder, headless none")
	f.recording.register(fl)
	fl.StringVar(&f.robot, "robot", profile.Default, robotUsage)
	fl.StringVar(&f.backend, "backend", backends[0], "what the drivers use: sim, emulated chips in a simulated world, or linux, the buses and lines of this machine")
	fl.DurationVar(&f.period, "period", actors.DefaultPeriod, "time between two ticks, 1ms to 1s")
	fl.DurationVar(&f.budget, "hook-budget", 0, "how long one hook may take, at most the period; 0 = a sixth of it, at least 2ms")
	fl.Uint64Var(&f.seed, "seed", 1, "of all chance, the simulated world's included")
	f.registerPeople(fl)
	fl.StringVar(&f.listen, "listen", controlAddress, "loopback `address` of page and control")
	fl.StringVar(&f.metrics, "metrics-listen", metricsAddress, "`address` of metrics and health")
	fl.StringVar(&f.foxglove, "foxglove", "", "stream to Foxglove on this loopback `address`; "+foxgloveAddress+" if none is given")
	fl.Lookup("foxglove").NoOptDefVal = foxgloveAddress
	fl.BoolVar(&f.foxgloveControl, "foxglove-control", false, "let clients of that stream ask the robot for something, as its page does")
	fl.StringVar(&f.speech, "speech", speech.Auto, "what speaks: auto (espeak-ng where it is installed, else captions), espeak-ng, command or captions; headless always captions")
	fl.StringVar(&f.speechCommand, "speech-command", "", "`PROGRAM` with arguments for --speech command: it reads a text from stdin and writes a WAV file to stdout")
	fl.StringVar(&f.logLevel, "log-level", "", "debug, info, warn or error (default info; headless warn)")
	fl.StringVar(&f.logFormat, "log-format", "auto", "text, json, journal (systemd's, with fields), or auto: journal if stderr leads there, else text")
	fl.BoolVar(&f.realtime, "realtime", false, "wake the ticks on a real-time thread and keep all memory in RAM, as far as permitted; costs a little processor time")
	fl.BoolVar(&f.open, "open", false, "open the page in a browser")
	fl.DurationVar(&f.span, "for", 0, "stop after this time; 0 = live until told to stop")
	fl.StringVar(&f.summary, "summary", "", "print a summary at the end: json or text (default text if headless)")
	fl.BoolVar(&f.headless, "headless", false, "virtual time, no listeners")
	fl.StringVar(&f.speed, "speed", "", "headless: max, or at most so many times real time (default max)")
	f.registerScript(fl, "headless: ")
	fl.StringVar(&f.trace, "trace", "", "headless: write every event and command to this `file`; - is stdout, then the summary goes to stderr")
}

// registerPeople registers the flag of the people around a simulated robot.
func (f *runFlags) registerPeople(fl *pflag.FlagSet) {
	fl.StringVar(&f.people, "people", sim.BusyPeople.String(), "around a simulated robot: none, few (they come and look), or busy (they also speak, touch, lift, and move cubes)")
}

// company is what the people do.
func (f *runFlags) company() (sim.People, error) {
	p, err := sim.ParsePeople(f.people)
	if err != nil {
		return p, wrong([]string{"people"}, "--people: %v", resources.Unknown("kind of people", f.people, sim.PeopleNames()))
	}
	return p, nil
}

// registerScript registers the flags of what happens to a headless robot.
func (f *runFlags) registerScript(fl *pflag.FlagSet, when string) {
	fl.StringArrayVar(&f.faults, "fault", nil, when+"`\"TIME DEVICE KIND [FOR]\"`, may be repeated")
	fl.StringVar(&f.faultFile, "faults", "", when+"`file` with one fault a line")
	fl.StringArrayVar(&f.acts, "act", nil, when+"`\"TIME ACT [KEY=VALUE…]\"`, such as \"30s pickup\", may be repeated")
}

// run checks the whole command line before it opens or starts anything.
func (p *program) run(c *cobra.Command, f *runFlags) error {
	level, err := f.configure(c.Flags())
	if err != nil {
		return err
	}
	if f.headless { // before the tree is read, which leaves much garbage behind
		setup.TuneVirtual(1, 0)
	} else {
		setup.Tune()
		f.collect = setup.PostponeCollection()
	}
	cat, err := p.loadEither(f.resources, f.lenient, c.ErrOrStderr())
	if err != nil {
		return f.locateFolder(err)
	}
	stage, err := f.stage()
	if err != nil {
		return err
	}
	people, err := f.company()
	if err != nil {
		return f.locate(err)
	}
	s := setup.Options{
		People: people, Drivers: p.drivers, Named: p.named, Catalog: cat, Foreign: f.lenient, Base: f.base, Stage: stage, StageFile: f.stageFile, Period: f.period, Budget: f.budget, Seed: f.seed, Version: p.version, Realtime: f.realtime, Real: f.backend == "linux",
	}
	if err := s.Validate(); err != nil {
		return f.locate(wrongOption(err))
	}
	if !f.headless {
		if s.Speak, err = speech.Program(f.speech, f.speechCommand); err != nil {
			return f.locate(wrong([]string{"speech", "speech-command"}, "%v", err))
		}
	}
	s.Build = p.buildTree
	s.Reference = p.manual(func() (setup.Tree, error) { return openTree(f.resources, f.lenient) })
	f.source(&s)
	builtIn, err := openTree(f.resources, f.lenient)
	if err != nil {
		return err
	}
	if s.Robot, err = p.readRobot(builtIn, f.robot, c.ErrOrStderr()); err != nil {
		return f.locate(err)
	}
	tree, err := f.withEdits(&s, builtIn)
	if err == nil {
		err = f.recording.apply(&s, f.headless, tree)
	}
	if err == nil {
		err = f.recording.remember(&s, f.headless, time.Now())
	}
	if err == nil {
		err = f.recording.calibrate(&s, f.headless)
	}
	if err != nil {
		return f.locate(err)
	}
	survivePipes()
	if f.headless {
		s.Log = logTo(c.ErrOrStderr(), f.format(), level)
		return p.runHeadless(c, f, s)
	}
	return p.runLive(c, f, s, level)
}

// readRobot reads a robot. Its findings go to w; one that is an error ends the command.
func (p *program) readRobot(tree setup.Tree, word string, w io.Writer) (*profile.Profile, error) {
	tree.Words = p.named.Words()
	robot, diags, err := tree.Robot(word)
	if err != nil {
		return nil, wrong([]string{"robot"}, "%v", err)
	}
	if len(diags) > 0 {
		_, _ = fmt.Fprintln(w, diags)
	}
	if robot == nil {
		return nil, findings()
	}
	return robot, nil
}

// stage reads the stage of the robot's life: from the file that is named, or live from the one in the state folder. If that one cannot be
// read, it is set aside and the robot is in daily use.
func (f *runFlags) stage() (engine.Stage, error) {
	if f.stageFile != "" {
		stage, err := setup.ReadStage(f.stageFile)
		if err != nil {
			return 0, f.locate(wrong([]string{"stage-file"}, "--stage-file: %v", err))
		}
		return stage, nil
	}
	state, err := setup.StateDir(f.recording.state)
	if f.headless || err != nil {
		return engine.StageComplete, nil //nolint:nilerr // without a state folder nothing is kept
	}
	f.stageFile = setup.StageFile(state)
	stage, err := setup.ReadStage(f.stageFile)
	if err == nil {
		return stage, nil
	}
	if aside, wrong := setup.SetAside(f.stageFile); wrong == nil {
		err = fmt.Errorf("%w; it is set aside as %s", err, aside)
	}
	f.recording.unstaged = err
	return engine.StageComplete, nil
}

// source opens the resource tree of the flags, each time anew: with the own files of the state folder over the built-in ones, if there is no
// folder. Edits are written to one of both.
func (f *runFlags) source(s *setup.Options) {
	if f.resources != "" || f.headless {
		if s.Edits = f.resources; f.headless {
			s.Edits = ""
		}
		s.Read = func() (setup.Tree, error) { return openTree(f.resources, f.lenient) }
		return
	}
	if state, err := setup.StateDir(f.recording.state); err == nil {
		s.Edits, s.Overlay = setup.EditsDir(state), true
	}
	s.Read = func() (setup.Tree, error) {
		tree, err := openTree("", f.lenient)
		if err == nil && s.Overlay {
			tree.FS, err = sets.Over(tree.FS, s.Edits)
		}
		return tree, err
	}
}

// withEdits uses the own files over the built-in ones. If they have errors, the robot lives without them.
func (f *runFlags) withEdits(s *setup.Options, builtIn setup.Tree) (setup.Tree, error) {
	if !s.Overlay {
		return s.Read()
	}
	tree, err := s.Read()
	if err != nil {
		f.unedited = err
		return builtIn, nil //nolint:nilerr // told when the robot starts
	}
	cat, diags := s.Build(tree)
	if cat == nil {
		f.unedited = errors.New(diags.String())
		return builtIn, nil
	}
	s.Catalog = cat
	return tree, nil
}

// build reads and checks a resource tree.
func (p *program) buildTree(t setup.Tree) (*catalog.Catalog, resources.Diagnostics) {
	return t.Catalog(p.classes)
}

func logTo(w io.Writer, format eventlog.Format, level slog.Level) *slog.Logger {
	return slog.New(format.Handler(w, level))
}

// format is the format of the log. A headless run has no journal: its lines carry virtual time.
func (f *runFlags) format() eventlog.Format {
	if f.headless && f.logFormat == string(eventlog.FormatAuto) {
		return eventlog.FormatText
	}
	return eventlog.Format(f.logFormat).Resolve()
}
