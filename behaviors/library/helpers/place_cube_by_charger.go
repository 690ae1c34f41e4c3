package helpers

import (
	"math"

	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// A PlaceCubeByCharger puts a cube away: it picks one up, unless it carries one, puts it down beside the charger, and turns back to whom it saw
// last.
type PlaceCubeByCharger struct{}

const (
	idPickUp    = "PickupCube"
	idPutAtPose = "PutDownBlockAtPose"
	idLookBack  = "TurnToLastFace"

	// Where a cube is put, in the frame of the charger: beside it, and beside the way to it.
	besideXMM, besideYMM = 40.0, 160.0
)

// PlaceCubeByChargerClass is the class PlaceCubeByCharger.
func PlaceCubeByChargerClass() behaviors.Class {
	return behaviors.Class{
		Name: "PlaceCubeByCharger",
		Doc:  "Puts a cube away next to the charger.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo(idPickUp, idPutAtPose, idLookBack)
			return &PlaceCubeByCharger{}
		},
	}
}

// Modify lets it begin with a cube on the lift, off the charger.
func (*PlaceCubeByCharger) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOnCharger = true, false
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.Standard)
}

// WantsToBeActivated is true if it knows the charger, and a cube or carries one.
func (*PlaceCubeByCharger) WantsToBeActivated(c *behaviors.Control) bool {
	_, home := c.World().Charger()
	switch {
	case !home:
		c.Because("it is not known where the charger is")
	case !c.World().Body.Carrying && nearest(c, anyCube) == 0:
		c.Because("it knows no cube")
	default:
		return true
	}
	return false
}

// OnActivated takes a cube, unless it has one.
func (p *PlaceCubeByCharger) OnActivated(c *behaviors.Control) {
	if c.World().Body.Carrying {
		p.put(c, behaviors.Outcome{})
		return
	}
	if !c.Wants(idPickUp) || !c.DelegateTo(idPickUp, p.put) {
		c.SetState("cannot pick a cube up")
		return
	}
	c.SetState("picking a cube up")
}

// put puts what it carries beside the charger.
func (p *PlaceCubeByCharger) put(c *behaviors.Control, _ behaviors.Outcome) {
	if !c.World().Body.Carrying {
		c.SetState("got no cube")
		return
	}
	if c.WantsWith(idPutAtPose, besideCharger(c.World())) && c.DelegateTo(idPutAtPose, p.lookBack) {
		c.SetState("putting the cube beside the charger")
	}
}

// lookBack turns to the face that was seen last.
func (p *PlaceCubeByCharger) lookBack(c *behaviors.Control, _ behaviors.Outcome) {
	if !c.World().Body.Carrying && c.Wants(idLookBack) && c.DelegateTo(idLookBack, nil) {
		c.SetState("looking for praise")
	}
}

// besideCharger is the place on the nearer side of the charger, or on the other one if that is taken.
func besideCharger(w *hardware.World) PlaceGiven {
	home, _ := w.Charger()
	_, bearing := home.Pose.To(w.Body.Pose.XMM, w.Body.Pose.YMM)
	side := math.Copysign(1, bearing)
	for range 2 {
		sin, cos := math.Sincos(home.Pose.HeadingRad)
		at := PlaceGiven{home.Pose.XMM + besideXMM*cos - side*besideYMM*sin, home.Pose.YMM + besideXMM*sin + side*besideYMM*cos}
		for _, p := range before(at) {
			if hands.PlaceFree(w, p, hands.CubeMM*1.5) {
				return at
			}
		}
		side = -side
	}
	sin, cos := math.Sincos(home.Pose.HeadingRad)
	return PlaceGiven{home.Pose.XMM + besideXMM*cos - side*besideYMM*sin, home.Pose.YMM + besideXMM*sin + side*besideYMM*cos}
}
