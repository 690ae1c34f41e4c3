package tape

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strconv"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A Hasher folds outputs into the decision hash: every lifecycle event and every device command, tick by tick, in order.
// Two runs with equal hashes decided equally. Not safe for concurrent use.
type Hasher struct {
	sum   hash.Hash
	buf   []byte         // not in the sum yet
	drive hardware.Drive // newest
	text  []byte         // of drive
}

// NewHasher returns an empty hasher.
func NewHasher() *Hasher { return &Hasher{sum: sha256.New()} }

// Add folds one tick in. Ticks without events and commands do not change it.
func (h *Hasher) Add(o *engine.Output) {
	if len(o.Events) == 0 && len(o.Commands) == 0 {
		return
	}
	b := append(strconv.AppendUint(append(h.buf, '#'), o.Tick, 10), '\n')
	for _, ev := range o.Events {
		b = fmt.Appendf(b, "%d %q %q %d %d %d %q\n", ev.Kind, ev.ID, ev.To, ev.Op, ev.Reason, ev.Hook, ev.Text)
	}
	for _, cmd := range o.Commands {
		b = h.command(b, cmd)
	}
	if h.buf = b; len(b) >= hashed {
		h.flush()
	}
}

// hashed is how many bytes are hashed at once: two blocks together take less time than one by one.
const hashed = 4096

func (h *Hasher) flush() {
	h.sum.Write(h.buf)
	h.buf = h.buf[:0]
}

// Sum is the hash so far, in hexadecimal.
func (h *Hasher) Sum() string {
	h.flush()
	return hex.EncodeToString(h.sum.Sum(nil))
}

// command appends the text of a command. A driving robot renews one segment in every tick, whose text is kept, and most other commands are
// faces.
func (h *Hasher) command(b []byte, cmd hardware.Command) []byte {
	switch c := cmd.(type) {
	case hardware.Drive:
		if len(h.text) == 0 || !same(c, h.drive) {
			h.drive, h.text = c, commandText(h.text[:0], cmd)
		}
		return append(b, h.text...)
	case hardware.ShowFace:
		return faceText(b, &c)
	}
	return commandText(b, cmd)
}

func commandText(b []byte, cmd hardware.Command) []byte {
	return fmt.Appendf(b, "%q %T %#v\n", hardware.TargetOf(cmd), cmd, cmd)
}

// faceText is commandText of a face, without reflection, which takes five times as long.
func faceText(b []byte, f *hardware.ShowFace) []byte {
	b = append(b, `"display" hardware.ShowFace hardware.ShowFace{Face:`...)
	b = strconv.AppendQuote(b, f.Face)
	b = labeled(b, ", GazeX:", f.GazeX)
	b = labeled(b, ", GazeY:", f.GazeY)
	b = labeled(b, ", Lid:", f.Lid)
	b = labeled(b, ", Shape:hardware.Shape{Tall:", f.Shape.Tall)
	b = labeled(b, ", Wide:", f.Shape.Wide)
	b = labeled(b, ", Slant:", f.Shape.Slant)
	b = labeled(b, ", Cheek:", f.Shape.Cheek)
	b = labeled(b, "}, Breath:hardware.Breath{PerMinute:", f.Breath.PerMinute)
	b = labeled(b, ", Depth:", f.Breath.Depth)
	return append(b, "}}\n"...)
}

func labeled(b []byte, label string, x float64) []byte {
	return strconv.AppendFloat(append(b, label...), x, 'g', -1, 64)
}

// same reports whether two segments have the same text: a negative zero differs from zero there.
func same(a, b hardware.Drive) bool { return a == b && signs(a) == signs(b) }

// signs are the signs of the floats of a segment.
func signs(d hardware.Drive) (s [7]bool) {
	for i, x := range [...]float64{d.LeftMMPS, d.RightMMPS, d.DistanceMM, d.SpeedMMPS, d.AngleRad, d.SpeedRadPS, d.AccelMMPS2} {
		s[i] = math.Signbit(x)
	}
	return s
}
