package dispatch_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
)

// praise is an emotion event that makes happy by a value; Happy stays for a second and is gone after three.
func praise(happy, social float64) string {
	return fmt.Sprintf(`
-- mood_config.json --
{"decayGraphs": [{"emotionType": "Happy", "graphType": "TimeRatio", "nodes": [{"x": 0, "y": 1}, {"x": 1, "y": 1}, {"x": 3, "y": 0}]}]}
-- emotionevents/Praised.json --
{"name": "Praised", "emotionAffectors": [{"emotionType": "Happy", "value": %g}, {"emotionType": "Social", "value": %g}]}
`, happy, social)
}

// A mind is a base that raises praise, and a scoring dispatcher over A, whose score follows the mood, and B, which always scores 0.3.
type mind struct{ scenario }

func beginMind(t *testing.T, mood, scorers string) mind {
	t.Helper()
	return mind{begin(t, strict+`true, "behaviors": ["Praise", "S"]}`,
		"-- Praise.json --\n"+`{"behaviorClass": "Probe", "behaviorID": "Praise", "wants": false, "emotionEventOnActivated": "Praised"}`,
		"-- S.json --\n"+`{"behaviorClass": "DispatcherScoring", "behaviorID": "S", "interruptActiveBehavior": true, "behaviors": [
			{"behaviorID": "A", "scoring": {"emotionScorers": [`+scorers+`]}}, {"behaviorID": "B", "scoring": {"flatScore": 0.3}}]}`,
		mood, probes("A", "B"))}
}

// praised lets the event happen and the dispatcher choose again. It returns the instant of the event.
func (m mind) praised() time.Time {
	m.t.Helper()
	m.probe("Praise").Wants = true
	m.runs("Praise")
	at := m.Now()
	m.probe("Praise").Wants, m.probe("Praise").End = false, true
	m.Step(2)
	return at
}

func scorer(emotion, graph string) string {
	return `{"emotionType": "` + emotion + `", "scoreGraph": {"nodes": [` + graph + `]}}`
}

const (
	rising = `{"x": 0, "y": 0}, {"x": 1, "y": 1}`
	hill   = `{"x": 0, "y": 0}, {"x": 0.5, "y": 1}, {"x": 1, "y": 0.2}` // a low value scores more than a high one
)

// An emotion event changes the choice. The event moves the mood within its range, and the graphs of the file map it to scores.
// Rules: P-7, 5/Mood, data/2.1.5b, data/5.3a.
func TestScoringFollowsEmotionEvents(t *testing.T) {
	for name, c := range map[string]struct {
		happy, social float64
		scorers       string
		want          string
	}{
		"not enough":                 {0.2, 0, scorer("Happy", rising), "B"},
		"happy":                      {0.4, 0, scorer("Happy", rising), "A"},
		"between two nodes, low":     {0.1, 0, scorer("Happy", hill), "B"},
		"between two nodes, high":    {0.2, 0, scorer("Happy", hill), "A"},
		"down the other side":        {0.9, 0, scorer("Happy", hill), "A"},
		"too happy":                  {2, 0, scorer("Happy", hill), "B"}, // clamped to 1
		"sad":                        {-1, 0, scorer("Happy", hill), "B"},
		"mean of two, enough":        {0.5, 0.2, scorer("Happy", rising) + "," + scorer("Social", rising), "A"},
		"mean of two, not enough":    {0.5, 0.08, scorer("Happy", rising) + "," + scorer("Social", rising), "B"},
		"one that is zero is enough": {1, 0, scorer("Happy", rising) + "," + scorer("Social", rising), "B"},
	} {
		t.Run(name, func(t *testing.T) {
			m := beginMind(t, praise(c.happy, c.social), c.scorers)
			m.runs("S B") // in no mood
			m.praised()
			if got := strings.Join(m.Chain(), " "); got != "Base S "+c.want {
				t.Errorf("%q, want %s; mood %v", got, c.want, m.Engine.View().Mood)
			}
			m.NoRefusals()
		})
	}
}

// The emotion fades from 0.6 to 0.3 in two seconds after the event. Then both score the same, and the earlier one stays.
// Rules: P-7, data/5.3a.
func TestScoringFollowsTheFadingMood(t *testing.T) {
	m := beginMind(t, praise(0.6, 0), scorer("Happy", rising))
	m.runs("S B")
	for range 2 {
		at := m.praised()
		if !m.Active("A") {
			t.Fatalf("%v", m.Chain())
		}
		m.Until(4*time.Second, "B again", func() bool { return m.Active("B") })
		if d := m.Now().Sub(at); d <= 2*time.Second || d > 2*time.Second+behaviortest.Period {
			t.Errorf("A for %v", d)
		}
		m.For(2 * time.Second)
	}
}

// trackDelta follows the change over the last 60 ticks of the real history, not the value.
// Rules: P-7, data/5.3b.
func TestScoringFollowsTheChangeByAnEvent(t *testing.T) {
	change := `{"emotionType": "Social", "trackDelta": true, "scoreGraph": {"nodes": [` + rising + `]}}`
	m := beginMind(t, praise(0, 0.5), change)
	m.For(5 * time.Second)
	at := m.Tick() + 1
	m.praised()
	if !m.Active("A") {
		t.Fatalf("%v", m.Chain())
	}
	m.Until(10*time.Second, "B again", func() bool { return m.Active("B") })
	if n := m.Tick() - at; n != 61 || m.Engine.View().Mood[condition.Social] != 0.5 {
		t.Errorf("A for %d ticks; mood %v", n, m.Engine.View().Mood)
	}
}

// A feeler records how happy the robot is when it begins and ends.
type feeler struct {
	begin, end []float64
	over       bool // its next Update ends it
}

func (f *feeler) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (f *feeler) Update(c *behaviors.Control) {
	if f.over && c.Activated() {
		c.CancelSelf()
	}
}

func (f *feeler) OnActivated(c *behaviors.Control)   { f.begin = append(f.begin, happy(c)) }
func (f *feeler) OnDeactivated(c *behaviors.Control) { f.end = append(f.end, happy(c)) }

func happy(c *behaviors.Control) float64 { return c.View().Mood[condition.Happy] }

// feelingMachine has two states, One and Two, and transitions that are emotion events.
func feelingMachine(t *testing.T, transitions string) (machine, *feeler, *feeler) {
	t.Helper()
	m := machine{when: map[string]*condition.UnitTest{}}
	classes := machineClasses(m.when)
	list := []behaviors.Class{{Name: "Feeler", New: func(*behaviors.Config) behaviors.Behavior { return &feeler{} }}}
	for _, name := range classes.Names() {
		list = append(list, *classes.Find(name))
	}
	files := "-- Base.json --\n" + `{"behaviorClass": "Machine", "behaviorID": "Base", ` + twoStates + transitions + "}\n" +
		"-- A.json --\n" + `{"behaviorClass": "Feeler", "behaviorID": "A"}` + "\n-- B.json --\n" + `{"behaviorClass": "Feeler", "behaviorID": "B"}` + praise(0.25, 0)
	m.scenario = scenario{behaviortest.New(t, behaviortest.Options{Classes: behaviors.NewRegistry(list...), Files: files}), t}
	return m, m.Impl("A").(*feeler), m.Impl("B").(*feeler)
}

func feeling(to, cond string) string {
	return `{"to": "` + to + `", "condition": {"customCondition": "` + cond + `"}, "emotionEvent": "Praised"}`
}

// The emotion event of a transition is raised before the change of state, while the behavior of the old state still runs. It is raised by
// its own transition only.
// Rules: P-9, 5/Mood, data/2.6o.
func TestTransitionRaisesItsEmotionEvent(t *testing.T) {
	m, a, b := feelingMachine(t, definitions(
		from(`"One"`, "interruptingTransitions", feeling("Two", "a"), on("Two", "b")),
		from(`"Two"`, "interruptingTransitions", on("One", "c"), feeling("One", "d"))))
	m.runs("A")
	m.runs("A")
	m.met("ab") // the first in order
	m.runs("B")
	m.met("")
	m.runs("B")
	if !near(a.end, 0.25) || !near(b.begin, 0.25) || !near(m.happy(), 0.25) {
		t.Errorf("A ended at %v, B began at %v", a.end, b.begin)
	}
	m.met("cd") // this one is no event
	m.runs("A")
	if !near(b.end, 0.25) || !near(a.begin, 0, 0.25) || !near(m.happy(), 0.25) {
		t.Errorf("B ended at %v, A began at %v", b.end, a.begin)
	}
}

// A transition that restarts a state raises its event too, and so does one that waits for the end of the behavior; that behavior ends
// before the event.
// Rules: P-9, data/2.6o.
func TestRestartsAndExitsRaiseEmotionEvents(t *testing.T) {
	m, a, b := feelingMachine(t, definitions(
		from(`"One"`, "interruptingTransitions", feeling("One", "a")), from(`"One"`, "exitTransitions", feeling("Two", "b")),
		from(`"Two"`, "interruptingTransitions", on("One", "c"))))
	m.runs("A")
	m.met("a")
	m.runs("A")
	if !near(a.end, 0.25) || !near(a.begin, 0, 0.25) {
		t.Errorf("restarted: A ended at %v, began at %v", a.end, a.begin)
	}
	m.met("b")
	m.runs("A") // not before it has ended
	if !near(m.happy(), 0.25) {
		t.Errorf("happy too early: %v", m.happy())
	}
	a.over = true
	m.Step(1)
	if !near(a.end, 0.25, 0.25) || !near(m.happy(), 0.25) {
		t.Errorf("happy before the transition: A ended at %v, mood %v", a.end, m.happy())
	}
	m.runs("B")
	if !near(b.begin, 0.5) {
		t.Errorf("B began at %v", b.begin)
	}
}

func (m machine) happy() []float64 { return []float64{m.Engine.View().Mood[condition.Happy]} }

func near(got []float64, want ...float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			return false
		}
	}
	return true
}

// An emotion event that the mood data do not define is an error at its place in the file.
// Rules: P-9, data/2.6o, data/5.4d.
func TestUnknownEmotionEventIsReported(t *testing.T) {
	_, diags := behaviortest.Catalog(t, "-- Base.json --\n"+`{"behaviorClass": "Machine", "behaviorID": "Base", `+twoStates+`
`+definitions(from(`"One"`, "exitTransitions", `
{"to": "Two", "condition": {"customCondition": "a"}, "emotionEvent": "Praisd"}`), from(`"Two"`, "exitTransitions", on("One", "b")))+"}\n"+
		probes("A", "B")+praise(1, 0), machineClasses(map[string]*condition.UnitTest{}), catalog.Boot{Base: "Base", Fallback: "Base"})
	want := `Base.json:3:70: error: there is no emotion event "Praisd"; did you mean "Praised"?`
	if got := strings.TrimSpace(diags.String()); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
