package simrobot

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// actSeconds is how long a touch or a shake lasts by default.
const actSeconds = 2

// Act does to the robot what a person would do, at the present instant.
func (r *Robot) Act(a control.Act, raise func(behaviors.Event)) (string, error) {
	if err := a.Validate(); err != nil {
		return "", err
	}
	if r.Real && !slices.Contains(eventActs, a.Act) { // those two are events, not changes of the world
		return "", fmt.Errorf("%s: %w", a.Act, errReal)
	}
	if err := Takes(r.Profile, a.Act); err != nil {
		return "", err
	}
	span := control.Seconds(a.Seconds)
	hand := orElse(span, actSeconds*time.Second)
	if text, ok := r.sense(a, span); ok {
		return text, nil
	}
	switch a.Act {
	case "pickup":
		r.Rig.PickUp()
		return "picked up", nil
	case "putdown":
		r.Rig.PutDownHere()
		return "put down", nil
	case "place":
		if !onTable(r.Rig.View().Table, a.XMM, a.YMM) {
			return "", fmt.Errorf("place: %g, %g mm is off the table; 0, 0 is on it", a.XMM, a.YMM)
		}
		r.Rig.Place(a.XMM, a.YMM, a.HeadingRad)
		return fmt.Sprintf("placed at %.0f, %.0f mm, heading %.0f°", a.XMM, a.YMM, a.HeadingRad*180/math.Pi), nil
	case "carry":
		r.Rig.Carry(a.XMM, a.YMM, a.HeadingRad)
		return fmt.Sprintf("held over %.0f, %.0f mm", a.XMM, a.YMM), nil
	case "cube":
		if !r.Rig.MoveCube(a.ID, a.XMM, a.YMM, a.HeadingRad) {
			return "", fmt.Errorf("cube: no cube is moved to %g, %g mm: something is there, it is too near to an edge, or there is no cube", a.XMM, a.YMM)
		}
		return fmt.Sprintf("%s was moved to %.0f, %.0f mm", cubeName(a.ID), a.XMM, a.YMM), nil
	case "person":
		if !r.Rig.MovePerson(a.ID, a.XMM, a.YMM) {
			return "", r.noPerson(a)
		}
		return fmt.Sprintf("person %d stands at %.0f, %.0f mm", a.ID, a.XMM, a.YMM), nil
	case "edge":
		r.Rig.PushNearEdge()
		return "pushed near the edge", nil
	case "touch":
		r.Rig.Touch(hand)
		return "touched for " + hand.String(), nil
	case "shake":
		r.Rig.Shake(hand)
		return "shaken for " + hand.String(), nil
	case "face":
		r.Rig.ShowFace(a.Name, span)
		return "a face looks at the robot", nil
	case "hideface":
		r.Rig.HideFace()
		return "the face went away", nil
	case "tap":
		raise(behaviors.Event{Source: "person", Payload: behaviors.CubeTapped{}, At: r.now()})
		return "the cube was tapped", nil
	default: // poke, the last of control.Acts
		raise(behaviors.Event{Source: "person", Payload: behaviors.Poked{}, At: r.now()})
		return "poked", nil
	}
}

func cubeName(id int) string {
	if id == 0 {
		return "the cube nearest to it"
	}
	return fmt.Sprintf("cube %d", id)
}

// noPerson tells why nobody was moved.
func (r *Robot) noPerson(a control.Act) error {
	v := r.Rig.View()
	if onTable(v.Table, a.XMM, a.YMM) {
		return fmt.Errorf("person: %g, %g mm is on the table; people stand beside it, such as at %g, 0 mm", a.XMM, a.YMM, v.Table[0][0]+400)
	}
	ids := make([]int, 0, len(v.Faces))
	for _, f := range v.Faces {
		ids = append(ids, f.ID)
	}
	if len(ids) == 0 {
		return fmt.Errorf("person: id %d: nobody is here; \"face\" brings somebody", a.ID)
	}
	return fmt.Errorf("person: id %d is not here; here are %v", a.ID, ids)
}

// onTable reports whether a point lies inside a polygon: a ray from it crosses the edges an odd number of times.
func onTable(table [][2]float64, x, y float64) bool {
	inside := false
	for i, p := range table {
		q := table[(i+1)%len(table)]
		if (p[1] > y) != (q[1] > y) && x < p[0]+(y-p[1])/(q[1]-p[1])*(q[0]-p[0]) {
			inside = !inside
		}
	}
	return inside
}

// Faults lists what is broken now.
func (r *Robot) Faults() (all []control.FaultState) {
	now := r.now()
	for _, f := range r.Rig.Faults() {
		s := control.FaultState{Device: f.Device, Kind: f.Kind}
		if !f.Until.IsZero() {
			s.LeftS = max(0, f.Until.Sub(now).Seconds())
		}
		all = append(all, s)
	}
	return all
}
