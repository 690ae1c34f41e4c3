package runstats

import (
	"math"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// playBehavior is what runs when nothing in particular is to be done; what it delegates to is free play too. waitBehavior runs in its place when
// it does not want to.
const playBehavior, waitBehavior = "FreePlay", "Wait"

const (
	// idleAfter is how long a robot sits still before it counts as idle: shorter pauses are looks and breaths.
	idleAfter = 2 * time.Second
	// stillMMPS is the speed of a wheel that stands.
	stillMMPS = 2.0
)

// Times counts which behavior had control, tick by tick, and how much of free play was spent idle.
type Times struct {
	ticks, play, idle uint64
	top               tally

	still uint64 // ticks of free play since the robot last moved or was heard
	since time.Time
}

// NewTimes returns a count of nothing.
func NewTimes() *Times { return &Times{} }

// Add counts one tick.
func (t *Times) Add(e *engine.Engine) {
	top, playing := "", false
	for _, l := range e.Stack().Layers() {
		top = l.Node().ID
		playing = playing || top == playBehavior || top == waitBehavior
	}
	t.add(top, playing, e.View().World)
}

func (t *Times) add(top string, playing bool, w *hardware.World) {
	t.ticks++
	t.top.add(top)
	if !playing {
		t.still, t.since = 0, time.Time{}
		return
	}
	t.play++
	if moves(w) {
		t.still, t.since = 0, time.Time{}
		return
	}
	if t.since.IsZero() {
		t.since = w.Now
	}
	t.still++
	if w.Now.Sub(t.since) > idleAfter {
		t.idle += t.still
		t.still = 0
	}
}

// moves reports whether wheels, head or lift move, or the robot is heard.
func moves(w *hardware.World) bool {
	m, s := &w.Motors.Value, &w.Servos.Value
	return math.Abs(m.LeftMMPS) > stillMMPS || math.Abs(m.RightMMPS) > stillMMPS || s.HeadMoving || s.LiftMoving || w.Speaker.Value.Busy
}

// share is what part of the time each behavior had, rounded to three decimals.
func (t *Times) share() map[string]float64 {
	shares := t.top.share(t.ticks)
	delete(shares, "")
	return shares
}
