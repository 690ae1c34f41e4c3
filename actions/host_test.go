package actions_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/hardware"
)

func run(t *testing.T, l *actions.List, a actions.Action, o actions.QueueOptions) actions.Tag {
	t.Helper()
	tag, err := l.Queue(a, o)
	if err != nil {
		t.Fatal(err)
	}
	return tag
}

// An overrun is like a panic: one ABORT, tracks free, and the abandoned goroutine's Env reaches nothing any more.
// Rules: OA-3.
func TestHungActionAbortsAndItsLateEffectsAreDropped(t *testing.T) {
	host := &actiontest.Overrun{Name: "Hung", Op: actions.OpCheck}
	r := actiontest.NewRig(host)
	hung := actiontest.NewStub("Hung", actions.Head|actions.Body)
	next := actiontest.NewStub("Next", actions.Head)
	run(t, r.List, hung, actions.QueueOptions{})
	run(t, r.List, next, actions.QueueOptions{Position: actions.PositionAtEnd})
	done := r.Tick()
	if len(done) != 1 || done[0].Result != actions.Abort || done[0].Payload != nil ||
		!strings.Contains(done[0].Detail, actiontest.ErrOverrun.Error()) {
		t.Fatalf("completions %+v", done)
	}
	if host.After != 0 || hung.Stops != 0 {
		t.Errorf("the action was called after its overrun")
	}
	if host.Adopted != host.Released {
		t.Errorf("adopted %d, released %d", host.Adopted, host.Released)
	}
	if m := r.List.Tracks().Mask(); m != 0 {
		t.Errorf("%v still locked", m)
	}
	r.Tick() // Next runs now
	sent := len(r.Sent)
	zombie := host.Kept
	zombie.Send(hardware.Drive{ID: 99})
	if _, ok := zombie.Tracks.Lock("zombie", actions.Audio); ok {
		t.Errorf("the zombie got a lock")
	}
	zombie.Tracks.Unlock("Next#3000002")
	zombie.Ended(actions.Completion{Tag: 7})
	if _, err := zombie.Tags.Take(); err == nil {
		t.Errorf("the zombie got a tag")
	}
	if zombie.NextID() != 0 {
		t.Errorf("the zombie got an id")
	}
	if len(r.Sent) != sent || r.List.Tracks().Mask() != actions.Head {
		t.Errorf("the zombie had an effect: %v, locked %v", r.Sent[sent:], r.List.Tracks().Mask())
	}
}

// The children of a hung compound hold tracks in their own names; the list gives them back and stops their motors.
// Rules: RUN-13.
func TestHungCompoundFreesTheTracksOfItsChildren(t *testing.T) {
	host := &actiontest.Overrun{Name: "P", Op: actions.OpStop}
	r := actiontest.NewRig(host)
	a, b := actiontest.NewStub("A", actions.Body), actiontest.NewStub("B", actions.Lift)
	tag := run(t, r.List, compound.NewParallel(compound.Params{
		Name: "P", Children: []compound.Child{{Action: a}, {Action: b}},
	}), actions.QueueOptions{Owner: "Greet"})
	r.Tick()
	if got := r.List.Tracks().Mask(); got != actions.Body|actions.Lift {
		t.Fatalf("locked %v", got)
	}
	r.List.CancelTag(tag)
	if m := r.List.Tracks().Mask(); m != 0 {
		t.Errorf("%v still locked", m)
	}
	done := r.Tick()
	if len(done) != 1 || done[0].Result != actions.CancelledWhileRunning || done[0].Owner != "Greet" {
		t.Errorf("completions %+v", done)
	}
	if actiontest.Count[hardware.StopWheels](r.Robot) != 1 || actiontest.Count[hardware.MoveLift](r.Robot) != 1 {
		t.Errorf("motors were not stopped: %v", r.Sent)
	}
}

// Adopt and Release pair up, and only for actions that start.
// Rules: RUN-14.
func TestHostAdoptsOnlyActionsThatStart(t *testing.T) {
	host := &actiontest.Overrun{}
	r := actiontest.NewRig(host)
	run(t, r.List, actiontest.NewStub("A", 0), actions.QueueOptions{})
	run(t, r.List, actiontest.NewStub("B", 0), actions.QueueOptions{Position: actions.PositionAtEnd})
	r.Tick()
	r.List.Clear()
	if host.Adopted != 1 || host.Released != 1 {
		t.Errorf("adopted %d, released %d, want 1 and 1", host.Adopted, host.Released)
	}
}

// Wheels stop at once, head and lift where they are, before the tracks are free. Outside of an update the
// commands wait for TakeCommands or the next update.
// Rules: RUN-11, RUN-13.
func TestCancelStopsMotorsAndFreesTracks(t *testing.T) {
	r := actiontest.NewRig(nil)
	a := actiontest.NewStub("A", actions.Head|actions.Lift|actions.Body|actions.Audio)
	r.World.Servos.Value.HeadRad = 0.25
	tag := run(t, r.List, a, actions.QueueOptions{})
	r.Tick()
	a.OnStop = func() {
		if m := r.List.Tracks().Mask(); m == 0 {
			t.Errorf("tracks were freed before Stop")
		}
	}
	r.List.CancelTag(tag)
	if len(r.Sent) != 0 {
		t.Fatalf("sent outside of an update: %v", r.Sent)
	}
	got := r.List.TakeCommands()
	if len(got) != 3 {
		t.Fatalf("commands %v", got)
	}
	if _, ok := got[0].(hardware.StopWheels); !ok {
		t.Errorf("first command %#v", got[0])
	}
	if h, ok := got[1].(hardware.MoveHead); !ok || h.AngleRad != 0.25 || h.ID == 0 {
		t.Errorf("head %#v", got[1])
	}
	if l, ok := got[2].(hardware.MoveLift); !ok || l.HeightMM != 32 {
		t.Errorf("lift %#v", got[2])
	}
	if r.Tick(); len(r.Sent) != 0 {
		t.Errorf("sent twice: %v", r.Sent)
	}
}

// An owner holds the tracks; its child neither checks nor locks nor stops motors.
// Rules: TRK-13.
func TestSuppressedTracksAreNeitherCheckedNorLocked(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.List.Tracks().Lock("owner", actions.Body)
	a := actiontest.NewStub("A", actions.Body)
	tag := run(t, r.List, a, actions.QueueOptions{SuppressTracks: true})
	r.Tick()
	if a.Checks != 1 {
		t.Fatalf("did not start")
	}
	r.List.CancelTag(tag)
	if c := r.List.TakeCommands(); len(c) != 0 {
		t.Errorf("commands %v", c)
	}
	if !r.List.Tracks().Holds("owner") {
		t.Errorf("the owner lost its lock")
	}
}

// External actions are dropped without an error while they are ignored.
// Rules: TAG-6.
func TestExternalActionsAreDroppedWhileIgnored(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.List.IgnoreExternal(true)
	tag, err := r.List.Queue(actiontest.NewStub("A", 0), actions.QueueOptions{Tag: actions.FirstSDKTag})
	if tag != actions.InvalidTag || err != nil || r.List.Len(0) != 0 {
		t.Errorf("tag %d, error %v, length %d", tag, err, r.List.Len(0))
	}
	if tag := run(t, r.List, actiontest.NewStub("B", 0), actions.QueueOptions{}); tag < actions.FirstEngineTag {
		t.Errorf("engine tag %d", tag)
	}
}

// actions/Q-8 and the limit of 64.
// Rules: actions/Q-8.
func TestQueueRefusesInvalidActionsWithReasons(t *testing.T) {
	r := actiontest.NewRig(nil)
	if _, err := r.List.Queue(nil, actions.QueueOptions{}); err != actions.ErrNil {
		t.Errorf("nil: %v", err)
	}
	for range 64 {
		run(t, r.List, actiontest.NewStub("A", 0), actions.QueueOptions{Position: actions.PositionInParallel})
	}
	if _, err := r.List.Queue(actiontest.NewStub("A", 0), actions.QueueOptions{}); err != actions.ErrFull {
		t.Errorf("65th: %v", err)
	}
	r.Tick()
	late := actiontest.NewStub("late", 0)
	first := r.List.Current(1).(*actiontest.Stub)
	first.OnStop = func() {
		if _, err := r.List.Queue(late, actions.QueueOptions{}); err != actions.ErrClearing {
			t.Errorf("while clearing: %v", err)
		}
	}
	r.List.Clear()
	if r.List.Queues() != 0 {
		t.Errorf("%d queues left", r.List.Queues())
	}
}

// An action that cancels itself in the middle of its own call ends after the call, once.
// Rules: DONE-5.
func TestActionThatCancelsItselfEndsOnceAfterItsCall(t *testing.T) {
	r := actiontest.NewRig(nil)
	a := actiontest.NewStub("A", actions.Head)
	var tag actions.Tag
	a.OnCheck = func(*actions.Env) { r.List.CancelTag(tag) }
	tag = run(t, r.List, a, actions.QueueOptions{})
	done := r.Tick()
	if len(done) != 1 || done[0].Result != actions.CancelledWhileRunning || a.Stops != 1 {
		t.Errorf("completions %+v, stops %d", done, a.Stops)
	}
}

// Equal seed, tag and tick give equal chance; another tag gives another.
func TestRandomNumbersDependOnSeedTagAndTick(t *testing.T) {
	draw := func() (v [2]uint64) {
		r := actiontest.NewRig(nil)
		for i := range v {
			a := actiontest.NewStub("A", 0)
			a.OnCheck = func(env *actions.Env) { v[i] = env.Rand.Uint64() }
			run(t, r.List, a, actions.QueueOptions{Position: actions.PositionInParallel})
		}
		r.Tick()
		return v
	}
	a, b := draw(), draw()
	if a != b || a[0] == a[1] {
		t.Errorf("draws %v and %v", a, b)
	}
}

// Payload, distinct results of all children, owner; Running shows phases.
// Rules: CMP-MSG, CPD-1, CPD-5, DONE-1, RUN-16.
func TestCompletionAndInfoDescribeACompound(t *testing.T) {
	r := actiontest.NewRig(nil)
	a, b := actiontest.NewStub("A", actions.Head), actiontest.NewStub("B", actions.Lift)
	b.Result = actions.BadObject
	p := compound.NewParallel(compound.Params{Children: []compound.Child{
		{Action: a, Proxy: true}, {Action: b, Ignore: true},
	}})
	tag := run(t, r.List, p, actions.QueueOptions{Owner: "Greet"})
	wait := actiontest.NewStub("W", 0)
	run(t, r.List, wait, actions.QueueOptions{Position: actions.PositionAtEnd})
	r.Tick()
	infos := r.List.Running()
	if len(infos) != 2 || infos[0].Tag != tag || infos[0].Tracks != actions.Head || infos[0].Owner != "Greet" ||
		infos[0].Status != "A: running" || infos[0].Name != "Parallel(A, B)" || infos[1].Status != "pending" {
		t.Errorf("infos %+v", infos)
	}
	a.Result = actions.Success
	done := r.Tick()
	if len(done) != 1 {
		t.Fatalf("completions %+v", done)
	}
	c := done[0]
	if c.Type != actions.TypeWait || c.Payload != "A" || len(c.Sub) != 2 || c.Sub[0] != actions.BadObject || !c.Known() {
		t.Errorf("completion %+v", c)
	}
}

// A getter that panics is a failure of the action, not of the list.
type badGetter struct{ *actiontest.Stub }

func (badGetter) Timeout() time.Duration { panic("no idea") }

// Rules: OA-3.
func TestPanicInGetterAbortsTheAction(t *testing.T) {
	r := actiontest.NewRig(nil)
	s := actiontest.NewStub("A", actions.Head)
	c := r.Run(t, &badGetter{s}, actions.QueueOptions{}, time.Second)
	if c.Result != actions.Abort || s.Inits != 0 || r.List.Tracks().Mask() != 0 {
		t.Errorf("completion %+v, inits %d", c, s.Inits)
	}
}

// getters is an action each of whose getters can be told to panic.
type getters struct {
	*actiontest.Stub
	bad string
}

func (g getters) say(name string) {
	if g.bad == name {
		panic("no idea")
	}
}

func (g getters) Type() actions.Type {
	if g.Inits > 0 { // the first answer is read when it is queued
		g.say("Type")
	}
	return g.Stub.Type()
}

func (g getters) Tracks() actions.Tracks { g.say("Tracks"); return g.Stub.Tracks() }

func (g getters) Timeout() time.Duration { g.say("Timeout"); return g.Stub.Timeout() }

func (g getters) Status() string { g.say("Status"); return "thinking" }

func (g getters) Payload() any { g.say("Payload"); return 1 }

// calls is a host that notes each call and lets one fail.
type calls struct {
	actions.Direct
	ops []string
}

func (c *calls) Call(r *actions.Runner, op actions.Op, env *actions.Env) (actions.Result, error) {
	c.ops = append(c.ops, op.String())
	return c.Direct.Call(r, op, env)
}

// Every getter is asked through the host, where it can be given up: a panic in any of them ends the action and not the list.
// Rules: DONE-3, OA-3, RUN-3, RUN-14, RUN-16.
func TestGettersRunOnTheHost(t *testing.T) {
	for _, bad := range []string{"Type", "Tracks", "Timeout", "Status"} {
		r := actiontest.NewRig(nil)
		c := r.Run(t, &getters{actiontest.NewStub("A", actions.Head), bad}, actions.QueueOptions{}, time.Second)
		if c.Result != actions.Abort || !strings.Contains(c.Detail, "no idea") || r.List.Tracks().Mask() != 0 {
			t.Errorf("%s: completion %+v", bad, c)
		}
	}
	host := &calls{}
	r := actiontest.NewRig(host)
	g := &getters{Stub: actiontest.NewStub("A", actions.Head)}
	run(t, r.List, g, actions.QueueOptions{})
	r.Tick()
	if s := r.List.Running()[0].Status; s != "thinking" {
		t.Errorf("status %q", s)
	}
	g.Result = actions.Success
	r.Tick()
	if got := strings.Join(host.ops, " "); got != "Tracks Timeout Init CheckIfDone Timeout CheckIfDone Payload Stop" {
		t.Errorf("calls: %s", got)
	}
	r = actiontest.NewRig(nil)
	g = &getters{actiontest.NewStub("A", actions.Head), "Payload"}
	g.Result = actions.Success
	if c := r.Run(t, g, actions.QueueOptions{}, time.Second); c.Result != actions.Success || c.Payload != nil || r.List.Tracks().Mask() != 0 {
		t.Errorf("completion %+v", c)
	}
}

// A label that could not be read refuses the action; the list does not ask again.
func TestQueueRefusesLabelOfPanickingGetters(t *testing.T) {
	r := actiontest.NewRig(nil)
	var none *actiontest.Stub
	if _, err := r.List.Queue(none, actions.QueueOptions{Label: actions.Describe(none)}); err != actions.ErrBroken {
		t.Errorf("error %v", err)
	}
	s := actiontest.NewStub("A", 0)
	l := actions.Describe(s)
	s.Label = "B"
	run(t, r.List, s, actions.QueueOptions{Label: l})
	if got := r.List.Running()[0].Name; got != "A" {
		t.Errorf("the list asked for the name itself: %q", got)
	}
}

// deep cannot be compared although its type says it can.
type deep struct {
	*actiontest.Stub
	any any
}

// Looking for a duplicate must not panic on values that cannot be compared.
// Rules: actions/Q-7.
func TestIncomparableActionsAreNotDuplicates(t *testing.T) {
	r := actiontest.NewRig(nil)
	a := deep{actiontest.NewStub("A", 0), []int{1}}
	run(t, r.List, a, actions.QueueOptions{Position: actions.PositionInParallel})
	run(t, r.List, a, actions.QueueOptions{Position: actions.PositionInParallel})
	if r.List.Queues() != 2 {
		t.Errorf("%d queues", r.List.Queues())
	}
}
