package condition

import (
	"fmt"
	"math"
	"strconv"
)

// An Emotion is one dimension of the mood.
type Emotion uint8

// The emotions. Each is a value from -1 to 1 unless the mood configuration says otherwise.
const (
	Happy Emotion = iota
	Confident
	Social
	Stimulated
	Trust
	Emotions = int(Trust) + 1
)

var emotionNames = [Emotions]string{"Happy", "Confident", "Social", "Stimulated", "Trust"}

func (e Emotion) String() string { return emotionNames[e] }

// EmotionNames lists the names of the emotions, in their order.
func EmotionNames() []string { return emotionNames[:] }

// A Mood is the value of every emotion at one tick. It is a plain value; a View holds the present one.
type Mood [Emotions]float64

// Value is the present value of an emotion.
func (m *Mood) Value(e Emotion) float64 { return m[e] }

// A SimpleMood is one of four words for the mood (data/5.5).
type SimpleMood uint8

// The words.
const (
	LowStim SimpleMood = iota
	MedStim
	HighStim
	Frustrated
	SimpleMoods = int(Frustrated) + 1
)

var simpleNames = [SimpleMoods]string{"LowStim", "MedStim", "HighStim", "Frustrated"}

func (s SimpleMood) String() string { return simpleNames[s] }

// Limits of the words.
const (
	lowStimulation = 0.2
	medStimulation = 0.8
	noConfidence   = -0.29
)

// Simple returns the word for the mood. Low stimulation wins over frustration.
func (m *Mood) Simple() SimpleMood {
	switch {
	case m[Stimulated] <= lowStimulation:
		return LowStim
	case m[Confident] < noConfidence:
		return Frustrated
	case m[Stimulated] <= medStimulation:
		return MedStim
	}
	return HighStim
}

// MoodHistory holds one sample of the mood for each of the latest ticks, taken at the start of the tick after the mood
// faded and before any behavior changed it. The newest, that of the present tick, is last. Not to be modified.
type MoodHistory []Mood

// Ago is the sample taken n ticks before that of the present tick: the oldest one if the history is shorter, and the
// zero Mood if there is none.
func (h MoodHistory) Ago(n int) Mood {
	if len(h) == 0 {
		return Mood{}
	}
	return h[max(0, len(h)-1-max(0, n))]
}

// MoodDelta is how much an emotion changed over n ticks: its value now less the sample of n ticks ago; 0 for n below 1.
func (v *View) MoodDelta(e Emotion, n int) float64 {
	if n < 1 {
		return 0
	}
	before := v.MoodHistory.Ago(n)
	return v.Mood[e] - before[e]
}

// MoodBefore is the mood of one tick ago; a transition is a difference between it and the present mood.
func (v *View) MoodBefore() Mood { return v.MoodHistory.Ago(1) }

// emotionTolerance is how far a value may lie from the one that an Emotion condition names.
const emotionTolerance = 1e-5

// emotion is met while an emotion is in a range, both ends included, or has a value.
func (r *reader) emotion() Condition {
	e := Emotion(r.wordIndex("emotion", emotionNames[:]))
	exact, lower, upper := r.Has("value"), r.Has("min"), r.Has("max")
	switch {
	case exact && (lower || upper):
		return r.invalid("", "value and min or max are given: keep one way")
	case !exact && !lower && !upper:
		return r.invalid("", "needs value, or min or max or both")
	}
	low, high := r.numberOr("min", math.Inf(-1), -1, 1), r.numberOr("max", math.Inf(1), -1, 1)
	name := fmt.Sprintf("Emotion(%s %g..%g)", e, low, high)
	if exact {
		value := r.number("value", -1, 1)
		low, high = value-emotionTolerance, value+emotionTolerance
		name = fmt.Sprintf("Emotion(%s %g)", e, value)
	}
	r.ordered("max", high < low)
	return newLeaf(name,
		func(v *View, f *facts) { *f = facts{x: v.Mood[e]} },
		func(f *facts) bool { return f.x >= low && f.x <= high },
		func(f *facts) (string, Values) {
			return fmt.Sprintf("%s is %.2f", e, f.x), one("value", f.x).number("min", low).number("max", high)
		}).needing(func(f *facts, yes bool) string {
		return must("the emotion "+e.String(), yes, "be "+span(low, high, "")) + it(strconv.FormatFloat(f.x, 'f', 2, 64))
	})
}

// simpleMood is met while the mood has a given word, or in the tick of a transition from or to a given word.
func (r *reader) simpleMood() Condition {
	now, from, to := r.Has("mood"), r.Has("from"), r.Has("to")
	switch {
	case now && (from || to):
		return r.invalid("", "mood and from or to are given: keep one way")
	case !now && !from && !to:
		return r.invalid("", "needs mood, or from or to or both")
	case now:
		want := SimpleMood(r.wordIndex("mood", simpleNames[:]))
		return newLeaf("SimpleMood("+want.String()+")",
			func(v *View, f *facts) { *f = facts{n: int32(v.Mood.Simple())} },
			func(f *facts) bool { return SimpleMood(f.n) == want },
			func(f *facts) (string, Values) {
				is := SimpleMood(f.n).String()
				return "mood is " + is, Values{{"mood", is}, {"wanted", want.String()}}
			}).needing(func(f *facts, yes bool) string {
			return must("the mood", yes, "be "+want.String()) + it(SimpleMood(f.n).String())
		})
	}
	source, target := r.anyMood("from"), r.anyMood("to")
	if source == target && source >= 0 {
		r.ordered("to", true)
	}
	name := fmt.Sprintf("SimpleMood(%s to %s)", moodName(source), moodName(target))
	return newLeaf(name,
		func(v *View, f *facts) {
			before := v.MoodBefore()
			*f = facts{n: int32(before.Simple()), m: int32(v.Mood.Simple())}
		},
		func(f *facts) bool {
			was, is := int(f.n), int(f.m)
			return was != is && (source < 0 || source == was) && (target < 0 || target == is)
		},
		func(f *facts) (string, Values) {
			was, is := simpleNames[f.n], simpleNames[f.m]
			return "mood was " + was + ", is " + is, Values{
				{"was", was}, {"mood", is}, {"from", moodName(source)}, {"to", moodName(target)},
			}
		}).needing(func(f *facts, yes bool) string {
		return must("the mood", yes, "change from "+moodName(source)+" to "+moodName(target)) + it(simpleNames[f.m])
	})
}

// anyMood reads an optional word; -1 if it is absent.
func (r *reader) anyMood(key string) int {
	if !r.Has(key) {
		return -1
	}
	return r.wordIndex(key, simpleNames[:])
}

func moodName(m int) string {
	if m < 0 {
		return "any"
	}
	return simpleNames[m]
}
