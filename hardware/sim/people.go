package sim

import (
	"math"
	"time"
)

const (
	eyeMM = 60.0 // height of the robot's camera above the table
	// lookSteps is how often a guest moves to where the robot looks.
	lookSteps = 500 / StepMS
	// guestIDs are the face IDs of guests who are not among the people.
	guestIDs = 10
)

// A person comes to the table and leaves on a schedule hashed from the seed.
type person struct {
	id       int
	name     string
	present  bool
	at       vec
	heightMM float64 // of the face above the table
	next     int64   // step of the next coming or going
	k        int64   // comings and goings so far
	moves    int64   // until this step it moves
}

// guest is a face requested by ShowFace.
type guest struct {
	present  bool
	id       int
	name     string
	names    []string // in order of first appearance
	at       vec
	heightMM float64
	end      int64
	lookAt   int64
	moves    int64 // until this step it moves
}

// invitePeople schedules one person the robot knows by name and one it does not.
func (w *world) invitePeople() {
	w.people = []person{{id: 1, name: "Ada"}, {id: 2}}
	for i := range w.people {
		w.people[i].next = never
		if !w.opt.Nobody {
			w.people[i].next = w.wait(&w.people[i], 5, 40)
		}
	}
	w.inviteCompany()
}

// wait is the step after between lo and hi seconds from now.
func (w *world) wait(p *person, lo, hi float64) int64 {
	s := w.seed.span(srcPerson+uint64(p.id), p.k, lo, hi)
	return w.n + steps(time.Duration(s*float64(time.Second)))
}

// comeOrGo changes whether p is there. People stand 350 to 700 mm from the table's edge, across
// from the charger.
func (w *world) comeOrGo(p *person) {
	p.k++
	p.present = !p.present
	if !p.present {
		p.next = w.wait(p, 20, 90)
		return
	}
	p.next = w.wait(p, 20, 60)
	p.moves = w.n + comingSteps
	src := srcPerson + uint64(p.id)<<4
	side, near, far := degrees(75), 350.0, 700.0
	if w.walled() { // a room is large, so they come up to the wall, on all sides
		side, near, far = math.Pi, 60, 250
	}
	d := direction(w.charger.HeadingRad + w.seed.span(src, p.k, -side, side))
	p.at = d.scale(w.table.exit(vec{}, d) + w.seed.span(src+1, p.k, near, far))
	p.heightMM = w.seed.span(src+2, p.k, 400, 520)
}

// show brings a guest in front of the robot until end.
func (w *world) show(name string, end int64) {
	g := &w.guest
	*g = guest{present: true, name: name, names: g.names, id: w.guestID(name), end: end}
	w.faceUp()
}

func (w *world) guestID(name string) int {
	for _, p := range w.people {
		if p.name == name {
			return p.id
		}
	}
	for i, n := range w.guest.names {
		if n == name {
			return guestIDs + i
		}
	}
	w.guest.names = append(w.guest.names, name)
	return guestIDs + len(w.guest.names) - 1
}

// faceUp puts the guest straight ahead of the robot, at a height that suits the head's angle, and beyond the table's edge
// unless that is too far.
func (w *world) faceUp() {
	g := &w.guest
	d := direction(w.robot.HeadingRad)
	mm := clamp(w.table.exit(position(w.robot), d)+400, 500, 1200)
	g.at = position(w.robot).add(d.scale(mm))
	g.heightMM = eyeMM + mm*math.Tan(clamp(w.servos[0].at, degrees(15), degrees(35)))
	g.lookAt, g.moves = w.n+lookSteps, w.n+comingSteps
}

// follow moves the guest when the robot looks elsewhere.
func (w *world) follow() {
	g := &w.guest
	g.lookAt = w.n + lookSteps
	if _, bearing := w.robot.To(g.at.x, g.at.y); math.Abs(bearing) > degrees(25) {
		w.faceUp()
	}
}

// movePerson makes a visitor stand at p, unless that is on the table.
func (w *world) movePerson(id int, p vec) bool {
	if w.table.inside(p, 0) {
		return false
	}
	if g := &w.guest; g.present && g.id == id {
		g.at, g.lookAt, g.moves = p, never, w.n+comingSteps
		w.reschedule()
		return true
	}
	for i := range w.people {
		if q := &w.people[i]; q.present && q.id == id {
			q.at, q.moves = p, w.n+comingSteps
			return true
		}
	}
	return false
}

func (w *world) hide() {
	w.guest = guest{names: w.guest.names, end: never, lookAt: never}
}

// visitor is one face at the table.
type visitor struct {
	id       int
	name     string
	at       vec
	heightMM float64
	guest    bool
	moves    int64
}

// visitors returns the faces present, by ID. A person who is the guest appears only once.
func (w *world) visitors() []visitor {
	var all []visitor
	g := &w.guest
	for i := range w.people {
		p := &w.people[i]
		switch {
		case g.present && g.id == p.id:
			all = append(all, visitor{g.id, g.name, g.at, g.heightMM, true, g.moves})
		case p.present:
			all = append(all, visitor{p.id, p.name, p.at, p.heightMM, false, p.moves})
		}
	}
	if g.present && g.id >= guestIDs {
		all = append(all, visitor{g.id, g.name, g.at, g.heightMM, true, g.moves})
	}
	return all
}
