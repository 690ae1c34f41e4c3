package enginetest

import (
	"bytes"
	"fmt"

	"github.com/robotd/robotd/behaviors/engine/tape"
)

// A Tape carries entries from a recorder through bytes to a replay: Write is the sink of the recorder, Next gives back what it wrote,
// entry by entry. It belongs to one goroutine.
type Tape struct {
	bytes  bytes.Buffer
	writer *tape.Writer
	reader *tape.Reader
	err    error
}

// NewTape returns an empty tape.
func NewTape() *Tape {
	t := &Tape{}
	t.writer, t.reader = tape.NewWriter(&t.bytes), tape.NewReader(&t.bytes)
	return t
}

// Write appends an entry. The following Next reports the first failure.
func (t *Tape) Write(e *tape.Entry) {
	if err := t.writer.Write(e); err != nil && t.err == nil {
		t.err = err
	}
}

// Next reads the oldest entry that was not read yet. It fails if there is none, or if one could not be written.
func (t *Tape) Next() (*tape.Entry, error) {
	if t.err != nil {
		return nil, t.err
	}
	e, err := t.reader.Next()
	if err != nil {
		return nil, fmt.Errorf("the recording: %w", err)
	}
	return e, nil
}
