package format

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

func faces() []Row {
	return []Row{
		{
			Name: "InteractWithFaces", Doc: "Turns to a face, comes nearer and watches it.", Wants: FaceSeen,
			Keys: join(all(each(num, `minTimeToTrackFaceLowerBound_s minTimeToTrackFaceUpperBound_s maxTimeToTrackFaceLowerBound_s
				maxTimeToTrackFaceUpperBound_s minTrackingTiltAngle_deg minTrackingPanAngle_deg eyeContactWithinLast_ms noEyeContactTimeout_s
				trackingTimeout_s`)...), []Key{
				flag("clampSmallAngles").must(), num("minClampPeriod_s").mustIf("clampSmallAngles"), num("maxClampPeriod_s").mustIf("clampSmallAngles"),
			}),
		},
		{
			Name: "TrackFace", Doc: "Follows a face with its eyes.", Modifiers: "d", Wants: FaceSeen, Hold: 10 * time.Second,
			Keys: []Key{penalties("faceSelectionPenalties")},
		},
		{
			Name: "LookAtMe", Doc: "Gazes at a face, with a clip that goes on.", Wants: FaceSeen,
			Keys: []Key{
				num("panTolerance_deg").or(-1.0), trig("animGetIn"), trig("animLoop"), trig("animGetOut"), count("numLoops"), flag("playEmergencyGetOut"),
			},
		},
		{
			Name: "SayName", Doc: "Says the name of a person, or that it does not know it.", Modifiers: "d", Wants: FaceSeen,
			Keys: []Key{
				trig("knowNameAnimation").must(), trig("dontKnowNameAnimation").must(), text("dontKnowTextKey"), num("waitForRecognitionMaxTime_sec"),
			},
			FixedIf: []FixedIf{{Key: "dontKnowTextKey", ID: "DefaultTextToSpeechLoop"}},
		},
		{
			Name: "DriveToFace", Doc: "Drives to a face, then follows it with its eyes.", Wants: FaceSeen,
			Keys: []Key{
				num("timeUntilCancelFaceTrack_s").mustIf("trackFaceOnceKnown"), flag("trackFaceOnceKnown").or(true), num("minDriveToFaceDistanceKey_mm").must(),
				trig("animTooClose").must(), trig("animDriveOverride"), open("motionProfile"), trig("initialAnimation"), trig("animationAfterDrive"),
				id("findFaceBehavior").anon().says("what looks for the face"), count("maxNumResumes"), trig("resumeAnimation"), count("maxNumFailures").or(2),
			},
		},
		{
			Name: "LookForFaceAndCube", Doc: "Looks left and right for faces, then for cubes.", Hold: 6 * time.Second,
			Keys: join(all(join(each(num, `bodyTurnSpeed_degPerSec headTurnSpeed_degPerSec face_headAngleAbsRangeMin_deg face_headAngleAbsRangeMax_deg
				face_bodyAngleRelRangeMin_deg face_bodyAngleRelRangeMax_deg cube_headAngleAbsRangeMin_rad cube_headAngleAbsRangeMax_rad
				cube_bodyAngleRelRangeMin_rad cube_bodyAngleRelRangeMax_rad`), each(count, "face_sidePicks cube_sidePicks"),
				each(flag, "verifySeenFaces stopBehaviorOnAnyFace stopBehaviorOnNamedFace"), []Key{trig("lookInPlaceAnimTrigger")})...),
				[]Key{flag("stopBehaviorOnCube")}),
		},
		{
			Name: "ObservingLookAtFaces", Doc: "Watches faces quietly.", Modifiers: "o", Hold: 6 * time.Second,
			Keys: []Key{id("searchBehavior").must().anon().says("what searches for faces"), num("searchTimeout_sec"), num("staringTime_sec")},
		},
		{
			Name: "ObservingWithoutTurn", Doc: "Looks around with its head only.", Hold: 8 * time.Second,
			Keys: []Key{
				num("small_motion_period_s").must(), num("small_motion_period_random_factor"), num("look_up_period_multiplier").must(),
				num("look_straight_period_multiplier").must(), key(Timer, "behaviorTimer").must().says("timer of the observing"),
			},
		},
		{
			Name: "EnrollFace", Doc: "Meets a person and keeps the name.", Wants: IntentPending, Intents: []string{"meet_victor"},
			Keys:  []Key{count("maxFacesVisible"), num("tooManyFacesTimeout_sec"), num("tooManyFacesRecentTime_sec"), penalties("faceSelectionPenalties")},
			Fixed: []string{"DriveOffChargerStraight", "PutDownBlock", "DefaultTextToSpeechLoop", "MeetVictorAlreadyKnowYouPrompt"},
		},
		{Name: "RespondToRenameFace", Doc: "Answers when a person was renamed.", Wants: Never, State: behaviors.Inert},
		{
			Name: "TakeAPhotoCoordinator", Doc: "Takes a photo.", Modifiers: "o", Wants: IntentPending,
			Fixed: []string{"FrameFaces", "SingletonICantDoThat", "DriveOffChargerFace"},
		},
		{Name: "AestheticallyCenterFaces", Doc: "Puts faces into the middle of the picture.", Wants: FaceSeen, Fixed: []string{"FindFacesPhoto"}},
		{
			Name: "CheckForAndReactToSalientPoint", Doc: "Looks for something of interest for some images, and reacts to it.",
			Keys: []Key{
				text("visionMode").must(), objs("reactions", text("salientPointType").must(), trig("animTrigger"), id("behaviorID").anon().says("what reacts")).must(),
				count("numFrames"), num("headAngle_deg"), num("cooldown_sec"), trig("waitAnimTrigger"),
			},
		},
	}
}
