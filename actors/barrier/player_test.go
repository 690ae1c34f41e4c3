package barrier

import (
	"fmt"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// A quietPlayer is a player without an Update of its own.
type quietPlayer struct{ p player }

func (q *quietPlayer) OnActivated(c *behaviors.Control)   { q.p.OnActivated(c) }
func (q *quietPlayer) OnDeactivated(c *behaviors.Control) { q.p.OnDeactivated(c) }
func (q *quietPlayer) Subscriptions() []string            { return q.p.Subscriptions() }
func (q *quietPlayer) AlwaysHandle(c *behaviors.Control, e behaviors.Event) {
	q.p.AlwaysHandle(c, e)
}

func (q *quietPlayer) Modify(m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
	q.p.Modify(m, of)
}

// A player does what its play says, and logs the results.
type player struct {
	play *play
	door *door
	me   int
	eye  condition.Condition

	next    []string // delegates
	version int
}

func (b *player) id() string { return b.play.ids[b.me] }

func (b *player) note(format string, args ...any) {
	b.door.log = append(b.door.log, b.id()+" "+fmt.Sprintf(format, args...))
}

func (b *player) Init(c *behaviors.Control) {
	if b.me%3 == 0 {
		behaviors.On(c, func(c *behaviors.Control, _ behaviors.CubeLost) {
			b.note("by type")
			b.act("event", c)
		})
	}
	b.act("init", c)
	if b.play.traits[b.me]&traitBadInit != 0 && c.Tick()%3 == 1 {
		panic("init of " + b.id())
	}
}

func (b *player) OnEnteredScope(c *behaviors.Control) { b.act("enter", c) }
func (b *player) OnLeftScope(c *behaviors.Control)    { b.act("leave", c) }
func (b *player) OnActivated(c *behaviors.Control)    { b.act("start", c) }
func (b *player) OnDeactivated(c *behaviors.Control)  { b.act("end", c) }
func (b *player) Update(c *behaviors.Control)         { b.act("update", c) }
func (b *player) GentlyInterruptible()                {}
func (b *player) Subscriptions() []string {
	return []string{[]string{behaviors.EventPoked, behaviors.EventTriggerWord}[b.me%2]}
}

func (b *player) WantsToBeActivated(c *behaviors.Control) bool {
	b.act("wants", c)
	return (uint64(b.me)+c.Tick())%4 != 0
}

func (b *player) Modify(m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
	b.play.modify(b, m, of)
}

func (b *player) AlwaysHandle(c *behaviors.Control, e behaviors.Event) {
	b.note("event %s", e.Name())
	b.act("event", c)
}

func (b *player) back(c *behaviors.Control, o behaviors.Outcome) {
	b.note("back %d %s", o.Ended, o.Completion.Result)
	b.act("back", c)
}

// act does the deeds of a hook in this tick.
func (b *player) act(hook string, c *behaviors.Control) {
	b.play.acted[hook]++
	defer func() { b.door.kept[b.id()] = c }()
	b.note("%s on=%v delegated=%v control=%v to=%q started=%d draws=%d", hook, c.Activated(), c.IsControlDelegated(), c.InControl(), c.Delegate(),
		c.TimesStarted(), c.Rand().Uint64())
	for _, d := range b.play.deeds[key(hook, b.id(), c.Tick())] {
		b.note("%d: %v", d.kind, b.do(c, d))
	}
}

func (b *player) then(d deed) behaviors.Callback {
	if d.bad {
		return nil
	}
	return b.back
}

func (b *player) do(c *behaviors.Control, d deed) any {
	to := b.play.ids[d.to]
	switch d.kind {
	case deedPass:
		return fmt.Sprint(c.Wants(to), c.DelegateTo(to, b.then(d)))
	case deedPassNow:
		return c.CancelAndDelegateIfWanted(to, b.then(d))
	case deedCold:
		return c.CancelAndDelegateTo(to, b.then(d))
	case deedAct:
		return c.Act(&stint{left: d.ticks, bad: d.bad}, b.then(d))
	case deedActNow:
		return c.CancelAndAct(&stint{left: d.ticks, tracks: actions.Head}, b.then(d))
	case deedCancel:
		return c.CancelDelegates()
	case deedCancelTelling:
		return c.CancelDelegatesWithCallback()
	case deedQuit:
		return c.CancelSelf()
	case deedAsk:
		return c.Wants(to)
	case deedPanic:
		panic("deed of " + b.id())
	default:
		return b.smart(c, d, to)
	}
}

func (b *player) smart(c *behaviors.Control, d deed, to string) any {
	switch d.kind {
	case deedLock:
		return c.Tracks().Lock("k", actions.Tracks(1<<d.ticks))
	case deedUnlock:
		c.Tracks().Unlock("k")
		return actorstest.Refusal(c)
	case deedSuppress:
		c.Suppression().ThisTick(to)
	case deedHush:
		c.Suppression().Release("t")
		return fmt.Sprint(actorstest.Refusal(c), c.Suppression().Hold("s", to))
	case deedClaim:
		_, ok := c.Intents().Claim("hello")
		return ok
	case deedTimer:
		c.ResetTimer("nap")
		return len(c.View().Timers)
	case deedState:
		c.SetState(to)
	case deedFace:
		c.Send(hardware.ShowFace{Face: to})
	case deedStop:
		return c.StopAfterCurrentDelegate(to)
	case deedGentle:
		return c.CanInterruptGently()
	default:
		return b.live(c, d, to)
	}
	return nil
}

// A stint is an action that takes some ticks, and panics at its end if it is bad.
type stint struct {
	left   int
	bad    bool
	tracks actions.Tracks
}

func (s *stint) Name() string                     { return "stint" }
func (s *stint) Type() actions.Type               { return actions.TypeWait }
func (s *stint) Tracks() actions.Tracks           { return s.tracks }
func (s *stint) Init(*actions.Env) actions.Result { return actions.Success }
func (s *stint) CheckIfDone(env *actions.Env) actions.Result {
	env.Send(hardware.MoveHead{ID: env.NextID(), AngleRad: env.Rand.Float64()})
	if s.left > 0 {
		s.left--
		return actions.Running
	}
	if s.bad {
		panic("bad stint")
	}
	return actions.Success
}
