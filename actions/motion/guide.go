package motion

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/path"
	"github.com/robotd/robotd/hardware"
)

// Numbers of a drive on a planned way.
const (
	// senseMM is the distance before its front within which something in the way makes the robot stop and look how wide it is.
	senseMM = 150.0
	// touchMM is the distance before its front at which it stops for anything.
	touchMM = 30.0
	// lookedMM is how far it marks what it meets while it looks.
	lookedMM = 220.0
	// lookRad is how far it looks to each side, lookRadPS how fast it turns meanwhile.
	lookRad, lookRadPS = 50 * rad, 1.5
	// What the range sensor meets has a radius of metMM and a share of its distance: the cone.
	metMM, metShare = 8.0, 0.1
	// sameMM is the distance within which two places that were met are one.
	sameMM = 10.0
	// maxMet bounds these places.
	maxMet = 128
	// bumpMM is the radius of what stopped the wheels, backMM how far the robot backs up from it.
	bumpMM, backMM = 20.0, 40.0
	// maxDetours limits the plans after the first one.
	maxDetours = 10
	// maxLooks limits the looks from side to side: what is wider than they show has no end.
	maxLooks = 4
	// confirmTime is how long the motors may take to begin or to end what they were ordered (FLT-2).
	confirmTime = time.Second
)

// guide is what a drive on a planned way knows.
type guide struct {
	goals   []hardware.Pose
	id      uint64 // of the plan that is computed; 0 for none
	way     []hardware.Pose
	clearMM float64
	met     []hardware.Mark // what was met since the drive began
	plans   int
	seq     uint64 // of the newest range reading used
	ranged  bool   // what is in the way was met by the range sensor
	looks   int    // turns of a look to come
	looked  int    // looks so far

	since     time.Time // of the order that the motors have not confirmed
	before    uint64    // the segment that they had then
	confirmed bool
	running   bool // the motors began what the plan says
	follow    follower
}

// status names the state of the path.
func (d *DriveToPose) guideStatus() string {
	switch {
	case d.phase == posePlanning:
		return "computing"
	case d.phase == poseHalt, d.phase == poseLook, d.phase == poseBack:
		return "finding another way"
	case !d.guide.running:
		return "waiting to begin"
	}
	return "following"
}

// ask begins a plan from where the robot stands.
func (d *DriveToPose) ask(env *actions.Env) actions.Result {
	g := &d.guide
	if g.plans > maxDetours {
		return actions.FailedTraversingPath
	}
	g.dropPlan(env)
	g.id = env.Paths.Ask(actions.PathQuestion{
		Goals: g.goals, Near: d.params.Near, ReachMM: d.params.ReachMM, Met: g.met, Again: g.plans > 0,
	})
	g.plans++
	g.running = false
	d.phase = posePlanning
	return actions.Running
}

func (g *guide) dropPlan(env *actions.Env) {
	if g.id != 0 && env.Paths != nil {
		env.Paths.Drop(g.id)
	}
	g.id = 0
}

// look takes the plan if it is there.
func (d *DriveToPose) take(env *actions.Env) actions.Result {
	g := &d.guide
	p, state := env.Paths.Look(g.id)
	switch state {
	case actions.PathComputing:
		return actions.Running
	case actions.PathReady:
		g.dropPlan(env)
		g.way, g.clearMM = slices.Clone(p.Points), p.ClearMM
		d.params.Goal = g.goals[p.Goal]
		d.phase = posePlan
		return actions.Success
	}
	g.dropPlan(env)
	return actions.PathPlanningFailedAbort
}

// guided is CheckIfDone of a drive on a planned way.
func (d *DriveToPose) guided(env *actions.Env) actions.Result {
	g := &d.guide
	if d.late(env) {
		d.stopLeg(env)
		return actions.FailedTraversingPath
	}
	switch d.phase {
	case posePlanning:
		if res := d.take(env); res != actions.Success {
			return res
		}
	case poseHalt:
		if m := env.World.Motors; m.OK() && (m.Value.Phase == hardware.PhaseMoving || !standing(m.Value)) {
			return actions.Running // late gives it up
		}
		return d.halted(env)
	case poseLook, poseBack:
		d.meet(env, lookedMM, false)
		return d.looked(env)
	default:
		if d.hindered(env) {
			d.stopLeg(env)
			env.Send(hardware.StopWheels{})
			d.phase = poseHalt
			d.await(env)
			return actions.Running
		}
	}
	if d.phase == posePlan {
		d.leaveShort(env)
		if d.plan(env) {
			return actions.Success
		}
	}
	if d.phase != poseFollow {
		return d.leg(env)
	}
	res, end := g.follow.step(env, &g.way, d.speed(env))
	switch {
	case end == followLast:
		d.drive(env)
		return d.leg(env)
	case end == followTurn:
		d.phase = posePlan
		if d.plan(env) {
			return actions.Success
		}
		return d.leg(env)
	case res == actions.MotorStoppedMakingProgress:
		return d.bumped(env)
	}
	return res
}

// leaveShort leaves out points of the way that the robot stands at.
func (d *DriveToPose) leaveShort(env *actions.Env) {
	g := &d.guide
	for len(g.way) > 1 {
		if mm, _ := env.World.Body.Pose.To(g.way[0].XMM, g.way[0].YMM); mm > passMM {
			return
		}
		g.way = g.way[1:]
	}
}

// speed is that of the drive: asked for, of the profile, or the default.
func (d *DriveToPose) speed(env *actions.Env) float64 {
	return orDefault(d.params.SpeedMMPS, orDefault(env.Profile.DriveMMPS, DriveMMPS))
}

// await begins to wait for the motors to confirm an order.
func (d *DriveToPose) await(env *actions.Env) {
	g := &d.guide
	g.since, g.before, g.confirmed = env.Now, env.World.Motors.Value.Segment, false
}

// late reports an order that the motors did not confirm in time (FLT-2): a leg has another segment, a halt ends it.
func (d *DriveToPose) late(env *actions.Env) bool {
	g := &d.guide
	m := env.World.Motors
	switch {
	case d.phase == posePlanning || d.phase == posePlan || !m.OK():
		return false
	case d.phase != poseHalt:
		g.confirmed = g.confirmed || m.Value.Segment != g.before
		g.running = g.running || g.confirmed
	}
	return !g.confirmed && env.Now.Sub(g.since) >= confirmTime
}

// hindered reports whether something is in the way that the plan does not know.
func (d *DriveToPose) hindered(env *actions.Env) bool {
	g := &d.guide
	g.ranged = false
	if left, _ := env.World.Body.Pose.To(d.params.Goal.XMM, d.params.Goal.YMM); d.phase == poseAlign || left <= d.params.ObstaclesEndMM {
		return false
	}
	if d.phase == poseFollow || d.phase == poseDrive && d.forward {
		if d.meet(env, senseMM, true) {
			g.ranged = true
			return true
		}
	}
	q := actions.PathQuestion{Near: d.params.Near}
	return path.Blocked(env.World, &q, g.way, g.clearMM)
}

// meet notes what the range sensor meets within a distance, and reports whether something is there: with inWay only what is in the way.
func (d *DriveToPose) meet(env *actions.Env, withinMM float64, inWay bool) bool {
	g, r := &d.guide, &env.World.Range
	gap, found := env.World.Ahead()
	if !found || r.Seq == g.seq || gap > withinMM || env.World.Body.Carrying {
		return false
	}
	g.seq = r.Seq
	pose := env.World.Body.Pose
	s, c := math.Sincos(pose.HeadingRad)
	m := hardware.Mark{Kind: hardware.MarkObstacle, HeadingRad: pose.HeadingRad, At: r.At, Met: 1, RadiusMM: metMM + metShare*r.Value.DistanceMM}
	at := r.Value.Front() + r.Value.DistanceMM
	m.XMM, m.YMM = pose.XMM+c*at, pose.YMM+s*at
	if path.Known(env.World, m.XMM, m.YMM) {
		return false
	}
	if inWay && gap >= touchMM && !path.Meets(m.XMM, m.YMM, pose, g.way, g.clearMM) {
		return false
	}
	g.note(m)
	return true
}

// noseMM is where the front of the robot is.
func noseMM(env *actions.Env) float64 { return float64(env.World.Motors.Value.Outline().FrontMM) }

// note keeps a place that was met, unless it is kept.
func (g *guide) note(m hardware.Mark) {
	for _, o := range g.met {
		if math.Hypot(o.XMM-m.XMM, o.YMM-m.YMM) < sameMM {
			return
		}
	}
	if len(g.met) == maxMet {
		g.met = g.met[1:]
	}
	g.met = append(g.met, m)
}

// halted goes on after the wheels stand: it looks how wide a thing is, or plans at once around what it knows.
func (d *DriveToPose) halted(env *actions.Env) actions.Result {
	g := &d.guide
	if !g.ranged {
		return d.ask(env)
	}
	if g.looked++; g.looked > maxLooks {
		return actions.FailedTraversingPath
	}
	g.ranged, g.looks = false, 2
	return d.looked(env)
}

// looked turns to the one side, then to the other, and then plans. It goes on as well from where the robot backed up.
func (d *DriveToPose) looked(env *actions.Env) actions.Result {
	g := &d.guide
	if d.sub.Active() {
		if res := d.sub.Step(env); res == actions.Running || res == actions.CancelledWhileRunning || res == actions.InvalidOffTreadsState {
			return res
		}
	}
	angle := lookRad
	switch g.looks {
	case 0:
		return d.ask(env)
	case 1:
		angle = -2 * lookRad
	}
	g.looks--
	d.phase = poseLook
	d.begin(env, NewTurnInPlace(TurnParams{AngleRad: angle, SpeedRadPS: lookRadPS, AllowOnCharger: d.params.AllowOnCharger, ToleranceRad: 5 * rad}))
	return actions.Running
}

// bumped notes what stopped the wheels and backs up from it.
func (d *DriveToPose) bumped(env *actions.Env) actions.Result {
	pose := env.World.Body.Pose
	s, c := math.Sincos(pose.HeadingRad)
	at := noseMM(env) + bumpMM
	d.guide.note(hardware.Mark{Kind: hardware.MarkBump, XMM: pose.XMM + c*at, YMM: pose.YMM + s*at, HeadingRad: pose.HeadingRad, RadiusMM: bumpMM, At: env.Now, Met: 1})
	d.guide.looks = 0
	d.phase = poseBack
	d.begin(env, NewDriveStraight(StraightParams{DistanceMM: -backMM, AllowOnCharger: d.params.AllowOnCharger}))
	return actions.Running
}
