package engine

import (
	"math"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

const (
	// moodFor is how long the idle expression stays at least: a mood is slower than a feeling that comes and goes.
	moodFor = 5 * time.Second

	// moodEvery is how often the face looks at the mood.
	moodEvery = 480 * time.Millisecond

	// Emotions from which on the face shows them.
	happyAt, sadAt, discouragedAt = 0.35, -0.3, -0.85

	// A face shows happiness and sorrow while they are more than the robot is used to by freshAt, and until they are by freshLeft.
	freshAt, freshLeft = 0.1, 0.05

	// habitTime is the time in which the robot gets used to a little more than half of what it feels.
	habitTime = 30 * time.Second
)

// idleMood is what the mood makes of a robot that nobody makes show anything: an expression, and the tone of all that moves by itself.
type idleMood struct {
	name  string
	since time.Time // the expression
	next  time.Time // the next look at the mood
	habit habit
	tone  tone
}

// step looks at the mood if it is time.
func (m *idleMood) step(v *condition.View) {
	if m.name != "" && v.Now.Before(m.next) {
		return
	}
	m.next = v.Now.Add(moodEvery)
	fresh := m.habit.of(v.Now, v.Mood[condition.Happy])
	m.tone.approach(toneOf(&v.Mood))
	if m.name == "" || v.Now.Sub(m.since) >= moodFor {
		if name := m.expression(v, fresh); name != m.name {
			m.name, m.since = name, v.Now
		}
	}
}

// face is what an idle robot shows, without where it looks. The tone bends the neutral face only: others say by themselves how they feel.
func (m *idleMood) face() hardware.ShowFace {
	if m.name != hardware.FaceNeutral {
		return hardware.ShowFace{Face: m.name}
	}
	return hardware.ShowFace{Face: m.name, Lid: m.tone.lid, Shape: m.tone.shape}
}

// expression is what a mood looks like. Happiness and sorrow that last are nothing to show all the time.
func (m *idleMood) expression(v *condition.View, fresh float64) string {
	b, happy := &v.World.Body, v.Mood[condition.Happy]
	enough := freshAt
	if m.name == hardware.FaceHappy || m.name == hardware.FaceSad {
		enough = freshLeft
	}
	switch {
	case b.Battery == hardware.BatteryLow && !b.OnContacts && v.World.Battery.OK():
		return hardware.FaceSleepy
	case happy >= happyAt && fresh >= enough:
		return hardware.FaceHappy
	case happy <= sadAt && fresh <= -enough, v.Mood[condition.Confident] <= discouragedAt:
		return hardware.FaceSad
	}
	return hardware.FaceNeutral
}

// A habit is how strong a feeling the robot is used to.
type habit struct {
	level float64
	at    time.Time
}

// of is how much more of a feeling there is than the robot is used to, which the time until now has made more.
func (h *habit) of(now time.Time, value float64) float64 {
	if dt := now.Sub(h.at); !h.at.IsZero() && dt > 0 {
		h.level += (value - h.level) * float64(dt) / float64(dt+habitTime)
	}
	h.at = now
	return value - h.level
}

// A tone is how a mood shows in what moves by itself.
type tone struct {
	lid    float64 // of a neutral face
	shape  hardware.Shape
	breath hardware.Breath
	pace   float64 // factor on the time between two blinks, and between two moves of the gaze
	reach  float64 // factor on how far the gaze wanders
	down   float64 // how far it hangs
}

// What the face tells apart: what is smaller costs a command and is not seen. A tone moves one such step in moodEvery.
const lidStep, shapeStep, rateStep, depthStep = 1.0 / 8, 1.0 / 8, 2, 0.2

// sleepBreath is that of closed eyes.
var sleepBreath = hardware.Breath{PerMinute: 10, Depth: 1}

// toneOf is the tone of a mood. Excitement opens the eyes, and makes breath, blinks and gaze quick; happiness lifts the lower lids; sorrow
// and discouragement slant the upper ones, and lower the gaze.
func toneOf(mood *condition.Mood) tone {
	excited, happy := min(max(mood[condition.Stimulated], 0), 1), mood[condition.Happy]
	low := min(max(-happy, -mood[condition.Confident], 0), 1)
	return tone{
		lid:    max(0, 0.3-0.43*excited) + 0.15*low,
		shape:  hardware.Shape{Cheek: 0.5 * min(max(happy, 0), 1), Slant: -0.4 * low},
		breath: hardware.Breath{PerMinute: 12 + 12*excited, Depth: 0.8 - 0.4*excited},
		pace:   1.2 - 0.6*excited + 0.2*low,
		reach:  0.6 + 0.8*excited,
		down:   0.3 * low,
	}
}

// approach moves what the display shows one step nearer to a tone.
func (t *tone) approach(to tone) {
	if t.pace == 0 { // the first tick
		t.breath = hardware.Breath{PerMinute: 12, Depth: 0.8}
	}
	t.pace, t.reach, t.down = to.pace, to.reach, to.down
	toward(&t.lid, to.lid, lidStep)
	toward(&t.shape.Cheek, to.shape.Cheek, shapeStep)
	toward(&t.shape.Slant, to.shape.Slant, shapeStep)
	toward(&t.breath.PerMinute, to.breath.PerMinute, rateStep)
	toward(&t.breath.Depth, to.breath.Depth, depthStep)
}

// toward moves a value by one step if what is wanted is well beyond the middle between two.
func toward(v *float64, to, step float64) {
	if math.Abs(to-*v) > 0.7*step {
		*v = math.Round((*v+math.Copysign(step, to-*v))/step) * step
	}
}
