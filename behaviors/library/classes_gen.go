// Code generated from the functions that return a behaviors.Class; DO NOT EDIT. go generate writes it anew.

package library

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/charging"
	"github.com/robotd/robotd/behaviors/library/coordinate"
	"github.com/robotd/robotd/behaviors/library/helpers"
	"github.com/robotd/robotd/behaviors/library/observing"
	"github.com/robotd/robotd/behaviors/library/performing"
	"github.com/robotd/robotd/behaviors/library/play"
	"github.com/robotd/robotd/behaviors/library/reactions"
	"github.com/robotd/robotd/behaviors/library/recovery"
	"github.com/robotd/robotd/behaviors/library/simple"
	"github.com/robotd/robotd/behaviors/library/sleep"
	"github.com/robotd/robotd/behaviors/library/social"
	"github.com/robotd/robotd/behaviors/library/voice"
)

// classes lists the classes of this package and of those below it, by name.
func classes() []behaviors.Class {
	return []behaviors.Class{
		performing.AdvanceClockClass(),
		performing.AnimGetInLoopClass(),
		performing.AnimSequenceClass(),
		performing.AnimSequenceWithFaceClass(),
		performing.AnimSequenceWithObjectClass(),
		reactions.AskForHelpClass(),
		voice.AttentionTransferIfNeededClass(),
		social.ComeHereClass(),
		coordinate.ConnectToCubeClass(),
		coordinate.CoordinateGlobalInterruptsClass(),
		coordinate.CoordinateInHabitatClass(),
		voice.CoordinateWeatherClass(),
		coordinate.CoordinateWhileHeldInPalmClass(),
		coordinate.CoordinateWhileInAirClass(),
		performing.CountingAnimationClass(),
		play.CubeGameClass(),
		social.DanceClass(),
		performing.DanceToTheBeatClass(),
		performing.DanceToTheBeatCoordinatorClass(),
		reactions.DispatchAfterShakeClass(),
		performing.DisplayWallTimeClass(),
		voice.DisplayWeatherClass(),
		charging.DockOnChargerClass(),
		helpers.DriveToCubeClass(),
		social.DriveToFaceClass(),
		observing.ExploreClass(),
		helpers.FetchCubeClass(),
		charging.FindChargerClass(),
		helpers.FindCubeClass(),
		helpers.FindCubeAndThenClass(),
		social.FindFaceAndThenClass(),
		social.FindFacesClass(),
		social.FistBumpClass(),
		social.GreetFaceClass(),
		reactions.InitialHeldInPalmReactionClass(),
		charging.LeaveChargerClass(),
		performing.ListenForBeatsClass(),
		observing.LookAroundClass(),
		observing.LookAroundInPlaceClass(),
		social.LookAtFaceClass(),
		social.LookAtFaceInFrontClass(),
		simple.MoveHeadToAngleClass(),
		observing.ObservingOnChargerClass(),
		helpers.PickUpCubeClass(),
		helpers.PlaceCubeByChargerClass(),
		helpers.PlaceCubeOnClass(),
		performing.ProceduralClockClass(),
		voice.PromptUserForVoiceCommandClass(),
		helpers.PutCubeOnGroundClass(),
		helpers.PutDownBlockClass(),
		helpers.PutDownBlockAtPoseClass(),
		coordinate.QuietModeCoordinatorClass(),
		reactions.ReactToEdgeClass(),
		reactions.ReactToPickupClass(),
		reactions.ReactToShakeClass(),
		reactions.ReactToTouchClass(),
		voice.ReactToUnclaimedIntentClass(),
		voice.ReactToVoiceCommandClass(),
		recovery.ResetStateClass(),
		helpers.RollBlockClass(),
		helpers.RollCubeClass(),
		voice.SimpleVoiceResponseClass(),
		charging.SleepClass(),
		sleep.SleepCycleClass(),
		simple.StandStillClass(),
		charging.StayOnChargerUntilChargedClass(),
		performing.TextToSpeechLoopClass(),
		voice.TimerUtilityCoordinatorClass(),
		simple.TurnClass(),
		social.TurnToFaceClass(),
		voice.UserDefinedBehaviorSelectorClass(),
		voice.UserDefinedBehaviorTreeRouterClass(),
		simple.WaitClass(),
	}
}
