package hands

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

const (
	// DockMMPS is the speed of docking and of everything that is done with a cube on the lift.
	DockMMPS  = 60.0
	finalMMPS = 40.0

	// lookSights sightings are enough to aim by; lookTime is how long it waits for them, and leastSights are enough then.
	lookSights, leastSights = 6, 2
	lookTime                = 2 * time.Second
	// staleTime is how old the newest sighting may be while the robot drives up to the cube by it.
	staleTime = 450 * time.Millisecond
	// blindMM is the way to the face below which the camera need not see the cube any more: it is too near.
	blindMM = 15.0
	// halfwayMM is where it stops to look once more from near by.
	halfwayMM = 25.0
	// nearMM is how far before that it counts as there, offTolMM how exactly it stops elsewhere.
	nearMM, offTolMM = 10.0, 1.5
	// pressMM is how much farther than to the face it drives, to be sure to touch it.
	pressMM = 3.0

	// preTolMM is how exactly it drives to a pose near a cube.
	preTolMM = 1.0
	// liftTolMM is how exactly the fingers must be in the slot.
	liftTolMM = 3.0

	// aimRad is a bearing that is worth a turn, veerRad one that stops a drive.
	aimRad, veerRad = 1 * rad, 4 * rad
	// What a dock forgives: the face is met that far from its middle and at that angle. The physics allows 6 mm and 8°.
	sideTolMM, turnTolRad = 4.0, 5.5 * rad
	// The robot must stand in this funnel before a face to begin.
	funnelMM, funnelSideMM, funnelRad = 140.0, 45.0, 35 * rad
	// maxBetter is how often it drives back to a better place to begin at.
	maxBetter = 2
	// maxLooks is how often it stops on the way to look again.
	maxLooks = 6
	// intrudeMM is how much nearer than the cube something may be ahead.
	intrudeMM = 22.0
)

// An approach brings the front of the robot to a face of a cube.
type approach struct {
	id     int
	liftMM float64
	offMM  float64 // from the face, at the end; 0 touches it

	sight  sight
	body   actions.SubAction
	lift   actions.SubAction
	head   actions.SubAction
	phase  approachPhase
	face   int
	since  time.Time
	better int
	looks  int
	near   bool // the next leg is the last one
	turned bool // has looked for the cube by a turn
	baseMM float64
}

type approachPhase uint8

const (
	approachReady  approachPhase = iota // head and lift into position
	approachLook                        // stands and looks
	approachBetter                      // drives to a better place to begin at
	approachAim                         // turns to the middle of the face
	approachDrive
	approachPress // blind, the last millimeters
)

var approachNames = [...]string{"raising or lowering the lift", "looking", "finding a better place", "aiming", "driving up", "touching"}

func (a *approach) status() string { return approachNames[a.phase] }

// begin checks the cube and sends head and lift into position.
func (a *approach) begin(env *actions.Env) actions.Result {
	o, ok := cubeOf(env.World, a.id)
	switch {
	case !ok:
		return actions.BadObject
	case !env.World.Vision.OK():
		return actions.VisualObservationFailed
	}
	a.face, a.baseMM = NearestFace(o.Pose, env.World.Body.Pose), o.BaseMM
	if !a.inFunnel(MissOf(o.Pose, a.face, env.World.Body.Pose)) {
		return actions.DidNotReachPreactionPose
	}
	a.phase, a.better, a.looks, a.near, a.turned = approachReady, 0, 0, false, false
	a.sight.begin(a.id)
	tol := liftTolMM
	if a.liftMM == motion.LiftCarryMM {
		tol = motion.LiftTolMM // a potentiometer may say 3 mm less at the end of the travel
	}
	a.lift.Begin(env, motion.NewMoveLift(motion.LiftParams{HeightMM: a.liftMM, ToleranceMM: tol}))
	a.head.Begin(env, motion.NewMoveHead(motion.HeadParams{AngleRad: motion.HeadBlockRad}))
	return actions.Success
}

func (a *approach) inFunnel(m Miss) bool {
	return m.OffMM < funnelMM && m.OffMM > blindMM/2 && math.Abs(m.SideMM) < funnelSideMM && math.Abs(m.TurnRad) < funnelRad
}

// step does one tick. SUCCESS means that the robot stands before the face.
func (a *approach) step(env *actions.Env) actions.Result {
	if _, ok := cubeOf(env.World, a.id); !ok {
		return actions.BadObject
	}
	fresh := a.sight.look(env.World)
	switch a.phase {
	case approachReady:
		return a.prepare(env)
	case approachLook:
		return a.look(env)
	case approachBetter:
		return a.arrive(env, a.body.Step(env))
	case approachAim:
		return a.aim(env, a.body.Step(env))
	case approachDrive:
		return a.drive(env, fresh)
	}
	return a.press(env, a.body.Step(env))
}

// prepare waits for lift and head. A head that does not move may still look right.
func (a *approach) prepare(env *actions.Env) actions.Result {
	lift, head := a.lift.Step(env), a.head.Step(env)
	switch {
	case lift != actions.Running && lift != actions.Success:
		return lift
	case lift == actions.Running, head == actions.Running:
		return actions.Running
	}
	a.stand(env)
	return actions.Running
}

// stand stops and looks anew.
func (a *approach) stand(env *actions.Env) {
	a.body.Stop(env)
	a.sight.wait(env.World.Now)
	a.phase, a.since = approachLook, env.Now
}

// look waits for enough sightings, then chooses what to do.
func (a *approach) look(env *actions.Env) actions.Result {
	n := a.sight.fresh
	if n < lookSights && env.Now.Sub(a.since) < lookTime {
		return actions.Running
	}
	if n < leastSights {
		return a.seek(env)
	}
	p := env.World.Body.Pose
	a.face = NearestFace(a.sight.sum, p)
	m := MissOf(a.sight.sum, a.face, p)
	if !a.inFunnel(m) {
		return actions.DidNotReachPreactionPose
	}
	if !a.good(m) {
		if a.better++; a.better > maxBetter {
			return actions.DidNotReachPreactionPose
		}
		a.phase = approachBetter
		a.body.Begin(env, toPose(At(a.sight.sum, a.face, PreDockMM)))
		return actions.Running
	}
	return a.turn(env)
}

// seek turns once to where the cube was seen last: a drive to a better place that was stopped may have left the robot looking elsewhere.
func (a *approach) seek(env *actions.Env) actions.Result {
	o, ok := cubeOf(env.World, a.id)
	_, bearing := env.World.Body.Pose.To(o.Pose.XMM, o.Pose.YMM)
	if !ok || a.turned || math.Abs(bearing) <= veerRad {
		return actions.VisualObservationFailed
	}
	a.turned = true
	a.phase = approachBetter
	a.body.Begin(env, motion.NewTurnInPlace(motion.TurnParams{AngleRad: bearing}))
	return actions.Running
}

// good reports whether the face is met well enough by a robot that aims at its middle now.
func (a *approach) good(m Miss) bool {
	if m.OffMM < a.offMM+halfwayMM/2 { // no room to aim: the robot meets it as it stands
		return math.Abs(m.SideMM+DockMM*math.Sin(m.TurnRad)) <= sideTolMM && math.Abs(m.TurnRad) <= turnTolRad
	}
	return math.Abs(math.Atan2(m.SideMM, m.OffMM+DockMM)) <= turnTolRad
}

// arrive looks again from the better place.
func (a *approach) arrive(env *actions.Env, res actions.Result) actions.Result {
	switch {
	case res == actions.Running:
		return res
	case res != actions.Success && res.Category() != actions.CategoryRetry:
		return res
	}
	a.stand(env)
	return actions.Running
}

// turn aims at the middle of the cube, if that is worth it, and drives.
func (a *approach) turn(env *actions.Env) actions.Result {
	_, bearing := env.World.Body.Pose.To(a.sight.sum.XMM, a.sight.sum.YMM)
	if math.Abs(bearing) <= aimRad {
		return a.leg(env)
	}
	a.phase = approachAim
	a.body.Begin(env, motion.NewTurnInPlace(motion.TurnParams{AngleRad: bearing, SpeedRadPS: 1}))
	return actions.Running
}

func (a *approach) aim(env *actions.Env, res actions.Result) actions.Result {
	if res != actions.Success {
		return res
	}
	return a.leg(env)
}

// left is the way to the wanted distance from the face.
func (a *approach) left(env *actions.Env) float64 {
	return MissOf(a.sight.sum, a.face, env.World.Body.Pose).OffMM - a.offMM
}

// leg begins the next leg: to where it looks once more from near by, or to the end. SUCCESS means that there is none.
func (a *approach) leg(env *actions.Env) actions.Result {
	left := a.left(env)
	way := left
	if !a.near {
		way = left + a.offMM - max(a.offMM, halfwayMM)
	}
	switch {
	case a.near && a.offMM == 0:
		a.phase = approachPress
		a.body.Begin(env, motion.NewDriveStraight(motion.StraightParams{DistanceMM: max(left, 0) + pressMM, SpeedMMPS: finalMMPS}))
		return actions.Running
	case !a.near && way <= offTolMM:
		a.near = true
		return a.leg(env)
	case math.Abs(way) <= offTolMM:
		return actions.Success
	}
	a.phase = approachDrive
	a.body.Begin(env, motion.NewDriveStraight(motion.StraightParams{DistanceMM: way, SpeedMMPS: DockMMPS}))
	return actions.Running
}

// drive watches what each image shows. It stops to look when there is none, or when the cube is not ahead.
func (a *approach) drive(env *actions.Env, fresh bool) actions.Result {
	if res := a.watch(env); res != actions.Success {
		a.body.Stop(env)
		return res
	}
	_, bearing := env.World.Body.Pose.To(a.sight.sum.XMM, a.sight.sum.YMM)
	late := env.Now.Sub(a.sight.at) > staleTime && a.left(env)+a.offMM > blindMM
	if !late && (!fresh || math.Abs(bearing) <= veerRad) {
		if res := a.body.Step(env); res != actions.Success {
			return res
		}
		a.near = a.near || a.left(env)+a.offMM < max(a.offMM, halfwayMM)+nearMM
	}
	if a.looks++; a.looks > maxLooks {
		a.body.Stop(env)
		return actions.VisualObservationFailed
	}
	a.stand(env)
	return actions.Running
}

// watch ends the drive for what must not be driven on: stale eyes, a stale sensor ahead, something in the way, a robot that is moved.
func (a *approach) watch(env *actions.Env) actions.Result {
	w := env.World
	r := w.Range
	switch {
	case !w.Vision.OK():
		return actions.VisualObservationFailed
	case r.Quality != hardware.Absent && !r.OK(), w.Body.Moved:
		return actions.FailedTraversingPath
	case r.OK() && r.Value.Found && r.Value.DistanceMM < a.left(env)+a.offMM-intrudeMM:
		return actions.FailedTraversingPath
	}
	return actions.Success
}

// press ends with the contact. A cube that holds against the wheels was touched.
func (a *approach) press(_ *actions.Env, res actions.Result) actions.Result {
	if res == actions.MotorStoppedMakingProgress {
		return actions.Success
	}
	return res
}

// stop ends everything that moves.
func (a *approach) stop(env *actions.Env) {
	a.body.Stop(env)
	a.lift.Stop(env)
	a.head.Stop(env)
}

// toPose drives to a pose near a cube, exactly. The cube is no obstacle.
func toPose(p hardware.Pose) actions.Action {
	return motion.NewDriveToPose(motion.PoseParams{
		Goal: p, ToleranceMM: preTolMM, ToleranceRad: motion.MinTurnTolRad, SpeedMMPS: DockMMPS, AllowObstacles: true,
	})
}
