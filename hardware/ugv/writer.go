package ugv

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// Limits of what is written. The board's receive buffer has 256 bytes, and the line carries 11.5 bytes a millisecond.
const (
	burst     = 160.0  // bytes
	perSecond = 5000.0 // bytes
)

// A writer writes whole lines at a limited rate. A line that the kernel had no room for goes on later.
type writer struct {
	rest   []byte    // of a line that was begun
	todo   [][]byte  // lines of a set-up
	room   float64   // bytes that may be written now
	at     time.Time // of room
	total  uint64
	buffer []byte // for lines that are made
}

func (w *writer) clear() { w.todo = w.todo[:0] }

// idle reports whether every line of a set-up was written.
func (w *writer) idle() bool { return len(w.todo) == 0 && len(w.rest) == 0 }

func (w *writer) queue(lines ...[]byte) { w.todo = append(w.todo, lines...) }

// refill counts the bytes that may be written up to now.
func (w *writer) refill(now time.Time) {
	if w.at.IsZero() {
		w.room = burst
	} else if d := now.Sub(w.at); d > 0 {
		w.room = min(w.room+d.Seconds()*perSecond, burst)
	}
	w.at = now
}

// flush goes on with a line that was begun.
func (w *writer) flush(p hardware.Serial) error {
	for len(w.rest) > 0 {
		n, err := p.Write(w.rest)
		w.rest = w.rest[n:]
		w.total += uint64(n)
		if err != nil || n == 0 {
			return err
		}
	}
	return nil
}

// put begins a line if none is under way, and reports whether it did. An urgent one asks for no room.
func (w *writer) put(p hardware.Serial, line []byte, urgent bool) (begun bool, err error) {
	if len(w.rest) > 0 || !urgent && w.room < float64(len(line)) {
		return false, nil
	}
	w.room -= float64(len(line))
	n, err := p.Write(line)
	w.total += uint64(n)
	if n < len(line) && n > 0 {
		w.rest = append(w.rest[:0], line[n:]...)
	}
	return n > 0 && err == nil, err
}
