// The world view: mount(element, api) shows a state in three dimensions, or from above where the browser has no WebGL.
// api.act(name, params) does to the simulated robot what a person would do and resolves to {ok, text}; api.toast(ok, text) tells.
import { known, mountFace } from './face.js';
import { newHand } from './hand.js';
import { newLabels } from './labels.js';
import { HELD_LEAST_MM, idOf, newModel, where } from './model.js';
import { onTheme } from './palette.js';
import { newPanel } from './panel.js';
import { isKit, lacks, radiusOf } from './parts.js';
import { noseOf, rangeReading } from './sense.js';
import { isClip, newSound } from './sound.js';
import { inside } from './table.js';
import { newFlat } from './flat.js';
import { newView3d } from './view3d.js';
import { newBelievedMap } from './map.js';

export { known, mountFace };

const REACH_MM = 140; // how far beyond the table's edge a hand carries the robot
const BELIEF_MM = 8; // less is not worth drawing
const BELIEF_RAD = 0.09;
const FLOOR_MM = -430;
const FRAME_MS = 12; // at most about 60 frames a second

// complete fills what an older robot or a real one leaves out.
function complete(state) {
	state.body.sensors ||= { cliff: [] };
	state.body.sensors.cliff ||= [];
	state.devices ||= [];
	if (state.world) for (const name of ['table', 'cubes', 'obstacles', 'faces']) state.world[name] ||= [];
	return state;
}

// boxOf is what the presets show: the table, or some ground around a robot without one.
function boxOf(state) {
	if (!state.world || state.world.table.length < 3) return { x: 0, y: 0, w: 900, h: 700, az: -Math.PI / 2 };
	const xs = state.world.table.map((p) => p[0]);
	const ys = state.world.table.map((p) => p[1]);
	const [l, r, b, t] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
	const az = Math.round((state.world.charger.heading_rad + Math.PI) / (Math.PI / 2)) * (Math.PI / 2); // people stand across from the charger
	return { x: (l + r) / 2, y: (b + t) / 2, w: r - l, h: t - b, az };
}

// mount puts the view into element and returns {render(state, {live}), resize(), dispose()}.
export function mount(element, api) {
	const panel = newPanel(element);
	const { root } = panel;
	const still = matchMedia('(prefers-reduced-motion: reduce)');
	const model = newModel(FLOOR_MM);
	const labels = newLabels(panel.labels);
	const sound = newSound();
	const believedMap = newBelievedMap();
	const show = panel.layers; // {senses, belief, trails}
	let view;
	try {
		if (new URLSearchParams(location.search).get('gl') === 'none') throw new Error('not wanted');
		view = newView3d(panel.canvas);
	} catch {
		view = newFlat(panel.freshCanvas());
		panel.note('This browser has no WebGL: the world is drawn from above.');
	}
	root.dataset.view = view.kind;
	let state = null;
	let live = true;
	let selected = { kind: 'robot', id: 'robot' };
	let frame = 0;
	let drawnAt = 0;
	let looked = '';
	let chart = null; // the map that is drawn
	let resting = false; // neither things nor camera move
	let stale = true; // something but the glides has changed
	let busyMS = 0;
	let drawn = 0;
	const script = []; // milliseconds of script of the newest frames, for measurements

	const wake = () => { frame ||= requestAnimationFrame(tick); };
	const changed = () => {
		stale = true;
		wake();
	};

	async function act(name, params, quiet) {
		const answer = await api.act(name, params);
		if (answer && !answer.ok && !quiet) api.toast?.(false, answer.text);
		return answer;
	}

	const list = () => {
		const holds = [{ kind: 'robot', id: 'robot' }];
		state?.world?.cubes.forEach((c, i) => holds.push({ kind: 'cube', id: idOf(c, i) }));
		state?.world?.faces.forEach((f) => holds.push({ kind: 'person', id: f.id, name: f.name }));
		return holds;
	};
	const same = (a, b) => a.kind === b.kind && a.id === b.id;
	const nameOf = (h) => (h.kind === 'robot' ? 'the robot' : h.kind === 'cube' ? `cube ${h.id}` : h.name || 'the visitor');
	const posed = (p) => p && { x: p.x_mm, y: p.y_mm, heading: p.heading_rad || 0 };

	const world = {
		get can() { return Boolean(state?.world && live); },
		find(h) {
			if (h.kind === 'robot') return posed(where(state));
			if (h.kind === 'cube') return posed(state.world.cubes.find((c, i) => idOf(c, i) === h.id));
			return posed(state.world.faces.find((f) => f.id === h.id));
		},
		fits: (x, y) => inside(state.world.table, x, y),
		near(x, y) {
			const b = boxOf(state);
			const [rx, ry] = [b.w / 2 + REACH_MM, b.h / 2 + REACH_MM];
			return [Math.max(b.x - rx, Math.min(b.x + rx, x)), Math.max(b.y - ry, Math.min(b.y + ry, y))];
		},
		held: () => Boolean(state?.world?.robot.held),
		selected: () => selected,
		next() {
			const all = list();
			return all[(all.findIndex((h) => same(h, selected)) + 1) % all.length];
		},
	};

	function select(h) {
		selected = h.kind === 'back' ? { kind: 'robot', id: 'robot' } : list().find((o) => same(o, h)) || h;
		panel.picked(`Arrow keys move ${nameOf(selected)}`);
		changed();
	}

	const hand = newHand(panel.canvas, {
		view: () => view, world, act, select, changed,
		carry(h, pose) {
			if (!pose && h.kind === 'robot' && state) panel.canvas.dataset.hand = '';
			model.carry(h, pose);
			changed();
		},
	});

	function ring() {
		if (document.activeElement !== panel.canvas || !panel.keyed) return null;
		if (selected.kind === 'robot') return [model.out.robot[0], model.out.robot[1], Math.max(66, radiusOf(state))];
		const p = (selected.kind === 'cube' ? model.out.cubes : model.out.people).get(selected.id);
		return p ? [p[0], p[1], selected.kind === 'cube' ? 44 : 160] : null;
	}

	// parts reports whether what the robot believes is so far from the truth that it is worth drawing.
	function parts() {
		const [r, b] = [model.out.robot, model.out.belief];
		return b && r[2] < HELD_LEAST_MM && (Math.hypot(b[0] - r[0], b[1] - r[1]) > BELIEF_MM || Math.abs(Math.sin((b[2] - r[3]) / 2)) > BELIEF_RAD / 2);
	}

	// besideRobot is where the word at the believed pose stands: on the far side, so that it covers the robot as little as can be.
	function besideRobot(b, r) {
		const k = Math.max(40, radiusOf(state) * 0.7) / (Math.hypot(b[0] - r[0], b[1] - r[1]) || 1);
		return [b[0] + (b[0] - r[0]) * k, b[1] + (b[1] - r[1]) * k, 62];
	}

	function anchors() {
		const r = model.out.robot;
		const az = view.cam ? view.cam.azimuth : -Math.PI / 2;
		const reading = rangeReading(state);
		const far = noseOf(state) + reading.mm;
		const foot = Math.max(72, radiusOf(state));
		const off = Boolean(state.world && (state.world.robot.held || state.world.robot.fallen));
		const b = model.out.belief;
		const people = new Map();
		for (const [id, p] of model.out.people) people.set(id, [p[0], p[1], view.kind === '3d' ? 355 : 0]); // over the head
		return {
			robotTop: [r[0], r[1], r[2] + 96], robotFoot: [r[0] + foot * Math.cos(az), r[1] + foot * Math.sin(az), r[2]], people,
			belief: b ? besideRobot(b, r) : null,
			range: show.senses && !off ? [r[0] + far * Math.cos(r[3]), r[1] + far * Math.sin(r[3]), 34] : null,
		};
	}

	function tick(now) {
		frame = 0;
		if (!state || !view.ready) return;
		if (now - drawnAt < FRAME_MS) return wake(); // a screen of 120 Hz
		const t0 = performance.now();
		const gap = now - drawnAt;
		const dt = Math.min(0.3, gap / 1000);
		drawnAt = now;
		const glides = model.sample(now);
		model.out.sure = model.out.belief || (state.world ? null : model.out.robot);
		if (!show.belief || !parts()) model.out.belief = null;
		model.out.ring = ring();
		view.pose(model.out);
		const turns = view.look(dt, model.out, still.matches);
		const face = view.screen(now);
		const moving = glides || turns || face.moving;
		resting = !glides && !turns;
		if (moving || stale || face.changed) {
			labels.place(anchors(), view.project, view.size, panel.foot);
			const t1 = performance.now();
			view.draw(busyMS ? gap : 0);
			drawn++;
			busyMS = performance.now() - t1;
			script.push(performance.now() - t0);
			if (script.length > 120) script.shift();
		}
		stale = false;
		publish();
		if (moving) wake();
		else busyMS = 0;
	}

	// publish leaves on the element what is drawn, for tests and for people who look with the inspector.
	function publish() {
		const r = model.out.robot;
		Object.assign(root.dataset, {
			robot: `${r[0].toFixed(0)} ${r[1].toFixed(0)} ${r[3].toFixed(2)}`, tilt: `${r[4].toFixed(2)} ${r[9].toFixed(2)}`, held: r[2] > HELD_LEAST_MM ? 'yes' : 'no', drawn,
			cubes: [...model.out.cubes].map(([id, p]) => `${id}@${p[2].toFixed(0)}`).join(' '),
			selected: `${selected.kind} ${selected.id}`, camera: view.cam?.mode || 'top', cliffs: view.cliffs.join(' '),
		});
	}

	// looks is what the picture shows of a state besides what glides: if it is the same, nothing has to be drawn.
	function looks() {
		const b = state.body;
		const w = state.world;
		return JSON.stringify([b.face, b.gaze, b.lid, b.shape, b.lights, b.says, b.touched, b.charging, b.on_charger, b.treads, b.sensors.cliff, b.sensors.range_mm,
			state.devices.map((d) => [d.quality, d.why]), show, w && [w.faces.map((f) => f.name), w.cubes.map((c) => [c.up, c.carried]), w.robot.held, w.robot.fallen, w.table]]);
	}

	function render(next, { live: isLive = true } = {}) {
		const jumped = !state || next.time_s < state.time_s || !isLive;
		state = complete(next);
		live = isLive;
		const now = performance.now();
		const off = Boolean(state.world && (state.world.robot.held || state.world.robot.fallen));
		model.update(state, now, !(jumped || still.matches || document.hidden));
		const wasMap = chart;
		chart = show.map ? believedMap(state) : null;
		view.update(state, {
			now, still: still.matches, box: boxOf(state), off, senses: show.senses, trails: show.trails, map: chart,
			truePose: where(state), believed: show.belief && state.world ? state.world.believed : null,
		});
		if (!view.ready) view.prepare().then(changed);
		const { ok, mm, why } = rangeReading(state);
		labels.update(state, { speech: isClip(state.body.says || '') ? '' : state.body.says || '', reading: lacks(state, 'range') ? '' : ok ? (mm ? `${mm.toFixed(0)} mm` : '') : why || 'no range' });
		if (live) sound.hear(state);
		else sound.hush();
		panel.update(live, Boolean(state.world), { touch: !lacks(state, 'touch'), range: !lacks(state, 'range'), cliff: !isKit(state) });
		const was = looked;
		looked = looks();
		if (looked !== was || chart !== wasMap || !live) stale = true;
		wake();
	}

	// redraw shows the same state again, another way.
	function redraw() {
		if (!state) return;
		stale = true;
		render(state, { live });
	}

	function resize() {
		view.resize();
		changed();
	}

	panel.wire({
		preset(name) {
			view.cam?.set(name);
			resting = false;
			changed();
		},
		sound: (mode) => sound.set(mode),
		redraw,
		changed,
	});
	const watch = new ResizeObserver(resize);
	watch.observe(root);
	const endTheme = onTheme(redraw);
	const seen = () => !document.hidden && changed();
	document.addEventListener('visibilitychange', seen);
	root.w3 = { project: (p) => view.project(p), resting: () => resting, script, view, sound, get robot() { return state?.world?.robot; } };

	return {
		render,
		resize,
		dispose() {
			cancelAnimationFrame(frame);
			watch.disconnect();
			endTheme();
			hand.dispose();
			document.removeEventListener('visibilitychange', seen);
			sound.dispose();
			view.dispose();
			panel.dispose();
		},
	};
}
