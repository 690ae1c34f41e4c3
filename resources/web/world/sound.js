// Sounds of the robot, made with Web Audio: nothing is played before a person has switched them on. Each clip of the robot's own
// table of sounds has a small recipe; an unknown clip chirps. Speech babbles, or is spoken if wanted: with the audio that the robot made, else by
// the browser. The choice is remembered; after a reload the first click or key starts the sound again, as browsers demand. A sound ends with
// that of the robot, with the next one, and with the switch.

import { read, write } from '../kept.js';

const LEVEL = 0.16;
const SPEECH_LEVEL = 5; // of the robot's audio, against LEVEL
const KEPT = 'robotd.sound';
const MADE_MS = [0, 150, 350, 700]; // the robot may still be making it
const FADE_MS = 40; // of a sound that is cut, so that it does not click
const GESTURES = ['click', 'keydown', 'pointerup']; // with which browsers let a page sound

// note plays one tone that slides from f0 to f1.
function note(ctx, out, { at = 0, f0, f1 = f0, len = 0.15, gain = 1, type = 'sine', wobble = 0, rate = 8 }) {
	const t = ctx.currentTime + at;
	const o = ctx.createOscillator();
	const g = ctx.createGain();
	o.type = type;
	o.frequency.setValueAtTime(f0, t);
	o.frequency.exponentialRampToValueAtTime(Math.max(20, f1), t + len);
	g.gain.setValueAtTime(0.0001, t);
	g.gain.exponentialRampToValueAtTime(gain, t + Math.min(0.025, len / 4));
	g.gain.setValueAtTime(gain, t + len * 0.6);
	g.gain.exponentialRampToValueAtTime(0.0001, t + len);
	if (wobble) {
		const l = ctx.createOscillator();
		const d = ctx.createGain();
		l.frequency.value = rate;
		d.gain.value = wobble;
		l.connect(d).connect(o.frequency);
		l.start(t);
		l.stop(t + len);
	}
	o.connect(g).connect(out);
	o.start(t);
	o.stop(t + len + 0.02);
}

const run = (notes) => (ctx, out) => notes.forEach((n) => note(ctx, out, n));
const scale = (freqs, step, len, more = {}) => run(freqs.map((f, i) => ({ at: i * step, f0: f, f1: f * 1.03, len, ...more })));

const CLIPS = {
	ack: scale([880, 1175], 0.09, 0.13, { type: 'triangle' }),
	charge: scale([392, 494, 587, 784], 0.13, 0.17, { type: 'triangle', gain: 0.8 }),
	chirp_happy: run([{ f0: 900, f1: 1500, len: 0.12 }, { at: 0.14, f0: 1200, f1: 2100, len: 0.12 }, { at: 0.29, f0: 1500, f1: 2500, len: 0.18 }]),
	fanfare: scale([523, 659, 784, 1047, 784, 1047], 0.15, 0.2, { type: 'square', gain: 0.35 }),
	gasp: run([{ f0: 500, f1: 1400, len: 0.24, type: 'triangle' }]),
	hm: run([{ f0: 320, f1: 290, len: 0.12, type: 'triangle' }, { at: 0.13, f0: 300, f1: 430, len: 0.2, type: 'triangle' }]),
	purr: run([{ f0: 95, f1: 88, len: 2.1, type: 'sawtooth', gain: 0.5, wobble: 34, rate: 22 }]),
	sigh: run([{ f0: 620, f1: 210, len: 0.85, gain: 0.7 }]),
	snore: run([{ f0: 70, f1: 105, len: 0.7, type: 'sawtooth', gain: 0.35, wobble: 22, rate: 26 }, { at: 0.8, f0: 320, f1: 190, len: 0.6, gain: 0.25 }]),
	tick: run([{ f0: 1900, f1: 1600, len: 0.04, type: 'triangle' }]),
	wake: scale([440, 660, 880], 0.14, 0.2, { gain: 0.8 }),
	whoa: run([{ f0: 380, f1: 900, len: 0.2, type: 'triangle' }, { at: 0.2, f0: 900, f1: 430, len: 0.24, type: 'triangle' }]),
	wobble: run([{ f0: 520, f1: 360, len: 1.15, wobble: 130, rate: 7, type: 'triangle' }]),
	yawn: run([{ f0: 300, f1: 520, len: 0.45, gain: 0.6 }, { at: 0.43, f0: 520, f1: 170, len: 0.75, gain: 0.7 }]),
	yelp: run([{ f0: 1900, f1: 700, len: 0.2, type: 'triangle' }, { at: 0.22, f0: 1500, f1: 600, len: 0.16, type: 'triangle' }]),
};

// isClip tells a sound's name from words that are spoken.
export const isClip = (text) => Object.hasOwn(CLIPS, text) || /^[a-z0-9]+(_[a-z0-9]+)+$/.test(text);

// babble plays one syllable for about each two letters, the same for the same text.
function babble(ctx, out, text) {
	const n = Math.min(28, Math.ceil(text.replace(/\W/g, '').length / 2));
	for (let i = 0; i < n; i++) {
		const c = text.charCodeAt(i * 2 % text.length);
		const f = 420 + (c * 37 % 14) * 28;
		note(ctx, out, { at: i * 0.115, f0: f, f1: f * (c % 2 ? 1.18 : 0.86), len: 0.1, type: 'triangle', gain: 0.75 });
	}
}

export const MODES = ['off', 'sounds', 'voice'];

// remembered is the mode that was chosen last on this machine.
export function remembered() {
	const mode = read(KEPT);
	return MODES.includes(mode) ? mode : 'off';
}

const remember = (mode) => write(KEPT, mode);

// audioOf fetches the audio that the robot made of a sound; null if there is none.
async function audioOf(number) {
	for (const ms of MADE_MS) {
		if (ms) await new Promise((done) => { setTimeout(done, ms); });
		const answer = await fetch(`/v1/sound/${number}`).catch(() => null);
		if (answer?.ok && answer.status === 200) return answer.arrayBuffer();
	}
	return null;
}

// newSound returns {mode, set(mode), hear(state), hush()}.
export function newSound() {
	let mode = remembered();
	let ctx = null;
	let out = null;
	let now = null; // what the newest sound plays into; without it that sound has ended
	let last = null; // what was heard last: number and text
	let played = 0;
	let spoken = 0; // with the robot's own audio

	function start() {
		if (!ctx) {
			ctx = new AudioContext();
			out = ctx.createGain();
			out.gain.value = LEVEL;
			out.connect(ctx.destination);
		}
		return ctx.resume().catch(() => {}); // not now: the next gesture tries again
	}

	// wake starts a mode that was remembered, and a sound that the browser took away, with the next thing that a person does.
	function wake() {
		if (mode !== 'off' && ctx?.state !== 'running') start();
	}
	for (const kind of GESTURES) addEventListener(kind, wake, true);

	// begin ends the sound before and returns what the next one plays into.
	function begin() {
		hush();
		now = ctx.createGain();
		now.connect(out);
		return now;
	}

	// hush ends the newest sound, with all that it has not played yet.
	function hush() {
		if (!now) return;
		const old = now;
		now = null;
		window.speechSynthesis?.cancel();
		old.gain.setTargetAtTime(0, ctx.currentTime, FADE_MS / 4000);
		setTimeout(() => old.disconnect(), FADE_MS);
	}

	async function speak(text, number) {
		const into = begin();
		const audio = await audioOf(number);
		const words = audio && await ctx.decodeAudioData(audio).catch(() => null);
		if (now !== into) return; // it ended meanwhile
		if (!words) return browserSpeaks(text, into);
		const node = ctx.createBufferSource();
		const gain = ctx.createGain();
		gain.gain.value = SPEECH_LEVEL;
		node.buffer = words;
		node.connect(gain).connect(into);
		node.start();
		spoken++;
	}

	function browserSpeaks(text, into) {
		if (!window.speechSynthesis) return babble(ctx, into, text);
		const u = new SpeechSynthesisUtterance(text);
		u.pitch = 1.7;
		u.rate = 1.08;
		speechSynthesis.speak(u);
	}

	function play(text, number) {
		played++;
		if (isClip(text)) (CLIPS[text] || CLIPS.chirp_happy)(ctx, begin());
		else if (mode === 'voice') speak(text, number);
		else babble(ctx, begin(), text);
	}

	// greet tells a person who switched the sound on that it is.
	function greet() {
		if (mode !== 'off' && ctx.state === 'running') note(ctx, out, { f0: 900, f1: 1300, len: 0.1 });
	}

	return {
		get mode() { return mode; },
		get played() { return played; },
		get spoken() { return spoken; },
		get running() { return ctx?.state === 'running'; },
		set(next) {
			mode = next;
			remember(mode);
			hush();
			if (mode !== 'off') start().then(greet);
			else setTimeout(() => { if (mode === 'off') ctx?.suspend(); }, FADE_MS);
		},
		// hear plays what begins with this state, and ends what has ended. While nobody listens it only keeps count: what begins before a
		// person's gesture is not played after it.
		hear(state) {
			const { says } = state.body;
			const key = `${state.body.sensors.sound} ${says}`;
			const begins = key !== last && says !== '' && last !== null;
			last = key;
			if (says === '') hush();
			else if (begins && mode !== 'off' && ctx?.state === 'running') play(says, state.body.sensors.sound);
		},
		hush,
		dispose() {
			mode = 'off';
			for (const kind of GESTURES) removeEventListener(kind, wake, true);
			hush();
			ctx?.close();
		},
	};
}
