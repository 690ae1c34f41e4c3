package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// Names of the mood data in a resource folder. Both may be absent: the robot then has emotions that nothing moves.
const (
	MoodFile    = "mood_config.json"
	EmotionsDir = "emotionevents"
)

// codeMoodInvalid is the code of diagnostics about the mood data that have no more general one.
const codeMoodInvalid = "mood-invalid"

// MoodFiles are the mood data of a resource folder as they were parsed. Nil or empty fields mean that there is no such file.
type MoodFiles struct {
	Config *resources.Document
	Events []*resources.Document // by path
	// Unread says that a file could not be read (an empty one can be). An unknown event is not reported then.
	Unread bool
}

// LoadMood parses the mood data of a resource folder. What is absent is left out; what cannot be read is reported.
func LoadMood(tree fs.FS) (*MoodFiles, resources.Diagnostics) {
	var m MoodFiles
	var diags resources.Diagnostics
	if there(tree, MoodFile) {
		m.Config, diags = resources.LoadFile(tree, MoodFile)
		m.Unread = m.Config == nil && diags.HasErrors()
	}
	if there(tree, EmotionsDir) {
		docs, found := resources.LoadDir(tree, EmotionsDir)
		m.Events, diags = docs, append(diags, found...)
		m.Unread = m.Unread || found.HasErrors()
	}
	return &m, diags
}

func there(tree fs.FS, name string) bool {
	_, err := fs.Stat(tree, name)
	return !errors.Is(err, fs.ErrNotExist)
}

// A Mood says how emotions fade, and what moves them (data/5.1a to data/5.4d). It is immutable.
type Mood struct {
	Fading [condition.Emotions]Fading
	Range  [condition.Emotions]Range
	Events map[string]*EmotionEvent
	// Results names the event of an action's end by type and category of its result; absent means none.
	Results map[ActionEnd]string
}

// A Fading says how an emotion goes back to zero. The zero Fading keeps it as it is.
type Fading struct {
	// BySlope selects the meaning of Graph. False: what is left of the value over the seconds since something moved it. True:
	// how much the value loses in a minute, over the value.
	BySlope bool
	Graph   condition.Graph
}

// A Range are the limits of an emotion.
type Range struct{ Min, Max float64 }

// An EmotionEvent moves emotions.
type EmotionEvent struct {
	Name      string
	Affectors []Affector
	// Penalty is the factor for all of it over the seconds since the event happened last.
	Penalty condition.Graph
}

// An Affector adds a value to an emotion.
type Affector struct {
	Emotion condition.Emotion
	Value   float64
}

// An ActionEnd is how an action of a type ended.
type ActionEnd struct {
	Type     actions.Type
	Category actions.Category
}

// EventNames lists the emotion events, sorted.
func (m *Mood) EventNames() []string {
	names := make([]string, 0, len(m.Events))
	for n := range m.Events {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// noPenalty is the factor of an event that may be repeated.
func noPenalty() condition.Graph { return condition.NewGraph(condition.Node{Y: 1}) }

// readMood makes the mood that the files describe. lost says that an event of theirs could not be read.
func readMood(files *MoodFiles) (m Mood, lost bool) {
	r := newMoodReader()
	for i := range r.mood.Range {
		r.mood.Range[i] = Range{Min: -1, Max: 1}
	}
	if files == nil {
		return r.mood, false
	}
	if files.Config != nil {
		r.config(files.Config)
	}
	for _, d := range files.Events {
		r.events(d.Root(), true)
		d.Finish()
	}
	return r.mood, r.lost
}

func newMoodReader() *moodReader {
	return &moodReader{mood: Mood{Events: map[string]*EmotionEvent{}, Results: map[ActionEnd]string{}}, penalty: noPenalty()}
}

// A moodReader reads the files of one mood.
type moodReader struct {
	mood    Mood
	penalty condition.Graph // of events without one of their own
	lost    bool            // an event was not read
}

// config reads mood_config.json (data/5.1a, data/5.1f).
func (r *moodReader) config(d *resources.Document) {
	root := d.Root()
	if o, ok := root.ObjectOr("defaultRepetitionPenalty"); ok {
		if g, ok := condition.ReadGraph(o, 1); ok {
			r.penalty = g
		}
	}
	r.fadings(root.ObjectsOr("decayGraphs"))
	r.ranges(root.ObjectsOr("valueRanges"))
	if o, ok := root.ObjectOr("eventMapper"); ok {
		r.events(o, false)
	}
	if o, ok := root.ObjectOr("actionResultEmotionEvents"); ok {
		r.results(o)
	}
	for _, key := range []string{"audioParameterMap", "simpleMoodAudioParameters"} {
		if root.Has(key) {
			root.KeyWarnf(key, codeMoodInvalid, "has no effect: this robot's speaker has no parameters")
		}
	}
	d.Finish()
}

// defaultFading is the emotionType of the graph for all emotions that have none.
const defaultFading = "default"

// fadings reads how emotions fade.
func (r *moodReader) fadings(list []*resources.Object) {
	var given [condition.Emotions]bool
	var rest *Fading
	for _, o := range list {
		name := o.Enum("emotionType", append(condition.EmotionNames(), defaultFading))
		f := Fading{BySlope: o.Enum("graphType", []string{"TimeRatio", "ValueSlope"}) == "ValueSlope"}
		g, ok := condition.ReadGraph(o, 1)
		if !ok || o.Spoilt("graphType") || !o.Has("graphType") || !sound(o, g, f.BySlope) {
			continue
		}
		f.Graph = g
		if name == defaultFading {
			rest = &f
		} else if i := slices.Index(condition.EmotionNames(), name); i >= 0 {
			if given[i] {
				o.KeyErrorf("emotionType", codeMoodInvalid, "%s has a graph already", name)
			}
			r.mood.Fading[i], given[i] = f, true
		}
	}
	for i := range given {
		if !given[i] && rest != nil {
			r.mood.Fading[i] = *rest
		}
	}
}

// sound reports whether a graph can describe a fading; if not, it reports why to the object.
func sound(o *resources.Object, g condition.Graph, bySlope bool) bool {
	nodes := g.Nodes()
	for i, n := range nodes {
		switch {
		case n.Y < 0:
			o.KeyErrorf("nodes", condition.CodeGraphInvalid, "node %d: y is %g; an emotion fades towards zero, so it cannot be negative", i, n.Y)
		case !bySlope && n.X < 0:
			o.KeyErrorf("nodes", condition.CodeGraphInvalid, "node %d: x is %g; these are seconds, which cannot be negative", i, n.X)
		case !bySlope && i > 0 && n.Y > nodes[i-1].Y:
			o.KeyErrorf("nodes", condition.CodeGraphInvalid, "node %d: y grows from %g to %g; what is left of an emotion cannot grow", i, nodes[i-1].Y, n.Y)
		default:
			continue
		}
		return false
	}
	return true
}

// ranges reads the limits of emotions. Zero must lie within them: that is where every emotion begins and ends.
func (r *moodReader) ranges(list []*resources.Object) {
	for _, o := range list {
		i := slices.Index(condition.EmotionNames(), o.Enum("emotionType", condition.EmotionNames()))
		limits := Range{Min: o.FloatRange("min", -1, 0), Max: o.FloatRange("max", 0, 1)}
		if i >= 0 {
			r.mood.Range[i] = limits
		}
	}
}

// events reads {"emotionEvents": […]}, or, where alone allows it, the one event that the object is.
func (r *moodReader) events(o *resources.Object, alone bool) {
	if _, misspelt := o.Resembles("emotionEvents"); alone && !misspelt && !o.Has("emotionEvents") {
		r.event(o)
		return
	}
	if _, there := o.Peek("emotionEvents"); !there {
		r.lost = true
	}
	for _, e := range o.Objects("emotionEvents") {
		r.event(e)
	}
}

// event reads one emotion event (data/5.4a). A later one of the same name takes the place of the earlier (data/5.4b).
func (r *moodReader) event(o *resources.Object) {
	e := &EmotionEvent{Name: o.String("name"), Penalty: r.penalty}
	for _, a := range o.Objects("emotionAffectors") {
		i := slices.Index(condition.EmotionNames(), a.Enum("emotionType", condition.EmotionNames()))
		value := a.FloatRange("value", -2, 2)
		if i >= 0 {
			e.Affectors = append(e.Affectors, Affector{condition.Emotion(i), value})
		}
	}
	if p, ok := o.ObjectOr("repetitionPenalty"); ok {
		if g, ok := condition.ReadGraph(p, 1); ok {
			e.Penalty = g
		}
	}
	if e.Name == "" {
		r.lost = true
		if v, ok := o.Optional("name"); ok && v.Kind() == resources.KindString {
			o.KeyErrorf("name", codeMoodInvalid, "an emotion event needs a name")
		}
		return
	}
	if r.mood.Events[e.Name] != nil {
		o.KeyWarnf("name", codeMoodInvalid, "%q is defined a second time; the later definition counts", e.Name)
	}
	r.mood.Events[e.Name] = e
}

// results reads which emotion events the ends of actions are.
func (r *moodReader) results(o *resources.Object) {
	names := o.Keys()
	if o.Probing() {
		names = slices.DeleteFunc(actions.TypeNames(), func(name string) bool { t, _ := actions.ParseType(name); return t == actions.TypeAny })
	}
	for _, name := range names {
		t, known := actions.ParseType(name)
		if !known || t == actions.TypeAny {
			o.Declare(name)
			o.Report(unknownType(o, name))
			continue
		}
		ends, ok := o.ObjectOr(name)
		if !ok {
			continue
		}
		for _, c := range []struct {
			key string
			is  actions.Category
		}{{"SUCCESS", actions.CategorySuccess}, {"RETRY", actions.CategoryRetry}, {"ABORT", actions.CategoryAbort}} {
			if event := ends.RefOr(c.key, behaviors.RefEmotionEvent, ""); event != "" {
				r.mood.Results[ActionEnd{t, c.is}] = event
			}
		}
	}
}

func unknownType(o *resources.Object, name string) resources.Diagnostic {
	at := o.KeyPos(name)
	return resources.Diagnostic{
		Line: at.Line, Col: at.Col, Severity: resources.Error, Code: codeMoodInvalid,
		Message: fmt.Sprintf("there is no action type %q", name), Hint: resources.DidYouMean(name, actions.TypeNames()),
	}
}
