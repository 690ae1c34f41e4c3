package robotmain

import (
	"fmt"
	"strings"

	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// A listedRobot is a robot with what it has.
type listedRobot struct {
	Name  string       `json:"name"`
	Title string       `json:"title"`
	Doc   string       `json:"doc,omitempty"`
	Stop  string       `json:"stop"` // what stops the wheels if the process dies
	Parts []listedPart `json:"parts"`
	Lacks []string     `json:"lacks"`
}

// A listedPart is one device.
type listedPart struct {
	Name   string `json:"name"`
	Driver string `json:"driver"`
}

// stopTexts say what stops the wheels of a robot whose process freezes or is killed.
var stopTexts = map[profile.StopKind]string{
	profile.StopLine:    "a one-shot on the enable line, within 300 ms",
	profile.StopBoard:   "the board behind the serial port, by its own time-out",
	profile.StopProcess: "nothing outside the process: keep a hand near the switch",
}

// robots lists the robots of the tree, or one of them with its parts.
func (l *lister) robots(tree setup.Tree, name string) error {
	if name != "" {
		return l.robot(tree, name)
	}
	var all []listed
	for _, n := range tree.Robots() {
		p, diags, err := tree.Robot(n)
		one := listed{Name: n}
		switch {
		case err != nil:
			return err
		case p == nil:
			one.Doc = "has errors: " + diags[0].String()
		default:
			one.Doc = p.Title
		}
		all = append(all, one)
	}
	return l.all(all)
}

func (l *lister) robot(tree setup.Tree, name string) error {
	p, diags, err := tree.Robot(name)
	if err != nil {
		return usage("%v", err)
	}
	if p == nil {
		_, _ = fmt.Fprintln(l.out, diags)
		return findings()
	}
	r := listRobot(p)
	if l.json {
		return encodeIndented(l.out, r)
	}
	text := r.Name + ": " + r.Title + "\n"
	if r.Doc != "" {
		text += "  " + r.Doc + "\n"
	}
	for _, part := range r.Parts {
		text += fmt.Sprintf("  %-8s  %s\n", part.Name, part.Driver)
	}
	if len(r.Lacks) > 0 {
		text += "  has no " + strings.Join(r.Lacks, ", ") + "\n"
	}
	if p.Drive != nil {
		text += "  If the process dies, the wheels are stopped by " + stopTexts[p.Stop()] + ".\n"
	}
	_, err = fmt.Fprint(l.out, text)
	return err
}

// listRobot tells what a robot has.
func listRobot(p *profile.Profile) listedRobot {
	r := listedRobot{Name: p.Name, Title: p.Title, Doc: p.Doc, Stop: p.Stop().String(), Parts: []listedPart{}, Lacks: []string{}}
	for _, name := range hardware.Names {
		if p.Has(name) {
			r.Parts = append(r.Parts, listedPart{name, p.DriverOf(name)})
		} else {
			r.Lacks = append(r.Lacks, hardware.Spoken(name))
		}
	}
	return r
}
