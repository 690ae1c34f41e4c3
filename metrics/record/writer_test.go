package record

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(envKilled); dir != "" {
		recordUntilKilled(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

func testOptions(dir string) Options {
	return Options{Dir: dir, Life: testLife(), Topics: testTopics(), Resources: testTree(), Wait: true}
}

func newTestWriter(t testing.TB, o Options) *Writer {
	t.Helper()
	w, err := NewWriter(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(0) })
	return w
}

func written(t testing.TB, o Options, s *story) {
	t.Helper()
	w := newTestWriter(t, o)
	s.play(w)
	if err := w.Close(0); err != nil {
		t.Fatal(err)
	}
}

func opened(t testing.TB, path string) *Reader {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func files(t testing.TB, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRecordingIsReadAsItWasWritten(t *testing.T) {
	dir, s := t.TempDir(), tell(1, 3000)
	written(t, testOptions(dir), s)
	r := opened(t, dir)
	agrees(t, r, s, 0)
	if r.Life() != testLife() {
		t.Errorf("life %+v", r.Life())
	}
	if len(r.Gaps()) > 0 {
		t.Errorf("gaps %v", r.Gaps())
	}
	same(t, "tape", readScan(t, r, 0, s.last().Tick, []string{Tape}), s.scan(0, s.last().Tick, []string{Tape}))
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	tree, err := r.Resources()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(tree, "behaviors/a.json"); err != nil || string(text) != `{"id":"A"}` {
		t.Errorf("resources: %q, %v", text, err)
	}
	if hash, err := TreeHash(tree); err != nil || hash != testTree().Hash {
		t.Errorf("hash %s, want %s; %v", hash, testTree().Hash, err)
	}
	if _, err := fs.Stat(tree, "web/page.html"); err == nil {
		t.Error("a file is there that was not to be kept")
	}
}

func TestLifeOfManyFilesIsOneHistory(t *testing.T) {
	dir, s := t.TempDir(), tell(2, 6000)
	o := testOptions(dir)
	o.Part = 64 << 10
	written(t, o, s)
	all := files(t, dir)
	if len(all) < 4 {
		t.Fatalf("only %d files: %v", len(all), all)
	}
	agrees(t, opened(t, dir), s, 0)
	for _, f := range all { // one file is a history of its own
		r := opened(t, f)
		first, last := r.Span()
		same(t, f, readAt(t, r, last.Tick, nil), s.at(last.Tick, nil))
		same(t, f, readScan(t, r, first.Tick, last.Tick, nil), s.scan(first.Tick, last.Tick, nil))
	}
	for _, n := range []int{0, 2} {
		if err := os.Remove(all[n]); err != nil {
			t.Fatal(err)
		}
	}
	r := opened(t, dir)
	if first, _ := r.Span(); first.Tick < 2 || len(r.Gaps()) != 2 || r.Gaps()[0].To.Tick != first.Tick-1 {
		t.Errorf("begins at %v, gaps %+v", first, r.Gaps())
	}
	same(t, "the end", readAt(t, r, s.last().Tick, nil), s.at(s.last().Tick, nil))
}

// A file is full when what was recorded fills it, however large the resources are that each file carries.
func TestLargeResourcesMakeNoMoreFiles(t *testing.T) {
	tree, err := NewTree(fstest.MapFS{"sound.json": {Data: make([]byte, 2<<20)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for part, most := range map[int64]uint64{0: 1, 64 << 10: 10} {
		o := testOptions(t.TempDir())
		o.Resources, o.Limit, o.Part = tree, MinLimit, part // a part of 0 is a mebibyte here
		w := newTestWriter(t, o)
		tell(6, 1000).play(w)
		if err := w.Close(0); err != nil {
			t.Fatal(err)
		}
		if n := w.Stats().Files; n > most || part > 0 && n < 2 {
			t.Errorf("a minute makes %d files of %d bytes beside the resources", n, part)
		}
		all, err := recordings(o.Dir)
		size := int64(0)
		for _, f := range all {
			size += f.size
		}
		if err != nil || size > MinLimit {
			t.Errorf("%d bytes in %d files, %v", size, len(all), err)
		}
	}
}

func TestMemoryIsReadAsItWasWritten(t *testing.T) {
	s := tell(3, 5000)
	m := NewMemory(testLife(), testTree(), 0, 0)
	s.play(m)
	s.batches = withoutTape(s.batches)
	agrees(t, m, s, 0)
}

func TestMemoryForgetsWhatIsOld(t *testing.T) {
	s := tell(4, 5000)
	m := NewMemory(testLife(), testTree(), time.Minute, 0)
	s.play(m)
	s.batches = withoutTape(s.batches)
	first, last := m.Span()
	if age := last.At - first.At; age < time.Minute || age > time.Minute+2*blockSpan {
		t.Errorf("the memory goes back %v", age)
	}
	agrees(t, m, s, first.Tick)
}

// A block of long messages that say the same is small when it is closed. What closing it took is kept for the next one, and counts.
func TestMemoryCountsWhatItKeepsForTheNextBlock(t *testing.T) {
	heap := func() int {
		var s runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&s)
		return int(s.HeapAlloc)
	}
	const long, compressor = 64 << 10, 2 << 20
	before := heap()
	m := NewMemory(testLife(), nil, 0, 0)
	text := bytes.Repeat([]byte("the same "), long/9)
	for n := range uint64(3 * blockBytes / long) {
		at := time.Duration(n) * period
		m.Tick(n, at, []Message{{Tick: n, At: at, Topic: "/event", Data: text, Instant: true}})
	}
	took := heap() - before
	if got := m.Bytes(); got < took-compressor || got > took {
		t.Errorf("the memory says %d bytes, the heap grew by %d", got, took)
	}
}

func withoutTape(all []batch) []batch {
	var kept []batch
	for _, b := range all {
		c := batch{now: b.now}
		for _, m := range b.messages {
			if m.Topic != Tape {
				c.messages = append(c.messages, m)
			}
		}
		kept = append(kept, c)
	}
	return kept
}

func TestTickThatIsToldTwiceIsReadWhole(t *testing.T) {
	const big = 1 << 40 // beyond the 32 bits that a file keeps of each
	dir := t.TempDir()
	o := testOptions(dir)
	o.flush = period // a chunk for each
	w := newTestWriter(t, o)
	message := func(tick uint64, text string) []Message {
		return []Message{{Tick: tick, At: time.Duration(tick-big) * period, Topic: "/pose", Data: []byte(text)}}
	}
	w.Tick(big+1, period, message(big+1, `{"n":1}`))
	w.Tick(big+2, 2*period, message(big+2, `{"n":2}`))
	w.Tick(big+2, 2*period, message(big+2, `{"n":3}`))
	w.Tick(big+2, 2*period, message(big+3, `{"n":4}`)) // what happened after the last tick
	if err := w.Close(0); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range readScan(t, opened(t, dir), big+2, big+9, nil) {
		texts = append(texts, fmt.Sprint(m.Tick-big, string(m.Data)))
	}
	if got := strings.Join(texts, " "); got != `2{"n":2} 2{"n":3} 3{"n":4}` {
		t.Errorf("read %s", got)
	}
}

// The readers of a memory or of a growing file do not disturb who writes.
func TestHistoryIsReadWhileItGrows(t *testing.T) {
	dir := t.TempDir()
	m, w := NewMemory(testLife(), nil, time.Minute, 0), newTestWriter(t, testOptions(dir))
	s := tell(13, 1500)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for {
				_, last := m.Span()
				if last.Tick > 0 {
					tick := max(last.Tick, 300) - 200
					_ = m.At(tick, nil, func(Message) bool { return true })
					_ = m.Scan(nil, tick, last.Tick, func(Message) bool { return true })
				}
				if r, err := Open(dir); err == nil {
					if err := r.Verify(); err != nil {
						t.Error(err)
					}
					_ = r.Close()
				}
				if last == s.last() {
					return
				}
			}
		})
	}
	s.play(m, w)
	group.Wait()
}
