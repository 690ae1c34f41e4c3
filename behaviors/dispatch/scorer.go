package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// A scorer says how much a behavior would suit now: a flat score or how it fits the mood, times a penalty.
type scorer struct {
	flat     float64
	emotions []emotionScorer // if not empty, the score is their mean
	active   graph           // activatedPenalty over the seconds since it was given control
	again    graph           // repetitionPenalty over the seconds since it ended
}

// An emotionScorer maps one emotion, or its change over the last deltaTicks, to a score.
type emotionScorer struct {
	emotion condition.Emotion
	graph   graph
	delta   bool // trackDelta
}

// deltaTicks is how far back trackDelta looks.
const deltaTicks = 60

func emotionNames() []string {
	names := make([]string, condition.Emotions)
	for i := range names {
		names[i] = condition.Emotion(i).String()
	}
	return names
}

// readScorer reads the object "scoring" of an entry.
func readScorer(o *resources.Object) scorer {
	defer o.Finish()
	s := scorer{
		flat:   o.FloatOr("flatScore", 0),
		active: readGraphOr(o, "activatedPenalty"),
		again:  readGraphOr(o, "repetitionPenalty"),
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

func readEmotionScorers(o *resources.Object) []emotionScorer {
	list := o.ObjectsOr("emotionScorers")
	if len(list) == 0 {
		o.KeyErrorf("emotionScorers", resources.CodeKeyRange, "the list is empty; name at least one emotion, or give a flatScore")
	}
	scorers := make([]emotionScorer, 0, len(list))
	for _, e := range list {
		name := e.Enum("emotionType", emotionNames())
		s := emotionScorer{delta: e.BoolOr("trackDelta", false)}
		for i, n := range emotionNames() {
			if n == name {
				s.emotion = condition.Emotion(i)
			}
		}
		if sub := e.Object("scoreGraph"); sub != nil {
			s.graph = readGraph(sub, 2) // one node would be a flat score
		}
		e.Finish()
		scorers = append(scorers, s)
	}
	return scorers
}

// base is the score before penalties. One emotion that scores 0 makes the whole 0.
func (s *scorer) base(m *moods) float64 {
	if len(s.emotions) == 0 {
		return s.flat
	}
	sum := 0.0
	for i := range s.emotions {
		e := &s.emotions[i]
		x := m.value(e.emotion)
		if e.delta {
			x = m.delta(e.emotion)
		}
		y := e.graph.at(x)
		if y == 0 {
			return 0
		}
		sum += y
	}
	return sum / float64(len(s.emotions))
}

// whileActive is the score of a behavior that has had control for d.
func (s *scorer) whileActive(m *moods, d time.Duration) float64 {
	return s.base(m) * s.active.factor(d.Seconds())
}

// after is the score of a behavior that ended d ago.
func (s *scorer) after(m *moods, d time.Duration) float64 {
	return s.base(m) * s.again.factor(d.Seconds())
}

// moods is the mood now and, for those who need it, of the last ticks.
type moods struct {
	now  condition.Mood
	past []condition.Mood // a ring of deltaTicks; nil if nobody asks for changes
	next int              // where the oldest stands once the ring is full
	held int
	tick uint64 // of now; 0 before the first
}

// note takes the mood of a tick. A gap, during which the dispatcher was out of scope, forgets what was before.
func (m *moods) note(tick uint64, mood condition.Mood) {
	if tick == m.tick {
		m.now = mood
		return
	}
	if m.past != nil {
		if m.tick == 0 || tick != m.tick+1 {
			m.held, m.next = 0, 0
		} else {
			m.past[m.next] = m.now
			m.next = (m.next + 1) % len(m.past)
			m.held = min(m.held+1, len(m.past))
		}
	}
	m.tick, m.now = tick, mood
}

func (m *moods) value(e condition.Emotion) float64 { return m.now.Value(e) }

// delta is the change since deltaTicks ago, or since the oldest mood that is known.
func (m *moods) delta(e condition.Emotion) float64 {
	if m.held == 0 {
		return 0
	}
	oldest := &m.past[(m.next+len(m.past)-m.held)%len(m.past)]
	return m.now.Value(e) - oldest.Value(e)
}
