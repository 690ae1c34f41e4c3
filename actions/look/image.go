package look

import (
	"cmp"
	"math"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// A Camera is a pinhole camera that looks along the head, above the middle of the axle, with a lens without distortion.
type Camera struct {
	WidthPX, HeightPX float64
	WideRad, HighRad  float64 // field of view, from edge to edge
}

// DefaultCamera has the field of view of a Raspberry Pi Camera Module 2 (62.2° by 48.8° by its data sheet), 640 by 480 pixels.
var DefaultCamera = Camera{WidthPX: 640, HeightPX: 480, WideRad: 62.2 * rad, HighRad: 48.8 * rad}

// Angles are the direction of a point of the image: to the left of the middle, and above it.
func (c Camera) Angles(xPX, yPX float64) (leftRad, upRad float64) {
	focal := func(size, view float64) float64 { return size / 2 / math.Tan(view/2) }
	return math.Atan2(c.WidthPX/2-xPX, focal(c.WidthPX, c.WideRad)), math.Atan2(c.HeightPX/2-yPX, focal(c.HeightPX, c.HighRad))
}

// ImagePointParams configure a TurnTowardsImagePoint.
type ImagePointParams struct {
	// XPX and YPX is the point, from the upper left corner of the image.
	XPX, YPX float64
	// Camera is that of the image; what is 0 is as in [DefaultCamera].
	Camera Camera
	// From and HeadRad are where the robot stood and its head was when the image was taken; nil is where they are in Init. An image is some
	// tenths of a second old, so a robot that moves has to say it.
	From    *hardware.Pose
	HeadRad *float64
	// ToleranceRad of body and head defaults to 5°. SpeedRadPS of the body defaults to 2.
	ToleranceRad, SpeedRadPS float64
}

// A TurnTowardsImagePoint turns body and head so that a point of an image comes to the middle. On the charger only the head moves, and without a
// head that works only the body.
//
// It ends as PanAndTilt does, and with BAD_POSE for a point outside of the image, a camera that is none, or numbers that are not finite.
type TurnTowardsImagePoint struct {
	refusal
	params ImagePointParams
	sub    actions.SubAction
}

// NewTurnTowardsImagePoint returns the action.
func NewTurnTowardsImagePoint(p ImagePointParams) *TurnTowardsImagePoint {
	c := &p.Camera
	c.WidthPX, c.HeightPX = cmp.Or(c.WidthPX, DefaultCamera.WidthPX), cmp.Or(c.HeightPX, DefaultCamera.HeightPX)
	c.WideRad, c.HighRad = cmp.Or(c.WideRad, DefaultCamera.WideRad), cmp.Or(c.HighRad, DefaultCamera.HighRad)
	why := actions.Finite(
		actions.Num("XPX", p.XPX), actions.Num("YPX", p.YPX), actions.Num("ToleranceRad", p.ToleranceRad), actions.Num("SpeedRadPS", p.SpeedRadPS),
		actions.Num("Camera.WidthPX", c.WidthPX), actions.Num("Camera.HeightPX", c.HeightPX), actions.Num("Camera.WideRad", c.WideRad), actions.Num("Camera.HighRad", c.HighRad),
	)
	switch {
	case why != "":
	case c.WidthPX <= 0, c.HeightPX <= 0, c.WideRad <= 0, c.WideRad >= math.Pi, c.HighRad <= 0, c.HighRad >= math.Pi:
		why = "Camera has a side without pixels, or a field of view that is not between 0 and 180 degrees"
	case p.XPX < 0, p.XPX > c.WidthPX, p.YPX < 0, p.YPX > c.HeightPX:
		why = "the point is outside of the image"
	}
	return &TurnTowardsImagePoint{refusal: why, params: p}
}

// Name is TurnTowardsImagePoint.
func (*TurnTowardsImagePoint) Name() string { return "TurnTowardsImagePoint" }

// Type is TURN_TOWARDS_IMAGE_POINT.
func (*TurnTowardsImagePoint) Type() actions.Type { return actions.TypeTurnTowardsImagePoint }

// Tracks is body and head.
func (*TurnTowardsImagePoint) Tracks() actions.Tracks { return actions.Body | actions.Head }

// FailOffTreads is true.
func (*TurnTowardsImagePoint) FailOffTreads() bool { return true }

// Status is what moves.
func (t *TurnTowardsImagePoint) Status() string { return t.sub.Status() }

// Init works out where the point is.
func (t *TurnTowardsImagePoint) Init(env *actions.Env) actions.Result {
	if t.refusal != "" {
		return actions.BadPose
	}
	left, up := t.params.Camera.Angles(t.params.XPX, t.params.YPX)
	heading, head := env.World.Body.Pose.HeadingRad, env.World.Servos.Value.HeadRad
	if p := t.params.From; p != nil {
		heading = p.HeadingRad
	}
	if h := t.params.HeadRad; h != nil {
		head = *h
	}
	t.sub.Begin(env, motion.NewPanAndTilt(motion.PanTiltParams{
		BodyRad: hardware.WrapRad(heading + left), BodyAbsolute: true, HeadRad: head + up, HeadOptional: true,
		ToleranceRad: t.params.ToleranceRad, SpeedRadPS: t.params.SpeedRadPS,
	}))
	return actions.Success
}

// CheckIfDone turns.
func (t *TurnTowardsImagePoint) CheckIfDone(env *actions.Env) actions.Result { return t.sub.Step(env) }

// Stop ends the turn.
func (t *TurnTowardsImagePoint) Stop(env *actions.Env) { t.sub.Stop(env) }
