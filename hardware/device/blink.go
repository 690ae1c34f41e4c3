package device

import "time"

// blinkGaps are the times between two blinks, in turn. They are uneven, so that the blinking looks natural.
var blinkGaps = [...]time.Duration{4200 * time.Millisecond, 2900 * time.Millisecond, 5300 * time.Millisecond, 3600 * time.Millisecond}

// blinks closes the eyes of an unchanged face for one poll every few seconds. It depends only on the face and the time,
// so it affects no decision.
type blinks struct {
	on   bool
	last string    // the face that was set at the last poll
	next time.Time // the next blink
	n    int
}

// faceBlink is the face with closed eyes. Only the neutral face blinks; an expression is shown unchanged.
const faceBlink = "blink"

// face returns the face to show now instead of the one that was set. A new face does not blink at first.
func (b *blinks) face(now time.Time, set string) string {
	if !b.on || set != FaceNeutral || b.last != set {
		b.last, b.next = set, now.Add(blinkGaps[0])
		return set
	}
	if now.Before(b.next) {
		return set
	}
	b.n++
	b.next = now.Add(blinkGaps[b.n%len(blinkGaps)])
	return faceBlink
}
