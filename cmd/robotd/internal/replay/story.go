package replay

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/why"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

// A Story tells what other behaviors would have decided in a recorded life. Its JSON is what `robotd replay --diff --json` prints.
type Story struct {
	Life  string  `json:"life"`
	Ticks uint64  `json:"ticks"`
	LiveS float64 `json:"lived_s"`
	Equal bool    `json:"equal"`
	First *First  `json:"first,omitempty"` // first tick that was decided otherwise
	Turn  *Turn   `json:"turn,omitempty"`  // first tick with another stack
	// Moved is the first tick with other orders to wheels, head or lift. The inputs after it are those of a robot that moved otherwise.
	Moved       *Moment      `json:"moved,omitempty"`
	Activations []Activation `json:"activations"` // that differ, by behavior
	Spans       []Span       `json:"spans"`       // in which the stacks differ
	MoreSpans   int          `json:"more_spans,omitempty"`
	DifferS     float64      `json:"differ_s"` // how long in all
	Note        string       `json:"note"`
	// Unsure says from where on this program does not decide the recorded side as it was recorded either.
	Unsure string `json:"unsure,omitempty"`
	Ended  string `json:"ended,omitempty"` // why the recording could not be decided to its end
}

// A Moment is a tick and when it was.
type Moment struct {
	Tick uint64  `json:"tick"`
	AtS  float64 `json:"at_s"`
}

// First is the first difference, line by line.
type First struct {
	Moment
	Recorded string   `json:"recorded"`
	Here     string   `json:"here"`
	Before   []string `json:"before"` // lines before it
}

// A Turn is the first difference of the stacks.
type Turn struct {
	Moment
	Recorded []string `json:"recorded"` // the stack, base first
	Here     []string `json:"here"`
	Behavior string   `json:"behavior"`   // on top of the part that is equal here; empty for none
	Instead  string   `json:"instead_of"` // of which recorded one
	Below    string   `json:"below"`      // the highest behavior that is equal
	Why      []Why    `json:"why"`
}

// Why is the newest answer of a behavior on both sides.
type Why struct {
	ID       string `json:"id"`
	Recorded Answer `json:"recorded"`
	Here     Answer `json:"here"`
}

// An Answer is what a behavior said when it was asked last.
type Answer struct {
	Tick   uint64 `json:"tick"` // 0 if it was never asked, or is no behavior there
	Wanted bool   `json:"wanted"`
	Active bool   `json:"active"` // it is on the stack now
	Text   string `json:"text"`
	// Gates are the gates and conditions of the question in their order, and Needs what would have to change for a yes, if it was asked in
	// the tick of the turn.
	Gates []control.WhyGate `json:"gates,omitempty"`
	Needs []string          `json:"needs,omitempty"`
}

// An Activation counts the activations of one behavior that are not the same on both sides.
type Activation struct {
	ID           string    `json:"id"`
	Both         int       `json:"both"`
	OnlyRecorded []float64 `json:"only_recorded_s"` // when
	OnlyHere     []float64 `json:"only_here_s"`
}

// A Span is a time in which the same two stacks differ.
type Span struct {
	FromS    float64  `json:"from_s"`
	ToS      float64  `json:"to_s"`
	Recorded []string `json:"recorded"` // base first
	Here     []string `json:"here"`
}

// maxSpans bounds the spans of a story.
const maxSpans = 1000

const note = "The inputs are the recorded ones: after the first order to wheels, head or lift that differs, the world did not react to the new decisions."

// A teller decides a life twice, side by side, and compares.
type teller struct {
	story          *Story
	recorded, here *tape.Replay
	asked          [2]*behaviors.Answers // in the newest tick, on both sides; until the stacks differ
	counts         map[string]*Activation
	last           Span // open if it has stacks
	open           bool
	ways           ways
}

// Tell decides a recorded life with the behaviors that it was lived with and with others, which stay as they are when those of the recording
// change.
func Tell(h record.History, lived, other *catalog.Catalog, changes Changes) (*Story, error) {
	t := &teller{
		story:  &Story{Life: h.Life().ID, Equal: true, Activations: []Activation{}, Spans: []Span{}, Note: note},
		counts: map[string]*Activation{},
	}
	var failed error
	ended := each(h, func(at record.Instant, e *tape.Entry) bool {
		failed = t.step(at, e, lived, other, changes)
		return failed == nil
	})
	if ended != nil && t.here == nil {
		return nil, ended
	}
	if ended != nil {
		t.story.Ended = ended.Error()
	}
	t.finish()
	return t.story, failed
}

func (t *teller) step(at record.Instant, e *tape.Entry, lived, other *catalog.Catalog, changes Changes) (err error) {
	if t.here == nil {
		if t.recorded, err = start(e, lived, changes); err == nil {
			t.here, err = start(e, other, nil)
		}
		if err == nil {
			t.listen()
		}
		return err
	}
	was, err := t.recorded.Step(e)
	var differs *tape.DiffError
	if errors.As(err, &differs) && t.story.Unsure == "" {
		t.story.Unsure = differs.Error()
	} else if was == nil {
		return err
	}
	is, err := t.here.Step(t.ways.into(e))
	if is == nil { // a reset to a base that is not there
		return err
	}
	t.ways.plan(e, was, is)
	if t.story.Turn == nil {
		t.listen()
	}
	now := momentOf(at)
	t.story.Ticks, t.story.LiveS = max(t.story.Ticks, at.Tick), now.AtS
	if !t.first(now, was, is) {
		return nil
	}
	t.activations(now, was, is)
	t.stacks(now)
	if t.story.Moved == nil && !slices.Equal(motion(was), motion(is)) {
		t.story.Moved = &now
	}
	return nil
}

// listen takes what was asked in the newest tick.
func (t *teller) listen() {
	for i, r := range [...]*tape.Replay{t.recorded, t.here} {
		t.asked[i] = r.Engine().TakeAnswers(t.asked[i])
	}
}

func momentOf(at record.Instant) Moment {
	return Moment{at.Tick, float64(at.At.Round(time.Millisecond)/time.Millisecond) / 1000}
}

// first finds the first difference, and reports whether there is one so far.
func (t *teller) first(now Moment, was, is *engine.Output) bool {
	s := t.story
	if s.First != nil {
		return true
	}
	d := tape.Diff([]tape.TickLog{tape.LogOf(was)}, []tape.TickLog{tape.LogOf(is)}, linesBefore)
	if d == nil {
		t.activations(now, was, is)
		return false
	}
	s.Equal, s.First = false, &First{Moment: now, Recorded: d.A, Here: d.B, Before: d.Before}
	if s.First.Before == nil {
		s.First.Before = []string{}
	}
	return true
}

// linesBefore is how many lines of a tick are shown before the first difference.
const linesBefore = 5

// motion are the orders to what moves.
func motion(o *engine.Output) (lines []hardware.Command) {
	for _, c := range o.Commands {
		if target := hardware.TargetOf(c); target == hardware.Motors || target == hardware.Servos {
			lines = append(lines, c)
		}
	}
	return lines
}

func (t *teller) activations(now Moment, was, is *engine.Output) {
	a, b := activated(was), activated(is)
	for id, n := range a {
		c := t.count(id)
		both := min(n, b[id])
		c.Both += both
		c.OnlyRecorded = append(c.OnlyRecorded, slices.Repeat([]float64{now.AtS}, n-both)...)
	}
	for id, n := range b {
		if extra := n - a[id]; extra > 0 {
			c := t.count(id)
			c.OnlyHere = append(c.OnlyHere, slices.Repeat([]float64{now.AtS}, extra)...)
		}
	}
}

func activated(o *engine.Output) map[string]int {
	var n map[string]int
	for i := range o.Events {
		if o.Events[i].Kind == stack.EventActivated {
			if n == nil {
				n = map[string]int{}
			}
			n[o.Events[i].ID]++
		}
	}
	return n
}

func (t *teller) count(id string) *Activation {
	if t.counts[id] == nil {
		t.counts[id] = &Activation{ID: id, OnlyRecorded: []float64{}, OnlyHere: []float64{}}
	}
	return t.counts[id]
}

// stacks compares the stacks after a tick.
func (t *teller) stacks(now Moment) {
	a, b := t.recorded.Engine().Stack().Layers(), t.here.Engine().Stack().Layers()
	equal := len(a) == len(b)
	for i := 0; equal && i < len(a); i++ {
		equal = a[i].Node().ID == b[i].Node().ID
	}
	if equal {
		t.closeSpan(now)
		return
	}
	recorded, here := ids(a), ids(b)
	if t.story.Turn == nil {
		t.story.Turn = t.turn(now, recorded, here)
	}
	if t.open && slices.Equal(t.last.Recorded, recorded) && slices.Equal(t.last.Here, here) {
		return
	}
	t.closeSpan(now)
	t.open, t.last = true, Span{FromS: now.AtS, Recorded: recorded, Here: here}
}

func ids(layers []stack.Layer) []string {
	list := make([]string, len(layers))
	for i := range layers {
		list[i] = layers[i].Node().ID
	}
	return list
}

func (t *teller) closeSpan(now Moment) {
	if !t.open {
		return
	}
	t.open = false
	t.last.ToS = now.AtS
	t.story.DifferS += now.AtS - t.last.FromS
	if len(t.story.Spans) < maxSpans {
		t.story.Spans = append(t.story.Spans, t.last)
	} else {
		t.story.MoreSpans++
	}
}

// turn explains the first difference of the stacks.
func (t *teller) turn(now Moment, recorded, here []string) *Turn {
	u := &Turn{Moment: now, Recorded: recorded, Here: here, Why: []Why{}}
	same := 0
	for same < min(len(recorded), len(here)) && recorded[same] == here[same] {
		same++
	}
	if same > 0 {
		u.Below = here[same-1]
	}
	if same < len(recorded) {
		u.Instead = recorded[same]
	}
	if same < len(here) {
		u.Behavior = here[same]
	}
	for _, id := range []string{u.Behavior, u.Instead} {
		if id != "" {
			u.Why = append(u.Why, Why{id, answer(t.recorded.Engine(), t.asked[0], id), answer(t.here.Engine(), t.asked[1], id)})
		}
	}
	t.recorded.Engine().StopAnswers()
	t.here.Engine().StopAnswers()
	return u
}

// answer is the newest answer of a behavior.
func answer(e *engine.Engine, asked *behaviors.Answers, id string) Answer {
	c := e.Cell(id)
	if c == nil {
		return Answer{Text: "there is no such behavior"}
	}
	tick, yes := c.Node.Asked()
	a := Answer{Tick: tick, Wanted: yes, Active: c.Node.Activated()}
	switch {
	case tick == 0:
		a.Text = "it was never asked"
		return a
	case yes:
		a.Text = "it wants control"
	default:
		a.Text = c.Why()
	}
	for i := range asked.List {
		if q := &asked.List[i]; q.ID == id {
			a.Text, a.Gates, a.Needs = q.Text(nil), why.GatesOf(q), q.Needs(nil)
		}
	}
	return a
}

func (t *teller) finish() {
	s := t.story
	t.closeSpan(Moment{AtS: s.LiveS})
	for _, id := range slices.Sorted(maps.Keys(t.counts)) {
		if c := t.counts[id]; len(c.OnlyRecorded)+len(c.OnlyHere) > 0 {
			s.Activations = append(s.Activations, *c)
		}
	}
	s.DifferS = float64(time.Duration(s.DifferS*float64(time.Second)).Round(time.Millisecond)/time.Millisecond) / 1000
}
