package behaviortest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/enginetest"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources/tracetest"
)

// RunTraces runs every case of a trace file, in the form of package tracetest. Its commands are
//
//	start ID                          makes a scenario with that base by way of begin; the first command of each case
//	tick [N]                          for 2s
//	until ID, until not ID, until ID is STATE           (within a minute)
//	intent TAG [key=value …]          wake              event NAME [text]
//	run ID, cancel                                      (of an operator)
//	touch, hold, shake, plug  on|off  volts 3.5         wall 400
//	cube ID x y, cube ID gone         person ID name x y, person ID gone
//	lift mm                                             (by hand: takes or leaves a cube)
//	stack, mood                                         (print the stack with states and actions, and the emotions)
//
// Of each tick in which something happened are printed: activations, deactivations and refusals in their order, the states that
// changed, the actions that began and ended, what was said, the lights.
func RunTraces(t *testing.T, path string, begin func(t testing.TB, base string) *Env, rewrite bool) {
	t.Helper()
	tracetest.Run(t, path, func(t testing.TB) tracetest.Environment {
		var tr *tracer
		return func(c *tracetest.Command) ([]string, error) {
			switch {
			case c.Verb() == "start":
				tr = newTracer(begin(t, strings.Join(c.Args(), " ")))
				return nil, nil
			case tr == nil:
				return nil, errors.New("a case begins with start")
			case len(c.Input) > 0:
				return nil, c.Input[0].Errorf("%q takes no indented lines", c.Verb())
			}
			err := tr.do(c)
			lines := tr.lines
			tr.lines = nil
			return lines, err
		}
	}, rewrite)
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

// do carries out one command.
func (tr *tracer) do(c *tracetest.Command) error {
	w := &words{args: c.Args()}
	for _, try := range []func(string, *words) bool{tr.pass, tr.tell, tr.change, tr.show} {
		if try(c.Verb(), w) {
			return w.err
		}
	}
	return tracetest.Unknown("start", "tick", "for", "until", "intent", "wake", "event", "run", "cancel", "touch", "hold", "shake", "plug",
		"volts", "wall", "lift", "cube", "person", "stack", "mood")
}

// pass runs ticks.
func (tr *tracer) pass(verb string, w *words) bool {
	switch verb {
	case "tick":
		n := 1
		if len(w.args) > 0 {
			n = int(w.number(0))
		}
		tr.e.Step(n)
	case "for":
		d, err := time.ParseDuration(w.at(0))
		w.fail(err)
		tr.e.For(d)
	case "until":
		tr.until(w.args)
	default:
		return false
	}
	return true
}

// tell posts an intent, event or command for the next tick.
func (tr *tracer) tell(verb string, w *words) bool {
	e := tr.e
	switch verb {
	case "intent":
		data := map[string]string{}
		for _, pair := range w.from(1) {
			key, value, _ := strings.Cut(pair, "=")
			data[key] = value
		}
		e.Command(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: w.at(0), Data: data, Source: "test"}})
	case "wake":
		e.WakeWord()
	case "event":
		p, err := enginetest.Payload(w.at(0), strings.Join(w.from(1), " "))
		if w.fail(err); err == nil {
			e.Emit(p)
		}
	case "run":
		e.Command(engine.Command{Kind: engine.RunBehavior, ID: w.at(0)})
	case "cancel":
		e.Command(engine.Command{Kind: engine.Cancel})
	default:
		return false
	}
	return true
}

// change changes the body or what is around it.
func (tr *tracer) change(verb string, w *words) bool {
	b := tr.e.Body
	switch verb {
	case "touch":
		b.Touched = w.on(0)
	case "hold":
		b.Held = w.on(0)
	case "shake":
		b.Shaken = w.on(0)
	case "plug":
		b.Plugged = w.on(0)
	case "volts":
		b.Volts = w.number(0)
	case "wall":
		b.WallXMM = w.number(0)
	case "lift":
		b.Lift(w.number(0))
	case "cube":
		id := int(w.number(0))
		b.Cubes = slices.DeleteFunc(b.Cubes, func(c Cube) bool { return c.ID == id })
		if w.at(1) != "gone" {
			b.Cubes = append(b.Cubes, Cube{ID: id, XMM: w.number(1), YMM: w.number(2)})
		}
	case "person":
		id := int(w.number(0))
		b.People = slices.DeleteFunc(b.People, func(p Person) bool { return p.ID == id })
		if w.at(1) != "gone" {
			b.People = append(b.People, Person{ID: id, Name: w.at(1), XMM: w.number(2), YMM: w.number(3)})
		}
	default:
		return false
	}
	return true
}

// show prints the present stack or mood.
func (tr *tracer) show(verb string, _ *words) bool {
	switch verb {
	case "stack":
		tr.lines = append(tr.lines, stacktest.State(tr.e.Engine.Stack()))
		tr.lines = append(tr.lines, strings.Split(strings.TrimRight(tr.e.Describe(), "\n"), "\n")...)
	case "mood":
		tr.lines = append(tr.lines, "  mood "+mood(tr.e.Engine.View()))
	default:
		return false
	}
	return true
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

// words are the arguments of a command; err is the first that is wrong.
type words struct {
	args []string
	err  error
}

func (w *words) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *words) from(i int) []string { return w.args[min(i, len(w.args)):] }

func (w *words) at(i int) string {
	if i >= len(w.args) {
		w.fail(errors.New("too few words"))
		return ""
	}
	return w.args[i]
}

func (w *words) number(i int) float64 {
	x, err := strconv.ParseFloat(w.at(i), 64)
	if err != nil {
		w.fail(fmt.Errorf("want a number, not %q", w.at(i)))
	}
	return x
}

func (w *words) on(i int) bool {
	word := w.at(i)
	if word != "on" && word != "off" {
		w.fail(fmt.Errorf("want on or off, not %q", word))
	}
	return word == "on"
}

func (tr *tracer) until(args []string) {
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
		case stack.EventActivated, stack.EventDeactivated:
			add("%s", stacktest.Fact(ev))
		case stack.EventRefused:
			add("%s", stacktest.Refused(ev))
		case stack.EventReset:
			add("* %s", stacktest.Fact(ev))
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
