package library

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/coordinate"
	"github.com/robotd/robotd/behaviors/library/observing"
	"github.com/robotd/robotd/behaviors/library/reactions"
	"github.com/robotd/robotd/behaviors/library/simple"
	"github.com/robotd/robotd/behaviors/library/sleep"
	"github.com/robotd/robotd/behaviors/library/social"
	"github.com/robotd/robotd/behaviors/library/voice"
)

// answeringClasses lists the classes with which other trees answer people and keep their behaviors apart. The shipped tree has none of them.
func answeringClasses() []behaviors.Class {
	return []behaviors.Class{
		coordinate.ConnectToCubeClass(),
		coordinate.CoordinateGlobalInterruptsClass(),
		coordinate.CoordinateInHabitatClass(),
		coordinate.CoordinateWhileHeldInPalmClass(),
		coordinate.CoordinateWhileInAirClass(),
		coordinate.QuietModeCoordinatorClass(),

		observing.LookAroundInPlaceClass(),

		reactions.AskForHelpClass(),
		reactions.DispatchAfterShakeClass(),
		reactions.InitialHeldInPalmReactionClass(),

		simple.MoveHeadToAngleClass(),
		simple.TurnClass(),

		sleep.SleepCycleClass(),

		social.DriveToFaceClass(),
		social.FindFaceAndThenClass(),
		social.FindFacesClass(),
		social.LookAtFaceInFrontClass(),
		social.TurnToFaceClass(),

		voice.AttentionTransferIfNeededClass(),
		voice.CoordinateWeatherClass(),
		voice.DisplayWeatherClass(),
		voice.PromptUserForVoiceCommandClass(),
		voice.ReactToVoiceCommandClass(),
		voice.SimpleVoiceResponseClass(),
		voice.TimerUtilityCoordinatorClass(),
	}
}
