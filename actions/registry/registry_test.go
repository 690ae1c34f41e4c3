package registry_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/registry"
)

// sample is a value that a key takes.
func sample(k *registry.Key) string {
	switch {
	case len(k.Choices) > 0:
		return k.Choices[0]
	case k.Type == registry.Flag:
		return "true"
	case k.Type == registry.Clip:
		return "celebrate"
	case k.Type == registry.Path:
		return "line:200,turn:90,arc:300:45"
	case k.Type == registry.Text:
		return "hello"
	case k.Min <= 100 && k.Max >= 100:
		return "100"
	}
	return strconv.FormatFloat(min(max(k.Min, 10), k.Max), 'f', -1, 64)
}

// Every action is made from its required keys, from all of them, and refuses each one that is left out.
func TestEveryActionIsMadeFromItsKeys(t *testing.T) {
	for _, k := range registry.All() {
		all, needed := map[string]string{}, map[string]string{}
		for i := range k.Keys {
			key := &k.Keys[i]
			all[key.Name] = sample(key)
			if key.Required {
				needed[key.Name] = sample(key)
			}
			if key.Doc == "" || !key.Required && key.Default == "" {
				t.Errorf("%s %s: no doc, or neither required nor with a default", k.Name, key.Name)
			}
		}
		for _, pairs := range []map[string]string{all, needed} {
			a, _, err := registry.Make(k.Name, pairs, nil)
			if err != nil {
				t.Errorf("%s %v: %v", k.Name, pairs, err)
				continue
			}
			if a.Type() == actions.TypeUnknown {
				t.Errorf("%s has no type", k.Name)
			}
		}
		for key, text := range needed {
			delete(needed, key)
			if _, _, err := registry.Make(k.Name, needed, nil); err == nil || !strings.Contains(err.Error(), key+" is missing") {
				t.Errorf("%s without %s: %v", k.Name, key, err)
			}
			needed[key] = text
		}
	}
	if !slices.IsSorted(registry.Names()) {
		t.Error("the names are not sorted")
	}
}

// A mistake is told with action, key, what was expected, and the nearest valid value.
func TestMistakesNameKeyAndNearestValue(t *testing.T) {
	for _, c := range []struct{ name, pairs, want string }{
		{"VisuallyVerifyFace", "", `there is no action "VisuallyVerifyFace"; did you mean "VerifyFace"?`},
		{"DriveStrait", "", `there is no action "DriveStrait"; did you mean "DriveStraight"?`},
		{"DriveStraight", "", `DriveStraight: distance_mm is missing: how far, such as 100; negative is backward`},
		{"DriveStraight", "distance=100", `DriveStraight: there is no parameter "distance"; did you mean "distance_mm"?`},
		{"DriveStraight", "distance_mm=far", `DriveStraight: distance_mm: "far" is no number such as 10`},
		{"DriveStraight", "distance_mm=NaN", `DriveStraight: distance_mm: "NaN" is no number such as 10`},
		{"DriveStraight", "distance_mm=+Inf", `DriveStraight: distance_mm: +Inf is not between -10000 and 10000 mm; the nearest is 10000`},
		{"DriveStraight", "distance_mm=9,speed_mmps=900", `DriveStraight: speed_mmps: 900 is not between 10 and 170 mm/s; the nearest is 170`},
		{"MoveHead", "angle_deg=5,relative=yes", `MoveHead: relative: there is no switch "yes"; valid: false true`},
		{"DriveNear", "to=charge,distance_mm=90", `DriveNear: to: there is no value "charge"; did you mean "charger"?`},
		{"DriveNear", "to=cube,id=1.5,distance_mm=90", `DriveNear: id: "1.5" is no whole number such as 10`},
		{"PlayAnimation", "clip=celebrat", `PlayAnimation: clip: there is no clip "celebrat"; did you mean "celebrate"?`},
		{"DrivePath", "path=", `DrivePath: path: leg 1, "": there is no kind of leg ""; valid: arc line turn`},
		{"DrivePath", "path=lin:5", `DrivePath: path: leg 1, "lin:5": there is no kind of leg "lin"; did you mean "line"?`},
		{"DrivePath", "path=arc:5", `DrivePath: path: leg 1, "arc:5": 1 numbers; a leg is line:MM, turn:DEGREES or arc:MM:DEGREES`},
		{"DrivePath", "path=turn:x", `DrivePath: path: leg 1, "turn:x": "x" is no number such as 90`},
		{"DrivePath", "path=turn:0", `DrivePath: path: leg 1, "turn:0": 0 ° is no way; leave the leg out`},
		{"DriveStraight", "distance_mm=1e308", `DriveStraight: distance_mm: 1e+308 is not between -10000 and 10000 mm; the nearest is 10000`},
		{"DrivePath", "path=line:-9000", `DrivePath: path: leg 1, "line:-9000": -9000 is not between -5000 and 5000 mm; the nearest is -5000`},
		{"TrackFace", "mode=heads", `TrackFace: mode: there is no value "heads"; did you mean "head"?`},
		{"CalibrateMotors", "joint=arm", `CalibrateMotors: joint: there is no value "arm"; valid: both head lift`},
		{"Say", "text=", `Say: text: a text of 0 bytes; 1 to 400 are possible`},
		{"MountCharger", "speed_mmps=20", `MountCharger: there is no parameter "speed_mmps": it takes none`},
	} {
		pairs := map[string]string{}
		for pair := range strings.SplitSeq(c.pairs, ",") {
			if key, text, ok := strings.Cut(pair, "="); ok {
				pairs[key] = text
			}
		}
		a, _, err := registry.Make(c.name, pairs, nil)
		if a != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s %s:\n got %v\nwant %s", c.name, c.pairs, err, c.want)
		}
	}
}
