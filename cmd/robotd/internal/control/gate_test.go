package control

import (
	"bytes"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"
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
	return &gate{Listener: &doorbell{calls: calls}, limit: 3, log: log.New(io.Discard, "", 0)}, closed
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
// to a second. Without a connection to close the gate tries again. Other errors are the server's.
func TestGateFreesDescriptorForNextConnection(t *testing.T) {
	broken := errors.New("broken")
	g, closed := gateOf(syscall.EMFILE, "a", "b", &net.OpError{Op: "accept", Err: syscall.EMFILE}, syscall.ENFILE, "c", broken)
	_, _ = g.enter(t), g.enter(t)
	_ = g.enter(t)
	if !slices.Equal(*closed, []string{"a", "b"}) {
		t.Errorf("closed %v", *closed)
	}
	if _, err := g.Accept(); !errors.Is(err, broken) {
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
