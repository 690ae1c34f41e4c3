package top

import (
	"fmt"
	"strings"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// header tells who the robot is, what it does, what holds it back and whether its ticks are in time. Banners beyond the most are counted.
func header(s *control.State, width, most int) []line {
	out := []line{who(s), stopLine(s)}
	if s.Sentence.Text != "" {
		text := s.Sentence.Text
		if s.Sentence.Why != "" {
			text += " (" + s.Sentence.Why + ")"
		}
		out = append(out, ln(text, title))
	}
	out = append(out, banners(s, most)...)
	out = append(out, ticks(s))
	for i := range out {
		out[i].text = clip(out[i].text, width)
	}
	return out
}

func who(s *control.State) line {
	kind := ""
	switch {
	case s.View:
		kind = ", a recording"
	case s.Simulated:
		kind = ", simulated"
	}
	return ln(fmt.Sprintf("%s, up %s, tick %d%s, robotd %s", s.Robot, span(s.TimeS), s.Tick, kind, s.Version), plain)
}

// stopLine is the emergency stop, and the battery.
func stopLine(s *control.State) line {
	battery := fmt.Sprintf("battery %s, %.2f V, %.0f %%", s.Body.Battery, s.Body.Volts, 100*s.Body.Charge)
	if s.Body.Charging {
		battery += ", charging"
	}
	if !s.EStop {
		t := plain
		if s.Body.Battery == "Low" || s.Body.Battery == "Critical" {
			t = warn
		}
		return ln("emergency stop off; "+battery, t)
	}
	half := ""
	switch {
	case !s.Stop.Mind:
		half = " (the mind does not hold it yet)"
	case !s.Stop.Line:
		half = " (the motors' line is not held)"
	}
	return ln(fmt.Sprintf("EMERGENCY STOP %d%s, r ends it; %s", s.Stop.Number, half, battery), stopped)
}

func banners(s *control.State, most int) []line {
	var out []line
	tones := map[string]tone{"error": bad, "warn": warn}
	for i, b := range s.Banner {
		text := fmt.Sprintf("%s: %s, for %s", b.Level, b.Text, span(s.TimeS-b.SinceS))
		if left := len(s.Banner) - most; i == most-1 && left > 0 {
			text = fmt.Sprintf("(+%d) %s", left, text)
		}
		if i < most {
			out = append(out, ln(text, tones[b.Level]))
		}
	}
	return out
}

func ticks(s *control.State) line {
	l := s.Latency
	t := plain
	if l.MaxUS > 1000*s.PeriodMS {
		t = warn
	}
	parts := []string{fmt.Sprintf("tick %.0f ms: p50 %.0f p99 %.0f max %.0f µs", s.PeriodMS, l.P50US, l.P99US, l.MaxUS), fmt.Sprintf("%d missed, %d skipped", l.Missed, l.Skipped)}
	if n := s.Counters.Panics + s.Counters.Hangs; n > 0 {
		parts = append(parts, fmt.Sprintf("%d panics, %d hangs", s.Counters.Panics, s.Counters.Hangs))
	}
	return ln(strings.Join(parts, "; "), t)
}
