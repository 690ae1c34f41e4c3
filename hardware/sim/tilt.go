package sim

import "math"

const (
	// A robot whose center of mass is up to leanMM beyond the edge rocks on it, the more the farther; then it falls.
	leanMM, leanDeg = 3.0, 12.0
	edgeMM          = 16.0 // nearer to the edge the robot's axle is looked after at each step
	// The charger's pad has a tongue in its middle that rises from its open side by rampDeg and is twice tongueMM wide: the tail of a robot
	// that docks slides up on it. Beside it the pad is flat.
	rampDeg, tongueMM = 7.0, 10.0
	skidMM            = 5.0 // from the ends of the robot to where it stands
	tiltRadPS         = 4.0 // as fast as it rocks
)

// tilt is how a standing robot is inclined: pitch positive with the nose up, roll with the left side up.
type tilt struct {
	pitch, roll         float64
	pitchRate, rollRate float64
	over                float64 // by how much the center of mass is beyond the edge, mm
	out                 vec     // the direction out over that edge
}

// lean finds out whether the robot rocks on the edge, and reports true if it falls off. It is called at each step near the edge.
func (w *world) lean() (falls bool) {
	at := w.frame().out(vec{w.massX(), 0})
	t := &w.tilt
	t.over = -w.table.margin(at)
	if t.over <= 0 {
		t.over = 0
		return false
	}
	n := w.table.normals[w.table.nearest(at)]
	t.out = n.scale(-1)
	return t.over > leanMM
}

// inclination is the pitch and roll that belong to the robot's place.
func (w *world) inclination() (pitch, roll float64) {
	if w.mode != standing {
		return 0, 0
	}
	if b := &w.body; w.nearCharger() {
		f := w.frame()
		tail, nose := w.rampMM(f.out(vec{skidMM - b.back, 0})), w.rampMM(f.out(vec{b.front - skidMM, 0}))
		pitch = math.Atan2(nose-tail, b.front+b.back-2*skidMM)
	}
	if t := &w.tilt; t.over > 0 {
		f := w.frame()
		a := degrees(leanDeg) * t.over / leanMM
		pitch -= a * (f.cos*t.out.x + f.sin*t.out.y)
		roll -= a * (f.cos*t.out.y - f.sin*t.out.x)
	}
	return pitch, roll
}

// nearCharger reports whether a part of the robot may be on the charger.
func (w *world) nearCharger() bool {
	r := chargerLength/2 + w.body.reach
	return math.Abs(w.robot.XMM-w.charger.XMM) < r && math.Abs(w.robot.YMM-w.charger.YMM) < r
}

// rampMM is the height of the charger's tongue at a point.
func (w *world) rampMM(p vec) float64 {
	q := w.chargerFrame.in(p)
	if math.Abs(q.y) > tongueMM || math.Abs(q.x) > chargerLength/2 {
		return 0
	}
	return (chargerLength/2 - q.x) * math.Tan(degrees(rampDeg))
}

// rock moves the robot's inclination in one step.
func (w *world) rock() {
	t := &w.tilt
	if t.over == 0 && t.level() && !w.nearCharger() {
		return // as nearly always
	}
	pitch, roll := w.inclination()
	t.pitchRate = clamp((pitch-t.pitch)/stepS, -tiltRadPS, tiltRadPS)
	t.rollRate = clamp((roll-t.roll)/stepS, -tiltRadPS, tiltRadPS)
	t.pitch, t.roll = t.pitch+t.pitchRate*stepS, t.roll+t.rollRate*stepS
	if math.Abs(t.pitch-pitch) < 1e-9 {
		t.pitch = pitch
	}
	if math.Abs(t.roll-roll) < 1e-9 {
		t.roll = roll
	}
}

// stands inclines a robot that was just set down.
func (w *world) stands() {
	w.tilt = tilt{}
	if w.mode == standing && !w.walled() {
		w.lean()
	}
	w.tilt.pitch, w.tilt.roll = w.inclination()
}

// level reports whether the robot is neither inclined nor rocks.
func (t *tilt) level() bool {
	return t.pitch == 0 && t.roll == 0 && t.pitchRate == 0 && t.rollRate == 0
}

// rocking reports whether the inclination still changes.
func (t *tilt) rocking() bool { return t.pitchRate != 0 || t.rollRate != 0 }
