package control

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Connections that one listener has at most. Both together are well below any sensible limit of descriptors, so no client takes those
// that the robot needs. Sixteen streams and the connections of a browser fit into that of the control API.
const (
	MaxControlConnections = 64
	MaxMetricsConnections = 32
)

// A gate is a listener with a bounded number of connections. It turns nobody away, because the next one may bring the emergency stop:
// when it is full, and when the process has no descriptor left, it closes the connection that is missed least.
type gate struct {
	net.Listener
	limit int
	log   *log.Logger
	life  context.Context // ends with the listener
	end   context.CancelFunc
	late  sync.WaitGroup // connections whose clients may still be sending
	mu    sync.Mutex
	open  []*guest // the one that began earliest to do what it does stands first
	// newest is the connection that was accepted last. Linux takes a descriptor before it looks whether anybody waits, so the lack of one more is no
	// reason to close the one that just came: it may bring the emergency stop.
	newest *guest
}

// What a connection does, in the order in which it is missed.
const (
	silent    = iota // it has sent no whole request, or waits after an answer
	asking           // its request is being answered
	following        // it is a stream, of which there are few (maxStreams)
)

// A guest is one connection.
type guest struct {
	net.Conn
	gate *gate
	does int         // under gate.mu
	late atomic.Bool // its client wants the connection to end after this answer, and may still be sending
}

func newGate(l net.Listener, limit int, log *log.Logger) *gate {
	g := &gate{Listener: l, limit: limit, log: log}
	g.life, g.end = context.WithCancel(context.Background())
	return g
}

// Accept returns the next connection. It has a place for each. Only the end of the listener is an error: whatever else the system lacks or
// forbids at the moment (memory, buffers; accept(2) lists it) must not end the server, and with it the robot.
func (g *gate) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		switch {
		case err == nil:
			return g.admit(c), nil
		case errors.Is(err, net.ErrClosed):
			return nil, err
		}
		g.log.Printf("%v", err)
		if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) || !g.free() {
			select {
			case <-time.After(acceptPause): // others of this process or machine have what it lacks
			case <-g.life.Done():
			}
		}
	}
}

// free closes a connection for its descriptor. It reports false if there is none.
func (g *gate) free() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.evict(g.newest)
}

// acceptPause is how long the gate waits for what it cannot free itself.
const acceptPause = 10 * time.Millisecond

// admit makes room if necessary. Those that came before get a chance to be read first: a request that lies there whole is answered even
// in a storm of connections.
func (g *gate) admit(c net.Conn) *guest {
	n := &guest{Conn: c, gate: g}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.open) >= g.limit {
		g.mu.Unlock()
		runtime.Gosched()
		g.mu.Lock()
	}
	for len(g.open) >= g.limit && g.evict(nil) {
		g.log.Printf("more than %d connections: the oldest one that waits was closed", g.limit)
	}
	g.open, g.newest = append(g.open, n), n
	return n
}

// evict closes the connection that is missed least, the oldest of its kind, but never that one, and reports whether there was one; mu is held.
func (g *gate) evict(never *guest) bool {
	least := -1
	for i, n := range g.open {
		if n != never && (least < 0 || n.does < g.open[least].does) {
			least = i
		}
	}
	if least < 0 {
		return false
	}
	n := g.open[least]
	g.open = slices.Delete(g.open, least, least+1)
	_ = n.Conn.Close()
	return true
}

// How long a client may go on sending after its answer, and how much is read of that. The time is that of the server for clients that keep
// their connection; the size is what the server reads of their bodies.
const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 256 << 10
)

// Close gives the place back. If the client may still be sending, the system would answer that with a reset, and the reset overtakes the
// answer: whoever stopped the robot would read of an error. So the end is announced first, and what comes is thrown away for a moment. The
// server does so itself unless the client asked for the end of the connection (closing in net/http's body). Requests that the server refuses
// by itself, without a Host for example, never came here and are closed at once.
func (n *guest) Close() error {
	if !n.late.Load() {
		return n.end()
	}
	if n.CloseWrite() != nil || !n.gate.linger(n) {
		return n.end()
	}
	return nil
}

// linger reads what comes for a moment and then ends a connection, whose place is the first that others get. It reports false when the listener is
// closed: then there is no moment left.
func (g *gate) linger(n *guest) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.life.Err() != nil {
		return false
	}
	n.does = silent
	if i := slices.Index(g.open, n); i >= 0 {
		g.open = slices.Insert(slices.Delete(g.open, i, i+1), 0, n)
	}
	g.late.Go(func() {
		defer func() { _ = n.end() }()
		_ = n.SetReadDeadline(time.Now().Add(lingerTime)) // it fails on connections that are gone, and so does the read
		stop := context.AfterFunc(g.life, func() { _ = n.SetReadDeadline(time.Now()) })
		defer stop()
		if _, err := io.CopyN(io.Discard, n.Conn, lingerBytes); err != nil {
			return
		}
		select { // it fills the buffers of the system, which stand still
		case <-time.After(lingerTime):
		case <-g.life.Done():
		}
	})
	return true
}

// Close closes the listener and ends the connections that linger.
func (g *gate) Close() error {
	g.mu.Lock()
	g.end()
	g.mu.Unlock()
	err := g.Listener.Close()
	g.late.Wait()
	return err
}

func (n *guest) end() error {
	n.gate.mu.Lock()
	if i := slices.Index(n.gate.open, n); i >= 0 {
		n.gate.open = slices.Delete(n.gate.open, i, i+1)
	}
	n.gate.mu.Unlock()
	return n.Conn.Close()
}

// CloseWrite ends an answer whose request was not read to its end, so that the client sees the answer before the connection is gone. The
// server looks for this method.
func (n *guest) CloseWrite() error {
	if c, ok := n.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return nil
}

// now notes what the connection does from now on. One that was closed has no place to change.
func (n *guest) now(does int) {
	n.gate.mu.Lock()
	defer n.gate.mu.Unlock()
	n.does = does
	if i := slices.Index(n.gate.open, n); i >= 0 {
		n.gate.open = append(slices.Delete(n.gate.open, i, i+1), n)
	}
}

// streamBuffer is what the system keeps of a stream that its client does not read: a few state views. With the megabytes that it would keep
// otherwise, a client that never reads held its stream for most of a minute.
const streamBuffer = 64 << 10

// follow makes the connection a stream.
func (n *guest) follow() {
	n.now(following)
	if c, ok := n.Conn.(*net.TCPConn); ok {
		_ = c.SetWriteBuffer(streamBuffer) // it fails on connections that are gone
	}
}

// guestKey finds the connection in the context of its requests.
type guestKey struct{}

// guestOf is the connection of a request; nil if no gate stands before it.
func guestOf(ctx context.Context) *guest {
	n, _ := ctx.Value(guestKey{}).(*guest)
	return n
}

// attended notes when a request begins to be answered, and lets connections end whose clients may still be sending then.
func attended(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := guestOf(r.Context())
		if n != nil {
			n.now(asking)
		}
		if n == nil || r.ContentLength == 0 {
			next.ServeHTTP(w, r)
			return
		}
		body, heard := &hearing{ReadCloser: r.Body}, *r // the server looks at its own request
		heard.Body = body
		next.ServeHTTP(w, &heard)
		if !body.whole && (r.Close || w.Header().Get("Connection") == "close") {
			n.part(w)
		}
	})
}

// hearing is the body of a request that is being read.
type hearing struct {
	io.ReadCloser
	whole bool
}

func (h *hearing) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	h.whole = h.whole || errors.Is(err, io.EOF)
	return n, err
}

// part sends the answer to a request whose body was not read to its end, and lets the connection end then: the server would wait for a body
// that was announced.
func (n *guest) part(w http.ResponseWriter) {
	out := http.NewResponseController(w)
	_ = out.Flush() // it fails on connections that are gone
	_ = out.SetReadDeadline(time.Now())
	n.late.Store(true)
	n.now(silent)
}

// answered notes that a connection waits for the next request: its answer has left, which it has not when the handler is done.
func answered(c net.Conn, state http.ConnState) {
	if n, ok := c.(*guest); ok && state == http.StateIdle {
		n.now(silent)
	}
}
