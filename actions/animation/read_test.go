package animation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// load reads a tree with these animation files, and what is wrong with them.
func load(files map[string]string) (*animation.Library, resources.Diagnostics) {
	tree := fstest.MapFS{}
	for name, text := range files {
		tree["animations/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	src, diags := animation.Load(tree)
	lib := animation.Read(src)
	for _, d := range src.Documents() {
		diags = append(diags, d.Diagnostics()...)
	}
	return lib, diags
}

const trick = `{
  "clips": [
    { "name": "hop", "length_ms": 900,
      "face": [{ "at_ms": 0, "expression": "happy" }],
      "lights": [{ "at_ms": 0, "color": "#ff8c14" }, { "at_ms": 500, "colors": ["#010203", "#000000", "#000000", "#000000", "#0a0b0c"] }],
      "sound": [{ "at_ms": 0, "sound": "chirp_happy", "duration_ms": 300 }, { "at_ms": 400, "say": "hop", "duration_ms": 400 }],
      "head": [{ "at_ms": 100, "angle_deg": 30, "speed_radps": 2 }],
      "lift": [{ "at_ms": 0, "height_mm": 60 }],
      "body": [{ "at_ms": 0, "drive_mm": 20, "speed_mmps": 80 }, { "at_ms": 400, "turn_deg": -90, "speed_radps": 4 }] }
  ],
  "groups": [{ "name": "Hop", "clips": [{ "clip": "hop", "weight": 3, "cooldown_s": 5, "moods": ["HighStim", "MedStim"] }, { "clip": "celebrate" }] }],
  "triggers": [{ "name": "Hop", "group": "Hop" }]
}`

// Every kind of keyframe is read; those of one instant come in the order of the tracks.
func TestClipOfFileHasItsKeyframes(t *testing.T) {
	lib, diags := load(map[string]string{"hop.json": trick})
	if len(diags) > 0 {
		t.Fatal(diags.String())
	}
	clip := lib.Clip("hop")
	const ms = time.Millisecond
	want := []animation.Keyframe{
		{0, animation.Eyes("happy")},
		{0, animation.Glow{R: 255, G: 140, B: 20}},
		{0, animation.Sound{Clip: "chirp_happy", Length: 300 * ms}},
		{0, animation.LiftTo{HeightMM: 60}},
		{0, animation.Roll{DistanceMM: 20, SpeedMMPS: 80}},
		{100 * ms, animation.HeadTo{AngleRad: 30 * 3.14159265358979323846264338327950288 / 180, MaxRadPS: 2}},
		{400 * ms, animation.Speech{Text: "hop", Length: 400 * ms}},
		{400 * ms, animation.Spin{AngleRad: -90 * 3.14159265358979323846264338327950288 / 180, SpeedRadPS: 4}},
		{500 * ms, animation.Lights{{R: 1, G: 2, B: 3}, {}, {}, {}, {R: 10, G: 11, B: 12}}},
	}
	if !slices.Equal(clip.Frames, want) || clip.Length != 900*ms || clip.OnCharger || clip.File != "animations/hop.json" || clip.Line != 3 {
		t.Errorf("%+v", clip)
	}
	if got := strings.Join(clip.Tracks(), " "); got != "face lights sound head lift body" {
		t.Error(got)
	}
	if !slices.Contains(lib.TriggerNames(), "Hop") || !slices.Contains(lib.Triggered(), "hop") || !slices.Contains(lib.Sounds(), "purr") {
		t.Errorf("%q, %q, %q", lib.TriggerNames(), lib.Triggered(), lib.Sounds())
	}
	g := lib.Trigger("Hop")
	if g == nil || len(g.Entries) != 2 || g.Entries[0] != (animation.Entry{Clip: "hop", Weight: 3, Cooldown: 5 * time.Second, Moods: 6}) ||
		g.Entries[1] != (animation.Entry{Clip: "celebrate", Weight: 1}) {
		t.Errorf("%+v", g)
	}
}

// What a tree defines takes the place of the built-in definition of that name; a file in the place of a built-in one takes the place of the
// whole set. Neither changes the built-in animations.
func TestOwnDefinitionTakesPlaceOfBuiltInOne(t *testing.T) {
	mine := `{"clips": [{"name": "celebrate", "length_ms": 100, "face": [{"at_ms": 0, "expression": "sad"}]}]}`
	lib, diags := load(map[string]string{"my.json": mine})
	if len(diags) > 0 || lib.Clip("celebrate").Length != 100*time.Millisecond || lib.Clip("surprised") == nil {
		t.Errorf("%v %+v", diags, lib.Clip("celebrate"))
	}
	if animation.BuiltIn().Clip("celebrate").Length == 100*time.Millisecond {
		t.Error("the built-in clip changed")
	}
	if lib, _ = load(nil); lib != animation.BuiltIn() {
		t.Error("a tree without animations has others than the built-in ones")
	}
	if lib, diags = load(map[string]string{"builtin/social.json": mine}); len(diags) > 0 || len(lib.ClipNames()) != 1 {
		t.Errorf("%v %q", diags, lib.ClipNames())
	}
}

// Every word for the mood and every expression of a file is one that the robot knows, and the limits are those of the body.
// Each slip gives one finding at its place, which says what is wanted.
func TestSlipInAnimationFileGivesOneFinding(t *testing.T) {
	clip := func(keys string) string { return `{"clips": [{"name": "x", "length_ms": 1000, ` + keys + `}]}` }
	face := `"face": [{"at_ms": 0, "expression": "happy"}]`
	group := func(entry string) string { return `{"groups": [{"name": "G", "clips": [` + entry + `]}]}` }
	for name, c := range map[string]struct{ file, want string }{
		"expression":         {clip(`"face": [{"at_ms": 0, "expression": "hapy"}]`), `1:81: error: clips[0].face[0].expression: unknown value "hapy"; did you mean "happy"? [enum-unknown]`},
		"key of a keyframe":  {clip(`"head": [{"at_ms": 0, "angle_dg": 3, "angle_deg": 2}]`), `1:67: error: unknown key "angle_dg" in clips[0].head[0]; did you mean "angle_deg"? [key-unknown]`},
		"track":              {clip(face + `, "heed": []`), `1:92: error: unknown key "heed" in clips[0]; did you mean "head"? [key-unknown]`},
		"head angle":         {clip(`"head": [{"at_ms": 0, "angle_deg": 46}]`), `1:80: error: clips[0].head[0].angle_deg: 46 is above the limit 45 [key-range]`},
		"lift height":        {clip(`"lift": [{"at_ms": 0, "height_mm": 5}]`), `1:80: error: clips[0].lift[0].height_mm: 5 is below the limit 32 [key-range]`},
		"drive too fast":     {clip(`"body": [{"at_ms": 0, "drive_mm": 50, "speed_mmps": 300}]`), `1:97: error: clips[0].body[0].speed_mmps: 300 is above the limit 170 [key-range]`},
		"drive without end":  {clip(`"body": [{"at_ms": 0, "drive_mm": 50}]`), `1:54: error: required key "speed_mmps" is missing in clips[0].body[0] [key-required]`},
		"turn and drive":     {clip(`"body": [{"at_ms": 0, "drive_mm": 5, "turn_deg": 5, "speed_radps": 1, "speed_mmps": 9}]`), `1:79: error: clips[0].body[0].drive_mm: stands beside turn_deg: want one of them [key-conflict]`},
		"neither":            {clip(`"sound": [{"at_ms": 0, "duration_ms": 5}]`), `1:55: error: want "sound" or "say" in clips[0].sound[0] [key-required]`},
		"leaves the charger": {clip(`"bodyMovesOnCharger": true, "body": [{"at_ms": 0, "turn_deg": 40, "speed_radps": 2}]`), `1:107: error: clips[0].body[0].turn_deg: is beyond ±10, and the clip may move the body on the charger: it would leave the contacts [key-range]`},
		"charger idle":       {clip(`"bodyMovesOnCharger": true, ` + face), `1:67: warning: clips[0].bodyMovesOnCharger: changes nothing: the clip does not move the body [animation-invalid]`},
		"silence":            {clip(`"sound": [{"at_ms": 0, "sound": "", "duration_ms": 5}]`), `1:77: error: clips[0].sound[0].sound: is empty [key-range]`},
		"color":              {clip(`"lights": [{"at_ms": 0, "color": "red"}]`), `1:78: error: clips[0].lights[0].color: "red" is no color: want "#rrggbb", such as "#ff8c14" [key-range]`},
		"colors":             {clip(`"lights": [{"at_ms": 0, "colors": ["#000000"]}]`), `1:79: error: clips[0].lights[0].colors: has 1 colors, want 5 [key-range]`},
		"after the end":      {clip(`"face": [{"at_ms": 1500, "expression": "happy"}]`), `1:64: error: clips[0].face[0].at_ms: is after the end of the clip at 1000 ms [key-range]`},
		"out of order":       {clip(`"face": [{"at_ms": 500, "expression": "happy"}, {"at_ms": 500, "expression": "sad"}]`), `1:103: error: clips[0].face[1].at_ms: the keyframe before it on this track is at 500 ms: want a later one [animation-invalid]`},
		"turn cut short":     {clip(`"body": [{"at_ms": 0, "turn_deg": 90, "speed_radps": 1}, {"at_ms": 500, "turn_deg": 9, "speed_radps": 1}]`), `1:112: warning: clips[0].body[1].at_ms: cuts the keyframe before it short, which takes until 1571 ms [animation-cut]`},
		"sound cut short":    {clip(`"sound": [{"at_ms": 500, "sound": "hm", "duration_ms": 900}]`), `1:100: warning: clips[0].sound[0].duration_ms: is cut short: the clip ends at 1000 ms [animation-cut]`},
		"no keyframe":        {clip(`"face": []`), `1:12: error: the clip has no keyframe on any track: want one of face, lights, sound, head, lift, body [animation-invalid]`},
		"too long":           {`{"clips": [{"name": "x", "length_ms": 40000, ` + face + `}]}`, `1:39: error: clips[0].length_ms: 40000 is above the limit 30000 [key-range]`},
		"no name":            {`{"clips": [{"name": "", "length_ms": 100, ` + face + `}]}`, `1:21: error: clips[0].name: a clip needs a name [animation-invalid]`},
		"twice":              {`{"clips": [{"name": "x", "length_ms": 100, ` + face + `}, {"name": "x", "length_ms": 100, ` + face + `}]}`, `1:101: error: clips[1].name: clip "x" is already defined in animations/a.json [animation-duplicate]`},
		"unknown clip":       {group(`{"clip": "celebrat"}`), `1:46: error: there is no clip "celebrat"; did you mean "celebrate"? [clip-unknown]`},
		"empty group":        {group(``), `1:36: error: groups[0].clips: a group needs a clip [animation-invalid]`},
		"no weight":          {group(`{"clip": "celebrate", "weight": 0}`), `1:69: error: groups[0].clips[0].weight: 0 is below the limit 0.001 [key-range]`},
		"cooldown":           {group(`{"clip": "celebrate", "cooldown_s": -1}`), `1:73: error: groups[0].clips[0].cooldown_s: -1 is below the limit 0 [key-range]`},
		"mood":               {group(`{"clip": "celebrate", "moods": ["HighStimm"]}`), `1:69: error: groups[0].clips[0].moods[0]: unknown value "HighStimm"; did you mean "HighStim"? [enum-unknown]`},
		"head limits":        {group(`{"clip": "celebrate", "headAngleMin_deg": 20, "headAngleMax_deg": 10}`), `1:103: error: groups[0].clips[0].headAngleMax_deg: is less than headAngleMin_deg [animation-invalid]`},
		"unknown group":      {`{"groups": [{"name": "Hop", "clips": [{"clip": "celebrate"}]}], "triggers": [{"name": "T", "group": "Hopp"}]}`, `1:101: error: there is no group "Hopp"; did you mean "Hop"? [group-unknown]`},
		"unknown section":    {`{"clip": []}`, `1:2: error: unknown key "clip"; did you mean "clips"? [key-unknown]`},
	} {
		_, diags := load(map[string]string{"a.json": c.file})
		got := make([]string, len(diags))
		for i, d := range diags {
			got[i] = d.String() + " [" + d.Code + "]"
		}
		if want := "animations/a.json:" + c.want; len(got) != 1 || got[0] != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), want)
		}
	}
}

// A file that cannot be parsed is reported, and the clips that it would define are not missed.
func TestBrokenFileHidesNoClips(t *testing.T) {
	_, diags := load(map[string]string{"a.json": `{"clips": [`, "b.json": `{"groups": [{"name": "G", "clips": [{"clip": "hop"}]}]}`})
	if len(diags) != 1 || diags[0].Code != resources.CodeSyntax {
		t.Error(diags.String())
	}
}

// The expressions of clips are those of the display.
func TestBuiltInClipsShowKnownExpressions(t *testing.T) {
	for _, name := range animation.BuiltIn().ClipNames() {
		for _, f := range animation.BuiltIn().Clip(name).Frames {
			if e, ok := f.Do.(animation.Eyes); ok && !hardware.KnownExpression(string(e)) {
				t.Errorf("%s: %s", name, e)
			}
		}
	}
}

// A file of nonsense as large as a file may be is read in a second.
func TestHugeFileOfMistakesIsReadQuickly(t *testing.T) {
	var clips, groups strings.Builder
	for i := 0; clips.Len() < resources.MaxFileBytes/2; i++ {
		fmt.Fprintf(&clips, `{"name":"c%d","length_ms":100,"face":[{"at_ms":0,"expression":"hapy"}]},`, i)
	}
	for i := 0; groups.Len() < resources.MaxFileBytes/2-100; i++ {
		fmt.Fprintf(&groups, `{"name":"g%d","clips":[{"clip":"x%d"},{"clip":"celebrat"}]},`, i, i)
	}
	file := `{"clips":[` + strings.TrimSuffix(clips.String(), ",") + `],"groups":[` + strings.TrimSuffix(groups.String(), ",") + `]}`
	begin := time.Now()
	_, diags := load(map[string]string{"a.json": file})
	if took := time.Since(begin); took > 5*time.Second || len(diags) > resources.MaxDiagnostics+1 || !diags.HasErrors() {
		t.Errorf("%d bytes took %v and gave %d findings", len(file), took, len(diags))
	} else {
		t.Logf("%d bytes took %v and gave %d findings", len(file), took, len(diags))
	}
}

// Whatever a file holds, reading it ends, and what can be played is within the limits.
func FuzzFile(f *testing.F) {
	f.Add(trick)
	f.Add(`{"clips": [{"name": "x", "length_ms": 1e9, "lights": [{"at_ms": 0, "color": "#"}, {"colors": null}], "body": [{"drive_mm": 5}, {}]}]}`)
	f.Add(`{"groups": [{"name": "g", "clips": [{"clip": "g", "moods": [1, "LowStim", "LowStim"]}]}], "triggers": [{"name": "g", "group": "g"}, {}]}`)
	f.Fuzz(func(t *testing.T, file string) {
		lib, diags := load(map[string]string{"a.json": file})
		if diags.HasErrors() {
			return
		}
		for _, name := range lib.TriggerNames() {
			g := lib.Trigger(name)
			if i := g.Choose(animation.Moment{Now: time.Unix(1, 0), Roll: 0.99}, func(string) time.Time { return time.Time{} }); i < 0 || lib.Clip(g.Entries[i].Clip) == nil {
				t.Errorf("trigger %q plays nothing", name)
			}
		}
		for _, name := range lib.ClipNames() {
			clip := lib.Clip(name)
			if len(clip.Frames) == 0 || clip.Length <= 0 || clip.Length > 30*time.Second || clip.Frames[len(clip.Frames)-1].At > clip.Length {
				t.Errorf("clip %q: %+v", name, clip)
			}
		}
	})
}
