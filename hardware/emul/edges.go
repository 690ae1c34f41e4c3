package emul

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// edges keeps the changes of level of one line, as the kernel's queue does. It implements [hardware.Edges]; guarded by
// Lines.mu.
type edges struct {
	claim *claim
	level bool // after the newest edge
	seq   uint32
	queue [hardware.EdgeQueue]hardware.Edge // a ring
	first int
	n     int
}

// Edges requests the line as an input whose edges are kept. EBUSY if it is taken, ENODEV if it is gone.
func (l *Lines) Edges(name string) (hardware.Edges, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := l.claim(name, false)
	if err != nil {
		return nil, err
	}
	e := &edges{claim: c, level: c.net.level()}
	c.net.edges = e
	return e, nil
}

// SetNow sets the clock of the edges that come without a time of their own. Call it before the lines are used; now must not
// use them.
func (l *Lines) SetNow(now func() time.Time) { l.now = now }

// SetInputAt is [Lines.SetInput] for a change of level at an instant that has passed. Changes of one line must come in
// their order.
func (l *Lines) SetInputAt(name string, level bool, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.net(name)
	n.input, n.driven = level, true
	n.out.change()
	n.noteAt(at)
}

// OnRead has f called before the level or the edges of an input are read, so that a chip that keeps no timer can put there
// what has happened since. A line has one function; nil removes it.
func (l *Lines) OnRead(name string, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.net(name).settle = f
}

// settle brings the line up to now. mu must not be held: f sets lines.
func (l *Lines) settle(n *net) {
	l.mu.Lock()
	f := n.settle
	l.mu.Unlock()
	if f != nil {
		f()
	}
}

// note records an edge that comes now, if the level changed. mu must be held.
func (l *Lines) note(n *net) {
	if n.edges == nil {
		return
	}
	var now time.Time
	if l.now != nil {
		now = l.now()
	}
	n.noteAt(now)
}

// noteAt records an edge if the level changed.
func (n *net) noteAt(at time.Time) {
	e := n.edges
	if e == nil || e.level == n.level() {
		return
	}
	e.level = !e.level
	e.seq++
	if e.n == len(e.queue) { // the kernel drops the oldest
		e.first, e.n = (e.first+1)%len(e.queue), e.n-1
	}
	e.queue[(e.first+e.n)%len(e.queue)] = hardware.Edge{At: at.Sub(time.Unix(0, 0)), Rising: e.level, Seq: e.seq}
	e.n++
}

// Name is the kernel name of the line.
func (e *edges) Name() string { return e.claim.Name() }

// Take moves the oldest edges to buf. ENODEV if the line was unplugged, os.ErrClosed after Close.
func (e *edges) Take(buf []hardware.Edge) (int, error) {
	l := e.claim.lines
	l.settle(e.claim.net)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := e.claim.usable("edges"); err != nil {
		return 0, err
	}
	n := min(len(buf), e.n)
	for i := range n {
		buf[i] = e.queue[(e.first+i)%len(e.queue)]
	}
	e.first, e.n = (e.first+n)%len(e.queue), e.n-n
	return n, nil
}

// Get reads the level.
func (e *edges) Get() (bool, error) { return e.claim.Get() }

// Close releases the line. Closing twice does nothing.
func (e *edges) Close() error {
	l := e.claim.lines
	l.mu.Lock()
	defer l.mu.Unlock()
	e.claim.release()
	if e.claim.net.edges == e {
		e.claim.net.edges = nil
	}
	return nil
}
