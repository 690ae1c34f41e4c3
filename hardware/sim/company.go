package sim

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// People says what the people do who come by themselves.
type People uint8

// What people do.
const (
	FewPeople  People = iota // they come, look, and go
	NoPeople                 // nobody comes
	BusyPeople               // they also speak, call, touch, lift, hide, and move cubes
)

var peopleNames = [...]string{"few", "none", "busy"}

func (p People) String() string { return peopleNames[p] }

// PeopleNames lists the names of what people do, sorted.
func PeopleNames() []string { return slices.Sorted(slices.Values(peopleNames[:])) }

// ParsePeople finds what people do by its name.
func ParsePeople(name string) (People, error) {
	if i := slices.Index(peopleNames[:], name); i >= 0 {
		return People(i), nil
	}
	return 0, fmt.Errorf("there are no %q people; valid: %v", name, PeopleNames())
}

const (
	// deedMinS and deedMaxS bound the time from one deed of busy people to the next, seconds. Deeds wait until somebody is there.
	deedMinS, deedMaxS = 8.0, 30.0
	// orderAfterS is how long after the wake word somebody says what is wanted.
	orderAfterS = 1.2
	liftMinS    = 3.0 // in the hand
	liftMaxS    = 7.0
	hideMinS    = 6.0 // out of sight
	hideMaxS    = 14.0
	strokeMinS  = 1.2
	strokeMaxS  = 4.0
	shakeS      = 1.2
	maxSaid     = 16 // words that nobody took
	// cubeTries is how many places are tried for a cube that somebody moves, cubeInsideMM how far inside the table they are.
	cubeTries    = 8
	cubeInsideMM = 60.0
)

// An Utterance is what a person said to the robot: its wake word, or what is wanted, by the name of a user intent.
type Utterance struct {
	Wake   bool
	Intent string
}

// A deed is one thing that busy people do, with how likely it is.
type deed struct {
	weight float64
	do     func(w *world, c *company)
}

// deeds are drawn by weight. Their order is part of the schedule.
var deeds = []deed{
	{10, (*world).speak},
	{2, (*world).callOnly},
	{6, (*world).stroke},
	{2, (*world).lift},
	{1, (*world).shakeUp},
	{4, (*world).moveSomeCube},
	{2, (*world).hideAway},
}

// orders are what people ask for, as often as they stand here.
var orders = []string{
	"come_here", "come_here", "come_here", "dance", "dance", "explore", "explore", "look_at_me", "look_at_me", "go_home", "sleep", "stop", "quiet", "wake_up",
}

// A company is what busy people do. Every choice is hashed from the seed and the number of the deed, so equal worlds have equal people.
type company struct {
	next   int64 // step of the next deed
	k      int64 // deeds so far
	order  int64 // step at which the order follows the wake word
	lower  int64 // step at which the robot is set down again
	wanted string
	said   []Utterance
}

// inviteCompany schedules the first deed.
func (w *world) inviteCompany() {
	w.company = company{next: never, order: never, lower: never}
	if w.opt.People == BusyPeople {
		w.company.next = w.later(deedMinS, deedMaxS, 0)
	}
}

// later is the step after a time between lo and hi seconds, drawn for this deed.
func (w *world) later(lo, hi float64, use uint64) int64 {
	return w.n + steps(time.Duration(w.seed.span(srcDeed+use, w.company.k, lo, hi)*float64(time.Second)))
}

// dueCompany is the step of what people do next.
func (w *world) dueCompany() int64 { return min(w.company.next, w.company.order, w.company.lower) }

// entertain does what is due.
func (w *world) entertain() {
	c := &w.company
	if w.n >= c.lower {
		c.lower = never
		if w.mode == held && !w.shaking {
			w.putBack()
		}
	}
	if w.n >= c.order {
		c.order = never
		w.say(Utterance{Intent: c.wanted})
	}
	if w.n < c.next {
		return
	}
	c.k++
	c.next = w.later(deedMinS, deedMaxS, 0)
	if w.attended() && w.mode == standing && c.order == never {
		w.draw().do(w, c)
	}
}

// attended reports whether somebody is there.
func (w *world) attended() bool {
	return w.guest.present || slices.ContainsFunc(w.people, func(p person) bool { return p.present })
}

// draw chooses a deed by weight.
func (w *world) draw() *deed {
	sum := 0.0
	for i := range deeds {
		sum += deeds[i].weight
	}
	at := w.seed.span(srcDeed+1, w.company.k, 0, sum)
	for i := range deeds {
		if at -= deeds[i].weight; at < 0 {
			return &deeds[i]
		}
	}
	return &deeds[0]
}

// say keeps what is said until somebody takes it. Beyond some words the oldest are lost.
func (w *world) say(u Utterance) {
	c := &w.company
	if len(c.said) == maxSaid {
		c.said = slices.Delete(c.said, 0, 1)
	}
	c.said = append(c.said, u)
}

func (w *world) callOnly(*company) { w.say(Utterance{Wake: true}) }

func (w *world) speak(c *company) {
	w.say(Utterance{Wake: true})
	c.wanted = orders[w.seed.bits(srcDeed+2, c.k)%uint64(len(orders))]
	c.order = w.later(orderAfterS, orderAfterS+0.5, 3)
}

func (w *world) stroke(c *company) {
	w.touch(time.Duration(w.seed.span(srcDeed+4, c.k, strokeMinS, strokeMaxS) * float64(time.Second)))
}

// lift takes the robot up for a while. People leave a robot alone that charges.
func (w *world) lift(c *company) {
	if w.onContacts {
		return
	}
	w.pickUp()
	c.lower = w.later(liftMinS, liftMaxS, 5)
}

func (w *world) shakeUp(*company) {
	if !w.onContacts {
		w.shake(time.Duration(shakeS * float64(time.Second)))
	}
}

// moveSomeCube puts one of the cubes somewhere else on the table, if there is room at one of a few places.
func (w *world) moveSomeCube(c *company) {
	if len(w.cubes) == 0 {
		return
	}
	id := 1 + int(w.seed.bits(srcDeed+6, c.k)%uint64(len(w.cubes)))
	for try := range int64(cubeTries) {
		n := c.k<<4 | try
		d := direction(w.seed.span(srcDeed+7, n, -math.Pi, math.Pi))
		at := d.scale(w.seed.span(srcDeed+8, n, 0.2, 1) * (w.table.exit(vec{}, d) - cubeInsideMM))
		if at.distance(position(w.robot)) > 120 && w.moveCube(id, pose(at, w.seed.span(srcDeed+9, n, -math.Pi, math.Pi))) {
			return
		}
	}
}

// hideAway makes everybody disappear for a while; they come back somewhere else.
func (w *world) hideAway(*company) {
	for i := range w.people {
		if p := &w.people[i]; p.present {
			p.present = false
			p.k++
			p.next = w.wait(p, hideMinS, hideMaxS)
		}
	}
}

// Said takes what people said since the last call, the oldest first.
func (r *Rig) Said() (all []Utterance) {
	r.with(func(w *world) {
		if len(w.company.said) > 0 {
			all = slices.Clone(w.company.said)
			w.company.said = w.company.said[:0]
		}
	})
	return all
}
