package dispatch

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// A scorer computes the score of a behavior: a flat score or one that follows the mood, times a penalty.
type scorer struct {
	flat     float64
	emotions []emotionScorer // if not empty, the score is their mean
	active   condition.Graph // activatedPenalty over the seconds since it was given control
	again    condition.Graph // repetitionPenalty over the seconds since it ended
}

// An emotionScorer maps one emotion, or its change over the last deltaTicks, to a score.
type emotionScorer struct {
	emotion condition.Emotion
	graph   condition.Graph
	delta   bool // trackDelta
}

// deltaTicks is how far back trackDelta looks.
const deltaTicks = 60

// readScorer reads the object "scoring" of an entry.
func readScorer(o *resources.Object) scorer {
	defer o.Finish()
	s := scorer{
		flat:   o.FloatOr("flatScore", 0),
		active: readPenalty(o, "activatedPenalty"),
		again:  readPenalty(o, "repetitionPenalty"),
	}
	flat, moody := o.Has("flatScore"), o.Has("emotionScorers")
	switch {
	case flat && moody:
		o.KeyErrorf("flatScore", "key-conflict", "emotionScorers gives the score already; remove one of the two")
	case !flat && !moody:
		o.Errorf(o.Pos(), resources.CodeKeyRequired, "%s: needs flatScore or emotionScorers", o.Path())
	case moody:
		s.emotions = readEmotionScorers(o)
	}
	return s
}

// readPenalty reads an optional graph; without one there is no penalty.
func readPenalty(o *resources.Object, key string) condition.Graph {
	sub, ok := o.ObjectOr(key)
	if !ok {
		return condition.NewGraph(condition.Node{Y: 1})
	}
	g, _ := condition.ReadGraph(sub, 1)
	sub.Finish()
	return g
}

func readEmotionScorers(o *resources.Object) []emotionScorer {
	list := o.ObjectsOr("emotionScorers")
	if len(list) == 0 {
		o.KeyErrorf("emotionScorers", resources.CodeKeyRange, "the list is empty; name at least one emotion, or give a flatScore")
	}
	scorers := make([]emotionScorer, 0, len(list))
	for _, e := range list {
		s := emotionScorer{delta: e.BoolOr("trackDelta", false)}
		if i := slices.Index(condition.EmotionNames(), e.Enum("emotionType", condition.EmotionNames())); i >= 0 {
			s.emotion = condition.Emotion(i)
		}
		if sub := e.Object("scoreGraph"); sub != nil {
			s.graph, _ = condition.ReadGraph(sub, 2) // one node would be a flat score
			sub.Finish()
		}
		e.Finish()
		scorers = append(scorers, s)
	}
	return scorers
}

// base is the score before penalties. One emotion that scores 0 makes the whole 0.
func (s *scorer) base(v *condition.View) float64 {
	if len(s.emotions) == 0 {
		return s.flat
	}
	sum := 0.0
	for i := range s.emotions {
		e := &s.emotions[i]
		x := v.Mood.Value(e.emotion)
		if e.delta {
			x = v.MoodDelta(e.emotion, deltaTicks)
		}
		y := e.graph.At(x)
		if y == 0 {
			return 0
		}
		sum += y
	}
	return sum / float64(len(s.emotions))
}

// whileActive is the score of a behavior that has had control for d.
func (s *scorer) whileActive(v *condition.View, d time.Duration) float64 {
	return s.base(v) * s.active.At(d.Seconds())
}

// after is the score of a behavior that ended d ago.
func (s *scorer) after(v *condition.View, d time.Duration) float64 {
	return s.base(v) * s.again.At(d.Seconds())
}
