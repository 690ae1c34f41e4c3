package robotmain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/metrics/record"
)

func newRecord() *cobra.Command {
	c := group(&cobra.Command{Use: "record", Short: "Look at recordings, and cut them"})
	c.AddCommand(newRecordInfo(), newRecordCut())
	return c
}

// A timeSpan is the flags --from and --to.
type timeSpan struct{ from, to time.Duration }

func (s *timeSpan) register(fl *pflag.FlagSet) {
	fl.DurationVar(&s.from, "from", 0, "start, as `time` since the life began (default that of the recording)")
	fl.DurationVar(&s.to, "to", 0, "end (default the end of the recording)")
}

// within returns the span as far as it is recorded.
func (s *timeSpan) within(h record.History) (from, to time.Duration, err error) {
	first, last := h.Span()
	from, to = max(s.from, first.At), cmp.Or(s.to, last.At)
	if s.from < 0 || to < from || from > last.At {
		return 0, 0, usage("--from %v --to %v: the recording has %v to %v", s.from, to, first.At.Round(time.Millisecond), last.At.Round(time.Millisecond))
	}
	return from, min(to, last.At), nil
}

func newRecordCut() *cobra.Command {
	var span timeSpan
	var out string
	var replayable bool
	c := &cobra.Command{
		Use:   "cut FILE -o OUT",
		Short: "Write a part of a recording into a file of its own",
		Long: `Cut writes what was recorded between two times into a fresh file: it opens like any other, for why, view and export. With --replayable
the file also has what a replay needs, which is everything from the start of the life on.`,
		Example: `  robotd record cut ~/.local/state/robotd/recordings --from 10m --to 12m -o fall.mcap`,
		Args:    want(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return usage("cut needs -o OUT: the file to write")
			}
			h, err := record.OpenLife(args[0])
			if err != nil {
				return usage("%v", err)
			}
			defer func() { _ = h.Close() }()
			from, to, err := span.within(h)
			if err != nil {
				return err
			}
			return h.Cut(out, record.Cut{From: from, To: to, Tape: replayable, Topics: facts.Recorded()})
		},
	}
	span.register(c.Flags())
	c.Flags().StringVarP(&out, "output", "o", "", "`file` to write; it must not exist")
	c.Flags().BoolVar(&replayable, "replayable", false, "keep what a replay needs, from the start of the life on")
	return c
}

// A recordingInfo is what `robotd record info --json` prints.
type recordingInfo struct {
	Life  record.Life    `json:"life"`
	Files []fileInfo     `json:"files"`
	First record.Instant `json:"first"`
	Last  record.Instant `json:"last"`
	Gaps  []record.Gap   `json:"gaps"`

	Complete bool        `json:"complete"` // the newest file was closed in order
	Topics   []topicInfo `json:"topics"`
}

type fileInfo struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

// topicInfo counts the messages of a topic, without keyframes and before compression.
type topicInfo struct {
	Topic    string `json:"topic"`
	Messages int    `json:"messages"`
	Bytes    int    `json:"bytes"`
}

func newRecordInfo() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "Say what a recording holds",
		Args:  want(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			h, err := record.Open(args[0])
			if err != nil {
				return usage("%v", err)
			}
			defer func() { _ = h.Close() }()
			i, err := infoOf(h)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(i)
			}
			return i.write(c.OutOrStdout())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func infoOf(h *record.Reader) (*recordingInfo, error) {
	i := &recordingInfo{Life: h.Life(), Complete: h.Complete(), Files: []fileInfo{}, Topics: []topicInfo{}}
	i.First, i.Last = h.Span()
	for _, path := range h.Files() {
		if s, err := os.Stat(path); err == nil {
			i.Files = append(i.Files, fileInfo{path, s.Size()})
		}
	}
	counts := map[string]*topicInfo{}
	count := func(m record.Message) bool {
		t := counts[m.Topic]
		if t == nil {
			t = &topicInfo{Topic: m.Topic}
			counts[m.Topic] = t
		}
		t.Messages++
		t.Bytes += len(m.Data)
		return true
	}
	for _, topics := range [][]string{nil, {record.Tape}} {
		if err := h.Scan(topics, 0, math.MaxUint64, count); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		i.Topics = append(i.Topics, *counts[name])
	}
	i.Gaps = append([]record.Gap{}, h.Gaps()...) // damage is known once everything was read
	return i, nil
}

func (i *recordingInfo) write(w io.Writer) error {
	p := &printer{w: w}
	l := i.Life
	p.put("life       %s, of robot %s, begun %s, seed %d\n", l.ID, l.Robot, l.Begin.Format(time.RFC3339), l.Seed)
	p.put("program    robotd %s, %s, %s\n", l.Version, l.Arch, l.Go)
	p.put("recorded   tick %d to %d, %v to %v\n", i.First.Tick, i.Last.Tick, i.First.At.Round(time.Millisecond), i.Last.At.Round(time.Millisecond))
	for _, f := range i.Files {
		p.put("file       %s, %d bytes\n", f.Path, f.Bytes)
	}
	if !i.Complete {
		p.put("end        %s\n", record.Incomplete)
	}
	for _, g := range i.Gaps {
		p.put("gap        tick %d to %d, from %v: %s\n", g.From.Tick, g.To.Tick, g.From.At.Round(time.Millisecond), g.Reason)
	}
	p.put("\n%-16s %10s %12s\n", "topic", "messages", "bytes")
	for _, t := range i.Topics {
		p.put("%-16s %10d %12d\n", t.Topic, t.Messages, t.Bytes)
	}
	if p.err != nil {
		return fmt.Errorf("stdout: %w", p.err)
	}
	return nil
}
