package social

import (
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A FindFaceAndThen looks for a face (at a remembered one, here, or by a search), turns to it and gives control to the behavior that deals
// with it. The direction of a voice is not known on this robot, so a start by the microphones is a start at a remembered face.
type FindFaceAndThen struct {
	params thenParams

	phase    findPhase
	began    time.Time // of looking or searching
	deadline time.Time // of the phase; zero for none
	sawBody  bool      // and got more time, in this phase
	face     int
	bad      []int     // faces that were not there when it turned to them
	misses   int       // turns to a face that failed since the activation
	lookBy   time.Time // the deadline of the first look; that of every later one, too
}

// FindFaceAndThenClass is the class FindFaceAndThen.
func FindFaceAndThenClass() behaviors.Class {
	return behaviors.Class{
		Name: "FindFaceAndThen",
		Doc:  "Looks for a face and gives control to the behavior that deals with it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			f := &FindFaceAndThen{}
			param.ReadConfig(cfg, &f.params)
			cfg.MayDelegateTo(idSearchBox)
			return f
		},
	}
}

// findPhase is what it does.
type findPhase uint8

const (
	findIdle findPhase = iota
	findLeaving
	findLooking
	findSearching
	findTurning
	findFollowing
)

var findStates = [...]string{"", "leaving the charger", "looking", "searching", "turning to the face", "following up"}

const (
	// idSearchBox looks about where a body was seen.
	idSearchBox = "SearchWithinBoundingBox"
	// recentFace is how old the sighting of a face to begin with may be.
	recentFace = 10 * time.Second
	// maxMisses is after how many turns that failed it ends: a robot that sees a face but cannot turn would try for ever.
	maxMisses = 3
)

// Modify looks for faces, and for bodies if it may.
func (f *FindFaceAndThen) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
	if f.params.Bodies {
		m.LookActive = m.LookActive.With(hardware.SeePeople, hardware.Low)
	}
	if f.params.Always {
		m.LookInScope = hardware.LookFor(hardware.SeeFaces, hardware.Low)
	}
}

// OnActivated leaves the charger if it must, turns to a face that it saw lately, or looks here.
func (f *FindFaceAndThen) OnActivated(c *behaviors.Control) {
	f.bad, f.phase, f.misses, f.lookBy = f.bad[:0], findIdle, 0, time.Time{}
	b := &c.World().Body
	switch docked := b.OnPlatform || b.OnContacts; {
	case docked && f.params.Leave && c.Wants(f.params.DriveOff):
		f.enter(c, findLeaving, 0)
		c.DelegateTo(f.params.DriveOff, f.start)
	case docked:
		f.look(c)
	default:
		f.start(c, behaviors.Outcome{})
	}
}

func (f *FindFaceAndThen) enter(c *behaviors.Control, p findPhase, limit time.Duration) {
	f.phase, f.began, f.deadline, f.sawBody = p, c.Now(), time.Time{}, false
	if limit > 0 {
		f.deadline = c.Now().Add(limit)
	}
	c.SetState(findStates[p])
}

// start turns to a face that it saw lately, or looks here.
func (f *FindFaceAndThen) start(c *behaviors.Control, _ behaviors.Outcome) {
	if id, ok := f.known(c, c.Now().Add(-recentFace)); ok {
		f.turn(c, id)
		return
	}
	f.look(c)
}

// known is the face seen last since an instant, those left out that were not there.
func (f *FindFaceAndThen) known(c *behaviors.Control, since time.Time) (id int, ok bool) {
	for i := range c.World().Faces {
		if face := &c.World().Faces[i]; face.SeenAt.After(since) && !slices.Contains(f.bad, face.ID) {
			return face.ID, true
		}
	}
	return 0, false
}

// look raises the head and waits for a face, after a turn that failed for no longer than at first.
func (f *FindFaceAndThen) look(c *behaviors.Control) {
	f.enter(c, findLooking, f.params.Look)
	if f.lookBy.IsZero() {
		f.lookBy = f.deadline
	}
	f.deadline = f.lookBy
	c.CancelDelegates()
	c.Act(gesture.Head(upRad), f.linger)
}

// linger plays the clip of looking again and again.
func (f *FindFaceAndThen) linger(c *behaviors.Control, _ behaviors.Outcome) {
	if f.phase == findLooking && f.params.Lingers != "" {
		c.Act(gesture.Trigger(c, f.params.Lingers), f.linger)
	}
}

// UpdateWhileActivated looks out for faces and bodies, and for the end of the time.
func (f *FindFaceAndThen) UpdateWhileActivated(c *behaviors.Control) {
	seeking := f.phase == findLooking || f.phase == findSearching
	if id, ok := f.sighted(c); seeking && ok {
		c.CancelDelegates()
		f.turn(c, id)
		return
	}
	if seeking && f.params.Bodies && !f.sawBody && bodySeen(c) {
		f.followBody(c)
	}
	if !f.deadline.IsZero() && !c.Now().Before(f.deadline) {
		f.late(c)
	}
}

// sighted is a face that was seen since it began to look. One that was not there before counts again if it is seen now.
func (f *FindFaceAndThen) sighted(c *behaviors.Control) (id int, ok bool) {
	for i := range c.World().Faces {
		if face := &c.World().Faces[i]; face.SeenAt.After(f.began) {
			return face.ID, true
		}
	}
	return 0, false
}

// followBody gives more time once, and looks about where a body was seen.
func (f *FindFaceAndThen) followBody(c *behaviors.Control) {
	f.sawBody = true
	if f.phase == findSearching {
		f.deadline = f.deadline.Add(f.params.MoreSearch)
		return
	}
	f.deadline = f.deadline.Add(f.params.MoreLook)
	if c.CancelAndDelegateIfWanted(idSearchBox, f.linger) {
		c.SetState("looking for the face of a body")
	}
}

// bodySeen reports whether a person is in the picture.
func bodySeen(c *behaviors.Control) bool {
	return slices.ContainsFunc(c.World().Around.Points, func(p hardware.SalientPoint) bool { return p.Kind == "Person" })
}

// late is called when the time of a phase is over.
func (f *FindFaceAndThen) late(c *behaviors.Control) {
	switch f.phase {
	case findLooking:
		if f.params.Search != "" {
			f.enter(c, findSearching, f.params.SearchTime)
			c.CancelDelegates()
			f.search(c, behaviors.Outcome{})
			return
		}
		c.SetState("nobody there")
	case findSearching:
		c.SetState("nobody found")
	case findFollowing:
		c.SetState("followed up long enough")
	}
	c.CancelSelf()
}

// search runs the search, again and again until its time is over.
func (f *FindFaceAndThen) search(c *behaviors.Control, _ behaviors.Outcome) {
	if f.phase == findSearching && c.Wants(f.params.Search) {
		c.DelegateTo(f.params.Search, f.search)
	}
}

// turn shows that it sees a face, and turns to it.
func (f *FindFaceAndThen) turn(c *behaviors.Control, id int) {
	f.enter(c, findTurning, 0)
	f.face = id
	if f.params.Sees != "" {
		c.Act(gesture.Trigger(c, f.params.Sees), f.turnNow)
		return
	}
	f.turnNow(c, behaviors.Outcome{})
}

func (f *FindFaceAndThen) turnNow(c *behaviors.Control, _ behaviors.Outcome) {
	c.Act(motion.NewTurnTowards(motion.TowardsParams{
		Target: motion.FaceTarget{ID: f.face, MaxAge: recentFace}, Verify: true, Require: true,
	}), f.turned)
}

// turned follows up. If the face is not there it looks again, a few times.
func (f *FindFaceAndThen) turned(c *behaviors.Control, o behaviors.Outcome) {
	if o.Succeeded() {
		f.followUp(c)
		return
	}
	if o.Completion.Result.Category() == actions.CategoryAbort {
		f.bad = append(f.bad, f.face)
	}
	if f.misses++; f.misses >= maxMisses {
		c.SetState("cannot turn to a face")
		c.CancelSelf()
		return
	}
	f.look(c)
}

// followUp gives control to the behavior that deals with the face, or ends.
func (f *FindFaceAndThen) followUp(c *behaviors.Control) {
	f.enter(c, findFollowing, f.params.FollowTime)
	if f.params.Behavior == "" || !f.takes(c) || !c.DelegateTo(f.params.Behavior, end) {
		c.CancelSelf()
	}
}

// takes asks the behavior with the face; one whose class deals with no face in particular is asked plainly.
func (f *FindFaceAndThen) takes(c *behaviors.Control) bool {
	if f.params.Gives && c.TakesData(f.params.Behavior) {
		return c.WantsWith(f.params.Behavior, FaceGiven{f.face})
	}
	return c.Wants(f.params.Behavior)
}

func end(c *behaviors.Control, _ behaviors.Outcome) { c.CancelSelf() }
