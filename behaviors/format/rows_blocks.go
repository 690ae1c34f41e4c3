package format

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// penalties say how a face is chosen among several.
func penalties(name string) Key {
	return objs(name,
		word("penaltyFactor", "RelativeBodyAngleRadians", "RelativeHeadAngleRadians", "RelativeMicDirectionRadians", "UnnamedFace", "TrackingOnly",
			"TimeSinceSeen_s", "NotMakingEyeContact", "Distance_m").must(), num("penaltyMultiplier").must(),
	).says("what counts against a face; the one with the least sum is chosen")
}

// sequence are the keys of AnimSequence.
func sequence() []Key {
	return []Key{
		trigs("animTriggers").says("what is played, in order"), texts("animNames").says("the same by the names of clips"),
		count("num_loops").or(1).in(0, 1000).says("how often the whole list is played; 0 without end"),
		texts("tracksToLock").says("tracks that are not played"), flag("renderInEyeHue").or(true).says("the eyes keep their color"),
	}
}

func wrappers() []Row {
	return []Row{
		{Name: "AnimSequence", Doc: "Plays animations one after the other.", Modifiers: "co", Keys: sequence()},
		{
			Name: "AnimSequenceWithFace", Doc: "Turns to a face, then plays animations.", Modifiers: "co", Wants: FaceIf,
			Keys: join(sequence(), []Key{
				penalties("faceSelectionPenalties"), flag("requireFaceForActivation").says("want control only if a face is known"),
				flag("requireFaceConfirmation"), flag("returnToOriginalPose").says("turn back afterwards"), flag("setFastTurn"),
			}),
		},
		{
			Name: "AnimSequenceWithObject", Doc: "Turns to an object, then plays animations.", Modifiers: "co", Wants: ObjectSeen,
			Keys: join(sequence(), []Key{text("objectType").says("kind of the object; any if it is missing")}),
		},
		{
			Name: "AnimGetInLoop", Doc: "Plays a clip to begin, one again and again, and one to end.", Modifiers: "od", Hold: 8 * time.Second,
			Keys: []Key{
				trig("getIn").must(), trig("loopAnimation").must(), trig("getOut").must(), trig("emergencyGetOut").says("played if it loses control early"),
				loopEnd(), flag("shouldCheckEndCondDuringAnim").or(true), num("loopInterval_s").in(0, 86400),
				open("shouldForceLoopGetOutAnim").says("has no effect"), flag("lockTreads").says("the body does not move"),
			},
		},
		{
			Name: "TextToSpeechLoop", Doc: "Says a text that its parent sets, with a clip around it.", Modifiers: "od",
			Keys: []Key{
				trig("loopAnimation").must(), trig("idleAnimation"), trig("getInAnimation"), trig("getOutAnimation"), trig("emergencyGetOutAnimation"),
				flag("lockTreads"), text("DEV_TEST_UTTERANCE").says("text for tests"),
			},
		},
		{
			Name: "CountingAnimation", Doc: "Counts aloud up to a number that its parent sets.", Modifiers: "o", Hold: 8 * time.Second,
			Keys: all(count("SlowLoopBeginSize"), count("SlowLoopEndSize")),
		},
	}
}

func loopEnd() Key {
	k := cond("loopEndCondition").says("ends the loop when it is met")
	k.Ends = true
	return k
}

func blocks() []Row {
	return []Row{
		{Name: "Wait", Doc: "Does nothing.", Modifiers: "cod", Hold: Forever},
		{Name: "Turn", Doc: "Turns in place.", Keys: all(flag("shouldTurnClockwise"), num("turnDegrees").in(-3600, 3600))},
		{Name: "MoveHeadToAngle", Doc: "Moves the head to an angle.", Modifiers: "co", Keys: all(num("headAngle_deg"))},
		{Name: "TurnToFace", Doc: "Turns to the face that was seen last.", Wants: FaceSeen},
		{Name: "LookAtFaceInFront", Doc: "Looks up for a face.", Keys: []Key{flag("confirmFace").or(true)}},
		{
			Name: "SearchWithinBoundingBox", Doc: "Looks around in a part of the image.", Modifiers: "n",
			Keys: all(count("howManySearches").in(0, 127), num("waitBeforeTurning_s").in(0, 3600)),
		},
		{Name: "PutDownBlock", Doc: "Puts down what it carries.", Modifiers: "c", Wants: Carrying},
		{Name: "PutDownBlockAtPose", Doc: "Puts down what it carries at a place.", Modifiers: "c", Wants: Carrying},
		{
			Name: "RollBlock", Doc: "Rolls a cube upright.", Wants: CubeSeen,
			Keys: []Key{flag("isBlockRotationImportant").or(true), count("rollRetryCount").in(0, 255)},
		},
		{
			Name: "PickUpCube", Doc: "Picks a cube up.", Wants: CubeSeen,
			Keys: []Key{count("retryCount").in(0, 255), flag("skipInitialReactionAnim")},
		},
		{
			Name: "ConnectToCube", Doc: "Connects to the cube, then runs its delegate.", Cube: behaviors.CubeOptionalActive, EnsuresCube: true, Hold: time.Second,
			Keys: []Key{
				id("delegateBehaviorID").anon().says("what runs while the cube is connected"),
				flag("delegateOnFailedConnection").says("run it without a connection too"),
			},
		},
		{
			Name: "StayOnChargerUntilCharged", Doc: "Keeps the robot on the charger until the battery is full.", Wants: ToCharge,
			Keys: []Key{id("delegate").must().anon().says("what it does there")},
		},
		{Name: "ResetState", Doc: "Stops everything and makes the robot safe.", Modifiers: "cod", Fixed: []string{"Wait"}, Hold: Forever},
		{
			Name: "AttentionTransferIfNeeded", Doc: "Sends people to their phone if the same trouble comes again soon.", Modifiers: "o",
			Keys: []Key{
				text("attentionTransferReason").must().says("the trouble"), recent("recentOccurrence").must(), trigs("animsIfNotRecent").says("played the first times"),
			},
		},
		{
			Name: "SimpleVoiceResponse", Doc: "Plays the clip that an intent names.", Wants: IntentPending, Intents: []string{"simple_voice_response"},
		},
		{
			Name: "GreetAfterLongTime", Doc: "Greets a person whom it has not seen for long.", Wants: FaceNamed, Fixed: []string{"DriveOffChargerFace"},
		},
		{
			Name: "PossiblePerformance", Doc: "Performs for a face now and then, by chance.", Wants: FaceSeen,
			Keys: all(num("cooldown_hours").in(0, 100000), trig("animTrigger"), num("probability").in(0, 1), num("period_hours").in(0, 100000)),
		},
		{
			Name: "QuietModeCoordinator", Doc: "Keeps the robot quiet for a while.", Hold: 20 * time.Second,
			Keys: all(num("activeTime_s").in(0, 1e7), num("timeToPowerSave_s").in(0, 1e7), objs("behaviors", id("behavior").must(), flag("audioAllowed").must())),
		},
		{Name: "DispatchAfterShake", Doc: "Runs the n-th delegate after n shakes.", Keys: []Key{ids("behaviors").must()}},
	}
}

// recent says when something happened often of late.
func recent(name string) Key {
	return obj(name, all(count("numberOfTimes").in(0, 100000), num("amountOfSeconds").in(0, 1e8))...).says("how often within how many seconds")
}

func finders() []Row {
	return []Row{
		{
			Name: "DriveOffCharger", Doc: "Drives off the charger.", Modifiers: "od", Wants: OnPlatform,
			Keys: []Key{
				texts("driveDirectionCues").must().of("face", "cube", "micDirection", "straight", "left", "right", "randomly", "proceduralStraight").
					says("where it drives: the first that applies"),
				num("extraDistanceToDrive_mm").or(60.0).in(0, 5000), count("maxFaceAge_s").or(600).in(0, 1e8), count("maxCubeAge_s").or(600).in(0, 1e8),
			},
			FixedIf: []FixedIf{{Key: "driveDirectionCues", Word: "randomly", ID: "DriveOffChargerRandomlyAnim"}},
		},
		lookAround(),
		{
			Name: "FindFaceAndThen", Doc: "Looks for a face, then runs its delegate.", Modifiers: "d", Fixed: []string{"SearchWithinBoundingBox"},
			Keys: []Key{
				num("timeUntilCancelFaceLooking_s").must().in(0, 1e6), num("timeUntilCancelFaceSearch_s").in(0, 1e6),
				num("timeUntilCancelFollowup_s").or(-1.0).says("how long the delegate may run; -1 without limit"), flag("startsWithMicDirection").or(true),
				flag("shouldLeaveChargerFirst").must(), id("driveOffChargerBehavior").anon().mustIf("shouldLeaveChargerFirst"),
				id("searchForFaceBehavior").anon().says("what searches for the face"), id("behavior").anon().says("what runs when the face is found"),
				flag("callSetFaceOnBehavior").or(true), flag("exitOnceFound").says("end instead of running a delegate"), flag("alwaysDetectFaces"),
				flag("useBodyDetector").or(true), num("additionalLookTimeIfSawBody_s").in(0, 1e6).mustIf("useBodyDetector"), num("additionalSearchTimeIfSawBody_s").in(0, 1e6).mustIf("useBodyDetector"),
				num("upperPortionLookUpPercent").or(0.3), trig("animWhenSeesFace"), trig("animWhileSearching"),
			},
		},
		{
			Name: "FindFaces", Doc: "Searches until it sees a face.", Modifiers: "o",
			Keys: []Key{
				id("searchBehavior").must().says("what searches"), word("stoppingCondition", "None", "AnyFace", "NewFace", "Timeout").must(),
				count("maxFaceAgeToLook_ms").in(0, 1e9), num("timeout_sec").in(0, 1e6),
			},
		},
		{
			Name: "FindCube", Doc: "Looks for a cube.", Fixed: []string{"DriveOffChargerCube"}, Keys: []Key{flag("skipReactToCubeAnim")},
		},
		{
			Name: "FindCubeAndThen", Doc: "Looks for a cube, then runs its delegate.", Fixed: []string{"FindCube"},
			FixedIf: []FixedIf{{Key: "skipConnectToCubeBehavior", Not: true, ID: "ConnectToCube"}},
			Keys:    []Key{id("followUpBehaviorID").anon().says("what runs when the cube is found"), flag("skipConnectToCubeBehavior")},
		},
		{
			Name: "FindHome", Doc: "Looks for the charger.", Modifiers: "cn", Fixed: []string{"RobustChargerObservation"},
			Keys: all(join(each(trig, "searchTurnAnimTrigger postSearchAnimTrigger"), each(num, "minSearchAngleSweep_deg"), each(count, "maxSearchTurns"),
				each(num, "recentSearchWindow_sec"), each(count, "maxNumRecentSearches numSearchesBeforePlayingPostSearchAnim"),
				each(num, "minDrivingDist_mm maxDrivingDist_mm"))...),
		},
		{
			Name: "GoHome", Doc: "Drives to the charger and docks.", Modifiers: "cn", Wants: ChargerSeen,
			Fixed: []string{"ClearChargerArea", "RequestHomeBecauseStuck", "WiggleBackOntoChargerFromPlatform", "RobustChargerObservation"},
			Keys: all(join(each(flag, "useCliffSensorCorrection"), each(trig, `leftTurnAnimTrigger rightTurnAnimTrigger drivingStartAnimTrigger
				drivingEndAnimTrigger drivingLoopAnimTrigger raiseLiftAnimTrigger nuzzleAnimTrigger`),
				each(count, "driveToRetryCount turnToDockRetryCount mountChargerRetryCount"))...),
		},
	}
}

func lookAround() Row {
	keys := all(join(
		each(num, "behavior_DistanceFromRecentLocationMin_mm behavior_AngleOfFocus_deg"), each(count, "behavior_RecentLocationsMax"),
		each(flag, "behavior_CanCarryCube behavior_ShouldResetTurnDirection behavior_ResetBodyFacingOnStart behavior_ShouldLowerLift"),
		each(num, `s0_MainTurnCWChance s1_BodyAngleRangeMin_deg s1_BodyAngleRangeMax_deg s1_HeadAngleRangeMin_deg s1_HeadAngleRangeMax_deg
			s2_WaitMin_sec s2_WaitMax_sec`), each(trig, "s2_WaitAnimTrigger"),
		each(num, `s3_BodyAngleRangeMin_deg s3_BodyAngleRangeMax_deg s3_HeadAngleRangeMin_deg s3_HeadAngleRangeMax_deg
			s4_BodyAngleRelativeRangeMin_deg s4_BodyAngleRelativeRangeMax_deg s4_HeadAngleRangeMin_deg s4_HeadAngleRangeMax_deg`),
		each(count, "s4_HeadAngleChangesMin s4_HeadAngleChangesMax"), each(num, "s4_WaitBetweenChangesMin_sec s4_WaitBetweenChangesMax_sec"),
		each(trig, "s4_WaitAnimTrigger"),
		each(num, `s5_BodyAngleRelativeRangeMin_deg s5_BodyAngleRelativeRangeMax_deg s5_HeadAngleRangeMin_deg s5_HeadAngleRangeMax_deg
			s6_BodyAngleRangeMin_deg s6_BodyAngleRangeMax_deg s6_HeadAngleRangeMin_deg s6_HeadAngleRangeMax_deg`))...)
	keys = append(keys, join(
		each(count, "behavior_NumberOfScansBeforeStop"), each(num, "sx_BodyTurnSpeed_degPerSec sxt_HeadTurnSpeed_degPerSec sxh_HeadTurnSpeed_degPerSec"),
		[]Key{open("motionProfile"), flag("behavior_LockTreadsDuringWaitAnims")})...)
	return Row{
		Name: "LookAroundInPlace", Doc: "Looks around in place, in arcs and with pauses.", Modifiers: "o",
		ModifiersIf: map[string]string{"params.behavior_CanCarryCube": "c"}, Keys: []Key{obj("params", keys...).must()}, Hold: 8 * time.Second,
	}
}
