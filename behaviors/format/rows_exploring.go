package format

import "time"

func exploring() []Row {
	return []Row{
		{
			Name: "Exploring", Doc: "Wanders about around the charger.", Modifiers: "d", Hold: 20 * time.Second,
			Keys: []Key{
				num("minSearchRadius_m").must(), num("maxSearchRadius_m").must(), num("maxChargerDistance_m").must(), num("pAcceptKnownAreas").must().in(0, 1),
				flag("allowNoCharger"), open("motionProfile"),
			},
			Fixed: []string{"ExploringExamineObstacle", "ExploringReferenceHuman", "ShortLookAroundForFaceAndCube"},
		},
		{
			Name: "ExploringExamineObstacle", Doc: "Inspects what is in its way.", Modifiers: "co", Wants: Obstacle,
			Fixed: []string{"ExploringBumpObject", "ExploringReferenceHuman", "ReactToHand"},
		},
		{
			Name: "ConfirmHabitat", Doc: "Finds out whether it stands in its habitat.", Modifiers: "d",
			Keys: all(cond("onTreadsTimeCondition"), id("searchForChargerBehavior").says("what looks for the charger")),
		},
		{
			Name: "RequestToGoHome", Doc: "Asks people to put it onto the charger.", Modifiers: "cn",
			Keys:  all(obj("normal", requests()...), obj("severe", requests()...), trig("pickupAnimTrigger"), num("maxFaceAge_sec")),
			Fixed: []string{"ObservingFindFaces"},
		},
		{
			Name: "RobustChargerObservation", Doc: "Looks for the charger in any light.", Modifiers: "cn",
			Keys: all(each(count, "numImageCompositingCyclesToWaitFor numCyclingExposureCyclesToWaitFor")...),
		},
		{Name: "WiggleOntoChargerContacts", Doc: "Moves a little until it has contact with the charger.", Modifiers: "o", Wants: OnPlatform},
	}
}

func requests() []Key {
	return all(join(each(count, "numRequests"), each(trig, "requestAnimTrigger getoutAnimTrigger waitLoopAnimTrigger"), each(num, "idleWaitTime_sec"))...)
}

func idle() []Row {
	return []Row{
		{
			Name: "Sleeping", Doc: "Sleeps, and stirs now and then.", ModifiersIf: map[string]string{"canActivateOffTreads": "o"}, Hold: 30 * time.Second,
			Keys: []Key{flag("enablePowerSave").or(true), flag("shouldPlayEmergencyGetOut").or(true), flag("canActivateOffTreads")},
		},
		{
			Name: "PRDemoBase", Doc: "Is the base of the robot at a fair.", Modifiers: "cod", Fixed: []string{"PRDemoSleeping", "SleepingWakeUp", "ModeSelector"},
			Hold: time.Second,
		},
		{
			Name: "DanceToTheBeatCoordinator", Doc: "Listens for music, then dances.",
			Keys:  all(each(id, "listeningBehavior longListeningBehavior offChargerDancingBehavior onChargerDancingBehavior")...),
			Fixed: []string{"DriveOffChargerStraight", "FindAndGoToHome", "Exploring"},
		},
		{
			Name: "DanceToTheBeat", Doc: "Dances to the beat of music.", Modifiers: "d",
			Keys: []Key{
				flag("useBackpackLights").must(), trig("backpackAnim").must(), trig("eyeHoldAnim").must(), trig("getOutAnim").must(),
				objs("danceSessions", count("minBeats").must(), count("maxBeats").must(), count("multipleOf").or(1), flag("canListenForBeats"),
					flag("playGetoutIfInterrupted"),
					objs("phrases", objs("moves", trig("animTrigger").must(), count("beats").must()).must()).must()).must(),
			},
		},
		{
			Name: "ListenForBeats", Doc: "Waits for a beat.",
			Keys: all(join(each(trig, "preListeningAnim listeningAnim postListeningAnim noBeatAnim"), each(num, "minListeningTime_sec maxListeningTime_sec"),
				each(flag, "cancelSelfIfBeatLost"))...),
		},
	}
}
