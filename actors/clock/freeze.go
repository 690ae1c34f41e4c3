package clock

import "time"

// Freeze gives no executor a turn for d, as if the process were stopped, while time goes on. What comes due meanwhile runs when
// the freeze ends, in its order. Call it between two runs.
func (v *Virtual) Freeze(d time.Duration) { v.thaw = v.Now().Add(d) }

// frozen moves the present to the end of the freeze, or to end if that is earlier. It reports whether the freeze lasts beyond
// end.
func (v *Virtual) frozen(end time.Time) bool {
	beyond, until := v.thaw.After(end), v.thaw
	if beyond {
		until = end
	}
	v.advance(until.Sub(v.start))
	return beyond
}
