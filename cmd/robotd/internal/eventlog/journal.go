package eventlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/coreos/go-systemd/v22/journal"
)

// A journalWriter takes lines of [FormatJournal] and sends each to the journal: its text as MESSAGE, its level as PRIORITY, and each
// attribute as a field ROBOTD_NAME, so that `journalctl ROBOTD_ACTOR=device/motors` finds what concerns the motors. What is no such
// line goes to the other writer.
type journalWriter struct {
	send  func(message string, p journal.Priority, fields map[string]string) error
	other io.Writer
}

// Write implements io.Writer: it takes whole lines, and stops at the first that cannot be written.
func (j *journalWriter) Write(lines []byte) (n int, err error) {
	for len(lines) > 0 {
		size := bytes.IndexByte(lines, '\n') + 1
		if size == 0 {
			size = len(lines)
		}
		if err := j.line(lines[:size]); err != nil {
			return n, err
		}
		n, lines = n+size, lines[size:]
	}
	return n, nil
}

func (j *journalWriter) line(line []byte) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	keys, values, err := ordered(d)
	if err != nil {
		_, err = j.other.Write(line)
		return err
	}
	fields := map[string]string{"SYSLOG_IDENTIFIER": "robotd"}
	var message strings.Builder
	priority := journal.PriInfo
	for i, k := range keys {
		v := values[i]
		switch k {
		case slog.TimeKey:
		case slog.MessageKey:
			message.WriteString(v)
		case slog.LevelKey:
			priority = priorityOf(v)
		default:
			fields[fieldName(k)] = v
			fmt.Fprintf(&message, " %s=%s", k, v)
		}
	}
	return j.send(message.String(), priority, fields)
}

// ordered reads a flat JSON object in the order of its keys. Text is unquoted; any other value stays JSON.
func ordered(d *json.Decoder) (keys, values []string, err error) {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, fmt.Errorf("no object: %w", err)
	}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, nil, err
		}
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		name, _ := k.(string)
		keys, values = append(keys, name), append(values, text)
	}
	return keys, values, nil
}

// fieldName is the field of an attribute: upper case letters, digits and underscores.
func fieldName(key string) string {
	return "ROBOTD_" + strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, key)
}

func priorityOf(level string) journal.Priority {
	switch level {
	case "DEBUG":
		return journal.PriDebug
	case "WARN":
		return journal.PriWarning
	case "ERROR":
		return journal.PriErr
	}
	return journal.PriInfo
}
