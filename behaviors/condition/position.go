package condition

import (
	"fmt"
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Something moved notably if it is this far from where it was at the last reaction, turned by this much, or if that is this long ago.
const (
	notableMM   = 80.0
	notableRad  = 45 * math.Pi / 180
	notableTime = 600 * time.Second
)

// A spotted is where something was at the last reaction to it, and when it was seen last.
type spotted struct {
	id     int
	kind   string
	pose   hardware.Pose
	origin uint64
	seen   time.Time
	at     time.Time // of the reaction
}

// notable reports whether a sighting differs notably from the last reaction.
func (s *spotted) notable(now *spotted) bool {
	return s.origin != now.origin || math.Hypot(s.pose.XMM-now.pose.XMM, s.pose.YMM-now.pose.YMM) > notableMM ||
		math.Abs(hardware.WrapRad(s.pose.HeadingRad-now.pose.HeadingRad)) > notableRad || now.seen.Sub(s.at) > notableTime
}

// positions remembers reactions. At most maxSightings; beyond them the longest unseen one is forgotten.
type positions struct{ list []spotted }

// look compares a sighting with what is remembered, and remembers it if told to.
func (p *positions) look(v *View, now *spotted, f *facts, remember bool) {
	f.n++
	i := p.find(now)
	hit := false
	switch {
	case i < 0:
		hit = current(v, now.seen)
	case now.seen.After(p.list[i].seen):
		hit = p.list[i].notable(now)
	}
	if hit {
		f.m++
	}
	if !remember || i < 0 && !hit {
		return
	}
	if i < 0 {
		i = p.room()
		p.list[i] = *now
	}
	if p.list[i].seen = now.seen; hit {
		p.list[i] = *now
		p.list[i].at = now.seen
	}
}

func (p *positions) find(now *spotted) int {
	for i := range p.list {
		if p.list[i].id == now.id && p.list[i].kind == now.kind {
			return i
		}
	}
	return -1
}

// room is a place for another one.
func (p *positions) room() int {
	if len(p.list) < maxSightings {
		p.list = append(p.list, spotted{})
		return len(p.list) - 1
	}
	oldest := 0
	for i := range p.list {
		if p.list[i].seen.Before(p.list[oldest].seen) {
			oldest = i
		}
	}
	return oldest
}

// newPosition returns a condition that is met when something is seen anew and notably elsewhere than at the last reaction to it.
func newPosition(name, a, what string, each func(p *positions, v *View, f *facts, remember bool)) *stateful {
	on := devices{hardware.Vision}
	memory := &positions{list: make([]spotted, 0, maxSightings)}
	s := &stateful{core: core{name: name}}
	s.step = func(v *View, f *facts, remember bool) {
		if *f = (facts{}); v.World.Vision.OK() {
			each(memory, v, f, remember)
		}
		if f.q = v.World.Vision.Quality; f.q != hardware.OK {
			f.m = 0
		}
	}
	s.test = func(f *facts) bool { return f.q == hardware.OK && f.m > 0 }
	s.say = func(f *facts) (string, Values) {
		if f.q != hardware.OK {
			return noReading(hardware.Vision, f.q)
		}
		return fmt.Sprintf("%d of %d %ss moved notably", f.m, f.n, what), Values{{"moved", int(f.m)}, {"known", int(f.n)}}
	}
	s.needs = on.need(func(_ *facts, yes bool) string {
		return yesNo(yes, "the robot must see "+a+" "+what+" that is new, or elsewhere than before", "wait for the next image")
	})
	return s
}

// objectPosition is met when an object is seen notably elsewhere.
func (r *reader) objectPosition() Condition {
	s := newPosition("ObjectPositionUpdated", "an", "object", func(p *positions, v *View, f *facts, remember bool) {
		for i := range v.World.Objects {
			if k := &v.World.Objects[i]; k.Origin == v.World.Body.Origin {
				p.look(v, &spotted{id: k.ID, kind: k.Kind, pose: k.Pose, origin: k.Origin, seen: k.SeenAt}, f, remember)
			}
		}
	})
	s.look = hardware.LookFor(hardware.SeeMarkers, hardware.Low)
	return s
}

// newFacePosition returns the condition that is met when a face is seen notably elsewhere. Where it is seen counts as its heading.
func newFacePosition() *stateful {
	s := newPosition("FacePositionUpdated", "a", "face", func(p *positions, v *View, f *facts, remember bool) {
		b := &v.World.Body
		for i := range v.World.Faces {
			k := &v.World.Faces[i]
			at := hardware.Pose{XMM: k.XMM, YMM: k.YMM, HeadingRad: hardware.WrapRad(b.Pose.HeadingRad + k.BearingRad)}
			p.look(v, &spotted{id: k.ID, pose: at, origin: b.Origin, seen: k.SeenAt}, f, remember)
		}
	})
	s.look = hardware.LookFor(hardware.SeeFaces, hardware.Low)
	return s
}

// petTimes is how often a pet must be seen.
const petTimes = 3

// petDetection is met once for each pet, when it was seen often enough.
func (r *reader) petDetection() Condition {
	on := devices{hardware.Vision}
	told := make([]int, 0, maxSightings) // the newest last
	s := &stateful{core: core{name: "PetInitialDetection"}, look: hardware.LookFor(hardware.SeePets, hardware.Low)}
	s.step = func(v *View, f *facts, remember bool) {
		*f = facts{x: float64(len(v.World.Around.Pets)), q: v.World.Vision.Quality}
		if f.q != hardware.OK {
			return
		}
		for i := range v.World.Around.Pets {
			p := &v.World.Around.Pets[i]
			if p.Times < petTimes || contains(told, p.ID) {
				continue
			}
			f.n++
			if remember {
				if len(told) == cap(told) {
					copy(told, told[1:])
					told = told[:len(told)-1]
				}
				told = append(told, p.ID)
			}
		}
	}
	s.test = func(f *facts) bool { return f.q == hardware.OK && f.n > 0 }
	s.say = on.say(func(f *facts) (string, Values) {
		return fixedCount(int(f.n), int(f.x)) + " pets are new", Values{{"new", int(f.n)}, {"pets", int(f.x)}}
	})
	s.needs = on.need(func(_ *facts, yes bool) string {
		return yesNo(yes, "the robot must see a pet that it did not see before, three times", "wait for the next question")
	})
	return s
}

func contains(list []int, id int) bool {
	for _, x := range list {
		if x == id {
			return true
		}
	}
	return false
}

// fixedCount words how many of some.
func fixedCount(n, of int) string { return fmt.Sprintf("%d of %d", n, of) }
