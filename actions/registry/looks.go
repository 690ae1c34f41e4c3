package registry

import (
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/look"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// Keys of the actions that follow something.
var (
	faceID   = Key{Name: "id", Type: Whole, Min: 0, Max: 1 << 30, Default: "0, the one seen last", Doc: "number of the face"}
	objectID = Key{Name: "id", Type: Whole, Min: 0, Max: 1 << 30, Default: "0, the one seen last", Doc: "number of the object"}
	objectIs = Key{Name: "kind", Type: Text, Choices: []string{hardware.KindCharger, hardware.KindCube}, Default: "any", Doc: "what it is"}
	pointX   = Key{Name: "x_mm", Type: Number, Unit: "mm", Min: -farMM, Max: farMM, Required: true, Doc: "in the odometry frame"}
	pointY   = Key{Name: "y_mm", Type: Number, Unit: "mm", Min: -farMM, Max: farMM, Required: true, Doc: "in the odometry frame"}
	images   = Key{Name: "images", Type: Whole, Min: 1, Max: 100, Default: number(look.VerifyImages), Doc: "how many images it looks through"}

	trackKeys = []Key{
		{Name: "mode", Type: Text, Choices: look.ModeNames, Default: "both", Doc: "what follows"},
		{Name: "seconds", Type: Number, Unit: "s", Min: 0.1, Max: 3600, Default: "until it is cancelled or the target is lost", Doc: "how long"},
		{Name: "lost_s", Type: Number, Unit: "s", Min: 0.2, Max: 60, Default: number(look.TrackLostAfter.Seconds()), Doc: "how long it may not see the target"},
		{Name: "tolerance_deg", Type: Number, Unit: "°", Min: 2, Max: 45, Default: number(look.TrackTolRad / rad), Doc: "how far beside the middle the target may be before it moves"},
		{Name: "turn_degps", Type: Number, Unit: "°/s", Min: 10, Max: 300, Default: "115", Doc: "fastest turn of the body"},
		{Name: "until_deg", Type: Number, Unit: "°", Min: 1, Max: 45, Default: "it goes on", Doc: "ends with success when the target stays that near to the middle for half a second"},
	}
)

// trackParams reads trackKeys.
func trackParams(v Values) look.TrackParams {
	p := look.TrackParams{
		For: v.Span("seconds"), LostAfter: v.Span("lost_s"), PanTolRad: v.Rad("tolerance_deg"), TiltTolRad: v.Rad("tolerance_deg"),
		MaxBodyRadPS: v.Rad("turn_degps"), Mode: look.Mode(max(slices.Index(look.ModeNames, v.Text("mode")), 0)),
	}
	if u := v.Rad("until_deg"); u > 0 {
		p.Stop = &look.StopCriteria{PanTolRad: u, Held: heldFor}
	}
	return p
}

// looks are the actions of the eyes.
var looks = []Kind{
	{
		Name: "Search", Doc: "looks for an object: first where it was seen last, then where it has not looked lately",
		Keys: []Key{
			{Name: "id", Type: Whole, Min: 0, Max: 1 << 30, Default: "0, any", Doc: "number of the object"},
			objectIs,
			{Name: "places", Type: Whole, Min: 0, Max: look.SearchMaxPlaces, Default: "0", Doc: "how many other places it may drive to"},
		},
		make: func(v Values) actions.Action {
			return look.NewSearch(look.SearchParams{ID: v.Int("id"), Kind: v.Text("kind"), Places: v.Int("places")})
		},
	},
	{
		Name: "TrackFace", Doc: "follows a face with head and body", Keys: slices.Concat([]Key{faceID}, trackKeys),
		make: func(v Values) actions.Action { return look.NewTrackFace(v.Int("id"), trackParams(v)) },
	},
	{
		Name: "TrackMotion", Doc: "turns to what moves in the picture", Keys: trackKeys,
		make: func(v Values) actions.Action { return look.NewTrackMotion(trackParams(v)) },
	},
	{
		Name: "TrackObject", Doc: "follows an object with head and body", Keys: slices.Concat([]Key{objectID, objectIs}, trackKeys),
		make: func(v Values) actions.Action {
			return look.NewTrackObject(v.Int("id"), v.Text("kind"), trackParams(v))
		},
	},
	{
		Name: "TurnTowardsImagePoint", Doc: "turns so that a point of the camera's image comes to the middle",
		Keys: []Key{
			{Name: "x_px", Type: Number, Unit: "px", Min: 0, Max: farMM, Required: true, Doc: "from the left edge of the image"},
			{Name: "y_px", Type: Number, Unit: "px", Min: 0, Max: farMM, Required: true, Doc: "from the upper edge"},
			{Name: "width_px", Type: Whole, Unit: "px", Min: 1, Max: farMM, Default: number(look.DefaultCamera.WidthPX), Doc: "size of the image"},
			{Name: "height_px", Type: Whole, Unit: "px", Min: 1, Max: farMM, Default: number(look.DefaultCamera.HeightPX), Doc: "size of the image"},
			{Name: "wide_deg", Type: Number, Unit: "°", Min: 1, Max: 170, Default: "62.2", Doc: "horizontal field of view"},
			{Name: "high_deg", Type: Number, Unit: "°", Min: 1, Max: 170, Default: "48.8", Doc: "vertical field of view"},
			turnSpeed,
		},
		make: func(v Values) actions.Action {
			c := look.Camera{WidthPX: v.Number("width_px"), HeightPX: v.Number("height_px"), WideRad: v.Rad("wide_deg"), HighRad: v.Rad("high_deg")}
			return look.NewTurnTowardsImagePoint(look.ImagePointParams{XPX: v.Number("x_px"), YPX: v.Number("y_px"), Camera: c, SpeedRadPS: v.Rad("turn_degps")})
		},
	},
	{
		Name: "VerifyFace", Doc: "looks whether a face is in view", Keys: []Key{{Name: "id", Type: Whole, Min: 0, Max: 1 << 30, Default: "0, any", Doc: "number of the face"}, images},
		make: func(v Values) actions.Action {
			return look.NewVerify(look.VerifyParams{Target: motion.FaceTarget{ID: v.Int("id")}, Images: v.Int("images")})
		},
	},
	{
		Name: "VerifyNothing", Doc: "turns to a place on the ground and looks whether nothing stands there",
		Keys: []Key{pointX, pointY, {Name: "tolerance_mm", Type: Number, Unit: "mm", Min: 1, Max: 200, Default: "10", Doc: "how far beside it a thing still stands there"}, images},
		make: func(v Values) actions.Action {
			return look.NewVerifyNothing(look.NothingParams{XMM: v.Number("x_mm"), YMM: v.Number("y_mm"), ToleranceMM: v.Number("tolerance_mm"), Images: v.Int("images")})
		},
	},
	{
		Name: "VerifyObject", Doc: "looks whether an object is in view", Keys: []Key{{Name: "id", Type: Whole, Min: 0, Max: 1 << 30, Default: "0, any", Doc: "number of the object"}, objectIs, images},
		make: func(v Values) actions.Action {
			return look.NewVerify(look.VerifyParams{Target: motion.ObjectTarget{ID: v.Int("id"), Kind: v.Text("kind")}, Images: v.Int("images")})
		},
	},
	{
		Name: "CalibrateMotors", Doc: "drives head and lift to their lower end stops and takes them for the end of the travel",
		Keys: []Key{{Name: "joint", Type: Text, Choices: []string{"both", "head", "lift"}, Default: "both", Doc: "what is calibrated"}},
		make: func(v Values) actions.Action {
			j := v.Text("joint")
			return look.NewCalibrateMotors(look.CalibrateParams{Head: j != "lift", Lift: j != "head", Reason: "operator"})
		},
	},
}
