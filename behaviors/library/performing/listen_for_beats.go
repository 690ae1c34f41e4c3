package performing

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// A ListenForBeats listens until it is sure of the beat of music, or has listened long enough.
type ListenForBeats struct {
	params  beatParams
	began   time.Time // to listen
	heard   bool      // a beat, sure or not
	settled bool      // the result is shown
}

type beatParams struct {
	Before  string        `key:"preListeningAnim" ref:"trigger" doc:"animation before it listens"`
	During  string        `key:"listeningAnim" ref:"trigger" doc:"animation that is repeated while it listens"`
	After   string        `key:"postListeningAnim" ref:"trigger" doc:"animation when it is sure of a beat"`
	Nothing string        `key:"noBeatAnim" ref:"trigger" doc:"animation when there was no beat"`
	Least   time.Duration `key:"minListeningTime_sec" range:"0..600" unit:"s" doc:"it listens at least so long"`
	Most    time.Duration `key:"maxListeningTime_sec" range:"0..600" unit:"s" doc:"it listens at most so long"`
	Leave   bool          `key:"cancelSelfIfBeatLost" doc:"end at once when a beat that was heard is heard no more"`
}

// Check wants the limits in order.
func (p *beatParams) Check(o *resources.Object, _ *behaviors.Config) {
	if p.Most < p.Least {
		o.KeyErrorf("maxListeningTime_sec", "key-conflict", "is less than minListeningTime_sec")
	}
}

// ListenForBeatsClass is the class ListenForBeats.
func ListenForBeatsClass() behaviors.Class {
	return behaviors.Class{
		Name: "ListenForBeats",
		Doc:  "Listens for the beat of music.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			l := &ListenForBeats{}
			param.ReadConfig(cfg, &l.params)
			return l
		},
	}
}

// OnActivated begins.
func (l *ListenForBeats) OnActivated(c *behaviors.Control) {
	l.heard, l.settled = false, false
	c.SetState("getting ready")
	c.Act(gesture.Trigger(c, l.params.Before), func(c *behaviors.Control, _ behaviors.Outcome) {
		l.began = c.Now()
		l.listen(c, behaviors.Outcome{})
	})
	l.began = time.Time{}
}

// listen repeats the animation; Update ends it.
func (l *ListenForBeats) listen(c *behaviors.Control, _ behaviors.Outcome) {
	if !l.settled {
		c.SetState("listening")
		c.Act(gesture.Trigger(c, l.params.During), l.listen)
	}
}

// UpdateWhileActivated decides when it has heard enough.
func (l *ListenForBeats) UpdateWhileActivated(c *behaviors.Control) {
	if l.settled || l.began.IsZero() {
		return
	}
	beat, listened := c.World().Around.Beat, c.Now().Sub(l.began)
	lost := l.heard && beat == hardware.NoBeat
	l.heard = l.heard || beat != hardware.NoBeat
	switch {
	case lost && l.params.Leave:
		c.SetState("the beat is lost")
		c.CancelSelf()
	case listened >= l.params.Least && beat == hardware.SteadyBeat:
		l.settle(c, "a beat", gesture.Trigger(c, l.params.After))
	case listened >= l.params.Most:
		l.settle(c, "no beat", gesture.Trigger(c, l.params.Nothing))
	}
}

// settle shows the result, and ends with it.
func (l *ListenForBeats) settle(c *behaviors.Control, what string, a actions.Action) {
	l.settled = true
	c.SetState(what)
	c.CancelAndAct(a, nil)
}
