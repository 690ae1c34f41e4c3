package behaviortest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

const alone = `
a comment
-- Base.json --
{"behaviorClass": "Probe", "behaviorID": "Base"}
`

func env(t *testing.T) *behaviortest.Env {
	return behaviortest.New(t, behaviortest.Options{
		Classes: behaviors.NewRegistry(behaviortest.ProbeClass()), Files: alone, Intents: []string{"hello"},
	})
}

func TestSplitReturnsNamesAndFiles(t *testing.T) {
	names, files := behaviortest.Split("x\n-- A.json --\n1\n2\n-- B.json --\n3")
	if !slices.Equal(names, []string{"A.json", "B.json"}) || files["A.json"] != "1\n2\n" || files["B.json"] != "3" {
		t.Errorf("%v %q", names, files)
	}
}

func TestStepAdvancesClockAndLog(t *testing.T) {
	e := env(t)
	from := e.Now()
	e.Step(2)
	if d := e.Now().Sub(from); d != 2*behaviortest.Period || e.Tick() != 2 {
		t.Errorf("two ticks took %v, tick %d", d, e.Tick())
	}
	if log := e.Log(); !slices.Contains(log, "Base.activated") || !e.Active("Base") {
		t.Errorf("%v", log)
	}
	e.Intent("hello")
	e.Step(1)
	if p := e.Engine.View().Intent.Pending; p == nil || p.Tag != "hello" {
		t.Errorf("pending %+v", p)
	}
}

func TestBodyDrivesAndStopsAtTheEdge(t *testing.T) {
	e := env(t)
	e.Body.EdgeXMM = 100
	e.Step(1)
	e.Body.Apply(e.Now(), hardware.Drive{ID: 7, Kind: hardware.Straight, DistanceMM: 500, SpeedMMPS: 100})
	e.For(2 * time.Second)
	if x := e.Body.XMM; x < 69 || x > 72 { // the front sensors are 30 mm ahead
		t.Errorf("stopped at %.1f", x)
	}
	if m := e.World().Motors.Value; m.Phase != hardware.PhaseAborted || m.Reason != "cliff" {
		t.Errorf("%+v", m)
	}
	if x := e.World().Body.Pose.XMM; x < 69 || x > 72 {
		t.Errorf("odometry at %.1f", x)
	}
}

func TestBodyHeldReadsInAir(t *testing.T) {
	e := env(t)
	e.Step(2)
	e.Body.Held = true
	e.Until(time.Second, "the robot feels it", func() bool { return e.World().Body.Treads == hardware.InAir })
	e.Body.Held = false
	e.Until(time.Second, "it stands again", func() bool { return e.World().Body.Treads == hardware.OnTreads })
}

func TestBodySeesFacesAndCharger(t *testing.T) {
	e := env(t)
	e.Body.People = []behaviortest.Person{{ID: 4, Name: "Ada", XMM: 500, YMM: 100}, {ID: 5, XMM: -500}}
	e.Body.Charger = &hardware.Pose{XMM: 300, YMM: -50, HeadingRad: 3}
	e.Step(2)
	if f := e.World().Faces; len(f) != 1 || f[0].ID != 4 || f[0].DistanceMM < 505 || f[0].DistanceMM > 515 {
		t.Errorf("faces %+v", f)
	}
	home, ok := e.World().Charger()
	if !ok || home.Pose.XMM < 299 || home.Pose.XMM > 301 {
		t.Errorf("charger %+v", home)
	}
}

func TestBrokenCliffSensorForbidsDriving(t *testing.T) {
	e := env(t)
	e.Body.Broken = map[string]hardware.Quality{hardware.Cliff: hardware.Failed}
	e.Step(2)
	if e.World().Body.CanDrive {
		t.Error("it can drive without cliff sensors")
	}
}

// counting is a hook runner that counts hooks.
type counting struct {
	*engine.Direct
	hooks int
}

func (j *counting) Run(c *engine.Cell, f *engine.Frame) error {
	j.hooks++
	return j.Direct.Run(c, f)
}

func TestOptionsHooksReplacesHookRunner(t *testing.T) {
	j := &counting{Direct: &engine.Direct{}}
	e := behaviortest.New(t, behaviortest.Options{
		Classes: behaviors.NewRegistry(behaviortest.ProbeClass()), Files: alone, Hooks: j,
	})
	e.Step(2)
	if j.hooks < 4 { // Init, question, activation, updates
		t.Errorf("%d hooks", j.hooks)
	}
}
