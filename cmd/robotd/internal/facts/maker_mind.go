package facts

import (
	"slices"
	"strconv"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

func lifeOf(o setup.Options, cat *catalog.Catalog) lifeValue {
	fixed := feed.FixedState(o, cat)
	v := lifeValue{
		PeriodMS: fixed.PeriodMS, Robot: fixed.Robot, Version: fixed.Version, Simulated: fixed.Simulated, Behaviors: fixed.Behaviors,
		Intents: fixed.Intents, Stages: fixed.Stages, Parts: fixed.Parts, Definitions: fixed.Definitions,
	}
	for _, e := range cat.Entries {
		v.Classes = append(v.Classes, e.Class.Name)
	}
	return v
}

// makeEvents says what happened in a tick and since the one before.
func (m *maker) makeEvents(b *raw) {
	for _, n := range b.notes {
		m.tell(n.at, n.eventValue)
	}
	for i := range b.events {
		m.tell(b.at, wordStack(&b.events[i]))
	}
	for i := range b.done {
		d := &b.done[i]
		text := d.name + " ended: " + d.result
		if d.detail != "" {
			text += " (" + d.detail + ")"
		}
		m.tell(b.at, eventValue{kindAction, d.owner, text})
	}
	for _, text := range b.replies {
		m.tell(b.at, eventValue{kindCommand, "operator", text})
	}
	for i := range b.features {
		if f := &b.features[i]; !f.Ended {
			m.tell(b.at, eventValue{kindFeature, f.Feature, "by " + f.Source})
		}
	}
	m.tellIntents(b)
	m.tellStop(b)
	for i := range b.lines {
		m.log(b, &b.lines[i])
	}
}

func (m *maker) tellIntents(b *raw) {
	if b.pending != m.pending && b.pending != "" {
		m.tell(b.at, eventValue{kindIntent, b.pending, "is pending"})
	}
	if b.active != m.active {
		if b.active != "" {
			m.tell(b.at, eventValue{kindIntent, b.active, "is active"})
		} else {
			m.tell(b.at, eventValue{kindIntent, m.active, "is done"})
		}
	}
	m.pending, m.active = b.pending, b.active
	put(m, topicIntent, "", control.IntentState{Pending: b.pending, Active: b.active})
}

func (m *maker) tellStop(b *raw) {
	was, is := m.stop.Mind || m.stop.Line, b.stop.Mind || b.stop.Line
	switch {
	case is && (!was || b.stop.Number != m.stop.Number):
		m.tell(b.at, eventValue{kindStop, "robot", "emergency stop " + strconv.FormatUint(b.stop.Number, 10)})
	case was && !is:
		m.tell(b.at, eventValue{kindStop, "robot", "resumed"})
	}
	m.stop = b.stop
	put(m, topicStop, "", b.stop)
}

func (m *maker) log(b *raw, l *control.LogEntry) {
	m.lines++
	v := logValue{
		Timestamp: stampOf(m.opts.Start.Add(control.Seconds(l.TimeS))), Level: slices.Index(levels, l.Level), Message: l.Text, Name: "robotd",
		TimeS: round(l.TimeS, 1000),
	}
	m.say(topicLog, strconv.FormatUint(m.lines, 10), v)
	m.batch[len(m.batch)-1].Instant = true
}

// levels are the words of foxglove.Log's levels. Never written.
var levels = []string{"", "debug", "info", "warn", "error"}

func (m *maker) makeStack(b *raw) {
	put(m, topicBoot, "", b.boot)
	moved := !slices.Equal(b.layers, m.layers) || b.tick == 1
	if moved {
		m.layers = append(m.layers[:0], b.layers...)
		v := stackValue{Layers: make([]layerValue, len(b.layers))}
		for i, l := range b.layers {
			v.Layers[i] = layerValue{l.cell.Entry.ID, l.cell.Entry.Class.Name, l.state, m.since(l.since)}
		}
		m.set(topicStack, "", v)
	}
	if !b.sameScope || moved {
		m.makeScope(b)
	}
	m.makeQuestions(b)
}

// makeActions says which actions run and how they ended.
func (m *maker) makeActions(b *raw) {
	for i := range b.done {
		d := &b.done[i]
		key := strconv.FormatUint(d.tag, 10)
		v := actionValue{Tag: d.tag, Name: d.name, Status: "ended", SinceS: seconds(b.at), Tracks: []string{}, Owner: d.owner}
		if was, ok := m.actions[actions.Tag(d.tag)]; ok {
			v = m.actionOf(&was)
		}
		v.Result, v.Detail = d.result, d.detail
		m.say(topicAction, key, v)
		m.gone(topicAction, key)
		delete(m.actions, actions.Tag(d.tag))
	}
	clear(m.known)
	for i := range b.actions {
		a := &b.actions[i]
		m.known[a.Tag] = true
		if was, ok := m.actions[a.Tag]; !ok || was != *a {
			m.actions[a.Tag] = *a
			m.set(topicAction, strconv.FormatUint(uint64(a.Tag), 10), m.actionOf(a))
		}
	}
	for tag := range m.actions { // at most one at a time: ends are told
		if !m.known[tag] {
			delete(m.actions, tag)
			m.gone(topicAction, strconv.FormatUint(uint64(tag), 10))
		}
	}
	if b.tracks != nil {
		v := tracksValue{Tracks: make([]control.TrackState, len(b.tracks))}
		for i, h := range b.tracks {
			v.Tracks[i] = control.TrackState{Name: h.Name, Holders: h.Holders}
		}
		m.set(topicTracks, "", v)
	}
}

func (m *maker) actionOf(a *actions.Info) actionValue {
	return actionValue{
		Tag: uint64(a.Tag), Slot: a.Slot, Name: a.Name, Status: a.Status, SinceS: m.since(a.Since), Tracks: a.Tracks.Names(), Owner: a.Owner,
	}
}

// makeMind says mood, feature, stats and services.
func (m *maker) makeMind(b *raw) {
	mood := b.mood
	for i := range mood {
		mood[i] = round(mood[i], 100)
	}
	p := place{topicMood, ""}
	simple := b.mood.Simple().String()
	if last, ok := m.last[p].(moodKey); !ok || last != (moodKey{mood, simple}) {
		m.last[p] = moodKey{mood, simple}
		v := control.MoodState{Simple: simple, Emotions: map[string]float64{}}
		for i, name := range condition.EmotionNames() {
			v.Emotions[name] = mood[i]
		}
		m.say(topicMood, "", v)
	}
	put(m, topicFeature, "", featureValue{b.feature.Feature, b.feature.Run, m.since(b.feature.Since), b.feature.Source})
	if b.stats != nil {
		m.set(topicStats, "", statsValue{b.stats})
	}
	if b.settings != nil {
		m.set(topicSettings, "", b.settings)
	}
	if b.services != nil {
		m.set(topicServices, "", b.services)
	}
}

type moodKey struct {
	mood   condition.Mood
	simple string
}
