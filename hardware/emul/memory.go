package emul

// maxRemembered limits the register reads remembered for one chip. A driver has about five different ones; 64 leaves
// room for a register dump. A new one replaces the oldest.
const maxRemembered = 64

// A memory keeps the newest answer to each different register read of one chip, for [Fault] Freeze.
type memory struct {
	width int  // bytes of one register
	reg   byte // register pointer: the first byte written last
	reads []remembered
	next  int        // oldest entry, once full
	at    [256]uint8 // by register: one more than where in reads its newest answer is or was; 0 for nowhere
	known [256]bool  // registers that answers cover which are not forgotten, and perhaps some more
}

// remembered is one answer.
type remembered struct {
	reg       byte
	forgotten bool  // it was written since
	from, to  int32 // the bytes of the chip that it covers
	data      []byte
}

// wideRegisters is a chip with registers wider than a byte.
type wideRegisters interface {
	registerBytes() int
}

func registerBytes(c Chip) int {
	if w, ok := c.(wideRegisters); ok {
		return w.registerBytes()
	}
	return 1
}

// newMemory returns the memory of a chip.
func newMemory(c Chip) memory { return memory{width: registerBytes(c)} }

// answered notes a transaction whose answer is sound: the register pointer, what the write w made outdated, and the answer r.
func (m *memory) answered(w, r []byte) {
	if len(w) > 0 {
		m.reg = w[0]
	}
	if len(w) > 1 {
		m.written(len(w) - 1)
	}
	if len(r) > 0 {
		m.remember(r)
	}
}

// written forgets the answers that cover any of n bytes from the register pointer on.
func (m *memory) written(n int) {
	from, to := m.place(m.reg, n)
	for k := int(m.reg); n > 0 && k < len(m.known); k++ {
		if m.known[k] {
			m.forget(from, to)
			return
		}
		n -= m.width
	}
}

// place is which bytes of the chip n bytes from a register on are.
func (m *memory) place(reg byte, n int) (from, to int32) {
	from = int32(int(reg) * m.width)
	return from, from + int32(n)
}

// forget drops the answers that cover any of some bytes.
func (m *memory) forget(from, to int32) {
	m.known = [256]bool{}
	for i := range m.reads {
		e := &m.reads[i]
		if e.from < to && from < e.to {
			e.forgotten = true
		}
		m.know(e)
	}
}

// know notes which registers an answer covers, unless it is forgotten.
func (m *memory) know(e *remembered) {
	if e.forgotten {
		return
	}
	for k, n := int(e.reg), len(e.data); n > 0 && k < len(m.known); k++ {
		m.known[k] = true
		n -= m.width
	}
}

// entry is the place of the newest answer to a read of n bytes at reg, forgotten or not; nil if there is none.
func (m *memory) entry(reg byte, n int) *remembered {
	if i := int(m.at[reg]) - 1; i >= 0 {
		if e := &m.reads[i]; e.reg == reg && len(e.data) == n {
			return e
		}
	}
	for i := range m.reads {
		if e := &m.reads[i]; e.reg == reg && len(e.data) == n {
			return e
		}
	}
	return nil
}

// recall returns the newest answer to a read of n bytes at reg, nil if there is none.
func (m *memory) recall(reg byte, n int) []byte {
	if e := m.entry(reg, n); e != nil && !e.forgotten {
		return e.data
	}
	return nil
}

// remember keeps r as the newest answer at the register pointer.
func (m *memory) remember(r []byte) {
	e := m.entry(m.reg, len(r))
	if e == nil {
		i := m.room()
		m.at[m.reg] = uint8(i + 1)
		e = &m.reads[i]
		*e = remembered{reg: m.reg, forgotten: true, data: append(e.data[:0], r...)}
		e.from, e.to = m.place(m.reg, len(r))
	}
	if e.forgotten {
		e.forgotten = false
		m.know(e)
	}
	switch len(r) { // a call costs more than one or two bytes
	case 1:
		e.data[0] = r[0]
	case 2:
		e.data[0], e.data[1] = r[0], r[1]
	default:
		copy(e.data, r)
	}
}

// room is the place for another answer: one more, that of a forgotten one, or that of the oldest.
func (m *memory) room() int {
	if len(m.reads) < maxRemembered {
		m.reads = append(m.reads, remembered{})
		return len(m.reads) - 1
	}
	for i := range m.reads {
		if m.reads[i].forgotten {
			return i
		}
	}
	i := m.next
	m.next = (m.next + 1) % maxRemembered
	return i
}
