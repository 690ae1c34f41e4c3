package motion

import (
	"math"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// SpinLeastRadPS is the slowest turn of a [Spin]: below it the wheels of R1 roll slower than 3 mm/s, which their encoders hardly tell.
const SpinLeastRadPS = 0.13

// A Spin turns the robot in place at a speed that its owner sets anew in every tick. It is the wheel part of an action that follows something
// which moves; the owner holds the track of the body and calls Stop from its own Stop.
type Spin struct{ seg segment }

// Turning reports whether the wheels have an order to turn.
func (s *Spin) Turning() bool { return s.seg.active() }

// Step turns at radPS, positive to the left and at most 300 °/s; 0 stops the wheels. It returns RUNNING, or the result of a motion that ended
// by itself: CANCELLED_WHILE_RUNNING at an edge, MOTOR_STOPPED_MAKING_PROGRESS, FAILED_TRAVERSING_PATH or SEND_MESSAGE_TO_ROBOT_FAILED.
func (s *Spin) Step(env *actions.Env, radPS float64) actions.Result {
	if radPS == 0 {
		s.Stop(env)
		if !env.World.Motors.OK() {
			return actions.SendMessageToRobotFailed
		}
		return actions.Running
	}
	radPS = math.Copysign(min(max(math.Abs(radPS), SpinLeastRadPS), MaxTurnRadPS), radPS)
	rim := radPS * env.World.Motors.Value.Tread() / 2
	d := hardware.Drive{ID: s.seg.id, Kind: hardware.Wheels, LeftMMPS: -rim, RightMMPS: rim}
	if !s.seg.active() {
		s.seg.begin(env, d)
		return actions.Running
	}
	s.seg.cmd = d
	if res := s.seg.step(env); res != actions.Success {
		return res
	}
	return actions.Running
}

// Stop stops the wheels if they still turn.
func (s *Spin) Stop(env *actions.Env) { s.seg.drop(env) }
