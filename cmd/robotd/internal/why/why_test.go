package why_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/why"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

const (
	period = 60 * time.Millisecond
	// base asks in every tick, also while one of its list has control.
	tree = `-- Base.json --
{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["Greet", "Charge", "Play", "Idle", "Far"]}
-- Greet.json --
{"behaviorClass": "Probe", "behaviorID": "Greet"}
-- Charge.json --
{"behaviorClass": "Probe", "behaviorID": "Charge", "wantsToBeActivatedCondition": {"conditionType": "Compound", "and": [{"conditionType": "OnCharger"}, {"conditionType": "TimerInRange", "begin_s": 5}]}}
-- Play.json --
{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Play", "interruptActiveBehavior": false, "linkScope": true, "behaviors": ["Dance", "Rest"]}
-- Dance.json --
{"behaviorClass": "Probe", "behaviorID": "Dance"}
-- Rest.json --
{"behaviorClass": "Probe", "behaviorID": "Rest"}
-- Idle.json --
{"behaviorClass": "Probe", "behaviorID": "Idle"}
-- Far.json --
{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Far", "interruptActiveBehavior": false, "behaviors": ["Deep"]}
-- Deep.json --
{"behaviorClass": "Probe", "behaviorID": "Deep"}
-- Lost.json --
{"behaviorClass": "Probe", "behaviorID": "Lost"}
`
)

// probe wants control if the life says so, and stays.
type probe struct {
	id string
	l  *life
}

func (p *probe) WantsToBeActivated(c *behaviors.Control) bool {
	if reason := p.l.reasons[p.id]; reason != "" {
		c.Because(reason+" %v ago", p.l.begin)
	}
	return p.l.wants[p.id]
}

func (*probe) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// A life is a small robot without a body whose answers are recorded.
type life struct {
	t       *testing.T
	eng     *engine.Engine
	begin   time.Time
	late    time.Duration // of each tick
	wants   map[string]bool
	reasons map[string]string
	memory  *record.Memory
	maker   *why.Maker
	answers *behaviors.Answers
	tick    uint64
	placed  [2]string // who is where, as said last
	second  time.Duration
	said    int // bytes
	nodes   []why.Node
}

func newLife(t *testing.T) *life {
	l := &life{t: t, begin: time.Unix(1000, 0), wants: map[string]bool{"Idle": true}, reasons: map[string]string{}}
	classes := behaviors.NewRegistry(dispatch.StrictPriorityClass(),
		behaviors.Class{Name: "Probe", New: func(c *behaviors.Config) behaviors.Behavior { return &probe{c.ID(), l} }})
	cat, diags := behaviortest.Catalog(t, tree, classes, catalog.Boot{Base: "Base", Fallback: "Idle"})
	if cat == nil {
		t.Fatal(diags)
	}
	eng, err := engine.New(engine.Options{Catalog: cat})
	if err != nil {
		t.Fatal(err)
	}
	l.eng = eng
	if err := eng.Start(l.begin); err != nil {
		t.Fatal(err)
	}
	eng.TakeAnswers(nil)
	l.memory = record.NewMemory(record.Life{PeriodNS: int64(period)}, nil, 0, 0)
	l.maker = why.NewMaker(l.begin)
	for _, e := range cat.Entries {
		n := why.Node{ID: e.ID, Class: e.Class.Name, File: e.File, Delegates: e.Delegates}
		switch e.ID {
		case "Base":
			n.Delegates = []string{"Greet", "Charge", "Play", "Idle", "Far"}
		case "Play":
			n.Delegates = []string{"Dance", "Rest"}
		}
		l.nodes = append(l.nodes, n)
	}
	return l
}

func (l *life) steps(n int) {
	l.t.Helper()
	for range n {
		l.tick++
		at := time.Duration(l.tick)*period + l.late
		now := l.begin.Add(at)
		l.eng.Step(engine.Input{Tick: l.tick, Now: now, World: hardware.Snapshot{Now: now}})
		l.answers = l.eng.TakeAnswers(l.answers)
		var batch []record.Message
		say := func(topic, key string, data []byte) {
			l.said += len(data)
			batch = append(batch, record.Message{Tick: l.tick, At: at, Topic: topic, Key: key, Data: data})
		}
		l.maker.Make(l.answers, say)
		batch = append(batch, l.place(at)...)
		if second := at.Truncate(time.Second); second != l.second {
			l.second = second
			batch = append(batch, record.Message{Tick: l.tick, At: at, Topic: "/timing", Data: []byte("{}")})
		}
		l.memory.Tick(l.tick, at, batch)
	}
}

// place says who is where if that changed.
func (l *life) place(at time.Duration) []record.Message {
	type layer struct {
		ID     string  `json:"id"`
		SinceS float64 `json:"since_s"`
	}
	layers, scope := []layer{}, []string{}
	for i := range l.eng.Stack().Layers() {
		c := l.eng.Cell(l.eng.Stack().Layers()[i].Node().ID)
		layers = append(layers, layer{c.Node.ID, c.Since().Sub(l.begin).Round(time.Millisecond).Seconds()})
	}
	l.eng.Stack().EachInScope(func(n *stack.Node) { scope = append(scope, n.ID) })
	encode := func(v any) []byte {
		data, err := json.Marshal(v)
		if err != nil {
			l.t.Fatal(err)
		}
		return data
	}
	all := []record.Message{
		{Tick: l.tick, At: at, Topic: "/stack", Data: encode(map[string]any{"layers": layers})},
		{Tick: l.tick, At: at, Topic: "/scope", Data: encode(map[string]any{"ids": scope})},
	}
	was := l.placed
	l.placed = [2]string{string(all[0].Data), string(all[1].Data)}
	return slices.DeleteFunc(all, func(m record.Message) bool { return slices.Contains(was[:], string(m.Data)) })
}

func (l *life) reader() *why.Reader { return &why.Reader{History: l.memory, Nodes: l.nodes} }

func (l *life) at(id string, tick uint64) *control.Why {
	l.t.Helper()
	w, err := l.reader().At(id, tick)
	if err != nil {
		l.t.Fatal(err)
	}
	return w
}

// Each kind of situation has its sentence, and says what is needed. All of them are asked for at the end, when later ticks have passed.
func TestSentenceOfEverySituation(t *testing.T) {
	l := newLife(t)
	l.reasons["Greet"] = "Ada was greeted"
	l.steps(5)
	quiet := l.tick
	l.wants["Play"], l.wants["Dance"] = true, true
	l.steps(5)
	dancing := l.tick
	l.wants["Greet"] = true
	l.steps(5)
	greeting := l.tick
	l.wants["Greet"], l.wants["Dance"], l.wants["Rest"] = false, false, true
	l.steps(20)
	for _, c := range []struct {
		id    string
		tick  uint64
		text  string
		needs string
	}{
		{"Greet", quiet, "Greet does not want control: Ada was greeted 0.3 s ago", "this must change: Ada was greeted 0.3 s ago"},
		{
			"Charge", quiet, "Charge does not want control: and(OnCharger, TimerInRange(5s..…))=false: OnCharger: charger reading is absent; TimerInRange(5s..…): 0.2 s since reset",
			"the sensor of the charger contacts must work (the reading is absent) | wait 4.8 s",
		},
		{"Idle", quiet, "Idle has control for 0.2 s, from Base", ""},
		{"Dance", quiet, "Dance does not want control: Probe.WantsToBeActivated returned false", "Probe itself must say yes"},
		{"Play", quiet, "Play does not want control: none of its delegates wants control: Dance, Rest", "this must change: none of its delegates wants control: Dance, Rest"},
		{"Far", quiet, "Far was not asked: Idle comes before it in Base, and has control", "Idle must end or stop wanting control"},
		{"Deep", quiet, "Deep is out of scope: Far is not active, which may give it control", "Far must be active"},
		{"Base", dancing, "Base has control for 0.5 s, and gave it to Play", ""},
		{"Dance", dancing, "Dance has control for 0.2 s, from Play", ""},
		{"Idle", dancing, "Idle was not asked: Play comes before it in Base, and has control; it was asked last 0.5 s ago and said yes", "Play must end or stop wanting control"},
		{"Rest", dancing, "Rest was not asked: Dance comes before it in Play, and has control; it was asked last 0.3 s ago and said no: Probe.WantsToBeActivated returned false", "Dance must end or stop wanting control"},
		{"Greet", greeting, "Greet has control for 0.2 s, from Base", ""},
		{"Dance", greeting, "Dance was not asked: Play, which would ask it, is not active; it was asked last 0.5 s ago and said yes", "Play must be active"},
		{"Lost", greeting, "Lost is out of scope: nothing on the stack leads to it", "a behavior that lists it as a delegate must become active"},
	} {
		w := l.at(c.id, c.tick)
		if w.Text != c.text || strings.Join(w.Needs, " | ") != c.needs {
			t.Errorf("%s at tick %d:\n got %q\nwant %q\nneeds %q\n want %q", c.id, c.tick, w.Text, c.text, strings.Join(w.Needs, " | "), c.needs)
		}
	}
}

func TestErrorsNameWhatThereIs(t *testing.T) {
	l := newLife(t)
	l.steps(50)
	r := l.reader()
	_, err := r.At("Gret", 10)
	if err == nil || !strings.Contains(err.Error(), `"Greet"`) {
		t.Errorf("an unknown behavior: %v", err)
	}
	var span why.ErrTime
	if _, err = r.At("Greet", 51); !errors.As(err, &span) || !strings.Contains(err.Error(), "ticks 1 to 50 are (0.1 to 3.0 s)") {
		t.Errorf("a tick after the end: %v", err)
	}
	if _, err = r.Find(time.Minute); !errors.As(err, &span) || !strings.Contains(err.Error(), "60.0 s is not recorded: 0.1 to 3.0 s are") {
		t.Errorf("a time after the end: %v", err)
	}
	if tick, err := r.Ago(time.Second); tick != 33 || err != nil {
		t.Errorf("a second ago was tick %d, %v", tick, err)
	}
	if tick, err := r.Find(0); tick != 1 || err != nil {
		t.Errorf("the start is tick %d, %v", tick, err)
	}
}

// Answers that do not change are said once; the order in which candidates are asked is said with them.
func TestUnchangedAnswersAreSaidOnce(t *testing.T) {
	l := newLife(t)
	l.reasons["Greet"] = "Ada was greeted"
	l.steps(30)
	before := l.said
	l.steps(30)
	if l.said != before {
		t.Errorf("%d bytes for answers that did not change", l.said-before)
	}
	w := l.at("Charge", l.tick)
	if len(w.Before) != 1 || w.Before[0].ID != "Greet" || w.Before[0].Text != "Ada was greeted 3.6 s ago" || w.Before[0].Wanted || !w.Before[0].Asked {
		t.Errorf("before it: %+v", w.Before)
	}
	if w.SinceTick != 1 || w.Asker != "Base" || w.Won != "Idle" {
		t.Errorf("since tick %d, asked by %s, %s won", w.SinceTick, w.Asker, w.Won)
	}
	if i := slices.IndexFunc(w.Gates, func(g control.WhyGate) bool { return strings.HasPrefix(g.Name, "and(") }); i < 0 ||
		w.Gates[i].Parts[1].Values["since_reset_s"] != 3.54 || w.Gates[i].Parts[1].Met == nil {
		t.Errorf("gates %+v", w.Gates)
	}
}
