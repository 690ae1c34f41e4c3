package emul

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// An encoder counts a quadrature pair. It implements [hardware.Encoder]; guarded by Lines.mu.
type encoder struct {
	lines   *Lines
	a, b    *claim
	edges   int     // of a period that are counted
	at      int64   // of the shaft, in quarters of a period
	count   int64   // that the driver would make of all edges that reached the queue
	part    float64 // of a count that is not made yet
	waiting float64 // edges in the queue
	busy    float64 // share of the processor that its interrupts take
	lost    bool    // since the last Count
}

// Encoder requests lines a and b as a pair that counts some edges of a period from 0. EBUSY if either is taken, ENODEV if it is gone; then
// neither stays requested.
func (l *Lines) Encoder(a, b string, edges int) (hardware.Encoder, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ca, err := l.claim(a, false)
	if err != nil {
		return nil, err
	}
	cb, err := l.claim(b, false)
	if err != nil {
		ca.release()
		return nil, err
	}
	e := &encoder{lines: l, a: ca, b: cb, edges: edges, at: ca.net.shaft}
	ca.net.encoder = e
	return e, nil
}

// A Shaft is what turns an encoder.
type Shaft struct {
	lines *Lines
	a     *net
}

// Shaft is the one of the encoder whose line A is a.
func (l *Lines) Shaft(a string) Shaft {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Shaft{l, l.net(a)}
}

// Turn moves the encoder by n quarters of a period, at a steady speed that takes the time in. An encoder that was not requested, is frozen,
// or has an unplugged or stuck line counts nothing. Without a time nothing is too fast.
func (s Shaft) Turn(n int64, in time.Duration) {
	s.lines.mu.Lock()
	s.a.shaft += n
	if e := s.a.encoder; e != nil {
		from := e.at
		e.at = s.a.shaft
		if e.moves() {
			e.turn(from, e.at, in)
		}
	}
	s.lines.mu.Unlock()
}

// LoseEdges drops n counts, as a kernel queue does that overflows. The next count is reported as not whole.
func (l *Lines) LoseEdges(a string, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.net(a).encoder; e != nil {
		e.count -= n
		e.lost = true
	}
}

// FreezeEncoder stops the encoder whose line A is a from counting, also across restarts of its driver, or lets it count
// again.
func (l *Lines) FreezeEncoder(a string, on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.net(a).frozen = on
}

// moves reports whether edges arrive. mu must be held.
func (e *encoder) moves() bool {
	return !e.a.net.frozen && !e.a.net.shorted && !e.b.net.shorted && !e.a.gone && !e.b.gone
}

// Count is the sum of counts since the request, and false if edges were lost since the last call or a line was unplugged.
func (e *encoder) Count() (int64, bool) {
	e.lines.mu.Lock()
	count, whole := e.count, !e.lost && !e.a.gone && !e.b.gone
	e.lost, e.waiting = false, 0
	e.lines.mu.Unlock()
	return count, whole
}

// Close releases both lines. Closing twice does nothing.
func (e *encoder) Close() error {
	e.lines.mu.Lock()
	defer e.lines.mu.Unlock()
	e.a.release()
	e.b.release()
	if e.a.net.encoder == e {
		e.a.net.encoder = nil
		e.load(0)
	}
	return nil
}
