package behaviortest_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
)

const traceText = `# A comment by itself.

case Beginning: The base is activated, and acts.
start Base
tick 2
----

cube 3 50 0
lift 92
stack
mood
----

case Refusals: Nothing happens to a behavior that nobody knows.
start Base
event poked
for 1s
----

case Bare: The base that begin chooses.
start
tick
----
`

const traceWant = `# A comment by itself.

case Beginning: The base is activated, and acts.
start Base
tick 2
----
tick 1
  Base.OnActivated
  Base acts: Wait

cube 3 50 0
lift 92
stack
mood
----
stack: Base; scope:
  Base ()
  action Wait of Base: running
  mood calm

case Refusals: Nothing happens to a behavior that nobody knows.
start Base
event poked
for 1s
----
tick 1
  Base.OnActivated
  Base acts: Wait
tick 10
  Base ended Wait: SUCCESS

case Bare: The base that begin chooses.
start
tick
----
tick 1
  Base.OnActivated
  Base acts: Wait
`

func TestUpdatedTracesPassUnchanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.txt")
	if err := os.WriteFile(file, []byte(traceText), 0o600); err != nil {
		t.Fatal(err)
	}
	var begun []string
	begin := func(t testing.TB, base string) *behaviortest.Env {
		begun = append(begun, path.Base(t.Name()))
		return behaviortest.New(t, behaviortest.Options{
			Classes: behaviors.NewRegistry(behaviortest.ProbeClass()), Base: base,
			Files: "-- Base.json --\n" + `{"behaviorClass": "Probe", "behaviorID": "Base", "act_s": 0.5}`,
		})
	}
	behaviortest.RunTraces(t, file, begin, true)
	got, err := os.ReadFile(file)
	if err != nil || string(got) != traceWant {
		t.Fatalf("written:\n%s\n%v", got, err)
	}
	behaviortest.RunTraces(t, file, begin, false)
	if got := strings.Join(begun, " "); got != "Beginning Refusals Bare Beginning#01 Refusals#01 Bare#01" {
		t.Errorf("the cases are %s", got)
	}
}

func TestLiftCarriesOneCube(t *testing.T) {
	e := env(t)
	e.Body.Cubes = []behaviortest.Cube{{ID: 7, XMM: 50, YMM: 40}, {ID: 8, XMM: 55}}
	e.Step(1)
	if n := len(e.World().Objects); n != 1 { // the other one is out of view
		t.Errorf("%d objects", n)
	}
	e.Body.Lift(92)
	e.Step(1)
	if e.Body.Carried() != 8 || !e.World().Body.Carrying {
		t.Fatalf("carries %d", e.Body.Carried())
	}
	e.Body.Cubes[0].YMM = 0 // in reach, but the lift is full
	e.Body.Lift(85)
	if e.Body.Carried() != 8 {
		t.Errorf("carries %d", e.Body.Carried())
	}
	e.Body.XMM += 200
	e.Body.Lift(32)
	e.Step(1)
	if c := e.Body.Cubes[1]; e.Body.Carried() != 0 || e.World().Body.Carrying || c.XMM != 245 || c.YMM != 0 {
		t.Errorf("left at %+v", c)
	}
}
