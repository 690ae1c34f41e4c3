package emul

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// DefaultEdgeCost is what one edge costs a small board: the hard interrupt, the wake-up of its thread, and the thread, which reads the level
// and puts the event in the queue. It is an estimate of 60 to 120 µs; measure the board. The times vary by a third.
const DefaultEdgeCost = 90 * time.Microsecond

const (
	edgeSpread = 1. / 3
	// fullLoad is the share of the processor that interrupts can take from each other.
	fullLoad = 0.95
)

// interrupts are what edges cost. One processor handles those of all lines. Guarded by Lines.mu.
type interrupts struct {
	cost float64 // seconds an edge; 0 for nothing
	seed uint64
	busy float64 // share of the processor, of all encoders
}

// SetInterruptCost lets each edge of an encoder cost time, and the queue overflow. Without it every edge counts. A line's interrupt is masked until its edge was handled; edges that come
// meanwhile make one, with no gap in the numbers of events. Call it before the lines are used.
func (l *Lines) SetInterruptCost(cost time.Duration, seed uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.irq = interrupts{cost: cost.Seconds(), seed: seed}
}

// next is the cost of the edges of the next moment.
func (q *interrupts) next() float64 {
	q.seed += 0x9e3779b97f4a7c15
	z := (q.seed ^ q.seed>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	u := float64((z^z>>31)>>11) / (1 << 53)
	return q.cost * (1 + edgeSpread*(2*u-1))
}

// seen is the share of the edges that are handled, of edges a second on one line, while other interrupts take a share of the processor. An
// edge is handled when the one before it was, and what came in between is one edge.
func seen(rate, cost, others float64) float64 {
	masked := cost / (1 - min(others, fullLoad))
	if rate*masked <= 1 {
		return 1
	}
	return 1 / (rate * masked)
}

// crossed is how many edges a shaft makes between two positions, if count of a period are looked at. Forward, A rises from 0 to 1 and B from 1
// to 2; backward A rises from 3 to 2.
func crossed(from, to int64, count int) int64 {
	switch {
	case count == 4:
		return max(to-from, from-to)
	case count == 2:
		n := (to+1)>>1 - (from+1)>>1
		return max(n, -n)
	case to > from:
		return (to+3)>>2 - (from+3)>>2
	}
	return (from+1)>>2 - (to+1)>>2
}

// turn counts the way between two positions of the shaft. mu must be held.
func (e *encoder) turn(from, to int64, in time.Duration) {
	n := crossed(from, to, e.edges)
	irq := &e.lines.irq
	if n == 0 || irq.cost == 0 || in <= 0 {
		e.load(0)
		e.add(from, to, float64(n), n)
		return
	}
	line := 1.0 // the share of one line
	if e.edges == 4 {
		line = 0.5
	}
	cost, rate := irq.next(), float64(n)/in.Seconds()
	others := max(0, irq.busy-e.busy*line) // the other line of the pair is another
	share := seen(rate*line, cost, others)
	e.load(min(rate*share*cost, 1))
	whole := n
	if share < 1 {
		e.part += float64(n) * e.known(share)
		whole = int64(e.part)
		e.part -= float64(whole)
	}
	e.add(from, to, float64(n)*share, whole)
}

// known is the share of the way that is counted if a share of the edges is seen. With one line that is what is seen. With two, a period
// whose A came and went unseen has two edges of B that cancel: each missing edge takes another one with it.
func (e *encoder) known(share float64) float64 {
	if e.edges == 4 {
		return math.Max(0, 2*share-1)
	}
	return share
}

// add puts edges in the queue, and the counts that they make.
func (e *encoder) add(from, to int64, edges float64, counts int64) {
	e.waiting += edges
	if over := e.waiting - hardware.EncoderQueue; over > 0 && e.lines.irq.cost > 0 {
		e.lost, e.waiting = true, hardware.EncoderQueue
		counts -= min(counts, int64(math.Ceil(over)))
	}
	if e.edges == 4 && to < from {
		counts = -counts
	}
	e.count += counts
}

// load is the share of the processor that the encoder takes now.
func (e *encoder) load(busy float64) {
	e.lines.irq.busy += busy - e.busy
	e.busy = busy
}
