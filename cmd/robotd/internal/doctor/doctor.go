// Package doctor looks whether this machine is the board that a robot's profile describes: buses, chips, lines and ports, permissions,
// and what stops the wheels. It reads; it writes nothing to a chip but register addresses, and drives no line unless that is asked for.
package doctor

import (
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// State is how a check ended.
type State string

// The states.
const (
	OK   State = "ok"
	Note State = "note" // to know, nothing to do
	Warn State = "warn" // the robot lives, worse than it could
	Fail State = "fail" // a part of the robot does not work
)

// A Check is one thing that was looked at.
type Check struct {
	What   string `json:"what"`
	State  State  `json:"state"`
	Text   string `json:"text"`
	Advice string `json:"advice,omitempty"` // what to do about it
}

// A Section holds the checks of one area.
type Section struct {
	Name   string  `json:"name"`
	Checks []Check `json:"checks"`
}

// A Report is the whole.
type Report struct {
	Robot    string    `json:"robot"`
	Title    string    `json:"title"`
	Sections []Section `json:"sections"`
}

// Count is the number of checks that ended so.
func (r Report) Count(s State) (n int) {
	for _, sec := range r.Sections {
		for _, c := range sec.Checks {
			if c.State == s {
				n++
			}
		}
	}
	return n
}

// Options choose what is looked at beyond what is harmless.
type Options struct {
	// TestEnable raises the enable line for a moment and releases it. The wheels must be off the ground if there is no one-shot.
	TestEnable bool
}

// Run looks at this machine with the eyes of robot p. No other process may use the robot meanwhile.
func Run(p *profile.Profile, o Options) Report {
	r := Report{Robot: p.Name, Title: p.Title}
	add := func(name string, checks []Check) {
		if len(checks) > 0 {
			r.Sections = append(r.Sections, Section{name, checks})
		}
	}
	add("machine", machine(p))
	add("I²C", buses(p))
	add("lines", lines(p))
	add("ports", ports(p))
	add("sound", sound(p))
	add("stop", stop(p, o))
	add("parts", parts(p))
	return r
}

// parts tells what the robot does without.
func parts(p *profile.Profile) (all []Check) {
	for _, n := range hardware.Names {
		if !p.Has(n) {
			all = append(all, Check{What: n, State: Note, Text: "this robot has none"})
		}
	}
	if p.Drive != nil && p.Drive.Encoders == nil && p.Drive.Port == "" {
		all = append(all, Check{What: "encoders", State: Note, Text: "none: the robot believes that it went where it was told to, and feels no stall"})
	}
	return all
}
