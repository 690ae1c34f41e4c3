package engine

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

const (
	// A blink shuts the eyes for the first tick that is that long, and the next one follows between the two times, which the mood stretches.
	blinkTime            = 100 * time.Millisecond
	blinkMin, blinkRange = 2 * time.Second, 4 * time.Second

	// Without anything to look at the eyes move again after a time between these, mostly a little.
	saccadeMin, saccadeRange = 700 * time.Millisecond, 2300 * time.Millisecond

	// The eyes jump to what they look at, as living ones do: not more often than that, and not for less than that.
	gazeRest = 240 * time.Millisecond
	gazeJump = 0.15

	// gazeSteps are the directions that differ between the middle and the end: what is smaller costs a command and is not seen.
	gazeSteps = 8
)

// A gaze is where the eyes look: to the robot's left, and up, from -1 to 1.
type gaze struct{ x, y float64 }

// eyes blink and look around. All that is random follows from seed and tick.
type eyes struct {
	at      gaze
	movedAt time.Time
	wander  time.Time // the next saccade
	blink   time.Time // the next blink, or the end of this one
	shut    bool
}

// rest is called while the eyes belong to somebody else. They open, look ahead, and do not blink at once afterwards.
func (y *eyes) rest(now time.Time) { *y = eyes{movedAt: now, blink: now.Add(blinkMin)} }

// step lets a tick pass.
func (y *eyes) step(v *condition.View, seed uint64, t *tone) {
	y.lids(v, seed, t.pace)
	to, attends := attention(v.World)
	switch {
	case attends:
		y.wander = v.Now.Add(saccadeMin)
	case v.Now.Before(y.wander):
		return
	default:
		rng := chance(seed, v.Tick, 0x67617a65)
		to = wander(rng, t)
		y.wander = v.Now.Add(stretched(saccadeMin+time.Duration(rng.Int64N(int64(saccadeRange))), t.pace))
	}
	if v.Now.Sub(y.movedAt) >= gazeRest && math.Hypot(to.x-y.at.x, to.y-y.at.y) >= gazeJump {
		y.at, y.movedAt = gaze{notch(to.x), notch(to.y)}, v.Now
	}
}

// lids shuts the eyes for a blink and opens them again.
func (y *eyes) lids(v *condition.View, seed uint64, pace float64) {
	if v.Now.Before(y.blink) {
		return
	}
	rng := chance(seed, v.Tick, 0x626c696e6b)
	pause := stretched(blinkMin+time.Duration(rng.Int64N(int64(blinkRange))), pace)
	switch {
	case y.blink.IsZero(): // the first tick
	case y.shut:
		y.shut = false
	default:
		y.shut, pause = true, blinkTime
	}
	y.blink = v.Now.Add(pause)
}

// chance is what is random in a tick, apart from other uses of the same seed.
func chance(seed, tick, use uint64) *rand.Rand { return rand.New(rand.NewPCG(seed^use, tick)) }

// stretched is a time by the pace of a mood.
func stretched(d time.Duration, pace float64) time.Duration { return time.Duration(float64(d) * pace) }

// wander is a direction near the middle, and now and then the middle.
func wander(rng *rand.Rand, t *tone) gaze {
	if rng.IntN(5) < 2 {
		return gaze{y: -t.down}
	}
	return gaze{t.reach * (rng.Float64() - 0.5), 0.6*t.reach*(rng.Float64()-0.5) - t.down}
}

// notch rounds a direction to one of those that are told apart.
func notch(v float64) float64 { return math.Round(min(max(v, -1), 1)*gazeSteps) / gazeSteps }

const (
	// What the robot saw counts as long as it may still be there.
	faceFresh, thingFresh = 1500 * time.Millisecond, time.Second

	// The directions at which the eyes are turned as far as they go. Beyond sideRad they would not find it.
	gazeRad, gazeUpRad, sideRad = math.Pi / 6, math.Pi / 9, math.Pi / 3

	// Wheel speeds, and their difference, at which the robot looks where it goes.
	goesMMPS, turnsMMPS, wholeTurnMMPS = 10, 20, 120
)

// attention is what the robot looks at: a face, a cube or the charger that it sees, or where it drives.
func attention(w *hardware.World) (at gaze, ok bool) {
	head := w.Servos.Value.HeadRad
	if f, seen := w.Face(faceFresh); seen && math.Abs(f.BearingRad) <= sideRad {
		return gaze{f.BearingRad / gazeRad, (f.ElevationRad - head) / gazeUpRad}, true
	}
	if o := newestThing(w); o != nil {
		if _, bearing := w.Body.Pose.To(o.Pose.XMM, o.Pose.YMM); math.Abs(bearing) <= sideRad {
			return gaze{bearing / gazeRad, -0.4}, true
		}
	}
	return course(w)
}

// newestThing is the cube that the robot saw last, else the charger, if it saw it just now; nil if it saw none.
func newestThing(w *hardware.World) (newest *hardware.KnownObject) {
	if w.Body.OnPlatform {
		return nil
	}
	since := w.Now.Add(-thingFresh)
	for i := range w.Objects {
		o := &w.Objects[i]
		if o.Origin != w.Body.Origin || o.SeenAt.Before(since) {
			continue
		}
		cube := o.Kind == hardware.KindCube
		if newest == nil || cube && newest.Kind != hardware.KindCube || cube && o.SeenAt.After(newest.SeenAt) {
			newest = o
		}
	}
	return newest
}

// course is where the robot drives.
func course(w *hardware.World) (at gaze, ok bool) {
	m := &w.Motors
	if !m.OK() || math.Abs(m.Value.LeftMMPS)+math.Abs(m.Value.RightMMPS) < 2*goesMMPS {
		return gaze{}, false
	}
	if turn := m.Value.RightMMPS - m.Value.LeftMMPS; math.Abs(turn) >= turnsMMPS {
		return gaze{turn / wholeTurnMMPS, 0}, true
	}
	return gaze{0, -0.25}, true
}
