package device

import (
	"io"
	"sync"

	"github.com/robotd/robotd/hardware"
)

// takeover gives a line to its newest requester. A device actor that hangs in a driver is abandoned with its lines still
// open; its successor must get them, and the hung driver must lose them.
type takeover struct {
	lines hardware.Lines
	mu    sync.Mutex
	open  map[string]io.Closer
}

func newTakeover(lines hardware.Lines) *takeover {
	return &takeover{lines: lines, open: map[string]io.Closer{}}
}

// Output implements [hardware.Lines].
func (t *takeover) Output(name string, initial bool) (hardware.Line, error) {
	return take(t, name, func() (hardware.Line, error) { return t.lines.Output(name, initial) })
}

// Input implements [hardware.Lines].
func (t *takeover) Input(name string) (hardware.Line, error) {
	return take(t, name, func() (hardware.Line, error) { return t.lines.Input(name) })
}

// Encoder implements [hardware.Lines].
func (t *takeover) Encoder(a, b string, edges int) (hardware.Encoder, error) {
	return take(t, a, func() (hardware.Encoder, error) { return t.lines.Encoder(a, b, edges) })
}

// Edges implements [hardware.Lines].
func (t *takeover) Edges(name string) (hardware.Edges, error) {
	return take(t, name, func() (hardware.Edges, error) { return t.lines.Edges(name) })
}

// take closes the current owner's line and requests it again. Closing a line twice does not affect its new owner.
func take[T io.Closer](t *takeover, name string, request func() (T, error)) (T, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if old := t.open[name]; old != nil {
		_ = old.Close()
		delete(t.open, name)
	}
	line, err := request()
	if err == nil {
		t.open[name] = line
	}
	return line, err
}
