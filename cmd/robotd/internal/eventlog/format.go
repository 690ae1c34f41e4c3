package eventlog

import (
	"io"
	"log/slog"
	"os"

	"github.com/coreos/go-systemd/v22/journal"
)

// A Format is how log lines are written.
type Format string

// The formats. FormatAuto is FormatJournal if stderr leads to the journal, else FormatText.
const (
	FormatAuto    Format = "auto"
	FormatText    Format = "text"
	FormatJSON    Format = "json"
	FormatJournal Format = "journal" // the journal's own protocol, with a field for each attribute
)

// Formats lists the names of all formats.
func Formats() []string {
	return []string{string(FormatAuto), string(FormatJournal), string(FormatJSON), string(FormatText)}
}

// Resolve is the format that FormatAuto stands for in this process; any other format is itself.
func (f Format) Resolve() Format {
	if f != FormatAuto {
		return f
	}
	if toJournal, err := journal.StderrIsJournalStream(); err == nil && toJournal && journal.Enabled() {
		return FormatJournal
	}
	return FormatText
}

// Handler writes lines of the format. FormatJournal writes JSON, which the writer of [Format.Sink] takes.
func (f Format) Handler(w io.Writer, level slog.Leveler) slog.Handler {
	o := &slog.HandlerOptions{Level: level}
	if f == FormatJSON || f == FormatJournal {
		return slog.NewJSONHandler(w, o)
	}
	return slog.NewTextHandler(w, o)
}

// Sink is where the lines of the format go in the end: to w, or to the journal.
func (f Format) Sink(w io.Writer) io.Writer {
	if f == FormatJournal {
		return &journalWriter{send: journal.Send, other: w}
	}
	return w
}

// JournalAvailable reports whether this machine has a journal that can be written to.
func JournalAvailable() bool {
	_, err := os.Stat("/run/systemd/journal/socket")
	return err == nil && journal.Enabled()
}
