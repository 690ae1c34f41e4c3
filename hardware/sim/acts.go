package sim

import "time"

// These methods are the acts of a person on the robot. Each takes effect at the current instant.

// PickUp lifts the robot: it tilts, its wheels turn freely, its cliff sensors see no floor.
func (r *Rig) PickUp() { r.with((*world).pickUp) }

// Hold takes the robot in hand, if it is not, and holds it firmly with the nose up by pitchRad while turning it to the left at yawRadPS,
// until it is put down. Where it is over the table stays as it is.
func (r *Rig) Hold(pitchRad, yawRadPS float64) {
	r.with(func(w *world) {
		w.pickUp()
		w.hand = &attitude{pitch: pitchRad, yawRate: yawRadPS}
	})
}

// PutDown sets the robot on the table at a pose of the world frame, or next to it if something solid is there. The robot
// falls if its center of mass is beyond the edge.
func (r *Rig) PutDown(xMM, yMM, headingRad float64) {
	r.with(func(w *world) { w.placeAt(pose(vec{xMM, yMM}, headingRad)) })
}

// PutDownHere sets a lifted or fallen robot down where it was, away from the edge. It does not move a standing robot.
func (r *Rig) PutDownHere() { r.with((*world).putBack) }

// Place moves the robot as PutDown does, but the robot's sensors report no lift.
func (r *Rig) Place(xMM, yMM, headingRad float64) { r.PutDown(xMM, yMM, headingRad) }

// PushNearEdge leaves the robot 60 mm in front of the nearest edge with room for it, facing the edge.
func (r *Rig) PushNearEdge() { r.with((*world).pushNearEdge) }

// Carry takes the robot in hand, if it is not, and holds it over a pose of the world frame, which may be off the table. Set it down by
// Place, PutDown or PutDownHere.
func (r *Rig) Carry(xMM, yMM, headingRad float64) {
	r.with(func(w *world) { w.carry(pose(vec{xMM, yMM}, headingRad)) })
}

// MoveCube moves a cube to a pose: the one of that number, or for 0 the one that is nearest to the pose. It returns false, and moves none,
// if something is there, if it is not on the table, or if there is no such cube.
func (r *Rig) MoveCube(id int, xMM, yMM, headingRad float64) (moved bool) {
	r.with(func(w *world) { moved = w.moveCube(id, pose(vec{xMM, yMM}, headingRad)) })
	return moved
}

// MovePerson makes the person whose face has that ID stand somewhere else. It returns false, and nobody moves, if there is no such person
// or the place is on the table. A guest who was moved no longer follows the robot's look.
func (r *Rig) MovePerson(id int, xMM, yMM float64) (moved bool) {
	r.with(func(w *world) { moved = w.movePerson(id, vec{xMM, yMM}) })
	return moved
}

// Touch holds a hand on the back sensor for d. 0 takes it away.
func (r *Rig) Touch(d time.Duration) { r.with(func(w *world) { w.touch(d) }) }

// Shake lifts the robot if it is not in hand, shakes it for d with more than 20,000 mm/s², and puts it back down if it
// lifted it.
func (r *Rig) Shake(d time.Duration) { r.with(func(w *world) { w.shake(d) }) }

// ShowFace puts a guest of that name (empty: an unknown person) in front of the robot for d, or until HideFace if d is 0.
// The guest's face is always at the height where the robot looks, and moves in front of the robot again when it turns
// away by more than 25°.
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

// HideFace removes the guest of ShowFace. People who come on their own schedule stay.
func (r *Rig) HideFace() {
	r.with(func(w *world) {
		w.hide()
		w.reschedule()
	})
}
