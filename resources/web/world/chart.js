// The believed map in three dimensions: flat lines on the ground, and the ellipse of where the robot itself is.
import * as T from '../vendor/three/three.min.js';
import { oval, strokes } from './map.js';

const LINE_MM = 3;
const OVAL_POINTS = 40;

const flat = (opacity) => new T.MeshBasicMaterial({ transparent: true, opacity, depthWrite: false, side: T.DoubleSide });

// ribbon writes the two triangles of a line of a width into at, from index i on.
function ribbon(at, i, [x1, y1, x2, y2], width) {
	const k = width / 2 / (Math.hypot(x2 - x1, y2 - y1) || 1);
	const [nx, ny] = [(y2 - y1) * k, (x1 - x2) * k];
	at.set([x1 + nx, y1 + ny, 0, x2 + nx, y2 + ny, 0, x2 - nx, y2 - ny, 0, x1 + nx, y1 + ny, 0, x2 - nx, y2 - ny, 0, x1 - nx, y1 - ny, 0], i);
}

function put(mesh, at, tint) {
	mesh.geometry.dispose();
	mesh.geometry = new T.BufferGeometry();
	mesh.geometry.setAttribute('position', new T.BufferAttribute(at, 3));
	if (tint) mesh.geometry.setAttribute('color', new T.BufferAttribute(tint, 4));
}

// newChart returns {node, paint(colors), draw(map), sure(place)}: place is where the robot believes to be, [x, y], or null.
export function newChart() {
	const node = new T.Group();
	const lines = new T.Mesh(new T.BufferGeometry(), Object.assign(flat(0.85), { vertexColors: true }));
	const rim = new T.Mesh(new T.BufferGeometry(), flat(0.85));
	const fill = new T.Mesh(new T.CircleGeometry(1, OVAL_POINTS), flat(0.14));
	const about = new T.Group(); // lies at the believed place
	about.add(fill, rim);
	node.add(lines, about);
	node.position.z = 2;
	for (const m of [lines, rim, fill]) {
		m.frustumCulled = false;
		m.renderOrder = 7;
	}
	const ink = { belief: new T.Color(), edge: new T.Color() };
	let drawn = null;
	let size = '';

	function drawLines(map) {
		const all = strokes(map);
		const [at, tint] = [new Float32Array(all.length * 18), new Float32Array(all.length * 24)];
		all.forEach((l, i) => {
			ribbon(at, 18 * i, l.at, LINE_MM);
			const { r, g, b } = ink[l.color];
			for (let v = 0; v < 6; v++) tint.set([r, g, b, l.alpha], 24 * i + 4 * v);
		});
		put(lines, at, tint);
	}

	function drawOval([a, b, turn]) {
		about.rotation.z = turn;
		if (size === `${a} ${b}`) return;
		size = `${a} ${b}`;
		fill.scale.set(a + LINE_MM / 2, b + LINE_MM / 2, 1);
		const points = oval(a + LINE_MM / 2, b + LINE_MM / 2, OVAL_POINTS);
		const at = new Float32Array(points.length * 18);
		points.forEach((p, i) => ribbon(at, 18 * i, [...p, ...points[(i + 1) % points.length]], LINE_MM));
		put(rim, at);
	}

	return {
		node,
		paint(colors) {
			ink.belief.set(colors.belief);
			ink.edge.set(colors.edge);
			rim.material.color.set(colors.belief);
			fill.material.color.set(colors.belief);
			drawn = null;
		},
		// draw draws a map anew if it is another one.
		draw(map) {
			node.visible = Boolean(map);
			if (!map || map === drawn) return;
			drawn = map;
			drawLines(map);
			drawOval(map.sure);
		},
		sure(place) {
			about.visible = Boolean(place);
			if (place) about.position.set(place[0], place[1], 0);
		},
	};
}
