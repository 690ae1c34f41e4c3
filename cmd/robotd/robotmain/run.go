package robotmain

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// Default addresses.
const (
	controlAddress  = "127.0.0.1:8420"
	metricsAddress  = "127.0.0.1:9420"
	foxgloveAddress = "127.0.0.1:8765"
)

// robots are the back ends that --robot may name. Never written.
var robots = []string{"sim"}

// runFlags are the flags of run.
type runFlags struct {
	recording                                                                         recordFlags
	resources, base, stageFile, robot, listen, metrics, foxglove, logLevel, logFormat string
	speed, summary, faultFile, trace                                                  string
	period, budget, span                                                              time.Duration
	seed                                                                              uint64
	headless, open, realtime, foxgloveControl, lenient                                bool
	faults, acts                                                                      []string
	unedited                                                                          error // why the own files of the state folder are not used
}

func (p *program) newRun() *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "run",
		Short: "Let the robot live",
		Long: `Run starts the daemon: the simulated robot, its behaviors, the live page and the metrics. The first signal (Ctrl-C,
SIGTERM) stops it in order, the second at once. SIGHUP reads the definitions again, as robotd ctl reload does; when the
terminal that the robot was started from is closed, it stops the robot.

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
	fl.StringVar(&f.resources, "resources", "", "resource `folder` instead of the built-in one")
	fl.BoolVar(&f.lenient, "lenient", false, lenientUsage)
	fl.StringVar(&f.base, "base", "", "base `behavior` instead of the configured one")
	fl.StringVar(&f.stageFile, "stage-file", "", "`file` that keeps the stage of the robot's life; see robotd ctl stage. Default stage in the state folder, headless none")
	f.recording.register(fl)
	fl.StringVar(&f.robot, "robot", "sim", "the robot; only sim exists")
	fl.DurationVar(&f.period, "period", actors.DefaultPeriod, "time between two ticks, 1ms to 1s")
	fl.DurationVar(&f.budget, "hook-budget", 0, "how long one hook may take, at most the period; 0 = a sixth of it, at least 2ms")
	fl.Uint64Var(&f.seed, "seed", 1, "of all chance, the simulated world's included")
	fl.StringVar(&f.listen, "listen", controlAddress, "loopback `address` of page and control")
	fl.StringVar(&f.metrics, "metrics-listen", metricsAddress, "`address` of metrics and health")
	fl.StringVar(&f.foxglove, "foxglove", "", "stream to Foxglove on this loopback `address`; "+foxgloveAddress+" if none is given")
	fl.Lookup("foxglove").NoOptDefVal = foxgloveAddress
	fl.BoolVar(&f.foxgloveControl, "foxglove-control", false, "let clients of that stream ask the robot for something, as its page does")
	fl.StringVar(&f.logLevel, "log-level", "", "debug, info, warn or error (default info; headless warn)")
	fl.StringVar(&f.logFormat, "log-format", "auto", "text, json, journal (systemd's, with fields), or auto: journal if stderr leads there, else text")
	fl.BoolVar(&f.realtime, "realtime", false, "wake the ticks on a real-time thread, if permitted; costs a little processor time")
	fl.BoolVar(&f.open, "open", false, "open the page in a browser")
	fl.DurationVar(&f.span, "for", 0, "stop after this time; 0 = live until told to stop")
	fl.StringVar(&f.summary, "summary", "", "print a summary at the end: json or text (default text if headless)")
	fl.BoolVar(&f.headless, "headless", false, "virtual time, no listeners")
	fl.StringVar(&f.speed, "speed", "", "headless: max, or at most so many times real time (default max)")
	f.registerScript(fl, "headless: ")
	fl.StringVar(&f.trace, "trace", "", "headless: write every event and command to this `file`; - is stdout, then the summary goes to stderr")
}

// registerScript registers the flags of what happens to a headless robot.
func (f *runFlags) registerScript(fl *pflag.FlagSet, when string) {
	fl.StringArrayVar(&f.faults, "fault", nil, when+"`\"TIME DEVICE KIND [FOR]\"`, may be repeated")
	fl.StringVar(&f.faultFile, "faults", "", when+"`file` with one fault a line")
	fl.StringArrayVar(&f.acts, "act", nil, when+"`\"TIME ACT [KEY=VALUE…]\"`, such as \"30s pickup\", may be repeated")
}

// run checks the whole command line before it opens or starts anything.
func (p *program) run(c *cobra.Command, f *runFlags) error {
	level, err := f.check()
	if err != nil {
		return err
	}
	if err := f.checkListeners(c.Flags().Changed); err != nil {
		return err
	}
	if err := f.recording.check(f.headless, c.Flags().Changed); err != nil {
		return err
	}
	if f.headless { // before the tree is read, which leaves much garbage behind
		setup.TuneVirtual(1)
	} else {
		setup.Tune()
	}
	cat, err := p.loadEither(f.resources, f.lenient, c.ErrOrStderr())
	if err != nil {
		return err
	}
	stage, err := f.stage()
	if err != nil {
		return err
	}
	s := setup.Options{
		Catalog: cat, Foreign: f.lenient, Base: f.base, Stage: stage, StageFile: f.stageFile, Period: f.period, Budget: f.budget, Seed: f.seed, Version: p.version, Realtime: f.realtime,
	}
	if err := s.Validate(); err != nil {
		return usage("%v", err)
	}
	s.Build = p.buildTree
	f.source(&s)
	builtIn, err := openTree(f.resources, f.lenient)
	if err != nil {
		return err
	}
	tree, err := f.withEdits(&s, builtIn)
	if err == nil {
		err = f.recording.apply(&s, f.headless, tree)
	}
	if err == nil {
		err = f.recording.remember(&s, f.headless, time.Now())
	}
	if err != nil {
		return err
	}
	survivePipes()
	if f.headless {
		s.Log = logTo(c.ErrOrStderr(), f.format(), level)
		return p.runHeadless(c, f, s)
	}
	return p.runLive(c, f, s, level)
}

// stage reads the stage of the robot's life: from the file that is named, or live from the one in the state folder. If that one cannot be
// read, it is set aside and the robot is in daily use.
func (f *runFlags) stage() (engine.Stage, error) {
	if f.stageFile != "" {
		stage, err := setup.ReadStage(f.stageFile)
		if err != nil {
			return 0, usage("--stage-file: %v", err)
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

// check checks the flags that need no file.
func (f *runFlags) check() (level slog.Level, err error) {
	if f.logLevel == "" {
		f.logLevel = "info"
		if f.headless {
			f.logLevel = "warn"
		}
	}
	levels := []string{"debug", "error", "info", "warn"}
	switch {
	case !slices.Contains(robots, f.robot):
		return 0, usage("%v", resources.Unknown("robot", f.robot, robots))
	case !slices.Contains(levels, f.logLevel):
		return 0, usage("%v", resources.Unknown("log level", f.logLevel, levels))
	case !slices.Contains(eventlog.Formats(), f.logFormat):
		return 0, usage("%v", resources.Unknown("log format", f.logFormat, eventlog.Formats()))
	case f.logFormat == string(eventlog.FormatJournal) && f.headless:
		return 0, usage("--log-format journal makes no sense with --headless: the journal would date its lines by real time")
	case f.logFormat == string(eventlog.FormatJournal) && !eventlog.JournalAvailable():
		return 0, usage("--log-format journal: this machine has no systemd journal; want text or json")
	case f.summary != "" && !slices.Contains(runstats.SummaryFormats(), f.summary):
		return 0, usage("%v", resources.Unknown("summary format", f.summary, runstats.SummaryFormats()))
	case f.span < 0:
		return 0, usage("--for %v: the time must not be negative", f.span)
	case f.period < actors.MinPeriod || f.period > actors.MaxPeriod:
		return 0, usage("--period: the period %v is not between %v and %v", f.period, actors.MinPeriod, actors.MaxPeriod)
	case f.headless && f.span == 0:
		return 0, usage("--headless needs --for TIME: virtual time has no end of its own")
	case !f.headless && (f.speed != "" || f.trace != "" || f.faultFile != "" || len(f.faults)+len(f.acts) > 0):
		return 0, usage("--speed, --fault, --faults, --act and --trace need --headless; a live robot is changed with robotd ctl")
	}
	return level, level.UnmarshalText([]byte(f.logLevel))
}

// checkListeners checks the addresses before any is opened. Given reports whether a flag stands on the command line.
func (f *runFlags) checkListeners(given func(flag string) bool) error {
	if f.headless {
		if f.realtime {
			return usage("--realtime makes no sense with --headless: virtual time is never late")
		}
		for _, flag := range []string{"listen", "metrics-listen", "open", "foxglove", "foxglove-control"} {
			if given(flag) {
				return usage("--%s makes no sense with --headless, which has no listeners", flag)
			}
		}
		return nil
	}
	if err := control.CheckAddress(f.listen); err != nil {
		return usage("--listen: %v", err)
	}
	if err := control.CheckAddress(f.metrics); err != nil {
		return usage("--metrics-listen: %v", err)
	}
	if err := f.checkFoxglove(); err != nil {
		return err
	}
	if control.SameAddress(f.listen, f.metrics) {
		return usage("--listen %s and --metrics-listen %s are the same address: choose another port for one", f.listen, f.metrics)
	}
	return nil
}

// checkFoxglove checks the flags of the stream for Foxglove.
func (f *runFlags) checkFoxglove() error {
	if f.foxglove == "" {
		if f.foxgloveControl {
			return usage("--foxglove-control needs --foxglove")
		}
		return nil
	}
	if err := control.CheckAddress(f.foxglove); err != nil {
		return usage("--foxglove: %v", err)
	}
	for flag, address := range map[string]string{"listen": f.listen, "metrics-listen": f.metrics} {
		if control.SameAddress(address, f.foxglove) {
			return usage("--%s and --foxglove are the same address, %s: choose another port for one", flag, address)
		}
	}
	return nil
}

// patience is how long a headless run may go on after the first signal. It ends at once unless nobody reads its trace or its log.
const patience = 2 * time.Second

func (p *program) runHeadless(c *cobra.Command, f *runFlags, s setup.Options) error {
	ctx, _, release := signals(c.Context(), patience, nil, func(err error) { p.giveUp(c.ErrOrStderr(), err) })
	defer release()
	o := headless.Options{For: f.span}
	var err error
	if o.Speed, err = parseSpeed(f.speed); err != nil {
		return err
	}
	if o.Script, err = f.script(s); err != nil {
		return err
	}
	result := c.OutOrStdout()
	switch f.trace {
	case "":
	case "-":
		o.Trace, result = result, c.ErrOrStderr()
	default:
		// Only for writing: whoever also reads a pipe is never told that nobody else does.
		file, err := os.OpenFile(f.trace, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
		if err != nil {
			return usage("--trace: %v", err)
		}
		defer func() { _ = file.Close() }()
		o.Trace = file
	}
	sum, err := headless.Run(ctx, s, o)
	if sum.Activations == nil { // the run did not start
		return err
	}
	if f.summary == "" {
		f.summary = "text"
	}
	return errors.Join(err, sum.Write(result, f.summary))
}

// script reads all faults and acts, and reports all mistakes at once.
func (f *runFlags) script(s setup.Options) ([]headless.Line, error) {
	var lines []headless.Line
	var errs []error
	keep := func(l headless.Line, err error) {
		lines, errs = append(lines, l), append(errs, err)
	}
	if f.faultFile != "" {
		file, err := os.Open(f.faultFile)
		if err != nil {
			return nil, usage("--faults: %v", err)
		}
		defer func() { _ = file.Close() }()
		more, err := headless.ParseFaults(f.faultFile, file)
		lines, errs = append(lines, more...), append(errs, err)
	}
	for _, text := range f.faults {
		keep(headless.ParseFault(text))
	}
	for _, text := range f.acts {
		keep(headless.ParseAct(text, s))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, usage("%v", err)
	}
	headless.SortScript(lines)
	return lines, nil
}

// parseSpeed reads "max" or a factor; 0 means max.
func parseSpeed(text string) (float64, error) {
	if text == "" || text == "max" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
	if err != nil || !(v >= 0.01 && v <= 1e6) {
		return 0, usage("--speed %q: want max, or a factor between 0.01 and 1000000", text)
	}
	return v, nil
}
