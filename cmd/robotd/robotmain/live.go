package robotmain

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/daemon"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// How long a process whose output nobody reads waits at its end for the log, and for the summary.
const (
	wordsLimit   = 500 * time.Millisecond
	hurriedLimit = 100 * time.Millisecond
	summaryLimit = 300 * time.Millisecond
)

// runLive opens the listeners before the robot moves. Whatever the process writes to stderr from here on goes through the queue, so
// that a reader that stalls or is gone holds neither a tick nor a stop.
func (p *program) runLive(c *cobra.Command, f *runFlags, s setup.Options, level slog.Level) error {
	scarce, err := checkFiles(filesLimit())
	if err != nil {
		return err
	}
	format := f.format()
	p.queue = eventlog.NewQueue(c.ErrOrStderr(), format)
	s.Log = logTo(p.queue, format, level)
	slog.SetDefault(s.Log) // libraries
	if files := f.settings.Read(); len(files) > 0 {
		s.Log.Info("configuration; robotd config tells what holds", "files", strings.Join(files, " "))
	}
	if f.realtime {
		if err := setup.LockMemory(); err != nil {
			s.Log.Warn("a tick may wait until memory is read from disk", "why", err)
		}
	}
	if scarce != "" {
		s.Log.Warn(scarce)
	}
	if f.recording.unstaged != nil {
		s.Log.Warn("the stage of the life before is not used", "why", f.recording.unstaged)
	}
	if f.recording.forgotten != nil {
		s.Log.Warn("the memory of the life before is not used", "why", f.recording.forgotten)
	}
	if f.recording.uncalibrated != nil {
		s.Log.Warn("what was measured of the robot is not used", "why", f.recording.uncalibrated)
	}
	if f.unedited != nil {
		s.Log.Warn("the edited files have errors; the robot lives with the built-in ones", "folder", s.Edits, "why", f.unedited)
	}
	if f.recording.prevented != nil {
		s.Log.Warn("this life is not recorded; --record DIR names a folder", "why", f.recording.prevented)
	}
	reload := make(chan struct{}, 1)
	ctx, hurry, release := signals(c.Context(), 0, newHangup(reload), func(err error) { p.giveUp(nil, err) })
	defer release()
	page, err := control.Listen(f.listen)
	switch {
	case errors.Is(err, control.ErrRefused):
		return f.locate(wrong([]string{"listen"}, "%v", err))
	case err != nil:
		return err
	}
	metrics, err := control.ListenAny(f.metrics, "--metrics-listen")
	if err != nil {
		_ = page.Close()
		return err
	}
	stream, err := f.listenFoxglove()
	if err != nil {
		_ = page.Close()
		_ = metrics.Close()
		return err
	}
	live := daemon.Options{Control: page, Metrics: metrics, Foxglove: stream, FoxgloveControl: f.foxgloveControl, For: f.span, Hurry: hurry, Reload: reload, LogDropped: p.queue.Dropped}
	live.Ready = func(url string) {
		f.collect()
		if f.open {
			openBrowser(s.Log, url)
		}
	}
	sum, err := daemon.Run(ctx, s, live)
	if f.summary != "" && sum.Ticks > 0 {
		err = errors.Join(err, within(summaryLimit, "the summary", func() error { return sum.Write(c.OutOrStdout(), f.summary) }))
	}
	return err
}

// listenFoxglove opens the listener of the stream for Foxglove; nil without one.
func (f *runFlags) listenFoxglove() (net.Listener, error) {
	if f.foxglove == "" {
		return nil, nil
	}
	l, err := control.Listen(f.foxglove)
	if errors.Is(err, control.ErrRefused) {
		return nil, f.locate(wrong([]string{"foxglove"}, "--foxglove: %v", err))
	}
	return l, err
}

// within lets f write for limit at most. After that f is left to the end of the process.
func within(limit time.Duration, what string, f func() error) error {
	wrote := make(chan error, 1)
	go func() { wrote <- f() }()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case err := <-wrote:
		return err
	case <-late.C:
		return fmt.Errorf("nobody read %s within %v", what, limit)
	}
}

// giveUp ends the process although something in it hangs.
func (p *program) giveUp(stderr io.Writer, err error) {
	q := p.queue
	if q == nil {
		q = eventlog.NewQueue(stderr, eventlog.FormatText)
	}
	code := report(q, err)
	q.Close(hurriedLimit)
	p.exit(code)
}

// lastWords prints an error and waits a moment until the log is written. It returns the exit code.
func lastWords(q *eventlog.Queue, err error) int {
	code := report(q, err)
	limit := wordsLimit
	if errors.Is(err, daemon.ErrHurried) {
		limit = hurriedLimit
	}
	q.Close(limit)
	return code
}
