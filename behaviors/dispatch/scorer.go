package dispatch

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// A scorer computes the score of a behavior: a flat score or one that follows the mood, times a penalty.
type scorer struct {
	Flat     float64         `key:"flatScore" default:"0" why:"emotionScorers gives the score otherwise" doc:"score that does not change"`
	Emotions []emotionScorer `key:"emotionScorers" default:"" why:"flatScore gives the score otherwise" doc:"the score is their mean"`
	Active   *penalty        `key:"activatedPenalty" default:"none" why:"most behaviors do not tire" doc:"factor over the seconds since it was given control"`
	Again    *penalty        `key:"repetitionPenalty" default:"none" why:"most behaviors may follow themselves" doc:"factor over the seconds since it ended"`
}

// Check wants exactly one kind of score.
func (s *scorer) Check(o *resources.Object, _ *behaviors.Config) {
	flat, moody := o.Has("flatScore"), o.Has("emotionScorers")
	switch {
	case flat && moody:
		o.KeyErrorf("flatScore", "key-conflict", "emotionScorers gives the score already; remove one of the two")
	case !flat && !moody:
		o.Errorf(o.Pos(), resources.CodeKeyRequired, "%s: needs flatScore or emotionScorers", o.Path())
	case moody && len(o.ObjectsOr("emotionScorers")) == 0:
		o.KeyErrorf("emotionScorers", resources.CodeKeyRange, "the list is empty; name at least one emotion, or give a flatScore")
	}
}

// An emotionScorer maps one emotion, or its change over the last deltaTicks, to a score.
type emotionScorer struct {
	Type  string `key:"emotionType" words:"@emotions" doc:"the emotion"`
	Graph curve  `key:"scoreGraph" doc:"score over the emotion; at least two nodes, because one would be a flat score"`
	Delta bool   `key:"trackDelta" default:"false" why:"most scores follow the emotion itself" doc:"follows the change of the emotion in the last 60 ticks"`

	emotion condition.Emotion
}

// Check finds the emotion of the name.
func (e *emotionScorer) Check(*resources.Object, *behaviors.Config) {
	e.emotion = condition.Emotion(max(0, slices.Index(condition.EmotionNames(), e.Type)))
}

// deltaTicks is how far back trackDelta looks.
const deltaTicks = 60

// A penalty is a factor over time. Nil is none.
type penalty struct{ graph condition.Graph }

// ReadObject implements param.ObjectReader.
func (p *penalty) ReadObject(o *resources.Object, _ *behaviors.Config) { p.graph = readGraph(o, 1) }

func (p *penalty) after(d time.Duration) float64 {
	if p == nil {
		return 1
	}
	return p.graph.At(d.Seconds())
}

// A curve is a score over an emotion.
type curve struct{ condition.Graph }

// ReadObject implements param.ObjectReader.
func (c *curve) ReadObject(o *resources.Object, _ *behaviors.Config) { c.Graph = readGraph(o, 2) }

func readGraph(o *resources.Object, least int) condition.Graph {
	defer o.Finish()
	g, _ := condition.ReadGraph(o, least)
	return g
}

// base is the score before penalties. One emotion that scores 0 makes the whole 0.
func (s *scorer) base(v *condition.View) float64 {
	if len(s.Emotions) == 0 {
		return s.Flat
	}
	sum := 0.0
	for i := range s.Emotions {
		e := &s.Emotions[i]
		x := v.Mood.Value(e.emotion)
		if e.Delta {
			x = v.MoodDelta(e.emotion, deltaTicks)
		}
		y := e.Graph.At(x)
		if y == 0 {
			return 0
		}
		sum += y
	}
	return sum / float64(len(s.Emotions))
}

// highest is an upper bound of the score.
func (s *scorer) highest() float64 {
	if len(s.Emotions) == 0 {
		return s.Flat
	}
	sum := 0.0
	for i := range s.Emotions {
		top := 0.0
		for _, n := range s.Emotions[i].Graph.Nodes() {
			top = max(top, n.Y)
		}
		if top == 0 {
			return 0
		}
		sum += top
	}
	return sum
}

// whileActive is the score of a behavior that has had control for d.
func (s *scorer) whileActive(v *condition.View, d time.Duration) float64 {
	return s.base(v) * s.Active.after(d)
}

// after is the score of a behavior that ended d ago.
func (s *scorer) after(v *condition.View, d time.Duration) float64 {
	return s.base(v) * s.Again.after(d)
}
