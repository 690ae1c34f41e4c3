package voice

import (
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A DisplayWeather shows a weather to a person in front: it plays the animation of the weather and says the temperature, because the
// display of this robot shows expressions and no digits.
type DisplayWeather struct {
	params  displayParams
	weather Weather
}

type displayParams struct {
	Animation string `key:"animationName" ref:"trigger" doc:"the animation of the weather"`
}

// idFaceInFront finds a person to show something to.
const idFaceInFront = "SingletonFindFaceInFrontWallTime"

// DisplayWeatherClass is the class DisplayWeather.
func DisplayWeatherClass() behaviors.Class {
	return behaviors.Class{
		Name: "DisplayWeather",
		Doc:  "Shows a weather to a person in front.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &DisplayWeather{}
			param.ReadConfig(cfg, &d.params)
			cfg.MayDelegateTo(idFaceInFront)
			return d
		},
	}
}

// Modify lets it run in the hand, and decide for itself when it ends.
func (*DisplayWeather) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.AlwaysDelegates = true, false
}

// WantsToBeActivated is always true; without the answer nothing is said.
func (d *DisplayWeather) WantsToBeActivated(*behaviors.Control) bool {
	d.weather = Weather{}
	return true
}

// WantsToBeActivatedWith takes the answer.
func (d *DisplayWeather) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	w, ok := data.(Weather)
	if !ok {
		c.Because("it is given no weather")
		return false
	}
	d.weather = w
	return true
}

// OnActivated turns to a person first.
func (d *DisplayWeather) OnActivated(c *behaviors.Control) {
	if c.Wants(idFaceInFront) && c.DelegateTo(idFaceInFront, d.show) {
		c.SetState("looking for a person")
		return
	}
	d.show(c, behaviors.Outcome{})
}

func (d *DisplayWeather) show(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("showing the weather")
	play := gesture.Trigger(c, d.params.Animation)
	if text := d.text(); text != "" {
		c.Act(gesture.Together("ShowWeather", play, gesture.Say(text)), end)
		return
	}
	c.Act(play, end)
}

// text is the temperature with its place; empty without one.
func (d *DisplayWeather) text() string {
	if d.weather.Temperature == "" {
		return ""
	}
	text := d.weather.Temperature + " degrees"
	if d.weather.Place != "" {
		text += " in " + d.weather.Place
	}
	return strings.TrimSpace(text)
}
