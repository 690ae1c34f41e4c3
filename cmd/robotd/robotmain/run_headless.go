package robotmain

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

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
		if err := f.checkTrace(); err != nil {
			return err
		}
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

// checkTrace refuses a trace over what the run reads, and over recordings.
func (f *runFlags) checkTrace() error {
	for _, read := range [...]struct{ flag, file string }{{"--robot", f.robot}, {"--faults", f.faultFile}, {"--config", f.config}, {"--stage-file", f.stageFile}} {
		if named := read.flag == "--robot" && !strings.HasSuffix(read.file, ".json"); !named && sameFile(f.trace, read.file) {
			return usage("--trace: %s is the file of %s; name another one", f.trace, read.flag)
		}
	}
	if strings.HasSuffix(f.trace, ".mcap") {
		return usage("--trace: %s is a recording; a trace is text, name another file", f.trace)
	}
	return nil
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
		more, err := headless.ParseFaults(f.faultFile, file, s)
		lines, errs = append(lines, more...), append(errs, err)
	}
	for _, text := range f.faults {
		keep(headless.ParseFault(text, s))
	}
	for _, text := range f.acts {
		keep(headless.ParseAct(text, s))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, usage("%v", err)
	}
	headless.SortScript(lines)
	if f.headless || f.span > 0 {
		for _, l := range lines {
			if l.At > f.span {
				return nil, usage("%s: %v is after the end, --for %v", l.Text, l.At, f.span)
			}
		}
	}
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
