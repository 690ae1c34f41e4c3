package examples_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/examples"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// reach waits until a behavior is activated, or in a state.
func reach(t *testing.T, e *behaviortest.Env, id, state string) {
	t.Helper()
	e.Until(time.Minute, id+" "+state, func() bool { return e.Active(id) && (state == "" || e.State(id) == state) })
}

// touch strokes the robot for a moment.
func touch(e *behaviortest.Env) {
	e.Body.Touched = true
	e.Step(3)
	e.Body.Touched = false
	e.Step(2)
}

// From the boot configuration every name leads to a behavior, down to the last one.
// Rules: 5/Activities.
func TestBootConfigurationLeadsToOneBehavior(t *testing.T) {
	cat := exampleCatalog(t)
	at := cat.Boot.Base
	for _, next := range []string{"Freeplay", "Housework", "Sweep"} {
		entry := cat.Find(at)
		if entry == nil || !slices.Contains(entry.Delegates, next) || cat.Find(next) == nil {
			t.Fatalf("%s does not lead to %s", at, next)
		}
		at = next
	}
	e := begin(t, "")
	e.Step(1)
	if got := strings.Join(e.Chain(), " "); got != "Robot Freeplay Housework Sweep" {
		t.Errorf("the first tick builds %q", got) // L-8: the whole chain at once
	}
}

// An activity outlives its behaviors and keeps its own state and lights.
// Rules: B-12, 5/Activities, 5/Stop.
func TestActivityOutlivesItsBehaviors(t *testing.T) {
	e := begin(t, "")
	e.Until(10*time.Second, "the second sweep", func() bool { return e.Started("Sweep") == 2 })
	if e.Started("Housework") != 1 || e.State("Housework") != "2: Sweep" {
		t.Errorf("%d activations, state %q", e.Started("Housework"), e.State("Housework"))
	}
	if l := e.Engine.CustomLights(); len(l) != 1 || l[0].By != "Housework" || l[0].Pattern.On[4] != (hardware.RGB{B: 60}) {
		t.Errorf("lights %+v", l)
	}
	if !e.Engine.Actions().Tracks().Locked(actions.Backpack) {
		t.Error("an animation could take the lights")
	}
	e.Until(10*time.Second, "the end", func() bool { return !e.Active("Housework") })
	if l := e.Engine.CustomLights(); len(l) > 0 || e.Engine.Actions().Tracks().Locked(actions.Backpack) {
		t.Errorf("lights are left: %+v", l)
	}
	e.NoRefusals()
}

// An activity that runs goes on until it wants to end, even if a more important one could begin.
// Rules: P-2, 5/ActivityStrategy.
func TestRunningActivityIsNotInterrupted(t *testing.T) {
	e := begin(t, "")
	e.Step(1)
	from := e.Now()
	e.Body.People = []behaviortest.Person{{ID: 1, XMM: 500}}
	e.For(4 * time.Second)
	if !e.Active("Housework") || e.Started("Company") != 0 {
		t.Fatalf("not sticky: %v", e.Chain())
	}
	reach(t, e, "Company", "")
	if d := e.Now().Sub(from); d < 5*time.Second || d > 5200*time.Millisecond {
		t.Errorf("Company began after %v", d)
	}
	e.For(20 * time.Second)
	if e.Started("Company") != 1 || !e.Active("Company") {
		t.Error("Company did not last")
	}
	e.NoRefusals()
}

// OnResumed follows a short interrupt that left the world as it was; OnActivated follows any other.
// Rules: Q-13, 5/ResumeInternal.
func TestRecitalIsResumedOrBeginsAnew(t *testing.T) {
	e := begin(t, "Reactive")
	reach(t, e, "Recital", "line 2")
	touch(e)
	reach(t, e, "Recital", "")
	if said := strings.Join(e.Said(), " "); said != "One Two Oh Two" || e.Started("Recital") != 1 {
		t.Errorf("said %q in %d starts", said, e.Started("Recital"))
	}
	e.Intent("come_here")
	reach(t, e, "ComeHereCommand", "")
	reach(t, e, "Recital", "")
	if said := strings.Join(e.Said(), " "); said != "One Two Oh Two Coming One" || e.Started("Recital") != 2 {
		t.Errorf("said %q in %d starts", said, e.Started("Recital"))
	}
	e.NoRefusals()
}

// Fast-forward enters at the furthest step, for every state of the cubes.
// Rules: 5/Fast-forward.
func TestStackCubesEntersAtTheFurthestStep(t *testing.T) {
	at := func(x, y float64) behaviortest.Cube { return behaviortest.Cube{XMM: x, YMM: y} }
	for name, c := range map[string]struct {
		first, second behaviortest.Cube
		carrying      bool
		want          string // "" if it does not want at all
	}{
		"nothing done":                  {at(200, 0), at(200, 100), false, "driving to the first cube"},
		"in front of the first cube":    {at(50, 0), at(200, 50), false, "picking it up"},
		"beside the first cube":         {at(40, 20), at(200, 50), false, "driving to the first cube"},
		"carrying":                      {at(50, 0), at(200, 50), true, "driving to the second cube"},
		"carrying, in front of the two": {at(50, 0), at(55, 5), true, "putting it down"},
		"done":                          {at(200, 0), at(210, 0), false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := begin(t, "CubeBase")
			c.first.ID, c.second.ID = 1, 2
			e.Body.Cubes = []behaviortest.Cube{c.first}
			if c.carrying {
				e.Body.Lift(92)
			}
			e.Body.Cubes = append(e.Body.Cubes, c.second)
			e.Step(1)
			if got := e.State("StackOneOnTwo"); got != c.want || e.Active("StackOneOnTwo") != (c.want != "") {
				t.Errorf("state %q, want %q; %v", got, c.want, e.Chain())
			}
		})
	}
}

func TestStackCubesPutsOneCubeOntoTheOther(t *testing.T) {
	e := begin(t, "CubeBase")
	e.Body.Cubes = []behaviortest.Cube{{ID: 1, XMM: 200}, {ID: 2, XMM: 200, YMM: 100}}
	reach(t, e, "StackOneOnTwo", "")
	reach(t, e, "Idle", "")
	if a, b := e.Body.Cubes[0], e.Body.Cubes[1]; (a.XMM-b.XMM)*(a.XMM-b.XMM)+(a.YMM-b.YMM)*(a.YMM-b.YMM) > 22*22 || e.Body.Carried() != 0 {
		t.Errorf("cubes at %+v and %+v", a, b)
	}
	e.For(5 * time.Second)
	if e.Started("StackOneOnTwo") != 1 {
		t.Error("it stacked what was stacked")
	}
	e.NoRefusals()
}

// The chain is in the callbacks; Update breaks it by cancelling without callback.
// Rules: 5/StopActing, 5/UpdateInternal.
func TestApproachTurnsToNearerCube(t *testing.T) {
	e := begin(t, "ApproachBase")
	e.Body.Cubes = []behaviortest.Cube{{ID: 1, XMM: 400}}
	e.Step(5)
	e.Body.Cubes = append(e.Body.Cubes, behaviortest.Cube{ID: 2, XMM: 330, YMM: 150}) // nearer by 35 mm only
	e.Step(3)
	if got := e.State("Approach"); got != "driving to cube 1" {
		t.Fatalf("state %q", got)
	}
	e.Body.Cubes = append(e.Body.Cubes, behaviortest.Cube{ID: 3, XMM: 150, YMM: 50})
	e.Step(1)
	if got := e.State("Approach"); got != "driving to cube 3" || len(e.Actions()) != 1 {
		t.Fatalf("state %q, actions %v", got, e.Actions())
	}
	seen := map[string]bool{}
	e.Until(time.Minute, "happy", func() bool {
		seen[e.State("Approach")] = true
		return e.State("Approach") == "happy"
	})
	if seen["did not get there"] {
		t.Error("the callback of the cancelled drive came")
	}
	if e.Started("Approach") != 1 {
		t.Error("it had to begin anew")
	}
	e.NoRefusals()
}

// A lock holds as long as any holder is left. The end of a holder releases its lock, whatever ends it.
// Rules: Q-13, 5/SmartDisableReactionsWithLock.
func TestOverlappingLocksHoldUntilLastRelease(t *testing.T) {
	e := begin(t, "Crew")
	// stroke strokes the robot and reports whether it startled.
	stroke := func() bool {
		before := e.Started("Startle")
		touch(e)
		return e.Started("Startle") > before
	}
	e.For(600 * time.Millisecond)
	if stroke() {
		t.Fatal("startled while the outer one holds")
	}
	e.For(500 * time.Millisecond)
	if e.State("Inner") != "undisturbed" || stroke() {
		t.Fatal("startled while both hold")
	}
	reach(t, e, "Outer", "open")
	if stroke() {
		t.Fatal("startled while the inner one holds: its lock was released by the other's")
	}
	e.Until(10*time.Second, "the end of both", func() bool { return e.Started("Outer") == 2 })
	if !stroke() {
		t.Error("still locked after the end of the holders")
	}
	e.NoRefusals()
}

// Rules: 5/SmartDisableReactionsWithLock.
func TestLockDoesNotStopRunningBehavior(t *testing.T) {
	e := begin(t, "Watch")
	e.Step(1)
	touch(e)
	e.Until(2*time.Second, "the lock", func() bool { return e.State("Watch") == "undisturbed" })
	if !e.Active("Startle") {
		t.Fatal("the lock stopped it")
	}
	e.Until(3*time.Second, "its end", func() bool { return e.State("Startle") == "working" && !e.Active("Startle") })
	touch(e)
	if e.Started("Startle") != 1 {
		t.Error("it began again under the lock")
	}
}

// A coordinator suppresses behaviors for one tick, before the dispatchers above it ask them.
// Rules: B-10.
func TestQuietHoursSuppressWhileConditionIsMet(t *testing.T) {
	e := begin(t, "Quiet")
	e.Body.People = []behaviortest.Person{{ID: 1, XMM: 500}}
	e.Step(3)
	touch(e)
	if e.Started("Startle") != 0 {
		t.Fatal("startled in quiet hours")
	}
	e.Body.People = nil
	e.For(2 * time.Second)
	touch(e)
	if e.Started("Startle") != 1 {
		t.Error("still quiet")
	}
	e.NoRefusals()
}

// A helper's caller gets exactly one of success and failure, and neither when it takes control back.
// Rules: Q-13, 5/BehaviorHelper.
func TestHelperSucceedsFailsOrIsCancelled(t *testing.T) {
	for name, c := range map[string]struct {
		base, fetch string
		change      func(e *behaviortest.Env) // after the helper began
		said        string
	}{
		"success": {"FetchBase", "Fetch", func(*behaviortest.Env) {}, "Got it"},
		"failure": {"FetchBase", "Fetch", func(e *behaviortest.Env) { e.Body.Cubes = nil }, "I cannot"},
		"taken back": {"FetchInHasteBase", "FetchInHaste", func(e *behaviortest.Env) {
			e.Body.Cubes[0].XMM = 600
		}, "Never mind"},
		"cancelled from below": {"FetchBase", "Fetch", func(e *behaviortest.Env) {
			e.Intent("come_here")
			e.Step(1)
			e.Body.Cubes = nil
		}, "Coming"},
	} {
		t.Run(name, func(t *testing.T) {
			e := begin(t, c.base)
			e.Body.Cubes = []behaviortest.Cube{{ID: 1, XMM: 250}}
			reach(t, e, "PickUp", "")
			c.change(e)
			e.Until(time.Minute, "the end", func() bool { return !e.Active(c.fetch) })
			e.For(time.Second)
			if said := strings.Join(e.Said(), ", "); said != c.said {
				t.Errorf("said %q, want %q", said, c.said)
			}
			e.NoRefusals()
		})
	}
}

// A question that a class does not answer, with data or without, is a typed error.
// Rules: Q-13, 5/IsRunnableInternal.
func TestQuestionsOfWrongKindAreRefused(t *testing.T) {
	reg := behaviors.NewRegistry(append(append(dispatch.Classes(), examples.Classes()...), behaviors.Class{
		Name: "Asker", New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &asker{t: t, ids: cfg.DelegateList("behaviors")}
		},
	})...)
	e := behaviortest.New(t, behaviortest.Options{Classes: reg, Files: `
-- Base.json --
{"behaviorClass": "Asker", "behaviorID": "Base", "behaviors": ["Sweep", "PickUp"]}
-- Sweep.json --
{"behaviorClass": "Chore", "behaviorID": "Sweep", "work_s": 1}
-- PickUp.json --
{"behaviorClass": "PickUp", "behaviorID": "PickUp", "attempts": 2}
`})
	e.Step(1)
	if !e.Active("Base") {
		t.Fatal("the asker was not activated")
	}
}

type asker struct {
	t   *testing.T
	ids []string
}

func (*asker) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (a *asker) OnActivated(c *behaviors.Control) {
	if c.WantsWith("Sweep", examples.CubeToTake{ID: 1}) || c.Refusal() == nil || c.Refusal().Reason != stack.Unsupported {
		a.t.Errorf("a chore was asked with data: %v", c.Refusal())
	}
	if c.Wants("PickUp") {
		a.t.Error("the helper says yes to no cube at all")
	}
	if c.WantsWith("PickUp", examples.CubeToTake{ID: 1}) || c.Refusal() != nil {
		a.t.Errorf("it wants a cube that is not there: %v", c.Refusal())
	}
}

// A behavior without code for it obeys the request to end after its present action.
// Rules: Q-13, 5/StartActing.
func TestShiftEndsAfterPresentLine(t *testing.T) {
	e := begin(t, "ShiftBase")
	reach(t, e, "Shift", "last words")
	if !slices.Contains(e.Actions(), "SayText") {
		t.Fatalf("actions %v", e.Actions())
	}
	reach(t, e, "Idle", "")
	if said := strings.Join(e.Said(), " "); said != "One Two" {
		t.Errorf("said %q", said)
	}
	if e.Started("Recital") != 1 || e.State("Shift") != "closing time" {
		t.Errorf("%d recitals, %q", e.Started("Recital"), e.State("Shift"))
	}
}

// Gates keep behaviors from starting while the robot carries a cube, is on the charger or off its treads. PutDown puts the cube down.
// Rules: B-8, 5/Checklist.
func TestGatedBehaviorsLeaveRoomForPutDown(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(e *behaviortest.Env)
		want string
	}{
		"on its treads":  {func(*behaviortest.Env) {}, "Indoors"},
		"on the charger": {func(e *behaviortest.Env) { e.Body.Plugged = true }, "Anywhere"},
		"carrying": {func(e *behaviortest.Env) {
			e.Body.Cubes = []behaviortest.Cube{{ID: 1, XMM: 50}}
			e.Body.Lift(92)
		}, "PutDown"},
	} {
		t.Run(name, func(t *testing.T) {
			e := begin(t, "Gates")
			c.set(e)
			e.Step(1)
			if !e.Active(c.want) {
				t.Errorf("stack %v, want %s", e.Chain(), c.want)
			}
			if c.want != "PutDown" {
				return
			}
			reach(t, e, "Indoors", "")
			if e.Body.Carried() != 0 || e.Started("PutDown") != 1 {
				t.Errorf("carrying %d, put down %d times", e.Body.Carried(), e.Started("PutDown"))
			}
		})
	}
}

// In Selection an outside program decides what the robot does.
// Rules: 5/Selection.
func TestSelectionRunsWhatOutsideSelects(t *testing.T) {
	e := begin(t, "")
	e.Step(2)
	e.Intent("take_control")
	e.Step(1)
	e.Body.People = []behaviortest.Person{{ID: 1, XMM: 500}}
	e.For(10 * time.Second)
	if got := strings.Join(e.Chain(), " "); got != "Robot Selection" {
		t.Fatalf("it decided for itself: %s", got)
	}
	e.Intent("give_control")
	e.Step(2)
	if e.Active("Selection") || !e.Active("Freeplay") {
		t.Errorf("stack %v", e.Chain())
	}
	if e.Engine.View().Intent.Active != nil {
		t.Error("an intent is left")
	}
	e.NoRefusals()
}
