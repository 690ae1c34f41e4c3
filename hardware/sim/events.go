package sim

import (
	"math"
	"time"
)

// cubeBackSteps is how long a cube lies on the floor, or on the charger, until it is put back.
const cubeBackSteps = 10000 / StepMS

// runEvents carries out the events that are due, in a fixed order, and schedules its next call.
func (w *world) runEvents() {
	if w.n >= w.touchEnd {
		w.touched, w.touchEnd = false, never
	}
	if w.n >= w.shakeEnd {
		w.shaking, w.shakeEnd = false, never
		if w.shakeReturn {
			w.putBack()
		}
	}
	if w.n >= w.senses.heatEnd {
		w.battery.hot = false
	}
	if w.supply.over(w.n) {
		w.endPulse()
	}
	if w.n >= w.backAt {
		w.place(w.spot(pose(vec{}, w.seed.span(srcMiddle, w.n, -math.Pi, math.Pi)), 120))
	}
	for i := range w.cubes {
		if w.n >= w.cubes[i].backAt {
			w.cubeBack(i)
		}
	}
	for i := range w.people {
		if w.n >= w.people[i].next {
			w.comeOrGo(&w.people[i])
		}
	}
	if w.n >= w.guest.end {
		w.hide()
	}
	if w.n >= w.guest.lookAt {
		w.follow()
	}
	w.reschedule()
}

// cubeBack puts a cube at its first place, or waits a second if something is there.
func (w *world) cubeBack(i int) {
	c := &w.cubes[i]
	home := position(c.home)
	taken := position(w.robot).distance(home) < 150
	for j := range w.cubes {
		taken = taken || j != i && w.cubes[j].present && position(w.cubes[j].pose).distance(home) < 70
	}
	if taken {
		c.backAt = w.n + steps(time.Second)
		return
	}
	c.pose, c.present, c.backAt = c.home, true, never
	w.contacts.put(i, *c)
	w.checkAt = 0
}

// moveCube puts the cube of that number, or for 0 the one that is nearest to p, at p. It stays where it is if p is not on the table or
// something is there; the robot in a person's hands is not.
func (w *world) moveCube(id int, p hpose) bool {
	nearest, at := -1, position(p)
	for i := range w.cubes {
		c := &w.cubes[i]
		if c.present && (id == 0 || id == i+1) && (nearest < 0 || position(c.pose).distance(at) < position(w.cubes[nearest].pose).distance(at)) {
			nearest = i
		}
	}
	if nearest < 0 || !w.cubeFits(nearest, p) {
		return false
	}
	c := &w.cubes[nearest]
	c.pose, c.backAt, c.moves = p, never, w.n+comingSteps
	w.contacts.put(nearest, *c)
	w.checkAt = 0
	w.reschedule()
	return true
}

// cubeFits reports whether cube i has room at p.
func (w *world) cubeFits(i int, p hpose) bool {
	b := newBox(p, cubeMM, cubeMM)
	taken := w.table.margin(position(p)) < cubeMM || b.overlaps(w.pad()) || b.overlaps(w.block) || w.mode == standing && b.overlaps(w.body.box(w.robot))
	for _, o := range w.obstacles {
		taken = taken || b.overlaps(o.box)
	}
	for j := range w.cubes {
		taken = taken || j != i && w.cubes[j].present && b.overlaps(w.cubes[j].box())
	}
	return !taken
}

// reschedule works out when runEvents must be called next.
func (w *world) reschedule() {
	w.due = never
	if w.battery.hot {
		w.due = w.senses.heatEnd
	}
	w.due = min(w.due, w.supply.end, w.touchEnd, w.shakeEnd, w.backAt, w.guest.end, w.guest.lookAt)
	for i := range w.cubes {
		w.due = min(w.due, w.cubes[i].backAt)
	}
	for i := range w.people {
		w.due = min(w.due, w.people[i].next)
	}
}

// enter changes the mode. The robot loses contact with the table and the charger.
func (w *world) enter(m mode) {
	w.mode, w.modeAt = m, w.n
	w.senses.palm, w.hand = false, nil
	w.backAt = never
	w.onContacts, w.battery.charging, w.near = false, false, false
	w.accel, w.yawRate = vec{}, 0
	w.contacts.release()
}

// fall takes the robot off the table's edge.
func (w *world) fall() {
	w.enter(fallen)
	w.falls++
	w.backAt = w.n + backSteps
	w.reschedule()
}

func (w *world) pickUp() {
	w.senses.palm = false
	if w.mode != held {
		w.enter(held)
		w.reschedule()
	}
}

// carry holds the robot over p.
func (w *world) carry(p hpose) {
	w.pickUp()
	p.HeadingRad = wrap(p.HeadingRad)
	w.robot = p
}

// place sets the robot down. If that is on the contacts, it does not count as a docking.
func (w *world) place(p hpose) {
	p.HeadingRad = wrap(p.HeadingRad)
	w.enter(standing)
	w.shaking, w.shakeReturn, w.shakeEnd = false, false, never
	w.robot = p
	w.away = false
	w.check()
	w.reschedule()
}

// placeAt sets the robot down where nothing solid is in the way, as near to p as possible.
func (w *world) placeAt(p hpose) { w.place(w.spot(p, math.Inf(-1))) }

// putBack sets a robot that is not standing down where it was lifted, but not on or over an edge.
func (w *world) putBack() {
	switch {
	case w.mode == standing:
	case w.mode == fallen || w.table.margin(position(w.robot)) < 60:
		w.place(w.spot(w.robot, 120))
	default:
		w.placeAt(w.robot)
	}
}

func (w *world) touch(d time.Duration) {
	w.touched, w.touchEnd = d > 0, never
	if d > 0 {
		w.touchEnd = w.n + steps(d)
	}
	w.reschedule()
}

func (w *world) shake(d time.Duration) {
	if w.mode != held {
		w.pickUp()
		w.shakeReturn = true
	}
	w.shaking = true
	w.shakeEnd = w.n + steps(d)
	w.reschedule()
}

// pushNearEdge puts the robot 60 mm in front of the nearest edge that has room, facing it.
func (w *world) pushNearEdge() {
	inside := max(60.0, w.body.front+25)
	at := position(w.robot)
	first := w.table.nearest(at)
	for k := range w.table.corners {
		i := (first + k) % len(w.table.corners)
		a, n := w.table.corners[i], w.table.normals[i]
		e := w.table.corners[(i+1)%len(w.table.corners)].sub(a)
		along := e.scale(1 / e.length())
		here := clamp(at.sub(a).dot(along), 0, e.length())
		for j := range 40 {
			s := here + float64((j+1)/2*30)*float64(1-j%2*2)
			p := pose(a.add(along.scale(s)).add(n.scale(inside)), math.Atan2(-n.y, -n.x))
			if s >= 0 && s <= e.length() && w.clear(p, inside-1) && !w.onPad(p) {
				w.place(p)
				return
			}
		}
	}
}

// onPad reports whether a robot at p would stand on the charger's pad.
func (w *world) onPad(p hpose) bool {
	return w.body.box(p).overlaps(w.pad())
}

// pad is the footprint of the charger.
func (w *world) pad() box { return newBox(w.charger, chargerLength, chargerWidth) }
