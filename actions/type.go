package actions

import "fmt"

// A Type says what kind of job an action is. It may change while the action runs.
type Type uint8

// The types. Unknown is first, so that a forgotten type is not mistaken for another.
const (
	TypeUnknown Type = iota
	TypeCompound
	TypeAlignWithObject
	TypeBackupOntoCharger
	TypeCalibrateMotors
	TypeCliffAlignToWhite
	TypeDeviceAudio
	TypeDisplayFaceImage
	TypeDisplayProceduralFace
	TypeDriveStraight
	TypeDrivePath
	TypeDriveToPose
	TypeDriveToObject
	TypeDriveToFlipBlockPose
	TypeDriveToPlaceCarriedObject
	TypeFacePlant
	TypeFlipBlock
	TypeHang
	TypeMountCharger
	TypeMoveHeadToAngle
	TypeMoveLiftToAngle
	TypeMoveLiftToHeight
	TypePanAndTilt
	TypePickAndPlaceIncomplete
	TypePickupObjectLow
	TypePickupObjectHigh
	TypePlaceObjectLow
	TypePlaceObjectHigh
	TypePlayAnimation
	TypePlayCubeAnimation
	TypePopAWheelie
	TypeReselectingLoopAnimation
	TypeRollObjectLow
	TypeSayText
	TypeSearchForNearbyObject
	TypeTrackFace
	TypeTrackObject
	TypeTrackGroundPoint
	TypeTrackMotion
	TypeTrackPetFace
	TypeTraverseObject
	TypeTurnInPlace
	TypeTurnToAlignWithCharger
	TypeTurnTowardsFace
	TypeTurnTowardsImagePoint
	TypeTurnTowardsLastFacePose
	TypeTurnTowardsObject
	TypeTurnTowardsPose
	TypeVisuallyVerifyFace
	TypeVisuallyVerifyObject
	TypeVisuallyVerifyNoObjectAtPose
	TypeWait
	TypeWaitForImages
	TypeWaitForLambda
	TypeSetLights

	// TypeAny matches every type in [List.CancelType].
	TypeAny Type = 255
)

var typeNames = [...]string{
	"UNKNOWN", "COMPOUND", "ALIGN_WITH_OBJECT", "BACKUP_ONTO_CHARGER", "CALIBRATE_MOTORS",
	"CLIFF_ALIGN_TO_WHITE", "DEVICE_AUDIO", "DISPLAY_FACE_IMAGE", "DISPLAY_PROCEDURAL_FACE", "DRIVE_STRAIGHT",
	"DRIVE_PATH", "DRIVE_TO_POSE", "DRIVE_TO_OBJECT", "DRIVE_TO_FLIP_BLOCK_POSE", "DRIVE_TO_PLACE_CARRIED_OBJECT",
	"FACE_PLANT", "FLIP_BLOCK", "HANG", "MOUNT_CHARGER", "MOVE_HEAD_TO_ANGLE",
	"MOVE_LIFT_TO_ANGLE", "MOVE_LIFT_TO_HEIGHT", "PAN_AND_TILT", "PICK_AND_PLACE_INCOMPLETE", "PICKUP_OBJECT_LOW",
	"PICKUP_OBJECT_HIGH", "PLACE_OBJECT_LOW", "PLACE_OBJECT_HIGH", "PLAY_ANIMATION", "PLAY_CUBE_ANIMATION",
	"POP_A_WHEELIE", "RESELECTING_LOOP_ANIMATION", "ROLL_OBJECT_LOW", "SAY_TEXT", "SEARCH_FOR_NEARBY_OBJECT",
	"TRACK_FACE", "TRACK_OBJECT", "TRACK_GROUND_POINT", "TRACK_MOTION", "TRACK_PET_FACE",
	"TRAVERSE_OBJECT", "TURN_IN_PLACE", "TURN_TO_ALIGN_WITH_CHARGER", "TURN_TOWARDS_FACE", "TURN_TOWARDS_IMAGE_POINT",
	"TURN_TOWARDS_LAST_FACE_POSE", "TURN_TOWARDS_OBJECT", "TURN_TOWARDS_POSE", "VISUALLY_VERIFY_FACE", "VISUALLY_VERIFY_OBJECT",
	"VISUALLY_VERIFY_NO_OBJECT_AT_POSE", "WAIT", "WAIT_FOR_IMAGES", "WAIT_FOR_LAMBDA", "SET_LIGHTS",
}

func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	if t == TypeAny {
		return "ANY"
	}
	return fmt.Sprintf("TYPE_%d", uint8(t))
}

// TypeNames lists the names of the types, in their order; "ANY" is not among them.
func TypeNames() []string { return typeNames[:] }

// ParseType finds a type by its name; "ANY" is the wildcard.
func ParseType(name string) (Type, bool) {
	for i, n := range typeNames {
		if n == name {
			return Type(i), true
		}
	}
	return TypeAny, name == "ANY"
}
