package robotmain

import (
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/eventlog"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/view"
	"github.com/robotd/robotd/metrics/record"
)

func (p *program) newView() *cobra.Command {
	var listen string
	var open bool
	c := &cobra.Command{
		Use:   "view FILE",
		Short: "Show a recording on the page",
		Long: `Serves the live page on a recording: a file, or a folder, of which it shows the newest life. The page follows its cursor; what only a
running robot can do is refused.`,
		Args: want(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return p.view(c, args[0], listen, open) },
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:8430", "`address` of the page; loopback only")
	c.Flags().BoolVar(&open, "open", false, "open the page in a browser")
	return c
}

func (p *program) view(c *cobra.Command, file, listen string, open bool) error {
	if err := control.CheckAddress(listen); err != nil {
		return usage("--listen: %v", err)
	}
	recording, err := record.Open(file)
	if err != nil {
		return usage("%v", err)
	}
	defer func() { _ = recording.Close() }()
	l, err := control.Listen(listen)
	switch {
	case errors.Is(err, control.ErrRefused):
		return usage("%v", err)
	case err != nil:
		return err
	}
	survivePipes()
	log := logTo(c.ErrOrStderr(), eventlog.FormatAuto.Resolve(), slog.LevelInfo)
	ctx, _, release := signals(c.Context(), patience, nil, func(err error) { p.giveUp(c.ErrOrStderr(), err) })
	defer release()
	o := view.Options{Recording: recording, Definitions: p.definitions(recording), Reference: p.manual(func() (setup.Tree, error) { return openTree("", false) }), Listener: l, Log: log}
	if open {
		o.Ready = func(url string) { openBrowser(log, url) }
	}
	return view.Run(ctx, o)
}
