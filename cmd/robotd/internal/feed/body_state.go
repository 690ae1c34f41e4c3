package feed

import (
	"math"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// BodyOf copies the estimated state of the body.
func BodyOf(w *hardware.World) control.BodyState {
	b := &w.Body
	return control.BodyState{
		Pose: b.Pose, Treads: b.Treads.String(), Battery: b.Battery.String(), Volts: w.Battery.Value.Volts,
		Charge: w.Battery.Value.Ratio, Charging: b.Charging, OnCharger: b.OnPlatform, Touched: b.Touched,
		Face: w.Display.Value.Face, Gaze: [2]float64{w.Display.Value.GazeX, w.Display.Value.GazeY}, Lid: w.Display.Value.Lid,
		Shape: shapeOf(w.Display.Value.Shape), Breath: [2]float64{w.Display.Value.Breath.PerMinute, w.Display.Value.Breath.Depth},
		Says: w.Speaker.Value.Playing, Lights: w.Lights.Value.Colors,
		HeadRad: w.Servos.Value.HeadRad, LiftMM: w.Servos.Value.LiftMM, Sensors: sensorsOf(&w.Snapshot),
	}
}

// shapeOf lists the parts of a shape in the order of the state, rounded to what a display tells apart.
func shapeOf(s hardware.Shape) [4]float64 {
	return [4]float64{Round(s.Tall, 100), Round(s.Wide, 100), Round(s.Slant, 100), Round(s.Cheek, 100)}
}

// SensesOf copies what the robot perceives of hands, heat and surroundings.
func SensesOf(w *hardware.World) control.SenseState {
	b, a := &w.Body, &w.Around
	m := a.Motion
	for i := range m {
		m[i] = Round(m[i], 100)
	}
	return control.SenseState{
		Held: b.Held, InPalm: b.InPalm, Pressed: b.Pressed, Habitat: a.Habitat.String(), Night: a.Night, Light: a.Light.String(), Beat: a.Beat.String(),
		TempoBPM: Round(a.TempoBPM, 10),
		Error:    a.EngineError, Pets: len(a.Pets), Points: len(a.Points), Motion: control.MotionOf(m),
		BatteryC: Round(w.Battery.Value.TempC, 10), ProcessorC: Round(w.Battery.Value.CPUTempC, 10), Hot: b.Hot, ChargeStalled: b.ChargeStalled,
	}
}

// sensorsOf copies the readings that the page draws.
func sensorsOf(n *hardware.Snapshot) control.SensorState {
	s := control.SensorState{
		Cliff: n.Cliff.Value.Detected, LeftMM: tenths(n.Motors.Value.LeftMM), RightMM: tenths(n.Motors.Value.RightMM), Sound: SoundNumber(n.Speaker.Value.ID),
	}
	if n.Range.Value.Found {
		s.RangeMM = tenths(n.Range.Value.DistanceMM)
	}
	return s
}

// SoundNumber is the number of a command to the speaker as the state has it. The page reads numbers as doubles, which would round those with
// the highest bit, which the list of actions gives, to one and the same.
func SoundNumber(id uint64) uint64 { return id &^ (1 << 63) }

// tiltSteps are the steps in a radian in which the page is told how the robot tilts.
const tiltSteps = 200

// Rounded rounds a pose to what the page can show, which makes the stream half as long.
func Rounded(p hardware.Pose) hardware.Pose {
	return hardware.Pose{XMM: tenths(p.XMM), YMM: tenths(p.YMM), HeadingRad: math.Round(p.HeadingRad*1e4) / 1e4}
}

// tenths rounds to what the page can show.
func tenths(mm float64) float64 { return math.Round(mm*10) / 10 }

// WorldOf copies the simulated world for the page.
func WorldOf(v sim.View, believed hardware.Pose) *control.WorldState {
	w := &control.WorldState{
		Table: v.Table, Walls: v.Walls, Robot: control.WorldRobot(v.Robot), Charger: Rounded(v.Charger), RangeMM: tenths(v.RangeMM), Cliffs: v.Cliffs,
		Believed: Rounded(believed),
	}
	w.Robot.Pose = Rounded(w.Robot.Pose)
	w.Robot.PitchRad, w.Robot.RollRad = Round(w.Robot.PitchRad, tiltSteps), Round(w.Robot.RollRad, tiltSteps)
	for i, c := range w.Cliffs {
		w.Cliffs[i] = [2]float64{tenths(c[0]), tenths(c[1])}
	}
	for _, c := range v.Cubes {
		w.Cubes = append(w.Cubes, control.WorldCube{Pose: Rounded(c.Pose), ID: c.ID, BaseMM: tenths(c.BaseMM), Up: c.Up, Carried: c.Carried})
	}
	for _, o := range v.Obstacles {
		w.Obstacles = append(w.Obstacles, control.WorldBox{Pose: Rounded(o.Pose), LengthMM: tenths(o.LengthMM), WidthMM: tenths(o.WidthMM)})
	}
	for _, f := range v.Faces {
		w.Faces = append(w.Faces, control.WorldFace{ID: f.ID, Name: f.Name, XMM: tenths(f.XMM), YMM: tenths(f.YMM)})
	}
	return w
}
