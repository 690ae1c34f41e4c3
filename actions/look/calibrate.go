package look

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// How a joint is calibrated. The times at rest are those of the reference robot.
const (
	CalibrateHeadRest = 200 * time.Millisecond
	CalibrateLiftRest = 500 * time.Millisecond
	// Slow enough that the stop is touched, not hit.
	calibrateHeadRadPS = 45 * rad
	calibrateLiftMMPS  = 40.0
	// The stop is where it should be if it is measured that near to it: twice the tolerance of a joint in position.
	calibrateHeadTolRad = 2 * motion.HeadTolRad
	calibrateLiftTolMM  = 2 * motion.LiftTolMM
	calibrateTimeout    = 20 * time.Second
)

// CalibrateParams configure a CalibrateMotors.
type CalibrateParams struct {
	// Head and Lift say which joints; neither is both.
	Head, Lift bool
	// Reason is for people.
	Reason string
}

// A JointCalibration is what is known of one joint now.
type JointCalibration struct {
	Done bool
	// Measured means that a sensor saw the joint at its stop. False: it has none, and is believed to be there because it was sent there.
	Measured bool
	// Error is how far from its stop it was measured, in rad or mm, before the position counted as the stop.
	Error float64
}

// A CalibratePayload is the payload of a CalibrateMotors.
type CalibratePayload struct{ Head, Lift JointCalibration }

// A CalibrateMotors drives head and lift slowly to their lower end stops, lets them rest there (the head 0.2 s, the lift 0.5 s) and takes that for
// the end of the travel. A servo with a potentiometer learns the pulse of its end there: its driver corrects the pulse until the sensor says that the
// joint is at its end (hardware/device/pulses.go), and the state folder keeps it. A servo without feedback is believed to be where it was sent; then the
// action drives it to its stop, so that what is believed is true again, and says in its payload that nothing was measured.
//
// It ends with SUCCESS when every joint rests at its stop; FAILED_SETTING_CALIBRATION if one is measured farther from it than 4° or 10 mm, which no
// repetition mends; MOTOR_STOPPED_MAKING_PROGRESS if one stops on the way; STILL_CARRYING_OBJECT for the lift with a cube on it;
// SEND_MESSAGE_TO_ROBOT_FAILED if the servos do not work or the robot has none of the joints that were asked for; TIMEOUT after 20 s.
type CalibrateMotors struct {
	refusal
	params CalibrateParams
	head   joint
	lift   joint
}

// A joint is one that is calibrated.
type joint struct {
	move   actions.SubAction
	wanted bool
	since  time.Time // at its stop
	out    JointCalibration
}

// NewCalibrateMotors returns the action.
func NewCalibrateMotors(p CalibrateParams) *CalibrateMotors {
	if !p.Head && !p.Lift {
		p.Head, p.Lift = true, true
	}
	return &CalibrateMotors{params: p}
}

// Name is CalibrateMotors.
func (*CalibrateMotors) Name() string { return "CalibrateMotors" }

// Type is CALIBRATE_MOTORS.
func (*CalibrateMotors) Type() actions.Type { return actions.TypeCalibrateMotors }

// Tracks is what it moves.
func (c *CalibrateMotors) Tracks() (t actions.Tracks) {
	if c.params.Head {
		t |= actions.Head
	}
	if c.params.Lift {
		t |= actions.Lift
	}
	return t
}

// Timeout is 20 s.
func (*CalibrateMotors) Timeout() time.Duration { return calibrateTimeout }

// Payload is a CalibratePayload.
func (c *CalibrateMotors) Payload() any { return CalibratePayload{Head: c.head.out, Lift: c.lift.out} }

// Status is what it waits for.
func (c *CalibrateMotors) Status() string {
	switch {
	case c.head.move.Active() || c.lift.move.Active():
		return "driving to the stop"
	case c.params.Reason != "":
		return "resting at the stop: " + c.params.Reason
	}
	return "resting at the stop"
}

// Init sends the joints to their stops.
func (c *CalibrateMotors) Init(env *actions.Env) actions.Result {
	s := env.World.Servos
	c.head, c.lift = joint{wanted: c.params.Head && !s.Value.NoHead}, joint{wanted: c.params.Lift && !s.Value.NoLift}
	c.refusal = ""
	switch {
	case s.Quality == hardware.Absent, !c.head.wanted && !c.lift.wanted:
		c.refusal = "the robot has no such joint"
		return actions.SendMessageToRobotFailed
	case !s.OK():
		return actions.SendMessageToRobotFailed
	case c.lift.wanted && env.World.Body.Carrying:
		return actions.StillCarryingObject
	}
	headLow, liftLow := s.Value.Low()
	if c.head.wanted {
		c.head.move.Begin(env, motion.NewMoveHead(motion.HeadParams{
			AngleRad: headLow, ToleranceRad: calibrateHeadTolRad, MaxRadPS: calibrateHeadRadPS,
		}))
	}
	if c.lift.wanted {
		c.lift.move.Begin(env, motion.NewMoveLift(motion.LiftParams{
			HeightMM: liftLow, ToleranceMM: calibrateLiftTolMM, MaxMMPS: calibrateLiftMMPS,
		}))
	}
	return actions.Success
}

// CheckIfDone waits for both joints.
func (c *CalibrateMotors) CheckIfDone(env *actions.Env) actions.Result {
	s := env.World.Servos
	if !s.OK() {
		return actions.SendMessageToRobotFailed
	}
	v := &s.Value
	headLow, liftLow := v.Low()
	head := c.head.step(env, spot{v.HeadRad - headLow, calibrateHeadTolRad, v.HeadMoving, v.HeadReckoned, CalibrateHeadRest})
	if head != actions.Success && head != actions.Running {
		return head
	}
	lift := c.lift.step(env, spot{v.LiftMM - liftLow, calibrateLiftTolMM, v.LiftMoving, v.LiftReckoned, CalibrateLiftRest})
	if lift != actions.Success {
		return lift
	}
	return head
}

// A spot is where a joint is: off its stop, how far it may be, whether it moves or is not measured, and how long it has to rest.
type spot struct {
	off, tol         float64
	moving, reckoned bool
	rest             time.Duration
}

// step drives the joint to its stop and lets it rest there.
func (j *joint) step(env *actions.Env, s spot) actions.Result {
	if !j.wanted || j.out.Done {
		return actions.Success
	}
	if j.move.Active() {
		if res := j.move.Step(env); res != actions.Success {
			return j.missed(res, s)
		}
	}
	if s.moving {
		j.since = time.Time{}
		return actions.Running
	}
	if j.since.IsZero() {
		j.since = env.Now
	}
	switch {
	case env.Now.Sub(j.since) < s.rest:
		return actions.Running
	case math.Abs(s.off) > s.tol:
		return actions.FailedSettingCalibration
	}
	j.out = JointCalibration{Done: true, Measured: !s.reckoned, Error: s.off}
	return actions.Success
}

// missed tells a joint that came to rest beside its stop from one that does not work. A joint that is measured to stand off its stop, although it was
// sent there, cannot be calibrated if it is past the stop, and is blocked if it is before it.
func (j *joint) missed(res actions.Result, s spot) actions.Result {
	if res == actions.MotorStoppedMakingProgress && s.off < 0 {
		return actions.FailedSettingCalibration
	}
	return res
}

// Stop stops what moves.
func (c *CalibrateMotors) Stop(env *actions.Env) {
	c.head.move.Stop(env)
	c.lift.move.Stop(env)
}
