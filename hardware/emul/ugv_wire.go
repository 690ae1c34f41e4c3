package emul

import (
	"syscall"
	"time"
)

// A ugvWire carries bytes in one direction at 115200 baud: a byte is there when its stop bit is.
type ugvWire struct {
	data []byte
	at   []time.Time // when each byte is there
	free time.Time   // the wire is free from here on
}

func (w *ugvWire) empty() bool { return len(w.data) == 0 }

func (w *ugvWire) clear() { w.data, w.at = w.data[:0], w.at[:0] }

// send puts bytes on the wire.
func (w *ugvWire) send(now time.Time, p []byte) {
	w.free = later(w.free, now)
	for _, c := range p {
		w.free = w.free.Add(ugvByte)
		w.data, w.at = append(w.data, c), append(w.at, w.free)
	}
}

// there is how many bytes have come.
func (w *ugvWire) there(now time.Time) (n int) {
	for n < len(w.at) && !w.at[n].After(now) {
		n++
	}
	return n
}

// waiting is how many bytes have not come.
func (w *ugvWire) waiting(now time.Time) int { return len(w.data) - w.there(now) }

// waits is how long a writer waits until at most n bytes wait for the wire.
func (w *ugvWire) waits(now time.Time, n int) time.Duration {
	return max(later(w.free, now).Sub(now)-time.Duration(n)*ugvByte, 0)
}

// take moves bytes that have come into p.
func (w *ugvWire) take(now time.Time, p []byte) int {
	n := min(w.there(now), len(p))
	copy(p, w.data[:n])
	w.drop(n)
	return n
}

func (w *ugvWire) drop(n int) {
	w.data, w.at = w.data[:copy(w.data, w.data[n:])], w.at[:copy(w.at, w.at[n:])]
}

// keep drops what has come beyond the first n bytes: nobody took it, and there is no room for more.
func (w *ugvWire) keep(now time.Time, n int) {
	if have := w.there(now); have > n {
		w.data = append(w.data[:n], w.data[have:]...)
		w.at = append(w.at[:n], w.at[have:]...)
	}
}

// Read implements [hardware.Serial]: what has come at the instant of the newest Advance.
func (b *UGV) Read(p []byte) (int, error) {
	if b.gone {
		return 0, syscall.ENODEV
	}
	b.up.keep(b.now, ugvKernel)
	return b.up.take(b.now, p), nil
}

// Write implements [hardware.Serial].
func (b *UGV) Write(p []byte) (int, error) {
	if b.gone {
		return 0, syscall.ENODEV
	}
	n := min(len(p), max(ugvKernel-b.down.waiting(b.now), 0))
	if !b.cut && !b.off {
		b.down.send(b.now, p[:n])
	}
	return n, nil
}

// Close implements [hardware.Serial]. The board does not notice.
func (b *UGV) Close() error { return nil }

// print writes a line of the board.
func (b *UGV) print(now time.Time, text string) {
	if !b.cut && !b.gone && !b.off {
		b.up.send(now, append([]byte(text), '\r', '\n'))
	}
}
