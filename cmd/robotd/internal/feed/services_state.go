package feed

import (
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// ServicesOf copies what behaviors hold of the body's shared facilities.
func ServicesOf(e *engine.Engine) control.ServicesState {
	v := e.View()
	s := control.ServicesState{
		Vision: modesOf(e.Look(), true), Watchers: []control.WatcherState{}, Lights: []control.LightsState{},
		Cube: control.CubeState{
			State: v.Services.Cube.String(), Connected: v.World.Body.CubeConnected, Carrying: v.World.Body.Carrying, Users: e.CubeUsers(),
		},
		Word: control.WordState{
			Pending: v.TriggerWord, DisabledBy: v.Services.Deaf, GetIn: v.Services.GetIn, Pushed: e.Responders(),
		},
		PowerSave: v.Services.PowerSave, FaceLocked: v.Services.FaceLocked,
	}
	for _, w := range e.Watchers() {
		s.Watchers = append(s.Watchers, control.WatcherState{ID: w.ID, Condition: w.Condition, Modes: modesOf(w.Look, false)})
	}
	for _, l := range e.CustomLights() {
		s.Lights = append(s.Lights, control.LightsState{
			Object: l.Object, By: l.By, On: l.Pattern.On, Off: l.Pattern.Off,
			OnMS: l.Pattern.OnFor.Milliseconds(), OffMS: l.Pattern.OffFor.Milliseconds(),
		})
	}
	if r := v.Services.Response; r != nil {
		s.Word.Response = &control.ResponseState{
			GetIn: r.GetIn, Sound: r.Sound, MinStreamingMS: r.MinStreaming.Milliseconds(), Effect: r.Effect.String(),
		}
		if r.MinStreaming < 0 {
			s.Word.Response.MinStreamingMS = -1
		}
	}
	return s
}

// modesOf lists the modes of a set; all of them, or the wanted ones.
func modesOf(l hardware.Look, all bool) []control.VisionState {
	modes := make([]control.VisionState, 0, len(l))
	for m, f := range l {
		if all || f != hardware.Never {
			modes = append(modes, control.VisionState{Mode: hardware.VisionMode(m).String(), Frequency: f.String()})
		}
	}
	return modes
}
