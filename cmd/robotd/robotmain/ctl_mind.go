package robotmain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// maxTroubles bounds the failures that the text shows. JSON has them all.
const maxTroubles = 5

// mind shows stage, feature, mood, and the behavior that an operator runs.
func mind(put func(name, format string, args ...any), s *control.State) {
	if text := stopped(&s.Stop); text != "" {
		put("emergency stop", "%s; robotd ctl resume ends it", text)
	}
	put("stage", "%s, boot behavior %s%s", s.Stage, s.Boot, modes(s))
	put("feature", "%s", feature(s))
	if text := byHand(&s.Settings); text != "" {
		put("by hand", "%s", text)
	}
	put("mood", "%s; %s", s.Mood.Simple, emotions(s.Mood.Emotions))
	if s.Run.ID != "" {
		put("run", "%s, %s", s.Run.ID, again(s.Run.Again))
	}
}

// stopped tells who is stopped, mind or line of the motors; "" if neither is.
func stopped(s *control.StopState) string {
	switch {
	case s.Mind && s.Line:
		return "on"
	case s.Line:
		return "the wheels are off, but the mind is not stopped"
	case s.Mind:
		return "the mind is stopped, but the line of the motors is free"
	}
	return ""
}

// modes names the switches that are not at their default.
func modes(s *control.State) string {
	text := ""
	if s.SelfTest {
		text += ", self test"
	}
	if !s.Checks {
		text += ", checks off"
	}
	return text
}

func feature(s *control.State) string {
	f := &s.Feature
	if f.Run == 0 || f.Source == "" {
		return f.Name
	}
	return fmt.Sprintf("%s for %.0f s, from %s", f.Name, f.ActiveS, f.Source)
}

// emotions lists them by name.
func emotions(e map[string]float64) string {
	parts := make([]string, 0, len(e))
	for _, name := range slices.Sorted(maps.Keys(e)) {
		parts = append(parts, fmt.Sprintf("%s %+.2f", name, e[name]))
	}
	return strings.Join(parts, ", ")
}

func again(n int) string {
	switch {
	case n < 0:
		return "again and again"
	case n == 0:
		return "the last time"
	}
	return fmt.Sprintf("%d more", n)
}

// services shows what behaviors hold of the body's facilities, as far as it is not the default.
func services(put func(name, format string, args ...any), s *control.ServicesState) {
	var looks []string
	for _, v := range s.Vision {
		if v.Frequency != "Never" {
			looks = append(looks, v.Mode+" "+v.Frequency)
		}
	}
	if len(looks) > 0 {
		put("looks for", "%s", strings.Join(looks, ", "))
	}
	if by := s.Word.DisabledBy; by != "" {
		put("trigger word", "not heard: %s", by)
	} else if s.Word.Pending {
		put("trigger word", "pending")
	}
	if s.PowerSave {
		put("power", "saved")
	}
	if s.Cube.State != "idle" && s.Cube.State != "" {
		put("cube", "%s; %s", s.Cube.State, strings.Join(s.Cube.Users, ", "))
	}
}

// failures shows what failed, newest first, then the warning log.
func failures(put func(name, format string, args ...any), s *control.State) {
	t := &s.Troubles
	for _, f := range t.Failures[:min(len(t.Failures), maxTroubles)] {
		put("failed", "%d× %s %s, %.0f s ago: %s", f.Count, f.Actor, f.Where, max(0, s.TimeS-f.LastS), f.Text)
	}
	if n := len(t.Failures) - maxTroubles; n > 0 {
		put("failed", "and %d more kinds; see --json", n)
	}
	if t.Zombies > 0 {
		put("zombies", "%d of %d", t.Zombies, t.ZombieLimit)
	}
	var noted []string
	for _, n := range t.Warnings {
		noted = append(noted, fmt.Sprintf("%d× %s %s", n.Count, n.Kind, n.What))
	}
	if len(noted) > 0 {
		put("noted", "%s", strings.Join(noted, ", "))
	}
}
