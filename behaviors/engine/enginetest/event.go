package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// Payload makes what an event says from its name and what a trace says of it, as behaviors.Event words it:
//
//	poked, cube_tapped, cube_lost, trigger_word
//	robot_stopped cliff      user_intent TAG
//	touched on|off           device NAME QUALITY
//	edge on|off SENSOR ...
func Payload(name, text string) (behaviors.Payload, error) {
	var p behaviors.Payload
	switch name {
	case behaviors.EventPoked:
		p = behaviors.Poked{}
	case behaviors.EventCubeTapped:
		p = behaviors.CubeTapped{}
	case behaviors.EventCubeLost:
		p = behaviors.CubeLost{}
	case behaviors.EventTriggerWord:
		p = behaviors.TriggerWordHeard{}
	case behaviors.EventRobotStopped:
		p = behaviors.RobotStopped{Cause: behaviors.StopCause(text)}
	case behaviors.EventEdge:
		p = behaviors.ParseEdge(text)
	case behaviors.EventIntent:
		p = behaviors.IntentPosted{Tag: text}
	case behaviors.EventTouched:
		p = behaviors.Touched{On: text == "on"}
	case behaviors.EventDevice:
		device, quality, _ := strings.Cut(text, " ")
		all := []hardware.Quality{hardware.Absent, hardware.Failed, hardware.Stale, hardware.OK}
		i := slices.IndexFunc(all, func(q hardware.Quality) bool { return q.String() == quality })
		p = behaviors.DeviceChanged{Device: device, Quality: all[max(i, 0)]}
	default:
		return nil, resources.Unknown("event", name, behaviors.EventNames())
	}
	if got, want := (behaviors.Event{Payload: p}).String(), strings.TrimSpace(name+" "+text); strings.TrimSpace(got) != want {
		return nil, fmt.Errorf("event %q says %q", want, got)
	}
	return p, nil
}
