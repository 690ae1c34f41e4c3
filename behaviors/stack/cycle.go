package stack

// A CycleMonitor finds behaviors that hand control back and forth in a hurry (L-41). Its owner calls Changed after every walk that
// changed the stack. The zero value is ready. It is not safe for concurrent use.
type CycleMonitor struct {
	tops []*Node // of the newest changes, oldest first
	last uint64  // tick of the newest change
}

// The monitor looks at this many tops, and forgets them when a change comes more than a pause after the one before.
const (
	cycleTops  = 5
	cyclePause = 2 // ticks
)

// Changed records that the walk of tick t pushed or popped, and the top that it left (nil for an empty stack). It reports a cycle if
// the five tops before this one alternate between a and b, which may be the same, without a pause. The history then starts anew.
func (m *CycleMonitor) Changed(t uint64, top *Node) (a, b *Node, cycle bool) {
	if t-m.last > cyclePause {
		m.tops = m.tops[:0]
	}
	m.last = t
	if cycle = m.alternates(); cycle {
		a, b = m.tops[0], m.tops[1]
		m.tops = m.tops[:0]
	}
	if k := len(m.tops); top != nil || k == 0 || m.tops[k-1] != nil { // an empty stack counts once in a row
		if k == cycleTops {
			m.tops = m.tops[:copy(m.tops, m.tops[1:])]
		}
		m.tops = append(m.tops, top)
	}
	return a, b, cycle
}

func (m *CycleMonitor) alternates() bool {
	if len(m.tops) < cycleTops {
		return false
	}
	for i := 2; i < cycleTops; i++ {
		if m.tops[i] != m.tops[i-2] {
			return false
		}
	}
	return true
}
