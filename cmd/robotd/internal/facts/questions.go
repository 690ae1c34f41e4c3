package facts

import (
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/cmd/robotd/internal/why"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/metrics/record"
)

// askedWithin is how old an answer may be that is shown.
const askedWithin = time.Second

// makeScope says who is in scope, in the order in which they are asked.
func (m *maker) makeScope(b *raw) {
	entries, in := make([]*catalog.Entry, len(b.layers)), make(map[string]bool, len(b.scope))
	for i, l := range b.layers {
		entries[i] = l.cell.Entry
	}
	for _, c := range b.scope {
		in[c.Entry.ID] = true
	}
	v := scopeValue{IDs: []string{}, Askers: []string{}}
	for _, o := range feed.ScopeOrder(m.catalog, entries, in) {
		v.IDs, v.Askers = append(v.IDs, o.ID), append(v.Askers, o.Asker)
	}
	m.set(topicScope, "", v)
}

// makeQuestions says what the behaviors were asked and answered, and who asks whom.
func (m *maker) makeQuestions(b *raw) {
	m.questions.Make(b.answers, func(topic, key string, data []byte) {
		m.batch = append(m.batch, record.Message{Tick: m.tick, At: m.at, Topic: topic, Key: key, Data: data})
	})
}

// makeSentence says what the robot does and why, and what holds it back.
func (m *maker) makeSentence(b *raw) {
	s := &m.situation
	*s = why.Situation{
		AtS: seconds(b.at), Layers: s.Layers[:0], Actions: s.Actions[:0], Devices: s.Devices[:0], Disabled: b.disabled, Intent: b.active, Stop: b.stop,
		Treads: b.world.Body.Treads, Battery: b.world.Body.Battery, Volts: b.world.Battery.Value.Volts, Charging: b.world.Body.Charging,
		NoCharger: !b.world.Body.CanCharge, Drained: b.world.Body.Drained,
		Unguarded: m.opts.Setup.Profile().Stop() == profile.StopProcess,
		Latched:   b.world.Motors.Value.CliffLatched, Missed: b.missed,
	}
	reason := ""
	for _, l := range b.layers {
		s.Layers = append(s.Layers, why.Layer{ID: l.cell.Entry.ID, State: l.state})
		reason = m.questions.Reason(l.cell.Entry.ID)
	}
	for i := range b.actions {
		s.Actions = append(s.Actions, why.Acting{Name: b.actions[i].Name, Owner: b.actions[i].Owner})
	}
	for i, name := range hardware.Names {
		if !m.has(name) {
			continue
		}
		d := why.Device{Name: name, Quality: b.world.QualityOf(name)}
		if i < len(m.devices) {
			d.Cause = m.devices[i].Cause
		}
		s.Devices = append(s.Devices, d)
	}
	if m.opts.Recording != nil && !m.opts.Recording().Up {
		s.Recorder = "the disk takes no more"
	}
	v := sentenceValue{Sentence: m.teller.Sentence(s, reason), Banner: m.teller.Banner(s)}
	if m.set(topicSentence, "", v) {
		m.said.Store(&v)
	}
}

// A sentenceValue is what the robot does, and what holds it back. A text may hold instants, see why.Expand.
type sentenceValue struct {
	Sentence control.SentenceState `json:"sentence"`
	Banner   []control.BannerState `json:"banner"`
}

// at is the value with its times as they were at an instant.
func (v sentenceValue) at(s float64) (control.SentenceState, []control.BannerState) {
	v.Sentence.Why = why.Expand(v.Sentence.Why, s)
	return v.Sentence, v.Banner
}

// Said is what the robot does and what holds it back, as of the newest tick that was worded.
func (r *Recorder) Said(at float64) (control.SentenceState, []control.BannerState) {
	v := r.said.Load()
	if v == nil {
		return control.SentenceState{}, []control.BannerState{}
	}
	return v.at(at)
}

// questions completes the scope of a state view, and says the sentence.
func (v *values) questions(s *control.State, life *lifeValue) {
	var scope scopeValue
	v.get(topicScope, "", &scope)
	s.Scope = make([]control.ScopeEntry, len(scope.IDs))
	for i, id := range scope.IDs {
		e := control.ScopeEntry{ID: id, Class: life.class(id)}
		if i < len(scope.Askers) {
			e.Asker = scope.Askers[i]
		}
		var q why.Question
		if v.get(why.TopicQuestion, id, &q) {
			e.Wants, e.Why = feed.Shown(&q, s.Tick, s.TimeS, uint64(askedWithin.Seconds()*1000/s.PeriodMS))
		}
		s.Scope[i] = e
	}
	var said sentenceValue
	v.get(topicSentence, "", &said)
	s.Sentence, s.Banner = said.at(s.TimeS)
	if s.Banner == nil {
		s.Banner = []control.BannerState{}
	}
}

// Why implements control.Past.
func (p *Past) Why(id string, tick uint64) (*control.Why, error) {
	if err := within(p.Source, tick); err != nil {
		return nil, err
	}
	nodes, err := p.nodes(tick)
	if err != nil {
		return nil, unread(p.Source, tick, err)
	}
	r := why.Reader{History: p.Source, Nodes: nodes}
	w, err := r.At(id, tick)
	if err != nil {
		err = control.Refuse(unread(p.Source, tick, err))
	}
	return w, err
}

// nodes are the behaviors as their files define them, or, of a robot whose files this program does not accept, as far as the recording
// says.
func (p *Past) nodes(tick uint64) ([]why.Node, error) {
	var nodes []why.Node
	if cat, err := p.catalogAt(tick); err == nil {
		for _, e := range cat.Entries {
			nodes = append(nodes, why.Node{ID: e.ID, Class: e.Class.Name, File: e.File, Line: e.Line, Delegates: e.Priority(), Links: e.Links})
		}
		return nodes, nil
	}
	v, err := valuesAt(p.Source, tick, []string{topicLife})
	if err != nil {
		return nil, err
	}
	var life lifeValue
	v.get(topicLife, "", &life)
	for _, id := range life.Behaviors {
		nodes = append(nodes, why.Node{ID: id, Class: life.class(id)})
	}
	return nodes, v.err
}
