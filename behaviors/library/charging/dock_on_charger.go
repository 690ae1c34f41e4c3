package charging

import (
	"time"

	"github.com/robotd/robotd/actions/charger"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/param"
	"github.com/robotd/robotd/hardware"
)

// A DockOnCharger drives to the remembered charger and backs onto it. If that fails it approaches from another side, a few times. Then it gives
// up, and does not want control until the charger was seen anew.
type DockOnCharger struct {
	params   homeParams
	attempts int
	failedAt time.Time // when it gave up last; zero if the last try succeeded
}

type homeParams struct {
	approaches  int // driveToRetryCount + 1
	mounts      int // mountChargerRetryCount
	nuzzleClip  string
	failureClip string
	sidestep    param.Span // mm driven between two approaches
	speed       float64
}

// DockOnChargerClass is the class DockOnCharger.
func DockOnChargerClass() behaviors.Class {
	return behaviors.Class{
		Name: "DockOnCharger",
		Doc:  "Drives to the charger and docks.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			o := cfg.Object
			return &DockOnCharger{params: homeParams{
				approaches:  o.IntRange("driveToRetryCount", 0, 20) + 1,
				mounts:      o.IntRange("mountChargerRetryCount", 0, 20),
				nuzzleClip:  param.Clip(o, "nuzzleAnimTrigger", "charging_start"),
				failureClip: param.Clip(o, "failureAnimTrigger", "sad_no_face"),
				sidestep:    param.Numbers(o, "sidestepMin_mm", "sidestepMax_mm", param.Span{Min: 80, Max: 200}, 0, 500),
				speed:       o.FloatRangeOr("speed_mmps", 80, 10, motion.CliffSafeMMPS),
			}}
		},
	}
}

// Modify lets it run while carrying, and not on the charger. It looks for the charger while in scope, because it needs to know its place.
func (*DockOnCharger) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, false, false
	m.LookInScope = hardware.LookFor(hardware.SeeMarkers, hardware.Low)
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.High)
}

// cannotDrive is a reason of what drives.
const cannotDrive = "the wheels cannot drive now"

// retryAfter is the time after which a robot that gave up tries again without a new sighting: its camera may be broken.
const retryAfter = time.Minute

// WantsToBeActivated is true if the wheels work and the charger is known; after a failure, if it was seen anew since.
func (g *DockOnCharger) WantsToBeActivated(c *behaviors.Control) bool {
	_, known := c.World().Charger()
	switch {
	case !c.World().Body.CanDrive:
		c.Because(cannotDrive)
	case !known:
		c.Because("it is not known where the charger is")
	case !seenSince(c.World(), g.failedAt) && c.Now().Sub(g.failedAt) < retryAfter:
		c.Because("it gave up %v ago and has not seen the charger since, again in %v", g.failedAt, g.failedAt.Add(retryAfter))
	default:
		return true
	}
	return false
}

// OnActivated drives home.
func (g *DockOnCharger) OnActivated(c *behaviors.Control) {
	g.attempts = 0
	g.mount(c, behaviors.Outcome{})
}

func (g *DockOnCharger) mount(c *behaviors.Control, _ behaviors.Outcome) {
	if _, known := c.World().Charger(); !known {
		c.SetState("forgot where it is")
		return
	}
	c.SetState("docking")
	g.attempts++
	c.ActRetrying(charger.NewMount(charger.MountParams{}), g.params.mounts, g.mounted)
}

// mounted is called at the end of one approach.
func (g *DockOnCharger) mounted(c *behaviors.Control, _ behaviors.Outcome) {
	switch {
	case c.World().Body.OnContacts:
		g.failedAt = time.Time{}
		c.SetState("home")
		c.Act(gesture.Play(g.params.nuzzleClip), nil)
	case g.attempts >= g.params.approaches:
		g.failedAt = c.Now()
		c.SetState("giving up")
		c.Act(gesture.Play(g.params.failureClip), nil)
	default:
		g.sidestep(c)
	}
}

// sidestep drives to a place nearby, so that the next approach comes from another side.
func (g *DockOnCharger) sidestep(c *behaviors.Control) {
	c.SetState("trying from another side")
	turn := param.Span{Min: param.Rad(45), Max: param.Rad(90)}
	c.Act(gesture.InTurn("Sidestep",
		motion.NewDriveStraight(motion.StraightParams{DistanceMM: -sidestepBackMM, AllowOnCharger: true}),
		gesture.Turn(turn.DrawEitherWay(c)),
		motion.NewDriveStraight(motion.StraightParams{
			DistanceMM: g.params.sidestep.Draw(c), SpeedMMPS: g.params.speed, StopAtMM: motion.ObstacleMM + 30,
		}),
	), g.mount)
}

// sidestepBackMM gives room to turn in front of an obstacle.
const sidestepBackMM = 50.0
