package app

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// The simulator's eyes do what the newest tick wanted; before the first one they do everything. An outside process knows what it
// does.
// Rules: T-2.
func TestTheEyesDoWhatTheMindWants(t *testing.T) {
	c := clock.NewVirtual(epoch)
	defer c.Close()
	b := NewBody(c, 1, false)
	b.Rig.ShowFace("Ada", 0)
	sees := func(now time.Time) bool {
		for range 10 { // one image in thirty misses the face
			now = now.Add(100 * time.Millisecond)
			if len(b.detect(now).Faces) > 0 {
				return true
			}
		}
		return false
	}
	if !sees(epoch) {
		t.Fatal("no face before the first tick")
	}
	for _, look := range []hardware.Look{{}, hardware.LookFor(hardware.SeeFaces, hardware.Low), hardware.LookFor(hardware.SeeMarkers, hardware.High)} {
		b.ObserveTick(event.Tick{}, &engine.Output{Look: look}, nil)
		if got := sees(epoch); got != look.Sees(hardware.SeeFaces) {
			t.Errorf("%v: sees a face: %v", look, got)
		}
	}
	b.See(control.Detections{Faces: []hardware.Face{{ID: 3}}, CubeConnected: true, Carrying: true})
	if d := b.detect(epoch); len(d.Faces) != 1 || !d.CubeConnected || !d.Carrying {
		t.Errorf("from outside: %+v", d)
	}
	if d := b.detect(epoch.Add(time.Second)); len(d.Faces) != 0 || d.CubeConnected || d.Carrying {
		t.Errorf("a silent process: %+v", d)
	}
}

const outsideBase = `{
  "behaviorClass": "Wait", "behaviorID": "Wait",
  "behaviorModifiers": { "cubeConnectionRequirements": "OptionalActive" },
  "pushTriggerWordResponse": { "getInTrigger": "look_curious", "postAudioEvent": "beep", "minStreamingDuration_ms": 500 },
  "wantsToCancelSelfCondition": {
    "conditionType": "Compound", "and": [{ "conditionType": "FaceKnown" }, { "conditionType": "UnitTestCondition" }]
  }
}`

// Processes outside read what is wanted of them, and their facts reach the mind: the vision modes, the connection to the cube,
// the response to the trigger word.
func TestOutsideProcessesReadWhatIsWanted(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"behaviors/Wait.json": outsideBase,
		behaviors.BootFile:    `{"normalBaseBehavior": "Wait", "fallbackBehavior": "Wait", "userIntents": ["hello"]}`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	cat, diags := tree.Catalog()
	if cat == nil {
		t.Fatal(diags)
	}
	s := Setup{Catalog: cat, Log: slog.New(slog.DiscardHandler), Version: "test"}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	c, ctx := serve(t, s)
	state := func() (st control.State) {
		t.Helper()
		if _, err := c.Get(ctx, "/v1/state", &st); err != nil {
			t.Fatal(err)
		}
		return st
	}
	until := func(what string, ok func(control.ServicesState) bool) {
		t.Helper()
		for deadline := time.Now().Add(10 * time.Second); ; {
			got := state().Services
			if ok(got) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s: %+v", what, got)
			}
			facts := map[string]bool{"cube_connected": got.Cube.State != "idle", "carrying": true}
			if _, err := c.Post(ctx, "/v1/detections", facts); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := state().Services
	if len(got.Vision) != 3 || got.Vision[0] != (control.VisionState{Mode: "Faces", Frequency: "Low"}) || got.Vision[1].Frequency != "Never" {
		t.Errorf("vision %+v", got.Vision)
	}
	if len(got.Watchers) != 1 || got.Watchers[0].ID != "Wait" || got.Watchers[0].Condition != "cancels0" {
		t.Errorf("watchers %+v", got.Watchers)
	}
	if got.Cube.Connected || len(got.Cube.Users) != 1 { // its state follows in the second tick
		t.Errorf("cube %+v", got.Cube)
	}
	if r := got.Word.Response; r == nil || *r != (control.ResponseState{GetIn: "look_curious", Sound: "beep", MinStreamingMS: 500, Effect: "StreamingEnabled"}) {
		t.Errorf("response %+v", r)
	}
	until("the cube is connected", func(s control.ServicesState) bool {
		return s.Cube.State == "interactable" && s.Cube.Connected && s.Cube.Carrying
	})
	if _, err := c.Post(ctx, "/v1/wake", struct{}{}); err != nil {
		t.Fatal(err)
	}
	if st := state(); !st.Services.Word.GetIn || !strings.Contains(names(st.Actions), "AnswerTriggerWord") {
		t.Errorf("after the trigger word: %+v, %v", st.Services.Word, names(st.Actions))
	}
	for deadline := time.Now().Add(10 * time.Second); state().Services.Cube.State != "idle"; { // nobody confirms the connection
		if time.Now().After(deadline) {
			t.Fatalf("%+v", state().Services.Cube)
		}
	}
}

func names(all []control.ActionState) string {
	var list []string
	for _, a := range all {
		list = append(list, a.Name)
	}
	return strings.Join(list, " ")
}

// serve starts a live robot that stops with the test, and a client of it.
func serve(t *testing.T, s Setup) (*control.Client, context.Context) {
	t.Helper()
	var listeners [2]net.Listener
	for i := range listeners {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners[i] = l
	}
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := Serve(ctx, s, Live{Control: listeners[0], Metrics: listeners[1], Ready: func(url string) { ready <- url }})
		done <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-ready
	c, err := control.NewClient(listeners[0].Addr().String(), 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return c, ctx
}

// A misuse is counted and told in the log of those who look closely.
func TestMisusesAreCounted(t *testing.T) {
	var log bytes.Buffer
	p := newReporter(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), nil, time.Now)
	tally := NewTally(false, nil)
	out := &engine.Output{Misuses: []behaviors.Misuse{
		{By: "Dance", Facility: behaviors.FacilityLights, Mistake: behaviors.AlreadySet, Key: "backpack"},
		{By: "Dance", Facility: behaviors.FacilityPower, Mistake: behaviors.NotSet},
	}}
	p.ObserveTick(event.Tick{N: 1}, out, nil)
	tally.ObserveTick(event.Tick{N: 1}, out, nil)
	if n := tally.Misuses.Load(); n != 2 {
		t.Errorf("counted %d", n)
	}
	for _, text := range []string{"Dance: custom lights backpack: already set", "Dance: power-save request: not set"} {
		if !strings.Contains(log.String(), text) {
			t.Errorf("no %q in %s", text, log.String())
		}
	}
}
