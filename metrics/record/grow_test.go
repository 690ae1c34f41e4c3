package record

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// What a reader reads while the life goes on, of blocks that are open or being closed, is what a plain list of the same life has.
func TestReadWhileTheLifeGoesOnIsWhatWasWritten(t *testing.T) {
	s := tell(17, 3000)
	m := NewMemory(testLife(), nil, 0, 0)
	plain := &story{withoutTape(s.batches)}
	go s.play(m)
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 5))
			for _, last := m.Span(); last != s.last(); _, last = m.Span() {
				if last.Tick > 0 {
					compareSome(t, m, plain, last.Tick, r)
				}
			}
			compareSome(t, m, plain, s.last().Tick, r)
		})
	}
}

// compareSome reads some topics at and up to a tick, which is the newest one or not long ago.
func compareSome(t *testing.T, m *Memory, plain *story, last uint64, r *rand.Rand) {
	t.Helper()
	choices := [][]string{nil, {"/stack"}, {"/question"}, {"/event", "/pose"}, {"/device", "/question", "/stack"}, {"/none"}}
	topics := choices[r.IntN(len(choices))]
	tick := last
	if r.IntN(2) == 0 {
		tick = plain.batches[0].now.Tick + r.Uint64N(last-plain.batches[0].now.Tick+1)
	}
	from := tick - min(tick, r.Uint64N(300))
	same(t, "at", readAt(t, m, tick, topics), plain.at(tick, topics))
	same(t, "scan", readScan(t, m, from, tick, topics), plain.scan(from, tick, topics))
}

// A chunk is unpacked again only for a topic that it has. The others are overwritten here, which nobody notices.
func TestChunksWithoutTheTopicAreReadOnce(t *testing.T) {
	dir, s := t.TempDir(), tell(19, 2000)
	written(t, testOptions(dir), s)
	topics := []string{"/event"}
	r := opened(t, dir)
	same(t, "first", readScan(t, r, 0, s.last().Tick, topics), s.scan(0, s.last().Tick, topics))
	file, err := os.OpenFile(r.Files()[0], os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	whole, overwritten := opened(t, dir), 0
	for i, c := range whole.chunks {
		seg, ok := whole.load(i)
		if !ok {
			t.Fatalf("chunk %d", i)
		}
		if slices.ContainsFunc(seg.entries, func(e entry) bool { return e.Topic == topics[0] }) {
			continue
		}
		overwritten++
		if _, err := file.WriteAt(make([]byte, c.length), c.offset); err != nil {
			t.Fatal(err)
		}
	}
	if overwritten < len(whole.chunks)/2 {
		t.Errorf("%d chunks of %d have none", overwritten, len(whole.chunks))
	}
	same(t, "again", readScan(t, r, 0, s.last().Tick, topics), s.scan(0, s.last().Tick, topics))
	if len(r.Gaps()) > 0 {
		t.Errorf("chunks without it were read: %v", r.Gaps())
	}
	readScan(t, r, 0, s.last().Tick, []string{"/pose"})
	if len(r.Gaps()) == 0 {
		t.Error("chunks with another topic were not read")
	}
}

// A set holds what was put into it, and more only from the 64th topic on.
func TestTopicSetHasWhatWasAdded(t *testing.T) {
	var s topicSet
	for _, i := range []int{0, 5, 62, 70} {
		s.add(i)
	}
	for i := range 80 {
		if want := i == 0 || i == 5 || i >= 62; s.has(i) != want {
			t.Errorf("topic %d: %t", i, s.has(i))
		}
	}
}

// A file that is read topic by topic has what it has when it is read whole.
func TestRecordingReadByTopicIsTheSameAsReadWhole(t *testing.T) {
	dir := t.TempDir()
	s := tell(18, 2000)
	written(t, testOptions(dir), s)
	whole := opened(t, dir)
	for i := range whole.chunks {
		whole.load(i)
	}
	r := rand.New(rand.NewPCG(18, 6))
	for _, topics := range [][]string{nil, {"/stack"}, {"/question", "/event"}, {Tape}, {"/none"}} {
		fresh := opened(t, dir)
		for range 10 {
			tick := 1 + r.Uint64N(s.last().Tick)
			to := tick + r.Uint64N(s.last().Tick-tick+1)
			same(t, "scan", readScan(t, fresh, tick, to, topics), readScan(t, whole, tick, to, topics))
			same(t, "scan, as it was", readScan(t, fresh, tick, to, topics), s.scan(tick, to, topics))
			if len(topics) == 0 || topics[0] != Tape {
				same(t, "at", readAt(t, fresh, tick, topics), readAt(t, whole, tick, topics))
			}
		}
	}
}
