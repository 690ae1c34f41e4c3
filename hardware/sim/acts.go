package sim

import "time"

// What a person can do to the robot. Each act takes effect at the present instant.

// PickUp lifts the robot: it tilts, its wheels turn freely, its cliff sensors see no floor.
func (r *Rig) PickUp() { r.with((*world).pickUp) }

// PutDown sets the robot on the table at a pose of the world frame, or next to it if something solid is there. A robot
// whose mass is put beyond the edge falls.
func (r *Rig) PutDown(xMM, yMM, headingRad float64) {
	r.with(func(w *world) { w.placeAt(pose(vec{xMM, yMM}, headingRad)) })
}

// PutDownHere sets a lifted or fallen robot down where it was, away from the edge. A standing one stays.
func (r *Rig) PutDownHere() { r.with((*world).putBack) }

// Place moves the robot as PutDown does, without it noticing a lift.
func (r *Rig) Place(xMM, yMM, headingRad float64) { r.PutDown(xMM, yMM, headingRad) }

// PushNearEdge leaves the robot 60 mm in front of the nearest edge with room for it, facing the edge.
func (r *Rig) PushNearEdge() { r.with((*world).pushNearEdge) }

// Touch holds a hand on the back sensor for d. 0 takes it away.
func (r *Rig) Touch(d time.Duration) { r.with(func(w *world) { w.touch(d) }) }

// Shake lifts the robot if it is not in hand, shakes it for d with more than 20,000 mm/s², and puts it back down if it
// lifted it.
func (r *Rig) Shake(d time.Duration) { r.with(func(w *world) { w.shake(d) }) }

// ShowFace has somebody of that name (empty: a stranger) look at the robot for d, or until HideFace if d is 0. Guests
// bend down to where the robot looks, whatever its head's angle, and step in front of it again when it turns away by
// more than 25°.
func (r *Rig) ShowFace(name string, d time.Duration) {
	r.with(func(w *world) {
		end := never
		if d > 0 {
			end = w.n + steps(d)
		}
		w.show(name, end)
		w.reschedule()
	})
}

// HideFace sends the guest of ShowFace away. People on their own schedule stay.
func (r *Rig) HideFace() {
	r.with(func(w *world) {
		w.hide()
		w.reschedule()
	})
}
