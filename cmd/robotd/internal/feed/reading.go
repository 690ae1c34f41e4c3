package feed

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/robotd/robotd/hardware"
)

// A Reading is the newest value of one device, rounded to what the page shows, so that two readings that look the same are the same.
type Reading interface {
	// Text describes it in a few words.
	Text() string
}

// The readings, by device. Each is comparable.
type (
	BatteryReading struct {
		Volts float64 `json:"volts"`
		Amps  float64 `json:"amps"` // positive while charging
		Ratio float64 `json:"ratio"`
	}
	ChargerReading struct {
		OnContacts bool `json:"on_contacts"`
		Charging   bool `json:"charging"`
	}
	CliffReading struct {
		Raw      [4]float64 `json:"raw"` // front left, front right, back left, back right; 0 is a void
		Detected [4]bool    `json:"detected"`
	}
	DisplayReading struct {
		Face string `json:"face"`
	}
	IMUReading struct {
		YawRad   float64 `json:"yaw_rad"`
		PitchRad float64 `json:"pitch_rad"`
		RollRad  float64 `json:"roll_rad"`
	}
	LightsReading struct {
		Colors [5]hardware.RGB `json:"colors"`
	}
	MotorsReading struct {
		LeftMMPS     float64 `json:"left_mmps"`
		RightMMPS    float64 `json:"right_mmps"`
		LeftMM       float64 `json:"left_mm"` // travel by the encoders
		RightMM      float64 `json:"right_mm"`
		CliffLatched bool    `json:"cliff_latched"`
		Enabled      bool    `json:"enabled"`
	}
	RangeReading struct {
		DistanceMM float64 `json:"distance_mm"`
		Found      bool    `json:"found"`
	}
	ServosReading struct {
		HeadRad float64 `json:"head_rad"`
		LiftMM  float64 `json:"lift_mm"`
		NoHead  bool    `json:"no_head,omitempty"` // the robot has no such joint
		NoLift  bool    `json:"no_lift,omitempty"`
	}
	SpeakerReading struct {
		Playing string `json:"playing"`
		Busy    bool   `json:"busy"`
		ID      uint64 `json:"id"` // of the newest sound
	}
	TouchReading struct {
		Touched bool `json:"touched"`
	}
	VisionReading struct {
		Faces   int `json:"faces"`
		Objects int `json:"objects"`
	}
	noReading struct{}
)

// ReadingOf is the newest reading of a device.
func ReadingOf(device string, w *hardware.World) Reading {
	switch device {
	case hardware.Battery:
		v := &w.Battery.Value
		return BatteryReading{Round(v.Volts, 100), Round(v.Amps, 100), Round(v.Ratio, 100)}
	case hardware.Charger:
		v := &w.Snapshot.Charger.Value
		return ChargerReading{v.OnContacts, v.Charging}
	case hardware.Cliff:
		v := &w.Cliff.Value
		return CliffReading{[4]float64{Round(v.Raw[0], 1), Round(v.Raw[1], 1), Round(v.Raw[2], 1), Round(v.Raw[3], 1)}, v.Detected}
	case hardware.Display:
		return DisplayReading{w.Display.Value.Face}
	case hardware.IMU:
		v := &w.IMU.Value
		return IMUReading{Round(v.YawRad, 1000), Round(v.PitchRad, 1000), Round(v.RollRad, 1000)}
	case hardware.Lights:
		return LightsReading{w.Lights.Value.Colors}
	case hardware.Motors:
		v := &w.Motors.Value
		return MotorsReading{Round(v.LeftMMPS, 1), Round(v.RightMMPS, 1), Round(v.LeftMM, 10), Round(v.RightMM, 10), v.CliffLatched, v.Enabled}
	case hardware.Range:
		if v := &w.Range.Value; v.Found {
			return RangeReading{Round(v.DistanceMM, 10), true}
		}
		return RangeReading{}
	case hardware.Servos:
		v := &w.Servos.Value
		return ServosReading{Round(v.HeadRad, 1000), Round(v.LiftMM, 10), v.NoHead, v.NoLift}
	case hardware.Speaker:
		v := &w.Speaker.Value
		return SpeakerReading{v.Playing, v.Busy, v.ID}
	case hardware.Touch:
		return TouchReading{w.Touch.Value.Touched}
	case hardware.Vision:
		v := &w.Vision.Value
		return VisionReading{len(v.Faces), len(v.Objects)}
	}
	return noReading{}
}

// DecodeReading reads the JSON form of a device's reading.
func DecodeReading(device string, text []byte) (Reading, error) {
	switch device {
	case hardware.Battery:
		return decoded[BatteryReading](text)
	case hardware.Charger:
		return decoded[ChargerReading](text)
	case hardware.Cliff:
		return decoded[CliffReading](text)
	case hardware.Display:
		return decoded[DisplayReading](text)
	case hardware.IMU:
		return decoded[IMUReading](text)
	case hardware.Lights:
		return decoded[LightsReading](text)
	case hardware.Motors:
		return decoded[MotorsReading](text)
	case hardware.Range:
		return decoded[RangeReading](text)
	case hardware.Servos:
		return decoded[ServosReading](text)
	case hardware.Speaker:
		return decoded[SpeakerReading](text)
	case hardware.Touch:
		return decoded[TouchReading](text)
	case hardware.Vision:
		return decoded[VisionReading](text)
	}
	return noReading{}, nil
}

func decoded[T Reading](text []byte) (Reading, error) {
	var v T
	err := json.Unmarshal(text, &v)
	return v, err
}

// Round rounds to a fraction: 10 keeps tenths. What is no finite number becomes 0, which JSON can hold; there is no negative zero.
func Round(v float64, fraction float64) float64 {
	v = math.Round(v*fraction) / fraction
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v + 0 // -0 + 0 = 0
}

// Text implements Reading.
func (r BatteryReading) Text() string {
	return fmt.Sprintf("%.2f V, %+.2f A, %.0f %%", r.Volts, r.Amps, 100*r.Ratio)
}

// Text implements Reading.
func (r ChargerReading) Text() string {
	return words("off the contacts", r.OnContacts, "on the contacts", r.Charging, "charging")
}

// Text implements Reading. A place without a sensor reads 0 and is no edge.
func (r CliffReading) Text() string {
	texts := make([]string, len(r.Raw))
	for i, v := range r.Raw {
		if texts[i] = "–"; v != 0 || r.Detected[i] {
			texts[i] = strconv.FormatFloat(v, 'f', 0, 64)
		}
	}
	return strings.Join(texts, " ")
}

// Text implements Reading.
func (r DisplayReading) Text() string { return r.Face }

// Text implements Reading.
func (r IMUReading) Text() string {
	return fmt.Sprintf("yaw %.0f°, pitch %.0f°, roll %.0f°", degrees(r.YawRad), degrees(r.PitchRad), degrees(r.RollRad))
}

// Text implements Reading.
func (r LightsReading) Text() string {
	lit := 0
	for _, l := range r.Colors {
		if l != (hardware.RGB{}) {
			lit++
		}
	}
	return fmt.Sprintf("%d of 5 lit", lit)
}

// Text implements Reading.
func (r MotorsReading) Text() string {
	return words(fmt.Sprintf("%.0f, %.0f mm/s", r.LeftMMPS, r.RightMMPS), r.CliffLatched, "stopped by the cliff reflex")
}

// Text implements Reading.
func (r RangeReading) Text() string {
	return words("nothing ahead", r.Found, fmt.Sprintf("%.0f mm", r.DistanceMM))
}

// Text implements Reading.
func (r ServosReading) Text() string {
	var joints []string
	if !r.NoHead {
		joints = append(joints, fmt.Sprintf("head %.0f°", degrees(r.HeadRad)))
	}
	if !r.NoLift {
		joints = append(joints, fmt.Sprintf("lift %.0f mm", r.LiftMM))
	}
	return strings.Join(joints, ", ")
}

// Text implements Reading.
func (r SpeakerReading) Text() string { return words("silent", r.Busy, r.Playing) }

// Text implements Reading.
func (r TouchReading) Text() string { return words("not touched", r.Touched, "touched") }

// Text implements Reading.
func (r VisionReading) Text() string { return fmt.Sprintf("%d faces, %d objects", r.Faces, r.Objects) }

// Text implements Reading.
func (noReading) Text() string { return "" }

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

// degrees are whole, and never -0.
func degrees(rad float64) float64 { return math.Round(rad*180/math.Pi) + 0 }
