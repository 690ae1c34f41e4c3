package record

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Defaults and limits of a recording.
const (
	DefaultLimit = 16 * DefaultPart // of all files of a folder
	DefaultPart  = 64 << 20         // of one file, beside the resources that it carries
	MinLimit     = 16 << 20

	// A killed process loses what is not flushed, a power cut what is not synced.
	defaultFlush = 700 * time.Millisecond // a killed process loses less than a second, packing and writing on a busy machine included
	defaultSync  = 5 * time.Second
	keyframes    = 10 * time.Second

	queueBytes = 8 << 20
	maxFiles   = 4096
)

// Options describe a recording.
type Options struct {
	Dir       string // is made
	Life      Life
	Topics    []Topic // messages of others are dropped and counted
	Resources *Tree   // each file carries it; nil for none
	Limit     int64   // bytes of all recordings in Dir; 0 = DefaultLimit
	Part      int64   // bytes of one file beside Resources; 0 = DefaultPart, or a sixteenth of the limit if that is less
	// Wait says that Tick waits for the disk instead of dropping ticks: for virtual time.
	Wait bool
	Log  *slog.Logger     // nil: silent
	Now  func() time.Time // wall clock of names and retries; nil: time.Now

	flush, sync time.Duration
	queue       int
	create      func(dir, name string) (sinkFile, error)
	clock       func() time.Time // that no calendar moves
}

// withDefaults fills what is empty.
func (o Options) withDefaults() Options {
	o.Limit = cmp.Or(o.Limit, DefaultLimit)
	o.Part = cmp.Or(o.Part, min(DefaultPart, o.Limit/16))
	o.flush, o.sync, o.queue = cmp.Or(o.flush, defaultFlush), cmp.Or(o.sync, defaultSync), cmp.Or(o.queue, queueBytes)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.clock == nil {
		o.clock = time.Now
	}
	if o.create == nil {
		o.create = func(dir, name string) (sinkFile, error) { return createPart(dir, name) }
	}
	return o
}

// A batch is what one tick changed.
type batch struct {
	now      Instant
	messages []Message
}

// Overheads of the queue's byte count.
const (
	batchCost   = 64
	messageCost = 96
)

func (b *batch) cost() int {
	n := batchCost
	for i := range b.messages {
		n += messageCost + len(b.messages[i].Key) + len(b.messages[i].Data)
	}
	return n
}

// lost is what found no room in the queue: the newest message of each key, and the ticks.
type lost struct {
	values      map[value]Message
	first, last Instant
	ticks       uint64
}

// A Writer records into files. A goroutine of its own writes; its callers never wait for the disk, unless they ask for it. It is a [Sink].
type Writer struct {
	o      Options
	wake   chan struct{}
	done   chan struct{}
	counts counts
	rec    *recorder // of the goroutine

	mu      sync.Mutex
	room    sync.Cond // signaled when the queue was taken
	pending []batch
	bytes   int
	lost    *lost // until the goroutine takes the queue, so that the lost ticks are those after it
	closed  bool
	working bool      // the goroutine writes what it took
	began   time.Time // to write it
	err     error     // the first one, of the goroutine
}

var _ Sink = (*Writer)(nil)

// counts are read by any goroutine.
type counts struct {
	bytes, dropped, files atomic.Uint64
	up                    atomic.Bool
	syncing               atomic.Pointer[time.Time] // since when the disk makes durable what was written; nil: it does not
}

// Stats are the counters of a recording.
type Stats struct {
	Bytes   uint64 // written
	Dropped uint64 // ticks that are in no file
	Files   uint64 // begun
	Up      bool   // the newest messages were written, as far as the disk has answered in time
}

// NewWriter begins a recording. The first file is made at the first tick; an error of the disk stops the recording until the disk
// works again, and nothing else.
func NewWriter(o Options) (*Writer, error) {
	w := &Writer{o: o.withDefaults(), wake: make(chan struct{}, 1), done: make(chan struct{})}
	if w.o.Limit < MinLimit {
		return nil, fmt.Errorf("a limit of %d bytes for recordings is too small: at least %d", w.o.Limit, MinLimit)
	}
	w.room.L = &w.mu
	h := head{life: w.o.Life, topics: w.o.Topics}
	if w.o.Resources != nil {
		h.tree = w.o.Resources.zip
	}
	w.counts.up.Store(true)
	w.rec = newRecorder(&w.o, h, &w.counts)
	go w.run(w.rec)
	return w, nil
}

// Tick implements [Sink].
func (w *Writer) Tick(n uint64, at time.Duration, messages []Message) {
	b := batch{Instant{n, at}, messages}
	size := b.cost()
	w.mu.Lock()
	for w.o.Wait && w.bytes > 0 && w.bytes+size > w.o.queue && !w.closed {
		w.room.Wait()
	}
	switch {
	case w.closed:
		w.counts.dropped.Add(1)
	case w.lost != nil || w.bytes > 0 && w.bytes+size > w.o.queue:
		w.lose(&b)
	default:
		w.pending, w.bytes = append(w.pending, b), w.bytes+size
	}
	w.mu.Unlock()
	w.signal()
}

// lose keeps the newest values of a tick that found no room; mu is held.
func (w *Writer) lose(b *batch) {
	if w.lost == nil {
		w.lost = &lost{values: map[value]Message{}, first: b.now}
	}
	w.lost.last = b.now
	w.lost.ticks++
	w.counts.dropped.Add(1)
	for _, m := range b.messages {
		if !m.Instant && m.Topic != Tape {
			w.lost.values[value{m.Topic, m.Key}] = m
		}
	}
}

func (w *Writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// take empties the queue. It reports whether nothing comes any more.
func (w *Writer) take(spare []batch) (taken []batch, l *lost, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(spare)
	taken, l = w.pending, w.lost
	w.working, w.began = len(taken) > 0 || l != nil, w.o.clock()
	w.pending, w.bytes, w.lost = spare[:0], 0, nil
	w.room.Broadcast()
	return taken, l, w.closed
}

// run writes until Close.
func (w *Writer) run(r *recorder) {
	defer close(w.done)
	defer r.timer.Stop()
	var taken []batch
	for {
		select {
		case <-w.wake:
		case <-r.timer.C:
			r.idle()
		}
		var l *lost
		var last bool
		taken, l, last = w.take(taken)
		for i := range taken {
			r.tick(taken[i].now, taken[i].messages)
		}
		if l != nil {
			r.missed(l)
		}
		w.mu.Lock()
		w.working = false
		w.mu.Unlock()
		if last {
			r.close()
			w.mu.Lock()
			w.err = r.err
			w.mu.Unlock()
			return
		}
	}
}

// Close completes the recording, and waits for the disk for limit at most; 0 is without limit. Its error says what the recording lacks.
func (w *Writer) Close(limit time.Duration) error {
	w.mu.Lock()
	w.closed = true
	w.room.Broadcast()
	w.mu.Unlock()
	w.signal()
	var late <-chan time.Time
	if limit > 0 {
		t := time.NewTimer(limit)
		defer t.Stop()
		late = t.C
	}
	select {
	case <-w.done:
	case <-late:
		return fmt.Errorf("the recording was not complete within %v", limit)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// stuck is how long the disk may take for one write, or to make durable what was written. A write that never returns has no error.
const stuck = 10 * time.Second

// Stats returns the counters. It may be called by any goroutine.
func (w *Writer) Stats() Stats {
	now := w.o.clock()
	w.mu.Lock()
	up := w.lost == nil && (!w.working || now.Sub(w.began) <= stuck)
	w.mu.Unlock()
	if since := w.counts.syncing.Load(); since != nil {
		up = up && now.Sub(*since) <= stuck
	}
	return Stats{w.counts.bytes.Load(), w.counts.dropped.Load(), w.counts.files.Load(), up && w.counts.up.Load()}
}

var errGone = errors.New("the file was deleted or moved")
