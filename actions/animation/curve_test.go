package animation_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/interp"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/hardware"
)

// wayOf is the height of the eyes through keyframes at whole seconds.
func wayOf(heights []float64) func(at float64) float64 {
	var frames []animation.Keyframe
	for i, h := range heights {
		look := animation.Look{Face: hardware.FaceNeutral, Shape: hardware.Shape{Tall: h}}
		frames = append(frames, animation.Keyframe{At: time.Duration(i) * time.Second, Do: look})
	}
	c := animation.CurveOf(frames)
	return func(at float64) float64 {
		f, _ := c.At(time.Duration(at * float64(time.Second)))
		return f.Shape.Tall
	}
}

// overshoot is how far a way through keyframes at whole seconds goes beyond the two that it is between.
func overshoot(heights []float64, way func(at float64) float64) (most float64) {
	for i := 1; i < len(heights); i++ {
		low, high := min(heights[i-1], heights[i]), max(heights[i-1], heights[i])
		for part := 0.0; part <= 1; part += 0.01 {
			v := way(float64(i-1) + part)
			most = max(most, low-v, v-high)
		}
	}
	return most
}

// randomHeights are keyframes as people write them: sixteenths, often the same twice.
func randomHeights(rng *rand.Rand) []float64 {
	heights := make([]float64, 2+rng.IntN(8))
	for i := range heights {
		if heights[i] = float64(rng.IntN(33)-16) / 16; i > 0 && rng.IntN(3) == 0 {
			heights[i] = heights[i-1]
		}
	}
	return heights
}

// Between two keyframes a face is never beyond them: an eye that closes does not open first, and one that rests rests. A plain cubic spline
// through the same keyframes does, which shows that this test would see it.
func TestFaceStaysBetweenItsKeyframes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	swings := 0
	for range 500 {
		heights := randomHeights(rng)
		if most := overshoot(heights, wayOf(heights)); most > 0 {
			t.Errorf("%v: %.3f beyond", heights, most)
		}
		xs := make([]float64, len(heights))
		for i := range xs {
			xs[i] = float64(i)
		}
		var spline interp.NaturalCubic
		if err := spline.Fit(xs, heights); err != nil {
			t.Fatal(err)
		}
		if overshoot(heights, spline.Predict) > 0.05 {
			swings++
		}
	}
	if swings < 250 {
		t.Errorf("the plain cubic goes beyond in %d of 500 cases: the test sees too little", swings)
	}
}

// Each keyframe is met, between two the face is monotone, and sets out and arrives slowly.
func TestFaceGoesSmoothlyFromKeyframeToKeyframe(t *testing.T) {
	heights := []float64{0, 1, 1, -0.5}
	way := wayOf(heights)
	for i, want := range heights {
		if got := way(float64(i)); got != want {
			t.Errorf("at %d s: %v, want %v", i, got, want)
		}
	}
	last := way(0)
	for at := 0.0; at <= 1; at += 0.01 {
		if v := way(at); v < last || v-last > 1.0/8 {
			t.Errorf("at %.2f s from %v to %v", at, last, v)
		} else {
			last = v
		}
	}
	if early, late := way(0.1), way(0.9); early > 0.1 || late < 0.9 {
		t.Errorf("a tenth after the start at %v, a tenth before the end at %v", early, late)
	}
	if before, after := way(-1), way(9); before != 0 || after != -0.5 {
		t.Errorf("before the first keyframe %v, after the last one %v", before, after)
	}
}

// The numbers of a face are its own: each one has its way, and an expression changes at its keyframe.
func TestEachNumberOfAFaceHasItsOwnWay(t *testing.T) {
	c := animation.CurveOf([]animation.Keyframe{
		{At: 100 * time.Millisecond, Do: animation.Eyes("neutral")},
		{At: 1100 * time.Millisecond, Do: animation.Look{Face: "happy", GazeX: 1, GazeY: -1, Lid: 0.5, Shape: hardware.Shape{Tall: 1, Wide: -1, Slant: 0.5, Cheek: -0.5}}},
		{At: 2100 * time.Millisecond, Do: animation.Look{Face: "happy", GazeX: math.Inf(1), Lid: -3, Shape: hardware.Shape{Wide: math.NaN()}}},
	})
	if _, begun := c.At(99 * time.Millisecond); begun {
		t.Error("it shows before its first keyframe")
	}
	for at, want := range map[time.Duration]hardware.ShowFace{
		100 * time.Millisecond:  {Face: "neutral"},
		600 * time.Millisecond:  {Face: "neutral", GazeX: 0.5, GazeY: -0.5, Lid: 0.25, Shape: hardware.Shape{Tall: 0.5, Wide: -0.5, Slant: 0.25, Cheek: -0.25}},
		1100 * time.Millisecond: {Face: "happy", GazeX: 1, GazeY: -1, Lid: 0.5, Shape: hardware.Shape{Tall: 1, Wide: -1, Slant: 0.5, Cheek: -0.5}},
		2100 * time.Millisecond: {Face: "happy", GazeX: 1},
		30 * time.Second:        {Face: "happy", GazeX: 1},
	} {
		got, _ := c.At(at)
		for _, d := range []float64{
			got.GazeX - want.GazeX, got.GazeY - want.GazeY, got.Lid - want.Lid, got.Shape.Tall - want.Shape.Tall, got.Shape.Wide - want.Shape.Wide,
			got.Shape.Slant - want.Shape.Slant, got.Shape.Cheek - want.Shape.Cheek,
		} {
			if math.Abs(d) > 0.13 || got.Face != want.Face {
				t.Errorf("at %v: %+v, want %+v", at, got, want)
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() { c.At(700 * time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if animation.CurveOf([]animation.Keyframe{{Do: animation.Eyes("happy")}, {At: time.Second, Do: animation.Eyes("sad")}}) != nil {
		t.Error("expressions alone have a curve")
	}
}

// A keyframe of a file with a number is a Look; what is out of range is told with its place.
func TestNumbersOfAFaceAreReadFromFiles(t *testing.T) {
	lib, diags := load(map[string]string{"squint.json": `{
  "clips": [
    { "name": "squint", "length_ms": 900,
      "face": [
        { "at_ms": 0, "expression": "neutral" },
        { "at_ms": 600, "expression": "neutral", "gaze_x": -0.5, "gaze_y": 0.25, "lid": 0.5, "tall": -0.25, "wide": 0.5, "slant": 1, "cheek": 0.75 }
      ] }
  ]
}`})
	if len(diags) > 0 {
		t.Fatal(diags.String())
	}
	want := hardware.ShowFace{Face: "neutral", GazeX: -0.5, GazeY: 0.25, Lid: 0.5, Shape: hardware.Shape{Tall: -0.25, Wide: 0.5, Slant: 1, Cheek: 0.75}}
	clip := lib.Clip("squint")
	if got, _ := clip.Face.At(600 * time.Millisecond); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if hop := lib.Clip("greet_happy"); hop == nil || clip.Frames[0].Do != animation.Eyes("neutral") || clip.Frames[1].Do != animation.Look(want) {
		t.Errorf("keyframes %+v", clip.Frames)
	}
	for key, c := range map[string]struct{ value, want string }{
		"gaze_x": {"-1.5", "-1.5 is below the limit -1"}, "gaze_y": {"2", "2 is above the limit 1"}, "lid": {"-0.1", "-0.1 is below the limit 0"},
		"tall": {"3", "3 is above the limit 1"}, "wide": {"3", "3 is above the limit 1"}, "slant": {"-2", "-2 is below the limit -1"},
		"cheek": {`"much"`, "want"}, "gaze": {"1", `"gaze_`},
	} {
		_, diags := load(map[string]string{"a.json": `{"clips": [{"name": "a", "length_ms": 9, "face": [
{"at_ms": 0, "expression": "happy", "` + key + `": ` + c.value + `}]}]}`})
		if got := diags.String(); len(diags) != 1 || !strings.HasPrefix(got, "animations/a.json:2:") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s\nfinds %q, want %q", key, c.value, got, c.want)
		}
	}
}
