package record

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
)

// recorded returns the bytes of a recording of one file.
func recorded(t *testing.T, s *story) []byte {
	t.Helper()
	dir := t.TempDir()
	written(t, testOptions(dir), s)
	all := files(t, dir)
	if len(all) != 1 {
		t.Fatalf("%d files", len(all))
	}
	b, err := os.ReadFile(all[0])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFileCutAnywhereOpensUpToItsLastChunk(t *testing.T) {
	s := tell(11, 600)
	whole := recorded(t, s)
	path := filepath.Join(t.TempDir(), "cut.mcap")
	r := rand.New(rand.NewPCG(1, 1))
	none := 0
	for range 60 {
		size := r.IntN(len(whole))
		cut := whole[:size]
		if r.IntN(4) == 0 { // a power cut leaves zeros
			cut = append(cut[:size:size], make([]byte, r.IntN(9000))...)
		}
		if err := os.WriteFile(path, cut, 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := Open(path)
		if err != nil {
			none++
			continue
		}
		_, last := h.Span()
		same(t, fmt.Sprint("cut at ", size), readScan(t, h, 0, last.Tick, nil), s.scan(0, last.Tick, nil))
		same(t, fmt.Sprint("cut at ", size), readAt(t, h, last.Tick, nil), s.at(last.Tick, nil))
		if err := h.Verify(); err != nil || len(h.Gaps()) > 0 {
			t.Errorf("cut at %d: %v, gaps %v", size, err, h.Gaps())
		}
		_ = h.Close()
	}
	if none > 20 {
		t.Errorf("%d of 60 did not open", none)
	}
	for size, complete := range map[int]bool{len(whole): true, len(whole) * 2 / 3: false} {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if h.Complete() != complete {
			t.Errorf("%d of %d bytes: complete is %t", size, len(whole), h.Complete())
		}
		_ = h.Close()
	}
}

func TestDamagedMiddleIsGapAndReadingGoesOn(t *testing.T) {
	s := tell(12, 900)
	whole := recorded(t, s)
	path := filepath.Join(t.TempDir(), "damaged.mcap")
	r := rand.New(rand.NewPCG(2, 1))
	gaps := 0
	for range 60 {
		b := append([]byte(nil), whole...)
		from := len(b)/10 + r.IntN(len(b)*8/10)
		for i := from; i < min(len(b), from+1+r.IntN(600)); i++ {
			b[i] ^= byte(1 + r.IntN(255))
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := Open(path)
		if err != nil {
			t.Fatalf("damaged at %d: %v", from, err)
		}
		broken := h.Verify() != nil
		missing := h.Gaps()
		if broken != (len(missing) > 0) {
			t.Errorf("damaged at %d: broken %t, gaps %v", from, broken, missing)
		}
		gaps += len(missing)
		_, last := h.Span()
		var want []Message
		for _, m := range s.scan(0, last.Tick, nil) {
			if outside(missing, m.Tick) {
				want = append(want, m)
			}
		}
		same(t, fmt.Sprint("damaged at ", from), readScan(t, h, 0, last.Tick, nil), want)
		_ = h.Close()
	}
	if gaps < 30 {
		t.Errorf("%d gaps in 60 damaged files", gaps)
	}
}

// damagedAt writes a recording with a chunk whose checksum does not hold, and returns the path and what the chunk had.
func damagedAt(t *testing.T, whole []byte, i int) (path string, lost span) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "damaged.mcap")
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	r := opened(t, path)
	lost, _ = r.span(i)
	b := slices.Clone(whole)
	b[r.chunks[i].offset+r.chunks[i].length/2] ^= 0xff
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, lost
}

// What the first question about a damaged recording finds is the truth or an error, in the damaged chunk and behind it up to the next keyframe.
func TestFirstQuestionAboutDamageIsNotAnsweredWithOldValues(t *testing.T) {
	s := tell(14, 900)
	whole := recorded(t, s)
	for _, i := range []int{0, 20, 21, 30, 31} {
		path, lost := damagedAt(t, whole, i)
		var key uint64
		for all, j := opened(t, path), i+1; ; j++ {
			if here, _ := all.span(j); here.key {
				key = here.first.Tick
				break
			}
		}
		for tick, hidden := range map[uint64]bool{
			lost.first.Tick: true, lost.last.Tick: true, lost.last.Tick + 1: key > lost.last.Tick+1, key - 1: true, key: false, key + 5: false,
		} {
			r, got := opened(t, path), []Message(nil)
			err := r.At(tick, nil, func(m Message) bool { got = append(got, m); return true })
			if !hidden {
				if err != nil {
					t.Errorf("chunk %d, tick %d: %v", i, tick, err)
				}
				same(t, fmt.Sprint("chunk ", i, ", tick ", tick), got, s.at(tick, nil))
				continue
			}
			_, damaged := errors.AsType[*DamageError](err)
			_, early := errors.AsType[*RangeError](err)
			if !damaged && !(early && i == 0) || len(got) > 0 || early && tick > lost.last.Tick {
				t.Errorf("chunk %d, tick %d: %d values, %v", i, tick, len(got), err)
			}
			if !early && outside(r.Gaps(), lost.last.Tick) {
				t.Errorf("chunk %d, tick %d: the gaps are %v", i, tick, r.Gaps())
			}
		}
		if i > 0 {
			same(t, "before the damage", readAt(t, opened(t, path), lost.first.Tick-1, nil), s.at(lost.first.Tick-1, nil))
		}
	}
}

func TestWhatIsNoRecordingIsRefusedWithReason(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole := recorded(t, tell(1, 20))
	newer := strings.Replace(string(whole), "format\x01\x00\x00\x001", "format\x01\x00\x00\x009", 1)
	topics := strings.Replace(string(whole), `"schema":1`, `"schema":7`, 1)
	foreign := append(append([]byte(nil), mcap.Magic...), 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	for path, want := range map[string]string{
		filepath.Join(dir, "nowhere"):                         "no such file or directory",
		file("empty.mcap", nil):                               "the file is empty",
		file("text.mcap", []byte("hello, this is no record")): "this is no recording: it does not begin like an MCAP file",
		file("short.mcap", []byte("hel")):                     "this is no recording: it does not begin like an MCAP file",
		file("foreign.mcap", foreign):                         "this is an MCAP file, but no recording of robotd",
		file("newer.mcap", []byte(newer)):                     "a newer robotd wrote this recording: its file format is 9, and this robotd reads up to 1",
		file("topics.mcap", []byte(topics)):                   "a newer robotd (v1) wrote this recording: its topics have version 7, and this robotd reads up to 1",
		file("head.mcap", whole[:1100]):                       "the recording holds no complete chunk",
		filepath.Dir(file("folder/text.txt", nil)):            "holds no recording: no file there ends with .mcap",
		filepath.Dir(file("bad[1]/a.mcap", []byte("no"))):     "this is no recording",
	} {
		r, err := Open(path)
		if err == nil {
			_ = r.Close()
			t.Errorf("%s opens; want %q", path, want)
		} else if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v; want %q", path, err, want)
		}
	}
}

func TestTicksThatWereNotRecordedAreNamed(t *testing.T) {
	dir, s := t.TempDir(), tell(1, 50)
	written(t, testOptions(dir), s)
	r := opened(t, dir)
	for _, tick := range []uint64{0, s.last().Tick + 1} {
		err := r.At(tick, nil, func(Message) bool { return true })
		want := fmt.Sprintf("tick %d is not recorded: the recording has the ticks 1 to %d (60ms to %v)", tick, s.last().Tick, s.last().At)
		if err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if _, ok := r.Find(0); ok {
		t.Error("a tick before the first is found")
	}
	if tick, ok := r.Find(s.last().At * 2); !ok || tick != s.last().Tick {
		t.Errorf("after the end: %d %t", tick, ok)
	}
}

func TestNewestReadableLifeOfFolderIsRead(t *testing.T) {
	dir, s := t.TempDir(), tell(1, 100)
	for _, id := range []string{"aaaa", "bbbb"} {
		o := testOptions(dir)
		o.Life.ID = id
		written(t, o, s)
	}
	if id := opened(t, dir).Life().ID; id != "bbbb" {
		t.Errorf("life %s", id)
	}
	if err := os.WriteFile(filepath.Join(dir, "29990101T000000.000Z-cccc-0001.mcap"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if id := opened(t, dir).Life().ID; id != "bbbb" {
		t.Errorf("life %s beside an empty file", id)
	}
	for i, id := range []string{"dddd", "eeee", "ffff"} { // a robot that fails at each start, before its first chunk is written
		o := testOptions(t.TempDir())
		o.Life.ID = id
		written(t, o, s)
		text, err := os.ReadFile(files(t, o.Dir)[0])
		if err != nil {
			t.Fatal(err)
		}
		first := opened(t, o.Dir).chunks[0].offset - recordHead
		path := filepath.Join(dir, fmt.Sprintf("29990101T00000%d.000Z-%s-0001.mcap", i+1, id))
		if err := os.WriteFile(path, text[:first+int64(40*i)], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, errNothing) {
			t.Errorf("%s alone: %v", id, err)
		}
		for _, open := range []func(string) (*Reader, error){Open, OpenLife} {
			r, err := open(dir)
			if err != nil {
				t.Fatalf("beside the head of %s: %v", id, err)
			}
			if r.Life().ID != "bbbb" {
				t.Errorf("life %s beside the head of %s", r.Life().ID, id)
			}
			_ = r.Close()
		}
	}
	for _, path := range files(t, dir)[:2] {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(dir); !errors.Is(err, errNothing) || strings.Count(err.Error(), errNothing.Error()) != 1 {
		t.Errorf("without a life that has a chunk: %v", err)
	}
}
