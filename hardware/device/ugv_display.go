package device

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/ugv"
)

// ugvDisplay shows the face as four lines of text, the only thing that the board's firmware draws. It is never dimmed.
type ugvDisplay struct {
	ugvPart
	face   hardware.ShowFace // set by command
	shown  hardware.ShowFace
	frames uint64
	last   hardware.DisplayState
}

func newUGVDisplay(u ugvPart) *ugvDisplay {
	return &ugvDisplay{ugvPart: u, face: hardware.ShowFace{Face: hardware.FaceNeutral}}
}

// Open connects to the board.
func (p *ugvDisplay) Open(clk hardware.Clock) error { return p.connect(clk) }

// Poll hands the face to the link, which writes the lines that differ when there is room.
func (p *ugvDisplay) Poll(now time.Time) (hardware.Sample, error) {
	if p.shown != p.face {
		p.link.Show(textFace(p.face))
		if p.shown.Face == "" || textFace(p.shown) != textFace(p.face) {
			p.frames++
		}
		p.shown = p.face
	}
	if err := p.pump(now); err != nil {
		return p.bad(now, "draw", err, &p.last)
	}
	if !p.state.Fresh(now) {
		return p.stale(&p.last), nil
	}
	p.last = hardware.Showing(p.shown, p.frames)
	return p.good(&p.last)
}

// Apply sets the face. The text has one brightness, so dimming changes nothing.
func (p *ugvDisplay) Apply(_ time.Time, c hardware.Command) error {
	switch c := c.(type) {
	case hardware.ShowFace:
		if !hardware.KnownExpression(c.Face) {
			return p.errorWithCause(hardware.CauseCommand, "show face", "no face %q; known: %s", c.Face, fmt.Sprint(hardware.Expressions))
		}
		p.face = c.Limited()
		return nil
	case hardware.DimFace:
		return nil
	}
	return p.unknownCommand(c)
}

// Halt clears the lines.
func (p *ugvDisplay) Halt() error {
	p.shown = hardware.ShowFace{}
	if p.link != nil {
		p.link.Show([ugv.ScreenLines]string{})
	}
	return nil
}

// A textEyes is a face in text: brow, eye and cheek above the mouth. %s of the eye is the pupil.
type textEyes struct{ brow, eye, pupil, mouth string }

// textFaces are the expressions. Each part of an eye is five characters wide.
var textFaces = map[string]textEyes{
	"angry":              {`==_  `, "[ %s ]", "o", "/----"},
	hardware.FaceAsleep:  {"     ", "-----", "", " zzZ "},
	hardware.FaceBlink:   {"     ", "-----", "", " --- "},
	"charging":           {" .-. ", "[ %s ]", "+", " [=] "},
	hardware.FaceHappy:   {" .-. ", "( %s )", "^", "\\___/"},
	"listening":          {" .-. ", "( %s )", "o", "  o  "},
	"look_left":          {" .-. ", "(  %s)", "o", " --- "},
	"look_right":         {" .-. ", "(%s  )", "o", " --- "},
	"love":               {" . . ", "( %s )", "v", "\\___/"},
	hardware.FaceNeutral: {" .-. ", "( %s )", "o", " --- "},
	hardware.FaceSad:     {" _-  ", "( %s )", "o", "/---`"},
	"scared":             {" .-. ", "( %s )", ".", " ~~~ "},
	hardware.FaceSleepy:  {"     ", "(_%s_)", "o", "  -  "},
	"surprised":          {" /-` ", "( %s )", "O", "  O  "},
	"thinking":           {" .-. ", "( %s )", "o", " ..? "},
}

// textFace draws a face. The pupils move by one place to each side, and a lid that is more than half down shuts the eyes.
func textFace(f hardware.ShowFace) (lines [ugv.ScreenLines]string) {
	if text, ok := hardware.DigitsOf(f.Face); ok {
		lines[1] = center(spaced(text))
		return lines
	}
	t := textFaces[f.Face]
	if f.Lid > 0.5 && t.pupil != "" {
		t.eye = "-----"
	}
	eye := t.eye
	if strings.Contains(eye, "%s") {
		eye = looking(fmt.Sprintf(eye, t.pupil), t.pupil, f.GazeX)
	}
	pair := func(part string) string { return center(part + "     " + mirrored(part, t.brow == part)) }
	at := 0
	if f.GazeY < -0.5 { // looks down: the eyes come nearer to the mouth
		at = 1
	}
	lines[at], lines[at+1] = pair(t.brow), pair(eye)
	lines[3] = center(t.mouth)
	return lines
}

// looking moves the pupil: the robot's left is on the right of who looks at it.
func looking(eye, pupil string, gaze float64) string {
	d := int(math.Round(gaze))
	at := strings.Index(eye, pupil)
	if to := at + d; d != 0 && to > 0 && to < len(eye)-1 {
		b := []byte(eye)
		b[at], b[to] = ' ', pupil[0]
		return string(b)
	}
	return eye
}

// mirrored is the part on the other side of the face.
func mirrored(part string, brow bool) string {
	if !brow {
		return part
	}
	b := []byte(part)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return strings.NewReplacer("/", "`", "`", "/").Replace(string(b))
}

func spaced(text string) string { return strings.Join(strings.Split(text, ""), " ") }

func center(text string) string {
	text = strings.TrimRight(strings.Repeat(" ", max((ugv.ScreenWidth-len(text))/2, 0))+text, " ")
	return text
}
