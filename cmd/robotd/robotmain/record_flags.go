package robotmain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/metrics/record"
)

// A byteSize is the value of a flag such as 500MB or 1GiB.
type byteSize int64

var _ pflag.Value = (*byteSize)(nil)

// units of sizes, in lower case, longer ones before their endings.
var units = []struct {
	name  string
	bytes float64
}{
	{"kib", 1 << 10},
	{"mib", 1 << 20},
	{"gib", 1 << 30},
	{"tib", 1 << 40},
	{"kb", 1e3},
	{"mb", 1e6},
	{"gb", 1e9},
	{"tb", 1e12},
	{"k", 1 << 10},
	{"m", 1 << 20},
	{"g", 1 << 30},
	{"t", 1 << 40},
	{"b", 1},
	{"", 1},
}

// Set implements pflag.Value.
func (b *byteSize) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToLower(text), u.name)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(v >= 0 && v*u.bytes < 1<<62) {
			break
		}
		*b = byteSize(v * u.bytes)
		return nil
	}
	return errors.New("want a size such as 500MB or 1GiB")
}

func (b *byteSize) String() string {
	for _, u := range []struct {
		name  string
		bytes byteSize
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if *b >= u.bytes && *b%u.bytes == 0 {
			return fmt.Sprintf("%d%s", *b/u.bytes, u.name)
		}
	}
	return fmt.Sprintf("%dB", *b)
}

// Type implements pflag.Value.
func (b *byteSize) Type() string { return "size" }

// recordFlags are the flags of the recording.
type recordFlags struct {
	state, dir   string
	limit        byteSize
	off          bool
	traceless    bool
	memory       string // file
	forgetful    bool
	calibration  string // file
	prevented    error  // why the run is not recorded by default
	unstaged     error  // why the stage of the life before is not used
	forgotten    error  // why the memory of the life before is not used
	uncalibrated error  // why what was measured of the robot is not used
}

func (f *recordFlags) register(fl *pflag.FlagSet) {
	f.limit = record.DefaultLimit
	fl.StringVar(&f.state, "state", "", "state `folder`, with recordings/ in it; default $STATE_DIRECTORY, else robotd in $XDG_STATE_HOME, else ~/.local/state/robotd")
	fl.StringVar(&f.dir, "record", "", "`folder` of the recording; headless records only with it")
	fl.Var(&f.limit, "record-limit", "`size` of all recordings in the folder, the oldest are deleted beyond it; at least 16MiB")
	fl.BoolVar(&f.off, "no-record", false, "do not record")
	fl.StringVar(&f.memory, "memory", "", "`file` with mood, timers, counters, faces and places of the life before, which are kept in it; default memory.json in the state folder; headless: only read, and only if it is given")
	fl.BoolVar(&f.forgetful, "no-memory", false, "begin without the memory of the life before, and keep none")
	fl.StringVar(&f.calibration, "calibration", "", "`file` with what was measured of the robot, and what its devices learn; default calibration-ROBOT.json in the state folder; headless: only read, and only if it is given")
	fl.BoolVar(&f.traceless, "no-flight-recorder", false, "write no execution trace to traces/ of the state folder when a tick misses its deadline")
}

// check checks the flags. Given reports whether one stands on the command line.
func (f *recordFlags) check(headless bool, given func(flag string) bool) error {
	switch {
	case f.off && given("record"):
		return wrong([]string{"no-record"}, "--no-record and --record %s contradict each other: leave one out", f.dir)
	case f.off && given("record-limit"):
		return wrong([]string{"record-limit"}, "--record-limit makes no sense with --no-record")
	case f.forgetful && given("memory"):
		return wrong([]string{"no-memory"}, "--no-memory and --memory %s contradict each other: leave one out", f.memory)
	case given("memory") && f.memory == "":
		return wrong([]string{"memory"}, "--memory wants a file")
	case given("calibration") && f.calibration == "":
		return wrong([]string{"calibration"}, "--calibration wants a file")
	case given("record") && f.dir == "":
		return wrong([]string{"record"}, "--record wants a folder")
	case given("state") && f.state == "":
		return wrong([]string{"state"}, "--state wants a folder")
	case headless && given("state"):
		return usage("--state makes no sense with --headless, which keeps nothing; --record DIR records")
	case headless && f.traceless:
		return usage("--no-flight-recorder makes no sense with --headless: virtual time misses no deadline")
	case headless && f.dir == "" && given("record-limit"):
		return usage("--record-limit makes no sense with --headless but without --record DIR")
	case f.limit < record.MinLimit:
		return wrong([]string{"record-limit"}, "--record-limit %v is too small: at least 16MiB", &f.limit)
	}
	return nil
}

// apply says where the run is recorded. A folder that was named must be good; without the default one the robot lives unrecorded.
func (f *recordFlags) apply(s *setup.Options, headless bool, tree setup.Tree) error {
	if headless && f.dir == "" {
		return nil
	}
	var err error
	if s.Tree, err = tree.Recorded(); err != nil {
		return err
	}
	dir := f.dir
	if !headless {
		state, err := setup.StateDir(f.state)
		switch {
		case err == nil && !f.traceless:
			s.Traces = setup.TracesDir(state)
		case err != nil && dir == "" && !f.off:
			f.prevented = err
			return nil
		}
		if dir == "" && !f.off {
			dir = setup.RecordingsDir(state)
		}
	}
	if dir == "" {
		return nil
	}
	err = setup.MakeDir(dir)
	switch {
	case err == nil:
		s.Recording = setup.Recording{Dir: dir, Limit: int64(f.limit)}
	case f.dir != "":
		return wrong([]string{"record"}, "--record %v", err)
	case f.state != "":
		return wrong([]string{"state"}, "--state %v", err)
	default:
		f.prevented = err
	}
	return nil
}

// remember reads the memory of the life before. A file that cannot be used is set aside, and the robot begins without: except headless, where
// it was asked for.
func (f *recordFlags) remember(s *setup.Options, headless bool, now time.Time) error {
	file := f.memory
	if file == "" && !headless {
		if state, err := setup.StateDir(f.state); err == nil {
			file = setup.MemoryFile(state)
		}
	}
	if file == "" || f.forgetful {
		return nil
	}
	if !headless {
		s.MemoryFile = file
	}
	if headless {
		now = time.Time{} // equal runs begin with equal memories, however old the file is
	}
	memory, err := setup.ReadMemory(file, now)
	switch {
	case err == nil && headless && memory == nil:
		return usage("--memory: there is no file %s", file)
	case err == nil:
		s.Memory = memory
		return nil
	case headless:
		return usage("--memory: %v", err)
	}
	f.forgotten = err
	if aside, wrong := setup.SetAside(file); wrong == nil {
		f.forgotten = fmt.Errorf("%w; it is set aside as %s", err, aside)
	}
	return nil
}

// calibrate reads what was measured of the robot. A file that cannot be used is set aside, and the robot begins with the values of its
// profile: except headless, where the file was asked for.
func (f *recordFlags) calibrate(s *setup.Options, headless bool) error {
	file := f.calibration
	if file == "" && !headless {
		if state, err := setup.StateDir(f.state); err == nil {
			file = setup.CalibrationFile(state, s.Body())
		}
	}
	if file == "" {
		return nil
	}
	c, err := setup.ReadCalibration(file, s.Body(), s.Profile())
	switch {
	case headless && err != nil:
		return usage("--calibration: %v", err)
	case headless && c == nil:
		return usage("--calibration: there is no file %s", file)
	case !headless:
		s.CalibrationFile = file
	}
	if s.Calibration = c; err == nil {
		return nil
	}
	f.uncalibrated = err
	if aside, wrong := setup.SetAside(file); wrong == nil {
		f.uncalibrated = fmt.Errorf("%w; it is set aside as %s", err, aside)
	}
	return nil
}
