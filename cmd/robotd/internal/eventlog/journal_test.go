package eventlog

import (
	"bytes"
	"errors"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/journal"
)

// sent is one message of the journal.
type sent struct {
	message  string
	priority journal.Priority
	fields   map[string]string
}

func TestJournalGetsTextPriorityAndFieldOfEachAttribute(t *testing.T) {
	var all []sent
	var other bytes.Buffer
	w := &journalWriter{other: &other, send: func(m string, p journal.Priority, f map[string]string) error {
		all = append(all, sent{m, p, f})
		return nil
	}}
	log := slog.New(FormatJournal.Handler(w, slog.LevelDebug))
	log.Warn("failed", "actor", "device/motors", "tick", 12, "took", time.Millisecond, "text", "a \"quoted\"\nline")
	log.Debug("x", "odd-key é", true)
	if _, err := w.Write([]byte("no JSON\n")); err != nil {
		t.Error(err)
	}
	want := []sent{
		{
			"failed actor=device/motors tick=12 took=1000000 text=a \"quoted\"\nline", journal.PriWarning,
			map[string]string{
				"SYSLOG_IDENTIFIER": "robotd", "ROBOTD_ACTOR": "device/motors", "ROBOTD_TICK": "12", "ROBOTD_TOOK": "1000000", "ROBOTD_TEXT": "a \"quoted\"\nline",
			},
		},
		{"x odd-key é=true", journal.PriDebug, map[string]string{"SYSLOG_IDENTIFIER": "robotd", "ROBOTD_ODD_KEY__": "true"}},
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("sent %+v\nwant %+v", all, want)
	}
	if other.String() != "no JSON\n" {
		t.Errorf("what is no line of the log went to %q", other.String())
	}
}

func TestJournalWriterTellsHowMuchWasWrittenBeforeAnError(t *testing.T) {
	full := errors.New("full")
	left := 1
	w := &journalWriter{send: func(string, journal.Priority, map[string]string) error {
		if left--; left < 0 {
			return full
		}
		return nil
	}}
	lines := []byte("{\"msg\":\"a\"}\n{\"msg\":\"b\"}\n")
	if n, err := w.Write(lines); n != len(lines)/2 || !errors.Is(err, full) {
		t.Errorf("%d, %v", n, err)
	}
}
