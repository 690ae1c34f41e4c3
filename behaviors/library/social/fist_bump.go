package social

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// How a fist bump is offered.
const (
	timerFistBump = "FistBump"
	fistMM        = 76.0 // the lift is stretched out
	fistLowMM     = 56.0 // where it dips to when it asks once more
	fistWait      = 3 * time.Second
	fistAsks      = 2 // offers after which it gives up
	// fistPushMM is how far a hand moves the lift. It is more than a joint in position may be off.
	fistPushMM = motion.LiftTolMM + 1
	// fistSettle is how long the robot itself still shakes after its lift stands.
	fistSettle  = 300 * time.Millisecond
	fistFaceAge = 3 * time.Second
	fistHeadRad = 20 * math.Pi / 180
	fistTurnRad = 40 * math.Pi / 180
	fistLook    = 600 * time.Millisecond
	fistWinClip = "celebrate"
	fistSadClip = "sad_no_face"
)

// A FistBump offers its lift like a fist to the person that it sees. Who pokes the robot, pushes the lift or shoves the body makes the bump; it is
// glad of it, and sad if nobody bumps within two offers of three seconds.
type FistBump struct {
	params  fistBumpParams
	began   time.Time // looks for a face since
	offered time.Time // the lift waits since; zero: it does not
	restMM  float64   // height of the lift then
	offers  int
}

type fistBumpParams struct {
	Look  time.Duration `key:"maxTimeToLookForFace_s" default:"10" why:"files of other robots leave it out" doc:"how long it looks for a person"`
	Abort bool          `key:"abortIfNoFaceFound" default:"false" why:"a bump needs no face" doc:"without a person it ends; else it offers its lift where it stands"`
	Stamp bool          `key:"updateLastCompletionTime" default:"false" why:"only files that ask the timer need it" doc:"its end restarts the timer FistBump"`
}

// FistBumpClass is the class FistBump.
func FistBumpClass() behaviors.Class {
	return behaviors.Class{
		Name: "FistBump",
		Doc:  "Offers its lift for a fist bump.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			f := &FistBump{}
			param.ReadConfig(cfg, &f.params)
			return f
		},
	}
}

// Modify keeps it off the charger. What it carries it puts down first.
func (*FistBump) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOnCharger, m.AlwaysDelegates = true, false, false
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
}

// WantsToBeActivated is true while the lift works.
func (*FistBump) WantsToBeActivated(c *behaviors.Control) bool {
	if c.World().Body.CanLift {
		return true
	}
	c.Because("the lift does not answer")
	return false
}

// OnActivated looks for a person.
func (f *FistBump) OnActivated(c *behaviors.Control) {
	f.began, f.offered, f.offers = c.Now(), time.Time{}, 0
	gesture.PutDownFirst(c, func(c *behaviors.Control) {
		c.SetState("looking for a person")
		c.Act(gesture.InTurn("LookUp", gesture.Head(fistHeadRad), gesture.Wait(fistLook)), f.look)
	})
}

// look turns to the person it sees, or turns on until the time is over.
func (f *FistBump) look(c *behaviors.Control, _ behaviors.Outcome) {
	face, ok := c.World().Face(fistFaceAge)
	switch {
	case ok:
		c.SetState("turning to the person")
		c.Act(turnTo(face.ID, fistFaceAge), f.offer)
	case c.Now().Sub(f.began) < f.params.Look:
		c.Act(gesture.InTurn("SearchTurn", gesture.Turn(fistTurnRad), gesture.Wait(fistLook)), f.look)
	case f.params.Abort:
		c.SetState("nobody there")
		c.CancelSelf()
	default:
		f.offer(c, behaviors.Outcome{})
	}
}

// offer stretches the lift out; once more with a dip.
func (f *FistBump) offer(c *behaviors.Control, _ behaviors.Outcome) {
	f.offers++
	c.SetState("offering a bump")
	up := motion.NewMoveLift(motion.LiftParams{HeightMM: fistMM})
	if f.offers > 1 {
		c.Act(gesture.InTurn("Ask", motion.NewMoveLift(motion.LiftParams{HeightMM: fistLowMM}), up), f.wait)
		return
	}
	c.Act(gesture.InTurn("Offer", gesture.Head(fistHeadRad), up), f.wait)
}

// wait holds the lift still; Update feels the bump.
func (f *FistBump) wait(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("waiting for the bump")
	f.offered, f.restMM = c.Now(), c.World().Servos.Value.LiftMM
	c.Act(gesture.Wait(fistWait), f.waited)
}

// waited asks once more, or gives up.
func (f *FistBump) waited(c *behaviors.Control, o behaviors.Outcome) {
	f.offered = time.Time{}
	if f.offers < fistAsks {
		f.offer(c, o)
		return
	}
	c.SetState("left hanging")
	c.Act(gesture.InTurn("LeftHanging", motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMinMM}), gesture.PlayStill(fistSadClip)), f.done)
}

// UpdateWhileActivated feels whether somebody bumps.
func (f *FistBump) UpdateWhileActivated(c *behaviors.Control) {
	if f.offered.IsZero() || !f.bumped(c) {
		return
	}
	f.offered = time.Time{}
	c.CancelDelegates()
	c.SetState("bumped")
	c.Act(gesture.InTurn("Bumped", gesture.PlayStill(fistWinClip), motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMinMM})), f.done)
}

// bumped reports a poke, a push at the lift, or one at the body.
func (f *FistBump) bumped(c *behaviors.Control) bool {
	b, s := &c.World().Body, c.World().Servos
	if b.PokedAt.After(f.offered) {
		return true
	}
	if c.Now().Sub(f.offered) < fistSettle {
		f.restMM = s.Value.LiftMM
		return false
	}
	return b.Moved || s.OK() && math.Abs(s.Value.LiftMM-f.restMM) > fistPushMM
}

// done stamps the end.
func (f *FistBump) done(c *behaviors.Control, _ behaviors.Outcome) {
	if f.params.Stamp {
		c.ResetTimer(timerFistBump)
	}
	c.CancelSelf()
}
