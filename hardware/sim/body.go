package sim

import (
	"math"

	"github.com/robotd/robotd/hardware/profile"
)

// body is what the world needs of the robot's profile, worked out once. It is that of one robot: what differs from piece to piece
// differs by seed.
type body struct {
	*profile.Profile

	front, back, width float64 // outline around the middle of the axle, mm
	reach              float64 // from there to the farthest corner
	massX              float64 // center of mass on the x axis

	tread       float64
	mmps        float64 // free speed at full duty
	lag         float64 // share of the difference to its target by which a wheel's speed changes in one step
	walled      bool    // walls surround the floor: nothing falls
	toy         bool    // motors without encoders: see wheel.pull
	coast       float64 // lag of such a motor that neither drives nor brakes
	stride      float64 // farthest way of the axle's middle in one step
	countsPerMM float64 // quarters of a period of the encoders; 0 without any
	dockX       float64 // x of the docked robot's origin in the charger's frame

	lacks []string // parts of R1 that are not there, for drawing

	cliffs     []vec // mounts of the cliff sensors
	floorVolts float64

	rangeX, rangeMax float64
	cone             float64 // half angle, rad; 0 without a sensor
	coneSin, coneCos float64
	sonar, onHead    bool
}

func newBody(p *profile.Profile) body {
	b := body{Profile: p, front: p.Body.FrontMM, back: p.Body.BackMM, width: p.Body.WidthMM}
	b.massX = (b.front - b.back) / 2
	b.walled = p.World.Floor == "walls"
	b.reach = math.Ceil(100*math.Hypot(max(b.front, b.back), b.width/2)) / 100
	b.dockX = -chargerLength/2 + blockLength + b.back
	b.wheels(p.Drive)
	for _, part := range []struct {
		name  string
		there bool
	}{
		{"head", p.Head != nil},
		{"lift", p.Lift != nil},
		{"display", p.Display != nil},
		{"lights", p.Lights != nil},
		{"touch", p.Touch != nil},
		{"cliff", p.Cliff != nil},
		{"range", p.Range != nil},
		{"charger", p.World.Charger},
	} {
		if !part.there {
			b.lacks = append(b.lacks, part.name)
		}
	}
	if c := p.Cliff; c != nil {
		for _, s := range c.Sensors {
			b.cliffs = append(b.cliffs, vec{s.XMM, s.YMM})
		}
		b.floorVolts = c.FloorVolts * 4 / 5
	}
	if r := p.Range; r != nil {
		b.rangeX, b.rangeMax, b.cone = r.XMM, r.MaxMM, degrees(r.ConeDeg)
		b.coneSin, b.coneCos = math.Sincos(b.cone)
		b.sonar, b.onHead = r.Driver.Driver == "sonar", r.OnHead
	}
	return b
}

// wheels works out the drive. A robot without one has wheels that never turn.
func (b *body) wheels(d *profile.Drive) {
	if d == nil {
		b.tread, b.mmps, b.lag, b.stride = b.width, 1, 1, 0.5
		return
	}
	b.tread, b.mmps = d.TreadMM, d.MaxMMPS
	// Cut off, so that it is the same on every processor.
	b.lag = math.Floor(1e13*(1-math.Exp(-stepS/d.LagS))) / 1e13
	b.coast = math.Floor(1e13*(1-math.Exp(-stepS/(coasting*d.LagS)))) / 1e13
	b.toy, b.stride = d.Encoders == nil, max(0.5, 1.3*b.mmps*stepS)
	if e := d.Encoders; e != nil {
		b.countsPerMM = 4 / float64(e.Edges) * e.CountsPerTurn / (math.Pi * d.WheelMM)
	}
}

// newServos are head, lift and pan. A hobby servo is somewhat faster than what is asked of it; one that is not there never moves.
func (b *body) newServos() [3]servo {
	angle := func(s *profile.Servo) servo {
		if s == nil {
			return servo{}
		}
		return newServo(s, degrees(s.Low), degrees(s.High), max(5, 1.05*degrees(s.Speed)))
	}
	all := [3]servo{head: angle(b.Head), pan: angle(b.Pan)}
	if s := b.Lift; s != nil {
		all[lift] = newServo(s, s.Low, s.High, max(120, 1.05*s.Speed))
	}
	return all
}

// lamps is the number of single-colored lights, at least those that [Rig.Lights] tells.
func (b *body) lamps() int {
	if b.Lights != nil {
		return 3 * max(5, b.Lights.Count)
	}
	return 15
}

// box is the footprint of a robot at p.
func (b *body) box(p hpose) box {
	f := newBox(p, b.front+b.back, b.width)
	f.at = f.out(vec{(b.front - b.back) / 2, 0})
	return f
}

// newWheels are both sides with their motors. Their wheels slip a little.
func (w *world) newWheels() (all [2]wheel) {
	for i := range all {
		all[i].slip = w.seed.span(srcOffset, int64(i), -0.005, 0.005)
	}
	d := w.body.Drive
	if d == nil {
		return all
	}
	all[0].motors, all[1].motors = newMotors(d.Left), newMotors(d.Right)
	if w.body.toy {
		for i := range all {
			all[i].strength = w.seed.span(srcOffset, int64(30+i), 0.94, 1.06)
			all[i].dead = d.MinDuty * w.seed.span(srcOffset, int64(32+i), 0.85, 1.1)
			if d.Port != "" && d.Reckons() {
				all[i].dead = roverDead * w.seed.span(srcOffset, int64(32+i), 0.95, 1.05)
			}
		}
		w.body.tread *= w.seed.span(srcOffset, 34, 0.92, 1.1) // skid steering turns as the floor allows
	}
	return all
}

// roverDead is the duty up to which the motors of a WAVE ROVER do not turn its four skidding wheels. It is an estimate, and not what the
// profile says, so that the simulation shows what a wrong profile does. Its sides differ less than single motors: each has two.
const roverDead = 0.2

func newMotors(all []profile.Motor) []motor {
	motors := make([]motor, max(1, len(all)))
	for i := range motors {
		motors[i].pwm = 1
		if i < len(all) && all[i].PWM >= 0 {
			motors[i].pwm = 0
		}
	}
	return motors
}
