// The robot's display: 128 by 64 pixels, two eyes. The numbers are those of the robot's own table of expressions
// (hardware/device/face.go), drawn smooth instead of in pixels, so that the page shows what the panel shows.

import { newBreath } from './breath.js';
import { drawMouth, newMouth } from './mouth.js';
import { isClip } from './sound.js';

const W = 128;
const H = 64;
const MORPH_MS = 90;
const GAZE = [14, 8]; // how far the eyes move, in pixels
const LID_WAY = 1.6; // how far down a lid comes before the eye is closed, in half heights
const CLOSED = 2; // half the height of the line that is left then
const SLANT = 16; // what a slant and a cheek of 1 are, in pixels
const CHEEK = 20;

const OPEN = { dx: 0, dy: 0, w: 15, h: 19, corner: 9, lid: 0, slant: 0, cheek: 0, heart: 0, shut: 0 };
const eye = (change = {}) => ({ ...OPEN, ...change });
const face = (right, more = {}) => ({ right, left: more.left || right, shift: more.shift || 0, battery: more.battery || 0, waves: more.waves || 0 });
const SMALL = { w: 13, h: 15, corner: 8 };

const FACES = {
	angry: face(eye({ lid: 6, slant: 16 })),
	asleep: face(eye({ h: 2, corner: 2, dy: 10 })),
	blink: face(eye({ w: 16, h: 2, corner: 2 })),
	charging: face(eye({ h: 13, lid: 6, dy: -6 }), { battery: 1 }),
	happy: face(eye({ cheek: 20 })),
	listening: face(eye({ h: 22, w: 14 }), { waves: 1 }),
	look_left: face(eye(SMALL), { shift: 17 }),
	look_right: face(eye(SMALL), { shift: -17 }),
	love: face(eye({ w: 17, h: 17, heart: 1 })),
	neutral: face(eye()),
	sad: face(eye({ lid: 4, slant: -16, dy: 4 })),
	scared: face(eye({ w: 10, h: 12, corner: 10, dx: 6 })),
	sleepy: face(eye({ lid: 24, dy: 4 })),
	surprised: face(eye({ w: 18, h: 26, corner: 17 })),
	thinking: face(eye({ dy: -6, h: 15 }), { left: eye({ w: 15, h: 9, corner: 7, dy: -6 }), shift: 10 }),
};

// lookOf is what the display shows in a state: an expression, where its eyes look (the robot's left is on the right of the panel), how
// far the lids come down over it, and how its eyes are shaped.
function lookOf({ face: name, gaze, lid, shape }) {
	const digits = digitsOf(name);
	if (digits) return { ...FACES.neutral, digits };
	const f = FACES[known(name) ? name : 'neutral'];
	const [x, y] = gaze || [0, 0];
	const [tall, wide, slant, cheek] = shape || [0, 0, 0, 0];
	const move = (e) => ({
		...e, dy: e.dy - y * GAZE[1], shut: lid || 0, h: e.h * (1 + tall / 2), w: e.w * (1 + wide / 2),
		slant: e.slant + SLANT * slant, cheek: Math.max(0, e.cheek + CHEEK * cheek),
	});
	return { ...f, right: move(f.right), left: move(f.left), shift: f.shift + x * GAZE[0] };
}

// known reports whether the display has an expression of that name; another name shows the neutral one.
export const known = (name) => Object.hasOwn(FACES, name) || digitsOf(name) !== '';

// digitsOf is the text of a name such as "digits 12:34", which the display shows in place of eyes; empty for an expression.
const digitsOf = (name) => (/^digits ([0-9:]{1,5})$/.exec(name) || ['', ''])[1];

const mixEye = (a, b, k) => {
	const out = {};
	for (const key in OPEN) out[key] = a[key] + (b[key] - a[key]) * k;
	out.heart = k < 0.5 ? a.heart : b.heart;
	return out;
};
const mix = (a, b, k) => ({
	right: mixEye(a.right, b.right, k),
	left: mixEye(a.left, b.left, k),
	shift: a.shift + (b.shift - a.shift) * k,
	battery: a.battery + (b.battery - a.battery) * k,
	waves: a.waves + (b.waves - a.waves) * k,
});

function heart(c, e) {
	c.beginPath();
	for (const s of [-1, 1]) c.arc(s * 0.48 * e.w, -0.4 * e.h, 0.52 * e.w, 0, 2 * Math.PI);
	c.fill();
	c.beginPath();
	c.moveTo(-0.97 * e.w, -0.3 * e.h);
	c.lineTo(0.97 * e.w, -0.3 * e.h);
	c.lineTo(0, 0.95 * e.h);
	c.fill();
}

// drawEye draws around the eye's center with x outward: the left one is a mirror image.
function drawEye(c, e, side, shift) {
	c.save();
	c.translate(W / 2 + side * (27 + e.dx) + shift, H / 2 + e.dy);
	c.scale(side, 1);
	if (e.shut > 0.96) {
		c.fillRect(-e.w, -CLOSED, 2 * e.w, 2 * CLOSED);
		c.restore();
		return;
	}
	if (e.shut > 0) {
		c.beginPath();
		c.rect(-W, -e.h + e.shut * LID_WAY * e.h, 2 * W, H);
		c.clip();
	}
	if (e.heart) {
		heart(c, e);
		c.restore();
		return;
	}
	const inner = -e.h + e.lid + Math.max(0, e.slant);
	const outer = -e.h + e.lid + Math.max(0, -e.slant);
	c.beginPath(); // what the lids leave free
	c.moveTo(-e.w - 1, e.lid || e.slant ? inner : -e.h - 1);
	c.lineTo(e.w + 1, e.lid || e.slant ? outer : -e.h - 1);
	if (e.cheek > 0) {
		const at = (u) => e.h - e.cheek * (1 - u * u * 0.6);
		c.lineTo(e.w + 1, at(1));
		for (let u = 1; u >= -1; u -= 0.1) c.lineTo(u * e.w, at(u));
		c.lineTo(-e.w - 1, at(1));
	} else {
		c.lineTo(e.w + 1, e.h + 1);
		c.lineTo(-e.w - 1, e.h + 1);
	}
	c.clip();
	c.beginPath();
	c.roundRect(-e.w, -e.h, 2 * e.w, 2 * e.h, Math.min(e.corner, e.w, e.h));
	c.fill();
	c.restore();
}

function drawBattery(c, alpha) {
	c.globalAlpha = alpha;
	c.lineWidth = 1.4;
	c.strokeRect(50.7, 50.7, 24.6, 10.6);
	c.fillRect(53, 53, 13, 6);
	c.fillRect(76, 54, 2, 4);
	c.globalAlpha = 1;
}

function drawWaves(c, alpha) {
	c.globalAlpha = alpha;
	c.lineWidth = 2.4;
	for (const side of [0, Math.PI]) {
		for (const r of [10, 16]) {
			c.beginPath();
			c.arc(W / 2 + (side ? -44 : 44), H / 2, r, side - Math.PI / 4, side + Math.PI / 4);
			c.stroke();
		}
	}
	c.globalAlpha = 1;
}

function drawDigits(c, text) {
	c.font = 'bold 44px monospace';
	c.textAlign = 'center';
	c.textBaseline = 'middle';
	c.fillText(text, W / 2, H / 2 + 2, W - 4);
}

const ease = (k) => k * k * (3 - 2 * k);

// A Screen draws the display onto a canvas of any size. show(body, on) sets what it shows; draw(now) draws it and reports
// whether it has to be drawn again.
export class Screen {
	constructor(canvas, { glow = 0, back = '#060b0e', eye = '#74f2de', breathes = false } = {}) {
		this.canvas = canvas;
		this.context = canvas.getContext('2d');
		this.style = { glow, back, eye };
		this.key = '';
		this.on = true;
		this.from = this.goal = FACES.neutral;
		this.began = -MORPH_MS;
		this.dirty = true;
		this.mouth = newMouth();
		this.breath = breathes && newBreath();
		this.rise = 0; // of the eyes that are drawn, by breath
		this.open = -1; // how far the mouth that is drawn is open
	}

	show(body, on, now, still) {
		const says = body.says || '';
		this.mouth.hear(on && !isClip(says) && !digitsOf(body.face) && body.face !== 'charging' ? says : '', body.sensors?.sound, now);
		if (this.mouth.at(now) !== this.open) this.dirty = true;
		const rise = this.breath && !still ? this.breath.rise(body.breath, now) : 0;
		if (rise !== this.rise) [this.rise, this.dirty] = [rise, true];
		const key = `${body.face} ${body.gaze} ${body.lid} ${body.shape}`;
		if (key === this.key && on === this.on) return;
		if (key !== this.key) {
			this.from = this.shape(now);
			this.goal = lookOf(body);
			this.began = still ? -MORPH_MS : now;
		}
		this.key = key;
		this.on = on;
		this.dirty = true;
	}

	shape(now) {
		const k = this.goal.digits || this.from.digits ? 1 : (now - this.began) / MORPH_MS;
		return k >= 1 ? this.goal : mix(this.from, this.goal, ease(Math.max(0, k)));
	}

	draw(now) {
		if (!this.dirty) return false;
		const moving = now - this.began < MORPH_MS;
		this.open = this.mouth.at(now);
		this.dirty = moving;
		const { context: c, canvas, style } = this;
		c.setTransform(1, 0, 0, 1, 0, 0);
		c.fillStyle = style.back;
		c.fillRect(0, 0, canvas.width, canvas.height);
		const k = Math.min(canvas.width / W, canvas.height / H);
		c.setTransform(k, 0, 0, k, (canvas.width - k * W) / 2, (canvas.height - k * H) / 2);
		if (!this.on) {
			dead(c);
			return false;
		}
		c.fillStyle = c.strokeStyle = style.eye;
		c.shadowColor = style.eye;
		c.shadowBlur = style.glow * k;
		const f = this.shape(now);
		if (f.digits) {
			drawDigits(c, f.digits);
		} else {
			c.save();
			c.translate(0, -this.rise);
			drawEye(c, f.left, -1, f.shift);
			drawEye(c, f.right, 1, f.shift);
			c.restore();
		}
		if (this.open >= 0) drawMouth(c, this.open);
		if (f.battery) drawBattery(c, f.battery);
		if (f.waves) drawWaves(c, f.waves);
		c.shadowBlur = 0;
		return moving;
	}
}

// dead is the drawing for a display that does not work: the robot shows nothing.
function dead(c) {
	c.strokeStyle = '#55626b';
	c.lineWidth = 2.5;
	c.setLineDash([3, 4]);
	c.beginPath();
	for (const x of [37, 91]) c.rect(x - 13, 15, 26, 34);
	c.stroke();
	c.setLineDash([]);
	c.beginPath();
	c.moveTo(57, 25);
	c.lineTo(71, 39);
	c.moveTo(71, 25);
	c.lineTo(57, 39);
	c.stroke();
}

// displayWorks tells from a state whether the display shows what was last sent to it.
export function displayWorks(state) {
	const d = (state.devices || []).find((dev) => dev.name === 'display');
	return !d || d.quality === 'ok';
}

// mountFace shows the robot's face alone, as large as element is. It returns {render(state), resize(), dispose()}.
export function mountFace(element) {
	const canvas = document.createElement('canvas');
	canvas.className = 'w3-face';
	canvas.setAttribute('role', 'img');
	canvas.setAttribute('aria-label', 'Face of the robot');
	element.append(canvas);
	const screen = new Screen(canvas, { glow: 2.2, breathes: true });
	const still = matchMedia('(prefers-reduced-motion: reduce)');
	let frame = 0;

	function paint(now) {
		frame = 0;
		if (screen.draw(now)) frame = requestAnimationFrame(paint);
	}
	const wake = () => { frame ||= requestAnimationFrame(paint); };

	function resize() {
		const box = canvas.getBoundingClientRect();
		const k = Math.min(3, devicePixelRatio || 1);
		const w = Math.max(1, Math.round(box.width * k));
		const h = Math.max(1, Math.round(box.height * k));
		if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
		screen.dirty = true;
		wake();
	}
	const watch = new ResizeObserver(resize);
	watch.observe(canvas);

	return {
		render(state) {
			const on = displayWorks(state);
			screen.show(state.body, on, performance.now(), still.matches);
			const label = on ? `Face of the robot: ${state.body.face || 'neutral'}` : 'The robot\'s display does not work';
			if (canvas.getAttribute('aria-label') !== label) canvas.setAttribute('aria-label', label);
			canvas.dataset.face = on ? state.body.face || 'neutral' : 'off';
			canvas.dataset.mouth = screen.mouth.at(performance.now());
			if (screen.dirty) wake();
		},
		resize,
		dispose() {
			watch.disconnect();
			cancelAnimationFrame(frame);
			canvas.remove();
		},
	};
}
