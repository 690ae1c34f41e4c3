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
	if w.n >= w.dueCompany() {
		w.entertain()
	}
	if w.n >= w.guest.end {
		w.hide()
	}
	if w.n >= w.guest.lookAt {
		w.follow()
	}
	if w.n >= w.camera.at {
		w.shoot()
	}
	w.reschedule()
}

// reschedule works out when runEvents must be called next.
func (w *world) reschedule() {
	w.due = never
	if w.battery.hot {
		w.due = w.senses.heatEnd
	}
	w.due = min(w.due, w.camera.at, w.supply.end, w.touchEnd, w.shakeEnd, w.backAt, w.guest.end, w.guest.lookAt, w.dueCompany())
	for i := range w.cubes {
		w.due = min(w.due, w.cubes[i].backAt)
	}
	for i := range w.people {
		w.due = min(w.due, w.people[i].next)
	}
}

// enter changes the mode. The robot loses contact with the table and the charger, and what it carries.
func (w *world) enter(m mode) {
	if w.hands.load != 0 {
		w.letGo()
	}
	w.hands.slot, w.hands.tip = 0, tip{}
	w.mode, w.modeAt = m, w.n
	w.senses.palm, w.hand = false, nil
	w.backAt = never
	w.onContacts, w.battery.charging, w.near = false, false, false
	w.accel, w.yawRate, w.tilt = vec{}, 0, tilt{}
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
	w.stands()
	w.check()
	w.reschedule()
}

// placeAt sets the robot down where nothing solid is in the way, as near to p as possible.
func (w *world) placeAt(p hpose) { w.place(w.spot(p, math.Inf(-1))) }

// putBack sets a robot that is not standing down where it was lifted, but not on or over an edge.
func (w *world) putBack() {
	switch {
	case w.mode == standing:
	case w.mode == fallen || !w.table.inside(position(w.robot), 60):
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
	return w.body.box(p).overlaps(w.pad)
}
