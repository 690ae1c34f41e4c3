package performing

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// A DanceToTheBeat dances to music: each of its animations begins on a beat.
//
// A session of the dance lasts a number of beats. It is filled with phrases, each drawn among those of the session; a phrase is a list of
// moves, and a move is an animation that has a number of beats. The end of the session cuts the last phrase short.
type DanceToTheBeat struct {
	params  dancerParams
	session int           // danced now
	left    int           // beats of it
	moves   []danceMove   // of the phrase that are not danced yet
	next    time.Time     // the beat on which the next move begins
	period  time.Duration // between two beats
	over    bool          // the dance; the get-out is left
}

type dancerParams struct {
	Lights   bool           `key:"useBackpackLights" doc:"the back lights pulse with the beat"`
	Pulse    string         `key:"backpackAnim" ref:"trigger" doc:"animation whose back lights begin on each beat, if they are used"`
	Hold     string         `key:"eyeHoldAnim" ref:"trigger" doc:"animation while it waits for a beat"`
	GetOut   string         `key:"getOutAnim" ref:"trigger" doc:"animation at the end"`
	Sessions []danceSession `key:"danceSessions" length:"1..100" doc:"danced one after the other"`
}

type danceSession struct {
	Beats    param.Counts  `key:"minBeats,maxBeats" range:"1..10000" doc:"limits of its length, in beats"`
	Multiple int           `key:"multipleOf" range:"1..10000" default:"1" why:"any number of beats will do" doc:"its length is a multiple of this number of beats"`
	Listens  bool          `key:"canListenForBeats" default:"false" why:"its own noise may hide the music" doc:"it keeps to the beat that it hears, and ends when it hears none; else it keeps the tempo that it began with"`
	Settles  bool          `key:"playGetoutIfInterrupted" default:"false" why:"most dances stop with the music" doc:"play getOutAnim too if the beat is lost in this session"`
	Phrases  []dancePhrase `key:"phrases" length:"1..100" doc:"each time one of them, chosen at random"`
}

type dancePhrase struct {
	Moves []danceMove `key:"moves" length:"1..100" doc:"danced in this order"`
}

type danceMove struct {
	Trigger string `key:"animTrigger" ref:"trigger" doc:"animation, which begins on a beat"`
	Beats   int    `key:"beats" range:"1..64" doc:"beats until the next move, which cuts a longer animation short"`
}

// Check wants a length that the session can have.
func (s *danceSession) Check(o *resources.Object, _ *behaviors.Config) {
	if s.Multiple > 0 && s.Beats.Min <= s.Beats.Max && s.lengths().Max < s.lengths().Min {
		o.KeyErrorf("multipleOf", "key-conflict", "has no multiple from minBeats to maxBeats: want at most %d", s.Beats.Max)
	}
}

// lengths are those of the session, in multiples.
func (s *danceSession) lengths() param.Counts {
	return param.Counts{Min: (s.Beats.Min + s.Multiple - 1) / s.Multiple, Max: s.Beats.Max / s.Multiple}
}

// DanceToTheBeatClass is the class DanceToTheBeat.
func DanceToTheBeatClass() behaviors.Class {
	return behaviors.Class{
		Name: "DanceToTheBeat",
		Doc:  "Dances to the beat of music.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &DanceToTheBeat{}
			param.ReadConfig(cfg, &d.params)
			return d
		},
	}
}

// Modify lets it wait for a beat without a delegate.
func (*DanceToTheBeat) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// WantsToBeActivated is true while it hears a beat that is sure and has a tempo.
func (d *DanceToTheBeat) WantsToBeActivated(c *behaviors.Control) bool {
	switch music := &c.World().Around.Music; {
	case music.Beat != hardware.SteadyBeat:
		c.Because("the beat is %s", music.Beat.String())
	case music.Period() == 0:
		c.Because("the beat is sure, and its tempo is not known")
	default:
		return true
	}
	return false
}

// OnActivated waits for the first beat.
func (d *DanceToTheBeat) OnActivated(c *behaviors.Control) {
	music := &c.World().Around.Music
	d.over, d.session, d.period = false, 0, music.Period()
	if d.period == 0 {
		d.end(c, "no beat", false)
		return
	}
	d.next = music.BeatAt.Add((c.Now().Sub(music.BeatAt)/d.period + 1) * d.period)
	d.draw(c)
	c.SetState("waiting for the beat")
	d.hold(c, behaviors.Outcome{})
}

// draw begins the session: it decides how long it is.
func (d *DanceToTheBeat) draw(c *behaviors.Control) {
	s := &d.params.Sessions[d.session]
	d.left, d.moves = s.lengths().Draw(c)*s.Multiple, nil
}

// hold keeps the eyes until the next move.
func (d *DanceToTheBeat) hold(c *behaviors.Control, _ behaviors.Outcome) {
	if !d.over {
		c.Act(gesture.Trigger(c, d.params.Hold), d.hold)
	}
}

// UpdateWhileActivated begins each move on its beat.
func (d *DanceToTheBeat) UpdateWhileActivated(c *behaviors.Control) {
	switch {
	case d.over && c.IsControlDelegated():
	case d.over:
		c.CancelSelf()
	case d.lost(c):
		d.end(c, "the beat is lost", d.params.Sessions[d.session].Settles)
	case c.Now().Before(d.next):
	case d.left > 0:
		d.move(c)
	case d.session+1 < len(d.params.Sessions):
		d.session++
		d.draw(c)
		d.move(c)
	default:
		d.end(c, "danced", true)
	}
}

// lost reports whether there is no beat any more. In a session in which it does not listen it finds that out at the end.
func (d *DanceToTheBeat) lost(c *behaviors.Control) bool {
	listens := d.params.Sessions[d.session].Listens || d.left == 0 && !c.Now().Before(d.next) && d.session+1 < len(d.params.Sessions)
	return listens && c.World().Around.Beat == hardware.NoBeat
}

// move begins the next move.
func (d *DanceToTheBeat) move(c *behaviors.Control) {
	s := &d.params.Sessions[d.session]
	if len(d.moves) == 0 {
		d.moves = s.Phrases[c.Rand().IntN(len(s.Phrases))].Moves
	}
	m := d.moves[0]
	m.Beats = min(m.Beats, d.left)
	d.moves, d.left = d.moves[1:], d.left-m.Beats
	if s.Listens {
		d.follow(&c.World().Around.Music)
	}
	d.next = d.next.Add(time.Duration(m.Beats) * d.period)
	c.SetState("dancing " + m.Trigger)
	c.CancelAndAct(d.action(c, m), d.hold)
}

// follow takes over the tempo that is heard, and counts from the nearest beat of the music.
func (d *DanceToTheBeat) follow(music *hardware.Music) {
	p := music.Period()
	if p == 0 {
		return
	}
	d.period = p
	off := d.next.Sub(music.BeatAt) % p
	switch {
	case off > p/2:
		off -= p
	case off < -p/2:
		off += p
	}
	d.next = d.next.Add(-off)
}

// action is the animation of a move, with a pulse of the back lights on each of its beats.
func (d *DanceToTheBeat) action(c *behaviors.Control, m danceMove) actions.Action {
	if !d.params.Lights {
		return gesture.Trigger(c, m.Trigger)
	}
	parts := []actions.Action{gesture.TriggerWith(c, m.Trigger, express.AnimParams{TracksToLock: actions.Backpack})}
	for beat := range m.Beats {
		pulse := gesture.TriggerWith(c, d.params.Pulse, express.AnimParams{TracksToLock: actions.All &^ actions.Backpack})
		if beat == 0 {
			parts = append(parts, pulse)
			continue
		}
		parts = append(parts, gesture.InTurn("Pulse", gesture.Wait(time.Duration(beat)*d.period), pulse))
	}
	return gesture.Together("Move", parts...)
}

// end ends the dance, with the get-out if it is wanted.
func (d *DanceToTheBeat) end(c *behaviors.Control, what string, getOut bool) {
	d.over = true
	c.SetState(what)
	if !getOut {
		c.CancelSelf()
		return
	}
	c.CancelAndAct(gesture.Trigger(c, d.params.GetOut), nil)
}
