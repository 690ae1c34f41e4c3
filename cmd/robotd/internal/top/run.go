package top

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// ErrNoTerminal says that there is nothing to draw on.
var ErrNoTerminal = errors.New("top draws on a terminal, and its output is none; --once prints one frame of plain text")

// IsTerminal reports whether out is a terminal that can be drawn on.
func IsTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// Run shows the robot behind client on the terminal out until the user quits or ctx ends.
func Run(ctx context.Context, client *control.Client, out io.Writer) error {
	if !IsTerminal(out) {
		return ErrNoTerminal
	}
	return run(ctx, remote{client}, tea.WithOutput(out))
}

func retry() <-chan time.Time { return time.After(retryEvery) }

func run(ctx context.Context, r remote, options ...tea.ProgramOption) error {
	ctx, cancel := context.WithCancel(ctx)
	p := tea.NewProgram(newModel(ctx, r, colors()), append(options, tea.WithContext(ctx))...)
	var follower sync.WaitGroup
	follower.Go(func() { r.follow(ctx, func(msg any) { p.Send(msg) }, retry) })
	_, err := p.Run()
	interrupted := errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil
	cancel()
	follower.Wait()
	if interrupted {
		return nil
	}
	return err
}

// onceWidth is the width of the frame of Once.
const onceWidth = 100

// onceMeasures is how long Once waits for the first measurement of hooks, which begins with its question.
const onceMeasures = time.Second

// Once prints one frame.
func Once(ctx context.Context, client *control.Client, out io.Writer) error {
	r := remote{client}
	d := Data{}
	if _, err := r.budget(ctx); err != nil {
		if errors.Is(err, control.ErrUnreachable) {
			return err
		}
		d.NoBudget = err.Error()
	} else {
		select {
		case <-time.After(onceMeasures):
		case <-ctx.Done():
			return ctx.Err()
		}
		if d.Budget, err = r.budget(ctx); err != nil {
			d.NoBudget = err.Error()
		}
	}
	var err error
	if d.State, err = r.state(ctx); err != nil {
		return err
	}
	if d.Events, err = r.recent(ctx); err != nil {
		d.NoEvents = err.Error()
	}
	_, err = io.WriteString(out, d.Plain(onceWidth))
	return err
}
