package speech

import (
	"encoding/binary"
	"math"
)

// A tone slides from one frequency to another; seconds and Hz.
type tone struct{ at, from, to, length, gain float64 }

// clips are the sounds of the robot, those of the page (resources/web/world/sound.js) in fewer words.
var clips = map[string][]tone{
	"ack":         {{0, 880, 906, 0.13, 1}, {0.09, 1175, 1210, 0.13, 1}},
	"charge":      {{0, 392, 404, 0.17, 0.8}, {0.13, 494, 509, 0.17, 0.8}, {0.26, 587, 605, 0.17, 0.8}, {0.39, 784, 808, 0.17, 0.8}},
	"chirp_happy": {{0, 900, 1500, 0.12, 1}, {0.14, 1200, 2100, 0.12, 1}, {0.29, 1500, 2500, 0.18, 1}},
	"fanfare":     {{0, 523, 539, 0.2, 0.6}, {0.15, 659, 679, 0.2, 0.6}, {0.3, 784, 808, 0.2, 0.6}, {0.45, 1047, 1078, 0.2, 0.6}, {0.6, 784, 808, 0.2, 0.6}, {0.75, 1047, 1078, 0.2, 0.6}},
	"gasp":        {{0, 500, 1400, 0.24, 1}},
	"hm":          {{0, 320, 290, 0.12, 1}, {0.13, 300, 430, 0.2, 1}},
	"purr":        {{0, 95, 88, 2.1, 0.6}},
	"sigh":        {{0, 620, 210, 0.85, 0.7}},
	"tick":        {{0, 1900, 1600, 0.04, 1}},
	"wake":        {{0, 440, 453, 0.2, 0.8}, {0.14, 660, 680, 0.2, 0.8}, {0.28, 880, 906, 0.2, 0.8}},
	"whoa":        {{0, 380, 900, 0.2, 1}, {0.2, 900, 430, 0.24, 1}},
	"wobble":      {{0, 520, 640, 0.3, 1}, {0.3, 640, 420, 0.4, 1}, {0.7, 420, 360, 0.45, 1}},
	"yawn":        {{0, 300, 520, 0.45, 0.6}, {0.43, 520, 170, 0.75, 0.7}},
	"yelp":        {{0, 1900, 700, 0.2, 1}, {0.22, 1500, 600, 0.16, 1}},
}

// Form of the tones.
const (
	clipRate = 22050
	clipGain = 6000 // of 32767
	riseS    = 0.02 // no tone begins or ends with a crack
	unknown  = "chirp_happy"
)

// Clip makes the audio of a clip. One that is not known chirps.
func Clip(name string) *Audio {
	tones, ok := clips[name]
	if !ok {
		tones = clips[unknown]
	}
	end := 0.0
	for _, t := range tones {
		end = max(end, t.at+t.length)
	}
	wave := make([]float64, int(end*clipRate)+1)
	for _, t := range tones {
		t.add(wave)
	}
	a := &Audio{Rate: clipRate, Channels: 1}
	for _, v := range wave {
		a.PCM = binary.LittleEndian.AppendUint16(a.PCM, uint16(int16(max(-1, min(1, v))*clipGain)))
	}
	return a
}

// add adds the tone to a wave. Its frequency slides evenly to the ear: by a constant ratio in each moment.
func (t tone) add(wave []float64) {
	n, phase := int(t.length*clipRate), 0.0
	for i := range n {
		at := float64(i) / clipRate
		phase += 2 * math.Pi * t.from * math.Pow(t.to/t.from, at/t.length) / clipRate
		level := min(1, at/riseS, (t.length-at)/riseS)
		wave[int(t.at*clipRate)+i] += t.gain * level * math.Sin(phase)
	}
}
