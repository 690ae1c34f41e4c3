package charging

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/charger"
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A DockOnCharger drives to the remembered charger and backs onto it. If that fails it approaches from another side, a few times. Then it gives
// up, and does not want control until the charger was seen anew.
type DockOnCharger struct {
	params   homeParams
	attempts int
	freed    bool      // it tried to put down what it carried
	failedAt time.Time // when it gave up last; zero if the last try succeeded
}

type homeParams struct {
	Retries     int        `key:"driveToRetryCount" range:"0..20" doc:"approaches after the first one"`
	Mounts      int        `key:"mountChargerRetryCount" range:"0..20" doc:"tries to dock again in one approach"`
	NuzzleClip  string     `key:"nuzzleAnimTrigger" ref:"clip" doc:"played when it is home"`
	FailureClip string     `key:"failureAnimTrigger" ref:"clip" doc:"played when it gives up"`
	Sidestep    param.Span `key:"sidestepMin_mm,sidestepMax_mm" range:"0..500" doc:"length of the drive between two approaches"`
	Speed       float64    `key:"speed_mmps" range:"10..cliffSafe" doc:"speed of that drive"`
}

// DockOnChargerClass is the class DockOnCharger.
func DockOnChargerClass() behaviors.Class {
	return behaviors.Class{
		Name: "DockOnCharger",
		Doc:  "Drives to the charger and docks.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			g := &DockOnCharger{}
			param.ReadConfig(cfg, &g.params)
			return g
		},
	}
}

// Modify lets it run while carrying, and not on the charger. It looks for the charger while in scope, because it needs to know its place.
func (*DockOnCharger) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, false, false
	m.LookInScope = hardware.LookFor(hardware.SeeMarkers, hardware.Low)
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.High)
}

// The reasons of what drives, and of what needs a charger.
const (
	cannotDrive  = "the wheels cannot drive now"
	cannotCharge = "the robot has no contacts for a charger"
)

// retryAfter is the time after which a robot that gave up leaving or docking tries again. It docks without a new sighting then: its camera may be
// broken.
const retryAfter = time.Minute

// WantsToBeActivated is true if the wheels work and the charger is known; after a failure, if it was seen anew since.
func (g *DockOnCharger) WantsToBeActivated(c *behaviors.Control) bool {
	_, known := c.World().Charger()
	switch {
	case !c.World().Body.CanCharge:
		c.Because(cannotCharge)
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
	g.attempts, g.freed = 0, false
	g.mount(c, behaviors.Outcome{})
}

// OnResumed goes on with the next approach. Those before the interrupt count: a robot that an edge or a person interrupts in each one gives up, too.
func (g *DockOnCharger) OnResumed(c *behaviors.Control) {
	g.freed = false // perhaps it was about to put the cube aside
	if g.attempts > g.params.Retries {
		g.mounted(c, behaviors.Outcome{})
		return
	}
	g.mount(c, behaviors.Outcome{})
}

func (g *DockOnCharger) mount(c *behaviors.Control, _ behaviors.Outcome) {
	if _, known := c.World().Charger(); !known {
		c.SetState("forgot where it is")
		return
	}
	if c.World().Body.Carrying && !g.freed {
		g.freed = true
		g.putAside(c)
		return
	}
	c.SetState("docking")
	g.attempts++
	c.ActRetrying(charger.NewMount(charger.MountParams{}), g.params.Mounts, g.mounted)
}

// mounted is called at the end of one approach.
func (g *DockOnCharger) mounted(c *behaviors.Control, _ behaviors.Outcome) {
	switch {
	case c.World().Body.OnContacts:
		g.failedAt = time.Time{}
		c.SetState("home")
		c.Act(gesture.Play(g.params.NuzzleClip), nil)
	case g.attempts > g.params.Retries:
		g.failedAt = c.Now()
		c.SetState("giving up")
		c.Act(gesture.Play(g.params.FailureClip), nil)
	default:
		if id, ok := inTheWay(c.World()); ok {
			g.clear(c, id)
			return
		}
		g.sidestep(c)
	}
}

// Where a cube keeps the robot from docking, in the frame of the charger, and where the robot puts it.
const (
	wayFromMM, wayToMM, waySideMM = 20.0, charger.PreDockMM + 80, 80.0
	asideXMM, asideYMM            = 240.0, 200.0
)

// inTheWay is a cube on the ground in front of the charger that the robot can carry away, if there is one.
func inTheWay(w *hardware.World) (id int, ok bool) {
	home, known := w.Charger()
	if !known || !w.Body.CanLift || w.Body.Carrying || !w.Vision.OK() {
		return 0, false
	}
	for _, o := range w.Objects {
		if o.Kind != hardware.KindCube || o.Origin != w.Body.Origin || o.BaseMM > 0 {
			continue
		}
		mm, bearing := home.Pose.To(o.Pose.XMM, o.Pose.YMM)
		sin, cos := math.Sincos(bearing)
		if x, y := mm*cos, mm*sin; x > wayFromMM && x < wayToMM && math.Abs(y) < waySideMM {
			return o.ID, true
		}
	}
	return 0, false
}

// clear carries a cube from in front of the charger to a place beside the way, and then docks.
func (g *DockOnCharger) clear(c *behaviors.Control, id int) {
	c.SetState("carrying a cube out of the way")
	c.Act(gesture.InTurn("ClearAway",
		hands.NewDrive(hands.DriveParams{ID: id}),
		hands.NewPickUp(hands.PickUpParams{ID: id}),
		toAside(c.World()),
		hands.NewPutDown(),
	), g.mount)
}

// toAside drives beside the way to the charger.
func toAside(w *hardware.World) actions.Action {
	home, _ := w.Charger()
	var aside []hardware.Pose
	for _, side := range [...]float64{1, -1} {
		sin, cos := math.Sincos(home.Pose.HeadingRad)
		aside = append(aside, hardware.Pose{
			XMM:        home.Pose.XMM + asideXMM*cos - side*asideYMM*sin,
			YMM:        home.Pose.YMM + asideXMM*sin + side*asideYMM*cos,
			HeadingRad: home.Pose.HeadingRad + side*math.Pi/2,
		})
	}
	return motion.NewDriveToPose(motion.PoseParams{Goals: aside, ToleranceRad: 20 * math.Pi / 180, SpeedMMPS: hands.DockMMPS})
}

// putAside puts what it carries beside the way to the charger. Where that fails it lets go of it at once, and otherwise it docks with it:
// the battery comes first.
func (g *DockOnCharger) putAside(c *behaviors.Control) {
	c.SetState("putting a cube beside the charger")
	c.Act(toAside(c.World()), func(c *behaviors.Control, _ behaviors.Outcome) {
		gesture.PutDownFirst(c, func(c *behaviors.Control) { g.mount(c, behaviors.Outcome{}) })
	})
}

// sidestep drives to a place nearby, so that the next approach comes from another side.
func (g *DockOnCharger) sidestep(c *behaviors.Control) {
	c.SetState("trying from another side")
	turn := param.Span{Min: param.Rad(45), Max: param.Rad(90)}
	c.Act(gesture.InTurn("Sidestep",
		motion.NewDriveStraight(motion.StraightParams{DistanceMM: -sidestepBackMM, AllowOnCharger: true}),
		gesture.Turn(turn.DrawEitherWay(c)),
		motion.NewDriveStraight(motion.StraightParams{
			DistanceMM: g.params.Sidestep.Draw(c), SpeedMMPS: g.params.Speed, StopAtMM: motion.ObstacleMM + 30,
		}),
	), g.mount)
}

// sidestepBackMM gives room to turn in front of an obstacle.
const sidestepBackMM = 50.0
