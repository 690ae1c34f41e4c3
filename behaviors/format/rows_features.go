package format

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// clock are the keys of a clock on the face.
func clock(more ...Key) []Key {
	return join([]Key{
		trig("getInAnimTrigger").must(), trig("getOutAnimTrigger").must(), count("displayClockFor_s").must().in(0, 255), flag("shouldTurnToFace"),
		flag("shouldPlayAudioOnClockUpdates"),
	}, more)
}

func voiceFeatures() []Row {
	return []Row{
		{Name: "ProceduralClock", Doc: "Shows a clock on its face.", Modifiers: "od", Keys: clock()},
		{Name: "AdvanceClock", Doc: "Shows a clock that runs from one time to another.", Modifiers: "od", Keys: clock(num("startTime_sec"), num("endTime_sec"))},
		{Name: "DisplayWallTime", Doc: "Shows the time of day on its face.", Modifiers: "od", Keys: clock()},
		{
			Name: "WallTimeCoordinator", Doc: "Tells the time of day.", Modifiers: "o", Wants: IntentPending,
			Fixed: []string{"SingletonICantDoThat", "ShowWallTime", "SingletonFindFaceInFrontWallTime"},
		},
		{
			Name: "TimerUtilityCoordinator", Doc: "Sets, shows, rings and stops a timer.", Modifiers: "o", Wants: IntentPending,
			Keys: []Key{
				num("minValidTimer_s").must(), num("maxValidTimer_s").must(), num("touchTimeToCancelTimer_ms").must(),
				objs("anticConfig", num("recurIntervalMin_s").must(), num("recurIntervalMax_s").must(), num("ruleMin_s"), num("ruleMax_s")),
				id("timerRingingBehaviorID").or("SingletonTimerRinging").says("what rings"),
			},
			Fixed: []string{
				"SingletonTimerSet", "SingletonTimerAntic", "SingletonTimerAlreadySet", "SingletonICantDoThat", "SingletonCancelTimer", "SingletonTimerCheckTime",
			},
		},
		{
			Name: "CoordinateWeather", Doc: "Shows the weather that was asked for.", Modifiers: "o", Wants: IntentPending, Links: true,
			Keys: []Key{objs("responseMap", text("CladType").must(), id("BehaviorID").must().says("what shows it")).must()}, Fixed: []string{"SingletonICantDoThat"},
		},
		{
			Name: "DisplayWeather", Doc: "Shows a weather on its face.", Modifiers: "od", Keys: all(trig("animationName")),
			Fixed: []string{"SingletonFindFaceInFrontWallTime"},
		},
		{
			Name: "KnowledgeGraphQuestion", Doc: "Takes a question and tells the answer.", Modifiers: "co", Wants: IntentPending,
			Keys: []Key{num("streamingTimeout"), text("readyStringID").must(), text("earConAudioEventEnd")}, Fixed: []string{"KnowledgeGraphTTS"},
		},
		{
			Name: "LeaveAMessage", Doc: "Records a message for somebody.", Modifiers: "co", Wants: IntentPending, Fixed: []string{"MessagingRecordTTS"},
			Keys: join(all(each(text, "ttsNoRecipientKey ttsUnknownRecipientKey ttsMailboxFullKey")...), []Key{flag("requireKnownUser"), num("recordDuration")}),
		},
		{
			Name: "PlaybackMessage", Doc: "Plays the messages for somebody.", Modifiers: "co", Wants: IntentPending, Fixed: []string{"MessagingPlaybackTTS"},
			Keys: all(each(text, "ttsAnnounceSingleKey ttsAnnouncePluralKey ttsNoRecipientKey ttsNoMessagesKey")...),
		},
		{Name: "HowOldAreYou", Doc: "Tells how old it is.", Modifiers: "o", Wants: IntentPending, Fixed: []string{"HowOldAreYouCounting"}},
		{Name: "Volume", Doc: "Changes how loud it is.", Modifiers: "co", Wants: IntentPending},
		{Name: "EyeColor", Doc: "Shows a new color of its eyes.", Modifiers: "co", Wants: IntentPending},
		{Name: "EyeColorVoiceCommand", Doc: "Changes the color of its eyes.", Modifiers: "co", Wants: IntentPending},
	}
}

func games() []Row {
	return []Row{
		{
			Name: "BlackJack", Doc: "Plays a game of cards.", Modifiers: "od",
			Fixed: []string{
				"BlackJackHitOrStandPrompt", "BlackJackRequestToPlayAgain", "BlackJackTextToSpeech", "BlackJackGoodLuckTTS", "BlackJackLookAtFaceInFront",
			},
		},
		{
			Name: "Alexa", Doc: "Shows what the other assistant does.", Modifiers: "cod", Wants: Never, State: behaviors.Inert,
			Keys: all(open("responseData").says("clips by what the assistant does")),
		},
		{
			Name: "AlexaSignInOut", Doc: "Signs in to the other assistant, or out.", Modifiers: "d", Wants: IntentPending,
			FixedAnonymous: []string{"LookAtFaceOrUpInternal"},
		},
		{
			Name: "UserDefinedBehaviorSelector", Doc: "Lets a person choose a reaction.", Modifiers: "d", Options: true,
			Fixed: []string{"UserDefinedBehaviorTreeTextToSpeech", "UserDefinedBehaviorTreeConfirmNewBehavior"},
		},
		{
			Name: "UserDefinedBehaviorTreeRouter", Doc: "Runs the reaction that a person chose.", Options: true, Links: true,
			Fixed: []string{"UserDefinedBehaviorSelector"},
		},
		{
			Name: "SDKInterface", Doc: "Hands control to a program outside the robot.", Modifiers: "cod", Wants: Never, State: behaviors.Inert,
			Keys: all(join([]Key{open("behaviorControlLevel"), flag("disableCliffDetection")}, each(id, `driveOffChargerBehavior findAndGoToHomeBehavior
				findFacesBehavior lookAroundInPlaceBehavior rollBlockBehavior enrollFaceBehavior`))...),
		},
		{Name: "SDKLock", Doc: "Keeps its place for a program outside the robot.", Modifiers: "cod", Wants: Never, State: behaviors.Inert},
		{
			Name: "PuzzleMaze", Doc: "Shows a maze on its face.", Modifiers: "d", Hold: 10 * time.Second,
			Keys: each(num, `tileSize_pixels wallSize_pixels cozmoAvatarSize_pixels timeBetweenTiles_Sec timePauseAtIntersectionMin_Sec
				timePauseAtIntersectionMax_Sec chanceRandomWrongChoice`),
		},
		{Name: "SnakeGame", Doc: "Plays snake on its face.", Modifiers: "d", Hold: 10 * time.Second},
		{Name: "WireTest", Doc: "Answers the test of the wire."},
	}
}

func onboarding() []Row {
	return []Row{
		{
			Name: "OnboardingCoordinator", Doc: "Leads through the first minutes of a robot, as the app says.", Modifiers: "od", Fixed: []string{"OnboardingPowerOff"},
			Keys: []Key{
				objs("phases", text("phaseName").must(), id("phaseBehaviorID").must().says("what runs in the phase"), num("phaseTimeout_s").must(),
					flag("allowCoordinatorPowerOff")).must(),
				num("startTimeout_s").must(), num("completionTimeout_s").must(), num("appDisconnectTimeout_s").must(), num("idleTimeout_s").must(),
				flag("allowPowerOffFromIdle").must(),
			},
		},
		{
			Name: "OnboardingEmulate1p0WaitForVC", Doc: "Waits for any command.", Modifiers: "o", Fixed: []string{"OnboardingLookAtUser", "TriggerWordDetected"},
		},
		{Name: "OnboardingLookAtPhone", Doc: "Looks up at the phone.", Modifiers: "od"},
		{
			Name: "OnboardingLookAtUser", Doc: "Looks at the person.", Modifiers: "o",
			Fixed: []string{"OnboardingLookAtUserOffCharger", "OnboardingLookAtUserOnCharger"},
		},
		{
			Name: "OnboardingTeachWakeWord", Doc: "Counts how often it hears its name.", Modifiers: "od", Keys: []Key{num("simulatedStreamingDuration_ms")},
			Fixed: []string{"OnboardingLookAtUser"},
		},
		{Name: "OnboardingWakeUp", Doc: "Wakes up for the first time, and leaves the charger.", Modifiers: "o"},
	}
}
