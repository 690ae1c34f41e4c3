package format

import "github.com/robotd/robotd/behaviors"

func reactions() []Row {
	return []Row{
		{Name: "AskForHelp", Doc: "Shows now and then that it needs help.", Modifiers: "co"},
		{
			Name: "ReactToCliff", Doc: "Backs off from an edge.", Modifiers: "c", Wants: Edge,
			Keys: all(each(num, "cliffBackupDistance_mm cliffBackupSpeed_mmps eventFlagTimeout_ms")...), Fixed: []string{"StuckOnEdge", "ForceStuckOnEdge"},
		},
		{
			Name: "ReactToPalmEdge", Doc: "Backs off from the edge of a hand.", Modifiers: "o", Wants: Edge,
			Keys:  []Key{num("cliffBackupDistance_mm").must(), num("cliffBackupSpeed_mmps").must(), trig("animOnTurnFailure")},
			Fixed: []string{"ForceStuckOnPalmEdge", "ReactToJoltInPalm"},
		},
		{
			Name: "InitialHeldInPalmReaction", Doc: "Reacts when it comes into a hand.", Modifiers: "o", Wants: Lifted,
			Keys:  []Key{key(KnownOnes, "interruptingBehaviors").says("what may interrupt it")},
			Fixed: []string{"ReactToJoltInPalm"}, FixedAnonymous: []string{"InitialHeldInPalmReactionInternal"},
		},
		{
			Name: "ReactToDarkness", Doc: "Looks around in the dark, then wants to sleep.", Modifiers: "d",
			Keys: all(join(each(num, `lookHeadAngleMin_deg lookHeadAngleMax_deg lookTurnAngleMin_deg lookTurnAngleMax_deg lookWaitTime_s`),
				each(count, "lookMinImages numOffChargerLooks numOnChargerLooks"), []Key{key(Emotion, "reactionEmotion"), flag("sleepInPlace")})...),
			FixedIf: []FixedIf{{Key: "sleepInPlace", Not: true, ID: "FindAndGoToHome"}},
		},
		{
			Name: "ReactToFrustration", Doc: "Shows that it is frustrated, and drives somewhere else.", Modifiers: "c",
			Keys: join([]Key{trig("anim").must(), key(Emotion, "finalEmotionEvent")},
				each(num, "randomDriveMinDist_mm randomDriveMaxDist_mm randomDriveMinAngle_deg randomDriveMaxAngle_deg")),
		},
		{Name: "ReactToGazeDirection", Doc: "Looks where a person looks.", Modifiers: "n", Wants: FaceSeen, Keys: all(flag("searchForFaces"))},
		{Name: "ReactToHand", Doc: "Reacts to a hand in front of it."},
		{
			Name: "ReactToMicDirection", Doc: "Turns to where a sound comes from.", Modifiers: "co",
			Keys: all(open("reaction_list").says("clip and angle for each direction, by where the robot is")),
		},
		{
			Name: "ReactToMotion", Doc: "Looks to where something moves.", Modifiers: "d",
			Keys: []Key{
				flag("procedural"), num("eyeMotionTimeout_s").must(), num("eyeMotionShiftTimeout_s").must(), count("ticksInIntervalForTurn").must(),
				count("turnIntervalSize").must(), num("procTurnAngle_deg").mustIf("procedural"), num("procHeadAngle_deg").mustIf("procedural"),
			},
		},
		{Name: "ReactToMotorCalibration", Doc: "Waits until the motors are calibrated.", Modifiers: "c", Wants: Never, State: behaviors.Inert},
		{Name: "ReactToPlacedOnSlope", Doc: "Reacts to a slope.", Modifiers: "co"},
		{Name: "ReactToPutDown", Doc: "Reacts when it was put down.", Wants: PutDown, FixedAnonymous: []string{"PutDownWaitInternal"}},
		{Name: "ReactToRobotOnBack", Doc: "Rights itself from its back.", Modifiers: "co", Wants: OnBack, Keys: []Key{flag("exitIfHeld").or(true)}},
		{Name: "ReactToRobotOnFace", Doc: "Rights itself from its face.", Modifiers: "co", Wants: OnFace},
		{
			Name: "ReactToRobotOnSide", Doc: "Waits on its side, then asks for help.", Modifiers: "co", Wants: OnSide,
			Keys: []Key{num("askForHelpAfter_sec"), id("askForHelpBehavior").says("what asks")},
		},
		{
			Name: "ReactToRobotShaken", Doc: "Is dizzy after it was shaken.", Modifiers: "co", Wants: Shaken,
			Keys: []Key{
				objs("shakeAnimations", num("threshold").must()).must().more().says("clips by how hard it was shaken"),
				trig("getInAnimation").must(), flag("renderInEyeHue").or(true),
			},
		},
	}
}

func moreReactions() []Row {
	return []Row{
		{
			Name: "ReactToSound", Doc: "Reacts to a sound.", Modifiers: "c", Wants: Delegates, Links: true,
			Keys: all(id("micDirectionReactionBehavior").says("what reacts"), num("micAbsolutePowerThreshold"), num("micMinPowerThreshold"),
				num("micConfidenceThresholdAtMinPower")),
		},
		{
			Name: "ReactToTouchPetting", Doc: "Enjoys being petted.", Modifiers: "od", Wants: Touched,
			Keys: all(num("timeTilTouchCheck"), trig("animGroupGetin"), trigs("animGroupNames"), trigs("animGroupNamesGetout"), num("timeTilBlissGetout"),
				num("timeTilNonBlissGetout"), count("numPetsToAdvanceBliss")),
		},
		{Name: "ReactToUncalibratedHeadAndLift", Doc: "Calibrates head and lift again.", Wants: Never, State: behaviors.Inert},
		{Name: "ReactToUnclaimedIntent", Doc: "Shows that it cannot do what was asked.", Modifiers: "co", Wants: Unclaimed},
		{
			Name: "ReactToUnexpectedMovement", Doc: "Reacts to being turned by somebody.", Modifiers: "c", Wants: Never, State: behaviors.Inert, Fixed: []string{"AskForHelp"},
			Keys: join([]Key{flag("enableRepeatedActivationChecks")}, each(repeated(num), `repeatedActivationWindow_sec repeatedActivationAngleWindow_deg`),
				each(repeated(count), "numRepeatedActivationsAllowed"),
				each(repeated(num), "retreatDistance_mm retreatSpeed_mmps repeatedActivationDetectionWindow_sec"),
				each(repeated(count), "numRepeatedActivationDetectionsAllowed"), []Key{flag("lockTreadsDuringAnim")}),
		},
		{
			Name: "PoweringRobotOff", Doc: "Plays along while the power button is held.", Modifiers: "cod", Wants: Never, State: behaviors.Inert,
			Keys: []Key{
				num("powerButtonHeldToActivate_ms").must(), text("powerOnAnimName").must(), text("powerOffAnimName").must(), flag("waitForAnimMsg"),
			},
		},
	}
}

// repeated makes keys that the check for repeated reactions needs.
func repeated(kind func(string) Key) func(string) Key {
	return func(name string) Key { return kind(name).mustIf("enableRepeatedActivationChecks") }
}
