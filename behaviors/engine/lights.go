package engine

import (
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// lights decide what the back lights show: the newest custom pattern, else what the newest running action shows, else the colors that a
// behavior ordered, else the feedback of an intent, else how the robot is. Custom patterns are kept by object; that of a cube is published
// for the holder of its connection.
type lights struct {
	core     *core
	feedback *feedback
	on       map[string]*claims[behaviors.LightPattern]
	since    time.Time // the pattern on the back began
	held     claims[[5]hardware.RGB]
	clip     [5]hardware.RGB
	until    time.Time // end of the clip's colors
	status   status

	sent   [5]hardware.RGB // newest order; the lights are dark at the start
	sentAt time.Time
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

// remove ends the pattern of a behavior; an older one on the same object is shown again.
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

// drop ends all patterns and colors of a behavior.
func (l *lights) drop(c *Cell) {
	l.held.drop(c)
	for _, object := range hardware.LightObjects {
		l.remove(c, object)
	}
}

// begin starts the topmost pattern on the back anew.
func (l *lights) begin() { l.since = l.core.view.Now }

// order is a command that a behavior gave itself. It is sent as it is, and holds until the behavior is deactivated.
func (l *lights) order(c *Cell, cmd hardware.SetLights) {
	l.held.put(c, cmd.Colors)
	l.sent, l.sentAt = cmd.Colors, l.core.view.Now
}

// fromAction takes the command of an action, which may have ended when the tick ends.
func (l *lights) fromAction(cmd hardware.SetLights) {
	l.clip, l.until = cmd.Colors, l.core.view.Now.Add(linger)
}

// step commands what the lights show from this tick on if that is new, or if they show something else.
func (l *lights) step() {
	now, d := l.core.view.Now, &l.core.view.World.Lights
	want := l.want()
	if want != l.sent || d.OK() && d.Value.Colors != want && now.Sub(l.sentAt) >= repeatAfter {
		l.sent, l.sentAt = want, now
		l.core.send(hardware.SetLights{Colors: want})
	}
}

// want is what the topmost layer shows.
func (l *lights) want() [5]hardware.RGB {
	k := l.core
	if cmd, ok := k.actions.Shown(hardware.Lights).(hardware.SetLights); ok {
		l.fromAction(cmd)
	}
	if p, ok := l.of(hardware.LightsBackpack).top(); ok {
		if cycle := p.OnFor + p.OffFor; p.OffFor > 0 && cycle > 0 && k.view.Now.Sub(l.since)%cycle >= p.OnFor {
			return p.Off
		}
		return p.On
	}
	if k.view.Now.Before(l.until) {
		return l.clip
	}
	if colors, ok := l.held.top(); ok {
		return colors
	}
	if l.feedback.owner != nil {
		return feedbackColors
	}
	return l.status.colors(k)
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
