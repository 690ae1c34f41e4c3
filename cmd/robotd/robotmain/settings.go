package robotmain

import (
	"errors"
	"log/slog"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/cmd/robotd/internal/config"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/speech"
	"github.com/robotd/robotd/hardware/sim"
)

const configUsage = "configuration `file`; none reads none. Default /etc/robotd/robotd.json, and over it robotd/robotd.json in $XDG_CONFIG_HOME"

var (
	// logLevels are the words of --log-level. Never written.
	logLevels = []string{"debug", "error", "info", "warn"}

	// ofOneRun are the flags of run that are no settings: they belong to one run. Never written.
	ofOneRun = []string{"config", "headless", "speed", "fault", "faults", "act", "trace"}

	// ofLiveRuns are the settings that headless runs do not have. From elsewhere than the command line they are void there. Never written.
	ofLiveRuns = []string{
		"addr", "listen", "metrics-listen", "open", "foxglove", "foxglove-control", "log-format", "realtime", "state", "stage-file", "memory", "no-memory", "calibration",
		"record", "no-record", "record-limit", "no-flight-recorder", "speech", "speech-command",
	}
)

// knownSettings are all settings: what robotd.json and the environment may say.
func knownSettings() *pflag.FlagSet {
	f, c := &runFlags{}, &cobra.Command{}
	f.register(c)
	known := pflag.NewFlagSet("", pflag.ContinueOnError)
	known.SortFlags = false
	c.Flags().VisitAll(func(one *pflag.Flag) {
		if !slices.Contains(ofOneRun, one.Name) {
			known.AddFlag(one)
		}
	})
	known.String("addr", controlAddress, "control `address` of the daemon that ctl and other commands speak to; default that of listen")
	return known
}

// settingRules are the rules of robotd.json.
func settingRules() config.Rules {
	return config.Rules{
		Words: map[string][]string{
			"people": sim.PeopleNames(), "log-level": logLevels, "speech": speech.Backends(), "log-format": eventlog.Formats(), "summary": runstats.SummaryFormats(),
		},
		Either: [][2]string{{"no-record", "record"}, {"no-record", "record-limit"}, {"no-memory", "memory"}},
	}
}

// sources are the files and the environment of this process. A file that is named stands for the default ones.
func sources(named string, rules config.Rules) config.Sources {
	if named == "" {
		named = os.Getenv(config.FileVariable)
	}
	return config.Sources{Known: knownSettings(), Places: config.Places(named), Environ: os.Environ(), Rules: rules}
}

// configure gives the flags of run the values of robotd.json and the environment, and checks all that need no other file.
func (f *runFlags) configure(fl *pflag.FlagSet) (level slog.Level, err error) {
	s := sources(f.config, settingRules())
	if f.headless {
		if f.config == "" && os.Getenv(config.FileVariable) == "" { // equal seeds give equal runs, on any machine
			s.Places = nil
		}
		s.Rules.Void = func(setting string) bool { return slices.Contains(ofLiveRuns, setting) }
	}
	return f.resolve(fl, s)
}

func (f *runFlags) resolve(fl *pflag.FlagSet, s config.Sources) (level slog.Level, err error) {
	f.settings, err = config.Resolve(fl, s)
	if err != nil {
		return 0, badSetting(err)
	}
	if level, err = f.check(); err == nil {
		err = f.checkListeners(f.given(fl))
	}
	if err == nil {
		err = f.recording.check(f.headless, f.given(fl))
	}
	return level, f.locate(err)
}

// given reports whether a flag has a value other than by default.
func (f *runFlags) given(fl *pflag.FlagSet) func(flag string) bool {
	return func(flag string) bool { return fl.Changed(flag) || f.settings.Given(flag) }
}

// locate words a mistake in a setting at the place where its value comes from.
func (f *runFlags) locate(err error) error {
	var e *exitError
	if !errors.As(err, &e) || e.settings == nil {
		return err
	}
	if at := f.settings.Locate(e.text, e.settings...); at != nil {
		return badSetting(at)
	}
	return err
}

// locateFolder is locate for the resource folder.
func (f *runFlags) locateFolder(err error) error {
	var e *exitError
	if errors.As(err, &e) && e.code == exitUsage {
		return f.locate(wrong([]string{"resources"}, "%s", e.text))
	}
	return err
}

// wrongOption is the error of an option of a life, with the setting that it is about.
func wrongOption(err error) error {
	var w *setup.WrongOption
	if errors.As(err, &w) {
		return wrong([]string{w.Flag}, "%v", err)
	}
	return usage("%v", err)
}

// badSetting gives a mistake outside of the command line its exit code: files are findings, as behavior files are.
func badSetting(err error) error {
	var e *config.Error
	if errors.As(err, &e) && e.Findings != nil {
		return &exitError{code: exitFindings, text: err.Error(), findings: e.Findings}
	}
	return usage("%v", err)
}

// settingsFile describes robotd.json as the files of a resource folder are described.
func settingsFile() reference.File {
	return reference.File{
		Name: "robotd", Pattern: config.FileName, Doc: "Settings of the daemon, named like the flags of robotd run.",
		Keys: settingRules().Keys(knownSettings()),
	}
}

// reference is what files may hold, with robotd.json.
func (p *program) reference() *reference.Reference {
	r := reference.Of(p.classes)
	r.Files = append(r.Files, settingsFile(), p.robotFile())
	return r
}

// remoteAddress gives --addr the address that the environment or robotd.json names: as addr, or as that on which a daemon listens. A file with
// mistakes must not keep an emergency stop from its robot: it is told of, and what else it says holds.
func remoteAddress(c *cobra.Command) {
	addr := c.Flags().Lookup("addr")
	if addr == nil || addr.Changed {
		return
	}
	both := pflag.NewFlagSet("", pflag.ContinueOnError)
	both.AddFlag(addr)
	listen := both.String("listen", "", "")
	s := sources("", settingRules())
	s.Salvage = true
	found, err := config.Resolve(both, s)
	if err != nil {
		c.PrintErrln("robotd: mistakes in the configuration are left out:", err)
	}
	if !found.Given("addr") && control.CheckAddress(*listen) == nil {
		_ = addr.Value.Set(*listen)
	}
}
