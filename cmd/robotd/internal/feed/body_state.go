package feed

import (
	"fmt"
	"math"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// bodyOf copies the estimated state of the body.
func bodyOf(w *hardware.World) control.BodyState {
	b := &w.Body
	return control.BodyState{
		Pose: b.Pose, Treads: b.Treads.String(), Battery: b.Battery.String(), Volts: w.Battery.Value.Volts,
		Charge: w.Battery.Value.Ratio, Charging: b.Charging, OnCharger: b.OnPlatform, Touched: b.Touched,
		Face: w.Display.Value.Face, Says: w.Speaker.Value.Playing, Lights: w.Lights.Value.Colors,
		HeadRad: w.Servos.Value.HeadRad, LiftMM: w.Servos.Value.LiftMM, Sensors: sensorsOf(&w.Snapshot),
	}
}

// sensorsOf copies the readings that the page draws.
func sensorsOf(n *hardware.Snapshot) control.SensorState {
	s := control.SensorState{
		Cliff: n.Cliff.Value.Detected, LeftMM: tenths(n.Motors.Value.LeftMM), RightMM: tenths(n.Motors.Value.RightMM), Sound: n.Speaker.Value.ID,
	}
	if n.Range.Value.Found {
		s.RangeMM = tenths(n.Range.Value.DistanceMM)
	}
	return s
}

// rounded rounds a pose to what the page can show, which makes the stream half as long.
func rounded(p hardware.Pose) hardware.Pose {
	return hardware.Pose{XMM: tenths(p.XMM), YMM: tenths(p.YMM), HeadingRad: math.Round(p.HeadingRad*1e4) / 1e4}
}

// tenths rounds to what the page can show.
func tenths(mm float64) float64 { return math.Round(mm*10) / 10 }

// valueOf describes a device's newest reading in a few words.
func valueOf(device string, w *hardware.World) string {
	switch device {
	case hardware.Battery:
		v := w.Battery.Value
		return fmt.Sprintf("%.2f V, %+.2f A, %.0f %%", v.Volts, v.Amps, 100*v.Ratio)
	case hardware.Charger:
		return words("off the contacts", w.Snapshot.Charger.Value.OnContacts, "on the contacts", w.Snapshot.Charger.Value.Charging, "charging")
	case hardware.Cliff:
		r := w.Cliff.Value.Raw
		return fmt.Sprintf("%.0f %.0f %.0f %.0f", r[0], r[1], r[2], r[3])
	case hardware.Display:
		return w.Display.Value.Face
	case hardware.IMU:
		v := w.IMU.Value
		return fmt.Sprintf("yaw %.0f°, pitch %.0f°, roll %.0f°", degrees(v.YawRad), degrees(v.PitchRad), degrees(v.RollRad))
	case hardware.Lights:
		return lightsText(w.Lights.Value.Colors)
	case hardware.Motors:
		v := w.Motors.Value
		return words(fmt.Sprintf("%.0f, %.0f mm/s", v.LeftMMPS, v.RightMMPS), v.CliffLatched, "stopped by the cliff reflex")
	case hardware.Range:
		if !w.Range.Value.Found {
			return "nothing ahead"
		}
		return fmt.Sprintf("%.0f mm", w.Range.Value.DistanceMM)
	case hardware.Servos:
		return fmt.Sprintf("head %.0f°, lift %.0f mm", degrees(w.Servos.Value.HeadRad), w.Servos.Value.LiftMM)
	case hardware.Speaker:
		return words("silent", w.Speaker.Value.Busy, w.Speaker.Value.Playing)
	case hardware.Touch:
		return words("not touched", w.Touch.Value.Touched, "touched")
	case hardware.Vision:
		v := w.Vision.Value
		return fmt.Sprintf("%d faces, %d objects", len(v.Faces), len(v.Objects))
	}
	return ""
}

// words returns the last text whose condition holds, or else the first one.
func words(otherwise string, pairs ...any) string {
	text := otherwise
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i].(bool) {
			text = pairs[i+1].(string)
		}
	}
	return text
}

func lightsText(c [5]hardware.RGB) string {
	lit := 0
	for _, l := range c {
		if l != (hardware.RGB{}) {
			lit++
		}
	}
	return fmt.Sprintf("%d of 5 lit", lit)
}

func degrees(rad float64) float64 { return rad * 180 / math.Pi }

// worldOf copies the simulated world for the page.
func worldOf(v sim.View, believed hardware.Pose) *control.WorldState {
	w := &control.WorldState{
		Table: v.Table, Robot: control.WorldRobot(v.Robot), Charger: rounded(v.Charger), RangeMM: tenths(v.RangeMM), Cliffs: v.Cliffs,
		Believed: rounded(believed),
	}
	w.Robot.Pose = rounded(w.Robot.Pose)
	for i, c := range w.Cliffs {
		w.Cliffs[i] = [2]float64{tenths(c[0]), tenths(c[1])}
	}
	for _, c := range v.Cubes {
		w.Cubes = append(w.Cubes, control.WorldCube{Pose: rounded(c.Pose), ID: c.ID})
	}
	for _, o := range v.Obstacles {
		w.Obstacles = append(w.Obstacles, control.WorldBox{Pose: rounded(o.Pose), LengthMM: tenths(o.LengthMM), WidthMM: tenths(o.WidthMM)})
	}
	for _, f := range v.Faces {
		w.Faces = append(w.Faces, control.WorldFace{ID: f.ID, Name: f.Name, XMM: tenths(f.XMM), YMM: tenths(f.YMM)})
	}
	return w
}
