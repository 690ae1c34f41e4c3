package coordinate

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/param"
)

// A QuietModeCoordinator keeps the robot quiet for a time: it puts down what it carries, mutes the speaker, holds the excitement where it is,
// and lets only its own behaviors run. A running one is never preempted. It ends early when somebody speaks to the robot or shakes it.
type QuietModeCoordinator struct {
	params quietParams
	list   *behaviors.Candidates
	wake   *behaviors.Candidates // the behaviors of the trigger word
	muted  bool
	saving bool
}

type quietParams struct {
	Active    time.Duration `key:"activeTime_s" range:"1..86400" doc:"how long it is quiet"`
	PowerSave time.Duration `key:"timeToPowerSave_s" range:"0..86400" doc:"after which time it saves power, too"`
	Behaviors []quietEntry  `key:"behaviors" length:"1..64" doc:"what it may do meanwhile; the first one that wants control gets it"`
}

type quietEntry struct {
	ID    string `key:"behavior" ref:"behavior" delegate:"true" doc:"a behavior"`
	Audio bool   `key:"audioAllowed" doc:"it may be heard"`
}

// Keys of what it holds.
const quietKey = "quiet"

// QuietModeCoordinatorClass is the class QuietModeCoordinator.
func QuietModeCoordinatorClass() behaviors.Class {
	return behaviors.Class{
		Name: "QuietModeCoordinator",
		Doc:  "Keeps the robot quiet for a time and lets only its own behaviors run.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			q := &QuietModeCoordinator{}
			param.ReadConfig(cfg, &q.params)
			ids := make([]string, len(q.params.Behaviors))
			for i, e := range q.params.Behaviors {
				ids[i] = e.ID
			}
			q.list = behaviors.NewCandidates(ids...)
			return q
		},
	}
}

// Init finds the behaviors that answer the trigger word.
func (q *QuietModeCoordinator) Init(c *behaviors.Control) {
	q.wake = behaviors.NewCandidates(c.Instances(classWake)...)
}

// Modify lets it run anywhere, and stay without a delegate.
func (*QuietModeCoordinator) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger, m.AlwaysDelegates = true, true, true, false
}

// WantsToBeActivated is true unless the robot is listening.
func (q *QuietModeCoordinator) WantsToBeActivated(c *behaviors.Control) bool {
	if !c.AnyActivated(q.wake) {
		return true
	}
	c.Because("the trigger word is being answered")
	return false
}

// OnActivated becomes quiet.
func (q *QuietModeCoordinator) OnActivated(c *behaviors.Control) {
	q.muted, q.saving = false, false
	q.mute(c, true)
	c.Emotions().Fix(quietKey, condition.Stimulated, c.View().Mood[condition.Stimulated])
	if c.World().Body.Carrying {
		c.SetState("putting down")
		c.Act(motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMinMM}), nil)
	}
}

// OnDeactivated tells the behaviors below that nothing needs to follow.
func (q *QuietModeCoordinator) OnDeactivated(c *behaviors.Control) { c.Suggest("Nothing") }

// UpdateWhileActivated ends the quiet, or starts the first behavior that wants control while none runs.
func (q *QuietModeCoordinator) UpdateWhileActivated(c *behaviors.Control) {
	if why := q.over(c); why != "" {
		c.SetState(why)
		c.CancelSelf()
		return
	}
	if !q.saving && c.ActivatedFor() >= q.params.PowerSave {
		q.saving = true
		c.Power().Save()
	}
	if c.IsControlDelegated() {
		return
	}
	i := c.FirstWanting(q.list)
	if i < 0 {
		q.mute(c, true)
		c.SetState("quiet")
		return
	}
	q.mute(c, !q.params.Behaviors[i].Audio)
	c.SetState(q.list.IDs[i])
	c.DelegateTo(q.list.IDs[i], nil)
}

// over is why the quiet ends now; empty if it goes on.
func (q *QuietModeCoordinator) over(c *behaviors.Control) string {
	switch p := c.View().Intent.Pending; {
	case c.ActivatedFor()*c.View().Faster() >= q.params.Active:
		return "the time is over"
	case p != nil && p.Tag != "unmatched_intent":
		return "spoken to"
	case c.World().Body.Shaken:
		return "shaken"
	}
	return ""
}

// mute keeps animations and commands off the speaker, or lets them.
func (q *QuietModeCoordinator) mute(c *behaviors.Control, on bool) {
	switch {
	case on == q.muted:
	case on:
		c.Tracks().Lock(quietKey, actions.Audio)
	default:
		c.Tracks().Unlock(quietKey)
	}
	q.muted = on
}
