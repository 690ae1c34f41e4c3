package express

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	ms  = time.Millisecond
	deg = math.Pi / 180
)

// ClipNames lists the built-in clips, sorted.
func ClipNames() []string {
	names := make([]string, 0, 16)
	for _, c := range clips() {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return names
}

// FindClip returns a built-in clip.
func FindClip(name string) (Clip, bool) {
	for _, c := range clips() {
		if c.Name == name {
			return c, true
		}
	}
	return Clip{}, false
}

// at is a keyframe.
func at(t time.Duration, do Cue) Keyframe { return Keyframe{At: t, Do: do} }

func warm() Glow   { return Glow{R: 255, G: 140, B: 20} }
func cool() Glow   { return Glow{R: 20, G: 90, B: 255} }
func green() Glow  { return Glow{R: 10, G: 200, B: 60} }
func alarm() Glow  { return Glow{R: 255, G: 200} } // red is for what is wrong with the robot
func violet() Glow { return Glow{R: 150, G: 30, B: 200} }
func dark() Glow   { return Glow{} }

// clips builds the table. It is a function, so the table cannot be changed.
func clips() []Clip {
	return slices.Concat(socialClips(), reactionClips(), dailyClips())
}

// socialClips are clips for contact with people.
func socialClips() []Clip {
	return []Clip{
		{Name: "greet_happy", Length: 1800 * ms, OnCharger: false, Frames: []Keyframe{
			at(0, Eyes("happy")), at(0, warm()), at(0, Sound{"chirp_happy", 500 * ms}), at(0, HeadTo{25 * deg, 0}),
			at(300*ms, Spin{12 * deg, 2}), at(750*ms, Spin{-24 * deg, 2}), at(1250*ms, Spin{12 * deg, 2}),
			at(1300*ms, HeadTo{15 * deg, 0}),
		}},
		{Name: "come_here_ack", Length: 900 * ms, Frames: []Keyframe{
			at(0, Eyes("listening")), at(0, green()), at(0, Sound{"ack", 250 * ms}), at(0, HeadTo{20 * deg, 0}),
			at(350*ms, HeadTo{5 * deg, 0}), at(650*ms, HeadTo{15 * deg, 0}),
		}},
		{Name: "petted_purr", Length: 2400 * ms, OnCharger: true, Frames: []Keyframe{
			at(0, Eyes("love")), at(0, warm()), at(0, Sound{"purr", 2200 * ms}), at(0, HeadTo{10 * deg, 0.5}),
			at(900*ms, HeadTo{-5 * deg, 0.5}), at(1700*ms, HeadTo{10 * deg, 0.5}),
		}},
		{Name: "celebrate", Length: 2600 * ms, Frames: []Keyframe{
			at(0, Eyes("happy")), at(0, green()), at(0, Sound{"fanfare", 1500 * ms}), at(0, HeadTo{35 * deg, 0}),
			at(0, LiftTo{80, 0}), at(200*ms, Spin{2 * math.Pi, 5}), at(700*ms, warm()), at(1200*ms, cool()),
			at(1700*ms, green()), at(1900*ms, LiftTo{32, 0}), at(2000*ms, HeadTo{10 * deg, 0}),
		}},
		{Name: "sad_no_face", Length: 2000 * ms, Frames: []Keyframe{
			at(0, Eyes("sad")), at(0, cool()), at(200*ms, HeadTo{-18 * deg, 0.6}), at(400*ms, Sound{"sigh", 900 * ms}),
			at(1700*ms, HeadTo{0, 0.8}),
		}},
		{Name: "look_curious", Length: 1600 * ms, OnCharger: false, Frames: []Keyframe{
			at(0, Eyes("thinking")), at(0, violet()), at(0, Sound{"hm", 300 * ms}), at(0, HeadTo{20 * deg, 1.5}),
			at(200*ms, Spin{10 * deg, 1.5}), at(800*ms, Spin{-10 * deg, 1.5}), at(1200*ms, HeadTo{10 * deg, 1.5}),
		}},
	}
}

// reactionClips react to what happens to the body. None moves the wheels, because the robot may be held or at an edge.
func reactionClips() []Clip {
	return []Clip{
		{Name: "surprised", Length: 900 * ms, OnCharger: true, Frames: []Keyframe{
			at(0, Eyes("surprised")), at(0, violet()), at(0, Sound{"gasp", 300 * ms}), at(0, HeadTo{30 * deg, 0}),
			at(600*ms, HeadTo{10 * deg, 2}),
		}},
		{Name: "startled_cliff", Length: 1000 * ms, OnCharger: true, Frames: []Keyframe{
			at(0, Eyes("scared")), at(0, alarm()), at(0, Sound{"yelp", 400 * ms}), at(0, HeadTo{-20 * deg, 0}),
			at(0, LiftTo{60, 0}), at(500*ms, LiftTo{32, 0}), at(600*ms, HeadTo{0, 2}),
		}},
		{Name: "shaken_dizzy", Length: 2200 * ms, OnCharger: true, Frames: []Keyframe{
			at(0, Eyes("look_left")), at(0, violet()), at(0, Sound{"wobble", 1200 * ms}), at(0, HeadTo{-10 * deg, 2}),
			at(500*ms, Eyes("look_right")), at(500*ms, HeadTo{15 * deg, 2}), at(1000*ms, Eyes("look_left")),
			at(1000*ms, HeadTo{-10 * deg, 1.5}), at(1500*ms, Eyes("look_right")), at(1500*ms, HeadTo{10 * deg, 1.5}),
			at(1900*ms, Eyes("neutral")),
		}},
		{Name: "picked_up", Length: 1200 * ms, OnCharger: true, Frames: []Keyframe{
			at(0, Eyes("surprised")), at(0, cool()), at(0, Sound{"whoa", 400 * ms}), at(0, HeadTo{-10 * deg, 0}),
			at(500*ms, HeadTo{25 * deg, 1.5}), at(900*ms, Eyes("thinking")),
		}},
	}
}

// dailyClips are clips for waking, sleeping and charging.
func dailyClips() []Clip {
	bar := Lights{{G: 200}, {G: 160}, {G: 120}, {G: 60}, {G: 20}}
	return []Clip{
		{Name: "wake_up", Length: 1800 * ms, OnCharger: true, Frames: []Keyframe{
			at(0, Eyes("sleepy")), at(0, cool()), at(400*ms, Eyes("blink")), at(600*ms, Eyes("sleepy")),
			at(800*ms, HeadTo{20 * deg, 1}), at(900*ms, Sound{"wake", 500 * ms}), at(1000*ms, Eyes("neutral")),
			at(1000*ms, Glow(hardware.RGB{R: 80, G: 80, B: 80})), at(1500*ms, HeadTo{10 * deg, 1}),
		}},
		{Name: "sleepy_yawn", Length: 2200 * ms, OnCharger: true, Frames: []Keyframe{
			at(0, Eyes("sleepy")), at(0, Glow{R: 30, B: 40}), at(0, HeadTo{25 * deg, 0.5}), at(300*ms, Sound{"yawn", 1200 * ms}),
			at(1300*ms, HeadTo{-15 * deg, 0.4}), at(1900*ms, Eyes("asleep")), at(2000*ms, dark()),
		}},
		{Name: "charging_start", Length: 1500 * ms, OnCharger: true, Frames: []Keyframe{
			at(0, Eyes("charging")), at(0, dark()), at(0, Sound{"charge", 600 * ms}), at(0, HeadTo{0, 1}),
			at(300*ms, Lights{bar[0]}), at(600*ms, Lights{bar[0], bar[1]}), at(900*ms, Lights{bar[0], bar[1], bar[2]}),
			at(1200*ms, bar),
		}},
	}
}
