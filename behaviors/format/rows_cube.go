package format

import "github.com/robotd/robotd/behaviors"

func cubes() []Row {
	return []Row{
		{
			Name: "FetchCube", Doc: "Finds a cube and brings it to a person or the charger.", Wants: CubeSeen,
			Keys: []Key{flag("skipConnectToCubeBehavior")},
			Fixed: []string{
				"ReactToCliffDuringFetch", "DriveOffChargerFace", "FindFacesFetchCube", "FindCube", "PlaceCubeByCharger", "PutDownBlockAtPose",
				"ConnectToCube", "PickupCubeNoInitialReaction",
			},
		},
		{
			Name: "InspectCube", Doc: "Watches a cube that is held or near, and plays with it.", Wants: CubeSeen,
			Keys: []Key{id("PlayWithCubeBehaviorID").says("what plays")}, Fixed: []string{"Keepaway", "DriveOffChargerCube"},
		},
		{
			Name: "Keepaway", Doc: "Stalks a cube and pounces on it.", Modifiers: "n", Wants: CubeSeen,
			Keys: all(join([]Key{count("minPouncesForSoloPlay").in(-128, 127), count("maxPouncesForSoloPlay").in(-128, 127), flag("useProxForDistance")},
				each(num, `targetUnmovedGameEndTimeout_s noVisibleTargetGameEndTimeout_s outOfPlayGameEndTimeout_s targetVisibleTimeout_s
					globalOffsetDist_mm inPlayDistance_mm outOfPlayDistance_mm allowablePointingError_deg targetUnmovedDistance_mm
					targetUnmovedAngle_deg targetUnmovedCreepTimeout_s creepDistanceMin_mm creepDistanceMax_mm creepDelayTimeMin_s
					creepDelayTimeMax_s pounceDelayTimeMin_s pounceDelayTimeMax_s basePounceChance pounceChanceIncrement
					nominalPounceDistance_mm mousetrapPounceDistance_mm probBackupInsteadOfMousetrap pounceSuccessPitchDiff_deg
					excitementIncPerHit maxProbExitExcited frustrationIncPerMiss maxProbExitFrustrated minProbToExit baseProbReact
					minProbToReact probReactIncrement probReactMax`))...),
		},
		{Name: "PounceWithProx", Doc: "Pounces on what is in front of it.", Modifiers: "d", Wants: Obstacle},
		{
			Name: "ConfirmObject", Doc: "Goes back to objects that it knows until it sees one.", Wants: ObjectSeen,
			Keys: []Key{texts("objectTypes").must().says("kinds of objects"), num("minAgeForActivation_s"), count("maxNumAttempts").or(-1)},
		},
		{
			Name: "PlaceCubeByCharger", Doc: "Puts a cube away next to the charger.", Modifiers: "cn", Wants: CubeSeen,
			Fixed: []string{"PickupCube", "TurnToLastFace", "PutDownBlockAtPose"},
		},
		{
			Name: "PopAWheelie", Doc: "Tips itself onto its back with a cube.", Wants: CubeSeen,
			Keys: []Key{count("numRetries").or(1), flag("sayName").or(true), flag("playCubeReaction").or(true)},
		},
		{
			Name: "FistBump", Doc: "Offers its lift for a fist bump.", Modifiers: "cnd",
			Keys: []Key{num("maxTimeToLookForFace_s"), flag("abortIfNoFaceFound"), flag("updateLastCompletionTime")},
		},
		{
			Name: "ClearChargerArea", Doc: "Moves a cube out of the way to the charger.", Modifiers: "cn", Wants: CubeSeen,
			Keys: []Key{flag("tryToPickUpCube").must(), count("maxNumAttempts").must()}, Fixed: []string{"PickupCube", "RequestHomeBecauseStuck"},
		},
		{
			Name: "BumpObject", Doc: "Nudges what is in front of it.", Wants: Obstacle,
			Keys:  join([]Key{num("minDist_mm").must()}, each(num, "maxDist_mm pEvil pBumpWhenEvil pBumpWhenNotEvil")),
			Fixed: []string{"ExploringReferenceHuman"},
		},
		{
			Name: "TrackCube", Doc: "Follows a cube with its eyes and body.", Modifiers: "d", Wants: CubeSeen,
			Keys: each(num, "maxTimeSinceObserved_ms maxDistance_mm"),
		},
		{
			Name: "VectorPlaysCubeSpinner", Doc: "Plays a game with the lights of the cube.", Modifiers: "d", Cube: behaviors.CubeRequiredManaged,
			Keys: all(open("gameConfig").says("the game: lights, speeds and rounds"), count("minRoundsToPlay"), count("maxRoundsToPlay"),
				num("maxTimeSearchForCube_ms"), open("vectorPlayerConfig").says("how well the robot plays")),
			Fixed: []string{"CubeSpinnerLookAroundInPlace"},
		},
		{
			Name: "ReactToCubeTap", Doc: "Goes to a cube that was tapped.", Wants: CubeSeen, ModifiersIf: map[string]string{"-onChargerBehavior": "n"},
			Keys: []Key{id("onChargerBehavior").anon().says("what runs on the charger"), num("interactionDuration_s")},
		},
	}
}
