// Package motion moves the body: turning and driving by motion segments, head and lift by servo commands. The motor
// driver controls the wheels by their encoders. The actions here send it segments, renew their lease every tick, watch
// the phase, and correct the error that the gyro measures.
//
// Hardware that is absent or failed ends an action with SEND_MESSAGE_TO_ROBOT_FAILED at once (FLT-3); a command that
// a working motor never acknowledges ends with TIMEOUT (FLT-1).
package motion

import (
	"math"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// Defaults and limits of all motions.
const (
	DriveMMPS     = 100.0 // forward
	ReverseMMPS   = 80.0
	CliffSafeMMPS = 170.0 // fastest speed from which the cliff reflex still stops in time
	CarryMMPS     = 60.0  // the same with an object on the lift
	AccelMMPS2    = 200.0
	TurnRadPS     = 2.0
	MaxTurnRadPS  = 300 * rad
	MinTurnTolRad = 2 * rad
	rad           = math.Pi / 180

	// standstillMMPS is the wheel speed below which the robot counts as standing.
	standstillMMPS = 5.0
	// reasonCliff is the reason that the motor driver gives for its cliff reflex.
	reasonCliff = "cliff"
	// reasonRefused is the one for a segment that it refuses (FLT-3).
	reasonRefused = "refused"
)

// segment drives one motion segment to its end. It resends the command every step, which renews the lease.
type segment struct {
	id   uint64
	cmd  hardware.Command // kept as an interface, so that resending allocates nothing
	seen bool             // the motors have accepted it
}

// begin gives the motors a segment.
func (s *segment) begin(env *actions.Env, d hardware.Drive) {
	d.ID = env.NextID()
	*s = segment{id: d.ID, cmd: d}
	env.Send(s.cmd)
}

// active reports a segment that has begun and not ended.
func (s *segment) active() bool { return s.cmd != nil }

// step checks the motors and renews the lease. It returns RUNNING until the segment is done and the wheels stand, then
// SUCCESS, or a failure if the motors gave up. A cliff counts as cancelled, because the engine then cancels everything
// (CLF-6).
func (s *segment) step(env *actions.Env) actions.Result {
	m := env.World.Motors
	if !m.OK() {
		s.cmd = nil
		return actions.SendMessageToRobotFailed
	}
	if m.Value.Segment != s.id {
		if s.seen { // the motors were restarted or took another command: the segment must not start again
			s.cmd = nil
			return actions.FailedTraversingPath
		}
		env.Send(s.cmd)
		return actions.Running
	}
	s.seen = true
	switch m.Value.Phase {
	case hardware.PhaseDone:
		if !standing(m.Value) {
			return actions.Running
		}
		s.cmd = nil
		return actions.Success
	case hardware.PhaseAborted:
		s.cmd = nil
		return aborted(m.Value.Reason)
	}
	env.Send(s.cmd)
	return actions.Running
}

// drop forgets the segment, and stops the wheels if it still ran.
func (s *segment) drop(env *actions.Env) {
	if s.active() {
		s.cmd = nil
		env.Send(hardware.StopWheels{})
	}
}

func aborted(reason string) actions.Result {
	switch reason {
	case reasonCliff:
		return actions.CancelledWhileRunning
	case reasonRefused:
		return actions.SendMessageToRobotFailed
	case "stall":
		return actions.MotorStoppedMakingProgress
	}
	return actions.FailedTraversingPath
}

func standing(m hardware.MotorState) bool {
	return math.Abs(m.LeftMMPS) < standstillMMPS && math.Abs(m.RightMMPS) < standstillMMPS
}

// canDrive checks motors and charger before a motion.
func canDrive(env *actions.Env, allowOnCharger bool) actions.Result {
	switch b := env.World.Body; {
	case !env.World.Motors.OK():
		return actions.SendMessageToRobotFailed
	case !allowOnCharger && (b.OnContacts || b.OnPlatform):
		return actions.ShouldntDriveOnCharger
	}
	return actions.Success
}

// blocked reports an obstacle nearer than limitMM before the front of the robot. A limit of zero or less means none. A failed sensor reports
// no obstacle; the stall and cliff reflexes of the wheels still work then.
func blocked(env *actions.Env, limitMM float64) bool {
	mm, found := env.World.Ahead()
	return limitMM > 0 && found && mm < limitMM
}

// orDefault returns v, or d if v is not positive.
func orDefault(v, d float64) float64 {
	if v > 0 {
		return v
	}
	return d
}

// fastest is the speed that no drive exceeds now.
func fastest(env *actions.Env) float64 {
	if env.World.Body.Carrying {
		return CarryMMPS
	}
	return CliffSafeMMPS
}
