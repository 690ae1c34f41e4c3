package examples_test

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/examples"
	"github.com/robotd/robotd/resources"
)

// The tests of this file take the statements of the seed document so-you-want-to-write-a-behavior about what stands around a behavior:
// activities, choosers, Selection and Freeplay, and the files that lead from one to the other. What it says of running behaviors is
// shown in package engine, of single files in package behaviors.

// files reads the resource folder of the examples, for tests that change it.
func files(t *testing.T) fstest.MapFS {
	t.Helper()
	all, tree := fstest.MapFS{}, os.DirFS("testdata")
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		all[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// edit replaces text of one file.
func edit(t *testing.T, tree fstest.MapFS, name, from, to string) {
	t.Helper()
	text := string(tree[name].Data)
	if !strings.Contains(text, from) {
		t.Fatalf("%s has no %s", name, from)
	}
	tree[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, from, to, 1))}
}

// beginFiles starts a scenario with changed files.
func beginFiles(t *testing.T, tree fs.FS, base string) *behaviortest.Env {
	t.Helper()
	return behaviortest.New(t, behaviortest.Options{Catalog: behaviortest.Load(t, tree, examples.Registry()), Base: base, Seed: 1})
}

// tell makes an outside program select a behavior.
func tell(e *behaviortest.Env, id string) {
	e.Command(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: "select", Data: map[string]string{"behavior": id}}})
}

const (
	housework = "behaviors/freeplay/Housework.json"
	freeplay  = "behaviors/freeplay/Freeplay.json"
)

// "Are you sure it's a behavior": a behavior can be interrupted at any point in time, and responds to whatever the world is when it is
// selected the next time. "InitInternal", fast-forward: it goes on with the furthest step whose preconditions are met, so it never
// goes back, and the goal is reached whenever it was interrupted.
func TestSeedInterruptedAnywhereAndFastForwarded(t *testing.T) {
	steps := []string{"driving to the first cube", "picking it up", "driving to the second cube", "putting it down"}
	seen := map[string]int{}
	for at := 1; ; at += 3 {
		e := begin(t, "CubeBase")
		e.Body.Cubes = []behaviortest.Cube{{ID: 1, XMM: 200}, {ID: 2, XMM: 200, YMM: 100}}
		e.Step(at)
		if !e.Active("StackOneOnTwo") {
			break // it was done before
		}
		before := e.State("StackOneOnTwo")
		e.Intent("come_here")
		reach(t, e, "ComeHereCommand", "")
		if e.Active("StackOneOnTwo") {
			t.Fatalf("tick %d: not interrupted", at)
		}
		e.Until(time.Minute, "its turn again, or nothing left to do", func() bool { return e.Active("StackOneOnTwo") || e.Active("Idle") })
		if after := e.State("StackOneOnTwo"); e.Active("StackOneOnTwo") {
			if slices.Index(steps, after) < slices.Index(steps, before) {
				t.Errorf("tick %d: interrupted while %s, went on with %s", at, before, after)
			}
			seen[before]++
			reach(t, e, "Idle", "")
		}
		if a, b := e.Body.Cubes[0], e.Body.Cubes[1]; e.Body.Carried() != 0 || (a.XMM-b.XMM)*(a.XMM-b.XMM)+(a.YMM-b.YMM)*(a.YMM-b.YMM) > 22*22 {
			t.Errorf("tick %d: cubes at %+v and %+v", at, a, b)
		}
		e.NoRefusals()
	}
	for _, s := range []string{steps[0], steps[2]} { // the others take a tick
		if seen[s] < 5 {
			t.Errorf("interrupted %d times while %s", seen[s], s)
		}
	}
}

// "Are you sure it's a behavior": what needs greater persistence, across a larger timespan, is an activity: it knows of what its
// behaviors forget.
func TestSeedActivityRemembersWhatBehaviorsForget(t *testing.T) {
	e := begin(t, "")
	var states []string
	e.Until(time.Minute, "the end", func() bool {
		if s := e.State("Housework"); e.Tick() > 0 && !slices.Contains(states, s) {
			states = append(states, s)
		}
		return e.Tick() > 0 && !e.Active("Housework")
	})
	if got := strings.Join(states, ", "); got != "1: Sweep, 2: Sweep, 3: Sweep" {
		t.Errorf("it knew of %s", got)
	}
	if e.Started("Housework") != 1 || e.Started("Sweep") != 3 || e.State("Sweep") != "working" {
		t.Errorf("%d activations over %d sweeps, the last one is %q", e.Started("Housework"), e.Started("Sweep"), e.State("Sweep"))
	}
}

// "How data drives the behavior system": variants of a behavior are instances of one class with other data.
// Rules: 5/Constructor.
func TestSeedVariantsAreFilesOfOneClass(t *testing.T) {
	cat := exampleCatalog(t)
	for id, want := range map[string]time.Duration{"Hum": time.Second, "Sweep": 2 * time.Second, "Solder": 3 * time.Second} {
		if class := cat.Find(id).Class; class.Name != "Chore" {
			t.Errorf("%s is a %s", id, class.Name)
		}
		e := begin(t, id)
		e.Step(1)
		from := e.Now()
		e.Until(time.Minute, "the end of its work", func() bool { return len(e.Out.Done) > 0 })
		if d := e.Now().Sub(from); d < want || d > want+2*behaviortest.Period {
			t.Errorf("%s took %v, its file says %v", id, d, want)
		}
	}
}

// "How data drives the behavior system": the configuration leads to the activities, these to files of the same name, and these
// to behaviors by ID: activities_config → activities → behaviors.
func TestSeedFilesLeadFromConfigurationToBehaviors(t *testing.T) {
	cat := exampleCatalog(t)
	depth := map[string]int{}
	var walk func(id string, at int)
	walk = func(id string, at int) {
		entry := cat.Find(id)
		if entry == nil {
			t.Fatalf("%q leads nowhere", id)
		}
		if name := strings.TrimSuffix(path.Base(entry.File), ".json"); name != id {
			t.Errorf("%s is defined in %s", id, entry.File)
		}
		if depth[id] = max(depth[id], at); at > 10 {
			t.Fatalf("%s is too deep", id)
		}
		for _, next := range entry.Delegates {
			walk(next, at+1)
		}
	}
	walk(cat.Boot.Base, 0)
	for id, want := range map[string]int{"Robot": 0, "Selection": 1, "Freeplay": 1, "Housework": 2, "Company": 2, "Sweep": 3, "Recital": 3} {
		if got, ok := depth[id]; !ok || got != want {
			t.Errorf("%s is %d files away from the configuration, want %d", id, got, want)
		}
	}
	// A name that leads nowhere is an error where it stands.
	tree := files(t)
	edit(t, tree, housework, `["Sweep"]`, `["Swep"]`)
	docs, _ := resources.LoadBehaviors(tree)
	boot, _ := resources.LoadFile(tree, catalog.BootFile)
	_, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot}, examples.Registry())
	if got := diags.String(); !strings.Contains(got, housework+":8:17: error:") || !strings.Contains(got, `did you mean "Sweep"?`) {
		t.Errorf("%s", got)
	}
}

// "How data drives the behavior system": most of the time it is in Selection, where an outside program calls behaviors directly, or in
// Freeplay, where it decides for itself; and never in both.
func TestSeedRobotIsInSelectionOrFreeplay(t *testing.T) {
	e := begin(t, "")
	e.Body.People = []behaviortest.Person{{ID: 1, XMM: 500}}
	in := map[string]int{}
	live := func(d time.Duration, allowed ...string) {
		for end := e.Now().Add(d); e.Now().Before(end); e.Step(1) {
			chain := e.Chain()
			for _, id := range []string{"Selection", "Freeplay"} {
				if slices.Contains(chain, id) {
					in[id]++
				}
			}
			if e.Active("Selection") && e.Active("Freeplay") {
				t.Fatalf("both: %v", chain)
			}
			if e.Active("Selection") && len(chain) > 2 && !slices.Contains(allowed, chain[2]) {
				t.Fatalf("it decided for itself: %v", chain)
			}
		}
	}
	live(20 * time.Second)
	touch(e) // a reaction in between
	reach(t, e, "Freeplay", "")
	e.Intent("take_control")
	live(5 * time.Second)
	for _, id := range []string{"Patrol", "Sweep"} {
		tell(e, id)
		e.Step(1)
		if got := strings.Join(e.Chain(), " "); got != "Robot Selection "+id {
			t.Errorf("selected %s: %s", id, got)
		}
		live(5*time.Second, id)
	}
	e.Intent("give_control")
	live(20 * time.Second)
	if all := int(e.Tick()); in["Selection"] < 200 || in["Freeplay"] < 500 || in["Selection"]+in["Freeplay"] < all*9/10 {
		t.Errorf("of %d ticks %v", all, in)
	}
	e.NoRefusals()
}

// "How data drives the behavior system": Freeplay is a strict priority list of activities; the order in its file is the priority.
// Rules: P-4.
func TestSeedFreeplayIsAStrictPriorityList(t *testing.T) {
	for list, want := range map[string]string{`["Company", "Housework"]`: "Company", `["Housework", "Company"]`: "Housework"} {
		tree := files(t)
		edit(t, tree, freeplay, `["Company", "Housework"]`, list)
		e := beginFiles(t, tree, "Robot")
		e.Body.People = []behaviortest.Person{{ID: 1, XMM: 500}} // both want from the first tick on
		e.Step(2)
		e.Until(10*time.Second, "a choice", func() bool { return e.Active("Company") || e.Active("Housework") })
		if want == "Company" {
			reach(t, e, "Company", "") // Housework may have begun in the tick before the face was known
		}
		e.For(20 * time.Second)
		if !e.Active(want) {
			t.Errorf("%s: %v", list, e.Chain())
		}
	}
}

// "How behaviors are loaded into activities/choosers": a chooser grabs the behaviors that its file names. A new behavior is a file, and
// its ID in the list: nothing in code.
// Rules: 5/BehaviorChooser.
func TestSeedChooserRunsBehaviorsOfItsFile(t *testing.T) {
	tree := files(t)
	tree["behaviors/freeplay/Dust.json"] = &fstest.MapFile{Data: []byte(`{ "behaviorClass": "Chore", "behaviorID": "Dust", "work_s": 1, "say": "Dust" }`)}
	edit(t, tree, housework, `["Sweep"]`, `["Dust", "Sweep"]`)
	e := beginFiles(t, tree, "Robot")
	e.For(2 * time.Second)
	if got := strings.Join(e.Chain(), " "); got != "Robot Freeplay Housework Dust" || !slices.Contains(e.Said(), "Dust") {
		t.Errorf("%q, said %q", got, e.Said())
	}
}

// "How behaviors are loaded into activities/choosers": a behavior that passes data to another manages that one itself. The same helper
// takes one cube for one and another cube for another; a chooser, which has no data, never gets it to run.
func TestSeedCallerPassesDataToHelper(t *testing.T) {
	tree := files(t)
	edit(t, tree, "behaviors/cubes/FetchInHaste.json", `"cube": 1, "patience_s": 1`, `"cube": 2, "patience_s": 30`)
	for base, want := range map[string]int{"FetchBase": 1, "FetchInHasteBase": 2} {
		e := beginFiles(t, tree, base)
		e.Body.Cubes = []behaviortest.Cube{{ID: 1, XMM: 250}, {ID: 2, XMM: 250, YMM: 80}}
		reach(t, e, "PickUp", "")
		e.Until(time.Minute, "the end", func() bool { return len(e.Said()) > 0 })
		if e.Body.Carried() != want || e.Started("PickUp") != 1 {
			t.Errorf("%s: carries %d, %d runs of the helper", base, e.Body.Carried(), e.Started("PickUp"))
		}
		e.NoRefusals()
	}
	edit(t, tree, housework, `["Sweep"]`, `["PickUp", "Sweep"]`)
	e := beginFiles(t, tree, "Robot")
	e.Body.Cubes = []behaviortest.Cube{{ID: 1, XMM: 250}}
	e.For(10 * time.Second)
	if e.Started("PickUp") != 0 || e.Started("Sweep") == 0 {
		t.Errorf("chosen %d times", e.Started("PickUp"))
	}
}
