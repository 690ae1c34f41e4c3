package animation

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// Limits of a clip, and of the body in it.
const (
	maxLength  = 30 * time.Second // half of the time after which an animation is given up
	maxFrames  = 500              // of one track
	headMinDeg = -22.0
	headMaxDeg = 45.0
	headRadPS  = 10.0
	liftMinMM  = 32.0
	liftMaxMM  = 92.0
	liftMMPS   = 200.0
	rollMM     = 300.0
	rollMMPS   = 170.0 // the fastest speed from which the cliff reflex stops in time
	spinDeg    = 1080.0
	spinRadPS  = 5.5
	// On the charger the body may only wiggle: more than this leaves the contacts.
	chargerRollMM  = 5.0
	chargerSpinDeg = 10.0
)

// A degree in radians, and what is left of it beyond the precision of a float64.
const (
	degree = 0x1.1df46a2529d39p-06
	beyond = math.Pi/180 - degree
)

// rad is the float64 nearest to an angle of a file, the same as if the angle stood in code.
func rad(deg float64) float64 { return math.FMA(deg, degree, deg*beyond) }

func quote(s string) string { return strconv.Quote(s) }

// readClip reads a clip: its name and length, and a list of keyframes for each track.
func readClip(o *resources.Object) *Clip {
	c := &Clip{
		Name: o.String("name"), OnCharger: o.BoolOr("bodyMovesOnCharger", false), File: o.File(), Line: o.Pos().Line,
		Length: millis(o.FloatRange("length_ms", 1, millisOf(maxLength))),
	}
	written := 0
	for i, read := range [tracks]func(*resources.Object, *Clip) (Cue, time.Duration){face, lights, sound, head, lift, body} {
		c.Frames = append(c.Frames, readTrack(o, c, trackNames[i], read)...)
		written += len(o.ObjectsOr(trackNames[i]))
	}
	order(c.Frames)
	c.Face = CurveOf(c.Frames)
	if written == 0 {
		o.Errorf(o.Pos(), CodeInvalid, "the clip has no keyframe on any track: want one of face, lights, sound, head, lift, body")
	}
	if c.OnCharger && written > 0 && len(o.ObjectsOr(trackNames[trackBody])) == 0 {
		o.KeyWarnf("bodyMovesOnCharger", CodeInvalid, "changes nothing: the clip does not move the body")
	}
	return c
}

// readTrack reads the keyframes of one track. Two at one instant are a mistake; one that ends after the next begins is probably one.
func readTrack(o *resources.Object, c *Clip, track string, read func(*resources.Object, *Clip) (Cue, time.Duration)) []Keyframe {
	list := o.ObjectsOr(track)
	if len(list) > maxFrames {
		o.KeyErrorf(track, resources.CodeKeyRange, "has %d keyframes, the limit is %d", len(list), maxFrames)
		return nil
	}
	frames := make([]Keyframe, 0, len(list))
	var last, busy time.Duration = -1, 0
	for _, k := range list {
		at := millis(k.FloatRange("at_ms", 0, millisOf(maxLength)))
		do, takes := read(k, c)
		switch {
		case c.Length > 0 && at > c.Length:
			k.KeyErrorf("at_ms", resources.CodeKeyRange, "is after the end of the clip at %g ms", millisOf(c.Length))
		case at <= last:
			k.KeyErrorf("at_ms", CodeInvalid, "the keyframe before it on this track is at %g ms: want a later one", millisOf(last))
		case at < busy:
			k.KeyWarnf("at_ms", CodeCut, "cuts the keyframe before it short, which takes until %g ms", math.Round(millisOf(busy)))
		case c.Length > 0 && at+takes > c.Length && track == trackNames[trackSound]:
			k.KeyWarnf("duration_ms", CodeCut, "is cut short: the clip ends at %g ms", millisOf(c.Length))
		}
		last, busy = at, at+takes
		if do != nil {
			frames = append(frames, Keyframe{At: at, Do: do})
		}
	}
	return frames
}

func millis(ms float64) time.Duration {
	return time.Duration(math.Round(ms * float64(time.Millisecond)))
}

func millisOf(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// face reads an expression, and the numbers of its eyes if there are any.
func face(k *resources.Object, _ *Clip) (Cue, time.Duration) {
	eyes := hardware.ShowFace{
		Face: k.Enum("expression", hardware.Expressions), GazeX: k.FloatRangeOr("gaze_x", 0, -1, 1), GazeY: k.FloatRangeOr("gaze_y", 0, -1, 1),
		Lid: k.FloatRangeOr("lid", 0, 0, 1),
		Shape: hardware.Shape{
			Tall: k.FloatRangeOr("tall", 0, -1, 1), Wide: k.FloatRangeOr("wide", 0, -1, 1),
			Slant: k.FloatRangeOr("slant", 0, -1, 1), Cheek: k.FloatRangeOr("cheek", 0, -1, 1),
		},
	}
	if slices.ContainsFunc([]string{"gaze_x", "gaze_y", "lid", "tall", "wide", "slant", "cheek"}, k.Has) {
		return Look(eyes), 0
	}
	return Eyes(eyes.Face), 0
}

// lights reads one color for all, or one for each.
func lights(k *resources.Object, _ *Clip) (Cue, time.Duration) {
	each := k.StringsOr("colors", nil)
	if either(k, "color", "colors") != "colors" {
		return Glow(color(k, "color", k.StringOr("color", ""))), 0
	}
	var all Lights
	if len(each) != len(all) {
		k.KeyErrorf("colors", resources.CodeKeyRange, "has %d colors, want %d", len(each), len(all))
		return nil, 0
	}
	for i, text := range each {
		all[i] = color(k, "colors", text)
	}
	return all, 0
}

// color reads #rrggbb.
func color(k *resources.Object, key, text string) hardware.RGB {
	n, err := strconv.ParseUint(trimHash(text), 16, 32)
	if err != nil || len(text) != len("#rrggbb") {
		if k.Has(key) {
			k.KeyErrorf(key, resources.CodeKeyRange, "%s is no color: want \"#rrggbb\", such as \"#ff8c14\"", quote(text))
		}
		return hardware.RGB{}
	}
	return hardware.RGB{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n)}
}

func trimHash(text string) string {
	if text != "" && text[0] == '#' {
		return text[1:]
	}
	return ""
}

// sound reads a recorded sound or a text to say.
func sound(k *resources.Object, _ *Clip) (Cue, time.Duration) {
	takes := millis(k.FloatRange("duration_ms", 1, millisOf(maxLength)))
	name, text := k.StringOr("sound", ""), k.StringOr("say", "")
	key := either(k, "sound", "say")
	if k.Has(key) && name+text == "" {
		k.KeyErrorf(key, resources.CodeKeyRange, "is empty")
	}
	if key == "say" {
		return Speech{Text: text, Length: takes}, takes
	}
	return Sound{Clip: name, Length: takes}, takes
}

func head(k *resources.Object, _ *Clip) (Cue, time.Duration) {
	return HeadTo{AngleRad: rad(k.FloatRange("angle_deg", headMinDeg, headMaxDeg)), MaxRadPS: speed(k, "speed_radps", headRadPS)}, 0
}

func lift(k *resources.Object, _ *Clip) (Cue, time.Duration) {
	return LiftTo{HeightMM: k.FloatRange("height_mm", liftMinMM, liftMaxMM), MaxMMPS: speed(k, "speed_mmps", liftMMPS)}, 0
}

// speed reads an optional speed limit; 0 is as fast as possible.
func speed(k *resources.Object, key string, most float64) float64 {
	return k.FloatRangeOr(key, 0, 0.01, most)
}

// body reads a turn in place or a straight drive.
func body(k *resources.Object, c *Clip) (Cue, time.Duration) {
	mm, deg := k.FloatRangeOr("drive_mm", 0, -rollMM, rollMM), k.FloatRangeOr("turn_deg", 0, -spinDeg, spinDeg)
	key, limit := either(k, "turn_deg", "drive_mm"), chargerSpinDeg
	if key == "drive_mm" {
		limit = chargerRollMM
	}
	if c.OnCharger && math.Abs(mm+deg) > limit {
		k.KeyErrorf(key, resources.CodeKeyRange, "is beyond ±%g, and the clip may move the body on the charger: it would leave the contacts", limit)
	}
	if k.Has("turn_deg") && k.Has("drive_mm") {
		k.Declare("speed_mmps", "speed_radps")
		return nil, 0
	}
	if key == "drive_mm" {
		v := k.FloatRange("speed_mmps", 1, rollMMPS)
		return Roll{DistanceMM: mm, SpeedMMPS: v}, lasting(mm, v)
	}
	v := k.FloatRange("speed_radps", 0.1, spinRadPS)
	return Spin{AngleRad: rad(deg), SpeedRadPS: v}, lasting(rad(deg), v)
}

// lasting is about how long a move takes.
func lasting(way, speed float64) time.Duration {
	if speed <= 0 {
		return 0
	}
	return time.Duration(math.Abs(way) / speed * float64(time.Second))
}

// either says which of two keys is there; none or both is an error.
func either(k *resources.Object, one, two string) string {
	a, b := k.Has(one), k.Has(two)
	switch {
	case a && b:
		k.KeyErrorf(two, "key-conflict", "stands beside %s: want one of them", one)
	case !a && !b:
		k.Errorf(k.Pos(), resources.CodeKeyRequired, "want %s or %s in %s", quote(one), quote(two), k.Path())
	case b:
		return two
	}
	return one
}
