package daemon_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware"
)

const outsideBase = `{
  "behaviorClass": "Wait", "behaviorID": "Wait",
  "behaviorModifiers": { "cubeConnectionRequirements": "OptionalActive" },
  "pushTriggerWordResponse": { "getInTrigger": "look_curious", "postAudioEvent": "beep", "minStreamingDuration_ms": 500 },
  "wantsToCancelSelfCondition": {
    "conditionType": "Compound", "and": [{ "conditionType": "FaceKnown" }, { "conditionType": "UnitTestCondition" }]
  }
}`

// Outside processes read the wanted vision modes, cube connection and trigger word response, and their detections reach the
// behaviors.
func TestOutsideProcessesReadWantedServices(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"behaviors/Wait.json": outsideBase,
		catalog.BootFile:      `{"normalBaseBehavior": "Wait", "fallbackBehavior": "Wait", "userIntents": ["hello"]}`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := setup.OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	cat, diags := tree.Catalog(library.Registry())
	if cat == nil {
		t.Fatal(diags)
	}
	s := setup.Options{Catalog: cat, Log: slog.New(slog.DiscardHandler), Version: "test"}
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
		for deadline := time.Now().Add(2 * time.Minute); ; {
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
	if len(got.Vision) != len(hardware.VisionModeNames) || got.Vision[0] != (control.VisionState{Mode: "Faces", Frequency: "Low"}) || got.Vision[1].Frequency != "Never" {
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
	for deadline := time.Now().Add(2 * time.Minute); ; { // the answer to the trigger word takes a second or two
		if _, err := c.Post(ctx, "/v1/wake", struct{}{}); err != nil {
			t.Fatal(err)
		}
		st := state()
		if st.Services.Word.GetIn && strings.Contains(names(st.Actions), "AnswerTriggerWord") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after the trigger word: %+v, %v", st.Services.Word, names(st.Actions))
		}
	}
	for deadline := time.Now().Add(2 * time.Minute); state().Services.Cube.State != "idle"; { // no process confirms the connection
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
