// Package look holds the actions that move the eyes: following a face, an object, a point or what moves; turning to a point of an image;
// verifying that something is where it is believed to be; searching for something; and finding the end stops of head and lift.
//
// The camera of R1 is 60 mm high and sees 30° to each side; what stands on the ground is seen from 60 to 800 mm away with the head at 15° or
// lower, faces up to 1500 mm with the head at 10° or higher (hardware/README.md, section on the simulated world). A view counts only to
// 25° and from 80 mm on, so that an error of the pose does not matter.
//
// All angles are radians, lengths millimeters, in the odometry frame unless said otherwise. Results beside those of motion: NO_FACE and
// BAD_OBJECT for a target that is not known, BAD_POSE for a place that cannot be looked at, VISUAL_OBSERVATION_FAILED for one that is not
// seen, TIMEOUT, STILL_CARRYING_OBJECT and FAILED_SETTING_CALIBRATION. Each action names its own.
//
// What drives here never does so on old data: the wheels stand still while there is no working camera, while the sensors that look down are
// stale or see an edge, near an edge that was met before, on the charger, and with a cube that drags over the ground.
package look

import "math"

const (
	rad = math.Pi / 180

	// eyeMM is the height of the camera, cubeMM the edge of a cube.
	eyeMM, cubeMM = 60.0, 44.0

	// What is surely in view.
	sureSideRad      = 25 * rad
	sureNearMM       = 80.0
	thingFarMM       = 800.0
	thingHeadRad     = 15 * rad // highest head at which things on the ground are seen
	chargerMiddleMM  = 40.0     // height of the middle of what is seen of a charger
	faceHeadLeastRad = 10 * rad // lowest head at which faces are seen
)
