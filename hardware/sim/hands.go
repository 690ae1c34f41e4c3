package sim

import "math"

// R1's lift has two fingers in front of the body. A cube has a slot on each of its four sides, whose middle is slotMM over its base.
const (
	fingerMM   = 8.0  // from the robot's front to the fingers' tips
	slotMM     = 32.0 // from a cube's base to the middle of its slots
	slotSideMM = 6.0  // so far aside of a slot's middle the fingers still get in,
	slotHighMM = 5.0  // so far above or below it,
	slotDeg    = 8.0  // and so slanted
	firmMM     = 3.0  // farther from the face the fingers hold nothing
	gripMM     = 8.0  // above the slot the cube leaves what it stands on
	playMM     = 4.0  // of the fingers in a slot: so much earlier a lowered cube stands
	bodyHighMM = 70.0 // of the robot's body: a cube over it is not touched
	sinkMMPS   = 20.0 // a loaded lift without power sinks
	// slipMMPS2 is the acceleration towards the robot that friction gives a cube on the fingers. In a harder stop it slides off.
	slipMMPS2 = 0.3 * gravityMMPS2
	bumpMMPS  = 100.0 // or if it is stopped at once from such a speed
)

// hands is the state of the fingers.
type hands struct {
	load int        // the carried cube, counted from 1; 0 for none
	at   hpose      // of it in the robot's frame
	slot int        // the cube in whose slot the fingers are, counted from 1
	gaps [3]float64 // from the robot's front to each cube
	tip  tip
}

// face is what the robot meets of cube i if it drives straight on: the gap to it, by how much the middle of the nearest side lies to
// the left, and how the side is slanted.
func (w *world) face(i int) (gap, side, skew float64) {
	c := &w.cubes[i]
	p := w.frame().in(position(c.pose))
	skew = math.Remainder(c.pose.HeadingRad-w.robot.HeadingRad, math.Pi/2)
	sin, cos := math.Sincos(skew)
	return p.x - cubeMM/2*(cos+math.Abs(sin)) - w.body.front, p.y - cubeMM/2*sin, skew
}

// apart reports whether the fingers are so far before or behind the nearest side of cube i that its slant does not matter. The gap is then not
// worked out: it is infinite.
func (w *world) apart(i int) (gap float64, far bool) {
	x := w.frame().in(position(w.cubes[i].pose)).x - w.body.front
	switch {
	case x > cubeMM*math.Sqrt2/2+fingerMM+1:
		return math.Inf(1), true
	case x < cubeMM/2-fingerMM-1:
		return math.Inf(-1), true
	}
	return 0, false
}

// within reports whether a cube may be so near that the fingers reach it.
func (w *world) within(p hpose) bool {
	far := w.body.reach + fingerMM + cubeMM
	return math.Abs(p.XMM-w.robot.XMM) < far && math.Abs(p.YMM-w.robot.YMM) < far
}

// reachOut moves the fingers into slots and out of them, and grips. It is called after each step near something.
func (w *world) reachOut() {
	h := &w.hands
	if w.body.Lift == nil || h.load != 0 {
		return
	}
	for i := range w.cubes {
		c := &w.cubes[i]
		was := h.gaps[i]
		h.gaps[i] = math.Inf(1)
		if !c.present || !w.within(c.pose) {
			if h.slot == i+1 {
				h.slot = 0
			}
			continue
		}
		if h.slot != i+1 {
			if far, out := w.apart(i); out {
				h.gaps[i] = far
				w.hookOff(i)
				continue
			}
		}
		gap, side, skew := w.face(i)
		h.gaps[i] = gap
		above := w.servos[lift].at - c.base - slotMM
		switch {
		case h.slot == i+1:
			w.hook(i, gap, side, above)
		case h.slot == 0 && was >= fingerMM && gap < fingerMM && gap > -fingerMM:
			if math.Abs(side) <= slotSideMM && math.Abs(skew) <= degrees(slotDeg) && math.Abs(above) <= slotHighMM {
				h.slot = i + 1
			}
		}
		if h.load == 0 {
			w.hookOver(i, gap, side, skew)
		}
	}
}

// hook follows the fingers in the slot of cube i: they leave it, or lift it.
func (w *world) hook(i int, gap, side, above float64) {
	h := &w.hands
	switch {
	case gap > fingerMM+1 || math.Abs(side) > cubeMM/2 || above < -gripMM:
		h.slot = 0
	case above <= gripMM:
	case gap > firmMM: // the tips alone do not hold it
		h.slot = 0
	default:
		w.take(i)
	}
}

// take makes cube i the load of the lift, with what stands on it.
func (w *world) take(i int) {
	h, c := &w.hands, &w.cubes[i]
	p := w.frame().in(position(c.pose))
	h.load, h.at = i+1, pose(p, wrap(c.pose.HeadingRad-w.robot.HeadingRad))
	h.slot, h.tip = 0, tip{}
	c.on, c.backAt = onLift, never
	w.contacts.grab(w)
	w.hold(w.forward())
	w.checkAt = 0
	w.reschedule()
}

// hold moves the load with the robot and the lift, and sets it down when it meets something below. before is the speed of the step before.
func (w *world) hold(before float64) {
	h := &w.hands
	if h.load == 0 {
		return
	}
	i, s := h.load-1, &w.servos[lift]
	if !s.powered && s.at > s.min {
		s.at = max(s.min, s.at-sinkMMPS*stepS)
		s.target = s.at
	}
	c := &w.cubes[i]
	c.pose = pose(w.frame().out(position(h.at)), wrap(w.robot.HeadingRad+h.at.HeadingRad))
	c.base = max(0, s.at-slotMM)
	for k := w.rider(i); k >= 0; k = w.rider(k) {
		w.cubes[k].base = w.cubes[w.cubes[k].on-1].base + cubeMM
	}
	level, _, _ := w.below(i)
	if c.base <= level+playMM || w.jolts(before) {
		w.letGo()
	}
}

// jolts reports whether the robot stops so hard that its load slides off forward: by its own wheels, or because something stops it.
func (w *world) jolts(before float64) bool {
	if w.mode != standing {
		return false
	}
	if w.near || w.contacts.moving {
		return before-w.forward() > bumpMMPS
	}
	return (before-w.forward())/stepS > slipMMPS2
}

// letGo takes the load off the fingers: it stands, or falls, where it is.
func (w *world) letGo() {
	h := &w.hands
	i := h.load - 1
	c := &w.cubes[i]
	high := c.base
	h.load, c.on = 0, 0
	w.contacts.ungrab(w)
	w.checkAt = 0
	if level, _, _ := w.below(i); high <= level+playMM {
		h.slot = i + 1 // the fingers are still there
		h.gaps[i] = 0
	}
	w.land(i)
	w.reschedule()
}

// reach is the distance from the middle of the axle to the farthest corner of the robot and its load.
func (w *world) reach() float64 {
	if w.hands.load == 0 {
		return w.body.reach
	}
	return max(w.body.reach, position(w.hands.at).length()+cubeMM*math.Sqrt2/2)
}

// massX is the center of mass on the robot's x axis.
func (w *world) massX() float64 {
	x, m := w.body.massX*w.body.mass(), w.body.mass()
	if i := w.hands.load - 1; i >= 0 {
		for ; i >= 0; i = w.rider(i) {
			x, m = x+cubeMassG*w.hands.at.XMM, m+cubeMassG
		}
	}
	return x / m
}

// sinking reports whether a loaded lift sinks because its servo has no power.
func (w *world) sinking() bool {
	s := &w.servos[lift]
	return w.hands.load != 0 && !s.powered && s.at > s.min
}
