package simrobot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// PartsOf tells what a robot lacks, and what can be done to it.
func PartsOf(p *profile.Profile, real bool) (s control.PartState) {
	for _, part := range []struct {
		name  string
		there bool
	}{
		{hardware.Battery, p.Battery != nil},
		{hardware.Charger, p.Charger != nil},
		{hardware.Cliff, p.Cliff != nil},
		{hardware.Display, p.Display != nil},
		{"head", p.Head != nil},
		{hardware.IMU, p.IMU != nil},
		{"lift", p.Lift != nil},
		{hardware.Lights, p.Lights != nil},
		{hardware.Motors, p.Drive != nil},
		{hardware.Range, p.Range != nil},
		{hardware.Speaker, p.Speaker != nil},
		{hardware.Touch, p.Touch != nil},
		{hardware.Vision, p.Vision != nil},
	} {
		if !part.there {
			s.Lacks = append(s.Lacks, part.name)
		}
	}
	s.LengthMM, s.WidthMM, s.BackMM = p.Body.FrontMM+p.Body.BackMM, p.Body.WidthMM, p.Body.BackMM
	if s.Acts = actsOf(p); real {
		s.Acts = eventActs
		return s
	}
	s.Breaks = sim.FaultDevicesOf(p)
	return s
}

// eventActs, never written, are events and change nothing in the world, so that a real robot takes them too.
var eventActs = []string{"poke", "tap"}

// Takes is nil if a robot can feel what a person does by that act; else the error names what it lacks, and the acts that it takes.
func Takes(p *profile.Profile, act string) error {
	why := senseless(p, act)
	if why == "" {
		return nil
	}
	return fmt.Errorf("%s: robot %s has %s; acts: %s", act, p.Name, why, strings.Join(actsOf(p), " "))
}

func actsOf(p *profile.Profile) []string {
	return slices.DeleteFunc(control.Acts(), func(act string) bool { return senseless(p, act) != "" })
}

// senseless tells why an act makes no sense for a robot; "" if it does.
func senseless(p *profile.Profile, act string) string {
	switch act {
	case "touch":
		if p.Touch == nil || p.Touch.Pad == "" {
			return "nothing that feels a hand"
		}
	case "button":
		if p.Touch == nil || p.Touch.Button == "" {
			return "no power button that it feels"
		}
	case "edge":
		if p.World.Floor == "walls" {
			return "a floor with walls, which has no edge"
		}
	case "face", "motion", "point", "pet", "beat", "dark", "habitat":
		if p.Vision == nil {
			return "nothing that sees or hears it"
		}
	}
	return ""
}
