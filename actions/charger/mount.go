package charger

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

const (
	// mountTimeout covers the drive across a table, a look and one docking.
	mountTimeout = 90 * time.Second
	// freshSight is how old the sighting of the charger may be when the robot stands in front of it. Odometry drifts;
	// an older one is renewed by a look.
	freshSight = 15 * time.Second
	// MountRetries is how often a docking is worth repeating, for QueueOptions.
	MountRetries = 2
)

// MountParams configure a Mount.
type MountParams struct {
	// Charger is the charger's pose; nil = the remembered one, looked up anew for each leg.
	Charger *hardware.Pose
}

// A Mount drives to the charger and docks. After a miss it drives 120 mm forward and ends with NOT_ON_CHARGER_RETRY;
// with MountRetries in QueueOptions the runner repeats it from the place where the robot is then.
type Mount struct {
	params MountParams
	sub    actions.SubAction
	phase  mountPhase
	looked bool
	miss   actions.Result
}

type mountPhase uint8

const (
	mountLift     mountPhase = iota // lift out of the way
	mountLeave                      // off the platform, when the contacts were missed
	mountDetour                     // around the charger
	mountApproach                   // to the point in front of it
	mountLook                       // see it again
	mountReturn                     // to that point again
	mountAlign                      // tail to the charger
	mountBackUp
	mountMissed // forward again
)

var mountNames = [...]string{"lift", "leave", "detour", "approach", "look", "return", "align", "back up", "missed"}

// NewMount returns the action.
func NewMount(p MountParams) *Mount { return &Mount{params: p} }

// Name is MountCharger.
func (*Mount) Name() string { return "MountCharger" }

// Type is MOUNT_CHARGER.
func (*Mount) Type() actions.Type { return actions.TypeMountCharger }

// Tracks is all motors.
func (*Mount) Tracks() actions.Tracks { return actions.Head | actions.Lift | actions.Body }

// FailOffTreads is true.
func (*Mount) FailOffTreads() bool { return true }

// Looks is for the marker of the charger.
func (*Mount) Looks() hardware.Look { return hardware.LookFor(hardware.SeeMarkers, hardware.High) }

// Timeout is a minute and a half per attempt.
func (*Mount) Timeout() time.Duration { return mountTimeout }

// Status is the phase.
func (m *Mount) Status() string { return mountNames[m.phase] }

// Init finds the charger. On the contacts it succeeds at once.
func (m *Mount) Init(env *actions.Env) actions.Result {
	m.phase, m.looked = mountLift, false
	if env.World.Body.OnContacts {
		return actions.Success
	}
	if !env.World.Motors.OK() {
		return actions.SendMessageToRobotFailed
	}
	if _, ok := find(env, m.params.Charger); !ok {
		return actions.BadObject
	}
	if s := env.World.Servos; s.OK() && s.Value.LiftMM < liftClearMM-motion.LiftTolMM {
		m.sub.Begin(env, motion.NewMoveLift(motion.LiftParams{HeightMM: liftClearMM}))
	}
	return actions.Success
}

// CheckIfDone runs the phases one after the other.
func (m *Mount) CheckIfDone(env *actions.Env) actions.Result {
	if env.World.Body.OnContacts && m.phase != mountMissed {
		m.sub.Stop(env)
		return actions.Success
	}
	res := m.sub.Step(env)
	switch {
	case res == actions.Running, res == actions.CancelledWhileRunning, res == actions.InvalidOffTreadsState:
		return res
	case m.phase == mountMissed:
		return m.miss
	case m.phase == mountLift, m.phase == mountLook:
		// Without a lift or a fresh look docking may still work.
	case m.phase == mountBackUp && res != actions.Success:
		m.missed(env, res)
		return actions.Running
	case res != actions.Success:
		return res
	}
	return m.advance(env)
}

// advance begins the next phase that is needed.
func (m *Mount) advance(env *actions.Env) actions.Result {
	c, ok := find(env, m.params.Charger)
	if !ok {
		return actions.BadObject
	}
	pose, front := env.World.Body.Pose, inFront(c, PreDockMM)
	switch m.phase {
	case mountLift:
		m.phase = mountLeave
		if env.World.Body.OnPlatform {
			m.sub.Begin(env, motion.NewDriveStraight(motion.StraightParams{DistanceMM: LeaveMM, AllowOnCharger: true}))
			return actions.Running
		}
		return m.advance(env)
	case mountLeave:
		m.phase = mountDetour
		if via, ok := detour(pose, front, c); ok {
			m.sub.Begin(env, motion.NewDriveToPose(motion.PoseParams{Goal: via, AnyHeading: true, ToleranceMM: 2 * motion.PoseTolMM}))
			return actions.Running
		}
		return m.advance(env)
	case mountDetour:
		m.phase = mountApproach
		m.sub.Begin(env, approach(front))
	case mountApproach:
		m.phase = mountLook
		if m.mustLook(env) {
			m.sub.Begin(env, motion.NewTurnTowards(motion.TowardsParams{
				Target: motion.ObjectTarget{Kind: hardware.KindCharger}, Verify: true,
			}))
			return actions.Running
		}
		m.phase = mountReturn
		return m.advance(env)
	case mountLook:
		m.phase = mountReturn
		m.sub.Begin(env, approach(front))
	case mountReturn:
		m.phase = mountAlign
		m.sub.Begin(env, NewTurnToAlign(AlignParams{Charger: &c}))
	case mountAlign:
		m.phase = mountBackUp
		distance, _ := pose.To(c.XMM, c.YMM)
		m.sub.Begin(env, NewBackUpOnto(BackUpParams{DistanceMM: distance + overshootMM}))
	default: // backed up, and the contacts opened again at once
		m.missed(env, actions.NotOnChargerRetry)
	}
	return actions.Running
}

// approach drives to the point in front of the charger. It allows obstacles, because the range sensor sees the charger.
func approach(front hardware.Pose) *motion.DriveToPose {
	return motion.NewDriveToPose(motion.PoseParams{
		Goal: front, ToleranceMM: predockTolMM, ToleranceRad: 2 * alignTolRad, ObstaclesEndMM: PreDockMM + motion.ObstacleMM,
	})
}

// mustLook reports that the remembered charger should be seen again, once per attempt.
func (m *Mount) mustLook(env *actions.Env) bool {
	if m.looked || m.params.Charger != nil || !env.World.Vision.OK() {
		return false
	}
	m.looked = true
	o, ok := env.World.Charger()
	return ok && env.Now.Sub(o.SeenAt) > freshSight
}

// missed drives forward, so that the next attempt has room.
func (m *Mount) missed(env *actions.Env, res actions.Result) {
	m.phase, m.miss = mountMissed, res
	if res.Category() == actions.CategoryRetry {
		m.miss = actions.NotOnChargerRetry
	}
	m.sub.Begin(env, motion.NewDriveStraight(motion.StraightParams{
		DistanceMM: missMM, SpeedMMPS: missMMPS, AllowOnCharger: true, StopAtMM: motion.ObstacleMM,
	}))
}

// Stop ends the phase that runs.
func (m *Mount) Stop(env *actions.Env) { m.sub.Stop(env) }
