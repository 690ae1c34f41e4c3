package condition

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// maxNews is the age from which the newest image counts as old. Images come several times a second; an older one
	// means that the camera rests, and an object in it was not seen "this tick".
	maxNews = 500 * time.Millisecond

	// maxSightings bounds the objects that one condition remembers. The robot knows a charger and a few cubes;
	// beyond the limit the longest unseen one is forgotten.
	maxSightings = 64
)

// thisTick is the maxAge that means "seen in this tick".
const thisTick = time.Duration(0)

// objectKnown is met while an object of one of the kinds has a known place: seen since the robot last lost its own place, seen within
// maxAge, or, with maxAge thisTick, once for each new sighting.
type objectKnown struct {
	core
	kinds  []string
	maxAge time.Duration // noLimit = any
	once   bool          // with thisTick: only the first sighting of each object

	seen  []sighting
	facts facts // of the newest evaluation
}

// A sighting is what a condition remembers of an object.
type sighting struct {
	id       int
	at       time.Time
	reported bool
}

func objectKinds() []string { return []string{hardware.KindCharger, hardware.KindCube} }

func (r *reader) objectKnown() Condition {
	list := r.objectTypes()
	age := noLimit
	if r.Has("maxAge_ms") {
		age = time.Duration(r.countOr("maxAge_ms", 0, 0, maxCount)) * time.Millisecond
	}
	return newObjectKnown("ObjectKnown", list, age, false)
}

func (r *reader) initialDetection() Condition {
	list, once := r.objectTypes(), r.flag("firstTimeOnly")
	r.Refuses("maxAge_ms", nil)
	if r.Has("maxAge_ms") {
		r.fail("maxAge_ms", "an initial detection is always of this tick: remove the key")
	}
	return newObjectKnown("ObjectInitialDetection", list, thisTick, once)
}

func newObjectKnown(name string, list []string, age time.Duration, once bool) *objectKnown {
	name += "(" + strings.Join(list, ", ") + ")"
	return &objectKnown{core: core{name: name}, kinds: list, maxAge: age, once: once}
}

// SetActive implements [Condition]. Every call forgets the sightings.
func (o *objectKnown) SetActive(v *View, active bool) {
	o.core.SetActive(v, active)
	o.seen = o.seen[:0]
}

// Met implements [Condition]. It looks at every object, so that each new sighting is remembered.
func (o *objectKnown) Met(v *View) bool {
	o.check()
	o.look(v, &o.facts, true)
	return o.answer(v, o.facts.m > 0)
}

// look takes the quality of the reading if it counts, the number of objects that count, how many of them meet the condition, and the age
// of the newest sighting.
func (o *objectKnown) look(v *View, f *facts, remember bool) {
	*f = facts{q: hardware.OK}
	if o.maxAge == thisTick {
		f.q = v.World.Vision.Quality
	}
	var newest time.Time
	for i := range v.World.Objects {
		k := &v.World.Objects[i]
		if !o.counts(v, k) {
			continue
		}
		f.n++
		if f.n == 1 || k.SeenAt.After(newest) {
			newest = k.SeenAt
		}
		hit := o.hit(v, k)
		if hit {
			f.m++
		}
		if remember && o.maxAge == thisTick {
			o.remember(k, hit)
		}
	}
	if f.n > 0 {
		f.d = v.Now.Sub(newest)
	}
}

// counts reports whether the object is of a wanted kind and located. New sightings need a working camera.
func (o *objectKnown) counts(v *View, k *hardware.KnownObject) bool {
	return k.Origin == v.World.Body.Origin && slices.Contains(o.kinds, k.Kind) &&
		(o.maxAge != thisTick || v.World.Vision.OK())
}

// hit reports whether one object meets the condition.
func (o *objectKnown) hit(v *View, k *hardware.KnownObject) bool {
	switch o.maxAge {
	case noLimit:
		return true
	case thisTick:
		i := o.find(k.ID)
		if i < 0 {
			return current(v, k.SeenAt)
		}
		return k.SeenAt.After(o.seen[i].at) && !(o.once && o.seen[i].reported)
	default:
		return v.Now.Sub(k.SeenAt) <= o.maxAge
	}
}

// current reports whether the newest image shows an object, and is no older than maxNews.
func current(v *View, seen time.Time) bool {
	return !seen.Before(v.World.Vision.Value.CapturedAt) && v.Now.Sub(seen) <= maxNews
}

func (o *objectKnown) find(id int) int {
	for i := range o.seen {
		if o.seen[i].id == id {
			return i
		}
	}
	return -1
}

// remember records the newest sighting of an object and whether the condition was met by it.
func (o *objectKnown) remember(k *hardware.KnownObject, hit bool) {
	i := o.find(k.ID)
	switch {
	case i >= 0:
		o.seen[i].at = k.SeenAt
		o.seen[i].reported = o.seen[i].reported || hit
		return
	case len(o.seen) < maxSightings:
		o.seen = append(o.seen, sighting{})
		i = len(o.seen) - 1
	default:
		i = 0
		for j := range o.seen {
			if o.seen[j].at.Before(o.seen[i].at) {
				i = j
			}
		}
	}
	o.seen[i] = sighting{id: k.ID, at: k.SeenAt, reported: hit}
}

// ahead has no answer when an evaluation might forget a sighting on its way.
func (o *objectKnown) ahead(v *View) (met, ok bool) {
	if o.closed() || o.maxAge == thisTick && len(o.seen)+len(v.World.Objects) > maxSightings {
		return false, false
	}
	var f facts
	o.look(v, &f, false)
	return f.m > 0, true
}

func (o *objectKnown) note(n *Note) { n.facts = o.facts }

func (o *objectKnown) need(n *Note, want bool) string {
	what := "a " + strings.Join(o.kinds, " or ")
	switch {
	case n.facts.q != hardware.OK:
		return needReading(hardware.Vision, n.facts.q)
	case !want:
		return "no " + strings.Join(o.kinds, " or ") + " must be known"
	case o.once && o.maxAge == thisTick:
		return "the robot must see " + what + " for the first time"
	case o.maxAge == thisTick:
		return "the robot must see " + what + " anew"
	case o.maxAge == noLimit:
		return "the robot must see " + what
	}
	return "the robot must see " + what + " (the newest sighting counts for " + short(o.maxAge) + ")"
}

func (o *objectKnown) tell(f *Finding, n *Note) {
	if n.facts.q != hardware.OK {
		f.Text, f.Values = noReading(hardware.Vision, n.facts.q)
		return
	}
	f.Values = Values{{"located", int(n.facts.n)}, {"pass", int(n.facts.m)}}
	if n.facts.n == 0 {
		f.Text = "none located"
	} else {
		f.Text = fmt.Sprintf("%d located, newest seen %s ago", n.facts.n, Elapsed(n.facts.d))
		f.Values = f.Values.elapsed("newest_s", n.facts.d)
	}
	f.Values = f.Values.seconds("max_age_s", o.maxAge)
}
