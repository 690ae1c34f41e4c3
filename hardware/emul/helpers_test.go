package emul

import (
	"errors"
	"sync"
	"syscall"
	"testing"
)

func wantErrno(t *testing.T, err error, want syscall.Errno) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write sends bytes to a chip without a bus.
func write(t *testing.T, c Chip, w ...byte) {
	t.Helper()
	must(t, c.I2C(w, nil))
}

// read reads n bytes from register reg of a chip without a bus.
func read(t *testing.T, c Chip, reg byte, n int) []byte {
	t.Helper()
	r := make([]byte, n)
	must(t, c.I2C([]byte{reg}, r))
	return r
}

// word reads a big-endian 16-bit register.
func word(t *testing.T, c Chip, reg byte) uint16 {
	t.Helper()
	b := read(t, c, reg, 2)
	return uint16(b[0])<<8 | uint16(b[1])
}

func wantBytes(t *testing.T, what string, got []byte, want ...byte) {
	t.Helper()
	if string(got) != string(want) {
		t.Fatalf("%s: got % x, want % x", what, got, want)
	}
}

func wantWord(t *testing.T, what string, got, want uint16) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %#04x, want %#04x", what, got, want)
	}
}

// A ram chip is 256 plain registers with auto-increment, for tests of the bus.
type ram struct {
	mu   sync.Mutex
	regs [256]byte
	ptr  byte
	seen int // transactions that reached it
	err  error
}

func (c *ram) I2C(w, r []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen++
	if len(w) > 0 {
		c.ptr = w[0]
		for _, v := range w[1:] {
			c.regs[c.ptr] = v
			c.ptr++
		}
	}
	for i := range r {
		r[i] = c.regs[c.ptr]
		c.ptr++
	}
	return c.err
}

func (c *ram) PowerOnReset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.regs = [256]byte{}
}
