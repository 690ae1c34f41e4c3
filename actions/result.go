package actions

import "fmt"

// A Result is the outcome of a step or of a whole action: category<<24 | index.
type Result uint32

// A Category groups results by what the runner does about them.
type Category uint8

// The categories.
const (
	CategorySuccess Category = iota
	CategoryRunning
	CategoryCancelled
	CategoryAbort
	CategoryRetry
)

var categoryNames = [...]string{"SUCCESS", "RUNNING", "CANCELLED", "ABORT", "RETRY"}

func (c Category) String() string {
	if int(c) < len(categoryNames) {
		return categoryNames[c]
	}
	return fmt.Sprintf("CATEGORY_%d", uint8(c))
}

// categoryShift is the position of the category inside a Result.
const categoryShift = 24

// The one good result.
const (
	Success = Result(CategorySuccess)<<categoryShift + iota
)

// Not finished: ask again in the next tick.
const (
	Running = Result(CategoryRunning)<<categoryShift + iota
)

// Results of actions that were cancelled or never started. They are not failures (RES-1).
const (
	CancelledWhileRunning = Result(CategoryCancelled)<<categoryShift + iota
	NotStarted
)

// Failures that the runner does not repeat (RUN-9).
const (
	Abort = Result(CategoryAbort)<<categoryShift + iota
	Timeout
	Interrupted
	TracksLocked
	NullSubaction
	UpdateDerivedFailed
	BadTag
	BadMessageTag
	SendMessageToRobotFailed
	BadMarker
	BadObject
	BadPose
	NoFace
	VisualObservationFailed
	MismatchedUpAxis
	NoDistanceSet
	NoGoalSet
	NoPreactionPoses
	PathPlanningFailedAbort
	FollowingPathButNotTraversing
	InvalidOffTreadsState
	ShouldntDriveOnCharger
	NotCarryingObjectAbort
	StillCarryingObject
	PickupObjectUnexpectedlyMoving
	UnexpectedDockAction
	UnknownToolCode
	NotOnChargerAbort
	ChargerUnpluggedAbort
	AnimAborted
	NoAnimName
	CliffAlignFailedTimeout
	CliffAlignFailedNoTurning
	CliffAlignFailedOverTurning
	CliffAlignFailedNoWhite
	CliffAlignFailedStopped
	FailedSettingCalibration
)

// Failures worth repeating; a runner with retries left does so by itself (RUN-8).
const (
	Retry = Result(CategoryRetry)<<categoryShift + iota
	DidNotReachPreactionPose
	FailedTraversingPath
	LastPickAndPlaceFailed
	MotorStoppedMakingProgress
	NotCarryingObjectRetry
	NotOnChargerRetry
	PathPlanningFailedRetry
	PlacementGoalNotFree
	PickupObjectUnexpectedlyNotMoving
	StillOnCharger
	UnexpectedPitchAngle
)

// resultNames are the codes as logs and trace files write them, by category and index.
var resultNames = [...][]string{
	{
		"SUCCESS",
	},
	{
		"RUNNING",
	},
	{
		"CANCELLED_WHILE_RUNNING", "NOT_STARTED",
	},
	{
		"ABORT", "TIMEOUT", "INTERRUPTED", "TRACKS_LOCKED",
		"NULL_SUBACTION", "UPDATE_DERIVED_FAILED", "BAD_TAG", "BAD_MESSAGE_TAG",
		"SEND_MESSAGE_TO_ROBOT_FAILED", "BAD_MARKER", "BAD_OBJECT", "BAD_POSE",
		"NO_FACE", "VISUAL_OBSERVATION_FAILED", "MISMATCHED_UP_AXIS", "NO_DISTANCE_SET",
		"NO_GOAL_SET", "NO_PREACTION_POSES", "PATH_PLANNING_FAILED_ABORT", "FOLLOWING_PATH_BUT_NOT_TRAVERSING",
		"INVALID_OFF_TREADS_STATE", "SHOULDNT_DRIVE_ON_CHARGER", "NOT_CARRYING_OBJECT_ABORT", "STILL_CARRYING_OBJECT",
		"PICKUP_OBJECT_UNEXPECTEDLY_MOVING", "UNEXPECTED_DOCK_ACTION", "UNKNOWN_TOOL_CODE", "NOT_ON_CHARGER_ABORT",
		"CHARGER_UNPLUGGED_ABORT", "ANIM_ABORTED", "NO_ANIM_NAME", "CLIFF_ALIGN_FAILED_TIMEOUT",
		"CLIFF_ALIGN_FAILED_NO_TURNING", "CLIFF_ALIGN_FAILED_OVER_TURNING", "CLIFF_ALIGN_FAILED_NO_WHITE", "CLIFF_ALIGN_FAILED_STOPPED",
		"FAILED_SETTING_CALIBRATION",
	},
	{
		"RETRY", "DID_NOT_REACH_PREACTION_POSE", "FAILED_TRAVERSING_PATH", "LAST_PICK_AND_PLACE_FAILED",
		"MOTOR_STOPPED_MAKING_PROGRESS", "NOT_CARRYING_OBJECT_RETRY", "NOT_ON_CHARGER_RETRY", "PATH_PLANNING_FAILED_RETRY",
		"PLACEMENT_GOAL_NOT_FREE", "PICKUP_OBJECT_UNEXPECTEDLY_NOT_MOVING", "STILL_ON_CHARGER", "UNEXPECTED_PITCH_ANGLE",
	},
}

// Category is the group of r.
func (r Result) Category() Category { return Category(r >> categoryShift) }

// IsFailure reports a result that is neither success nor running nor cancelled (RES-1).
func (r Result) IsFailure() bool { return r.Category() >= CategoryAbort }

func (r Result) String() string {
	i := int(r & (1<<categoryShift - 1))
	if c := int(r.Category()); c < len(resultNames) && i < len(resultNames[c]) {
		return resultNames[c][i]
	}
	return fmt.Sprintf("RESULT_%#08x", uint32(r))
}

// ParseResult finds a code by its name.
func ParseResult(name string) (Result, bool) {
	for c, names := range resultNames {
		for i, n := range names {
			if n == name {
				return Result(c)<<categoryShift + Result(i), true
			}
		}
	}
	return 0, false
}
