package robotmain

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/cmd/robotd/internal/export"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// exportFormats are what --format may name. Never written.
var exportFormats = []string{"csv", "perfetto"}

// exportFlags are the flags of export.
type exportFlags struct {
	span        timeSpan
	format, out string
	series      []string
}

func newExport() *cobra.Command {
	f := &exportFlags{}
	c := &cobra.Command{
		Use:   "export FILE --format FORMAT",
		Short: "Write a recording for other tools: a trace for Perfetto, numbers as CSV",
		Long: `Export writes a recording, or a part of it, in the form of another tool:

perfetto  a trace that https://ui.perfetto.dev and chrome://tracing open: the stack as nested slices, actions, intents, numbers,
          and what happened
csv       a table of numbers by time`,
		Example: `  robotd export life.mcap --format perfetto -o life.json
  robotd export life.mcap --format csv --series battery,range --from 10m --to 12m`,
		Args: want(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.export(c.OutOrStdout(), c.ErrOrStderr(), args[0])
		},
	}
	f.span.register(c.Flags())
	c.Flags().StringVar(&f.format, "format", "", "one of "+strings.Join(exportFormats, ", "))
	c.Flags().StringSliceVar(&f.series, "series", nil, "`names` of numbers, separated by commas (default some)")
	c.Flags().StringVarP(&f.out, "output", "o", "", "`file` to write (default stdout)")
	return c
}

func (f *exportFlags) export(stdout, stderr io.Writer, file string) error {
	if !slices.Contains(exportFormats, f.format) {
		return usage("%v", resources.Unknown("format", f.format, exportFormats))
	}
	h, err := record.Open(file)
	if err != nil {
		return usage("%v", err)
	}
	defer func() { _ = h.Close() }()
	from, to, err := f.span.within(h)
	if err != nil {
		return err
	}
	past := &facts.Past{Source: h}
	if err := f.check(past); err != nil {
		return err
	}
	if f.out != "" {
		err = f.writeFile(h, past, from, to)
	} else {
		err = f.write(stdout, past, from, to)
	}
	if err == nil {
		warnOfGaps(stderr, h, from, to)
	}
	return err
}

// warnOfGaps says what of a span was not recorded. A damaged part of the file is among the gaps once it was read.
func warnOfGaps(stderr io.Writer, h record.History, from, to time.Duration) {
	for _, g := range h.Gaps() {
		if g.From.At <= to && g.To.At >= from {
			_, _ = fmt.Fprintf(stderr, "robotd: not recorded: %.1f to %.1f s: %s\n", g.From.At.Seconds(), g.To.At.Seconds(), g.Reason)
		}
	}
}

// writeFile writes the whole file or leaves what was there.
func (f *exportFlags) writeFile(h *record.Reader, past *facts.Past, from, to time.Duration) error {
	for _, name := range h.Files() {
		if sameFile(f.out, name) {
			return usage("-o: %s is the recording itself; name another file", f.out)
		}
	}
	if is, err := os.Stat(f.out); err == nil && !is.Mode().IsRegular() { // a device or a pipe
		out, err := os.OpenFile(f.out, os.O_WRONLY, 0)
		if err != nil {
			return usage("-o: %v", err)
		}
		return errors.Join(f.write(out, past, from, to), out.Close())
	}
	if _, err := os.Stat(filepath.Dir(f.out)); err != nil {
		return usage("-o: %v", err)
	}
	return writeWhole(f.out, 0o640, func(w io.Writer) error { return f.write(w, past, from, to) })
}

// check completes the series, and names those that there are not.
func (f *exportFlags) check(past *facts.Past) error {
	if f.series == nil {
		f.series = map[string][]string{"csv": export.CSVSeries, "perfetto": export.TraceSeries}[f.format]
	}
	var names []string
	for _, n := range past.SeriesNames() {
		names = append(names, n.Name)
	}
	for _, s := range f.series {
		if !slices.Contains(names, s) {
			return usage("--series: %v", resources.Unknown("series", s, names))
		}
	}
	return nil
}

func (f *exportFlags) write(w io.Writer, past *facts.Past, from, to time.Duration) error {
	if f.format == "csv" {
		return export.CSV(w, past, f.series, from.Seconds(), to.Seconds())
	}
	return export.Trace(w, past, f.series, from.Seconds(), to.Seconds())
}
