package engine_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// bareCatalog is one behavior that does nothing.
func bareCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Idle", New: func(*behaviors.Config) behaviors.Behavior { return struct{}{} }})
	doc, _ := resources.Parse("A.json", []byte(`{"behaviorClass":"Idle","behaviorID":"A"}`))
	boot, _ := resources.Parse(catalog.BootFile, []byte(`{"normalBaseBehavior":"A","fallbackBehavior":"A","userIntents":[]}`))
	cat, diags := catalog.Build(catalog.Sources{Behaviors: []*resources.Document{doc}, Boot: boot}, reg)
	if cat == nil {
		t.Fatal(diags)
	}
	return cat
}

// What an engine knew is what the next one knows, and a recording of it holds what it was told.
// Rules: data/5.6a.
func TestMemoryOutlivesTheEngineAndIsRecorded(t *testing.T) {
	m := &engine.Memory{
		Mood: []engine.Feeling{{Emotion: "Happy", Value: 0.5, Age: time.Second}}, Timers: []engine.Age{{Name: "nap", Age: time.Minute}},
		Events: []engine.Age{{Name: "joy", Age: time.Hour}}, Stats: []engine.Count{{Name: "played", N: 7}},
		Seen: hardware.Remembered{
			Faces:  []hardware.RememberedFace{{ID: 3, Name: "Ada", DistanceMM: 400, Age: time.Second}},
			Docked: true, Pose: hardware.Pose{XMM: 100}, Places: []hardware.RememberedPlace{{ID: 2, Kind: hardware.KindCube, Pose: hardware.Pose{XMM: 300}, Age: time.Minute}},
		},
	}
	cat := bareCatalog(t)
	var rec tape.Tape
	e, err := engine.New(engine.Options{Catalog: cat, Memory: m, Recorder: tape.NewRecorder(rec.Add)})
	if err == nil {
		err = e.Start(epoch)
	}
	if err != nil {
		t.Fatal(err)
	}
	for tick := range uint64(3) {
		now := epoch.Add(time.Duration(tick+1) * period)
		charger := hardware.Reading[hardware.ChargerState]{Quality: hardware.OK, Value: hardware.ChargerState{OnContacts: true}}
		e.Step(engine.Input{Tick: tick + 1, Now: now, World: hardware.Snapshot{Now: now, Charger: charger}, Seed: 1})
	}
	v := e.View()
	if again := e.Memory(); len(again.Mood) != 1 || again.Mood[0].Value != 0.5 || e.Stat("played") != 7 || !v.Timers["nap"].Equal(epoch.Add(-time.Minute)) {
		t.Errorf("mood %v, stat %d, timers %v", v.Mood, e.Stat("played"), v.Timers)
	}
	if n, none := e.RememberedStat("played"), e.RememberedStat("other"); n != 7 || none != 0 {
		t.Errorf("%d and %d are remembered, want 7 and 0", n, none)
	}
	if f := v.World.Faces; len(f) != 1 || f[0].Name != "Ada" {
		t.Errorf("faces %+v", f)
	}
	if len(v.World.Objects) != 2 { // the cube, and the charger under the robot
		t.Errorf("objects %+v", v.World.Objects)
	}
	again := e.Memory()
	if len(again.Mood) != 1 || again.Timers[0].Age != time.Minute+3*period || again.Events[0].Name != "joy" || again.Stats[1].N != 7 || again.Seen.Faces[0].DistanceMM != 400 || !again.Seen.Docked {
		t.Errorf("kept %+v", again)
	}
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := tape.Decode(messages)
	if err != nil || !reflect.DeepEqual(back.Entries[0].Memory, m) {
		t.Errorf("recorded %+v, %v", back.Entries[0].Memory, err)
	}
	p, err := tape.NewReplay(back.Entries[0], tape.ReplayOptions{Options: engine.Options{Catalog: cat}})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range back.Entries[1:] {
		if _, err := p.Step(entry); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(p.Engine().Memory(), again) {
		t.Errorf("the replay knows %+v", p.Engine().Memory())
	}
}

// A robot that is found elsewhere than on its charger was perhaps carried: places do not count.
func TestPlacesCountOnlyOnTheChargerTheRobotStoodOn(t *testing.T) {
	for _, docked := range []bool{false, true} {
		for _, contacts := range []bool{false, true} {
			m := &engine.Memory{Seen: hardware.Remembered{Docked: docked, Places: []hardware.RememberedPlace{{ID: 2, Kind: hardware.KindCube}}}}
			e, err := engine.New(engine.Options{Catalog: bareCatalog(t), Memory: m})
			if err == nil {
				err = e.Start(epoch)
			}
			if err != nil {
				t.Fatal(err)
			}
			charger := hardware.Reading[hardware.ChargerState]{Quality: hardware.OK, Value: hardware.ChargerState{OnContacts: contacts}}
			e.Step(engine.Input{Tick: 1, Now: epoch, World: hardware.Snapshot{Now: epoch, Charger: charger}, Seed: 1})
			known := false
			for _, o := range e.View().World.Objects {
				known = known || o.Kind == hardware.KindCube
			}
			if known != (docked && contacts) {
				t.Errorf("docked %v, contacts %v: known %v", docked, contacts, known)
			}
		}
	}
}
