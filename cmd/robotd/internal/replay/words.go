package replay

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// How much of a story its words have; the JSON has all.
const (
	spansTold = 12
	timesTold = 5
	stackTold = 4 // layers, from the top
)

// A page writes lines and remembers the first error.
type page struct {
	w   io.Writer
	err error
}

func (p *page) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// Write writes what came of a verification.
func (v *Verdict) Write(w io.Writer) error {
	p := &page{w: w}
	if v.Ticks == 0 && v.Unreadable != nil { // that says it all
		return p.err
	}
	p.line("%d ticks, %v of robot time, decided again in %v: %.0f times real time", v.Ticks, v.Lived.Round(time.Millisecond), v.Took.Round(time.Millisecond), v.Speed())
	switch {
	case v.Parted != nil:
		v.Parted.write(p)
	case v.Unreadable != nil:
		p.line("they agree with the recording, up to there")
	default:
		p.line("every tick agrees with the recording, to the bit")
	}
	return p.err
}

func (d *Parted) write(p *page) {
	at := d.At.At.Round(time.Millisecond)
	if d.Difference == nil {
		p.line("tick %d, at %v, parts from the recording: %s", d.At.Tick, at, d.Verdict.Missed())
		return
	}
	p.line("tick %d, at %v, parts from the recording in line %d:", d.At.Tick, at, d.Difference.Line+1)
	for _, l := range d.Difference.Before {
		p.line("            %s", l)
	}
	p.line("  recorded  %s", d.Difference.A)
	p.line("  here      %s", d.Difference.B)
}

// Write tells the story.
func (s *Story) Write(w io.Writer) error {
	p := &page{w: w}
	switch {
	case s.Equal && s.Ended != "":
		p.line("%d ticks, %s: these behaviors decide every tick as it was recorded, up to there", s.Ticks, since(s.LiveS))
	case s.Equal:
		p.line("%d ticks, %s: these behaviors decide every tick as it was recorded", s.Ticks, since(s.LiveS))
	default:
		s.begin(p)
		s.turn(p)
		s.sums(p)
		p.line("")
		p.line("%s", s.Note)
	}
	if s.Moved != nil {
		p.line("That order is in tick %d, at %s.", s.Moved.Tick, since(s.Moved.AtS))
	} else if !s.Equal {
		p.line("There is no such order: what was sensed would have been the same.")
	}
	if s.Unsure != "" {
		p.line("This program does not decide the recorded behaviors as they were recorded either: %s", s.Unsure)
	}
	if s.Ended != "" && (!s.Equal || s.Unsure != "") { // otherwise it is the error of the command
		p.line("%s", s.Ended)
	}
	return p.err
}

func (s *Story) begin(p *page) {
	f := s.First
	p.line("The two lives part in tick %d, at %s.", f.Tick, since(f.AtS))
	for _, l := range f.Before {
		_, text, _ := strings.Cut(l, " ")
		p.line("  both      %s", text)
	}
	p.line("  recorded  %s", f.Recorded)
	p.line("  here      %s", f.Here)
}

func (s *Story) turn(p *page) {
	u := s.Turn
	p.line("")
	if u == nil {
		p.line("The stacks are the same in all %d ticks.", s.Ticks)
		return
	}
	below := "at the bottom of the stack"
	if u.Below != "" {
		below = "above " + u.Below
	}
	switch {
	case u.Behavior == "":
		p.line("In tick %d, at %s, %s is not active here, %s.", u.Tick, since(u.AtS), u.Instead, below)
	case u.Instead == "":
		p.line("In tick %d, at %s, %s is active here, %s, where nothing was.", u.Tick, since(u.AtS), u.Behavior, below)
	default:
		p.line("In tick %d, at %s, %s is active here instead of %s, %s.", u.Tick, since(u.AtS), u.Behavior, u.Instead, below)
	}
	for _, y := range u.Why {
		p.line("  %s", y.ID)
		p.line("    recorded  %s", y.Recorded.words(u.Tick))
		p.line("    here      %s", y.Here.words(u.Tick))
		y.gates(p)
	}
}

// gates tells those gates of both questions that differ.
func (y *Why) gates(p *page) {
	for i := range min(len(y.Recorded.Gates), len(y.Here.Gates)) {
		a, b := &y.Recorded.Gates[i], &y.Here.Gates[i]
		if a.Name == b.Name && a.Text != b.Text && (a.Text != y.Recorded.Text || b.Text != y.Here.Text) {
			p.line("    %s: %s; here: %s", a.Name, a.Text, b.Text)
		}
	}
	for _, n := range y.Here.Needs {
		p.line("    for a yes here: %s", n)
	}
}

func (a Answer) words(now uint64) string {
	text := a.Text
	if a.Tick > 0 {
		text = map[bool]string{true: "yes: ", false: "no: "}[a.Wanted] + a.Text
		if a.Tick < now {
			text = fmt.Sprintf("not asked in this tick; in tick %d: %s", a.Tick, text)
		}
	}
	if a.Active {
		text = "active; " + text
	}
	return text
}

func (s *Story) sums(p *page) {
	if len(s.Activations) > 0 {
		p.line("")
		p.line("%-28s %5s %13s %9s", "activations", "both", "only recorded", "only here")
	}
	for _, a := range s.Activations {
		p.line("%-28s %5d %13d %9d%s", a.ID, a.Both, len(a.OnlyRecorded), len(a.OnlyHere), times(a))
	}
	if len(s.Spans) == 0 {
		return
	}
	n := len(s.Spans) + s.MoreSpans
	p.line("")
	p.line("The stacks differ for %s of %s, in %d spans:", since(s.DifferS), since(s.LiveS), n)
	for _, d := range s.Spans[:min(len(s.Spans), spansTold)] {
		p.line("  %10s – %-10s recorded %s, here %s", since(d.FromS), since(d.ToS), told(d.Recorded, d.Here), told(d.Here, d.Recorded))
	}
	if n > spansTold {
		p.line("  and %d more; --json lists them", n-spansTold)
	}
}

// times are the first instants of what one side alone has.
func times(a Activation) string {
	all := slices.Concat(a.OnlyRecorded, a.OnlyHere)
	slices.Sort(all)
	var words []string
	for _, s := range all[:min(len(all), timesTold)] {
		words = append(words, since(s))
	}
	if len(all) > timesTold {
		words = append(words, "…")
	}
	return "  at " + strings.Join(words, ", ")
}

// told is the upper part of a stack, without the layers below the first that differs from the other stack.
func told(list, other []string) string {
	same := 0
	for same < min(len(list), len(other)) && list[same] == other[same] {
		same++
	}
	rest := list[same:]
	switch {
	case len(rest) == 0 && same > 0:
		return "nothing above " + list[same-1]
	case len(rest) == 0:
		return "nothing"
	case len(rest) > stackTold:
		rest = append([]string{"…"}, rest[len(rest)-stackTold:]...)
	}
	return strings.Join(rest, " > ")
}

// since is a time since the life began.
func since(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond).String()
}
