package behaviors

import (
	"maps"
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// locksKey is the JSON key of the tracks that an activated behavior locks, and the key of that lock.
const locksKey = "tracksToLockWhileActivated"

var trackNames = map[string]actions.Tracks{
	"NO_TRACKS": 0, "ALL_TRACKS": actions.All, "HEAD_TRACK": actions.Head, "LIFT_TRACK": actions.Lift, "BODY_TRACK": actions.Body,
	"FACE_TRACK": actions.Face, "EVENT_TRACK": actions.Event, "BACKPACK_LIGHTS_TRACK": actions.Backpack, "AUDIO_TRACK": actions.Audio,
}

// TrackWords are the words for tracks in files, sorted.
func TrackWords() []string { return trackWords }

// TracksOf are the tracks that the words of a file name, such as HEAD_TRACK. Other words name none.
func TracksOf(words []string) (t actions.Tracks) {
	for _, w := range words {
		t |= trackNames[w]
	}
	return t
}

// placeOf says where the keys of every behavior belong, to those who wrote them elsewhere.
var placeOf = func() map[string]string {
	places := map[string]string{}
	for _, key := range []string{
		"wantsToBeActivatedWhenCarryingObject", "wantsToBeActivatedWhenOffTreads", "wantsToBeActivatedWhenOnCharger", "resumableInterrupt",
		"cubeConnectionRequirements", "connectToCubeInBackground", "ensuresCubeConnectionAtDelegation",
	} {
		places[key] = "behaviorModifiers"
	}
	for _, key := range []string{"postAudioEvent", "minStreamingDuration_ms", "streamAndLightEffect", "getInTrigger"} {
		places[key] = "pushTriggerWordResponse"
	}
	for _, key := range []string{
		"behaviorClass", "alwaysStreamline", "behaviorModifiers", "wantsToBeActivatedCondition", "wantsToCancelSelfCondition", "respondToUserIntents",
		"showActiveIntentFeedback", "autoShutOffIntentFeedback", "emotionEventOnActivated", "resetTimers", "anonymousBehaviors", "postBehaviorSuggestion",
		"associatedActiveFeature", "behaviorStatToIncrement", locksKey, "alterStreamAfterWakeword", "pushTriggerWordResponse", "expressionWhileActivated", "doing",
	} {
		places[key] = "the object of the behavior"
	}
	return places
}()

var trackWords = slices.Sorted(maps.Keys(trackNames))

// keys is what the common JSON keys say of one behavior, read when it is made.
type keys struct {
	timers  []string
	suggest string
	locks   actions.Tracks
	face    string // expressionWhileActivated; empty for none
	body    bodyKeys
	life    life
}

// usualKeys are those of behaviors that have none of these keys in their file, which share them. Never written.
var usualKeys = keys{life: usualLife}

var usualLife = life{feedback: Feedback{Show: true}}

func (k *keys) usual() bool {
	return len(k.timers) == 0 && k.suggest == "" && k.locks == 0 && k.face == "" && k.body == bodyKeys{} && k.life == usualLife
}

// newInstance reads the keys that every behavior has, then lets the class read its own, and makes one incarnation. Modifiers of code
// win over those of JSON, because Modify runs later.
func newInstance(id string, class *Class, o *resources.Object) (*Instance, *Config) {
	cfg := &Config{Object: o, id: id, class: class}
	o.Document().Places(placeOf)
	i := &Instance{ID: id, Class: class, mods: DefaultModifiers(), keys: &cfg.keys}
	i.readModifiers(cfg)
	if w := cfg.ConditionOr("wantsToBeActivatedCondition"); w != nil {
		i.wants = append(i.wants, w)
	}
	if w := cfg.ConditionOr("wantsToCancelSelfCondition"); w != nil {
		i.cancels = append(i.cancels, w)
	}
	if patterns := o.ObjectsOr("respondToUserIntents"); len(patterns) > 0 {
		switch p := cfg.parser().ParseIntentPatterns(patterns); {
		case p != nil:
			i.respond(p)
		case o.Lenient(): // nobody can ask for it, and without the gate it would always want
			i.wants = append(i.wants, condition.Foreign("UserIntentPending"))
		}
	} else if o.Has("respondToUserIntents") {
		o.KeyErrorf("respondToUserIntents", "intent-unknown", "the list is empty; name at least one intent")
	}
	i.timers = o.RefsOr("resetTimers", RefTimer)
	i.suggest = o.EnumOr("postBehaviorSuggestion", "", condition.Suggestions())
	i.readLocks(cfg)
	i.face = o.EnumOr("expressionWhileActivated", "", hardware.Expressions)
	i.readBody(cfg)
	i.readLife(cfg)
	if i.keys = &usualKeys; !cfg.keys.usual() {
		own := cfg.keys // which the instance keeps without the rest
		i.keys = &own
	}
	i.impl = class.New(cfg)
	i.addWaits(cfg)
	i.updater, _ = i.impl.(Updater)
	i.active, _ = i.impl.(ActivatedUpdater)
	i.readQuestions()
	if s, ok := i.impl.(Subscriber); ok {
		if names := s.Subscriptions(); len(names) > 0 {
			i.subscriptions().names = slices.Clone(names)
		}
	}
	if l, ok := i.impl.(Linker); ok {
		cfg.Link(l.Links()...)
	}
	for _, a := range class.Analyzers {
		cfg.Link(AnalyzerID(a))
	}
	return i, cfg
}

func (i *Instance) readModifiers(cfg *Config) {
	m, ok := cfg.ObjectOr("behaviorModifiers")
	if !ok {
		return
	}
	i.mods.WhenCarryingObject = m.BoolOr("wantsToBeActivatedWhenCarryingObject", i.mods.WhenCarryingObject)
	i.mods.WhenOffTreads = m.BoolOr("wantsToBeActivatedWhenOffTreads", i.mods.WhenOffTreads)
	i.mods.WhenOnCharger = m.BoolOr("wantsToBeActivatedWhenOnCharger", i.mods.WhenOnCharger)
	i.mods.ResumableInterrupt = m.BoolOr("resumableInterrupt", i.mods.ResumableInterrupt)
	m.Refuses("behaviorAlwaysDelegates", nil)
	if m.Has("behaviorAlwaysDelegates") {
		m.BoolOr("behaviorAlwaysDelegates", true)
		m.Errorf(m.KeyPos("behaviorAlwaysDelegates"), "modifier-illegal", "behaviorAlwaysDelegates cannot be set in JSON: the class decides (B-5)")
	}
	i.readCube(m)
	m.Finish()
}

func (i *Instance) readLocks(cfg *Config) {
	for _, n := range cfg.EnumsOr(locksKey, nil, trackWords) {
		i.locks |= trackNames[n]
	}
}

// bodyKeys is what the common JSON keys say about facilities of the body.
type bodyKeys struct {
	alter    bool // the effect of the current response is altered while activated
	effect   condition.StreamEffect
	response *condition.Response // pushed while activated; nil for none
}

// maxStreaming bounds minStreamingDuration_ms: longer than any sentence that a user says.
const maxStreaming = time.Minute

// readBody reads alwaysStreamline, alterStreamAfterWakeword and pushTriggerWordResponse.
func (i *Instance) readBody(cfg *Config) {
	const keyAlter, keyPush = "alterStreamAfterWakeword", "pushTriggerWordResponse"
	if cfg.Has(keyAlter) {
		i.body.effect, i.body.alter = effectOf(cfg.Object, keyAlter)
	}
	m, ok := cfg.ObjectOr(keyPush)
	if !ok {
		return
	}
	if cfg.Has(keyAlter) {
		cfg.Errorf(cfg.KeyPos(keyPush), "stream-conflict", "%s and %s exclude each other: keep one (M-38)", keyAlter, keyPush)
	}
	r := &condition.Response{GetIn: m.RefOr("getInTrigger", RefTrigger, ""), Sound: m.StringOr("postAudioEvent", "")}
	r.MinStreaming = time.Duration(m.IntRangeOr("minStreamingDuration_ms", -1, -1, int(maxStreaming/time.Millisecond))) * time.Millisecond
	r.Effect, _ = effectOf(m, "streamAndLightEffect")
	m.Finish()
	i.body.response = r
}

// effectOf reads an optional effect, and whether there is one.
func effectOf(o *resources.Object, key string) (condition.StreamEffect, bool) {
	e := slices.Index(condition.StreamEffectNames, o.EnumOr(key, "", condition.StreamEffectNames))
	return condition.StreamEffect(max(e, 0)), e >= 0
}

// readCube reads the modifiers about the cube.
func (i *Instance) readCube(m *resources.Object) {
	need := m.EnumOr("cubeConnectionRequirements", i.mods.Cube.String(), cubeRequirementNames)
	i.mods.Cube = CubeRequirement(max(0, slices.Index(cubeRequirementNames, need)))
	i.mods.CubeInBackground = m.BoolOr("connectToCubeInBackground", i.mods.CubeInBackground)
	i.mods.EnsuresCube = m.BoolOr("ensuresCubeConnectionAtDelegation", i.mods.EnsuresCube)
	for _, key := range []string{"visionModesForActivatableScope", "visionModesForActiveScope"} {
		m.Refuses(key, nil)
		if m.Has(key) {
			m.Declare(key)
			m.Errorf(m.KeyPos(key), "modifier-illegal", "%s cannot be set in JSON: the class decides (B-5)", key)
		}
	}
}

// answerWord prepares the response to the trigger word for an activation (B-11 (4)).
func (i *Instance) answerWord(c *Control) {
	switch {
	case i.body.alter:
		c.TriggerWord().AlterStream(i.body.effect) // nothing to alter is counted and logged where it is found
	case i.body.response != nil:
		c.TriggerWord().Respond(*i.body.response)
	}
}

// life is what an activation does to the robot's mood, counters and feature.
type life struct {
	streamlined bool
	emotion     string // emotionEventOnActivated
	stat        string // behaviorStatToIncrement
	feature     string // associatedActiveFeature; empty if it is not given
	feedback    Feedback
}

// readLife reads the keys that say so: data/1.4b, data/1.4e to data/1.4g, data/1.4j and data/1.4k.
func (i *Instance) readLife(cfg *Config) {
	i.life = life{
		streamlined: cfg.BoolOr("alwaysStreamline", false),
		emotion:     cfg.RefOr("emotionEventOnActivated", RefEmotionEvent, ""),
		stat:        cfg.RefOr("behaviorStatToIncrement", RefStat, ""),
		feedback:    Feedback{Show: cfg.BoolOr("showActiveIntentFeedback", true), AutoOff: cfg.BoolOr("autoShutOffIntentFeedback", false)},
	}
	if v, ok := cfg.Optional("associatedActiveFeature"); ok {
		if name, _ := v.Text(); name == NoFeature {
			i.life.feature = NoFeature
		} else {
			i.life.feature = cfg.RefOr("associatedActiveFeature", RefFeature, "")
		}
	}
	cfg.streamlined = i.life.streamlined
}
