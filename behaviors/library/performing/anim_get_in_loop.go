package performing

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// An AnimGetInLoop plays an animation to begin, one again and again until a condition is met, and one to end.
type AnimGetInLoop struct {
	params   loopParams
	phase    loopPhase
	ending   bool      // the condition was met
	nextLoop time.Time // not before
}

type loopParams struct {
	GetIn     string              `key:"getIn" ref:"trigger" doc:"animation at the beginning"`
	Loop      string              `key:"loopAnimation" ref:"trigger" doc:"animation that is repeated"`
	GetOut    string              `key:"getOut" ref:"trigger" doc:"animation at the end"`
	Emergency string              `key:"emergencyGetOut" ref:"trigger" default:"" why:"most animations may be cut short" doc:"animation that plays when the behavior is interrupted before its end"`
	End       condition.Condition `key:"loopEndCondition" default:"none" why:"some loops end only when they are interrupted" doc:"the loop ends once this was met"`
	During    bool                `key:"shouldCheckEndCondDuringAnim" default:"true" why:"a condition may be met for a moment only" doc:"look at the condition while an animation plays, too"`
	Interval  time.Duration       `key:"loopInterval_s" default:"0" why:"a loop has no pauses" doc:"least time from the start of one repetition to that of the next"`
	Force     bool                `key:"shouldForceLoopGetOutAnim" default:"false" why:"no reader of the format acts on it" doc:"accepted and without effect"`
	Still     bool                `key:"lockTreads" default:"false" why:"an animation plays whole" doc:"the animations do not move the body"`
}

type loopPhase uint8

const (
	loopGetIn loopPhase = iota
	looping
	loopGetOut
)

// AnimGetInLoopClass is the class AnimGetInLoop.
func AnimGetInLoopClass() behaviors.Class {
	return behaviors.Class{
		Name: "AnimGetInLoop",
		Doc:  "Plays an animation to begin, one again and again, and one to end.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			a := &AnimGetInLoop{}
			param.ReadConfig(cfg, &a.params)
			return a
		},
	}
}

// Modify lets it play off treads, and pause between two animations.
func (*AnimGetInLoop) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.AlwaysDelegates = true, false
}

// OnActivated begins.
func (a *AnimGetInLoop) OnActivated(c *behaviors.Control) {
	a.phase, a.ending, a.nextLoop = loopGetIn, false, time.Time{}
	if a.params.End != nil {
		c.Vision().SetConditionActive("end", a.params.End, true)
	}
	c.SetState("getting in")
	c.Act(a.animation(c, a.params.GetIn), nil)
}

// UpdateWhileActivated repeats the loop until its end.
func (a *AnimGetInLoop) UpdateWhileActivated(c *behaviors.Control) {
	if a.params.During {
		a.look(c)
	}
	switch {
	case c.IsControlDelegated():
		return
	case a.phase == loopGetOut:
		c.CancelSelf()
		return
	}
	a.look(c)
	switch {
	case a.ending:
		a.phase = loopGetOut
		c.SetState("getting out")
		c.Act(a.animation(c, a.params.GetOut), nil)
	case !c.Now().Before(a.nextLoop):
		a.phase, a.nextLoop = looping, c.Now().Add(a.params.Interval)
		c.SetState("looping")
		c.Act(a.animation(c, a.params.Loop), nil)
	}
}

// look notes whether the condition was met.
func (a *AnimGetInLoop) look(c *behaviors.Control) {
	a.ending = a.ending || a.params.End != nil && a.params.End.Met(c.View())
}

// OnDeactivated plays the emergency get-out if the animations were cut short.
func (a *AnimGetInLoop) OnDeactivated(c *behaviors.Control) {
	if a.params.End != nil {
		c.Vision().SetConditionActive("end", a.params.End, false)
	}
	if a.phase != loopGetOut && a.params.Emergency != "" {
		c.PlayEmergencyGetOut(a.animation(c, a.params.Emergency))
	}
}

func (a *AnimGetInLoop) animation(c *behaviors.Control, trigger string) actions.Action {
	return gesture.TriggerWith(c, trigger, still(a.params.Still))
}

// still keeps the animation from moving the body.
func still(on bool) (p express.AnimParams) {
	if on {
		p.TracksToLock = actions.Body
	}
	return p
}
