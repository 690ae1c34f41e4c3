package robotmain

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/replay"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/why"
	"github.com/robotd/robotd/metrics/record"
)

// instant is which moment a user asks about: at most one of the three.
type instant struct {
	at, ago string
	tick    uint64
}

func (p *program) newWhy() *cobra.Command {
	r := &remote{}
	var file string
	var when instant
	c := &cobra.Command{
		Use:   "why ID",
		Short: "Tell why a behavior has control, or has not, at any moment",
		Long: `Why tells what a behavior was asked and answered: each gate and condition in order with the values that it read, who was asked
before it and who won, since when it has been so, and what would have to change. It reads what was recorded and decides nothing again.

Without --file it asks a running robot, which remembers an hour. FILE may be a folder: then it is the newest life in it.
Times count from the start of the robot's life.`,
		Example: `  robotd why GreetFace
  robotd why GreetFace --ago 20s
  robotd why GreetFace --file ~/.local/state/robotd/recordings --at 90s --json`,
		Args: want(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := when.check(c); err != nil {
				return err
			}
			if file != "" && (c.Flags().Changed("addr") || c.Flags().Changed("timeout")) {
				return usage("--file reads a recording, --addr and --timeout are for a running robot: leave one out")
			}
			if file == "" {
				return r.why(c, args[0], &when)
			}
			return p.whyOf(c, file, args[0], &when, r.json)
		},
	}
	fl := c.Flags()
	fl.StringVar(&file, "file", "", "a recording instead of the running robot: a `file` or a folder")
	fl.StringVar(&when.at, "at", "", "the newest tick at or before this `time` of the life, such as 90s or 1h2m (default the newest)")
	fl.StringVar(&when.ago, "ago", "", "so much `time` before the newest tick, such as 20s")
	fl.Uint64Var(&when.tick, "tick", 0, "the end of this tick")
	fl.StringVar(&r.address, "addr", controlAddress, "control `address` of the daemon")
	fl.DurationVar(&r.timeout, "timeout", 5*time.Second, "how long to wait for an answer")
	fl.BoolVar(&r.json, "json", false, "print JSON")
	return c
}

// check refuses two moments, and times that are none.
func (w *instant) check(c *cobra.Command) error {
	var given []string
	for _, name := range []string{"at", "ago", "tick"} {
		if c.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return usage("%s: give one of them", strings.Join(given, " and "))
	}
	for name, text := range map[string]string{"at": w.at, "ago": w.ago} {
		if _, err := spanOf(text); err != nil && c.Flags().Changed(name) {
			return usage("--%s %s: %v", name, strconv.Quote(text), err)
		}
	}
	return nil
}

// spanOf reads a time such as 90s; a number alone counts seconds.
func spanOf(text string) (time.Duration, error) {
	if s, err := strconv.ParseFloat(text, 64); err == nil {
		text = strconv.FormatFloat(s, 'f', -1, 64) + "s"
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("a time is expected, such as 90s or 1h2m30s")
	case d < 0:
		return 0, fmt.Errorf("the time is negative")
	}
	return d, nil
}

// why asks a running robot.
func (r *remote) why(c *cobra.Command, id string, when *instant) error {
	q := url.Values{"id": {id}}
	if at, err := spanOf(when.at); err == nil {
		q.Set("at", strconv.FormatFloat(at.Seconds(), 'f', -1, 64))
	}
	if ago, err := spanOf(when.ago); err == nil {
		q.Set("ago", strconv.FormatFloat(ago.Seconds(), 'f', -1, 64))
	}
	if c.Flags().Changed("tick") {
		q.Set("tick", strconv.FormatUint(when.tick, 10))
	}
	var w control.Why
	if _, err := r.get(c.Context(), "/v1/why?"+q.Encode(), &w); err != nil {
		return err
	}
	return tellWhy(c, &w, r.json)
}

// whyOf asks a recording.
func (p *program) whyOf(c *cobra.Command, file, id string, when *instant, asJSON bool) error {
	h, err := record.OpenLife(file)
	if err != nil {
		return usage("--file: %v", err)
	}
	defer func() { _ = h.Close() }()
	past := &facts.Past{Source: h, Catalog: p.definitions(h)}
	_, last := h.Span()
	tick := last.Tick
	switch at, err := spanOf(when.at); {
	case c.Flags().Changed("tick"):
		tick = when.tick
	case err == nil:
		if tick, err = past.Tick(at.Seconds()); err != nil {
			return usage("--at: %v", err)
		}
	case when.ago != "":
		ago, _ := spanOf(when.ago) // checked
		if tick, err = past.Tick((last.At - ago).Seconds()); err != nil {
			return usage("--ago: %v", err)
		}
	}
	w, err := past.Why(id, tick)
	if err != nil {
		return usage("%v", err)
	}
	return tellWhy(c, w, asJSON)
}

// definitions finds the behaviors that a recorded life had at some time, by their sum.
func (p *program) definitions(h record.History) func(sum string) (*catalog.Catalog, error) {
	lifetime := sync.OnceValues(func() (*sets.Lifetime, error) {
		tree, err := replay.Tree(h)
		if err != nil {
			return nil, err
		}
		return sets.NewLifetime(tree, p.buildTree, func(see func(*engine.Command, string) bool) error {
			return replay.Reloads(h, func(tick uint64, c *engine.Command) bool {
				sum, _ := facts.Definitions(h, tick) // a part of a life is recorded with all of its tape
				return see(c, sum)
			})
		}), nil
	})
	// Another version of this program may give the files of the start another sum.
	first := sync.OnceValue(func() string {
		begin, _ := h.Span()
		if begin.Tick > 1 {
			return ""
		}
		sum, _ := facts.Definitions(h, begin.Tick) // an error is told where somebody asks
		return sum
	})
	return func(sum string) (*catalog.Catalog, error) {
		l, err := lifetime()
		switch {
		case err != nil:
			return nil, err
		case sum == first():
			return l.Of("")
		}
		return l.Of(sum)
	}
}

func tellWhy(c *cobra.Command, w *control.Why, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(c.OutOrStdout())
		e.SetIndent("", "  ")
		return e.Encode(w)
	}
	return why.Write(c.OutOrStdout(), w)
}
