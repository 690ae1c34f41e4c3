package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A Cut says which part of a recording goes into a file of its own.
type Cut struct {
	From, To time.Duration // robot time; both are within the recording
	// Tape keeps what a replay needs: from the begin of the recording on, because a replay begins there. For all else the ticks before From are a gap.
	Tape bool
	// Topics describe topics; those that they leave out have no schema.
	Topics []Topic
}

// Cut writes a part of the recording into a fresh file. It begins with all values that hold at From, and has the gaps of that part.
func (r *Reader) Cut(path string, c Cut) (err error) {
	if err := elsewhere(path); err != nil {
		return err
	}
	first, last := r.Span()
	if c.To < c.From || c.From > last.At || c.To < first.At {
		return fmt.Errorf("%v to %v is no part of the recording, which has %v to %v", c.From, c.To, first.At.Round(time.Millisecond), last.At.Round(time.Millisecond))
	}
	tree, err := r.tree()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(path)
		}
	}()
	o := Options{
		Dir: filepath.Dir(path), Life: r.Life(), Limit: math.MaxInt64, Part: math.MaxInt64 / 2, Wait: true, sync: math.MaxInt64,
		create: func(string, string) (sinkFile, error) { return cutFile{file}, nil },
	}.withDefaults()
	h := head{life: o.Life, topics: r.topics(c.Topics)}
	if tree != nil {
		h.tree = tree.zip
	}
	w := newRecorder(&o, h, &counts{})
	defer w.timer.Stop()
	err = r.copy(w, c)
	w.close()
	return errors.Join(err, w.err)
}

// A cutFile is a file whose name the recorder did not choose, and does not look for.
type cutFile struct{ sinkFile }

// elsewhere refuses a path in the folder of a recording, of which the file would count as a part.
func elsewhere(path string) error {
	dir := filepath.Dir(path)
	all, err := recordings(dir)
	switch {
	case err != nil:
		return err
	case len(all) > 0:
		return fmt.Errorf("%s is a folder of recordings, in which %s would count as one more part: choose another folder", dir, filepath.Base(path))
	}
	return nil
}

func (r *Reader) tree() (*Tree, error) {
	tree, err := r.Resources()
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return NewTree(tree, nil)
}

// topics are the topics of the recording, as they are described.
func (r *Reader) topics(described []Topic) (all []Topic) {
	for _, p := range r.parts {
		for _, n := range p.topics {
			if slices.ContainsFunc(all, func(t Topic) bool { return t.Name == n.Name }) {
				continue
			}
			t := Topic{Name: n.Name, Opaque: n.Opaque}
			if i := slices.IndexFunc(described, func(t Topic) bool { return t.Name == n.Name && t.Opaque == n.Opaque }); i >= 0 {
				t = described[i]
			}
			all = append(all, t)
		}
	}
	return all
}

// cutOut is why the ticks before a cut are missing in a file that has their tape.
const cutOut = "cut out: only what a replay needs"

// A copier hands the messages of each tick to a recorder, and the gaps before it.
type copier struct {
	from     *Reader
	to       *recorder
	gaps     []Gap
	behind   []Gap // those before the next tick; they are not written yet
	stale    bool  // the recorder's table lacks what changed in a gap
	hidden   bool  // ticks behind the gap were left out because of that
	now      Instant
	messages []Message
	any      bool
	err      error // why it is stale
}

// copy writes the part.
func (r *Reader) copy(w *recorder, c Cut) error {
	_ = r.Verify() // afterwards the damaged chunks are among the gaps
	first, last := r.Span()
	from, to := r.tickAt(c.From, first), r.tickAt(c.To, last)
	out := &copier{from: r, to: w}
	var topics []string
	for _, t := range w.head.topics {
		if c.Tape || t.Name != Tape {
			topics = append(topics, t.Name)
		}
	}
	if c.Tape {
		if err := r.Scan([]string{Tape}, 0, from.Tick, out.take); err != nil {
			return err
		}
		if first.Tick < from.Tick {
			if out.now.Tick < from.Tick {
				out.flush()
			}
			out.behind = []Gap{{From: first, To: r.beside(from, -1), Reason: cutOut}}
		}
	}
	out.gaps = slices.DeleteFunc(r.Gaps(), func(g Gap) bool { return g.To.Tick < from.Tick })
	holds := func(m Message) bool { m.Tick, m.At = from.Tick, from.At; return out.take(m) }
	if err := r.At(from.Tick, nil, holds); err != nil {
		out.stale, out.err = true, err
	}
	out.take(Message{Tick: from.Tick, At: from.At})
	err := r.Scan(topics, from.Tick+1, to.Tick, out.take)
	out.take(Message{Tick: to.Tick, At: to.At})
	out.flush()
	if _, damaged := errors.AsType[*DamageError](out.err); out.err != nil && (!damaged || w.number == 0) {
		return out.err
	}
	return err
}

// tickAt is the newest tick at or before a time, with that time; otherwise the given one.
func (r *Reader) tickAt(at time.Duration, otherwise Instant) Instant {
	if n, ok := r.Find(at); ok {
		return Instant{n, at}
	}
	return otherwise
}

// take adds a message to those of its tick; one without a topic only says that there was the tick.
func (c *copier) take(m Message) bool {
	if c.any && m.Tick != c.now.Tick {
		c.flush()
	}
	c.any, c.now = true, Instant{m.Tick, max(m.At, c.now.At)}
	if m.Topic != "" {
		c.messages = append(c.messages, m)
	}
	return true
}

// flush hands the tick on. Ticks whose values a damaged chunk hides are left out: they extend the gap.
func (c *copier) flush() {
	if !c.any {
		return
	}
	for len(c.gaps) > 0 && c.gaps[0].To.Tick < c.now.Tick {
		c.behind, c.gaps, c.stale = append(c.behind, c.gaps[0]), c.gaps[1:], true
	}
	if len(c.behind) > 0 {
		c.endChunk() // before the table is renewed, or the chunk would settle it
	}
	if c.stale {
		c.err = c.renew()
		c.stale = c.err != nil
	}
	if c.stale {
		c.hidden = true
	} else {
		c.tell()
		c.to.tick(c.now, c.messages)
	}
	c.messages, c.any = nil, false
}

func (c *copier) endChunk() {
	if w := c.to; w.open {
		if err := w.endChunk(); err != nil {
			w.fail(c.now, err)
		}
	}
}

// renew puts what changed in a gap into the recorder's table, so that the keyframe behind it has what held then.
func (c *copier) renew() error {
	table, holds := c.to.table, map[value]bool{}
	err := c.from.At(c.now.Tick, nil, func(m Message) bool {
		name := value{m.Topic, m.Key}
		holds[name] = true
		if old := table.values[name]; m.Tick < c.now.Tick && (old == nil || !bytes.Equal(old.Data, m.Data)) {
			table.apply(&m)
		}
		return true
	})
	if err != nil {
		return err
	}
	if n := len(c.behind); n > 0 && c.hidden {
		c.behind[n-1].To = c.from.beside(c.now, -1)
	}
	c.hidden = false
	var gone []Message
	for name, old := range table.values { // none without a gap
		if !holds[name] && old.Data != nil {
			end := c.behind[len(c.behind)-1].To
			gone = append(gone, Message{Tick: end.Tick, At: end.At, Topic: name.topic, Key: name.key})
		}
	}
	slices.SortFunc(gone, func(a, b Message) int { return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Key, b.Key)) })
	for i := range gone {
		table.apply(&gone[i])
	}
	return nil
}

// tell writes the gaps before a tick, each once. A file does not begin with a gap.
func (c *copier) tell() {
	w := c.to
	if len(c.behind) > 0 && w.part != nil {
		w.keyNext = true
		for _, g := range c.behind {
			if err := w.part.gap(g); err != nil {
				w.fail(c.now, err)
				break
			}
		}
	}
	c.behind = nil
}
