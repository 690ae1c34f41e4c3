// Two tracks: a belt around two wheels, with cleats that run along it as far as the wheel's rim has turned.
import * as T from '../vendor/three/three.min.js';
import { fuse, matte, mesh } from './shapes.js';

const FRONT = { x: 17, z: 15, r: 15 };
const REAR = { x: -41, z: 13, r: 13 };
const WIDTH = 12.5;
const GAUGE = 23.6; // from the middle of the robot to that of a track
const CLEATS = 22;

// outline is the belt's path: clockwise seen from its left, as points with the direction out of the belt.
function outline() {
	// Both wheels stand on the ground; the upper run is the lower one, mirrored at the line through the hubs.
	const top = Math.PI / 2 + 2 * Math.atan2(FRONT.z - REAR.z, FRONT.x - REAR.x);
	const points = [];
	const arc = (w, from, to) => {
		for (let i = 0; i <= 14; i++) {
			const a = from + (to - from) * i / 14;
			points.push({ x: w.x + w.r * Math.cos(a), z: w.z + w.r * Math.sin(a), nx: Math.cos(a), nz: Math.sin(a) });
		}
	};
	arc(FRONT, top, -Math.PI / 2);
	arc(REAR, -Math.PI / 2, top - 2 * Math.PI);
	points.push(points[0]);
	let s = 0;
	points.forEach((p, i) => {
		if (i) s += Math.hypot(p.x - points[i - 1].x, p.z - points[i - 1].z);
		p = points[i] = { ...p, s };
	});
	return points;
}

// along is the place at distance s on the outline.
function along(points, s) {
	const length = points[points.length - 1].s;
	s = ((s % length) + length) % length;
	let i = 1;
	while (points[i].s < s) i++;
	const [a, b] = [points[i - 1], points[i]];
	const k = (s - a.s) / (b.s - a.s || 1);
	return { x: a.x + (b.x - a.x) * k, z: a.z + (b.z - a.z) * k, angle: Math.atan2(b.z - a.z, b.x - a.x) };
}

function belt(points) {
	const shape = new T.Shape(points.map((p) => new T.Vector2(p.x - p.nx * 0.8, p.z - p.nz * 0.8)));
	shape.holes.push(new T.Path(points.map((p) => new T.Vector2(p.x - p.nx * 3.2, p.z - p.nz * 3.2)).reverse()));
	const g = new T.ExtrudeGeometry(shape, { depth: WIDTH, bevelEnabled: false, curveSegments: 4 });
	return g.rotateX(Math.PI / 2).translate(0, WIDTH / 2, 0);
}

// newTracks returns {node, turn(left, right)}; travel in millimeters of the rim.
export function newTracks(rubber, accent) {
	const node = new T.Group();
	const points = outline();
	const rim = matte('#eceff0', { roughness: 0.4 });
	const cleat = new T.BoxGeometry(3.6, WIDTH + 0.6, 1.8);
	const m = new T.Matrix4();
	const sides = [GAUGE, -GAUGE].map((y) => {
		const side = new T.Group();
		side.position.y = y;
		side.add(mesh(belt(points), rubber));
		const wheels = [FRONT, REAR].map((w) => {
			const wheel = new T.Group();
			wheel.position.set(w.x, 0, w.z);
			wheel.add(mesh(new T.CylinderGeometry(w.r - 3, w.r - 3, WIDTH - 3, 26), rim, [0, 0, 0], { cast: false }));
			const out = Math.sign(y) * (WIDTH / 2 - 1.2);
			wheel.add(mesh(new T.CylinderGeometry(3.4, 3.4, 1.6, 16), accent, [0, out, 0], { cast: false }));
			for (let k = 0; k < 5; k++) {
				const a = k * 2 * Math.PI / 5;
				wheel.add(mesh(new T.CylinderGeometry(1.7, 1.7, 0.8, 12), rubber, [Math.cos(a) * (w.r - 6.4), out, Math.sin(a) * (w.r - 6.4)], { cast: false }));
			}
			side.add(fuse(wheel));
			return { wheel, r: w.r };
		});
		// A skirt hides the view through the belt.
		side.add(mesh(new T.BoxGeometry(46, WIDTH - 5, 17), rubber, [-12, 0, 14], { cast: false }));
		fuse(side);
		const cleats = new T.InstancedMesh(cleat, rubber, CLEATS);
		cleats.castShadow = true;
		cleats.frustumCulled = false;
		side.add(cleats);
		node.add(side);
		return { wheels, cleats, at: NaN };
	});

	function set(side, travel) {
		if (side.at === travel) return;
		side.at = travel;
		for (const { wheel, r } of side.wheels) wheel.rotation.y = travel / r;
		const length = points[points.length - 1].s;
		for (let i = 0; i < CLEATS; i++) {
			const p = along(points, travel + i * length / CLEATS);
			m.makeRotationY(-p.angle).setPosition(p.x, 0, p.z);
			side.cleats.setMatrixAt(i, m);
		}
		side.cleats.instanceMatrix.needsUpdate = true;
	}

	return {
		node,
		turn(left, right) {
			set(sides[0], left);
			set(sides[1], right);
		},
	};
}
