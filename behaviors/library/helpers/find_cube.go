package helpers

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A FindCube looks for a cube: where it saw one, and then all around. It ends when it sees one.
type FindCube struct {
	params findParams
	since  time.Time
	turns  int
	found  bool
}

type findParams struct {
	Still bool `key:"skipReactToCubeAnim" default:"false" why:"it shows what it found" doc:"end without showing that it sees the cube"`
}

const (
	idLeaveForCube = "DriveOffChargerCube"
	// A turn of the search, and how many make a round.
	findTurnRad = 45 * math.Pi / 180
	findTurns   = 8
	foundClip   = "greet_happy"
)

// FindCubeClass is the class FindCube.
func FindCubeClass() behaviors.Class {
	return behaviors.Class{
		Name: "FindCube",
		Doc:  "Helper: looks for a cube.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			f := &FindCube{}
			param.ReadConfig(cfg, &f.params)
			cfg.MayDelegateTo(idLeaveForCube)
			return f
		},
	}
}

// HelpsWithTask marks a helper.
func (*FindCube) HelpsWithTask() {}

// Modify looks for cubes.
func (*FindCube) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.High)
}

// WantsToBeActivated is true if it sees at all.
func (f *FindCube) WantsToBeActivated(c *behaviors.Control) bool {
	if !c.World().Body.CanSee {
		c.Because("it sees nothing now")
		return false
	}
	return true
}

// OnActivated leaves the charger, if it must.
func (f *FindCube) OnActivated(c *behaviors.Control) {
	f.since, f.turns, f.found = c.Now(), 0, false
	if b := &c.World().Body; (b.OnPlatform || b.OnContacts) && c.Wants(idLeaveForCube) {
		c.SetState("leaving the charger")
		c.DelegateTo(idLeaveForCube, func(c *behaviors.Control, _ behaviors.Outcome) { f.begin(c) })
		return
	}
	f.begin(c)
}

// begin looks to where it saw a cube.
func (f *FindCube) begin(c *behaviors.Control) {
	f.since = c.Now()
	c.SetState("looking where a cube was")
	next := func(c *behaviors.Control, _ behaviors.Outcome) { f.turn(c) }
	if id := nearest(c, anyCube); id != 0 {
		c.Act(motion.NewTurnTowards(motion.TowardsParams{Target: motion.ObjectTarget{ID: id, Kind: hardware.KindCube}, Verify: true}), next)
		return
	}
	c.Act(gesture.InTurn("LookForCube", gesture.Head(motion.HeadBlockRad), gesture.Wait(glance)), next)
}

// turn looks a little farther round, until it has looked all around.
func (f *FindCube) turn(c *behaviors.Control) {
	if f.turns++; f.turns > findTurns {
		c.SetState("no cube found")
		c.CancelSelf()
		return
	}
	c.SetState("looking around")
	c.Act(gesture.InTurn("LookForCube", gesture.Head(motion.HeadBlockRad), gesture.Turn(findTurnRad), gesture.Wait(glance)),
		func(c *behaviors.Control, _ behaviors.Outcome) { f.turn(c) })
}

// Update ends the search as soon as a cube is seen.
func (f *FindCube) Update(c *behaviors.Control) {
	if !c.Activated() || f.found || nearest(c, func(o *hardware.KnownObject) bool { return o.SeenAt.After(f.since) }) == 0 {
		return
	}
	f.found = true
	c.CancelDelegates()
	c.SetState("found one")
	if f.params.Still {
		c.Succeed()
		return
	}
	c.Act(gesture.PlayStill(foundClip), func(c *behaviors.Control, _ behaviors.Outcome) { c.Succeed() })
}
