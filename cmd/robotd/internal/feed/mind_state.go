package feed

import (
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

func featureOf(e *engine.Engine) control.FeatureState {
	f := e.Feature()
	s := control.FeatureState{Name: f.Feature, Run: f.Run, Source: f.Source}
	if !f.Since.IsZero() {
		s.ActiveS = e.View().Now.Sub(f.Since).Seconds()
	}
	return s
}

// SettingsOf is what people set for good.
func SettingsOf(e *engine.Engine) control.SettingsState {
	s := control.SettingsState{Features: []control.GateState{}, Reactions: []control.ReactionState{}}
	for _, g := range e.Gates() {
		s.Features = append(s.Features, control.GateState{Name: g.Feature, Enabled: g.Enabled, InFiles: g.InFiles, Override: g.Override.String()})
	}
	for _, r := range e.Reactions() {
		s.Reactions = append(s.Reactions, control.ReactionState{Condition: r.Condition, Behavior: e.View().Reactions[r.Condition], Options: r.Options})
	}
	return s
}

func moodOf(v *condition.View) control.MoodState {
	m := control.MoodState{Simple: v.Mood.Simple().String(), Emotions: make(map[string]float64, condition.Emotions)}
	for i, name := range condition.EmotionNames() {
		m.Emotions[name] = v.Mood[i]
	}
	return m
}

func stackOf(e *engine.Engine) []control.StackEntry {
	layers := e.Stack().Layers()
	out := make([]control.StackEntry, len(layers))
	for i := range layers {
		n := layers[i].Node()
		c := e.Cell(n.ID)
		out[i] = control.StackEntry{
			ID: n.ID, Class: c.Entry.Class.Name, State: c.State(), ActiveS: e.View().Now.Sub(c.Since()).Seconds(),
			InControl: i == len(layers)-1,
		}
	}
	return out
}

func (p *Publisher) scopeOf(e *engine.Engine) []control.ScopeEntry {
	out := make([]control.ScopeEntry, 0, e.Stack().ScopeSize())
	tick := e.View().Tick
	layers, in := make([]*catalog.Entry, len(e.Stack().Layers())), make(map[string]bool, cap(out))
	for i := range layers {
		layers[i] = e.Cell(e.Stack().Layers()[i].Node().ID).Entry
	}
	e.Stack().EachInScope(func(n *stack.Node) { in[n.ID] = true })
	for _, o := range ScopeOrder(e.Catalog(), layers, in) {
		c := e.Cell(o.ID)
		n := c.Node
		entry := control.ScopeEntry{ID: n.ID, Class: c.Entry.Class.Name, Asker: o.Asker}
		if asked, yes := n.Asked(); asked > 0 && time.Duration(tick-asked)*p.period <= askedWithin {
			entry.Wants = "yes"
			if !yes {
				entry.Wants, entry.Why = "no", c.Why()
			}
		}
		if n.Disabled() {
			entry.Wants, entry.Why = "no", "disabled: failed too often"
		}
		out = append(out, entry)
	}
	return out
}

func actionsOf(e *engine.Engine) []control.ActionState {
	infos := e.Actions().Running()
	out := make([]control.ActionState, len(infos))
	for i, a := range infos {
		out[i] = control.ActionState{
			Tag: uint64(a.Tag), Slot: a.Slot, Name: a.Name, Status: a.Status, ForS: e.View().Now.Sub(a.Since).Seconds(),
			Tracks: a.Tracks.Names(), Owner: a.Owner,
		}
	}
	return out
}

func tracksOf(e *engine.Engine) []control.TrackState {
	held := e.Actions().Tracks().Holders()
	out := make([]control.TrackState, len(held))
	for i, h := range held {
		out[i] = control.TrackState{Name: h.Name, Holders: h.Holders}
	}
	return out
}
