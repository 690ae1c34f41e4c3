package catalog

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/robotd/robotd/behaviors"
)

// A Plan lists what becomes of each behavior when one catalog takes the place of another. All lists are sorted; a behavior is in one.
type Plan struct {
	Added     []string `json:"added"`
	Changed   []string `json:"changed"`   // its definition is another one
	Restarted []string `json:"restarted"` // its definition is the same, and what it rests on is not: see Reasons
	Untouched []string `json:"untouched"` // goes on as it is, with its state
	Removed   []string `json:"removed"`
	// Reasons say for each restarted behavior what it rests on.
	Reasons map[string]string `json:"reasons"`
	// Boot, Mood and Animations say that the boot configuration, the mood data or the animations are others.
	Boot       bool `json:"boot"`
	Mood       bool `json:"mood"`
	Animations bool `json:"animations"`
	// Reactions says that the map of reactions is another one.
	Reactions bool `json:"reactions"`
	// Intents says that what a cloud or an app sends is translated in another way.
	Intents bool `json:"intents"`
}

// Empty reports whether the two catalogs are the same.
func (p *Plan) Empty() bool {
	return len(p.Added)+len(p.Changed)+len(p.Restarted)+len(p.Removed) == 0 && !p.Boot && !p.Mood && !p.Animations && !p.Reactions && !p.Intents
}

// String counts what the plan lists.
func (p *Plan) String() string {
	text := fmt.Sprintf("%d added, %d changed, %d restarted, %d untouched, %d removed", len(p.Added), len(p.Changed), len(p.Restarted), len(p.Untouched), len(p.Removed))
	if p.Boot {
		text += ", another boot configuration"
	}
	if p.Mood {
		text += ", other mood data"
	}
	if p.Animations {
		text += ", other animations"
	}
	if p.Reactions {
		text += ", another map of reactions"
	}
	if p.Intents {
		text += ", another map of intents"
	}
	return text
}

// A Change leads from one catalog to another, with an instance of each behavior that needs a fresh one: what authors' code and files
// may do wrong has happened before a tick hears of it. It is used once.
type Change struct {
	From, To *Catalog
	Plan     Plan
	ready    map[string]*behaviors.Instance
}

// Take returns the prepared instance of a behavior, once; nil if there is none.
func (c *Change) Take(id string) *behaviors.Instance {
	i := c.ready[id]
	delete(c.ready, id)
	return i
}

// Fresh lists what needs a fresh incarnation, sorted: what is added, changed or restarted.
func (p *Plan) Fresh() []string {
	return slices.Sorted(slices.Values(slices.Concat(p.Added, p.Changed, p.Restarted)))
}

// Compare plans the change from one catalog to another and prepares it. It runs constructors of behaviors; the error is the panic of one.
func Compare(from, to *Catalog) (c *Change, err error) {
	defer func() {
		if r := recover(); r != nil {
			c, err = nil, fmt.Errorf("a constructor panicked: %v", r)
		}
	}()
	return compare(from, to), nil
}

func compare(from, to *Catalog) *Change {
	c := &Change{From: from, To: to, ready: map[string]*behaviors.Instance{}}
	d := &differ{from: from, to: to, differs: map[string]string{}}
	p := &c.Plan
	p.Boot, p.Mood = !reflect.DeepEqual(from.Boot, to.Boot), !reflect.DeepEqual(from.Mood, to.Mood)
	p.Animations = !reflect.DeepEqual(from.Animations, to.Animations)
	p.Reactions, p.Intents = !reflect.DeepEqual(from.Reactions, to.Reactions), !reflect.DeepEqual(from.Intents, to.Intents)
	p.Added, p.Changed, p.Restarted, p.Untouched, p.Removed = []string{}, []string{}, []string{}, []string{}, []string{}
	p.Reasons = map[string]string{}
	d.compare(p)
	d.spread()
	for _, e := range to.Entries {
		old := from.Find(e.ID)
		if old == nil || !sameDefinition(old, e) {
			continue
		}
		if why := d.differs[e.ID]; why != "" {
			p.Restarted = append(p.Restarted, e.ID)
			p.Reasons[e.ID] = why
		} else {
			p.Untouched = append(p.Untouched, e.ID)
		}
	}
	for _, id := range p.Fresh() {
		e := to.Find(id)
		if c.ready[id] = e.First(); c.ready[id] == nil {
			c.ready[id] = e.New()
		}
	}
	return c
}

// sameDefinition reports whether two entries say the same, but for blanks and comments.
func sameDefinition(a, b *Entry) bool {
	return a == b || a.Class.Name == b.Class.Name && a.Class.State == b.Class.State && a.Owner == b.Owner && (a.json == b.json || string(a.JSON()) == string(b.JSON()))
}

// A differ finds the behaviors of one catalog that mean something else in another although they say the same.
type differ struct {
	from, to *Catalog
	links    bool              // some links differ
	differs  map[string]string // of behaviors in both catalogs: what of it differs
	pairs    map[string]*pair
}

// compare fills in what the definitions alone say.
func (d *differ) compare(p *Plan) {
	for _, e := range d.to.Entries {
		switch old := d.from.Find(e.ID); {
		case old == nil:
			p.Added = append(p.Added, e.ID)
		case !sameDefinition(old, e):
			p.Changed = append(p.Changed, e.ID)
			d.differs[e.ID] = "its definition"
			d.links = d.links || !slices.Equal(old.Links, e.Links)
		case p.Reactions && e.Class.Reacts != nil:
			d.differs[e.ID] = "the map of reactions"
			d.links = true
		}
	}
	for _, e := range d.from.Entries {
		if d.to.Find(e.ID) == nil {
			p.Removed = append(p.Removed, e.ID)
		}
	}
}

// spread marks behaviors that say the same but rest on one that changed: code of theirs computes modifiers from those of their delegates
// (P-3), and their layer holds what is linked to their delegates (L-20). It goes on until nothing is added.
func (d *differ) spread() {
	if d.links {
		d.spreadLinks()
	}
	users := d.users()
	var queue []string
	for id := range d.differs {
		queue = append(queue, id)
	}
	slices.Sort(queue)
	d.pairs = map[string]*pair{}
	for ; len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		if p := d.pair(id); p.old.Code == p.now.Code {
			continue // nobody else can tell
		}
		for _, user := range users[id] {
			if d.differs[user] == "" && d.pair(user).differs() {
				d.differs[user] = "the modifiers of its delegate " + id
				queue = append(queue, user)
			}
		}
	}
}

// users lists for each behavior those which list it as a delegate.
func (d *differ) users() map[string][]string {
	users := map[string][]string{}
	for _, e := range d.to.Entries {
		for _, id := range e.Delegates {
			users[id] = append(users[id], e.ID)
		}
	}
	return users
}

// spreadLinks marks behaviors whose delegates bring others into scope than before.
func (d *differ) spreadLinks() {
	for _, e := range d.to.Entries {
		old := d.from.Find(e.ID)
		if old == nil || d.differs[e.ID] != "" {
			continue
		}
		self := []string{e.ID} // as the root's delegate, if it is the base
		if !slices.Equal(closure(d.from, self), closure(d.to, self)) || !slices.Equal(closure(d.from, old.Delegates), closure(d.to, e.Delegates)) {
			d.differs[e.ID] = "what is linked to its delegates"
		}
	}
}

// closure lists what is linked to behaviors of a layer, and to those in turn (L-20).
func closure(c *Catalog, of []string) (ids []string) {
	seen := map[string]bool{}
	todo := slices.Clone(of)
	for ; len(todo) > 0; todo = todo[1:] {
		for _, id := range c.Find(todo[0]).Links {
			if !seen[id] {
				seen[id] = true
				ids, todo = append(ids, id), append(todo, id)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// A pair is what one behavior says of itself in both catalogs.
type pair struct{ old, now behaviors.Computed }

func (p *pair) differs() bool { return p.old != p.now }

// pair computes the modifiers of a behavior in both catalogs, once.
func (d *differ) pair(id string) *pair {
	if p := d.pairs[id]; p != nil {
		return p
	}
	p := &pair{computed(d.from, id, map[string]*behaviors.Computed{}), computed(d.to, id, map[string]*behaviors.Computed{})}
	d.pairs[id] = p
	return p
}

// computed are the modifiers of a behavior as its definition and its class alone say. One that is reached from itself says nothing.
func computed(c *Catalog, id string, done map[string]*behaviors.Computed) (m behaviors.Computed) {
	e := c.Find(id)
	if e == nil {
		return behaviors.Computed{Code: behaviors.DefaultModifiers()}
	}
	if m := done[id]; m != nil {
		return *m
	}
	none := behaviors.Computed{Code: behaviors.DefaultModifiers()}
	done[id] = &none
	defer func() {
		if recover() != nil {
			m = none // what fails says nothing, as in a life
		}
		done[id] = &m
	}()
	return e.look().Compute(func(id string) behaviors.Modifiers { return computed(c, id, done).Code })
}
