package robotmain

import (
	"log/slog"
	"slices"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/resources"
)

// check checks the flags that need no file.
func (f *runFlags) check() (level slog.Level, err error) {
	if f.logLevel == "" {
		f.logLevel = "info"
		if f.headless {
			f.logLevel = "warn"
		}
	}
	switch {
	case !slices.Contains(backends, f.backend):
		return 0, wrong([]string{"backend"}, "%v", resources.Unknown("back end", f.backend, backends))
	case !slices.Contains(logLevels, f.logLevel):
		return 0, wrong([]string{"log-level"}, "%v", resources.Unknown("log level", f.logLevel, logLevels))
	case !slices.Contains(eventlog.Formats(), f.logFormat):
		return 0, wrong([]string{"log-format"}, "%v", resources.Unknown("log format", f.logFormat, eventlog.Formats()))
	case f.logFormat == string(eventlog.FormatJournal) && f.headless:
		return 0, usage("--log-format journal makes no sense with --headless: the journal would date its lines by real time")
	case f.logFormat == string(eventlog.FormatJournal) && !eventlog.JournalAvailable():
		return 0, wrong([]string{"log-format"}, "--log-format journal: this machine has no systemd journal; want text or json")
	case f.summary != "" && !slices.Contains(runstats.SummaryFormats(), f.summary):
		return 0, usage("%v", resources.Unknown("summary format", f.summary, runstats.SummaryFormats()))
	case f.span < 0:
		return 0, wrong([]string{"for"}, "--for %v: the time must not be negative", f.span)
	case f.period < actors.MinPeriod || f.period > actors.MaxPeriod:
		return 0, wrong([]string{"period"}, "--period: the period %v is not between %v and %v", f.period, actors.MinPeriod, actors.MaxPeriod)
	case f.headless && f.backend != backends[0]:
		return 0, wrong([]string{"backend"}, "--backend %s makes no sense with --headless: the buses of a machine have real time", f.backend)
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
	if err := control.CheckLoopback(f.listen); err != nil {
		return wrong([]string{"listen"}, "--listen: %v", err)
	}
	if err := control.CheckAddress(f.metrics); err != nil {
		return wrong([]string{"metrics-listen"}, "--metrics-listen: %v", err)
	}
	if err := f.checkFoxglove(); err != nil {
		return err
	}
	if control.SameAddress(f.listen, f.metrics) {
		return wrong([]string{"metrics-listen", "listen"}, "--listen %s and --metrics-listen %s are the same address: choose another port for one", f.listen, f.metrics)
	}
	return nil
}

// checkFoxglove checks the flags of the stream for Foxglove.
func (f *runFlags) checkFoxglove() error {
	if f.foxglove == "" {
		if f.foxgloveControl {
			return wrong([]string{"foxglove-control"}, "--foxglove-control needs --foxglove")
		}
		return nil
	}
	if err := control.CheckLoopback(f.foxglove); err != nil {
		return wrong([]string{"foxglove"}, "--foxglove: %v", err)
	}
	for flag, address := range map[string]string{"listen": f.listen, "metrics-listen": f.metrics} {
		if control.SameAddress(address, f.foxglove) {
			return wrong([]string{"foxglove", flag}, "--%s and --foxglove are the same address, %s: choose another port for one", flag, address)
		}
	}
	return nil
}
