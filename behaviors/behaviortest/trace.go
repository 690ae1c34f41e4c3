package behaviortest

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// RunTraces runs every case of a trace file as a subtest. A case begins with "start ID", which makes a scenario with that base
// by way of begin, and is named by the comment in front of it up to the first colon:
//
//	# Resume: a short interrupt that left the world as it was; the recital goes on.
//	start Reactive
//	touch on
//	until Startle
//	----
//	tick 3
//	  Recite.deactivated
//	  Startle.activated
//	  …
//
// A block is a comment, commands, ---- and what happened meanwhile. The commands are
//
//	start ID                          step [n]          for 2s
//	until ID, until not ID, until ID is STATE           (within a minute)
//	intent TAG [key=value …]          wake              emit TAG [text]
//	run ID, cancel                                      (of an operator)
//	touch, hold, shake, plug  on|off  volts 3.5         wall 400
//	cube ID x y, cube ID gone         person ID name x y, person ID gone
//	lift mm                                             (by hand: takes or leaves a cube)
//	stack, mood                                         (print the stack with states, and the emotions)
//
// Of each tick in which something happened are printed: activations, deactivations and refusals in their order, the states that
// changed, the actions that ended and began, what was said, the lights. With rewrite the file is written anew with what came
// out; whoever commits that explains the difference.
func RunTraces(t *testing.T, path string, begin func(t testing.TB, base string) *Env, rewrite bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := parseBlocks(string(text))
	for from := 0; from < len(blocks); {
		to := from + 1
		for to < len(blocks) && !blocks[to].starts() {
			to++
		}
		t.Run(blocks[from].name(), func(t *testing.T) { runBlocks(t, blocks[from:to], begin, rewrite) })
		from = to
	}
	if rewrite && !t.Failed() {
		if err := os.WriteFile(path, []byte(formatBlocks(blocks)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// traceBlock is a comment, commands and what comes of them.
type traceBlock struct{ comments, commands, want []string }

func (b *traceBlock) name() string {
	if len(b.comments) == 0 {
		return "unnamed"
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(b.comments[0], "# "), ":")
	return name
}

// starts reports whether a new case begins here.
func (b *traceBlock) starts() bool {
	word, _, _ := strings.Cut(b.commands[0], " ")
	return word == "start"
}

func parseBlocks(text string) []traceBlock {
	var blocks []traceBlock
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		var b traceBlock
		out := false
		for line := range strings.SplitSeq(strings.Trim(part, "\n"), "\n") {
			switch {
			case out:
				b.want = append(b.want, line)
			case line == "----":
				out = true
			case strings.HasPrefix(line, "#"):
				b.comments = append(b.comments, line)
			default:
				b.commands = append(b.commands, line)
			}
		}
		if len(b.commands) > 0 {
			blocks = append(blocks, b)
		} else if len(blocks) > 0 || len(b.comments) > 0 {
			b.commands = []string{""} // a comment by itself
			blocks = append(blocks, b)
		}
	}
	return blocks
}

func formatBlocks(blocks []traceBlock) string {
	var s strings.Builder
	for i, b := range blocks {
		if i > 0 {
			s.WriteString("\n")
		}
		for _, line := range slices.Concat(b.comments, b.commands) {
			if line != "" {
				s.WriteString(line + "\n")
			}
		}
		if b.commands[0] == "" {
			continue
		}
		s.WriteString("----\n")
		for _, line := range b.want {
			s.WriteString(line + "\n")
		}
	}
	return s.String()
}

func runBlocks(t *testing.T, blocks []traceBlock, begin func(t testing.TB, base string) *Env, rewrite bool) {
	t.Helper()
	var tr *tracer
	for i := range blocks {
		b := &blocks[i]
		var got []string
		for _, command := range b.commands {
			word, rest, _ := strings.Cut(command, " ")
			switch {
			case word == "start":
				tr = newTracer(begin(t, rest))
			case word == "":
			case tr == nil:
				t.Fatalf("%q before start", command)
			default:
				tr.do(t, word, strings.Fields(rest))
			}
		}
		if tr != nil {
			got, tr.lines = tr.lines, nil
		}
		if rewrite {
			b.want = got
			continue
		}
		if strings.Join(got, "\n") != strings.Join(b.want, "\n") {
			t.Fatalf("shortest prefix that fails:\n%s\ngot:\n%s", formatBlocks(blocks[:i+1]), strings.Join(got, "\n"))
		}
	}
}

// tracer prints what happens in an Env.
type tracer struct {
	e      *Env
	states map[string]string
	acting map[string]string // names of running actions by owner and tag
	lights [5]hardware.RGB
	lines  []string
}

func newTracer(e *Env) *tracer {
	tr := &tracer{e: e, states: map[string]string{}, acting: map[string]string{}}
	e.after = tr.print
	return tr
}

// traceLimit is how long "until" waits.
const traceLimit = time.Minute

func (tr *tracer) do(t *testing.T, word string, args []string) {
	t.Helper()
	e, b := tr.e, tr.e.Body
	arg := func(i int) string {
		if i >= len(args) {
			t.Fatalf("%s: too few words", word)
		}
		return args[i]
	}
	switch word {
	case "step":
		n := 1
		if len(args) > 0 {
			n = int(number(t, arg(0)))
		}
		e.Step(n)
	case "for":
		d, err := time.ParseDuration(arg(0))
		if err != nil {
			t.Fatal(err)
		}
		e.For(d)
	case "until":
		tr.until(t, args)
	case "intent":
		data := map[string]string{}
		for _, pair := range args[1:] {
			key, value, _ := strings.Cut(pair, "=")
			data[key] = value
		}
		e.Command(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: arg(0), Data: data, Source: "test"}})
	case "wake":
		e.WakeWord()
	case "emit":
		e.Emit(arg(0), strings.Join(args[1:], " "))
	case "run":
		e.Command(engine.Command{Kind: engine.RunBehavior, ID: arg(0)})
	case "cancel":
		e.Command(engine.Command{Kind: engine.Cancel})
	case "touch":
		b.Touched = arg(0) == "on"
	case "hold":
		b.Held = arg(0) == "on"
	case "shake":
		b.Shaken = arg(0) == "on"
	case "plug":
		b.Plugged = arg(0) == "on"
	case "volts":
		b.Volts = number(t, arg(0))
	case "wall":
		b.WallXMM = number(t, arg(0))
	case "lift":
		b.Lift(number(t, arg(0)))
	case "cube":
		id := int(number(t, arg(0)))
		b.Cubes = slices.DeleteFunc(b.Cubes, func(c Cube) bool { return c.ID == id })
		if arg(1) != "gone" {
			b.Cubes = append(b.Cubes, Cube{ID: id, XMM: number(t, arg(1)), YMM: number(t, arg(2))})
		}
	case "person":
		id := int(number(t, arg(0)))
		b.People = slices.DeleteFunc(b.People, func(p Person) bool { return p.ID == id })
		if arg(1) != "gone" {
			b.People = append(b.People, Person{ID: id, Name: arg(1), XMM: number(t, arg(2)), YMM: number(t, arg(3))})
		}
	case "stack":
		tr.lines = append(tr.lines, strings.Split(strings.TrimRight(e.Describe(), "\n"), "\n")...)
	case "mood":
		tr.lines = append(tr.lines, "  mood "+mood(e.Engine.View()))
	default:
		t.Fatalf("unknown command %q", word)
	}
}

// mood lists the emotions that are not zero.
func mood(v *condition.View) string {
	var felt []string
	for i, name := range condition.EmotionNames() {
		if x := v.Mood[i]; x != 0 {
			felt = append(felt, fmt.Sprintf("%s %.2f", name, x))
		}
	}
	if len(felt) == 0 {
		return "calm"
	}
	return strings.Join(felt, ", ")
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (tr *tracer) until(t *testing.T, args []string) {
	t.Helper()
	what := strings.Join(args, " ")
	done := func() bool { return tr.e.Active(what) }
	switch {
	case len(args) == 2 && args[0] == "not":
		done = func() bool { return !tr.e.Active(args[1]) }
	case len(args) > 2 && args[1] == "is":
		state := strings.Join(args[2:], " ")
		done = func() bool { return tr.e.Active(args[0]) && tr.e.State(args[0]) == state }
	}
	tr.e.Until(traceLimit, what, done)
}

// print adds the lines of the newest tick.
func (tr *tracer) print() {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, "  "+fmt.Sprintf(format, args...)) }
	for _, ev := range tr.e.Out.Events {
		switch ev.Kind {
		case stack.EventActivated, stack.EventDeactivated, stack.EventRefused, stack.EventReset:
			add("%s", ev)
		}
	}
	for _, c := range tr.e.Engine.Cells() {
		if id := c.Node.ID; c.State() != tr.states[id] {
			tr.states[id] = c.State()
			add("%s: %s", id, c.State())
		}
	}
	running := map[string]string{}
	for _, a := range tr.e.Engine.Actions().Running() {
		key := fmt.Sprint(a.Owner, " ", a.Tag)
		if running[key] = a.Name; tr.acting[key] == "" {
			add("%s acts: %s", a.Owner, a.Name)
		}
	}
	for _, d := range tr.e.Out.Done {
		name := tr.acting[fmt.Sprint(d.Owner, " ", d.Tag)]
		add("%s ended %s: %s", d.Owner, cmp.Or(name, d.Type.String()), d.Result)
	}
	tr.acting = running
	for _, c := range tr.e.Out.Commands {
		switch c := c.(type) {
		case hardware.PlaySound:
			if c.Text != "" {
				add("says %q", c.Text)
			}
		case hardware.SetLights:
			if c.Colors != tr.lights {
				tr.lights = c.Colors
				add("lights %v", c.Colors[0])
			}
		}
	}
	if len(lines) > 0 {
		tr.lines = append(append(tr.lines, fmt.Sprintf("tick %d", tr.e.Tick())), lines...)
	}
}
