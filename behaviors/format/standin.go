package format

import (
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/behaviors"
)

// Class makes the class that stands in for the one of the row.
func (r *Row) Class() behaviors.Class {
	return behaviors.Class{
		Name: r.Name, Doc: r.Doc, State: r.State,
		New: func(cfg *behaviors.Config) behaviors.Behavior { return newStandIn(cfg, r) },
	}
}

// A standIn is in place of a class that has no code. Its file is read, its gates, conditions and intents are real. While it has control it
// shows its name, runs each of its delegates that wants to, in order, and never moves the robot by itself.
type standIn struct {
	row   *Row
	read  *reading
	ask   *behaviors.Candidates
	asked bool // it waits for an intent
	plain bool // its file holds no expression

	order     []string // delegates of this activation
	next      int
	ran       bool
	unclaimed uint64 // intents that nobody took, at its last activation
}

// untilMet is a standIn that ends when a condition of its file is met.
type untilMet struct{ *standIn }

func newStandIn(cfg *behaviors.Config, row *Row) behaviors.Behavior {
	s := &standIn{row: row, read: read(cfg, row)}
	s.asked = len(row.Intents) > 0 || cfg.Has("respondToUserIntents")
	s.plain = !cfg.Has("expressionWhileActivated")
	if row.Wants == Delegates {
		s.ask = behaviors.NewCandidates(s.read.delegates...)
	}
	if len(s.read.ends) > 0 {
		return &untilMet{s}
	}
	return s
}

// GentlyInterruptible implements behaviors.GentlyInterruptible: a stand-in has nothing to lose.
func (*standIn) GentlyInterruptible() {}

// Modify sets what the row says.
func (s *standIn) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	if s.row.Wants == Delegates {
		for i, id := range s.read.delegates {
			d := of(id)
			m.WhenCarryingObject = m.WhenCarryingObject || d.WhenCarryingObject
			m.WhenOffTreads = m.WhenOffTreads || d.WhenOffTreads
			m.WhenOnCharger = i > 0 && m.WhenOnCharger || d.WhenOnCharger
		}
	}
	for _, letter := range s.read.letters() {
		switch letter {
		case 'c':
			m.WhenCarryingObject = true
		case 'o':
			m.WhenOffTreads = true
		case 'n':
			m.WhenOnCharger = false
		case 'd':
			m.AlwaysDelegates = false
		}
	}
	if s.row.Cube != behaviors.CubeNone {
		m.Cube = s.row.Cube
	}
	m.EnsuresCube = m.EnsuresCube || s.row.EnsuresCube
	m.LookInScope = m.LookInScope.Or(s.row.Wants.look())
}

// WantsToBeActivated is true if what the row waits for is there.
func (s *standIn) WantsToBeActivated(c *behaviors.Control) bool {
	if s.ask != nil && c.FirstWanting(s.ask) >= 0 || s.ask == nil && s.met(c) {
		return true
	}
	if s.row.State == behaviors.Inert {
		c.Because("its class is inert on this robot")
	} else {
		c.Because("it stands in for its class, and wants control %v", s.row.Wants.String())
	}
	return false
}

// OnActivated shows the name.
func (s *standIn) OnActivated(c *behaviors.Control) {
	c.SetState("stands in")
	if s.plain {
		c.Face().Hold(standInFace)
	}
	may := c.MayDelegateTo()
	s.order = s.order[:0]
	for _, id := range s.read.delegates {
		if slices.Contains(may, id) { // a lenient load leaves out those that do not exist
			s.order = append(s.order, id)
		}
	}
	s.next, s.ran = 0, false
	if s.row.Wants == TriggerWord {
		c.TriggerWord().Clear()
	}
	s.unclaimed = c.View().Intent.Unclaimed
	s.hold(c, s.first())
}

// standInFace is what the display shows meanwhile.
const standInFace = "thinking"

// showing is how long the name is shown before the first delegate runs.
const showing = time.Second

func (s *standIn) first() time.Duration {
	if len(s.order) > 0 && (s.row.Hold > showing || s.row.Hold == Forever) {
		return showing
	}
	return s.row.Hold
}

// hold keeps control for a while.
func (s *standIn) hold(c *behaviors.Control, d time.Duration) {
	if d == Forever {
		c.Act(express.NewHang(), s.proceed)
		return
	}
	c.Act(express.NewWait(express.WaitParams{Duration: d}), s.proceed)
}

// proceed runs the next delegate that wants to, and ends after the last. If none did, it holds control for the rest of its time.
func (s *standIn) proceed(c *behaviors.Control, _ behaviors.Outcome) {
	for s.next < len(s.order) {
		id := s.order[s.next]
		s.next++
		if c.Wants(id) && c.DelegateTo(id, s.proceed) {
			s.ran = true
			c.SetState("stands in: " + strings.TrimPrefix(id, c.ID()))
			return
		}
	}
	rest := s.row.Hold - showing
	if s.row.Hold == Forever {
		rest = Forever
	}
	if len(s.order) > 0 && !s.ran && rest != 0 {
		s.ran = true
		s.hold(c, rest)
		return
	}
	c.CancelSelf()
}

// OnActivated implements behaviors.Activator.
func (u *untilMet) OnActivated(c *behaviors.Control) {
	for _, e := range u.read.ends {
		c.Vision().SetConditionActive("end", e, true)
	}
	u.standIn.OnActivated(c)
}

// Update ends the activation if a condition says so.
func (u *untilMet) Update(c *behaviors.Control) {
	if !c.Activated() {
		return
	}
	for _, e := range u.read.ends {
		if e.Met(c.View()) {
			c.CancelSelf()
			return
		}
	}
}

// OnDeactivated implements behaviors.Deactivator.
func (u *untilMet) OnDeactivated(c *behaviors.Control) {
	for _, e := range u.read.ends {
		c.Vision().SetConditionActive("end", e, false)
	}
}
