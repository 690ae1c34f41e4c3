package format

import (
	"strings"

	"github.com/robotd/robotd/behaviors"
)

// tool is a class that developers and the factory use. It does nothing here.
func tool(name, doc, modifiers string, keys ...Key) Row {
	return Row{Name: name, Doc: doc, Modifiers: modifiers, Keys: keys, Wants: Never, State: behaviors.Inert}
}

func developer() []Row {
	capture := join(all(text("save_path"), open("quality"), num("image_scale"), flag("use_capacitive_touch")))
	spinner := tool("DevCubeSpinnerConsole", "Tries out the game with the lights of the cube.", "d", open("gameConfig"))
	spinner.Cube = behaviors.CubeRequiredLazy
	logging := tool("DevBatteryLogging", "Writes down what the battery does.", "d")
	logging.Fixed = []string{"ModeSelector"}
	body := tool("ReactToBody", "Turns to a person whom it sees in part.", "", id("driveOffChargerBehavior").must(), flag("shouldDriveStraightIfNotOnCharger").must(),
		num("drivingForwardDistance_mm").must(), num("upperPortionLookUpPercent").must(), num("trackingTimeout_sec").must(), penalties("faceSelectionPenalties").must())
	body.Fixed = []string{"SearchWithinBoundingBox"}
	return []Row{
		tool("CubeDrive", "Is driven by tilting the cube.", "d"),
		logging, spinner,
		tool("DevDesignCubeLights", "Tries out lights of the cube.", "d"),
		tool("DevDisplayReadingsOnFace", "Shows readings on the face.", "od"),
		tool("DevEventSequenceCapture", "Takes series of images.", "od", join(capture,
			all(each(num, "sequence_setup_time pre_event_capture_time post_event_capture_time")...), []Key{flag("enable_random_head_tilt").must()},
			each(num, "min_head_tilt max_head_tilt"), []Key{texts("class_names")})...),
		tool("DevImageCapture", "Takes images.", "od", join(capture, all(flag("use_shutter_sound"), flag("allow_streaming")),
			[]Key{flag("save_sensor_data"), texts("class_names"), texts("vision_modes"), flag("use_save_prefix"), open("multi_image_mode")})...),
		tool("DevSquawkBoxTest", "Tests speaker and microphones.", "od"),
		tool("DevTestBlackjackViz", "Tests the cards on the face.", "od"),
		tool("DevTestSpriteBoxRemaps", "Tests images on the face.", "d"),
		tool("DevTouchDataCollection", "Writes down what the touch sensor feels.", "od"),
		tool("DevTurnInPlaceTest", "Tests turns in place.", "d", all(flag("loopForever"), num("gapBetweenTests_s"), count("nRunsPerTest"), open("tests"))...),
		tool("DevViewCubeBackpackLights", "Shows lights of cube and back.", "d", all(trigs("cubeTriggers"), trigs("backpackTriggers"))...),
		tool("DockingTestSimple", "Tests docking.", "d"),
		tool("FactoryCentroidExtractor", "Measures the camera.", "cd"),
		tool("LiftLoadTest", "Measures the load of the lift.", "d"),
		tool("PlannerTest", "Tests the planning of paths.", "d"),
		tool("PowerSaveTest", "Tests the saving of power.", "cod"),
		tool("PowerSaveStressTest", "Tests the saving of power again and again.", "cod"),
		body,
		tool("ProxGetToDistance", "Drives to a distance from what is in front of it.", "cd", all(num("goalDistance_mm"), num("tolerence_mm"),
			flag("endWhenGoalReached"), obj("distMM_speedMM_Graph", nodes()))...),
	}
}

// selfTests are the self test of the factory and its steps.
func selfTests() []Row {
	test := tool("SelfTest", "Tests the whole robot, step by step.", "o")
	test.Fixed = strings.Fields(`SelfTestPutOnCharger SelfTestButton SelfTestInitChecks SelfTestMotorCalibration SelfTestDriftCheck SelfTestSoundCheck
		SelfTestDriveForwards SelfTestLookAtCharger SelfTestDockWithCharger SelfTestPickup SelfTestPutOnCharger2 SelfTestTouch SelfTestScreenAndBackpack`)
	return []Row{
		test,
		tool("SelfTestButton", "Tests the button.", "d"),
		tool("SelfTestDockWithCharger", "Tests docking with the charger.", "d"),
		tool("SelfTestDriftCheck", "Tests the gyro.", "d"),
		tool("SelfTestDriveForwards", "Tests driving off the charger.", "d"),
		tool("SelfTestInitChecks", "Tests what needs no motion.", "d"),
		tool("SelfTestLookAtCharger", "Tests the camera with the charger.", "d", num("AngleToTurnToSeeTarget_deg"), num("DistanceToDriveToSeeTarget_mm"),
			text("ExpectedObjectType"), num("ExpectedDistance_mm")),
		tool("SelfTestMotorCalibration", "Tests the motors.", "d"),
		tool("SelfTestPickup", "Tests being picked up.", "d"),
		tool("SelfTestPutOnCharger", "Waits to be put onto the charger.", "d"),
		tool("SelfTestScreenAndBackpack", "Tests face and back lights.", "d"),
		tool("SelfTestSoundCheck", "Tests speaker and microphones.", "d"),
		tool("SelfTestTouch", "Tests the touch sensor.", "d"),
	}
}
