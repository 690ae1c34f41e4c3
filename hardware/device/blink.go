package device

import "time"

// blinkGaps are the times between two blinks, one after the other: uneven, so that they do not look like a clock.
var blinkGaps = [...]time.Duration{4200 * time.Millisecond, 2900 * time.Millisecond, 5300 * time.Millisecond, 3600 * time.Millisecond}

// blinks keeps a face that nobody changes alive: its eyes close for one poll every few seconds. It knows nothing but the face
// and the time, so it disturbs no decision.
type blinks struct {
	on   bool
	last string    // the face that was ordered at the last look
	next time.Time // the next blink
	n    int
}

// faceBlink is what closed eyes look like. Only a face at rest has eyes that blink: anything else is an expression, and belongs
// to whoever ordered it.
const faceBlink = "blink"

// face is what to show now in place of the ordered face. A face that is new is shown for a while first.
func (b *blinks) face(now time.Time, ordered string) string {
	if !b.on || ordered != FaceNeutral || b.last != ordered {
		b.last, b.next = ordered, now.Add(blinkGaps[0])
		return ordered
	}
	if now.Before(b.next) {
		return ordered
	}
	b.n++
	b.next = now.Add(blinkGaps[b.n%len(blinkGaps)])
	return faceBlink
}
