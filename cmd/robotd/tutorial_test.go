package main_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/examples/nod"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

const tutorial = "../../resources/README.md"

// tutorialTree is the shipped tree with all that the tutorial writes and changes in it.
func tutorialTree(t *testing.T) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	err := fs.WalkDir(resources.Embedded(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := fs.ReadFile(resources.Embedded(), name)
		tree[name] = &fstest.MapFile{Data: src}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range tutorialSteps(t) {
		name, ours := strings.CutPrefix(s.file, tutorialDir+"/")
		switch {
		case !ours:
		case s.kind == "json":
			tree[name] = &fstest.MapFile{Data: []byte(s.text)}
		case s.kind == "diff":
			tree[name] = &fstest.MapFile{Data: []byte(patch(t, name, string(tree[name].Data), s.text))}
		}
	}
	return tree
}

// tutorialClasses are the shipped classes with the tutorial's own, which is there already once a reader has added it.
func tutorialClasses() *behaviors.Registry {
	classes := slices.Concat(dispatch.Classes(), library.Classes())
	if !slices.ContainsFunc(classes, func(c behaviors.Class) bool { return c.Name == nod.NodClass().Name }) {
		classes = append(classes, nod.NodClass())
	}
	return behaviors.NewRegistry(classes...)
}

// catalogOf loads a tree with the shipped classes and the tutorial's own.
func catalogOf(tree fs.FS) (*catalog.Catalog, resources.Diagnostics) {
	docs, diags := resources.LoadBehaviors(tree)
	boot, more := resources.LoadFile(tree, catalog.BootFile)
	mood, found := catalog.LoadMood(tree)
	clips, unread := animation.Load(tree)
	diags = slices.Concat(diags, more, found, unread)
	catalog, found := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot, Mood: mood, Animations: clips}, tutorialClasses())
	return catalog, append(diags, found...)
}

// A bench is a robot without a body: devices that always answer and have always done what they were told.
type bench struct {
	*engine.Engine
	world    hardware.Snapshot
	tick     uint64
	now      time.Time
	commands []engine.Command
	heads    int // commands to the head
	events   []string
}

func newBench(t *testing.T, catalog *catalog.Catalog) *bench {
	t.Helper()
	e, err := engine.New(engine.Options{Catalog: catalog})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Engine: e, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	if err := e.Start(b.now); err != nil {
		t.Fatal(err)
	}
	b.put(hardware.Battery, hardware.BatteryState{Volts: 4, Ratio: 0.8})
	b.put(hardware.Charger, hardware.ChargerState{})
	b.put(hardware.Cliff, hardware.CliffState{Raw: [4]float64{800, 800, 800, 800}})
	b.put(hardware.Display, hardware.DisplayState{})
	b.put(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, 9810}})
	b.put(hardware.Lights, hardware.LightsState{})
	b.put(hardware.Motors, hardware.MotorState{})
	b.put(hardware.Range, hardware.RangeState{DistanceMM: 1200})
	b.put(hardware.Servos, hardware.ServoState{LiftMM: 32})
	b.put(hardware.Speaker, hardware.SpeakerState{})
	b.put(hardware.Touch, hardware.TouchState{})
	b.put(hardware.Vision, hardware.Detections{})
	return b
}

func (b *bench) put(device string, value any) {
	b.world.Put(&hardware.Sample{Device: device, Seq: b.tick + 1, At: b.now, Quality: hardware.OK, Value: value})
}

// step runs a tick and notes what was activated and deactivated.
func (b *bench) step() {
	b.tick++
	b.now = b.now.Add(60 * time.Millisecond)
	b.put(hardware.IMU, b.world.IMU.Value)
	out := b.Step(engine.Input{Tick: b.tick, Now: b.now, World: b.world, Commands: b.commands, Seed: 1})
	b.commands = nil
	for _, c := range out.Commands {
		b.obey(c)
	}
	for _, e := range out.Events {
		if e.Kind == stack.EventActivated || e.Kind == stack.EventDeactivated {
			b.events = append(b.events, e.String())
		}
	}
}

// obey lets the body do at once what it was told.
func (b *bench) obey(c hardware.Command) {
	switch c := c.(type) {
	case hardware.MoveHead:
		s := b.world.Servos.Value
		s.HeadID, s.HeadRad = c.ID, c.AngleRad
		b.put(hardware.Servos, s)
		b.heads++
	case hardware.Drive:
		b.put(hardware.Motors, hardware.MotorState{Enabled: true, Segment: c.ID, Phase: hardware.PhaseDone})
	}
}

// until steps until an event happens, for at most ten seconds of the robot's life.
func (b *bench) until(t *testing.T, event string) {
	t.Helper()
	for range 10 * 1000 / 60 {
		if b.step(); slices.Contains(b.events, event) {
			return
		}
	}
	t.Fatalf("%s did not happen; what did:\n%s", event, strings.Join(b.events, "\n"))
}

// Rules: data/1.11m.
func TestTutorialLoadsWithoutAFinding(t *testing.T) {
	catalog, diags := catalogOf(tutorialTree(t))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if catalog.Find("NoticeObstacle") == nil || catalog.Find("NodToWakeWord") == nil {
		t.Error("the tutorial's behaviors are not in the catalog")
	}
}

func TestTutorialNoticesAnObstacle(t *testing.T) {
	catalog, diags := catalogOf(tutorialTree(t))
	if catalog == nil {
		t.Fatal(diags)
	}
	b := newBench(t, catalog)
	for range 5 {
		b.step()
	}
	if slices.Contains(b.events, "NoticeObstacle.activated") {
		t.Fatal("curious about nothing")
	}
	b.put(hardware.Range, hardware.RangeState{DistanceMM: 60, Found: true})
	b.until(t, "NoticeObstacle.activated")
	b.until(t, "NoticeObstacle.deactivated")
}

func TestTutorialNodsToTheWakeWord(t *testing.T) {
	catalog, diags := catalogOf(tutorialTree(t))
	if catalog == nil {
		t.Fatal(diags)
	}
	b := newBench(t, catalog)
	b.step()
	b.commands = []engine.Command{{Number: 1, Kind: engine.WakeWord}}
	b.until(t, "NodToWakeWord.activated")
	b.heads = 0
	b.until(t, "NodToWakeWord.deactivated")
	if b.heads < 5 || b.heads > 6 { // the first command fell into the tick of the activation
		t.Errorf("%d commands to the head, want 6 for 3 nods", b.heads)
	}
}
