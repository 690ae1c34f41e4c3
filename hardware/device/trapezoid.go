package device

import "math"

// trapezoid moves a reference along one axis with limited speed and acceleration: millimeters for a straight segment,
// radians for a turn. It is evaluated step by step, so that it takes over any starting speed and never assumes an
// exact period.
type trapezoid struct {
	goal         float64 // signed
	speed        float64 // limit, > 0
	accel, decel float64 // > 0
	at, rate     float64 // reference and its speed
	done         bool
}

// step advances the reference by dt seconds.
func (p *trapezoid) step(dt float64) {
	if p.done || dt <= 0 {
		return
	}
	left := p.goal - p.at
	// The speed from which p.decel just stops at the goal, seen one step ahead.
	half := p.decel * dt / 2
	allowed := math.Sqrt(2*p.decel*math.Abs(left)+float64(half*half)) - half
	want := math.Copysign(min(p.speed, allowed), left)
	limit := p.accel * dt
	if p.rate*want < 0 || math.Abs(want) < math.Abs(p.rate) {
		limit = p.decel * dt
	}
	rate := p.rate + clamp(want-p.rate, -limit, limit)
	step := (p.rate + rate) / 2 * dt
	p.rate = rate
	if math.Abs(left) < 1e-3 || step*left >= left*left && math.Abs(rate) <= p.decel*dt {
		p.at, p.rate, p.done = p.goal, 0, true
		return
	}
	p.at += step
}

// clamp puts v within limits. It is for what is a number: min and max, which take care of what is none, cost several times as much.
func clamp(v, least, most float64) float64 {
	if v < least {
		v = least
	}
	if v > most {
		v = most
	}
	return v
}

// ramp moves a speed towards its target with limited acceleration.
func ramp(now, target, accel, dt float64) float64 {
	return now + clamp(target-now, -accel*dt, accel*dt)
}
