package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Pauses between two tries after an error of the disk.
const (
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
	quietTime  = time.Minute // between two log lines of errors
)

// A recorder writes the files of a life. It belongs to the goroutine of a Writer.
type recorder struct {
	o      *Options
	head   head
	counts *counts
	log    *slog.Logger
	index  map[string]int // of topics
	table  *table
	packer *chunkPacker
	timer  *time.Timer // fires when something waits to be flushed or synced

	part    *part
	path    string
	number  int // of the part
	open    bool
	chunk   span // the open one
	framed  time.Duration
	keyNext bool // the next chunk begins with a keyframe
	gap     *Gap // until it is in a file

	stopped  bool // ticks are missing, or will be
	why      string
	retry    time.Time // not before it
	pause    time.Duration
	told     time.Time // when an error was logged
	silent   bool      // the present outage was not logged
	err      error     // the first one
	strange  bool      // a message of an unknown topic was logged
	unsynced bool
	synced   time.Time
	syncErr  atomic.Pointer[error]
	work     sync.WaitGroup // syncs
}

func newRecorder(o *Options, h head, c *counts) *recorder {
	r := &recorder{o: o, head: h, counts: c, log: o.Log, index: map[string]int{}, table: newTable(), packer: newChunkPacker(), timer: time.NewTimer(time.Hour)}
	for i, t := range h.topics {
		r.index[t.Name] = i
	}
	return r
}

// tick records one tick, or keeps what it changed until the disk works.
func (r *recorder) tick(now Instant, messages []Message) {
	err := r.write(now, messages)
	for i := range messages {
		if m := &messages[i]; r.known(m) && !r.head.topics[r.index[m.Topic]].Opaque {
			r.table.apply(m)
		}
	}
	if err == nil && r.open && r.full() {
		err = r.endChunk()
	}
	if err != nil {
		r.fail(now, err)
	}
}

// known reports whether a message has a topic of the recording and is JSON where it must be.
func (r *recorder) known(m *Message) bool {
	i, ok := r.index[m.Topic]
	return ok && (r.head.topics[i].Opaque || m.Data == nil || len(m.Data) >= 2 && m.Data[0] == '{')
}

// write adds one tick to the open chunk. Without a file its tick is missing, which is no error.
func (r *recorder) write(now Instant, messages []Message) error {
	if r.part == nil {
		if r.o.Now().Before(r.retry) {
			r.miss(now, now, 1)
			return nil
		}
		if err := r.begin(); err != nil {
			return err
		}
	}
	if !r.open {
		if err := r.beginChunk(now); err != nil {
			return err
		}
	}
	if now.Tick > r.chunk.last.Tick {
		r.chunk.last = now
	}
	for i := range messages {
		m := &messages[i]
		if !r.known(m) {
			r.refuse(m)
			continue
		}
		e := entry{*m, changed}
		if m.Instant || m.Topic == Tape {
			e.kind = happened
		}
		if err := r.part.add(r.index[m.Topic], &e, now); err != nil {
			return err
		}
	}
	return nil
}

// refuse tells once of a message that cannot be recorded.
func (r *recorder) refuse(m *Message) {
	if !r.strange {
		r.strange = true
		r.log.Error("a message of no known topic, or no JSON object, is not recorded", "topic", m.Topic, "key", m.Key)
	}
}

// beginChunk tells of a gap, and writes a keyframe when one is due.
func (r *recorder) beginChunk(now Instant) error {
	if r.gap != nil {
		if err := r.part.gap(*r.gap); err != nil {
			return err
		}
	}
	r.open = true
	r.chunk = span{first: now, last: now, key: r.keyNext || now.At-r.framed >= keyframes}
	if !r.o.Wait {
		r.timer.Reset(r.o.flush)
	}
	if !r.chunk.key {
		return nil
	}
	r.framed, r.keyNext = now.At, false
	for _, e := range r.table.keyframe() {
		if err := r.part.add(r.index[e.Topic], &e, now); err != nil {
			return err
		}
	}
	return nil
}

// full reports whether the next tick would make the chunk too long.
func (r *recorder) full() bool {
	return r.chunk.last.At-r.chunk.first.At+time.Duration(r.head.life.PeriodNS) > r.o.flush
}

// endChunk writes the open chunk, and begins a new file when this one is long enough.
func (r *recorder) endChunk() error {
	before := r.part.size
	if err := r.part.end(r.chunk); err != nil {
		return err
	}
	r.open = false
	r.counts.bytes.Add(uint64(r.part.size - before))
	r.table.settle()
	r.unsynced = true
	if r.stopped {
		r.healed()
	}
	if err := r.sync(); err != nil {
		return err
	}
	if r.part.size-r.part.head >= r.o.Part {
		return r.endPart()
	}
	return nil
}

// healed says that the recording goes on. What it lacks is told in the file now.
func (r *recorder) healed() {
	if !r.silent {
		missing := "nothing"
		if r.gap != nil {
			missing = fmt.Sprintf("ticks %d to %d", r.gap.From.Tick, r.gap.To.Tick)
		}
		r.log.Info("recording goes on", "file", r.path, "missing", missing)
	}
	r.gap, r.pause, r.stopped = nil, 0, false
	r.counts.up.Store(true)
}

// idle flushes and syncs what waits while no ticks come.
func (r *recorder) idle() {
	if r.part == nil {
		return
	}
	var err error
	if r.open {
		err = r.endChunk()
	} else if r.unsynced {
		err = r.sync()
	}
	if err != nil {
		r.fail(r.chunk.last, err)
	}
}

// begin makes the next file.
func (r *recorder) begin() error {
	if err := prune(r.o.Dir, r.o.Limit, r.o.Part+int64(len(r.head.tree))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	now := r.o.Now()
	name := partName(r.o.Dir, now, r.head.life.ID, r.number+1)
	file, err := r.o.create(r.o.Dir, name)
	if err != nil {
		return err
	}
	path := filepath.Join(r.o.Dir, name)
	p, err := newPart(file, &r.head, r.number+1, r.packer)
	if err != nil {
		_ = file.Close()
		_ = os.Remove(path)
		return err
	}
	r.part, r.path, r.keyNext, r.synced = p, path, true, now
	r.number++
	r.counts.files.Add(1)
	r.counts.bytes.Add(uint64(p.size))
	return nil
}

// endPart completes a file. The disk is waited for elsewhere.
func (r *recorder) endPart() error {
	p, before := r.part, r.part.size
	if err := p.close(); err != nil {
		return err
	}
	r.counts.bytes.Add(uint64(p.size - before))
	r.part = nil
	r.work.Go(func() {
		_ = p.file.Sync()
		_ = p.file.Close()
	})
	return nil
}

// sync makes durable what was written, from time to time and elsewhere, and sees to it that the file is still there.
func (r *recorder) sync() error {
	if open, ok := r.part.file.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := open.Stat(); err == nil && !there(r.path, info) {
			return errGone
		}
	}
	if err := r.syncErr.Swap(nil); err != nil {
		return *err
	}
	if left := r.o.sync - r.o.Now().Sub(r.synced); left > 0 || r.counts.syncing.Load() != nil { // by a slow disk
		if !r.o.Wait {
			r.timer.Reset(max(left, r.o.flush))
		}
		return nil
	}
	r.synced, r.unsynced = r.o.Now(), false
	since := r.o.clock()
	r.counts.syncing.Store(&since)
	file := r.part.file
	r.work.Go(func() {
		defer r.counts.syncing.Store(nil)
		if err := errors.Join(file.Sync(), syncDir(r.o.Dir)); err != nil && !errors.Is(err, os.ErrClosed) {
			r.syncErr.Store(&err)
		}
	})
	return nil
}

// fail gives up the file after an error. What its open chunk had is missing, and so is each tick until the disk works again.
func (r *recorder) fail(now Instant, err error) {
	r.stop(slog.LevelError, "recording stopped; everything else goes on", err.Error())
	if r.err == nil {
		r.err = fmt.Errorf("the recording is not complete from tick %d on: %w", now.Tick, err)
	}
	switch {
	case r.open:
		r.miss(r.chunk.first, now, now.Tick-r.chunk.first.Tick+1)
	case now != r.chunk.last: // no chunk had it
		r.miss(now, now, 1)
	}
	if r.part != nil {
		_ = r.part.file.Close()
	}
	r.part, r.open = nil, false
	r.syncErr.Store(nil)
	r.pause = min(max(2*r.pause, firstRetry), lastRetry)
	r.retry = r.o.Now().Add(r.pause)
}

// stop says that ticks are not recorded from now on: in one line, unless the last such line is young.
func (r *recorder) stop(level slog.Level, text, why string) {
	if r.stopped {
		return
	}
	r.stopped, r.why = true, why
	r.counts.up.Store(false)
	if r.silent = r.o.Now().Sub(r.told) < quietTime; !r.silent {
		r.told = r.o.Now()
		r.log.Log(context.Background(), level, text, "folder", r.o.Dir, "why", why)
	}
}

// miss extends the gap.
func (r *recorder) miss(first, last Instant, ticks uint64) {
	if r.gap == nil {
		r.gap = &Gap{From: first, Reason: r.why}
	}
	r.gap.To = last
	r.counts.dropped.Add(ticks)
}

// missed takes what found no room in the queue.
func (r *recorder) missed(l *lost) {
	if r.open {
		if err := r.endChunk(); err != nil {
			r.fail(r.chunk.last, err)
		}
	}
	for _, m := range l.values {
		if r.known(&m) {
			r.table.apply(&m)
		}
	}
	r.keyNext = true
	r.stop(slog.LevelWarn, "ticks are not recorded", "the disk is too slow")
	r.miss(l.first, l.last, 0) // they are counted already
}

// close completes the recording.
func (r *recorder) close() {
	if r.open {
		if err := r.endChunk(); err != nil {
			r.fail(r.chunk.last, err)
		}
	}
	if r.part != nil {
		if err := r.endPart(); err != nil {
			r.fail(r.chunk.last, err)
		}
	}
	r.work.Wait()
	if err := r.syncErr.Load(); err != nil && r.err == nil {
		r.err = fmt.Errorf("the end of the recording may not last: %w", *err)
	}
}
