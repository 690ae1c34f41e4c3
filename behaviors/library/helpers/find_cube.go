package helpers

import (
	"time"

	"github.com/robotd/robotd/actions/look"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A FindCube looks for a cube: where it saw one, then where it has not looked lately, and last from other places. It ends when it sees one, or after
// a minute.
type FindCube struct {
	params findParams
	began  time.Time
	found  bool
}

type findParams struct {
	Still bool `key:"skipReactToCubeAnim" default:"false" why:"it shows what it found" doc:"end without showing that it sees the cube"`
}

const (
	idLeaveForCube = "DriveOffChargerCube"
	foundClip      = "greet_happy"
	// findPlaces is how many other places it looks from.
	findPlaces = 2
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
	f.began, f.found = c.Now(), false
	if b := &c.World().Body; (b.OnPlatform || b.OnContacts) && c.Wants(idLeaveForCube) {
		c.SetState("leaving the charger")
		c.DelegateTo(idLeaveForCube, func(c *behaviors.Control, _ behaviors.Outcome) { f.begin(c) })
		return
	}
	f.begin(c)
}

// UpdateWhileActivated ends the search when its time is over (HLP-7).
func (f *FindCube) UpdateWhileActivated(c *behaviors.Control) {
	if !f.found && c.Now().Sub(f.began) >= maxTime {
		c.SetState("it took too long")
		c.CancelSelf()
	}
}

// begin searches.
func (f *FindCube) begin(c *behaviors.Control) {
	c.SetState("looking for a cube")
	c.Act(look.NewSearch(look.SearchParams{Kind: hardware.KindCube, Places: findPlaces}), f.searched)
}

// searched shows that it found one.
func (f *FindCube) searched(c *behaviors.Control, o behaviors.Outcome) {
	f.found = o.Succeeded()
	switch {
	case !f.found:
		c.SetState("no cube found")
		c.CancelSelf()
	case f.params.Still:
		c.SetState("found one")
		c.Succeed()
	default:
		c.SetState("found one")
		c.Act(gesture.PlayStill(foundClip), func(c *behaviors.Control, _ behaviors.Outcome) { c.Succeed() })
	}
}
