package control

import (
	"bytes"
	"log"
	"log/slog"
	"sync"
	"time"
)

// errorEvery is the time between two lines of a server's errors.
const errorEvery = 10 * time.Second

// A throttle passes what an HTTP server complains about on to the log, but at most one line in a while: any client can cause
// them.
type throttle struct {
	log  *slog.Logger
	name string
	now  func() time.Time

	mu     sync.Mutex
	newest time.Time // line that was passed on
	more   int       // lines that were left out since
}

// errorLog is the error log of a server.
func errorLog(l *slog.Logger, name string) *log.Logger {
	return log.New(&throttle{log: l, name: name, now: time.Now}, "", 0)
}

// Write takes one line.
func (t *throttle) Write(line []byte) (int, error) {
	t.mu.Lock()
	now, more := t.now(), t.more
	pass := t.newest.IsZero() || now.Sub(t.newest) >= errorEvery
	if pass {
		t.newest, t.more = now, 0
	} else {
		t.more++
	}
	t.mu.Unlock()
	if pass {
		t.log.Warn("http", "server", t.name, "error", string(bytes.TrimSpace(line)), "left_out", more)
	}
	return len(line), nil
}
