// The robots that are not R1: a plain deck on wheels, as large as the robot's outline, with what it has and nothing that it lacks.
import * as T from '../vendor/three/three.min.js';
import { lacks, outlineOf } from './parts.js';
import { fuse, matte, mesh, slab, tag } from './shapes.js';

const WHEEL_MM = 32.5; // radius
const DECK_MM = 48; // height of the deck's middle

// newKit builds the robot of a state. picture is a mesh with its display, or null. It returns {node, head, lamps, wheels}.
export function newKit(state, picture) {
	const r = outlineOf(state);
	const [length, width, back] = [r.length_mm, r.width_mm, r.back_mm || r.length_mm / 2];
	const middle = length / 2 - back; // of the outline, before the axle
	const node = new T.Group();
	const dark = matte('#262f36', { roughness: 0.5 });
	const deck = matte('#fbf8f1', { roughness: 0.42 });
	const coral = matte('#ff7452', { roughness: 0.45 });
	const hull = new T.Group();
	hull.add(mesh(slab(length - 8, width - 62, 8, 6, 2), deck, [middle, 0, DECK_MM]));
	hull.add(mesh(slab(length * 0.55, width - 74, 26, 6, 3), dark, [middle - length * 0.08, 0, DECK_MM + 17]));
	hull.add(mesh(slab(8, 22, 6, 3, 1), coral, [middle + length / 2 - 8, 0, DECK_MM + 6])); // this end is the front
	node.add(fuse(hull));
	const wheels = [];
	const four = Math.abs(middle) < 10; // the axle is in the middle: a wheel at each corner
	for (const x of four ? [length / 2 - 44, 44 - length / 2] : [0]) {
		for (const s of [1, -1]) {
			const w = new T.Group();
			w.add(mesh(new T.CylinderGeometry(WHEEL_MM, WHEEL_MM, 26, 28), dark));
			w.add(mesh(new T.BoxGeometry(WHEEL_MM * 1.5, 27, 6), coral));
			w.position.set(x, s * (width / 2 - 14), WHEEL_MM);
			wheels.push({ node: w, side: s });
			node.add(w);
		}
	}
	if (!four) node.add(mesh(new T.SphereGeometry(12, 18, 12), dark, [middle * 1.6, 0, 12]));
	const head = new T.Group();
	head.position.set(middle + length / 2 - 34, 0, DECK_MM + 40);
	if (!lacks(state, 'head')) {
		const eyes = new T.Group();
		eyes.add(mesh(slab(10, 52, 24, 5, 2), deck, [4, 0, 0]));
		for (const y of [-13, 13]) eyes.add(mesh(new T.CylinderGeometry(8, 8, 10, 22).rotateZ(Math.PI / 2), dark, [12, y, 0]));
		head.add(fuse(eyes));
		node.add(mesh(new T.CylinderGeometry(8, 8, 30, 18).rotateX(Math.PI / 2), dark, [middle + length / 2 - 34, 0, DECK_MM + 16]));
	}
	node.add(head);
	if (picture) {
		picture.position.set(middle - length * 0.08 + length * 0.28, 0, DECK_MM + 34);
		node.add(picture);
	}
	const lamps = [];
	if (!lacks(state, 'lights')) {
		for (let i = 0; i < 5; i++) {
			const lamp = mesh(new T.SphereGeometry(4, 14, 10), matte('#39444b', { roughness: 0.3, emissiveIntensity: 1.5 }), [middle - length / 2 + 16, 32 - 16 * i, DECK_MM + 8], { cast: false });
			lamps.push(lamp);
			node.add(lamp);
		}
	}
	tag(node, { kind: 'robot', id: 'robot' });
	return { node, head, lamps, wheels, turn: (left, right) => wheels.forEach((w) => { w.node.rotation.y = (w.side > 0 ? left : right) / WHEEL_MM; }) };
}
