package dispatch

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// An entry is one behavior of a list with a cooldown.
type entry struct {
	id     string
	length time.Duration // of the cooldown
	once   bool          // negative cooldown_s: never again after the first run
	spread float64       // cooldown_random_factor

	until time.Time // free from this instant on
	spent bool      // ran, and may do so only once
}

// maxSpread bounds cooldown_random_factor.
const maxSpread = 10

// readEntry reads the keys that all lists with cooldowns share, and declares the delegate.
func readEntry(cfg *behaviors.Config, o *resources.Object) entry {
	e := entry{id: o.Ref("behavior", behaviors.RefBehavior)}
	cfg.MayDelegateTo(e.id)
	limit := resources.MaxDuration.Seconds()
	seconds := o.FloatRange("cooldown_s", -limit, limit)
	e.once = seconds < 0
	if !e.once {
		e.length = time.Duration(math.Round(seconds * float64(time.Second)))
	}
	e.spread = o.FloatRangeOr("cooldown_random_factor", 0, 0, maxSpread)
	// The key is accepted without effect: cooldowns run in simulated time, so there is no fast-forward to ignore.
	o.BoolOr("ignoreFastForward", false)
	return e
}

// on reports whether the entry is on cooldown. At exactly the end of the cooldown it is free.
func (e *entry) on(now time.Time) bool { return e.spent || now.Before(e.until) }

// left is the time until the entry is free. It has no meaning for an entry that is spent.
func (e *entry) left(now time.Time) time.Duration { return max(0, e.until.Sub(now)) }

// start starts the cooldown with a freshly drawn length.
func (e *entry) start(now time.Time, rng *rand.Rand) {
	if e.once {
		e.spent = true
		return
	}
	length := e.length
	if e.spread > 0 {
		low, high := max(0, 1-e.spread), 1+e.spread
		length = time.Duration(float64(length) * (low + (high-low)*rng.Float64()))
	}
	e.until = now.Add(length)
}

// clear ends the cooldown.
func (e *entry) clear() { e.until, e.spent = time.Time{}, false }
