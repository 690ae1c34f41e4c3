// The table with what stands on it: charger, cubes, boxes. It is built anew only when the layout changes.
import * as T from '../vendor/three/three.min.js';
import { lacks } from './parts.js';
import { pips } from './pips.js';
import { fuse, matte, mesh, release, slab, tag } from './shapes.js';

export const CUBE_MM = 44;
const THICK_MM = 26;
const FLOOR_MM = -430;
const BOX_HEIGHT_MM = 90;
const GRID_MM = 100;
const WALL_MM = 120; // height of walls as drawn: lower than they are, so that the eye looks over them
const WALL_THICK_MM = 30;
const TONGUE_MM = 10; // half the width of the charger's tongue
const TONGUE_RAD = 7 * Math.PI / 180; // and how it rises
const OPEN_MM = 3000; // size of the ground of a robot that has no table

// inside reports whether a point lies in a polygon (even-odd rule).
export function inside(poly, x, y) {
	let is = false;
	for (let i = 0, j = poly.length - 1; i < poly.length; j = i++) {
		const [xi, yi] = poly[i];
		const [xj, yj] = poly[j];
		if ((yi > y) !== (yj > y) && x < (xj - xi) * (y - yi) / (yj - yi) + xi) is = !is;
	}
	return is;
}

// gridPicture draws one cell of the grid, so that the table's top needs no lines of its own.
function gridPicture(colors) {
	const c = Object.assign(document.createElement('canvas'), { width: 256, height: 256 });
	const g = c.getContext('2d');
	g.fillStyle = colors.table;
	g.fillRect(0, 0, 256, 256);
	g.strokeStyle = colors.grid;
	g.globalAlpha = 0.55;
	g.lineWidth = 3;
	g.strokeRect(0, 0, 256, 256);
	const t = new T.CanvasTexture(c);
	t.wrapS = t.wrapT = T.RepeatWrapping;
	t.repeat.set(1 / GRID_MM, 1 / GRID_MM); // the geometry's coordinates are millimeters
	t.colorSpace = T.SRGBColorSpace;
	t.anisotropy = 8;
	return t;
}

function tableOf(corners, colors) {
	const node = new T.Group();
	const shape = new T.Shape(corners.map(([x, y]) => new T.Vector2(x, y)));
	const top = mesh(new T.ShapeGeometry(shape), matte('#fff', { map: gridPicture(colors), roughness: 0.75 }), [0, 0, 0], { cast: false });
	const rim = new T.ExtrudeGeometry(shape, { depth: THICK_MM, bevelEnabled: false });
	const wood = matte(colors.apron);
	node.add(top, mesh(rim, wood, [0, 0, -THICK_MM - 0.4]));
	const line = new T.Shape(corners.map(([x, y]) => new T.Vector2(x, y)));
	line.holes.push(new T.Path(corners.map(([x, y]) => new T.Vector2(x * (1 - 9 / Math.abs(x)), y * (1 - 9 / Math.abs(y)))).reverse()));
	node.add(mesh(new T.ShapeGeometry(line), wood, [0, 0, 0.2], { cast: false }));
	const xs = corners.map((p) => p[0]);
	const ys = corners.map((p) => p[1]);
	for (const x of [Math.min(...xs) + 110, Math.max(...xs) - 110]) {
		for (const y of [Math.min(...ys) + 110, Math.max(...ys) - 110]) {
			node.add(mesh(new T.CylinderGeometry(16, 12, -FLOOR_MM - THICK_MM, 16).rotateX(Math.PI / 2), wood, [x, y, (FLOOR_MM - THICK_MM) / 2]));
		}
	}
	return fuse(node);
}

// roomOf is a floor with walls.
function roomOf(corners, colors) {
	const node = new T.Group();
	const shape = new T.Shape(corners.map(([x, y]) => new T.Vector2(x, y)));
	node.add(mesh(new T.ShapeGeometry(shape), matte('#fff', { map: gridPicture(colors), roughness: 0.75 }), [0, 0, 0], { cast: false }));
	const wall = matte(colors.apron);
	corners.forEach(([x, y], i) => {
		const [u, v] = corners[(i + 1) % corners.length];
		const [dx, dy] = [u - x, v - y];
		const length = Math.hypot(dx, dy);
		const g = new T.BoxGeometry(length + 2 * WALL_THICK_MM, WALL_THICK_MM, WALL_MM).rotateZ(Math.atan2(dy, dx));
		node.add(mesh(g, wall, [(x + u) / 2 + dy / length * WALL_THICK_MM / 2, (y + v) / 2 - dx / length * WALL_THICK_MM / 2, WALL_MM / 2]));
	});
	return fuse(node);
}

// tongueOf is the wedge in the middle of the charger's pad, which lifts the tail of a robot that backs onto it.
function tongueOf() {
	const side = new T.Shape([[55, 0], [-36, 0], [-36, 91 * Math.tan(TONGUE_RAD)]].map(([x, z]) => new T.Vector2(x, z)));
	return new T.ExtrudeGeometry(side, { depth: 2 * TONGUE_MM, bevelEnabled: false }).rotateX(Math.PI / 2);
}

function chargerOf(colors, dark) {
	const node = new T.Group();
	const base = matte(dark ? '#3c4850' : '#4a565e', { roughness: 0.5 });
	node.add(mesh(slab(110, 84, 2, 10, 0.8), base, [0, 0, 0.2]));
	node.add(mesh(tongueOf(), matte('#8b98a1', { roughness: 0.5 }), [0, TONGUE_MM, 0]));
	node.add(mesh(slab(20, 84, 44, 9, 4), base, [-45, 0, 22]));
	const brass = matte('#e9b44c', { metalness: 0.6, roughness: 0.3 });
	for (const y of [-15, 15]) node.add(mesh(slab(26, 5, 2, 2, 0.6), brass, [-20, y, 1.4]));
	const light = mesh(slab(5, 52, 4, 2, 1), matte('#2b343b', { emissive: colors.good, emissiveIntensity: 0 }), [-41, 0, 44]);
	const mark = new T.Shape([[14, -20], [-4, 3], [8, 3], [2, 20], [22, -5], [9, -5]].map(([x, y]) => new T.Vector2(x + 18, y * 0.8)));
	node.add(light, mesh(new T.ShapeGeometry(mark), matte('#f0c75e', { side: T.DoubleSide }), [0, 27, 1.5], { cast: false }));
	node.userData.light = light.material;
	return fuse(node, [light]);
}

// SIDES are the turns, in quarters about x and y, that bring a side of the cube up: side 1 is up, 2 in front, 3 to the left, and opposite ones have a sum of 7.
const SIDES = { 1: [0, 0], 2: [0, -1], 3: [1, 0], 4: [-1, 0], 5: [0, 1], 6: [2, 0] };

// cubeOf is a cube whose sides have as many dots as their number.
function cubeOf(colors, id) {
	const node = new T.Group();
	const body = new T.Group();
	const shell = matte(colors.cube, { roughness: 0.45 });
	const inner = matte('#fff7e0', { roughness: 0.5 });
	const ink = matte('#5a3d2b', { roughness: 0.6 });
	const half = CUBE_MM / 2;
	body.add(mesh(slab(CUBE_MM, CUBE_MM, CUBE_MM, 8, 4.5), shell));
	const add = (geometry, material, [ax, ay]) => {
		const m = mesh(geometry, material, [0, 0, 0], { cast: false });
		m.rotation.set(-ax * Math.PI / 2, -ay * Math.PI / 2, 0);
		body.add(m);
	};
	for (const [side, quarters] of Object.entries(SIDES)) {
		add(slab(27, 27, 2, 6, 0.9).translate(0, 0, half - 0.4), inner, quarters);
		for (const [x, y] of pips(Number(side))) add(new T.CylinderGeometry(2.4, 2.4, 1, 16).rotateX(Math.PI / 2).translate(8 * x, 8 * y, half + 0.4), ink, quarters);
	}
	body.position.z = half;
	node.add(fuse(body));
	return tag(node, { kind: 'cube', id });
}

// turnUp lets a cube stand with that side up.
function turnUp(cube, up) {
	const [ax, ay] = SIDES[up] || SIDES[1];
	cube.children[0].rotation.set(ax * Math.PI / 2, ay * Math.PI / 2, 0);
}

function boxOf(b, colors) {
	const m = mesh(slab(b.length_mm || 50, b.width_mm || 50, BOX_HEIGHT_MM, 5, 2.5), matte(colors.box, { transparent: true }), [b.x_mm, b.y_mm, BOX_HEIGHT_MM / 2]);
	m.rotation.z = b.heading_rad || 0;
	return m;
}

// hides reports whether the line from the eye to a point passes near the box m before it gets there.
function hides(m, eye, x, y, z) {
	m.geometry.boundingBox || m.geometry.computeBoundingBox();
	const { min, max } = m.geometry.boundingBox;
	const [c, s] = [Math.cos(m.rotation.z), Math.sin(m.rotation.z)];
	for (let k = 0.3; k < 0.97; k += 0.04) {
		const [dx, dy, dz] = [eye.x + (x - eye.x) * k - m.position.x, eye.y + (y - eye.y) * k - m.position.y, eye.z + (z - eye.z) * k - m.position.z];
		const [u, v] = [dx * c + dy * s, dy * c - dx * s];
		if (u > min.x - 30 && u < max.x + 30 && v > min.y - 30 && v < max.y + 30 && dz < max.z + 12) return true;
	}
	return false;
}

// newTable returns {node, update(state), cube(i), cubes}; colors may change with the theme: recolor builds all anew.
export function newTable() {
	const node = new T.Group();
	let key = '';
	let parts = null;

	function build(state, colors, dark) {
		if (parts) release(parts.node);
		parts = { node: new T.Group(), cubes: new Map(), charger: null, boxes: [] };
		node.add(parts.node);
		const w = state.world;
		const floor = mesh(new T.CircleGeometry(6000, 48), new T.MeshStandardMaterial({ color: colors.floor, roughness: 1 }), [0, 0, FLOOR_MM], { cast: false });
		if (!w || w.table.length < 3) {
			const s = OPEN_MM / 2;
			parts.node.add(tableOf([[-s, -s], [s, -s], [s, s], [-s, s]], colors));
			return;
		}
		floor.position.z = w.walls ? -1 : FLOOR_MM;
		parts.node.add(floor, w.walls ? roomOf(w.table, colors) : tableOf(w.table, colors));
		if (!lacks(state, 'charger')) {
			parts.charger = chargerOf(colors, dark);
			parts.charger.position.set(w.charger.x_mm, w.charger.y_mm, 0);
			parts.charger.rotation.z = w.charger.heading_rad;
			parts.node.add(parts.charger);
		}
		parts.boxes = w.obstacles.map((b) => boxOf(b, colors));
		parts.node.add(...parts.boxes);
	}

	return {
		node,
		floor: FLOOR_MM,
		update(state, colors, dark) {
			const w = state.world;
			const now = dark + (w ? JSON.stringify([w.table, w.walls, w.charger, w.obstacles]) : 'open');
			if (now !== key) build(state, colors, dark);
			key = now;
			if (parts.charger) parts.charger.userData.light.emissiveIntensity = state.body.charging ? 1.6 : state.body.on_charger ? 0.4 : 0;
			const seen = new Set((w ? w.cubes : []).map((c, i) => c.id || i + 1));
			for (const id of seen) {
				if (parts.cubes.has(id)) continue;
				const cube = cubeOf(colors, id);
				parts.cubes.set(id, cube);
				parts.node.add(cube);
			}
			(w ? w.cubes : []).forEach((c, i) => turnUp(parts.cubes.get(c.id || i + 1), c.up));
			for (const [id, cube] of parts.cubes) {
				if (seen.has(id)) continue;
				release(cube);
				parts.cubes.delete(id);
			}
		},
		// reveal makes a box that stands between the eye and the robot transparent.
		reveal(eye, [x, y, z]) {
			for (const m of parts?.boxes || []) {
				const goal = hides(m, eye, x, y, z + 40) ? 0.22 : 1;
				if (m.material.opacity === goal) continue;
				m.material.opacity = goal;
				m.material.depthWrite = goal === 1;
			}
		},
		// placeCube moves one cube; z is the height of its bottom.
		placeCube(id, x, y, z, heading) {
			const cube = parts && parts.cubes.get(id);
			if (!cube) return;
			cube.position.set(x, y, z);
			cube.rotation.z = heading;
		},
	};
}
