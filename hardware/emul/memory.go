package emul

// maxRemembered limits the register reads remembered for one chip. A driver has about five different ones; 64 leaves
// room for a register dump. A new one replaces the oldest.
const maxRemembered = 64

// A memory keeps the newest answer to each different register read of one chip, for [Fault] Freeze.
type memory struct {
	reg   byte // register pointer: the first byte written last
	reads []remembered
	next  int // oldest entry, once full
}

// remembered is one answer.
type remembered struct {
	reg  byte
	data []byte
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
			e.data = e.data[:0]
		}
	}
}

// recall returns the newest answer to a read of n bytes at reg, nil if there is none.
func (m *memory) recall(reg byte, n int) []byte {
	for i := range m.reads {
		if e := &m.reads[i]; e.reg == reg && len(e.data) == n {
			return e.data
		}
	}
	return nil
}

// remember keeps r as the newest answer at reg.
func (m *memory) remember(reg byte, r []byte) {
	if old := m.recall(reg, len(r)); old != nil {
		copy(old, r)
		return
	}
	for i := range m.reads { // reuse a forgotten entry: its storage usually fits
		if e := &m.reads[i]; len(e.data) == 0 {
			e.reg, e.data = reg, append(e.data, r...)
			return
		}
	}
	if len(m.reads) < maxRemembered {
		m.reads = append(m.reads, remembered{reg: reg, data: append([]byte(nil), r...)})
		return
	}
	e := &m.reads[m.next]
	e.reg, e.data = reg, append(e.data[:0], r...)
	m.next = (m.next + 1) % maxRemembered
}
