package social

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// When a FindFaces stops.
const (
	stopNever   = "None"
	stopAny     = "AnyFace"
	stopNew     = "NewFace"
	stopTimeout = "Timeout"
)

// A FindFaces gives control to a search until its stop rule holds or the search has ended.
type FindFaces struct {
	params findFacesParams
	began  time.Time
	known  []int // faces that it knew then
}

type findFacesParams struct {
	Search  string        `key:"searchBehavior" ref:"behavior" delegate:"true" doc:"the behavior that moves the eyes about"`
	Stop    string        `key:"stoppingCondition" words:"None|AnyFace|NewFace|Timeout" doc:"what ends the search before its own end"`
	FaceAge time.Duration `key:"maxFaceAgeToLook_ms" default:"0" why:"only a face that is seen now makes a search needless" doc:"with AnyFace: how old a sighting may be to leave the search out"`
	Timeout time.Duration `key:"timeout_sec" default:"0" why:"only Timeout needs it" doc:"with Timeout: how long to search"`
}

// Check demands the time that Timeout needs.
func (p *findFacesParams) Check(o *resources.Object, _ *behaviors.Config) {
	if p.Stop == stopTimeout && p.Timeout <= 0 {
		o.KeyErrorf("timeout_sec", resources.CodeKeyRange, "stoppingCondition Timeout needs a time above 0")
	}
}

// FindFacesClass is the class FindFaces.
func FindFacesClass() behaviors.Class {
	return behaviors.Class{
		Name: "FindFaces",
		Doc:  "Searches until it sees a face, a new face, or for a time.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			f := &FindFaces{}
			param.ReadConfig(cfg, &f.params)
			return f
		},
	}
}

// Modify lets it run in the hand, and looks for faces.
func (*FindFaces) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads = true
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
}

// OnActivated begins the search, unless the face that it would look for is there.
func (f *FindFaces) OnActivated(c *behaviors.Control) {
	f.began = c.Now()
	f.known = f.known[:0]
	for _, face := range c.World().Faces {
		f.known = append(f.known, face.ID)
	}
	if _, seen := c.World().Face(f.params.FaceAge); seen && f.params.Stop == stopAny {
		c.SetState("a face is there")
		return
	}
	c.SetState("searching")
	if c.Wants(f.params.Search) {
		c.DelegateTo(f.params.Search, nil)
	}
}

// UpdateWhileActivated ends the search when its rule holds.
func (f *FindFaces) UpdateWhileActivated(c *behaviors.Control) {
	if why := f.over(c); why != "" {
		c.SetState(why)
		c.CancelSelf()
	}
}

// over is why the search ends now; empty to go on.
func (f *FindFaces) over(c *behaviors.Control) string {
	switch f.params.Stop {
	case stopAny:
		if newestFace(c).After(f.began) {
			return "found a face"
		}
	case stopNew:
		for _, face := range c.World().Faces {
			if !slices.Contains(f.known, face.ID) {
				return "found a new face"
			}
		}
	case stopTimeout:
		if c.Now().Sub(f.began) > f.params.Timeout {
			return "the time is over"
		}
	}
	return ""
}

// newestFace is the instant of the newest sighting of a face.
func newestFace(c *behaviors.Control) (t time.Time) {
	if faces := c.World().Faces; len(faces) > 0 {
		t = faces[0].SeenAt
	}
	return t
}
