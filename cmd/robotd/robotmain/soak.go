package robotmain

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware/profile"
)

// Limits of a soak.
const (
	maxLives = 100_000
	maxJobs  = 256
)

// soakFlags are the flags of soak.
type soakFlags struct {
	run         runFlags // those that both have
	seeds       string
	first, last uint64
	jobs        int
	dockings    uint64
	twice, json bool
}

func (p *program) newSoak() *cobra.Command {
	f := &soakFlags{}
	c := &cobra.Command{
		Use:   "soak",
		Short: "Live many lives in virtual time, and tell what went wrong",
		Long: `Soak lives one headless life for each seed, several side by side, and prints a table: how far each robot drove and what
went wrong. A life has findings if the robot fell, broke a rule of the lifecycle, lost a hook by a panic or a hang, or did not
get to its charger as often as it should. With --twice each life is lived again, with its goroutines scheduled otherwise, and
must decide the same. Soak exits with 3 if there are findings.`,
		Example: `  robotd soak --seeds 1..1000 --for 30m
  robotd soak --seeds 1..20 --for 30m --twice --dockings 1
  robotd soak --robot jetbot --seeds 1..5
  robotd soak --seeds 7 --for 6h --act "30s pickup" --fault "1h imu absent 2s" --json`,
		Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return p.soak(c, f) },
	}
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.seeds, "seeds", "1..20", "`FIRST..LAST`, one life for each, or one seed")
	fl.DurationVar(&f.run.span, "for", 30*time.Minute, "how long each life is")
	fl.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "lives side by side")
	fl.BoolVar(&f.twice, "twice", false, "live each life twice; both must decide the same")
	fl.Uint64Var(&f.dockings, "dockings", 0, "how often each robot must get to its charger")
	fl.BoolVar(&f.json, "json", false, "print one JSON object a life")
	fl.StringVar(&f.run.resources, "resources", "", "resource `folder` instead of the built-in one")
	fl.StringVar(&f.run.base, "base", "", "base `behavior` instead of the configured one")
	fl.StringVar(&f.run.robot, "robot", profile.Default, robotUsage)
	f.run.registerPeople(fl)
	f.run.registerScript(fl, "")
	return c
}

// soak checks the whole command line before it begins.
func (p *program) soak(c *cobra.Command, f *soakFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	cat, err := p.loadTree(f.run.resources, c.ErrOrStderr())
	if err != nil {
		return err
	}
	people, err := f.run.company()
	if err != nil {
		return err
	}
	s := setup.Options{
		People:  people,
		Drivers: p.drivers, Named: p.named, Catalog: cat, Base: f.run.base, Stage: engine.StageComplete, Version: p.version, Log: logTo(c.ErrOrStderr(), eventlog.FormatText, slog.LevelError),
	}
	if err := s.Validate(); err != nil {
		return usage("%v", err)
	}
	tree, err := openTree(f.run.resources, false)
	if err != nil {
		return err
	}
	if s.Robot, err = p.readRobot(tree, f.run.robot, c.ErrOrStderr()); err != nil {
		return err
	}
	script, err := f.run.script(s)
	if err != nil {
		return err
	}
	survivePipes()
	ctx, _, release := signals(c.Context(), patience, nil, func(err error) { p.giveUp(c.ErrOrStderr(), err) })
	defer release()
	t := &soakTable{w: c.OutOrStdout(), json: f.json, begin: time.Now(), times: 1}
	if f.twice {
		t.times = 2
	}
	err = headless.Soak(ctx, s, headless.SoakOptions{
		Options: headless.Options{For: f.run.span, Script: script},
		First:   f.first, Last: f.last, Jobs: f.jobs, Twice: f.twice, Dockings: f.dockings,
	}, t.add)
	if err != nil {
		return err
	}
	if err := t.end(); err != nil {
		return err
	}
	if t.found > 0 {
		return findings()
	}
	return nil
}

func (f *soakFlags) check() (err error) {
	if f.first, f.last, err = parseSeeds(f.seeds); err != nil {
		return err
	}
	switch {
	case f.run.span <= 0:
		return usage("--for %v: want a time above 0, such as 30m", f.run.span)
	case f.jobs < 1 || f.jobs > maxJobs:
		return usage("--jobs %d: want 1 to %d lives side by side", f.jobs, maxJobs)
	}
	return nil
}

// parseSeeds reads FIRST..LAST, or one seed.
func parseSeeds(text string) (first, last uint64, err error) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		to = from
	}
	first, err1 := strconv.ParseUint(from, 10, 64)
	last, err2 := strconv.ParseUint(to, 10, 64)
	switch {
	case err1 != nil || err2 != nil:
		return 0, 0, usage("--seeds %q: want FIRST..LAST, such as 1..20, or one seed", text)
	case first > last:
		return 0, 0, usage("--seeds %s: the first seed is above the last; want %d..%d", text, last, first)
	case last-first >= maxLives:
		return 0, 0, usage("--seeds %s: more than %d lives; want at most %d..%d", text, maxLives, first, first+maxLives-1)
	}
	return first, last, nil
}

// A soakTable prints lives as they come, and what they amount to.
type soakTable struct {
	w     io.Writer
	json  bool
	begin time.Time
	times time.Duration // that each life is lived

	lives, found int
	lived        time.Duration
}

// columns of the table: seed, ticks, meters driven, dockings, falls, violations, panics, hangs, restarts, speed, hash.
const (
	soakHead = "%8s %9s %9s %8s %5s %10s %6s %5s %8s %7s  %s\n"
	soakRow  = "%8d %9d %9.1f %8d %5d %10d %6d %5d %8d %6.0fx  %-16.16s %s\n"
)

func (t *soakTable) add(l headless.Life) error {
	t.lives++
	t.lived += t.times * time.Duration(l.SimSeconds*float64(time.Second))
	if len(l.Findings) > 0 {
		t.found++
	}
	if t.json {
		return json.NewEncoder(t.w).Encode(l)
	}
	if t.lives == 1 {
		if _, err := fmt.Fprintf(t.w, soakHead, "seed", "ticks", "driven m", "dockings", "falls", "violations", "panics", "hangs", "restarts", "speed", "hash"); err != nil {
			return err
		}
	}
	verdict := "ok"
	if len(l.Findings) > 0 {
		verdict = strings.Join(l.Findings, "; ")
	}
	_, err := fmt.Fprintf(t.w, soakRow, l.Seed, l.Ticks, l.DistanceM, l.Dockings, l.Falls, l.LifecycleViolations, l.Panics, l.Hangs, l.Restarts,
		l.SpeedX, l.DecisionHash, verdict)
	return err
}

// end prints the last line of the table.
func (t *soakTable) end() error {
	if t.json {
		return nil
	}
	took := time.Since(t.begin)
	_, err := fmt.Fprintf(t.w, "%s, %v of robot life in %v (%.0f times as fast), %d with findings\n", lives(t.lives), t.lived, took.Round(100*time.Millisecond),
		t.lived.Seconds()/took.Seconds(), t.found)
	return err
}

func lives(n int) string {
	if n == 1 {
		return "1 life"
	}
	return fmt.Sprintf("%d lives", n)
}
