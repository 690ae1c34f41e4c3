// What the robot senses and believes, drawn over what is true: the distance beam with the sensor's reading, the cliff sensors by
// what each reports, the pose that the robot believes, and the trails of both.
import * as T from '../vendor/three/three.min.js';
import { newChart } from './chart.js';
import { isKit, lacks, outlineOf } from './parts.js';
import { roundedRect } from './shapes.js';

const CLIFF_AT = [[30, 22], [30, -22], [-45, 22], [-45, -22]]; // on the robot, front left first
const NOSE_MM = 35;
const BEAM_Z = 22;
const BEAM_RAD = 12 * Math.PI / 180;
const FREE_MM = 400; // the beam's length when nothing is found
const TRAIL_S = 30;
const TRAIL_MM = 4;
export const JUMP_MM = 150; // farther between two states is carried, not driven

// Pictures of the state of a cliff sensor: floor, edge, and no usable reading.
function badge(color, kind) {
	const c = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
	const g = c.getContext('2d');
	g.beginPath();
	g.arc(32, 32, 26, 0, 2 * Math.PI);
	g.fillStyle = color;
	g.fill();
	g.lineWidth = 6;
	g.strokeStyle = '#fff';
	g.stroke();
	g.lineWidth = 7;
	g.lineCap = 'round';
	g.beginPath();
	if (kind === 'lost') {
		g.moveTo(22, 22);
		g.lineTo(42, 42);
		g.moveTo(42, 22);
		g.lineTo(22, 42);
	} else if (kind === 'edge') {
		g.moveTo(32, 19);
		g.lineTo(32, 34);
		g.moveTo(32, 45);
		g.lineTo(32, 45.1);
	}
	g.stroke();
	const t = new T.CanvasTexture(c);
	t.colorSpace = T.SRGBColorSpace;
	return t;
}

// A Ribbon is a trail: a strip on the ground that pales with age.
class Ribbon {
	constructor(max, width, z) {
		this.max = max;
		this.width = width;
		this.points = [];
		const g = new T.BufferGeometry();
		g.setAttribute('position', new T.BufferAttribute(new Float32Array(max * 6), 3).setUsage(T.DynamicDrawUsage));
		g.setAttribute('color', new T.BufferAttribute(new Float32Array(max * 8), 4).setUsage(T.DynamicDrawUsage));
		const index = [];
		for (let i = 0; i + 1 < max; i++) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
		g.setIndex(index);
		g.setDrawRange(0, 0);
		this.mesh = new T.Mesh(g, new T.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: T.DoubleSide }));
		this.mesh.position.z = z;
		this.mesh.frustumCulled = false;
		this.mesh.renderOrder = 1;
	}

	// add takes a place at a time; off means that the robot is not on the ground.
	add(t, x, y, off) {
		const last = this.points[this.points.length - 1];
		if (last && (t < last.t - 0.001 || t > last.t + TRAIL_S)) this.points = [];
		const far = last ? Math.hypot(x - last.x, y - last.y) : 0;
		if (off) return;
		if (!last || far > 2) this.points.push({ t, x, y, gap: far > JUMP_MM || this.lifted });
		this.lifted = false;
		while (this.points.length > this.max || (this.points.length && this.points[0].t < t - TRAIL_S)) this.points.shift();
	}

	draw(now, color) {
		const g = this.mesh.geometry;
		const pos = g.attributes.position;
		const col = g.attributes.color;
		const p = this.points;
		for (let i = 0; i < p.length; i++) {
			const a = p[Math.max(0, i - 1)];
			const b = p[Math.min(p.length - 1, i + 1)];
			const d = Math.hypot(b.x - a.x, b.y - a.y) || 1;
			const nx = -(b.y - a.y) / d * this.width / 2;
			const ny = (b.x - a.x) / d * this.width / 2;
			const gone = p[i].gap || (p[i + 1] && p[i + 1].gap) ? 0 : 1;
			const alpha = gone * 0.75 * Math.max(0, 1 - (now - p[i].t) / TRAIL_S);
			for (const [k, s] of [[0, 1], [1, -1]]) {
				pos.setXYZ(2 * i + k, p[i].x + s * nx, p[i].y + s * ny, 0);
				col.setXYZW(2 * i + k, color.r, color.g, color.b, alpha);
			}
		}
		pos.needsUpdate = col.needsUpdate = true;
		g.setDrawRange(0, Math.max(0, (p.length - 1) * 6));
	}
}

// ghostOf is the outline of the robot where it believes to be; fit(state) makes it as large as the robot of a state.
function ghostOf() {
	const node = new T.Group();
	const paint = [0.16, 1, 1, 0.6].map((opacity, i) => (i === 1 || i === 2 ? new T.LineBasicMaterial() : new T.MeshBasicMaterial({ transparent: true, opacity, depthWrite: false })));
	const [fill, rim, up, arrow] = paint.map((m, i) => (i === 1 || i === 2 ? new T.Line(new T.BufferGeometry(), m) : new T.Mesh(new T.BufferGeometry(), m)));
	node.add(fill, rim, up, arrow);
	up.position.z = 60;
	arrow.position.z = 0.5;
	let fitted = '';

	function fit(state) {
		const { length_mm: length = 90, width_mm: width = 60, back_mm: back = length * 0.61 } = outlineOf(state);
		if (fitted === `${length} ${width} ${back}`) return;
		fitted = `${length} ${width} ${back}`;
		const shape = roundedRect(length, width, 14);
		const nose = length - back;
		const tip = new T.Shape([[nose - 23, -15], [nose - 1, 0], [nose - 23, 15]].map(([x, y]) => new T.Vector2(x, y)));
		const points = [...shape.getPoints(6), shape.getPoints(1)[0]];
		[new T.ShapeGeometry(shape), new T.BufferGeometry().setFromPoints(points), new T.BufferGeometry().setFromPoints(points), new T.ShapeGeometry(tip)].forEach((g, i) => {
			const o = node.children[i];
			o.geometry.dispose();
			o.geometry = g;
			if (o !== arrow) o.position.x = length / 2 - back;
		});
	}
	fit({});
	node.position.z = 1.2;
	node.userData = { paint, fit };
	return node;
}

function beamOf() {
	const g = new T.CircleGeometry(1, 16, -BEAM_RAD, 2 * BEAM_RAD);
	const node = new T.Group();
	const cone = new T.Mesh(g, new T.MeshBasicMaterial({ transparent: true, opacity: 0.22, depthWrite: false, side: T.DoubleSide }));
	const spot = new T.Mesh(new T.SphereGeometry(4.5, 16, 12), new T.MeshBasicMaterial());
	node.add(cone, spot);
	node.position.set(NOSE_MM, 0, BEAM_Z);
	return { node, cone, spot };
}

const QUALITY = (state, name) => (state.devices.find((d) => d.name === name) || { quality: 'absent' }).quality;

// cliffKinds tells what each of the four sensors reports: "floor", "edge", or "lost" when the reading must not be used.
export function cliffKinds(state) {
	const { cliff } = state.body.sensors;
	const good = QUALITY(state, 'cliff') === 'ok' && cliff.length === 4;
	return CLIFF_AT.map((_, i) => (good ? (cliff[i] ? 'edge' : 'floor') : 'lost'));
}

// rangeReading is {ok, mm, why}: whether the distance sensor tells what is ahead, its reading, 0 for nothing ahead, and why it does not although it works.
export function rangeReading(state) {
	const why = state.devices.find((d) => d.name === 'range')?.why || '';
	return { ok: QUALITY(state, 'range') === 'ok', mm: state.body.sensors.range_mm || 0, why };
}

// noseOf is where the distance sensor sits before the axle: at the nose.
export function noseOf(state) {
	const r = outlineOf(state);
	return isKit(state) ? r.length_mm - (r.back_mm || r.length_mm / 2) : NOSE_MM;
}

// newSenses returns what hangs on the robot (mount) and what lies on the ground (ground).
export function newSenses() {
	const mount = new T.Group();
	const ground = new T.Group();
	const ghost = ghostOf();
	const beam = beamOf();
	const truth = new Ribbon(320, TRAIL_MM, 0.6);
	const belief = new Ribbon(320, TRAIL_MM * 0.7, 0.9);
	// Each sensor has a dot beside the track, and a pale one that shows through the body when it reports anything but floor.
	const dot = ([x, y], through) => {
		const d = new T.Sprite(new T.SpriteMaterial({ depthTest: !through, transparent: true, opacity: through ? 0.28 : 1 }));
		d.position.set(x, y + Math.sign(y) * 15, 5.6);
		d.scale.setScalar(11);
		d.renderOrder = through ? 8 : 9;
		return d;
	};
	const dots = CLIFF_AT.map((at) => dot(at, false));
	const pale = CLIFF_AT.map((at) => dot(at, true));
	mount.add(beam.node, ...pale, ...dots);
	ground.add(truth.mesh, belief.mesh, ghost);
	const chart = newChart();
	ground.add(chart.node);
	let colors = null;
	let pictures = {};
	let shown = [];
	const ink = { truth: new T.Color(), belief: new T.Color() };

	function paint(next) {
		if (next === colors) return;
		colors = next;
		for (const p of Object.values(pictures)) p.dispose();
		pictures = { floor: badge(colors.good, 'floor'), edge: badge(colors.edge, 'edge'), lost: badge(colors.lost, 'lost') };
		ink.truth.set(colors.truth);
		ink.belief.set(colors.belief);
		chart.paint(colors);
		for (const m of ghost.userData.paint) m.color.set(colors.belief);
	}

	return {
		mount, ground, ghost, sure: chart.sure,
		get cliffs() { return shown; },
		update(state, next, { truePose, believed, off, senses, trails, map }) {
			paint(next);
			shown = cliffKinds(state);
			shown.forEach((kind, i) => {
				dots[i].material.map = pale[i].material.map = pictures[kind];
				dots[i].visible = senses && !off && !isKit(state) && !lacks(state, 'cliff');
				pale[i].visible = dots[i].visible && kind !== 'floor';
			});
			const { ok, mm } = rangeReading(state);
			const far = ok ? mm || FREE_MM : 60;
			beam.node.visible = senses && !off && !lacks(state, 'range');
			beam.node.position.x = noseOf(state);
			beam.cone.scale.set(far, far, 1);
			beam.cone.material.color.set(ok ? colors.beam : colors.lost);
			beam.cone.material.opacity = ok && mm ? 0.3 : 0.12;
			beam.spot.visible = ok && mm > 0;
			beam.spot.position.x = far;
			beam.spot.material.color.set(colors.beam);
			truth.add(state.time_s, truePose.x_mm, truePose.y_mm, off);
			truth.lifted ||= off;
			if (believed) belief.add(state.time_s, believed.x_mm, believed.y_mm, off);
			belief.lifted ||= off;
			truth.mesh.visible = trails;
			belief.mesh.visible = trails && Boolean(believed);
			truth.draw(state.time_s, ink.truth);
			belief.draw(state.time_s, ink.belief);
			chart.draw(map);
			ghost.userData.fit(state);
		},
	};
}
