package resources

import (
	"math"
	"time"
)

// MaxDuration bounds a duration in a file. Nothing a robot waits for takes ten years; a longer one is a slip of unit,
// such as milliseconds under a key that ends in _s.
const MaxDuration = 10 * 365 * 24 * time.Hour

// Seconds reads a required duration, given as a number of seconds from 0 to [MaxDuration] (key suffix _s). It is
// rounded to nanoseconds. A key that uses -1 for "none" is read with [Object.FloatOr].
func (o *Object) Seconds(key string) time.Duration { return required(o, key, durationIn(time.Second)) }

// SecondsOr reads an optional duration in seconds. def may be negative.
func (o *Object) SecondsOr(key string, def time.Duration) time.Duration {
	return optional(o, key, def, durationIn(time.Second))
}

// Millis reads a required duration, given as a number of milliseconds (key suffix _ms), like [Object.Seconds].
func (o *Object) Millis(key string) time.Duration {
	return required(o, key, durationIn(time.Millisecond))
}

// MillisOr reads an optional duration in milliseconds. def may be negative.
func (o *Object) MillisOr(key string, def time.Duration) time.Duration {
	return optional(o, key, def, durationIn(time.Millisecond))
}

func durationIn(unit time.Duration) func(Value) (time.Duration, bool) {
	get := floatIn(0, float64(MaxDuration/unit))
	return func(v Value) (time.Duration, bool) {
		f, ok := get(v)
		if k := v.probed(); k != nil {
			k.form(KindDuration).unit = map[time.Duration]string{time.Second: "s", time.Millisecond: "ms"}[unit]
		}
		return time.Duration(math.Round(f * float64(unit))), ok
	}
}
