//go:build e2e

package main

import (
	"math"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestPageIsSilentUntilAskedAndRemembersIt checks that no sound is made before a person switched it on, that words then sound, that the mouth
// on the page moves with them, and that the choice is there after a reload.
func TestPageIsSilentUntilAskedAndRemembersIt(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`document.querySelector('.w3')?.w3.sound.mode === 'off'`)
	v.do(chromedp.Click(".w3-sound"))
	v.do(chromedp.Click(".w3-sound"))
	v.until(`document.querySelector('.w3').w3.sound.mode === 'voice'`)
	say := func() {
		v.post("/v1/actions/do", `{"action":"Say","params":{"text":"well, hello there"},"interrupt":true}`)
	}
	v.repeat(say, `document.querySelector('.w3-says').textContent.length > 3`)
	v.until(`document.querySelector('.w3').w3.sound.played > 0`)
	v.repeat(say, `Number(document.querySelector('#face canvas').dataset.mouth) >= 2`) // a page that draws seldom misses the vowels of one text
	v.do(chromedp.Reload())
	v.until(`document.querySelector('.w3')?.w3.sound.mode === 'voice'`)
	v.until(`document.querySelector('.w3-sound').getAttribute('aria-pressed') === 'true'`)
}

// listening measures what reaches the loudspeakers, before the page's own scripts run: audio.level() is the amplitude of the newest 40 ms,
// audio.tones are the kinds and first frequencies of the tones that were started.
const listening = `window.audio = { contexts: 0, tones: [], meter: null, level() {
	if (!this.meter) return 0;
	const wave = new Float32Array(this.meter.fftSize);
	this.meter.getFloatTimeDomainData(wave);
	return wave.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
} };
(() => {
	const Real = window.AudioContext;
	window.AudioContext = class extends Real { constructor(...a) { super(...a); window.audio.contexts++; } };
	const connect = AudioNode.prototype.connect;
	AudioNode.prototype.connect = function (to, ...rest) {
		if (to === this.context.destination) {
			window.audio.meter = this.context.createAnalyser();
			connect.call(this, window.audio.meter);
		}
		return connect.call(this, to, ...rest);
	};
	const set = AudioParam.prototype.setValueAtTime;
	AudioParam.prototype.setValueAtTime = function (value, at) { this.first ??= value; return set.call(this, value, at); };
	const start = OscillatorNode.prototype.start;
	OscillatorNode.prototype.start = function (at) { window.audio.tones.push(this.type + ' ' + (this.frequency.first ?? 0)); return start.call(this, at); };
})();`

// hearing opens the page of a robot whose own life is still, with a meter at the page's loudspeakers.
func hearing(t *testing.T) *visitor {
	t.Helper()
	url := addressesOf(t, nil).page
	v := browse(t, inPlane)
	v.before(listening)
	v.do(chromedp.Navigate(url + flat))
	v.until(atLive)
	v.post("/v1/run-behavior", `{"id":"Wait","times":1}`)
	v.until(`document.querySelector('.w3')?.w3.sound.mode === 'off'`)
	return v
}

// purr lets the robot purr for two seconds, whatever it does.
func (v *visitor) purr() {
	v.t.Helper()
	v.post("/v1/actions/do", `{"action":"PlayAnimation","params":{"clip":"petted_purr"},"interrupt":true}`)
}

// purrUntil lets the robot purr until the page shows it. The robot lives: a reaction of its own may end a purr before its first tone.
func (v *visitor) purrUntil(shown string) {
	v.t.Helper()
	v.repeat(v.purr, shown)
}

// repeat asks the robot for something every four seconds until the page shows it. The robot lives: it may have something else to do. The page itself
// looks, because on a busy machine this process looks too seldom for what is shown only for a while.
func (v *visitor) repeat(ask func(), shown string) {
	v.t.Helper()
	v.do(chromedp.Evaluate[chromedp.Void](`window.shown = false; window.looking = setInterval(() => { window.shown ||= ` + shown + `; }, 20); undefined`))
	for end := time.Now().Add(late); time.Now().Before(end); {
		ask()
		v.do(chromedp.Evaluate[chromedp.Void](`window.until = performance.now() + 4000; undefined`))
		v.until(`window.shown || performance.now() > window.until`)
		if v.number(`Number(window.shown)`) == 1 {
			v.do(chromedp.Evaluate[chromedp.Void](`clearInterval(window.looking)`))
			return
		}
	}
	v.t.Fatalf("asked again and again, and never: %s", shown)
}

const (
	purrs  = `audio.tones.includes('sawtooth 95') && audio.level() > 0.01`
	silent = `audio.level() < 0.0005`
)

// TestClipOfTheRobotReachesTheLoudspeakersOfThePage checks that the tones of a clip are made, and that the sound ends with the robot's: after
// its end, and when it is cancelled in the middle.
func TestClipOfTheRobotReachesTheLoudspeakersOfThePage(t *testing.T) {
	t.Parallel()
	v := hearing(t)
	v.do(chromedp.Click(".w3-sound"))
	v.until(`document.querySelector('.w3').w3.sound.running`)
	v.purrUntil(purrs)
	v.until(`document.querySelector('.w3-says').textContent === '' && ` + silent)
	best := math.Inf(1)
	for i := 0; i < 5 && best > 1500; i++ { // a busy machine may be late once, and a sound that is not cut lasts longer each time
		v.do(chromedp.Evaluate[chromedp.Void](`audio.tones.length = 0`))
		v.purrUntil(purrs)
		v.post("/v1/actions/cancel", `{}`)
		began := v.number(`performance.now()`)
		v.until(silent)
		best = min(best, v.number(`performance.now()`)-began)
	}
	if best > 1500 {
		t.Errorf("the sound of a cancelled clip went on for %.0f ms", best)
	}
}

// TestMutedPageIsSilentAndLeavesNothingForLater checks that the switch cuts a sound, and that its rest does not follow when the sound is on again.
func TestMutedPageIsSilentAndLeavesNothingForLater(t *testing.T) {
	t.Parallel()
	v := hearing(t)
	v.do(chromedp.Click(".w3-sound"))
	v.until(`document.querySelector('.w3').w3.sound.running`)
	v.purrUntil(purrs)
	v.do(chromedp.Click(".w3-sound")) // words too
	v.do(chromedp.Click(".w3-sound")) // off
	v.until(`document.querySelector('.w3').w3.sound.mode === 'off' && !document.querySelector('.w3').w3.sound.running`)
	v.do(chromedp.Click(".w3-sound"))
	v.until(`document.querySelector('.w3').w3.sound.running`)
	v.do(chromedp.Evaluate[chromedp.Void](`audio.then = audio.meter.context.currentTime`))
	v.until(`audio.meter.context.currentTime > audio.then + 0.3`) // the tone that says that it is on, in the time of the loudspeakers
	if level := v.number(`audio.level()`); level > 0.0005 {
		t.Errorf("an amplitude of %.4f is left of a sound that was switched off", level)
	}
}

// TestRememberedSoundWaitsForAGesture checks that a page which remembers that the sound is on makes no audio before a person does something,
// and that what the robot played until then is not played afterwards.
func TestRememberedSoundWaitsForAGesture(t *testing.T) {
	t.Parallel()
	v := hearing(t)
	v.do(chromedp.Click(".w3-sound"))
	v.do(chromedp.Reload())
	v.until(`document.querySelector('.w3')?.w3.sound.mode === 'sounds' && ` + atLive)
	v.purrUntil(`document.querySelector('#face canvas').dataset.face === 'love'`)
	if n := v.number(`audio.contexts + audio.tones.length`); n != 0 {
		t.Errorf("%v contexts and tones before a gesture", n)
	}
	v.do(chromedp.Click("#face canvas"))
	v.until(`document.querySelector('.w3').w3.sound.running`)
	if n := v.number(`audio.tones.length`); n != 0 {
		t.Errorf("%v tones of a clip that began before the gesture", n)
	}
	v.until(`document.querySelector('#face canvas').dataset.face !== 'love'`)
	v.purrUntil(purrs)
}
