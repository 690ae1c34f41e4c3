// Package hands holds the actions that handle cubes with the lift: driving up to one, picking it up, putting it down, stacking
// and rolling it, and knocking a stack over.
//
// Every action that docks begins at a pre-action pose ([PreActions]), 65 mm out of the place at which the front of the robot touches a face of
// the cube. It looks at the cube over several images, aims at the middle of that face, drives on by what each new image shows, and stops when
// it has no fresh image. What it then does with the lift is verified: by what vision says of the lift, and by a new sighting.
//
// Results beside those of motion: BAD_OBJECT for a cube that is not known, VISUAL_OBSERVATION_FAILED for one that is not seen,
// DID_NOT_REACH_PREACTION_POSE if the robot does not stand in front of a face, NO_PREACTION_POSES if no face can be reached,
// STILL_CARRYING_OBJECT, NOT_CARRYING_OBJECT_ABORT and _RETRY, PICKUP_OBJECT_UNEXPECTEDLY_MOVING and _NOT_MOVING, PLACEMENT_GOAL_NOT_FREE and
// LAST_PICK_AND_PLACE_FAILED. Each action names its own.
//
// A lift whose chip fails or restarts ends the action with SEND_MESSAGE_TO_ROBOT_FAILED or, if it comes back at once but hangs lower,
// with the result of the verification. The wheels stand then. A cube that hung on the lift sinks to the ground with it.
package hands
