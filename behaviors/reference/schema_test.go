package reference_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/resources"
)

var update = flag.Bool("update", false, "write the shipped schemas and the page anew")

// golden compares a file with what it should hold, or writes it.
func golden(t *testing.T, file string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the classes and conditions accept now: go test ./behaviors/reference -update", filepath.Base(file))
	}
}

func TestShippedSchemasAreWhatFilesMayHold(t *testing.T) {
	for name, s := range reference.Of(library.Registry()).Schemas(nil) {
		golden(t, filepath.Join("..", "..", "resources", resources.SchemaDir, name), indented(t, s))
	}
}

func indented(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// compiled are the schemas of the built-in tree with its names, by file name.
func compiled(t *testing.T, names reference.Names) map[string]*jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	schemas := reference.Of(library.Registry()).Schemas(names)
	for name, s := range schemas {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(indented(t, s)))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(name, v); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]*jsonschema.Schema{}
	for name := range schemas {
		s, err := c.Compile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = s
	}
	return out
}

// value is a file as the validator takes it.
func value(t *testing.T, file, text string) any {
	t.Helper()
	d, diags := resources.Parse(file, []byte(text))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(d.JSON()))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestShippedFilesFollowTheSchemasThatTheyName(t *testing.T) {
	tree := resources.Embedded()
	plain, strict := compiled(t, nil), compiled(t, shippedNames(t))
	n := 0
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !resources.OfRobot(name) {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		v := value(t, name, string(text))
		if link, ok := v.(map[string]any)["$schema"]; ok && link != reference.Link(name) {
			t.Errorf("%s: $schema is %q, want %q", name, link, reference.Link(name))
		}
		if _, err := fs.Stat(tree, path.Join(path.Dir(name), reference.Link(name))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		n++
		if reference.SchemaOf(name) == "robot.schema.json" { // the command line makes that one, and tests it
			return nil
		}
		for _, schemas := range []map[string]*jsonschema.Schema{plain, strict} {
			if err := schemas[reference.SchemaOf(name)].Validate(v); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
	if err != nil || n < 30 {
		t.Errorf("%d files, %v", n, err)
	}
}

func TestExamplesFollowTheSchema(t *testing.T) {
	names := shippedNames(t)
	schema := compiled(t, names)[reference.BehaviorSchema]
	r := reference.Of(library.Registry())
	for _, c := range r.Classes {
		text, _ := r.Example(c.Name, reference.ExampleID, names)
		if err := schema.Validate(value(t, c.Name, text)); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
	}
	for _, c := range r.Conditions {
		text, _ := r.ConditionExample(c.Name, names)
		file := `{"behaviorClass": "Wait", "behaviorID": "X", "wantsToBeActivatedCondition": ` + text + `}`
		if err := schema.Validate(value(t, c.Name, file)); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
	}
}

func TestSchemaRejectsMistakesAtTheirPlace(t *testing.T) {
	schema := compiled(t, shippedNames(t))[reference.BehaviorSchema]
	wait := func(more string) string { return `{"behaviorClass": "Wait", "behaviorID": "X"` + more + `}` }
	gate := func(condition string) string { return wait(`, "wantsToBeActivatedCondition": ` + condition) }
	for text, place := range map[string]string{
		`{"behaviorID": "X"}`:                                                          "behaviorClass",
		`{"behaviorClass": "Wait"}`:                                                    "behaviorID",
		`{"behaviorClass": "Wiat", "behaviorID": "X"}`:                                 "/behaviorClass",
		`{"behaviorClass": "Wait", "behaviorID": "a@b"}`:                               "/behaviorID",
		`{"behaviorClass": "Wait", "behaviorID": "my-behavior"}`:                       "/behaviorID",
		`{"behaviorClass": "Wait", "behaviorID": "3Waits"}`:                            "/behaviorID",
		wait(`, "doing": ""`):                                                          "/doing",
		wait(`, "doing": "  "`):                                                        "/doing",
		wait(`, "doing": "Two\nlines"`):                                                "/doing",
		wait(`, "doing": "` + strings.Repeat("x", 61) + `"`):                           "/doing",
		wait(`, "duration_s": 1`):                                                      "duration_s",
		wait(`, "resetTimers": ["NoSuchTimer"]`):                                       "/resetTimers/0",
		wait(`, "behaviorModifiers": {"behaviorAlwaysDelegates": true}`):               "/behaviorModifiers/behaviorAlwaysDelegates",
		wait(`, "behaviorModifiers": {"wantsToBeActivatedWhenOnChrager": true}`):       "/behaviorModifiers",
		wait(`, "respondToUserIntents": [{"type": "danse"}]`):                          "/respondToUserIntents/0/type",
		wait(`, "associatedActiveFeature": "Nothing"`):                                 "/associatedActiveFeature",
		wait(`, "tracksToLockWhileActivated": ["HEAD"]`):                               "/tracksToLockWhileActivated/0",
		wait(`, "anonymousBehaviors": [{"behaviorClass": "Wait", "behaviorID": "Y"}]`): "/anonymousBehaviors/0",
		`{"behaviorClass": "StandStill", "behaviorID": "X"}`:                           "duration_s",
		`{"behaviorClass": "StandStill", "behaviorID": "X", "duration_s": -1}`:         "/duration_s",
		`{"behaviorClass": "StandStill", "behaviorID": "X", "duration_s": "1"}`:        "/duration_s",
		gate(`{}`):                            "conditionType",
		gate(`{"conditionType": "OnChargr"}`): "/wantsToBeActivatedCondition/conditionType",
		gate(`{"conditionType": "OnCharger", "now": true}`):                                                             "now",
		gate(`{"conditionType": "OnCharger", "customCondition": "x"}`):                                                  "/wantsToBeActivatedCondition",
		gate(`{"conditionType": "Compound", "and": [{"conditionType": "OnCharger"}]}`):                                  "/wantsToBeActivatedCondition/and",
		gate(`{"conditionType": "Compound", "not": {"or": [{"conditionType": "OnCharger"}, {"conditionType": "No"}]}}`): "/wantsToBeActivatedCondition/not/or/1/conditionType",
		gate(`{"conditionType": "Compound"}`):                                                                           "/wantsToBeActivatedCondition",
	} {
		err := schema.Validate(value(t, "X.json", text))
		if err == nil {
			t.Errorf("accepted: %s", text)
		} else if !strings.Contains(err.Error(), place) {
			t.Errorf("%s: the error does not name %s: %v", text, place, err)
		}
	}
}

// Rules: data/1.1f.
func TestMapOfReactionsFollowsItsSchema(t *testing.T) {
	schema := compiled(t, nil)[reference.SchemaOf("conditionToBehaviorMap.json")]
	const options = `"behaviorOptions": ["Hop"]`
	for text, right := range map[string]bool{
		`{"conditionToBehaviorMap": [{"conditionType": "OnCharger", ` + options + `}]}`:                                                    true,
		`{"conditionToBehaviorMap": [{"conditionType": "Emotion", "emotion": "Happy", "min": 0.5, ` + options + `}]}`:                      true,
		`{"conditionToBehaviorMap": [{"conditionType": "Compound", "not": {"conditionType": "OnCharger"}, ` + options + `}]}`:              true,
		`{"editModeTrigger": "OnCharger", "conditionToBehaviorMap": [{"conditionType": "OnCharger", ` + options + `}]}`:                    true,
		`{"editModeTrigger": {"conditionType": "OnCharger"}, "conditionToBehaviorMap": [{"conditionType": "OnCharger", ` + options + `}]}`: true,
		`{"editModeTrigger": "OnChargr", "conditionToBehaviorMap": [{"conditionType": "OnCharger", ` + options + `}]}`:                     false,
		`{"editModeTrigger": 5, "conditionToBehaviorMap": [{"conditionType": "OnCharger", ` + options + `}]}`:                              false,
		`{"conditionToBehaviorMap": []}`: false,
		`{"conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviorOptions": []}]}`:                                                  false,
		`{"conditionToBehaviorMap": [{"conditionType": "OnCharger"}]}`:                                                                         false,
		`{"conditionToBehaviorMap": [{` + options + `}]}`:                                                                                      false,
		`{"conditionToBehaviorMap": [{"customCondition": "X", ` + options + `}]}`:                                                              false,
		`{"conditionToBehaviorMap": [{"conditionType": "OnChargr", ` + options + `}]}`:                                                         false,
		`{"conditionToBehaviorMap": [{"conditionType": "Emotion", ` + options + `}]}`:                                                          false,
		`{"conditionToBehaviorMap": [{"conditionType": "OnCharger", "min": 1, ` + options + `}]}`:                                              false,
		`{"conditionToBehaviorMap": [{"conditionType": "Compound", ` + options + `}]}`:                                                         false,
		`{"conditionToBehaviorMap": [{"conditionType": "Compound", "not": {"conditionType": "OnCharger", ` + options + `}, ` + options + `}]}`: false,
	} {
		if err := schema.Validate(value(t, "conditionToBehaviorMap.json", text)); (err == nil) != right {
			t.Errorf("%s: %v", text, err)
		}
	}
}
