package resources_test

import (
	"math"
	"time"

	"github.com/robotd/robotd/resources"
)

// sample is what the tests decode: one key for each reader.
type sample struct {
	class, id, label, track       string
	speed, weight, gain, angle    float64
	repeats, count, tries, level  int
	loud, quiet                   bool
	timeout, blink, wait, pause   time.Duration
	tags, aliases, tracks, locks  []string
	points, offsets               []float64
	next, fallback                string
	delegates, timers             []string
	mode, note                    string
	depth                         float64
	stateNames, stateNext, labels []string
}

var (
	sampleClasses = []string{"Greet", "LookAround", "Wait"}
	sampleTracks  = []string{"BODY_TRACK", "HEAD_TRACK", "LIFT_TRACK"}
	sampleNames   = map[string][]string{
		"behavior": {"GreetFace", "LookUp", "ModeSelector", "Wait"},
		"timer":    {"GreetedLately", "SleptLately"},
	}
)

// sampleFile is a file without a mistake, one key a line.
const sampleFile = `// A comment before the object.
{
  "behaviorClass": "Greet",
  "behaviorID": "GreetFace", // trailing "comment" with quotes
  "speed_mmps": 120.5,
  "weight": 2,
  "repeats": 3,
  "count": -4,
  "loud": true,
  "timeout_s": 1.5,
  "blink_ms": 250,
  "tags": ["http://a//b", "/* text */"],
  "points": [0, 0.5, 1],
  "tracks": ["HEAD_TRACK", "BODY_TRACK"],
  "next": "Wait",
  "delegates": ["LookUp", "Wait"],
  "params": {
    "mode": "HEAD_TRACK",
    "depth_mm": 12
  },
  "states": [
    { "name": "first", "next": "LookUp" },
    /* between */
    { "name": "second", "next": "Wait" }
  ],
  "label": "hi",
  "gain": 0.25,
  "angle_deg": -22,
  "tries": 5,
  "level": 6,
  "quiet": true,
  "track": "LIFT_TRACK",
  "cooldown_s": 0,
  "pause_ms": 60,
  "aliases": [],
  "offsets": [-1.5],
  "locks": ["LIFT_TRACK"],
  "fallback": "ModeSelector",
  "timers": ["GreetedLately"],
  "extra": { "note": "caf\u00e9" },
  "transitions": [{ "label": "x" }]
}
// and after it
`

// decodeSample reads every key, required ones first.
func decodeSample(o *resources.Object) sample {
	var s sample
	s.class = o.Enum("behaviorClass", sampleClasses)
	s.id = o.String("behaviorID")
	s.speed = o.FloatRange("speed_mmps", 0, 300)
	s.weight = o.Float("weight")
	s.repeats = o.IntRange("repeats", 1, 10)
	s.count = o.Int("count")
	s.loud = o.Bool("loud")
	s.timeout = o.Seconds("timeout_s")
	s.blink = o.Millis("blink_ms")
	s.tags = o.Strings("tags")
	s.points = o.Floats("points")
	s.tracks = o.Enums("tracks", sampleTracks)
	s.next = o.Ref("next", "behavior")
	s.delegates = o.Refs("delegates", "behavior")
	if params := o.Object("params"); params != nil {
		s.mode = params.Enum("mode", sampleTracks)
		s.depth = params.Float("depth_mm")
	}
	for _, state := range o.Objects("states") {
		s.stateNames = append(s.stateNames, state.String("name"))
		s.stateNext = append(s.stateNext, state.Ref("next", "behavior"))
	}
	decodeOptional(o, &s)
	return s
}

func decodeOptional(o *resources.Object, s *sample) {
	s.label = o.StringOr("label", "none")
	s.gain = o.FloatOr("gain", 1)
	s.angle = o.FloatRangeOr("angle_deg", math.Pi, -22, 45)
	s.tries = o.IntOr("tries", 7)
	s.level = o.IntRangeOr("level", -1, 0, 9)
	s.quiet = o.BoolOr("quiet", false)
	s.track = o.EnumOr("track", "none", sampleTracks)
	s.wait = o.SecondsOr("cooldown_s", -1)
	s.pause = o.MillisOr("pause_ms", time.Second)
	s.aliases = o.StringsOr("aliases", []string{"none"})
	s.offsets = o.FloatsOr("offsets", []float64{9})
	s.locks = o.EnumsOr("locks", []string{"none"}, sampleTracks)
	s.fallback = o.RefOr("fallback", "behavior", "Wait")
	s.timers = o.RefsOr("timers", "timer")
	if extra, ok := o.ObjectOr("extra"); ok {
		s.note = extra.StringOr("note", "")
	}
	for _, t := range o.ObjectsOr("transitions") {
		s.labels = append(s.labels, t.String("label"))
	}
}

// checkSample parses, decodes, finishes and resolves: the complete list of findings about a file.
func checkSample(file string, src []byte) (sample, resources.Diagnostics) {
	doc, diags := resources.Parse(file, src)
	if doc == nil {
		return sample{}, diags
	}
	s := decodeSample(doc.Root())
	doc.Finish()
	diags = append(diags, doc.Diagnostics()...)
	for _, ref := range doc.References() {
		if known := sampleNames[ref.Kind]; !contains(known, ref.Name) {
			diags = append(diags, ref.Unresolved(ref.Kind+"-unresolved", known))
		}
	}
	diags.Sort()
	return s, diags
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}
