package engine

import (
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// lights are the custom patterns by object. The engine shows the one on the back; that of a cube is published for
// the holder of its connection.
type lights struct {
	core  *core
	rest  func() hardware.SetLights // what the back lights show without a pattern
	on    map[string]*claims[behaviors.LightPattern]
	since time.Time // the pattern on the back began
	shown *[5]hardware.RGB
}

// lightName is the name under which a behavior with a pattern on the back keeps animations off the lights (TRK-8). No key of an
// author yields it.
func lightName(c *Cell) string { return "custom lights of " + c.Node.ID }

func (l *lights) of(object string) claims[behaviors.LightPattern] {
	if c := l.on[object]; c != nil {
		return *c
	}
	return nil
}

func (l *lights) used(object string) bool { return len(l.of(object)) > 0 }

// show shows a pattern, once for each object and behavior.
func (l *lights) show(c *Cell, r *behaviors.Request) {
	switch {
	case !hardware.KnownLightObject(r.Key):
		l.core.refuse(c, r, stack.UnknownObject)
		return
	case !c.Node.Activated():
		l.core.refuse(c, r, stack.NotActivated)
		return
	case l.of(r.Key).has(c):
		l.core.refuse(c, r, stack.AlreadySet)
		return
	}
	if l.on == nil {
		l.on = map[string]*claims[behaviors.LightPattern]{}
	}
	if l.on[r.Key] == nil {
		l.on[r.Key] = &claims[behaviors.LightPattern]{}
	}
	l.on[r.Key].put(c, r.Args.(behaviors.LightPattern))
	if r.Key == hardware.LightsBackpack {
		l.core.actions.Tracks().Lock(lightName(c), actions.Backpack)
		l.begin()
	}
}

// remove ends the pattern of a behavior; an older one on the same object is shown again, else the lights go dark.
func (l *lights) remove(c *Cell, object string) bool {
	held := l.on[object]
	if held == nil || !held.drop(c) {
		return false
	}
	if object == hardware.LightsBackpack {
		l.core.actions.Tracks().Unlock(lightName(c))
		l.begin()
	}
	return true
}

// drop ends all patterns of a behavior.
func (l *lights) drop(c *Cell) {
	for _, object := range hardware.LightObjects {
		l.remove(c, object)
	}
}

// begin starts the topmost pattern on the back anew, or shows what the lights show without one.
func (l *lights) begin() {
	l.since = l.core.view.Now
	if l.used(hardware.LightsBackpack) {
		l.step()
		return
	}
	if l.shown != nil {
		l.shown = nil
		l.showRest()
	}
}

// step gives the order for the present phase of the pattern if it is not the newest order.
func (l *lights) step() {
	p, ok := l.of(hardware.LightsBackpack).top()
	if !ok {
		return
	}
	colors := p.On
	if cycle := p.OnFor + p.OffFor; p.OffFor > 0 && l.core.view.Now.Sub(l.since)%cycle >= p.OnFor {
		colors = p.Off
	}
	if l.shown == nil || *l.shown != colors {
		l.shown = &colors
		l.core.send(hardware.SetLights{Colors: colors})
	}
}

// showRest gives the order for what the lights show without a pattern, unless a pattern is on.
func (l *lights) showRest() {
	if !l.used(hardware.LightsBackpack) {
		l.core.send(l.rest())
	}
}

// A LightHolder is one custom pattern that is shown, for observers and for drivers of cubes.
type LightHolder struct {
	Object, By string
	Pattern    behaviors.LightPattern
}

// CustomLights lists the topmost pattern of each object that has one.
func (e *Engine) CustomLights() []LightHolder {
	var all []LightHolder
	for _, object := range hardware.LightObjects {
		held := e.lights.of(object)
		if p, ok := held.top(); ok {
			all = append(all, LightHolder{Object: object, By: held[len(held)-1].by.Node.ID, Pattern: p})
		}
	}
	return slices.Clip(all)
}
