package engine

import (
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// lights are the custom patterns by object. The engine shows the one on the back; a cube's is published for whoever holds the
// connection.
type lights struct {
	on    map[string]*claims[behaviors.LightPattern]
	since time.Time // the pattern on the back began
	shown *[5]hardware.RGB
}

// lightName is the name under which a behavior with a pattern on the back keeps animations off the lights (TRK-8). No key of an
// author's leads to it.
func lightName(c *Cell) string { return "custom lights of " + c.Node.ID }

func (l *lights) of(object string) claims[behaviors.LightPattern] {
	if c := l.on[object]; c != nil {
		return *c
	}
	return nil
}

func (l *lights) used(object string) bool { return len(l.of(object)) > 0 }

// set shows a pattern, once for each object and behavior.
func (l *lights) set(e *Engine, c *Cell, r *behaviors.Request) {
	switch {
	case !hardware.KnownLightObject(r.Key):
		e.misuse(c, r, behaviors.FacilityLights, behaviors.UnknownObject, false)
		return
	case !e.holds(c, r, behaviors.FacilityLights):
		return
	case l.of(r.Key).has(c):
		e.misuse(c, r, behaviors.FacilityLights, behaviors.AlreadySet, false)
		return
	}
	if l.on == nil {
		l.on = map[string]*claims[behaviors.LightPattern]{}
	}
	if l.on[r.Key] == nil {
		l.on[r.Key] = &claims[behaviors.LightPattern]{}
	}
	l.on[r.Key].put(c, r.Body.Lights)
	if r.Key == hardware.LightsBackpack {
		e.actions.Tracks().Lock(lightName(c), actions.Backpack)
		l.begin(e)
	}
}

// remove ends the pattern of a behavior; an older one on the same object is shown again, else the lights go dark.
func (l *lights) remove(e *Engine, c *Cell, object string) bool {
	held := l.on[object]
	if held == nil || !held.drop(c) {
		return false
	}
	if object == hardware.LightsBackpack {
		e.actions.Tracks().Unlock(lightName(c))
		l.begin(e)
	}
	return true
}

// drop ends all patterns of a behavior.
func (l *lights) drop(e *Engine, c *Cell) {
	for _, object := range hardware.LightObjects {
		l.remove(e, c, object)
	}
}

// begin starts the topmost pattern on the back anew, or shows what the lights show without one.
func (l *lights) begin(e *Engine) {
	l.since = e.view.Now
	if l.used(hardware.LightsBackpack) {
		l.step(e)
		return
	}
	if l.shown != nil {
		l.shown = nil
		e.showRest()
	}
}

// step gives the order for the present phase of the pattern if it is not the newest order.
func (l *lights) step(e *Engine) {
	p, ok := l.of(hardware.LightsBackpack).top()
	if !ok {
		return
	}
	colors := p.On
	if cycle := p.OnFor + p.OffFor; p.OffFor > 0 && e.view.Now.Sub(l.since)%cycle >= p.OnFor {
		colors = p.Off
	}
	if l.shown == nil || *l.shown != colors {
		l.shown = &colors
		e.send(hardware.SetLights{Colors: colors})
	}
}

// A LightHolder is one custom pattern that is shown, for observers and for whoever drives a cube.
type LightHolder struct {
	Object, By string
	Pattern    behaviors.LightPattern
}

// CustomLights lists the topmost pattern of each object that has one.
func (e *Engine) CustomLights() []LightHolder {
	var all []LightHolder
	for _, object := range hardware.LightObjects {
		held := e.services.lights.of(object)
		if p, ok := held.top(); ok {
			all = append(all, LightHolder{Object: object, By: held[len(held)-1].by.Node.ID, Pattern: p})
		}
	}
	return slices.Clip(all)
}
