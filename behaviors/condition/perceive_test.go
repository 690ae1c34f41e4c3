package condition_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// Eye contact counts in the time of the images: it does not age while none comes.
// Rules: data/3.3y.
func TestEyeContactCountsForHalfASecondOfImages(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "EyeContact"}`)
	r.world.Faces = []hardware.KnownFace{{ID: 1, SeenAt: r.when(0)}}
	r.want(c, false)
	r.world.Faces = append(r.world.Faces, hardware.KnownFace{ID: 2, EyesAt: r.when(time.Second)})
	for _, s := range []struct {
		image float64
		want  bool
	}{{1, true}, {1.5, true}, {1.501, false}} {
		r.image(seconds(s.image))
		r.wantAt(c, time.Minute, s.want)
	}
	r.image(time.Second)
	r.quality(hardware.Vision, hardware.Stale)
	r.want(c, false)
}

// Rules: data/3.3y.
func TestMotionDetectedComparesItsPartOfThePicture(t *testing.T) {
	for _, s := range []struct {
		area, level string
		motion      hardware.Motion
		want        bool
	}{
		{"Left", "High", hardware.Motion{0.41, 0, 0, 0}, true},
		{"Left", "High", hardware.Motion{0.4, 1, 1, 1}, false},
		{"Right", "Low", hardware.Motion{0, 0.21, 0, 0}, true},
		{"Right", "Low", hardware.Motion{1, 0.2, 1, 1}, false},
		{"Top", "Any", hardware.Motion{0, 0, 0.001, 0}, true},
		{"Top", "Any", hardware.Motion{1, 1, 0, 1}, false},
		{"Ground", "Low", hardware.Motion{0, 0, 0, 0.3}, true},
		{"Ground", "Low", hardware.Motion{1, 1, 1, 0}, false},
		{"Any", "High", hardware.Motion{0, 0.5, 0, 0}, true},
		{"Any", "Any", hardware.Motion{}, false},
	} {
		r := newRig(t)
		c := r.parse(fmt.Sprintf(`{"conditionType": "MotionDetected", "motionArea": %q, "motionLevel": %q}`, s.area, s.level))
		r.world.Around.Motion = s.motion
		r.want(c, s.want)
		r.quality(hardware.Vision, hardware.Failed)
		r.want(c, false)
	}
}

// Rules: data/3.3y.
func TestMotionWithProxNeedsBothAtOnce(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "MotionDetectedWithProx"}`)
	r.world.Around.Motion[hardware.MotionGround] = 0.3
	r.want(c, false)
	r.world.Body.RangeAt = r.when(time.Second)
	r.wantAt(c, seconds(1.5), true)
	r.wantAt(c, seconds(1.501), false)
	r.at(time.Second)
	r.world.Around.Motion[hardware.MotionGround] = 0.2
	r.want(c, false)
}

// Rules: data/3.3y.
func TestSalientPointDetectedIsOfItsKind(t *testing.T) {
	r := newRig(t)
	hand := r.parse(`{"conditionType": "SalientPointDetected", "targetSalientPoint": "Hand"}`)
	r.want(hand, false)
	r.world.Around.Points = []hardware.SalientPoint{{Kind: "Person"}}
	r.want(hand, false)
	r.world.Around.Points = append(r.world.Around.Points, hardware.SalientPoint{Kind: "Hand"})
	r.want(hand, true)
	if got := condition.Found(hand).Text; got != "1 of 2 points are such" {
		t.Errorf("said %q", got)
	}
	r.quality(hardware.Vision, hardware.Failed)
	r.want(hand, false)
}

// Rules: data/3.3y.
func TestPetIsReportedOnceAfterThreeImages(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "PetInitialDetection"}`)
	pets := func(times ...int) {
		r.world.Around.Pets = nil
		for i, n := range times {
			r.world.Around.Pets = append(r.world.Around.Pets, hardware.KnownPet{ID: i + 1, Times: n})
		}
	}
	for _, s := range []struct {
		times []int
		want  bool
	}{{nil, false}, {[]int{2}, false}, {[]int{3}, true}, {[]int{3}, false}, {[]int{4}, false}, {[]int{9, 2}, false}, {[]int{9, 3}, true}, {[]int{9, 4}, false}} {
		pets(s.times...)
		r.want(c, s.want)
	}
	c.SetActive(r.view, false)
	c.SetActive(r.view, true)
	r.want(c, false) // once per pet, in the life of the condition
}

// Rules: data/3.3y.
func TestEngineErrorStaysUntilAnotherCodeArrives(t *testing.T) {
	r := newRig(t)
	dark, bright := r.parse(`{"conditionType": "EngineErrorCodeReceived", "engineErrorCode": "ImageQualityTooDark"}`),
		r.parse(`{"conditionType": "EngineErrorCodeReceived", "engineErrorCode": "ImageQualityTooBright"}`)
	for _, s := range []struct {
		code         string
		dark, bright bool
	}{{"", false, false}, {"ImageQualityTooDark", true, false}, {"ImageQualityTooBright", false, true}} {
		r.world.Around.EngineError = s.code
		r.want(dark, s.dark, s.dark)
		r.want(bright, s.bright, s.bright)
	}
}

// Rules: data/3.3z.
func TestBeatDetectedTakesAPossibleBeatIfAllowed(t *testing.T) {
	r := newRig(t)
	sure, maybe := r.parse(`{"conditionType": "BeatDetected"}`), r.parse(`{"conditionType": "BeatDetected", "allowPotentialBeat": true}`)
	for beat, want := range map[hardware.Beat][2]bool{hardware.NoBeat: {}, hardware.PossibleBeat: {false, true}, hardware.SteadyBeat: {true, true}} {
		r.world.Around.Beat = beat
		r.want(sure, want[0])
		r.want(maybe, want[1])
	}
}

// Rules: data/3.3z.
func TestIsNightTimeFollowsTheWorld(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "IsNightTime"}`)
	r.want(c, false)
	r.world.Around.Night = true
	r.want(c, true)
}

// Rules: data/3.3z.
func TestCubeInTheAirIsHeldBySomebody(t *testing.T) {
	cube := func(id int, x, base float64, ago time.Duration) hardware.KnownObject {
		return hardware.KnownObject{ID: id, Kind: hardware.KindCube, Pose: hardware.Pose{XMM: x}, BaseMM: base, SeenAt: time.Unix(1_000_000, 0).Add(-ago)}
	}
	for name, c := range map[string]struct {
		objects []hardware.KnownObject
		blind   bool
		carried int
		want    bool
	}{
		"none":              {},
		"on the ground":     {objects: []hardware.KnownObject{cube(7, 300, 0, 0)}},
		"in the air":        {objects: []hardware.KnownObject{cube(7, 300, 60, 0)}, want: true},
		"on another one":    {objects: []hardware.KnownObject{cube(7, 300, 44, 0), cube(8, 305, 0, 0)}},
		"over another one":  {objects: []hardware.KnownObject{cube(7, 300, 90, 0), cube(8, 305, 0, 0)}, want: true},
		"beside another":    {objects: []hardware.KnownObject{cube(7, 300, 44, 0), cube(8, 350, 0, 0)}, want: true},
		"a while ago":       {objects: []hardware.KnownObject{cube(7, 300, 60, 2*time.Second)}},
		"on the lift":       {objects: []hardware.KnownObject{cube(7, 60, 60, 0)}, carried: 7},
		"without a camera":  {objects: []hardware.KnownObject{cube(7, 300, 60, 0)}, blind: true},
		"not at this place": {objects: []hardware.KnownObject{{ID: 7, Kind: hardware.KindCube, Origin: 5, BaseMM: 60, SeenAt: time.Unix(1_000_000, 0)}}},
	} {
		r := newRig(t)
		r.world.Objects, r.world.Body.Carrying, r.world.Body.CarriedID = c.objects, c.carried != 0, c.carried
		for i := range r.world.Objects {
			if o := &r.world.Objects[i]; o.Origin == 0 {
				o.Origin = r.world.Body.Origin
			}
		}
		if c.blind {
			r.world.Vision.Quality = hardware.Failed
		}
		t.Run(name, func(t *testing.T) { r.want(r.parse(`{"conditionType": "UserIsHoldingCube"}`), c.want) })
	}
}

// Rules: data/3.3z.
func TestCubeConditionsFollowTheirCube(t *testing.T) {
	r := newRig(t)
	r.want(r.parse(`{"conditionType": "CarryingCube"}`), false)
	r.world.Body.Carrying = true
	r.want(r.parse(`{"conditionType": "CarryingCube"}`), true)
	for kind, want := range map[string][4]bool{ // idle, connecting, background, interactable
		`{"conditionType": "ConnectedToCube"}`:                                   {false, false, true, true},
		`{"conditionType": "ConnectedToCube", "connectionType": "Unspecified"}`:  {false, false, true, true},
		`{"conditionType": "ConnectedToCube", "connectionType": "Background"}`:   {false, false, true, false},
		`{"conditionType": "ConnectedToCube", "connectionType": "Interactable"}`: {false, false, false, true},
	} {
		c := r.parse(kind)
		for state, met := range want {
			r.view.Services.Cube = condition.CubeState(state)
			r.want(c, met)
		}
	}
	tapped := r.parse(`{"conditionType": "CubeTapped"}`)
	r.want(tapped, false)
	r.world.Body.CubeTappedAt = r.when(time.Second)
	r.wantAt(tapped, 2*time.Second, true)
	r.wantAt(tapped, seconds(2.001), false)
}

// Each stimulus is met by its own fact, with built-in limits, and only if its key is true.
// Rules: data/3.3z.
func TestAnyStimuliIsMetByEachThatIsTrue(t *testing.T) {
	names := []string{"MotionDetected", "FaceKnown", "FacePositionUpdated", "RobotTouched", "RobotShaken", "RobotPoked"}
	causes := map[string]func(r *rig){
		"MotionDetected": func(r *rig) { r.world.Around.Motion[0] = 0.3 },
		"FaceKnown":      func(r *rig) { r.world.Faces = []hardware.KnownFace{{ID: 1, DistanceMM: 1999}} },
		"FacePositionUpdated": func(r *rig) {
			r.world.Faces = []hardware.KnownFace{{ID: 1, DistanceMM: 2000, SeenAt: r.view.Now}}
			r.image(r.view.Now.Sub(r.start))
		},
		"RobotTouched": func(r *rig) { r.world.Body.Touched, r.world.Body.TouchedSince = true, r.when(-seconds(0.11)) },
		"RobotShaken":  func(r *rig) { r.world.Body.PickedUp, r.world.Body.Shaken = true, true },
		"RobotPoked":   func(r *rig) { r.world.Body.PokedAt = r.when(-seconds(0.2)) },
	}
	for _, on := range names {
		src := `{"conditionType": "AnyStimuli"`
		for _, name := range names {
			src += fmt.Sprintf(`, %q: %v`, name, name == on)
		}
		for _, cause := range names {
			r := newRig(t)
			c := r.parse(src + "}")
			r.want(c, false)
			causes[cause](r)
			r.want(c, cause == on)
		}
	}
}
