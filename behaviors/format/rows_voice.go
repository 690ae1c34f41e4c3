package format

import "time"

func voice() []Row {
	return []Row{
		{
			Name: "PromptUserForVoiceCommand", Doc: "Asks a person something and listens for the answer.", Modifiers: "cod", Hold: 6 * time.Second,
			Keys: []Key{
				text("streamType").must().says("who listens: Normal, Blackjack, KnowledgeGraph and others"),
				text("earConAudioEventSuccess"), text("earConAudioEventNeutral"), flag("shouldTurnToFaceBeforePrompting"),
				id("textToSpeechBehaviorID").or("DefaultTextToSpeechLoop").says("what speaks"),
				text("vocalPromptKey"), text("vocalRepromptKey"), text("vocalResponseToIntentKey"), text("vocalResponseToBadIntentKey"),
				flag("stopListeningOnIntents").or(true), count("maxNumberOfReprompts").in(0, 1000), flag("playListeningGetIn").or(true),
				flag("playListeningGetOut").or(true),
			},
		},
		{
			Name: "ReactToVoiceCommand", Doc: "Listens after the trigger word.", Modifiers: "cod", Wants: TriggerWord,
			Fixed: []string{"IntentUnmatched", "TriggerWordWithoutIntent", "NoCloud", "NoWifi"},
			Keys: []Key{
				text("earConAudioEventBegin"), text("earConAudioEventSuccess"), text("earConAudioEventNeutral"), flag("backpackLights").or(true),
				id("behaviorOnIntent").anon().says("reaction to where the voice came from"), trig("animListeningGetIn").or("VC_ListeningGetIn"),
				trig("animListeningLoop").or("VC_ListeningLoop"), trig("animListeningGetOut").or("VC_ListeningGetOut"), flag("exitAfterGetIn"),
				flag("exitAfterListeningIfNotStreaming"), flag("pushResponse").or(true), recent("notifyOnWifiErrors"), recent("notifyOnCloudErrors"),
				key(Intents, "whiteListedIntents").says("intents that count; any other is unknown"),
			},
		},
	}
}

// states are the keys of a machine of states.
func states() []Key {
	transition := func(name string) Key {
		return objs(name, text("to").must(), cond("condition").must(), key(Emotion, "emotionEvent"))
	}
	return []Key{
		objs("states", text("name").must(), id("behavior").says("what runs in the state"), flag("cancelSelf").says("the state ends the machine"),
			id("getInBehavior").says("what runs when the state begins"), key(Timer, "resetBehaviorTimer"), num("ensureMinStimValue").or(-1.0).in(-1, 1),
			key(Intent, "activateIntent").says("intent that the state claims"), open("debugColor")).must(),
		text("initialState").must(),
		objs("transitionDefinitions", open("from").says("name of a state, a list of them, or *").must(), transition("interruptingTransitions"),
			transition("nonInterruptingTransitions"), transition("exitTransitions")),
		key(Map, "resumeReplacements").says("state to begin with instead, by the state it ended in"),
		objs("stateTimerConditions", text("name").must(), num("begin_s").must()).says("conditions on the time in a state, by name"),
		flag("ignoreMissingTransitions"), open("use_debug_lights"), open("emotionEvent").says("has no effect"),
	}
}

func machines() []Row {
	return []Row{
		{
			Name: "HighLevelAI", Doc: "Decides what a robot does that nobody asks for anything.", Modifiers: "cod", Fixed: []string{"PutDownBlock"}, Hold: time.Second,
			Keys: join(states(), all(each(num, `socializeKnownFaceCooldown_s playWithCubeCooldown_s playWithCubeOnChargerCooldown_s
				maxFaceDistanceToSocialize_mm`)...), []Key{key(Map, "postBehaviorSuggestionResumeOverrides").must().says("state to begin with, by suggestion")}),
		},
		{Name: "PRDemo", Doc: "Shows the robot at a fair.", Modifiers: "cod", Fixed: []string{"PutDownBlock"}, Keys: states(), Hold: time.Second},
		{
			Name: "SleepCycle", Doc: "Is awake or asleep, and decides when.", Modifiers: "co", Hold: time.Second,
			Fixed: []string{
				"Asleep", "GoToSleep", "SleepingWakeUp", "ReactToSoundAsleep", "SleepingTriggerWord", "WiggleBackOntoChargerFromPlatform",
				"EmergencyModeAnimDispatcher", "SleepingPersonCheck", "ReactToJoltInPalm", "ReactToPickupFromPalm",
			},
			Keys: all(id("delegateID").says("what it does awake"), id("goToChargerBehavior"), cond("emergencyCondition"),
				objs("wakeReasonConditions", all(text("reason"), cond("condition"))...), texts("alwaysWakeReasons"),
				objs("wakeFromStates", all(text("fromState"), texts("reasons"))...)),
		},
	}
}
