package engine

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// services are the shared facilities of the body: what behaviors hold of them, and what is in force.
type services struct {
	looks     looks
	profile   claims[actions.Profile]
	lights    lights
	responses claims[*condition.Response]
	deaf      claims[struct{}]
	getIn     getIn
	getOut    getOut
	power     power
	face      claims[struct{}]
	cube      cube
}

// begin opens a tick: the schedule of the eyes that the last tick wanted takes effect (T-2), and what follows from the facts
// and from time. It runs before any hook.
func (s *services) begin(e *Engine) {
	s.getIn.expire(e)
	s.power.step(e)
	s.cube.step(e)
	e.view.Services.Look, e.view.Services.Cube = s.looks.wanted, s.cube.mode // the view is not handed out yet
}

// finish ends a tick, after the actions: it hears of what ended, moves the lights on, and publishes what the eyes shall look for
// from the next tick on.
func (s *services) finish(e *Engine) {
	for i := range e.waiting {
		s.getIn.ended(e, e.waiting[i].Tag)
		s.getOut.ended(e.waiting[i].Tag)
	}
	s.lights.step(e)
	e.out.Look = s.looks.wanted
}

// serveBody answers a request for a facility of the body.
func (e *Engine) serveBody(c *Cell, r *behaviors.Request) {
	s := &e.services
	switch r.Kind {
	case behaviors.ReqLook:
		if !c.Node.InScope() && !r.Body.Look.Empty() {
			e.misuse(c, r, behaviors.FacilityVision, behaviors.NotInScope, false)
			break
		}
		s.looks.set(c, r.Key, r.Body.Look)
	case behaviors.ReqSetProfile:
		e.setProfile(c, r)
	case behaviors.ReqClearProfile:
		e.released(c, r, behaviors.FacilityProfile, e.clearProfile(c))
	case behaviors.ReqSetLights:
		s.lights.set(e, c, r)
	case behaviors.ReqRemoveLights:
		e.released(c, r, behaviors.FacilityLights, s.lights.remove(e, c, r.Key))
	case behaviors.ReqDeaf:
		if e.holds(c, r, behaviors.FacilityHearing) {
			s.deaf.put(c, struct{}{})
			e.tellHearing()
		}
	case behaviors.ReqHear:
		s.deaf.drop(c)
		e.tellHearing()
	case behaviors.ReqPushResponse, behaviors.ReqAlterResponse:
		e.pushResponse(c, r)
	case behaviors.ReqPopResponse:
		e.released(c, r, behaviors.FacilityResponse, e.popResponse(c))
	case behaviors.ReqSavePower:
		s.power.request(e, c, r)
	case behaviors.ReqSpendPower:
		e.released(c, r, behaviors.FacilityPower, s.power.drop(e, c))
	case behaviors.ReqLockFace:
		e.lockFace(c, r)
	case behaviors.ReqUnlockFace:
		e.released(c, r, behaviors.FacilityFace, e.unlockFace(c))
	case behaviors.ReqGetOut:
		e.playGetOut(c, r)
	case behaviors.ReqSubscribeCube:
		s.cube.subscribe(e, c, r.Body)
	case behaviors.ReqNoEnsurer:
		e.misuse(c, r, behaviors.FacilityCube, behaviors.NoEnsurer, false)
	}
	r.OK = r.Misuse == nil
}

// misuse counts a request that should not have been made, and tells its author.
func (e *Engine) misuse(c *Cell, r *behaviors.Request, f behaviors.Facility, m behaviors.Mistake, applied bool) {
	r.Misuse = &behaviors.Misuse{By: c.Node.ID, Facility: f, Mistake: m, Key: r.Key, Applied: applied}
	e.out.Misuses = append(e.out.Misuses, *r.Misuse)
}

// holds reports whether c may hold a facility: only who is activated is deactivated, and so loses it again.
func (e *Engine) holds(c *Cell, r *behaviors.Request, f behaviors.Facility) bool {
	if !c.Node.Activated() {
		e.misuse(c, r, f, behaviors.NotActivated, false)
		return false
	}
	return true
}

// released is the answer to the early release of something that c may not have held.
func (e *Engine) released(c *Cell, r *behaviors.Request, f behaviors.Facility, was bool) {
	if !was {
		e.misuse(c, r, f, behaviors.NotSet, false)
	}
}

// setProfile is a facility with one value for the robot: that of the newest holder.
func (e *Engine) setProfile(c *Cell, r *behaviors.Request) {
	if !e.holds(c, r, behaviors.FacilityProfile) {
		return
	}
	if e.services.profile.put(c, r.Body.Profile) {
		e.misuse(c, r, behaviors.FacilityProfile, behaviors.AlreadySet, true)
	}
	e.applyProfile()
}

func (e *Engine) clearProfile(c *Cell) bool {
	was := e.services.profile.drop(c)
	if was {
		e.applyProfile()
	}
	return was
}

func (e *Engine) applyProfile() {
	p, _ := e.services.profile.top()
	e.actions.SetProfile(p)
}

// lockFace and unlockFace keep the eyes from blinking by themselves while anybody holds a lock (B-12.17).
func (e *Engine) lockFace(c *Cell, r *behaviors.Request) {
	switch {
	case !e.holds(c, r, behaviors.FacilityFace):
	case e.services.face.has(c):
		e.misuse(c, r, behaviors.FacilityFace, behaviors.AlreadySet, false)
	default:
		e.services.face.put(c, struct{}{})
		e.tellFace()
	}
}

func (e *Engine) unlockFace(c *Cell) bool {
	was := e.services.face.drop(c)
	if was {
		e.tellFace()
	}
	return was
}

// tellFace orders the display when the first lock is taken and when the last one is gone.
func (e *Engine) tellFace() {
	locked := len(e.services.face) > 0
	if locked == e.view.Services.FaceLocked {
		return
	}
	e.change(func(v *condition.View) { v.Services.FaceLocked = locked })
	e.send(hardware.KeepFaceAlive{On: !locked})
}

// powerRest is how long power saving is not entered anew after it was switched.
const powerRest = 10 * time.Second

// power is the power-save mode: on while anybody requests it.
type power struct {
	requests claims[struct{}]
	toggled  time.Time // zero: never
}

func (p *power) request(e *Engine, c *Cell, r *behaviors.Request) {
	if !e.holds(c, r, behaviors.FacilityPower) {
		return
	}
	if p.requests.put(c, struct{}{}) {
		e.misuse(c, r, behaviors.FacilityPower, behaviors.AlreadySet, true)
	}
	p.step(e)
}

func (p *power) drop(e *Engine, c *Cell) bool {
	was := p.requests.drop(c)
	p.step(e)
	return was
}

// step enters the mode if it is wanted and rested, and leaves it at once.
func (p *power) step(e *Engine) {
	on, want := e.view.Services.PowerSave, len(p.requests) > 0
	if on == want || want && !p.toggled.IsZero() && e.view.Now.Sub(p.toggled) < powerRest {
		return
	}
	p.toggled = e.view.Now
	e.change(func(v *condition.View) { v.Services.PowerSave = want })
	e.send(hardware.DimFace{On: want})
	if want && !e.services.lights.used(hardware.LightsBackpack) {
		e.send(hardware.SetLights{})
	}
}
