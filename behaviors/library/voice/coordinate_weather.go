package voice

import (
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/param"
)

// A Weather is the data of a question to a behavior that shows a weather: the answer that came.
type Weather struct {
	Place, Condition, Temperature, Unit string
	Forecast                            bool
}

// weatherOf reads the payload of an intent.
func weatherOf(i *condition.Intent) Weather {
	return Weather{
		Place: i.Data["speakableLocationString"], Condition: i.Data["condition"], Temperature: i.Data["temperature"],
		Unit: i.Data["temperatureUnit"], Forecast: i.Data["isForecast"] == "true",
	}
}

// A CoordinateWeather shows the weather that was asked for, by the behavior of its condition.
type CoordinateWeather struct {
	params weatherParams
}

type weatherParams struct {
	Responses []weatherResponse `key:"responseMap" length:"1..64" doc:"which behavior shows which weather"`
}

type weatherResponse struct {
	Kind     string `key:"CladType" doc:"the condition of the weather, such as Sunny"`
	Behavior string `key:"BehaviorID" delegate:"true" doc:"shows it"`
}

const intentWeather = "weather_response"

// CoordinateWeatherClass is the class CoordinateWeather.
func CoordinateWeatherClass() behaviors.Class {
	return behaviors.Class{
		Name: "CoordinateWeather",
		Doc:  "Shows the weather that was asked for.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			w := &CoordinateWeather{}
			param.ReadConfig(cfg, &w.params)
			for _, r := range w.params.Responses {
				cfg.Link(r.Behavior)
			}
			cfg.MayDelegateTo(idCannot)
			cfg.WaitForIntent(intentWeather)
			return w
		},
	}
}

// Modify lets it run in the hand.
func (*CoordinateWeather) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads = true
}

// OnActivated gives control to the behavior of the weather, or says that it cannot show it. The base layer has claimed the intent.
func (w *CoordinateWeather) OnActivated(c *behaviors.Control) {
	intent := c.View().Intent.Active
	if intent == nil {
		return
	}
	weather := weatherOf(intent)
	for _, r := range w.params.Responses {
		if strings.EqualFold(r.Kind, weather.Condition) && w.show(c, r.Behavior, weather) {
			return
		}
	}
	c.SetState("cannot show " + weather.Condition)
	if c.Wants(idCannot) {
		c.DelegateTo(idCannot, nil)
	}
}

func (w *CoordinateWeather) show(c *behaviors.Control, id string, weather Weather) bool {
	var wants bool
	if c.TakesData(id) {
		wants = c.WantsWith(id, weather)
	} else {
		wants = c.Wants(id)
	}
	if !wants {
		return false
	}
	c.SetState("showing " + weather.Condition)
	return c.DelegateTo(id, nil)
}
