// The world from above on a plain canvas, for browsers without WebGL. It offers the same functions as the view in three dimensions.
import { Screen } from './face.js';
import { idOf } from './model.js';
import { palette } from './palette.js';
import { isKit, lacks, outlineOf, radiusOf } from './parts.js';
import { pips } from './pips.js';
import { cliffKinds, noseOf, rangeReading } from './sense.js';
import { oval, strokes } from './map.js';

const MARGIN_MM = 60;
const MOUNTS = [[30, 22], [30, -22], [-45, 22], [-45, -22]];
const ROBOT_MM = 55; // half of what can be taken
const BEAM_RAD = 12 * Math.PI / 180;
const TRAIL_S = 30;

// newFlat returns the view.
export function newFlat(canvas) {
	const c = canvas.getContext('2d');
	const panel = Object.assign(document.createElement('canvas'), { width: 128, height: 64 });
	const screen = new Screen(panel);
	let size = { w: 1, h: 1 };
	let state = null;
	let opts = null;
	let colors = palette();
	let model = null;
	let box = { x: 0, y: 0, w: 1200, h: 800 };
	let trail = [];
	let charted = { map: null, paths: [] };
	let k = 1; // pixels a millimeter

	const toX = (x) => size.w / 2 + (x - box.x) * k;
	const toY = (y) => size.h / 2 - (y - box.y) * k;

	function resize() {
		const dpr = Math.min(2, devicePixelRatio || 1);
		size = { w: canvas.clientWidth || 1, h: canvas.clientHeight || 1 };
		canvas.width = size.w * dpr;
		canvas.height = size.h * dpr;
		scale();
		c.setTransform(dpr, 0, 0, dpr, 0, 0);
	}

	function scale() {
		k = Math.min(size.w / (box.w + 2 * MARGIN_MM), (size.h - 50) / (box.h + 2 * MARGIN_MM));
	}

	// at draws in the frame of a pose, in millimeters with y up.
	function at(x, y, heading, draw) {
		c.save();
		c.translate(toX(x), toY(y));
		c.scale(k, -k);
		c.rotate(heading);
		draw();
		c.restore();
	}

	function block(l, w, r, fill) {
		c.fillStyle = fill;
		c.beginPath();
		c.roundRect(-l / 2, -w / 2, l, w, r);
		c.fill();
	}

	function drawTable(w) {
		c.fillStyle = colors.sky;
		c.fillRect(0, 0, size.w, size.h);
		c.beginPath();
		w.table.forEach(([x, y], i) => (i ? c.lineTo(toX(x), toY(y)) : c.moveTo(toX(x), toY(y))));
		c.closePath();
		c.fillStyle = colors.table;
		c.strokeStyle = colors.apron;
		c.lineWidth = 4;
		c.fill();
		c.stroke();
		if (!lacks(state, 'charger')) at(w.charger.x_mm, w.charger.y_mm, w.charger.heading_rad, () => {
			block(110, 84, 9, '#4a565e');
			c.fillStyle = state.body.charging ? colors.good : '#2b343b';
			c.fillRect(-55, -42, 20, 84);
			c.fillStyle = '#8b98a1';
			c.fillRect(-35, -10, 90, 20); // the tongue, which rises towards the block
		});
		for (const o of w.obstacles) at(o.x_mm, o.y_mm, o.heading_rad, () => block(o.length_mm, o.width_mm, 4, colors.box));
		drawCubes(w, false);
	}

	// drawCubes draws those that the lift carries, or the others, lower ones first. The higher one is, the larger, and the farther its shadow.
	function drawCubes(w, carried) {
		const all = w.cubes.map((q, i) => [q, model.cubes.get(idOf(q, i))]).filter(([q, p]) => p && Boolean(q.carried) === carried);
		for (const [q, p] of all.sort((a, b) => a[1][2] - b[1][2])) {
			const size = 44 * (1 + p[2] / 500);
			if (p[2] > 1) at(p[0] + p[2] / 8, p[1] - p[2] / 8, p[3], () => block(size, size, 7, 'rgb(0 0 0 / 0.25)'));
			at(p[0], p[1], p[3], () => {
				block(size, size, 7, colors.cube);
				block(size * 0.62, size * 0.62, 6, '#fff7e0');
				c.fillStyle = '#5a3d2b';
				for (const [x, y] of pips(q.up)) {
					c.beginPath();
					c.arc(8 * x, 8 * y, 3, 0, 7);
					c.fill();
				}
			});
		}
	}

	function drawPeople() {
		for (const f of state.world.faces) {
			const p = model.people.get(f.id);
			if (!p) continue;
			const q = project([p[0], p[1]]);
			c.fillStyle = colors.person[Math.abs(f.id) % colors.person.length];
			c.beginPath();
			c.arc(q.x, q.y, 14, 0, 7);
			c.fill();
		}
	}

	function drawTrail() {
		c.strokeStyle = colors.truth;
		c.lineWidth = 2;
		c.beginPath();
		trail.forEach((p, i) => (i && !p.gap ? c.lineTo(toX(p.x), toY(p.y)) : c.moveTo(toX(p.x), toY(p.y))));
		c.globalAlpha = 0.5;
		c.stroke();
		c.globalAlpha = 1;
	}

	function drawSenses() {
		const { ok, mm } = rangeReading(state);
		const far = ok ? mm || 400 : 60;
		const nose = noseOf(state);
		c.fillStyle = ok ? colors.beam : colors.lost;
		c.globalAlpha = 0.3;
		c.beginPath();
		c.moveTo(nose, 0);
		c.arc(nose, 0, far, -BEAM_RAD, BEAM_RAD);
		if (!lacks(state, 'range')) c.fill();
		c.globalAlpha = 1;
		if (isKit(state) || lacks(state, 'cliff')) return;
		cliffKinds(state).forEach((kind, i) => {
			const [x, y] = MOUNTS[i];
			c.fillStyle = kind === 'floor' ? colors.good : kind === 'edge' ? colors.edge : colors.lost;
			c.beginPath();
			c.arc(x, y + Math.sign(y) * 15, 6, 0, 7);
			c.fill();
		});
	}

	// drawKit draws a robot that is not built like R1: its outline, wheels, lights, and which end is its front.
	function drawKit(r) {
		const back = r.back_mm || r.length_mm / 2;
		const four = Math.abs(r.length_mm / 2 - back) < 10;
		c.fillStyle = '#262f36';
		for (const s of [-1, 1]) for (const wx of four ? [r.length_mm / 2 - 44, 44 - r.length_mm / 2] : [0]) c.fillRect(wx - 32, s * (r.width_mm / 2 - 14) - 13, 64, 26);
		c.translate(r.length_mm / 2 - back, 0);
		block(r.length_mm - 8, r.width_mm - 62, 10, '#fbf8f1');
		c.fillStyle = '#ff7452';
		c.fillRect(r.length_mm / 2 - 14, -11, 8, 22);
		if (!lacks(state, 'lights')) state.body.lights.forEach((l, i) => {
			c.fillStyle = l.r || l.g || l.b ? `rgb(${l.r} ${l.g} ${l.b})` : '#39444b';
			c.beginPath();
			c.arc(16 - r.length_mm / 2, 32 - 16 * i, 5, 0, 7);
			c.fill();
		});
		c.translate(back - r.length_mm / 2, 0);
		if (opts.senses && !opts.off) drawSenses();
	}

	function drawRobot([x, y, , heading]) {
		if (isKit(state)) {
			at(x, y, heading, () => drawKit(outlineOf(state)));
			return;
		}
		at(x, y, heading, () => {
			for (const s of [-1, 1]) {
				c.fillStyle = '#262f36';
				c.fillRect(-55, s * 23.5 - 6.5, 90, 13);
			}
			c.translate(-10, 0);
			block(86, 40, 12, '#fbf8f1');
			c.translate(10, 0);
			state.body.lights.forEach((l, i) => {
				c.fillStyle = l.r || l.g || l.b ? `rgb(${l.r} ${l.g} ${l.b})` : '#39444b';
				c.beginPath();
				c.arc(-43, 13 - 6.5 * i, 2.8, 0, 7);
				c.fill();
			});
			c.rotate(-Math.PI / 2);
			c.scale(-1, 1);
			c.drawImage(panel, -21, 6, 42, 24);
			c.scale(-1, 1);
			c.rotate(Math.PI / 2);
			if (opts.senses && !opts.off) drawSenses();
		});
	}

	function project([x, y]) {
		const pad = 26;
		return { x: Math.max(pad, Math.min(size.w - pad, toX(x))), y: Math.max(56, Math.min(size.h - pad, toY(y))) };
	}

	// pathsOf are the lines of a map in millimeters, one path for each color and opacity.
	function pathsOf(map) {
		const paths = new Map();
		for (const { color, alpha, at: [x1, y1, x2, y2] } of strokes(map)) {
			const key = `${color} ${alpha}`;
			if (!paths.has(key)) paths.set(key, { color, alpha, path: new Path2D() });
			const { path } = paths.get(key);
			path.moveTo(x1, y1);
			path.lineTo(x2, y2);
		}
		return [...paths.values()];
	}

	// drawMap draws what the robot remembers of its surroundings.
	function drawMap(map) {
		if (map !== charted.map) charted = { map, paths: pathsOf(map) };
		at(0, 0, 0, () => {
			c.lineWidth = 2 / k;
			for (const { color, alpha, path } of charted.paths) {
				c.strokeStyle = colors[color];
				c.globalAlpha = alpha;
				c.stroke(path);
			}
		});
	}

	// drawSure draws the ellipse of where the robot itself is.
	function drawSure([x, y], [a, b, turn]) {
		at(x, y, turn, () => {
			c.beginPath();
			for (const p of oval(a + 1.5, b + 1.5)) c.lineTo(...p);
			c.closePath();
		});
		c.fillStyle = c.strokeStyle = colors.belief;
		c.lineWidth = 2;
		c.globalAlpha = 0.14;
		c.fill();
		c.globalAlpha = 1;
		c.stroke();
	}

	return {
		kind: 'flat',
		cam: null,
		ready: true,
		resize,
		get size() { return size; },
		get cliffs() { return state ? cliffKinds(state) : []; },
		update(next, o) {
			[state, opts, box, colors] = [next, o, o.box, palette()];
			scale();
			screen.show(state.body, true, o.now, true);
			const last = trail[trail.length - 1];
			const p = o.truePose;
			if (last && state.time_s < last.t) trail = [];
			if (!o.off) trail.push({ t: state.time_s, x: p.x_mm, y: p.y_mm, gap: last && Math.hypot(p.x_mm - last.x, p.y_mm - last.y) > 150 });
			while (trail.length && trail[0].t < state.time_s - TRAIL_S) trail.shift();
		},
		pose(next) { model = next; },
		look: () => false,
		screen(now) {
			const changed = screen.dirty;
			return { changed, moving: changed && screen.draw(now) };
		},
		draw() {
			if (state.world) drawTable(state.world);
			else {
				c.fillStyle = colors.table;
				c.fillRect(0, 0, size.w, size.h);
			}
			if (opts.trails) drawTrail();
			if (opts.map) drawMap(opts.map);
			const b = model.belief;
			if (b) at(b[0], b[1], b[2], () => {
				const { length_mm: length = 90, width_mm: width = 60, back_mm: back = length * 0.61 } = state.world.robot;
				c.strokeStyle = colors.belief;
				c.lineWidth = 3;
				c.strokeRect(-back, -width / 2, length, width);
			});
			drawRobot(model.robot);
			if (opts.map && model.sure) drawSure(model.sure, opts.map.sure);
			if (state.world) {
				drawCubes(state.world, true);
				drawPeople();
			}
		},
		project,
		pick(px, py) {
			const [x, y] = this.ground(px, py);
			const r = model?.robot;
			if (!r) return null;
			for (const [id, p] of model.people) {
				const q = project([p[0], p[1]]);
				if (Math.hypot(q.x - px, q.y - py) < 18) return { kind: 'person', id };
			}
			if (Math.hypot(x - r[0] + 10 * Math.cos(r[3]), y - r[1] + 10 * Math.sin(r[3])) < (isKit(state) ? radiusOf(state) * 0.8 : ROBOT_MM)) return { kind: 'robot', id: 'robot' };
			for (const [id, p] of model.cubes) if (Math.hypot(x - p[0], y - p[1]) < 32) return { kind: 'cube', id };
			return null;
		},
		ground: (px, py) => [box.x + (px - size.w / 2) / k, box.y - (py - size.h / 2) / k],
		dispose() {},
	};
}
