package enginetest

import (
	"errors"
	"fmt"

	"github.com/robotd/robotd/behaviors/engine/tape"
)

// A Tape carries entries from a recorder through bytes to a replay: Write is the sink of the recorder, Next gives back what it wrote,
// entry by entry. It belongs to one goroutine.
type Tape struct {
	messages [][]byte
	writer   tape.Encoder
	reader   tape.Decoder
	err      error
}

// NewTape returns an empty tape.
func NewTape() *Tape { return &Tape{} }

// Write appends an entry. The following Next reports the first failure.
func (t *Tape) Write(e *tape.Entry) {
	m, err := t.writer.Append(nil, e)
	if err != nil && t.err == nil {
		t.err = err
	}
	t.messages = append(t.messages, m)
}

// Next reads the oldest entry that was not read yet. It fails if there is none, or if one could not be written.
func (t *Tape) Next() (*tape.Entry, error) {
	if t.err != nil {
		return nil, t.err
	}
	if len(t.messages) == 0 {
		return nil, errors.New("the recording is at its end")
	}
	e, err := t.reader.Next(t.messages[0])
	t.messages = t.messages[1:]
	if err != nil {
		return nil, fmt.Errorf("the recording: %w", err)
	}
	return e, nil
}
