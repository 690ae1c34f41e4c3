package engine

import (
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

const (
	// moodFor is how long the idle expression stays at least: a mood is slower than a feeling that comes and goes.
	moodFor = 5 * time.Second

	// Emotions from which on the face shows them, and the lids of a robot that nothing excites.
	happyAt, sadAt, discouragedAt = 0.35, -0.3, -0.85
	boredAt, boredLid             = 0.1, 0.25
)

// idleMood is the expression of a robot that nobody makes show another.
type idleMood struct {
	name  string
	lid   float64
	since time.Time
}

// face is the expression of now, and how far its lids are down.
func (m *idleMood) face(v *condition.View) (name string, lid float64) {
	if m.name == "" || v.Now.Sub(m.since) >= moodFor {
		name, lid = expressionOf(v)
		if name != m.name || lid != m.lid {
			*m = idleMood{name, lid, v.Now}
		}
	}
	return m.name, m.lid
}

// expressionOf is what a mood looks like.
func expressionOf(v *condition.View) (name string, lid float64) {
	b := &v.World.Body
	switch {
	case b.Battery == hardware.BatteryLow && !b.OnContacts && v.World.Battery.OK():
		return hardware.FaceSleepy, 0
	case v.Mood[condition.Happy] >= happyAt:
		return hardware.FaceHappy, 0
	case v.Mood[condition.Happy] <= sadAt, v.Mood[condition.Confident] <= discouragedAt:
		return hardware.FaceSad, 0
	case v.Mood[condition.Stimulated] <= boredAt:
		return hardware.FaceNeutral, boredLid
	}
	return hardware.FaceNeutral, 0
}
