package emul

// maxRemembered limits the register reads remembered for one chip. A driver has about five different ones; 64 leaves
// room for a register dump. A new one replaces the oldest.
const maxRemembered = 64

// A memory keeps the newest answer to each different register read of one chip, for [Fault] Freeze.
type memory struct {
	reg   byte // register pointer: the first byte written last
	reads []remembered
	next  int        // oldest entry, once full
	at    [256]uint8 // by register: one more than where in reads its newest answer is or was; 0 for nowhere
}

// remembered is one answer.
type remembered struct {
	reg       byte
	forgotten bool // it was written since
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

// note updates the register pointer and forgets the answers that the write w made outdated. It returns the pointer. width
// is the number of bytes of one register.
func (m *memory) note(w []byte, width int) byte {
	if len(w) == 0 {
		return m.reg
	}
	m.reg = w[0]
	if len(w) > 1 {
		m.forget(int(m.reg), len(w)-1, width)
	}
	return m.reg
}

// forget drops the answers that cover any of the registers of n bytes from first on.
func (m *memory) forget(first, n, width int) {
	for i := range m.reads {
		e := &m.reads[i]
		ahead := (int(e.reg) - first) * width // bytes from the begin of what is written to that of the answer
		if ahead < n && -ahead < len(e.data) {
			e.forgotten = true
		}
	}
}

// entry is the place of the newest answer to a read of n bytes at reg, forgotten or not; nil if there is none.
func (m *memory) entry(reg byte, n int) *remembered {
	if i := m.at[reg]; i > 0 {
		if e := &m.reads[i-1]; e.reg == reg && len(e.data) == n {
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

// remember keeps r as the newest answer at reg.
func (m *memory) remember(reg byte, r []byte) {
	e := m.entry(reg, len(r))
	if e == nil {
		i := m.room()
		m.at[reg] = uint8(i + 1)
		e = &m.reads[i]
		e.reg, e.data = reg, append(e.data[:0], r...)
	}
	e.forgotten = false
	if len(r) == 1 {
		e.data[0] = r[0]
		return
	}
	copy(e.data, r)
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
