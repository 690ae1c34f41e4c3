package sim

import "math"

// Rolling a cube: with the lift high over it the fingers' claws, clawMM below the fingers, come over its upper edge. Going down while the
// robot backs away they pull the edge down, and the cube tips towards the robot over the lower edge of that side. Past 45° it falls by
// itself, if nothing else stops it; before, it falls back.
const (
	clawMM      = 24.0
	clawSideMM  = 10.0
	clawDeg     = 15.0
	clawGapMM   = 5.0  // from the face, up to which the claws hold its edge
	clawSlackMM = 10.0 // of the way back, more than the tipped edge came along, at which they slip off
	slideMM     = 12.0 // by how much the lower edge slides towards what pulls
	tipRadPS    = 8.0  // of a cube that falls
	tipMaxRad   = 10 * math.Pi / 180
)

// tip is a cube on its edge.
type tip struct {
	cube    int // counted from 1; 0 for none
	over    int // the cube over whose edge the claws are, before they go down
	claws   bool
	lean    float64 // rad, towards the robot
	rate    float64 // of it, rad/s
	to      vec     // the direction to the robot
	from    vec     // of the robot when the claws took hold
	towards vec     // the same direction in the cube's frame
}

// hookOver follows the claws over cube i.
func (w *world) hookOver(i int, gap, side, skew float64) {
	t := &w.hands.tip
	if t.cube != 0 {
		return
	}
	c := &w.cubes[i]
	claws := w.servos[lift].at - clawMM - c.base
	fits := c.on == 0 && gap <= clawGapMM && gap > -fingerMM && math.Abs(side) <= clawSideMM && math.Abs(skew) <= degrees(clawDeg)
	switch {
	case !fits:
		w.hookOff(i)
	case claws >= cubeMM-2:
		t.over = i + 1
	case t.over == i+1:
		to := direction(w.robot.HeadingRad + math.Pi)
		*t = tip{cube: i + 1, claws: true, to: to, from: position(w.robot), towards: c.box().turned(to)}
	}
}

// hookOff says that the claws are not over cube i.
func (w *world) hookOff(i int) {
	if t := &w.hands.tip; t.cube == 0 && t.over == i+1 {
		t.over = 0
	}
}

// tipOver moves the cube on its edge in one step.
func (w *world) tipOver() {
	t := &w.hands.tip
	if t.cube == 0 {
		return
	}
	c := &w.cubes[t.cube-1]
	if !c.present || c.on == onLift {
		*t = tip{}
		return
	}
	was := t.lean
	if t.claws && t.lean < math.Pi/4 {
		w.pull(t, c)
	} else if t.lean >= math.Pi/4 {
		t.claws = false
		t.lean = min(math.Pi/2, t.lean+tipRadPS*stepS)
	} else {
		t.lean = max(0, t.lean-tipRadPS*stepS)
	}
	t.rate = (t.lean - was) / stepS
	if t.lean > tipMaxRad {
		w.unloadAside(t.cube - 1)
	}
	w.contacts.moving = true
	switch {
	case t.lean >= math.Pi/2:
		c.sides, c.moves = c.sides.tipped(t.towards), w.n+comingSteps
		*t = tip{}
	case t.lean == 0 && !t.claws:
		*t = tip{}
	}
}

// pull leans the cube as far as the claws are down and the robot has come back.
func (w *world) pull(t *tip, c *cube) {
	drop := math.Acos(clamp((w.servos[lift].at-clawMM)/cubeMM, 0, 1))
	back := position(w.robot).sub(t.from).dot(t.to)
	room := math.Asin(clamp((back+slideMM)/cubeMM, 0, 1))
	if back > cubeMM*math.Sin(drop)+clawSlackMM || back < -clawGapMM {
		t.claws = false
		return
	}
	t.lean += clamp(min(drop, room)-t.lean, -tipRadPS*stepS, tipRadPS*stepS)
}

// speed is that of the tipping cube's footprint. For the first slideMM the lower edge slides away as far as the upper one leans over.
func (t *tip) speed() vec {
	if cubeMM*math.Sin(t.lean) < slideMM {
		return vec{}
	}
	return t.to.scale(cubeMM * math.Cos(t.lean) * t.rate)
}

// unloadAside lets what stands on a leaning cube fall to the robot's far side.
func (w *world) unloadAside(i int) {
	if k := w.rider(i); k >= 0 {
		w.topple(k, position(w.cubes[i].pose).add(w.hands.tip.to))
	}
}
