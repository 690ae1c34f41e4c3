package record

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A disk makes files that fail on demand.
type disk struct {
	full   atomic.Bool // writes fail in their middle
	sick   atomic.Bool // syncs fail
	failed atomic.Int64
	block  chan struct{}
	stall  chan struct{} // of syncs
	mu     sync.Mutex
	made   int
}

func (d *disk) create(dir, name string) (sinkFile, error) {
	f, err := createPart(dir, name)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.made++
	d.mu.Unlock()
	return &diskFile{f, d}, nil
}

type diskFile struct {
	*os.File
	disk *disk
}

func (f *diskFile) Write(b []byte) (int, error) {
	if f.disk.block != nil {
		<-f.disk.block
	}
	if f.disk.full.Load() {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	return f.File.Write(b)
}

func (f *diskFile) Sync() error {
	if f.disk.stall != nil {
		<-f.disk.stall
	}
	if f.disk.sick.Load() {
		f.disk.failed.Add(1)
		return &fs.PathError{Op: "sync", Path: f.Name(), Err: syscall.EIO}
	}
	return f.File.Sync()
}

// A wall is a clock that runs a second each time it is read, so that no pause is long.
type wall struct{ now atomic.Int64 }

func (w *wall) read() time.Time { return time.Unix(w.now.Add(1), 0) }

func faulty(t *testing.T) (*disk, Options, *bytes.Buffer) {
	t.Helper()
	d, log := &disk{}, &bytes.Buffer{}
	o := testOptions(t.TempDir())
	o.create, o.Log = d.create, slog.New(slog.NewTextHandler(log, nil))
	clock := &wall{}
	clock.now.Store(1e9)
	o.Now = clock.read
	return d, o, log
}

// settled waits until everything is written that was handed over.
func settled(w *Writer) {
	w.mu.Lock()
	for w.working || len(w.pending) > 0 || w.lost != nil {
		w.mu.Unlock()
		w.signal()
		runtime.Gosched()
		w.mu.Lock()
	}
	w.mu.Unlock()
}

// outside reports whether a tick is in none of the gaps.
func outside(gaps []Gap, tick uint64) bool {
	for _, g := range gaps {
		if g.From.Tick <= tick && tick <= g.To.Tick {
			return false
		}
	}
	return true
}

// agreesBut compares what is outside of the gaps.
func agreesBut(t *testing.T, r *Reader, s *story) {
	t.Helper()
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	gaps := r.Gaps()
	if len(gaps) == 0 {
		t.Fatal("there is no gap")
	}
	var want []Message
	for _, b := range s.batches {
		if outside(gaps, b.now.Tick) {
			same(t, "at", readAt(t, r, b.now.Tick, nil), s.at(b.now.Tick, nil))
			want = append(want, s.scan(b.now.Tick, b.now.Tick, nil)...)
		}
	}
	var got []Message
	for _, m := range readScan(t, r, 0, s.last().Tick, nil) {
		if outside(gaps, m.Tick) {
			got = append(got, m)
		}
	}
	same(t, "scan", got, want)
}

func TestFullDiskStopsRecordingUntilThereIsRoom(t *testing.T) {
	d, o, log := faulty(t)
	w := newTestWriter(t, o)
	s := tell(5, 900)
	for i, b := range s.batches {
		switch i {
		case 300, 600:
			settled(w)
			d.full.Store(i == 300)
		}
		w.Tick(b.now.Tick, b.now.At, b.messages)
	}
	if err := w.Close(0); err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("closed with %v", err)
	}
	r := opened(t, o.Dir)
	agreesBut(t, r, s)
	gaps := r.Gaps()
	if len(gaps) != 1 || !strings.Contains(gaps[0].Reason, "no space left") || gaps[0].To.Tick-gaps[0].From.Tick < 290 || gaps[0].To.Tick-gaps[0].From.Tick > 350 {
		t.Errorf("gaps %+v", gaps)
	}
	if n := w.Stats().Dropped; n < 290 || n > 350 {
		t.Errorf("%d ticks dropped", n)
	}
	text := log.String()
	if strings.Count(text, "recording stopped") != 1 || strings.Count(text, "recording goes on") != 1 || strings.Count(text, "\n") != 2 {
		t.Errorf("the log:\n%s", text)
	}
	if len(files(t, o.Dir)) != 2 || d.made < 3 {
		t.Errorf("%d files were made, left are %v", d.made, files(t, o.Dir))
	}
	scanned := map[value]Message{} // whoever follows the changes ends with the state
	for _, m := range readScan(t, r, 0, s.last().Tick, nil) {
		if scanned[value{m.Topic, m.Key}] = m; m.Data == nil {
			delete(scanned, value{m.Topic, m.Key})
		}
	}
	for _, m := range s.at(s.last().Tick, nil) {
		if got := scanned[value{m.Topic, m.Key}]; string(got.Data) != string(m.Data) || got.Tick != m.Tick {
			t.Errorf("by changes %s %s is %s, want %s", m.Topic, m.Key, got.Data, m.Data)
		}
		delete(scanned, value{m.Topic, m.Key})
	}
	for name, m := range scanned {
		if !m.Instant {
			t.Errorf("by changes %v is still there", name)
		}
	}
}

func TestFailedSyncStopsRecordingUntilItWorks(t *testing.T) {
	d, o, log := faulty(t)
	o.sync = time.Second
	w := newTestWriter(t, o)
	s := tell(6, 900)
	for i, b := range s.batches {
		switch i {
		case 300:
			settled(w)
			for w.counts.syncing.Load() != nil {
				runtime.Gosched()
			}
			d.sick.Store(true)
		case 600:
			for d.failed.Load() == 0 || w.counts.syncing.Load() != nil {
				runtime.Gosched()
			}
			d.sick.Store(false)
		}
		w.Tick(b.now.Tick, b.now.At, b.messages)
		settled(w)
	}
	if err := w.Close(0); err == nil || !strings.Contains(err.Error(), "input/output error") {
		t.Errorf("closed with %v", err)
	}
	if !strings.Contains(log.String(), "recording goes on") {
		t.Errorf("the log:\n%s", log)
	}
	r := opened(t, o.Dir)
	same(t, "the end", readAt(t, r, s.last().Tick, nil), s.at(s.last().Tick, nil))
}

func TestDeletedFolderIsMadeAgain(t *testing.T) {
	_, o, log := faulty(t)
	o.sync = time.Second
	w := newTestWriter(t, o)
	s := tell(7, 600)
	for i, b := range s.batches {
		if i == 300 {
			settled(w)
			if err := os.RemoveAll(o.Dir); err != nil {
				t.Fatal(err)
			}
		}
		w.Tick(b.now.Tick, b.now.At, b.messages)
	}
	_ = w.Close(0)
	if !strings.Contains(log.String(), "the file was deleted or moved") {
		t.Errorf("the log:\n%s", log)
	}
	r := opened(t, o.Dir)
	agreesBut(t, r, s)
	if first, _ := r.Span(); first.Tick < 300 || first.Tick > 400 {
		t.Errorf("begins with %v", first)
	}
}

func TestSlowDiskHoldsNobodyAndLeavesGap(t *testing.T) {
	d, o, log := faulty(t)
	d.block = make(chan struct{})
	o.Wait, o.queue, o.Now = false, 20_000, nil
	w := newTestWriter(t, o)
	s := tell(8, 2000)
	for _, b := range s.batches { // would wait for ever if the disk held it
		w.Tick(b.now.Tick, b.now.At, b.messages)
	}
	if w.Stats().Dropped == 0 {
		t.Error("nothing was dropped")
	}
	close(d.block)
	settled(w)
	more := tell(9, 2600)
	for _, b := range more.batches {
		if b.now.Tick > s.last().Tick {
			s.batches = append(s.batches, b)
			w.Tick(b.now.Tick, b.now.At, b.messages)
			if b.now.Tick%20 == 0 {
				settled(w)
			}
		}
	}
	if err := w.Close(0); err != nil {
		t.Error(err)
	}
	agreesBut(t, opened(t, o.Dir), s)
	if !strings.Contains(log.String(), "the disk is too slow") || !strings.Contains(log.String(), "recording goes on") {
		t.Errorf("the log:\n%s", log)
	}
}

func until(what func() bool) {
	for !what() {
		runtime.Gosched()
	}
}

// works reports whether the writer's goroutine has something in hand, for which it may wait for the disk.
func works(w *Writer) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.working
}

// A disk that never answers has no error. The recording that waits for it does not count as one that goes on, and does again when the disk has
// answered; ticks that find no room are missing at once.
func TestRecordingOnDiskThatDoesNotAnswerIsNotUp(t *testing.T) {
	for _, c := range []struct {
		name string
		at   func(d *disk) *chan struct{}
		busy func(w *Writer) bool
	}{
		{"write", func(d *disk) *chan struct{} { return &d.block }, works},
		{"sync", func(d *disk) *chan struct{} { return &d.stall }, func(w *Writer) bool { return w.counts.syncing.Load() != nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, o, _ := faulty(t)
			held := make(chan struct{})
			*c.at(d) = held
			var now atomic.Int64
			o.clock = func() time.Time { return time.Unix(now.Load(), 0) }
			o.Wait, o.sync = false, time.Nanosecond
			w := newTestWriter(t, o)
			s := tell(8, 40)
			for _, b := range s.batches {
				w.Tick(b.now.Tick, b.now.At, b.messages)
			}
			until(func() bool { return c.busy(w) })
			if !w.Stats().Up {
				t.Error("it is down at once")
			}
			now.Add(11)
			if w.Stats().Up {
				t.Error("it is up, although the disk has not answered for eleven seconds")
			}
			close(held)
			until(func() bool { return w.Stats().Up }) // when it has done what it took before
		})
	}
}

// Ticks that find no room in the queue are missing at once, long before the disk has answered.
func TestRecordingThatLosesTicksIsNotUp(t *testing.T) {
	d, o, _ := faulty(t)
	d.block = make(chan struct{})
	o.Wait, o.queue = false, 20_000
	w := newTestWriter(t, o)
	for i, b := range tell(8, 2000).batches {
		w.Tick(b.now.Tick, b.now.At, b.messages)
		if i == 0 { // or a late goroutine takes the queue after the last tick, with what was lost
			until(func() bool { return works(w) })
		}
	}
	if s := w.Stats(); s.Dropped == 0 || s.Up {
		t.Errorf("%+v", s)
	}
	close(d.block)
}

func TestStopWaitsForSlowDiskForItsLimitOnly(t *testing.T) {
	d, o, _ := faulty(t)
	d.block = make(chan struct{})
	w := newTestWriter(t, o)
	tell(1, 3).play(w)
	if err := w.Close(time.Millisecond); err == nil || err.Error() != "the recording was not complete within 1ms" {
		t.Errorf("%v", err)
	}
	close(d.block)
}

func TestOldestFilesMakeRoom(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "holiday.mcap")
	if err := os.WriteFile(foreign, make([]byte, 40<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	o := testOptions(dir)
	o.Limit, o.Part = MinLimit, 1<<20
	s := tell(10, 100)
	noise := make([]byte, 40<<10)
	for i := range s.batches {
		for j := range noise {
			noise[j] = byte(i * j >> 3 * (j % 251))
		}
		b := &s.batches[i]
		b.messages = append(b.messages, Message{Tick: b.now.Tick, At: b.now.At, Topic: Tape, Data: bytes.Clone(noise), Instant: true})
	}
	for range 5 {
		o.Life.ID = NewLifeID()
		written(t, o, s)
	}
	all, err := recordings(dir)
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, f := range all {
		sum += f.size
		if f.size > 2<<20 {
			t.Errorf("%s has %d bytes", f.path, f.size)
		}
	}
	if sum > MinLimit || sum < MinLimit/2 || len(all) < 10 {
		t.Errorf("%d bytes in %d files", sum, len(all))
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error("a file that is no recording was deleted")
	}
	if r := opened(t, dir); r.Life().ID != o.Life.ID {
		t.Error("the newest life is not read")
	}
}

func TestFilesThatAreBeingWrittenStay(t *testing.T) {
	dir := t.TempDir()
	o := testOptions(dir)
	w := newTestWriter(t, o)
	tell(1, 50).play(w)
	settled(w)
	before := files(t, dir)
	if err := prune(dir, 0, 1); err != nil || len(before) != 1 || len(files(t, dir)) != 1 {
		t.Errorf("%v: %v of %v are left", err, files(t, dir), before)
	}
	_ = w.Close(0)
	if err := prune(dir, 0, 1); err != nil || len(files(t, dir)) != 0 {
		t.Errorf("%v: %v are left", err, files(t, dir))
	}
}

func TestNamesSortAfterCalendarWasSetBack(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{now, now.Add(-time.Hour), now.Add(-30 * 24 * time.Hour), now.Add(time.Minute)} {
		name := partName(dir, at, NewLifeID(), 1)
		if all := files(t, dir); len(all) > 0 && name <= filepath.Base(all[len(all)-1]) {
			t.Errorf("%s is not after %s", name, all[len(all)-1])
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestStrangeMessagesAreToldOnceAndLeftOut(t *testing.T) {
	_, o, log := faulty(t)
	w := newTestWriter(t, o)
	for n := range uint64(5) {
		w.Tick(n+1, time.Duration(n+1)*period, []Message{
			{Tick: n + 1, Topic: "/nowhere", Data: []byte("{}")}, {Tick: n + 1, Topic: "/pose", Data: []byte("[1]")}, {Tick: n + 1, At: time.Duration(n+1) * period, Topic: "/pose", Data: []byte(`{"n":1}`)},
		})
	}
	if err := w.Close(0); err != nil {
		t.Error(err)
	}
	if all := readScan(t, opened(t, o.Dir), 0, 5, nil); len(all) != 5 {
		t.Errorf("%d messages", len(all))
	}
	if n := strings.Count(log.String(), "is not recorded"); n != 1 {
		t.Errorf("%d lines:\n%s", n, log)
	}
}
