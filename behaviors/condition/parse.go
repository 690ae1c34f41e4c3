package condition

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/robotd/robotd/resources"
)

// CodeInvalid is the code of diagnostics about conditions that have no more general one (data/3.1a).
const CodeInvalid = "condition-invalid"

// Kinds of the references that conditions record, see [resources.Reference].
const (
	RefIntent  = "intent"  // tag of a user intent
	RefTimer   = "timer"   // named behavior timer
	RefFeature = "feature" // of the product
)

// The keys that say what a condition object is.
const (
	keyType   = "conditionType"
	keyCustom = "customCondition"
)

// A Parser builds conditions from JSON, with the conditions, types and predicates that the calling code provides. The zero Parser has none.
// It is a plain value: nothing is registered anywhere else, and a built condition stays usable when its name leaves the maps.
type Parser struct {
	// Custom holds the conditions that "customCondition" may name. They are used as they are, not copied: two
	// references share one memory.
	Custom map[string]Condition
	// Predicates holds the tests that "_lambda" of an intent pattern may name. A predicate must change nothing.
	Predicates map[string]func(*Intent) bool
	// Types are the condition types that the program adds.
	Types *Set
	// Besides are keys of a condition's object that its owner reads.
	Besides []string
}

// Parse builds the condition that o describes, without custom conditions. It reports mistakes in the list of o's
// document and returns nil if one of them is an error.
func Parse(o *resources.Object) Condition { return Parser{}.Parse(o) }

// ParseWith is [Parse] with the conditions that "customCondition" may name.
func ParseWith(o *resources.Object, custom map[string]Condition) Condition {
	return Parser{Custom: custom}.Parse(o)
}

// Parse is the package's [Parse] with the conditions and predicates of p.
func (p Parser) Parse(o *resources.Object) Condition {
	switch {
	case o.ProbeAs(resources.KindCondition):
		return True()
	case o.Lenient():
		return p.lenient(o)
	}
	return p.build(o)
}

// build builds the condition, or returns nil after a mistake.
func (p Parser) build(o *resources.Object) Condition {
	r := &reader{Object: o, parser: p}
	typed, custom := o.Has(keyType), o.Has(keyCustom)
	switch {
	case typed && custom:
		o.Declare(o.Keys()...)
		return r.invalid("", "both %s and %s are given: keep one", keyType, keyCustom)
	case typed:
		return r.typed()
	case custom:
		return r.custom()
	}
	o.Declare(r.notLike(keyType, keyCustom)...)
	r.invalid("", "needs %s or %s", keyType, keyCustom)
	o.Finish()
	return nil
}

// notLike lists the keys that are not probably meant as one of those that are missing.
func (r *reader) notLike(missing ...string) []string {
	return slices.DeleteFunc(r.Keys(), func(key string) bool {
		_, near := resources.Nearest(key, missing)
		return near
	})
}

// typed builds a condition of a named type.
func (r *reader) typed() Condition {
	name, ok := r.Required(keyType).Text()
	if !ok {
		r.Declare(r.Keys()...)
		r.StringOr(keyType, "") // reports the type
		return nil
	}
	if k := kindNamed(name); k != nil {
		c := k.build(r)
		r.unknown(name, k.keys, keyCustom)
		if r.bad {
			return nil
		}
		return c
	}
	if t := r.parser.Types.find(name); t != nil {
		return r.added(t)
	}
	r.Declare(r.Keys()...)
	if name == typeLambda || name == typeInvalid {
		r.fromCode(name)
		return nil
	}
	r.noneNamed(keyType, "condition type", name, slices.Concat(Types(), r.parser.Types.Types()))
	return nil
}

// custom finds a condition from code by its name.
func (r *reader) custom() Condition {
	name, ok := r.Required(keyCustom).Text()
	if !ok {
		r.Declare(r.Keys()...)
		r.StringOr(keyCustom, "")
		return nil
	}
	r.unknown("a custom condition", []string{keyCustom}, keyType)
	c := r.parser.Custom[name]
	if c == nil {
		r.noneNamed(keyCustom, "custom condition", name, sortedKeys(r.parser.Custom))
	}
	if r.bad {
		return nil
	}
	return c
}

// noneNamed reports an unknown name, with the nearest known one.
func (r *reader) noneNamed(key, what, name string, known []string) {
	r.bad = true
	at := r.ValuePos(key)
	r.Report(resources.Diagnostic{
		Line: at.Line, Col: at.Col, Severity: resources.Error, Code: CodeInvalid,
		Message: fmt.Sprintf("%sno %s is named %.64q", r.prefix(), what, name), Hint: resources.DidYouMean(name, known),
	})
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// kind is a condition type: its name, the keys besides conditionType, and how it is built. After a mistake the reader
// is marked bad, and what build returns is dropped.
type kind struct {
	name        string
	keys        []string
	build       func(r *reader) Condition
	unsupported bool // this robot does not have its facts: it is never met
}

// Names that are used in more than one place.
const (
	// TypeTrue is always met.
	TypeTrue       = "TrueCondition"
	typeUnitTest   = "UnitTestCondition"
	typeBecameTrue = "BecameTrueThisTick"
	typeDedup      = "TimedDedup"
)

// table holds all condition types, with conditionType among their keys. The first reader fills it, because the types refer to the reader
// that looks them up; then it never changes.
var table struct {
	once   sync.Once
	kinds  []kind
	byName map[string]*kind
}

// kinds lists all condition types by name.
func kinds() []kind {
	table.once.Do(func() {
		table.kinds = append(allKinds(), unsupportedKinds()...)
		slices.SortFunc(table.kinds, func(a, b kind) int { return strings.Compare(a.name, b.name) })
		table.byName = make(map[string]*kind, len(table.kinds))
		for i := range table.kinds {
			k := &table.kinds[i]
			k.keys = append([]string{keyType}, k.keys...)
			table.byName[k.name] = k
		}
	})
	return table.kinds
}

// kindNamed returns the condition type of a name, or nil.
func kindNamed(name string) *kind {
	kinds()
	return table.byName[name]
}

// allKinds is the table of the types that this robot has the facts for.
func allKinds() []kind {
	of := func(name string, keys []string, build func(r *reader) Condition) kind {
		return kind{name: name, keys: keys, build: build}
	}
	return []kind{
		of("AnyUserIntent", nil, (*reader).anyIntent),
		of("AnyStimuli", stimuli(), (*reader).anyStimuli),
		of("BatteryLevel", []string{"targetBatteryLevel"}, (*reader).batteryLevel),
		of("BeatDetected", []string{"allowPotentialBeat"}, (*reader).beatDetected),
		of(typeBecameTrue, []string{"subCondition"}, (*reader).becameTrue),
		of("BehaviorSuggested", []string{"postBehaviorSuggestion", "maxTicksForSuggestion"}, (*reader).suggested),
		of("BehaviorTimer", []string{"timerName", "cooldown_s"}, (*reader).behaviorTimer),
		of("BeingHeld", []string{"shouldBeHeld", "minTimeSinceChange_ms", "maxTimeSinceChange_ms"}, (*reader).beingHeld),
		of("CarryingCube", nil, (*reader).carryingCube),
		of("CliffDetected", []string{"numCliffDetectionsToTrigger", "shouldDetectNoCliffs", "minDuration_ms", "maxDuration_ms"}, (*reader).cliffDetected),
		of("Compound", []string{string(opNot), string(opAnd), string(opOr)}, (*reader).compound),
		of("ConnectedToCube", []string{"connectionType"}, (*reader).connectedToCube),
		of("ConsoleVar", []string{"variable", "value"}, (*reader).consoleVar),
		of("CubeTapped", []string{"maxTapResponseTimeSec"}, (*reader).cubeTapped),
		of("DeviceFailed", []string{"device"}, (*reader).deviceFailed),
		of("Emotion", []string{"emotion", "value", "min", "max"}, (*reader).emotion),
		of("EngineErrorCodeReceived", []string{"engineErrorCode"}, (*reader).engineError),
		of("EyeContact", nil, (*reader).eyeContact),
		of("FaceKnown", []string{"maxFaceDist_mm", "maxFaceAge_s", "mustBeNamed"}, (*reader).faceKnown),
		of("FacePositionUpdated", nil, func(*reader) Condition { return newFacePosition() }),
		of("FeatureGate", []string{"feature", "expected"}, (*reader).featureGate),
		of("HighTemperature", nil, (*reader).highTemperature),
		of("IlluminationDetected", []string{
			"preTriggerStates", "preConfirmationTime", "preConfirmationMinNum",
			"postTriggerStates", "postConfirmationTime", "postConfirmationMinNum", "matchHoldTime",
		}, (*reader).illumination),
		of("IsNightTime", nil, (*reader).nightTime),
		of("MotionDetected", []string{"motionArea", "motionLevel"}, (*reader).motionDetected),
		of("MotionDetectedWithProx", nil, (*reader).motionWithProx),
		of("ObjectInitialDetection", []string{"objectTypes", "firstTimeOnly", "maxAge_ms"}, (*reader).initialDetection),
		of("ObjectKnown", []string{"objectTypes", "maxAge_ms"}, (*reader).objectKnown),
		of("ObjectPositionUpdated", nil, (*reader).objectPosition),
		of("ObstacleDetected", nil, (*reader).obstacleDetected),
		of("OffTreadsState", []string{"targetState", "minTimeSinceChange_ms", "maxTimeSinceChange_ms"}, (*reader).offTreads),
		of("OnCharger", nil, (*reader).onCharger),
		of("OnChargerPlatform", nil, (*reader).onPlatform),
		of("PetInitialDetection", nil, (*reader).petDetection),
		of("ProxInRange", []string{"minProxDist_mm", "maxProxDist_mm", "invalidSensorReturn"}, (*reader).proxInRange),
		of("RobotHeldInPalm", []string{"shouldBeHeldInPalm", "minDuration_s", "maxDuration_s"}, (*reader).heldInPalm),
		of("RobotInHabitat", nil, (*reader).inHabitat),
		of("RobotPickedUp", nil, (*reader).pickedUp),
		of("RobotPitchInRange", []string{"minPitchThreshold_deg", "maxPitchThreshold_deg"}, (*reader).pitchInRange),
		of("RobotPlacedOnSlope", nil, (*reader).placedOnSlope),
		of("RobotPoked", []string{"wasPokedRecentlyTimeThreshold_sec"}, (*reader).poked),
		of("RobotRollInRange", []string{"minRollThreshold_deg", "maxRollThreshold_deg"}, (*reader).rollInRange),
		of("RobotShaken", []string{"minAccelMagnitudeThreshold"}, (*reader).shaken),
		of("RobotTouched", []string{"minTouchTime"}, (*reader).touched),
		of("SalientPointDetected", []string{"targetSalientPoint"}, (*reader).salientPoint),
		of("SimpleMood", []string{"mood", "from", "to"}, (*reader).simpleMood),
		of("StuckOnEdge", []string{"enableWhileHeldOnPalm"}, (*reader).stuckOnEdge),
		of("TimePowerButtonPressed", []string{"minTimeButtonPressed_ms"}, (*reader).buttonPressed),
		of(typeDedup, []string{"subCondition", "dedupInterval_ms"}, (*reader).timedDedup),
		of("TimerInRange", []string{"begin_s", "end_s", "manualResetOnly"}, (*reader).timerInRange),
		of("TooHotToCharge", nil, (*reader).tooHotToCharge),
		of("TriggerWordPending", nil, (*reader).triggerWord),
		of(TypeTrue, nil, func(*reader) Condition { return True() }),
		of(typeUnitTest, []string{"value"}, func(r *reader) Condition { return NewUnitTest(r.flagOr("value", false)) }),
		of("UnexpectedMovement", nil, (*reader).unexpectedMovement),
		of("UserIntentActive", []string{"list"}, (*reader).intentActive),
		of("UserIntentPending", []string{"list"}, (*reader).intentPending),
		of("UserIsHoldingCube", nil, (*reader).userHoldsCube),
	}
}

// Types lists the names that conditionType may have, sorted. [Unsupported] has those of them that are never met.
func Types() []string {
	all := kinds()
	names := make([]string, len(all))
	for i, k := range all {
		names[i] = k.name
	}
	return names
}

// Keys lists the keys of a type besides conditionType, in the order in which they are written; nil for an unknown one.
func Keys(name string) []string {
	if k := kindNamed(name); k != nil {
		return slices.Clone(k.keys[1:])
	}
	return nil
}

func (r *reader) becameTrue() Condition {
	sub := r.sub("subCondition")
	if sub == nil {
		return nil
	}
	return BecameTrue(sub)
}

func (r *reader) timedDedup() Condition {
	sub, interval := r.sub("subCondition"), r.millis("dedupInterval_ms")
	if sub == nil {
		return nil
	}
	return Dedup(sub, interval)
}
