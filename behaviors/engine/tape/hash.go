package tape

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A Hasher folds outputs into the decision hash: every lifecycle event and every device command, tick by tick, in order.
// Two runs with equal hashes decided equally. Not safe for concurrent use.
type Hasher struct {
	sum hash.Hash
	buf []byte
}

// NewHasher returns an empty hasher.
func NewHasher() *Hasher { return &Hasher{sum: sha256.New()} }

// Add folds one tick in. Ticks without events and commands do not change it.
func (h *Hasher) Add(o *engine.Output) {
	if len(o.Events) == 0 && len(o.Commands) == 0 {
		return
	}
	b := fmt.Appendf(h.buf[:0], "#%d\n", o.Tick)
	for _, ev := range o.Events {
		b = fmt.Appendf(b, "%d %q %q %d %d %d %q\n", ev.Kind, ev.ID, ev.To, ev.Op, ev.Reason, ev.Hook, ev.Text)
	}
	for _, cmd := range o.Commands {
		b = fmt.Appendf(b, "%q %T %#v\n", hardware.TargetOf(cmd), cmd, cmd)
	}
	h.sum.Write(b)
	h.buf = b
}

// Sum is the hash so far, in hexadecimal.
func (h *Hasher) Sum() string { return hex.EncodeToString(h.sum.Sum(nil)) }
