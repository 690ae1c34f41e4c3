package sim

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// ambientC and coreC are the temperatures of battery and processor at rest, warmBatteryC and warmCoreC those of a robot in the sun, °C.
	ambientC, coreC         = 30.0, 48.0
	warmBatteryC, warmCoreC = 60.0, 75.0

	palmVolts = 0.6 // of a cliff sensor over skin

	motionShare = 0.5 // of a part of the picture, by a hand
	comingShare = 0.3 // by a person or a cube that moves
	comingSteps = 500 / StepMS
	stareSteps  = 700 / StepMS // how long a person looks at the robot, or elsewhere
	stareOften  = 0.3
	stareDeg    = 15.0
	sideDeg     = 8.0           // beyond it motion is left or right
	tempoSteps  = 2000 / StepMS // of music until its beat is sure
	tempoBPM    = 120.0
	beatSteps   = 60000 / tempoBPM / StepMS
	twistRadPS  = math.Pi / 3 // by a hand that turns the robot
)

// senses are what the world does to the robot's senses beside what stands on the table. Each lasts until a step.
type senses struct {
	palm                        bool
	beatFrom, beatEnd           int64
	motionEnd, darkEnd, heatEnd int64
	darkLevel                   float64
	pressEnd, petEnd, pointEnd  int64
	twistEnd                    int64
	motionArea                  hardware.MotionArea
	pet                         int // number of the newest pet
	point                       string
	habitat                     hardware.Habitat
}

// Palm lays the robot on a palm: level, with skin below its sensors. Set it down by Place, PutDown or PutDownHere.
func (r *Rig) Palm() {
	r.with(func(w *world) {
		w.pickUp()
		w.senses.palm = true
	})
}

// Music plays for d, 120 beats a minute: after two seconds a listener is sure of the beat.
func (r *Rig) Music(d time.Duration) {
	r.with(func(w *world) { w.senses.beatFrom, w.senses.beatEnd = w.n, w.n+steps(d) })
}

// Wave moves something in a part of the camera's picture for d.
func (r *Rig) Wave(area hardware.MotionArea, d time.Duration) {
	r.with(func(w *world) { w.senses.motionArea, w.senses.motionEnd = area, w.n+steps(d) })
}

// Darken switches the light off for d.
func (r *Rig) Darken(d time.Duration) { r.Dim(darkened, d) }

// Heat keeps battery and processor warm for d, so warm that the charger pauses.
func (r *Rig) Heat(d time.Duration) {
	r.with(func(w *world) {
		w.senses.heatEnd = w.n + steps(d)
		w.battery.hot = true
		w.reschedule()
	})
}

// Press holds the power button down for d.
func (r *Rig) Press(d time.Duration) { r.with(func(w *world) { w.senses.pressEnd = w.n + steps(d) }) }

// Pet brings a pet in front of the camera for d: another one each time.
func (r *Rig) Pet(d time.Duration) {
	r.with(func(w *world) {
		w.senses.pet++
		w.senses.petEnd = w.n + steps(d)
	})
}

// Point shows the camera something worth a look for d: one of hardware.SalientKinds.
func (r *Rig) Point(kind string, d time.Duration) {
	r.with(func(w *world) { w.senses.point, w.senses.pointEnd = kind, w.n+steps(d) })
}

// Surround says whether the table is the robot's habitat, as the camera sees it.
func (r *Rig) Surround(h hardware.Habitat) { r.with(func(w *world) { w.senses.habitat = h }) }

// Twist turns a standing robot around for d, 60° a second, without its wheels.
func (r *Rig) Twist(d time.Duration) { r.with(func(w *world) { w.senses.twistEnd = w.n + steps(d) }) }

// twisting reports whether a hand turns the robot.
func (w *world) twisting() bool { return w.n < w.senses.twistEnd && w.mode == standing && !w.near }

// twist turns the robot in one step.
func (w *world) twist() {
	w.robot.HeadingRad = wrap(w.robot.HeadingRad + twistRadPS*stepS)
	w.yawRate += twistRadPS
	w.checkAt = w.n
}

// temperatures are those of battery and processor, °C.
func (w *world) temperatures() (battery, processor float64) {
	if w.battery.hot {
		return warmBatteryC, warmCoreC
	}
	return ambientC, coreC
}

// Temperatures are those of battery and processor at now, °C.
func (r *Rig) Temperatures(now time.Time) (battery, processor float64) {
	r.with(func(w *world) {
		w.advance(now)
		battery, processor = w.temperatures()
	})
	return battery, processor
}

// music is what is heard of it: steady beats from its begin on.
func (w *world) music() hardware.Music {
	s := &w.senses
	if w.n >= s.beatEnd {
		return hardware.Music{}
	}
	played := w.n - s.beatFrom
	m := hardware.Music{Beat: hardware.PossibleBeat, TempoBPM: tempoBPM, BeatAt: w.start.Add(time.Duration(w.n-played%beatSteps) * step)}
	if played >= tempoSteps {
		m.Beat = hardware.SteadyBeat
	}
	return m
}

// perceive adds what is heard, and what the camera sees beside faces and objects.
func (w *world) perceive(seen *hardware.Detections) {
	s := &w.senses
	seen.Music = w.music()
	if w.mode == fallen {
		return
	}
	if seen.Light = hardware.Illuminated; w.light() < darkLevel {
		seen.Light, seen.Trouble = hardware.Darkened, "ImageQualityTooDark"
	}
	if w.n < s.petEnd {
		seen.Pets = append(seen.Pets, hardware.Pet{ID: s.pet})
	}
	if w.n < s.pointEnd {
		seen.Points = append(seen.Points, hardware.SalientPoint{Kind: s.point})
	}
	if w.mode == standing {
		seen.Habitat = s.habitat
	}
	w.seeMotion(&seen.Motion)
	for _, v := range w.visitors() {
		if d, bearing := w.robot.To(v.at.x, v.at.y); d <= faceMaxMM && math.Abs(bearing) <= degrees(viewDeg) {
			seen.Points = append(seen.Points, hardware.SalientPoint{Kind: "Person", BearingRad: bearing})
		}
	}
}

// seeMotion tells what moves in the picture: a hand, or a person or a cube that was moved. While the robot moves, everything does, and
// nothing is told.
func (w *world) seeMotion(m *hardware.Motion) {
	if !w.wheels[0].still(w.powered) || !w.wheels[1].still(w.powered) || !w.servos[0].still() || w.twisting() {
		return
	}
	if s := &w.senses; w.n < s.motionEnd {
		m[s.motionArea] = motionShare
	}
	for _, v := range w.visitors() {
		if w.n < v.moves {
			w.moves(m, v.at, hardware.MotionTop)
		}
	}
	for i := range w.cubes {
		if c := &w.cubes[i]; c.present && w.n < c.moves {
			w.moves(m, position(c.pose), hardware.MotionGround)
		}
	}
}

// moves adds the motion of something at p.
func (w *world) moves(m *hardware.Motion, p vec, ahead hardware.MotionArea) {
	d, bearing := w.robot.To(p.x, p.y)
	if d > faceMaxMM || math.Abs(bearing) > degrees(viewDeg) {
		return
	}
	area := ahead
	switch {
	case bearing > degrees(sideDeg):
		area = hardware.MotionLeft
	case bearing < -degrees(sideDeg):
		area = hardware.MotionRight
	}
	m[area] = max(m[area], comingShare)
}

// stares reports whether a visitor looks at the robot: a guest always, others now and then.
func (w *world) stares(v *visitor, bearing float64) bool {
	return math.Abs(bearing) <= degrees(stareDeg) && (v.guest || w.seed.unit(srcStare+uint64(v.id), w.n/stareSteps) < stareOften)
}
