package flight

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/robotd/robotd/actors/event"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a source whose trace is a text.
type fake struct{ fail error }

func (f *fake) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, "trace")
	return int64(n), errors.Join(err, f.fail)
}
func (*fake) Stop() {}

// stand is a recorder whose clock the test sets.
type stand struct {
	*Recorder
	time time.Time
	text bytes.Buffer
}

func newStand(t *testing.T, from source) *stand {
	s := &stand{time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	s.Recorder = newRecorder(from, filepath.Join(t.TempDir(), "traces"), slog.New(slog.NewTextHandler(&s.text, nil)), func() time.Time { return s.time })
	return s
}

// files names what is in the folder.
func (s *stand) files() string {
	all, _ := os.ReadDir(s.dir)
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.Name()
	}
	return strings.Join(names, " ")
}

func TestMissedTickLeavesOneTraceAMinute(t *testing.T) {
	s := newStand(t, &fake{})
	s.take(event.Tick{N: 7, Duration: time.Second})
	s.time = s.time.Add(every - 1)
	s.take(event.Tick{N: 8})
	s.time = s.time.Add(1)
	s.take(event.Tick{N: 9})
	if got := s.files(); got != "20260101T000000Z-tick7.trace 20260101T000100Z-tick9.trace" {
		t.Errorf("files: %s", got)
	}
	if !strings.Contains(s.text.String(), "tick=7 duration=1s trace="+s.dir+"/20260101T000000Z-tick7.trace") {
		t.Errorf("the log does not name the file: %s", s.text.String())
	}
}

func TestOldestTracesGo(t *testing.T) {
	s := newStand(t, &fake{})
	for n := range uint64(keep + 2) {
		s.take(event.Tick{N: n})
		s.time = s.time.Add(every)
	}
	if got := s.files(); strings.Count(got, suffix) != keep || strings.Contains(got, "tick1.") || !strings.Contains(got, "tick2.") {
		t.Errorf("files: %s", got)
	}
}

// Traces of a clock that was ahead go before those of the right one.
func TestTracesOfTheFutureGoFirst(t *testing.T) {
	s := newStand(t, &fake{})
	now := s.time
	s.time = now.AddDate(73, 0, 0)
	for n := range uint64(keep) {
		s.take(event.Tick{N: n})
		s.time = s.time.Add(every)
	}
	s.time, s.newest = now, time.Time{}
	for n := range uint64(3) {
		s.take(event.Tick{N: 100 + n})
		s.time = s.time.Add(every)
	}
	if got := s.files(); strings.Count(got, suffix) != keep || strings.Count(got, "tick10") != 3 {
		t.Errorf("files: %s", got)
	}
}

func TestTraceThatCannotBeWrittenLeavesNoFileAndOneLine(t *testing.T) {
	s := newStand(t, &fake{fail: errors.New("disk full")})
	s.take(event.Tick{N: 7})
	s.take(event.Tick{N: 8})
	if got := s.files(); got != "" {
		t.Errorf("files: %s", got)
	}
	if strings.Count(s.text.String(), "\n") != 1 || !strings.Contains(s.text.String(), `tick=7 why="disk full"`) {
		t.Errorf("log: %s", s.text.String())
	}
}

// What a process left that was killed while it wrote a trace goes with the next one; a file of somebody else stays.
func TestTornTraceOfKilledProcessGoes(t *testing.T) {
	s := newStand(t, &fake{})
	if err := os.MkdirAll(s.dir, 0o750); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"20251231T000000Z-tick3.trace.part", "notes.part"} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte("torn"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.take(event.Tick{N: 7})
	if got := s.files(); got != "20260101T000000Z-tick7.trace notes.part" {
		t.Errorf("files: %s", got)
	}
}

// The real flight recorder; the missed tick is one that says so. A tick never waits for the writer.
func TestTraceOfRuntimeIsReadByItsTools(t *testing.T) {
	var text bytes.Buffer
	dir := t.TempDir()
	r, err := Start(dir, slog.New(slog.NewTextHandler(&text, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(dir, slog.Default()); err == nil {
		t.Error("a second flight recorder started")
	}
	r.ObserveTick(event.Tick{N: 1}, nil, nil)
	for n := range uint64(100) {
		r.ObserveTick(event.Tick{N: 2 + n, Missed: true}, nil, nil)
	}
	r.Close(t.Context())
	all, _ := filepath.Glob(filepath.Join(dir, "*-tick2"+suffix))
	if len(all) != 1 || !strings.Contains(text.String(), all[0]) {
		t.Fatalf("files %v, log %s", all, text.String())
	}
	data, err := os.ReadFile(all[0])
	if err != nil || !bytes.HasPrefix(data, []byte("go 1.")) {
		t.Errorf("no trace: %.20q, %v", data, err)
	}
}

// A start that fails closes the recorder once more than it was opened.
func TestRecorderIsClosedTwice(t *testing.T) {
	s := newStand(t, &fake{})
	go s.run()
	s.Close(t.Context())
	s.Close(t.Context())
}
