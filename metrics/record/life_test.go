package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

const period = 60 * time.Millisecond

// topics of the synthetic lives.
func testTopics() []Topic {
	return []Topic{
		{Name: "/stack", Schema: `{"type":"object"}`, Doc: "The stack"},
		{Name: "/pose"},
		{Name: "/question", Doc: "Why"},
		{Name: "/device"},
		{Name: "/event"},
		{Name: Tape, Opaque: true},
	}
}

func testLife() Life {
	return Life{
		ID: "a1b2c3", Begin: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Version: "v1", Go: "go1.26", Arch: "amd64/v1", Robot: "sim",
		Seed: 7, PeriodNS: int64(period), Schema: SchemaVersion, Simulated: true,
	}
}

func testTree() *Tree {
	files := fstest.MapFS{"behaviors/a.json": {Data: []byte(`{"id":"A"}`)}, "boot/boot.json": {Data: []byte(`{}`)}, "web/page.html": {Data: []byte("page")}}
	tree, err := NewTree(files, func(tree fs.FS) ([]string, error) { return fs.Glob(tree, "*/*.json") })
	if err != nil {
		panic(err)
	}
	return tree
}

// A story is a synthetic life: what each tick changed. It is a History of the plainest kind.
type story struct{ batches []batch }

// tell makes a life of some ticks. Equal seeds make equal lives.
func tell(seed uint64, ticks int) *story {
	r := rand.New(rand.NewPCG(seed, 1))
	s := &story{}
	n := uint64(0)
	for range ticks {
		n++
		if r.IntN(200) == 0 {
			n += uint64(r.IntN(3)) // ticks that were skipped
		}
		s.batches = append(s.batches, batch{Instant{n, time.Duration(n) * period}, someMessages(r, n)})
	}
	return s
}

func someMessages(r *rand.Rand, n uint64) []Message {
	var all []Message
	add := func(topic, key string, data []byte, instant bool) {
		all = append(all, Message{Tick: n, At: time.Duration(n) * period, Topic: topic, Key: key, Data: data, Instant: instant})
	}
	object := func(v any) []byte { b, _ := json.Marshal(v); return b }
	if r.IntN(3) > 0 {
		add("/pose", "", object(map[string]int{"x": r.IntN(1000), "y": r.IntN(1000)}), false)
	}
	if r.IntN(20) == 0 {
		add("/stack", "", object(map[string]any{"layers": []string{"Base", fmt.Sprint("B", r.IntN(9))}}), false)
	}
	for range r.IntN(4) {
		key := fmt.Sprintf("Behavior%d", r.IntN(12))
		switch r.IntN(8) {
		case 0:
			add("/question", key, nil, false)
		case 1:
			add("/question", key, []byte("{}"), false)
		default:
			add("/question", key, object(map[string]any{"id": key, "wanted": r.IntN(2) == 0, "at": n}), false)
		}
	}
	if r.IntN(30) == 0 {
		add("/device", "odd \"key\"\\ ü", object(map[string]any{"n": n}), false)
	}
	if r.IntN(50) == 0 {
		add("/event", fmt.Sprint(n), object(map[string]any{"kind": "action", "text": "it happened"}), true)
	}
	tape := make([]byte, r.IntN(60))
	for i := range tape {
		tape[i] = byte(r.Uint32())
	}
	add(Tape, "", tape, true)
	return all
}

func (s *story) play(sinks ...Sink) {
	for _, b := range s.batches {
		for _, sink := range sinks {
			sink.Tick(b.now.Tick, b.now.At, slices.Clone(b.messages))
		}
	}
}

func (s *story) last() Instant { return s.batches[len(s.batches)-1].now }

// at is what History.At must yield.
func (s *story) at(tick uint64, topics []string) []Message {
	want, now := wanted(topics), map[value]Message{}
	for _, b := range s.batches {
		if b.now.Tick > tick {
			break
		}
		for _, m := range b.messages {
			switch {
			case m.Instant || !want(m.Topic):
			case m.Data == nil:
				delete(now, value{m.Topic, m.Key})
			default:
				now[value{m.Topic, m.Key}] = m
			}
		}
	}
	var all []Message
	for _, m := range now {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Message) int { return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Key, b.Key)) })
	return all
}

// scan is what History.Scan must yield.
func (s *story) scan(from, to uint64, topics []string) []Message {
	want := wanted(topics)
	var all []Message
	for _, b := range s.batches {
		for _, m := range b.messages {
			if from <= b.now.Tick && b.now.Tick <= to && want(m.Topic) {
				all = append(all, m)
			}
		}
	}
	return all
}

func readAt(t testing.TB, h History, tick uint64, topics []string) []Message {
	t.Helper()
	var all []Message
	if err := h.At(tick, topics, func(m Message) bool { all = append(all, m); return true }); err != nil {
		t.Fatalf("at %d: %v", tick, err)
	}
	return all
}

func readScan(t testing.TB, h History, from, to uint64, topics []string) []Message {
	t.Helper()
	var all []Message
	if err := h.Scan(topics, from, to, func(m Message) bool { all = append(all, m); return true }); err != nil {
		t.Fatalf("scan %d to %d: %v", from, to, err)
	}
	return all
}

// same compares messages; Instant of an opaque topic is always true.
func same(t testing.TB, what string, got, want []Message) {
	t.Helper()
	equal := func(a, b Message) bool {
		return a.Tick == b.Tick && a.At == b.At && a.Topic == b.Topic && a.Key == b.Key && string(a.Data) == string(b.Data) &&
			(a.Data == nil) == (b.Data == nil) && a.Instant == b.Instant
	}
	for i := range min(len(got), len(want)) {
		if !equal(got[i], want[i]) {
			t.Fatalf("%s, message %d:\n got %+v %s\nwant %+v %s", what, i, got[i], got[i].Data, want[i], want[i].Data)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d messages, want %d", what, len(got), len(want))
	}
}

// agrees compares a history with a story at many places from a tick on.
func agrees(t testing.TB, h History, s *story, from uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, uint64(len(s.batches))))
	first, last := h.Span()
	if last != s.last() {
		t.Fatalf("the history ends at %v, want %v", last, s.last())
	}
	from = max(from, first.Tick)
	var known []uint64
	for _, b := range s.batches {
		if b.now.Tick >= from {
			known = append(known, b.now.Tick)
		}
	}
	for range 60 {
		tick := known[r.IntN(len(known))]
		same(t, fmt.Sprint("at ", tick), readAt(t, h, tick, nil), s.at(tick, nil))
		if got, ok := h.Find(time.Duration(tick) * period); !ok || got != tick {
			t.Fatalf("Find(%v) is %d %t, want %d", time.Duration(tick)*period, got, ok, tick)
		}
	}
	topics := []string{"/question", "/event"}
	tick := known[r.IntN(len(known))]
	same(t, "questions and events", readAt(t, h, tick, topics), s.at(tick, topics))
	to := tick + 500
	same(t, fmt.Sprint("scan from ", tick), readScan(t, h, tick, to, nil), s.scan(tick, to, nil))
	same(t, "scan of all", readScan(t, h, from, last.Tick, nil), s.scan(from, last.Tick, nil))
}
