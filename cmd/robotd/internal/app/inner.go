package app

import (
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
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

func moodOf(v *condition.View) control.MoodState {
	m := control.MoodState{Simple: v.Mood.Simple().String(), Emotions: make(map[string]float64, condition.Emotions)}
	for i, name := range condition.EmotionNames() {
		m.Emotions[name] = v.Mood[i]
	}
	return m
}

func statsOf(e *engine.Engine) []control.StatState {
	names := e.StatNames()
	stats := make([]control.StatState, len(names))
	for i, name := range names {
		stats[i] = control.StatState{Name: name, Count: e.Stat(name)}
	}
	return stats
}
