package reference_test

import (
	"io/fs"
	"testing"

	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/resources"
)

func TestArrangePutsClassNameAndCommonKeysFirst(t *testing.T) {
	src := `{
  // whose
  "behaviors": ["In"],
  "anonymousBehaviors": [{ "duration_s": 1, "behaviorName": "In", "behaviorClass": "StandStill" }],
  "wantsToBeActivatedCondition": { "and": [{ "conditionType": "OnCharger" }, { "minTouchTime": 1, "conditionType": "RobotTouched" }], "conditionType": "Compound" },
  "doing": "Resting",
  "behaviorID": "Rest",
  "behaviorClass": "DispatcherQueue"
}`
	want := `{
  "behaviorClass": "DispatcherQueue",
  "behaviorID": "Rest",
  "doing": "Resting",
  "wantsToBeActivatedCondition": {
    "conditionType": "Compound",
    "and": [{ "conditionType": "OnCharger" }, { "conditionType": "RobotTouched", "minTouchTime": 1 }]
  },
  // whose
  "behaviors": ["In"],
  "anonymousBehaviors": [{ "behaviorClass": "StandStill", "behaviorName": "In", "duration_s": 1 }]
}
`
	got, diags, err := resources.Format("Rest.json", []byte(src), reference.Of(library.Registry()).Arrange())
	if err != nil || len(diags) > 0 {
		t.Fatal(diags, err)
	}
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestShippedFilesAreFormatted(t *testing.T) {
	arrange := reference.Of(library.Registry()).Arrange()
	err := fs.WalkDir(resources.Embedded(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !resources.OfRobot(name) {
			return err
		}
		src, err := fs.ReadFile(resources.Embedded(), name)
		if err != nil {
			return err
		}
		out, diags, err := resources.Format(name, src, arrange)
		if err == nil && string(out) != string(src) {
			t.Errorf("%s is not formatted: robotd fmt resources %v", name, diags)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
