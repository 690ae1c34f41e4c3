package device

import (
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/robotd/robotd/hardware"
)

// A Voice makes the sounds that a speaker is told, on goroutines and in processes of its own. No method waits. In virtual time there is none:
// what a robot says is then its caption alone, and lasts as long as its command says.
type Voice interface {
	// Start begins a sound in place of the one before.
	Start(s hardware.PlaySound)
	// Stop ends the sound.
	Stop()
	// State tells of the sound that was started last.
	State() VoiceState
}

// VoiceState tells what became of a sound.
type VoiceState struct {
	ID     uint64        // of its command
	Begun  time.Time     // it is heard since then; zero while it is being made
	Length time.Duration // of the audio that was made
	Loud   []uint8       // loudness of each [LoudStep], 0 to 255; not to be changed
	Silent bool          // there is no audio: the words are a caption
}

// LoudStep is the time that one value of [VoiceState.Loud] is for.
const LoudStep = 50 * time.Millisecond

// A Mouth tells the display what the speaker says, so that the lips move. It changes no reading and no decision.
type Mouth struct{ says atomic.Pointer[utterance] }

// An utterance is a text that is spoken.
type utterance struct {
	text   string
	begin  time.Time
	length time.Duration
	loud   []uint8 // nil: the lips follow the letters
}

// mouthSteps is how far a mouth opens, in steps.
const mouthSteps = 4

func (m *Mouth) say(u *utterance) {
	if m != nil {
		m.says.Store(u)
	}
}

// Open is how far the mouth is open at now, 0 to mouthSteps, and whether it speaks. A nil Mouth never speaks.
func (m *Mouth) Open(now time.Time) (steps int, speaks bool) {
	if m == nil {
		return 0, false
	}
	u := m.says.Load()
	if u == nil {
		return 0, false
	}
	at := now.Sub(u.begin)
	if at < 0 || at >= u.length {
		return 0, false
	}
	if u.loud != nil {
		i := min(int(at/LoudStep), len(u.loud)-1)
		return (int(u.loud[i])*mouthSteps + 127) / 255, true
	}
	return lips(u.text, float64(at)/float64(u.length)), true
}

// lips is how far the mouth is open for the letter of a text that is spoken at a part of its time, 0 to 1: wide for a vowel, closed for the
// lips' own letters and in pauses. The page moves its mouth by the same rule (resources/web/world/mouth.js).
func lips(text string, part float64) int {
	i := int(part * float64(utf8.RuneCountInString(text)))
	for _, r := range text {
		if i--; i >= 0 {
			continue
		}
		switch r = unicode.ToLower(r); {
		case strings.ContainsRune("aeiouyäöüáéíóú", r):
			return mouthSteps
		case strings.ContainsRune("bmp", r) || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			return 0
		}
		return mouthSteps / 2
	}
	return 0
}
