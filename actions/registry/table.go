package registry

import (
	"math"
	"slices"
	"strings"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/charger"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

const rad = math.Pi / 180

// farMM bounds distances and places: more is a mistake on any table and in any room.
const farMM = 10_000

// Keys that several actions have.
var (
	driveSpeed = Key{Name: "speed_mmps", Type: Number, Unit: "mm/s", Min: 10, Max: motion.CliffSafeMMPS, Default: "that of the motion profile", Doc: "speed of the wheels"}
	turnSpeed  = Key{Name: "turn_degps", Type: Number, Unit: "°/s", Min: 5, Max: 300, Default: "that of the motion profile", Doc: "speed of turns"}
	onCharger  = Key{Name: "on_charger", Type: Flag, Default: "false", Doc: "move although the robot stands on the charger"}
	obstacles  = Key{Name: "allow_obstacles", Type: Flag, Default: "false", Doc: "do not stop for what the range sensor sees"}
)

// targetKeys say what to drive or turn to.
var targetKeys = []Key{
	{Name: "to", Type: Text, Choices: []string{"charger", "cube", "face", "object", "point"}, Required: true, Doc: "charger, cube, face, object (by id) or point (x_mm, y_mm)"},
	{Name: "id", Type: Whole, Min: 0, Max: 1 << 30, Default: "0, the one seen last", Doc: "number of the face, cube or object"},
	{Name: "x_mm", Type: Number, Unit: "mm", Min: -farMM, Max: farMM, Default: "0", Doc: "of a point, in the odometry frame"},
	{Name: "y_mm", Type: Number, Unit: "mm", Min: -farMM, Max: farMM, Default: "0", Doc: "of a point, in the odometry frame"},
}

func target(v Values) motion.Target {
	switch v.Text("to") {
	case "charger":
		return motion.ObjectTarget{ID: v.Int("id"), Kind: hardware.KindCharger}
	case "cube":
		return motion.ObjectTarget{ID: v.Int("id"), Kind: hardware.KindCube}
	case "object":
		return motion.ObjectTarget{ID: v.Int("id")}
	case "face":
		return motion.FaceTarget{ID: v.Int("id")}
	}
	return motion.PointTarget{XMM: v.Number("x_mm"), YMM: v.Number("y_mm")}
}

var (
	kinds = sorted(slices.Concat(drives, parts, shows, cubes, looks, drivePath))
	names = func() (all []string) {
		for i := range kinds {
			all = append(all, kinds[i].Name)
		}
		return all
	}()
)

func sorted(all []Kind) []Kind {
	slices.SortFunc(all, func(a, b Kind) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// drives are the actions of the wheels.
var drives = []Kind{
	{
		Name: "DriveStraight", Doc: "drives along the heading",
		Keys: []Key{
			{Name: "distance_mm", Type: Number, Unit: "mm", Min: -farMM, Max: farMM, Required: true, Doc: "how far, such as 100; negative is backward"},
			driveSpeed,
			{Name: "accel_mmps2", Type: Number, Unit: "mm/s²", Min: 10, Max: 1000, Default: "that of the motion profile", Doc: "acceleration"},
			{Name: "stop_at_mm", Type: Number, Unit: "mm", Min: 0, Max: 1000, Default: "0, never", Doc: "ends a forward drive when something is nearer ahead"},
			onCharger,
		},
		make: func(v Values) actions.Action {
			return motion.NewDriveStraight(motion.StraightParams{
				DistanceMM: v.Number("distance_mm"), SpeedMMPS: v.Number("speed_mmps"), AccelMMPS2: v.Number("accel_mmps2"),
				StopAtMM: v.Number("stop_at_mm"), AllowOnCharger: v.On("on_charger"),
			})
		},
	},
	{
		Name: "TurnInPlace", Doc: "turns on the spot",
		Keys: []Key{
			{Name: "angle_deg", Type: Number, Unit: "°", Min: -9000, Max: 9000, Required: true, Doc: "how far, such as 90; positive is to the left"},
			{Name: "absolute", Type: Flag, Default: "false", Doc: "the angle is a heading of the odometry frame"},
			turnSpeed, onCharger,
		},
		make: func(v Values) actions.Action {
			return motion.NewTurnInPlace(motion.TurnParams{
				AngleRad: v.Rad("angle_deg"), Absolute: v.On("absolute"), SpeedRadPS: v.Rad("turn_degps"), AllowOnCharger: v.On("on_charger"),
			})
		},
	},
	{
		Name: "DriveToPose", Doc: "drives to a place, and turns to a heading there", Retries: 2,
		Keys: []Key{
			{Name: "x_mm", Type: Number, Unit: "mm", Min: -farMM, Max: farMM, Required: true, Doc: "in the odometry frame"},
			{Name: "y_mm", Type: Number, Unit: "mm", Min: -farMM, Max: farMM, Required: true, Doc: "in the odometry frame"},
			{Name: "heading_deg", Type: Number, Unit: "°", Min: -360, Max: 360, Default: "any heading", Doc: "heading at the goal"},
			driveSpeed, turnSpeed, obstacles, onCharger,
		},
		make: func(v Values) actions.Action {
			return motion.NewDriveToPose(motion.PoseParams{
				Goal:       hardware.Pose{XMM: v.Number("x_mm"), YMM: v.Number("y_mm"), HeadingRad: v.Rad("heading_deg")},
				AnyHeading: !v.Has("heading_deg"), SpeedMMPS: v.Number("speed_mmps"), TurnRadPS: v.Rad("turn_degps"),
				AllowObstacles: v.On("allow_obstacles"), AllowOnCharger: v.On("on_charger"),
			})
		},
	},
	{
		Name: "DriveNear", Doc: "drives up to something and looks at it",
		Keys: slices.Concat(targetKeys, []Key{
			{Name: "distance_mm", Type: Number, Unit: "mm", Min: 40, Max: 2000, Required: true, Doc: "from the middle of the axle to the target at the end, such as 120"},
			driveSpeed, turnSpeed, obstacles,
		}),
		make: func(v Values) actions.Action {
			return motion.NewDriveNear(motion.NearParams{
				Target: target(v), DistanceMM: v.Number("distance_mm"), SpeedMMPS: v.Number("speed_mmps"), TurnRadPS: v.Rad("turn_degps"),
				AllowObstacles: v.On("allow_obstacles"),
			})
		},
	},
	{
		Name: "TurnTowards", Doc: "turns body and head towards something",
		Keys: slices.Concat(targetKeys, []Key{turnSpeed}),
		make: func(v Values) actions.Action {
			return motion.NewTurnTowards(motion.TowardsParams{Target: target(v), SpeedRadPS: v.Rad("turn_degps"), Require: true})
		},
	},
	{
		Name: "MountCharger", Doc: "drives to the charger that the robot knows, and docks", Retries: charger.MountRetries,
		make: func(Values) actions.Action { return charger.NewMount(charger.MountParams{}) },
	},
	{
		Name: "DriveOffCharger", Doc: "drives off the charger",
		Keys: []Key{
			{Name: "distance_mm", Type: Number, Unit: "mm", Min: 10, Max: 1000, Default: number(charger.LeaveMM), Doc: "how far"},
			driveSpeed,
		},
		make: func(v Values) actions.Action {
			return charger.NewDriveOff(charger.LeaveParams{DistanceMM: v.Number("distance_mm"), SpeedMMPS: v.Number("speed_mmps")})
		},
	},
}

// parts are the actions of head and lift.
var parts = []Kind{
	{
		Name: "MoveHead", Doc: "moves the head",
		Keys: []Key{
			{Name: "angle_deg", Type: Number, Unit: "°", Min: math.Round(motion.HeadMinRad / rad), Max: math.Round(motion.HeadMaxRad / rad), Required: true, Doc: "angle over the horizon, such as 20"},
			{Name: "relative", Type: Flag, Default: "false", Doc: "the angle is added to the present one"},
			{Name: "speed_degps", Type: Number, Unit: "°/s", Min: 1, Max: 600, Default: "as fast as it can", Doc: "speed of the head"},
		},
		make: func(v Values) actions.Action {
			return motion.NewMoveHead(motion.HeadParams{AngleRad: v.Rad("angle_deg"), Relative: v.On("relative"), MaxRadPS: v.Rad("speed_degps")})
		},
	},
	{
		Name: "MoveLift", Doc: "moves the lift",
		Keys: []Key{{Name: "height_mm", Type: Number, Unit: "mm", Min: motion.LiftMinMM, Max: motion.LiftMaxMM, Required: true, Doc: "height of the fingers over the ground, such as 60"}},
		make: func(v Values) actions.Action {
			return motion.NewMoveLift(motion.LiftParams{HeightMM: v.Number("height_mm")})
		},
	},
}

// shows are the actions of face, lights and speaker.
var shows = []Kind{
	{
		Name: "Say", Doc: "says a text",
		Keys: []Key{{Name: "text", Type: Text, Min: 1, Max: 400, Required: true, Doc: "what to say, such as \"hello\""}},
		make: func(v Values) actions.Action { return express.NewSayText(express.SayParams{Text: v.Text("text")}) },
	},
	{
		Name: "PlayAnimation", Doc: "plays a clip",
		Keys: []Key{
			{Name: "clip", Type: Clip, Required: true, Doc: "name of the clip, such as celebrate"},
			{Name: "loops", Type: Whole, Min: 1, Max: 100, Default: "1", Doc: "how often"},
		},
		make: func(v Values) actions.Action {
			return express.NewPlayAnimation(express.AnimParams{Clip: v.Text("clip"), Loops: v.Int("loops")})
		},
	},
	{
		Name: "Wait", Doc: "does nothing for a while",
		Keys: []Key{{Name: "seconds", Type: Number, Unit: "s", Min: 0, Max: 3600, Required: true, Doc: "how long, such as 2"}},
		make: func(v Values) actions.Action { return express.NewWait(express.WaitParams{Duration: v.Span("seconds")}) },
	},
}
