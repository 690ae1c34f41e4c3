package linux

import (
	"fmt"
	"syscall"

	"github.com/warthog618/go-gpiocdev/uapi"

	"github.com/robotd/robotd/hardware"
)

// Encoder requests lines a and b, which must be on one chip, as a pair that counts some edges of a period from 0. Fewer than four come from
// line a alone: b is held, but not watched, since its level is read long after the edge. EBUSY if either is taken, ENODEV if there
// is no such line; then neither stays requested.
func (l *Lines) Encoder(a, b string, edges int) (hardware.Encoder, error) {
	c, pa, err := l.open(a)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	pb, err := l.Find(b)
	if err != nil {
		return nil, err
	}
	if pa.chip != pb.chip {
		return nil, lineError(a, "request with "+b, fmt.Errorf("the order of edges is known on one chip only, and these are on %s and %s: %w", pa.chip, pb.chip, syscall.EINVAL))
	}
	e, err := watch(c, l.consumer, []int{pa.offset, pb.offset}, []LineConfig{l.conf[a], l.conf[b]}, edgesOf(edges), hardware.EncoderQueue)
	if err != nil {
		if info, ierr := c.LineInfo(pa.offset); ierr == nil && !info.Used {
			a, pa = b, pb // it is the other one that is taken
		}
		return nil, l.refused(a, c, pa, err)
	}
	enc := &encoder{events: e, b: uint32(pb.offset), single: edges != 4}
	now, err := e.levels(2)
	if err != nil {
		e.close()
		return nil, lineError(a, "get", err)
	}
	enc.state = quadrature{levels: [2]bool{now.Get(0) != 0, now.Get(1) != 0}}
	return enc, nil
}

// An encoder counts the edges of a quadrature pair that the kernel kept since the last call. It implements [hardware.Encoder].
type encoder struct {
	*events
	b      uint32 // offset of line B
	state  quadrature
	told   uint64 // of the lost edges
	gone   bool
	single bool // line A alone is watched
}

// Count is the sum of counts since the request, and false if the kernel lost edges since the last call or the chip is gone.
func (e *encoder) Count() (int64, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for !e.gone {
		batch, err := e.read(len(e.buffer))
		if err != nil {
			e.gone = true
		}
		for i := range batch {
			ev := &batch[i]
			line := 0
			if ev.Offset == e.b {
				line = 1
			}
			if e.single {
				e.state.single(ev.Seqno)
			} else {
				e.state.edge(line, ev.ID == rising, ev.Seqno)
			}
		}
		if len(batch) < len(e.buffer) {
			break
		}
	}
	whole := !e.gone && e.state.lost == e.told
	e.told = e.state.lost
	return e.state.count, whole
}

// Lost is how many edges the kernel dropped because nobody read them in time, and how many it never saw because they came too fast
// for its interrupt handler, as far as the order of the others shows it.
func (e *encoder) Lost() (dropped, merged uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.lost, e.state.merged
}

// Close releases both lines. Closing twice does nothing.
func (e *encoder) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.close()
	return nil
}

// quadrature counts edges of the lines A and B: plus while A leads.
type quadrature struct {
	levels [2]bool
	count  int64
	seq    uint32 // of the newest edge
	lost   uint64
	merged uint64
}

// edgesOf are the edges of the lines A and B that are watched to count some of a period.
func edgesOf(count int) []uapi.LineFlagV2 {
	switch count {
	case 1:
		return []uapi.LineFlagV2{uapi.LineFlagV2EdgeRising, 0}
	case 2:
		return []uapi.LineFlagV2{uapi.LineFlagV2EdgeBoth, 0}
	}
	return []uapi.LineFlagV2{uapi.LineFlagV2EdgeBoth, uapi.LineFlagV2EdgeBoth}
}

// single takes an edge of the only line that is watched. Which way the wheel turned is not known.
func (q *quadrature) single(seq uint32) {
	q.lost += uint64(seq - q.seq - 1)
	q.seq = seq
	q.count++
}

// edge takes the edge with sequence number seq. Line 0 is A.
func (q *quadrature) edge(line int, high bool, seq uint32) {
	q.lost += uint64(seq - q.seq - 1)
	q.seq = seq
	if q.levels[line] == high { // the edge before it did not come; together they are none
		q.merged++
		return
	}
	q.levels[line] = high
	if (q.levels[0] != q.levels[1]) == (line == 0) {
		q.count++
	} else {
		q.count--
	}
}

var _ hardware.Encoder = (*encoder)(nil)
