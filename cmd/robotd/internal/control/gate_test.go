package control

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A doorbell is a listener that hands out what a test put there: connections and errors.
type doorbell struct {
	net.Listener
	calls []any
}

func (d *doorbell) Accept() (net.Conn, error) {
	next := d.calls[0]
	d.calls = d.calls[1:]
	if err, ok := next.(error); ok {
		return nil, err
	}
	return next.(net.Conn), nil
}

// A caller is a connection that notes that it was closed.
type caller struct {
	net.Conn
	name   string
	closed *[]string
}

func (c caller) Close() error {
	*c.closed = append(*c.closed, c.name)
	return nil
}

// gateOf returns a gate with a place for three, and a list of the connections that were closed.
func gateOf(calls ...any) (g *gate, closed *[]string) {
	closed = &[]string{}
	for i, c := range calls {
		if name, ok := c.(string); ok {
			calls[i] = caller{name: name, closed: closed}
		}
	}
	return newGate(&doorbell{calls: calls}, 3, log.New(io.Discard, "", 0)), closed
}

// enter accepts the next connection.
func (g *gate) enter(t *testing.T) *guest {
	t.Helper()
	c, err := g.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return c.(*guest)
}

// A full gate closes the connection that is missed least: one that asks nothing, the longest silent one first, then the one whose request
// takes longest, a stream at last.
func TestFullGateClosesConnectionMissedLeast(t *testing.T) {
	g, closed := gateOf("a", "b", "c", "d", "e", "f", "g", "h")
	want := func(names ...string) {
		t.Helper()
		if !slices.Equal(*closed, names) || len(g.open) > 3 {
			t.Fatalf("closed %v, want %v; %d open", *closed, names, len(g.open))
		}
	}
	a, b := g.enter(t), g.enter(t)
	a.now(asking)
	b.now(following)
	_ = g.enter(t)
	want()
	d := g.enter(t)
	want("c")
	d.now(asking)
	e := g.enter(t) // nobody is silent: a asked first
	want("c", "a")
	e.now(asking)
	d.now(silent)
	_ = g.enter(t)
	want("c", "a", "d")
	_ = e.Close()
	want("c", "a", "d", "e")
	d.now(asking) // it was closed and takes no place
	_ = g.enter(t)
	want("c", "a", "d", "e")
	_ = g.enter(t) // of two silent ones the older
	want("c", "a", "d", "e", "f")
}

// When the process has no descriptor left, a connection is closed for the next one, and no error reaches the server, which would wait up
// to a second. Without a connection to close, and when it is something else that the system lacks, the gate tries again: only the end of the
// listener is the server's.
func TestGateFreesDescriptorForNextConnection(t *testing.T) {
	g, closed := gateOf(syscall.EMFILE, "a", "b", &net.OpError{Op: "accept", Err: syscall.EMFILE}, syscall.ENFILE, syscall.ENOMEM, syscall.ENOBUFS, syscall.EPERM, "c", net.ErrClosed)
	_, _ = g.enter(t), g.enter(t)
	_ = g.enter(t)
	if !slices.Equal(*closed, []string{"a"}) { // b came last: it may bring the emergency stop
		t.Errorf("closed %v", *closed)
	}
	if _, err := g.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// A server's complaints reach the log at most once in ten seconds, with the number of those that were left out.
func TestFloodOfServerErrorsIsOneLineInTenSeconds(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	l := log.New(&throttle{log: slog.New(slog.NewTextHandler(&out, nil)), name: "metrics", now: func() time.Time { return now }}, "", 0)
	for range 1000 {
		l.Print("http: Accept error: too many open files")
		now = now.Add(15 * time.Millisecond)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.HasSuffix(lines[0], `level=WARN msg=http server=metrics error="http: Accept error: too many open files" left_out=0`) ||
		!strings.HasSuffix(lines[1], "left_out=666") {
		t.Errorf("%d lines:\n%s", len(lines), out.String())
	}
}

// A connection is in use until its answer has left, which is after the handler: it asks as long as the server does not call it idle.
func TestConnectionAsksUntilItsAnswerHasLeft(t *testing.T) {
	g, closed := gateOf("a", "b", "c", "d")
	handled := attended(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	a, b, c := g.enter(t), g.enter(t), g.enter(t)
	for _, n := range []*guest{a, b, c} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		handled.ServeHTTP(httptest.NewRecorder(), r.WithContext(context.WithValue(r.Context(), guestKey{}, n)))
	}
	answered(c, http.StateActive)
	answered(b, http.StateIdle)
	_ = g.enter(t)
	if !slices.Equal(*closed, []string{"b"}) {
		t.Errorf("closed %v", *closed)
	}
}

// An endless body of a client that wants its connection to end is read to some extent, and others may have its place at once.
func TestLingeringReadsLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		g, _ := gateOf(near)
		n := g.enter(t)
		n.late.Store(true)
		if err := n.Close(); err != nil {
			t.Error(err)
		}
		if n.does != silent {
			t.Errorf("it does %d", n.does)
		}
		took := 0
		for {
			k, err := far.Write(make([]byte, 64<<10))
			if took += k; err != nil || took > 4*lingerBytes {
				break
			}
		}
		if took != lingerBytes || len(g.open) != 0 {
			t.Errorf("%d bytes were read; %d places are taken", took, len(g.open))
		}
	})
}

// Requests about the files wait in a queue with few places, because each takes the place of a command meanwhile.
func TestQueueOfFilesRefusesWhoFindsNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newQueue(2)
		l.turns = make(chan struct{}, 1)
		if err := l.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		second := make(chan error)
		go func() { second <- l.enter(t.Context()) }()
		synctest.Wait()
		if err := l.enter(t.Context()); !errors.Is(err, errFiles) {
			t.Errorf("a third one: %v", err)
		}
		if err := <-second; !errors.Is(err, errFiles) { // its patience is over
			t.Errorf("the second one: %v", err)
		}
		go func() { second <- l.enter(t.Context()) }()
		synctest.Wait()
		l.leave()
		if err := <-second; err != nil {
			t.Errorf("after the first one: %v", err)
		}
		l.leave()
		if len(l.places) != 0 || len(l.turns) != 0 {
			t.Errorf("%d places and %d turns are taken", len(l.places), len(l.turns))
		}
	})
}
