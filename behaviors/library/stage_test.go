package library_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/library"
)

// spoken are the intents of the stages.
var spoken = []string{
	"check_timer", "explore_start", "global_delete", "global_stop", "greeting_goodnight", "movement_forward", "set_timer", "show_clock", "silence",
	"simple_voice_response", "system_charger", "system_sleep", "unmatched_intent", "weather_response",
}

// stage is play with more behaviors: files is more archive. The subject runs once; Rest waits afterwards. The intents are those of spoken.
func stage(t *testing.T, subject string, files ...string) scene {
	t.Helper()
	return stageWith(t, "-1", subject, files...)
}

// stageAgain is stage for a subject that runs as often as it wants.
func stageAgain(t *testing.T, subject string, files ...string) scene {
	t.Helper()
	return stageWith(t, "0", subject, files...)
}

func stageWith(t *testing.T, cooldown, subject string, files ...string) scene {
	t.Helper()
	o := behaviortest.Options{Features: []string{"AttentionTransfer"}}
	o.Files = `
-- Base.json --
{"behaviorClass": "DispatcherStrictPriorityWithCooldown", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": [
	{"behavior": "Urgent", "cooldown_s": 0}, {"behavior": "S", "cooldown_s": ` + cooldown + `}, {"behavior": "Rest", "cooldown_s": 0}]}
-- Urgent.json --
{"behaviorClass": "Probe", "behaviorID": "Urgent", "wants": false, "offTreads": true}
-- Rest.json --
{"behaviorClass": "Wait", "behaviorID": "Rest"}
-- S.json --
{"behaviorID": "S", ` + subject + "}\n" + strings.Join(files, "\n")
	o.Classes, o.Intents, o.Seed = cast(), spoken, 3
	return scene{behaviortest.New(t, o), t}
}

// parts are classes that coordinators look for. On a stage they are probes, whether or not the library has them.
var parts = []string{
	"BlackJack", "BumpObject", "ClearChargerArea", "DanceToTheBeat", "FetchCube", "FindCube",
	"FindCubeAndThen", "FistBump", "InspectCube", "Keepaway", "ListenForBeats", "PickUpCube", "PopAWheelie", "PossiblePerformance",
	"PounceWithProx", "ReactToHand", "ReactToRobotOnBack", "ReactToTouchPetting", "RollBlock",
}

// cast are all classes of a stage.
func cast() *behaviors.Registry {
	real := slices.DeleteFunc(library.Classes(), func(c behaviors.Class) bool { return slices.Contains(parts, c.Name) })
	classes := slices.Concat(dispatch.Classes(), real, []behaviors.Class{behaviortest.ProbeClass(), askerClass()})
	for _, name := range parts {
		c := behaviortest.ProbeClass()
		c.Name = name
		classes = append(classes, c)
	}
	return behaviors.NewRegistry(classes...)
}

// short are behaviors that want control and end after a second.
func short(ids ...string) string {
	all := ""
	for _, id := range ids {
		all += "-- " + id + ".json --\n" + `{"behaviorClass": "StandStill", "behaviorID": "` + id + `", "duration_s": 1}` + "\n"
	}
	return all
}

// probesOf are behaviors that the test decides for; they do not want control at first.
func probesOf(ids ...string) string { return partsOf("Probe", ids...) }

// partsOf are probes of another class.
func partsOf(class string, ids ...string) string {
	all := ""
	for _, id := range ids {
		all += "-- " + id + ".json --\n" + `{"behaviorClass": "` + class + `", "behaviorID": "` + id + `", "wants": false, "offTreads": true, "carrying": true}` + "\n"
	}
	return all
}

// probe is one of probesOf.
func (s scene) probe(id string) *behaviortest.Probe {
	s.t.Helper()
	p, ok := s.Impl(id).(*behaviortest.Probe)
	if !ok {
		s.t.Fatalf("%s is no probe", id)
	}
	return p
}

// say posts an intent with data for the next tick.
func (s scene) say(tag string, data map[string]string) {
	s.Command(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: tag, Data: data, Source: "test"}})
}

// trace collects the debug states of the subject, each once when it changes, until done; it fails after a minute.
func (s scene) trace(done func() bool) []string {
	s.t.Helper()
	var states []string
	for range 2000 {
		if now := s.State("S"); s.Active("S") && (len(states) == 0 || states[len(states)-1] != now) {
			states = append(states, now)
		}
		if done() {
			return states
		}
		s.Step(1)
	}
	s.t.Fatalf("not done; states %q\n%s", states, s.Describe())
	return nil
}

// lastly waits until the subject has ended in a debug state.
func (s scene) lastly(limit time.Duration, state string) {
	s.t.Helper()
	s.Until(limit, "the end", func() bool { return s.Started("S") > 0 && !s.Active("S") })
	if got := s.State("S"); got != state {
		s.t.Errorf("it ended in state %q, want %q", got, state)
	}
	s.NoRefusals()
}

// ended says that the subject has lost control.
func (s scene) ended() bool { return !s.Active("S") }

// mistakes are the findings in the JSON of a subject.
func mistakes(t *testing.T, subject string, files ...string) string {
	t.Helper()
	archive := "-- S.json --\n" + `{"behaviorID": "S", ` + subject + "}\n" + strings.Join(files, "\n")
	_, diags := behaviortest.Catalog(t, archive, cast(), catalog.Boot{Base: "S", Fallback: "S", Intents: spoken})
	return diags.String()
}
