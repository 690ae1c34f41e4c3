// People around the table, as friendly figures. Where they stand is true; they are smaller than people are.
import * as T from '../vendor/three/three.min.js';
import { fuse, matte, mesh, release, tag } from './shapes.js';

const FACE_MM = 270; // above the table: lower than the true face, so that people stay in the picture
const HEAD_MM = 62; // radius
const DRAWN_MM = 78; // radius for which the head is drawn

function headOf(colors, color) {
	const head = new T.Group();
	const skin = matte(colors.skin, { roughness: 0.7 });
	const ink = matte('#2b2a33', { roughness: 0.4 });
	head.add(mesh(new T.SphereGeometry(DRAWN_MM, 32, 24), skin));
	const hair = mesh(new T.SphereGeometry(DRAWN_MM * 1.06, 32, 16, 0, 2 * Math.PI, 0, Math.PI * 0.46).rotateX(Math.PI / 2), matte(color, { roughness: 0.85 }), [-7, 0, 5]);
	hair.rotation.y = -0.35;
	head.add(hair);
	const blush = new T.MeshBasicMaterial({ color: '#ff8f7a', transparent: true, opacity: 0.35 });
	const white = matte('#fff');
	for (const y of [-26, 26]) {
		const eye = mesh(new T.SphereGeometry(8.5, 16, 12), ink, [69, y, 6], { cast: false });
		eye.scale.set(0.6, 1, 1.25);
		const glint = mesh(new T.SphereGeometry(2.8, 10, 8), white, [75, y + 2.5, 10], { cast: false });
		head.add(eye, glint);
		const cheek = mesh(new T.CircleGeometry(11, 20).rotateY(Math.PI / 2), blush, [67, y * 1.55, -17], { cast: false, take: false });
		cheek.rotation.z = Math.sign(y) * 0.6;
		head.add(cheek);
	}
	const smile = mesh(new T.TorusGeometry(21, 3, 10, 24, Math.PI * 0.72), ink, [70, 0, -12], { cast: false });
	smile.rotation.set(Math.PI / 2, Math.PI / 2, 0);
	smile.rotateZ(Math.PI + Math.PI * 0.14);
	head.add(smile);
	fuse(head);
	head.scale.setScalar(HEAD_MM / DRAWN_MM);
	return head;
}

function figure(colors, id, floor) {
	const node = new T.Group();
	const color = colors.person[Math.abs(id) % colors.person.length];
	const cloth = matte(color, { roughness: 0.8 });
	const head = headOf(colors, color);
	head.position.z = FACE_MM;
	node.add(head);
	const bottom = floor;
	const top = FACE_MM - HEAD_MM - 12;
	const radius = 72;
	const trunk = mesh(new T.CapsuleGeometry(radius, Math.max(10, top - bottom - 2 * radius), 8, 28).rotateX(Math.PI / 2), cloth, [-10, 0, (top + bottom) / 2]);
	trunk.scale.y = 1.2;
	node.add(trunk, mesh(new T.CylinderGeometry(20, 23, 40, 16).rotateX(Math.PI / 2), matte(colors.skin), [-6, 0, top + 6]));
	for (const side of [-1, 1]) {
		const arm = mesh(new T.CapsuleGeometry(19, 130, 6, 16).rotateX(Math.PI / 2), cloth, [4, side * 94, top - 118]);
		arm.rotation.set(side * 0.16, -0.12, 0);
		node.add(arm);
	}
	return tag(fuse(node), { kind: 'person', id });
}

// newPeople returns {node, update(list, colors, floor), place(id, x, y, towards)}.
export function newPeople() {
	const node = new T.Group();
	const all = new Map();
	let theme = null;
	return {
		node,
		headMM: FACE_MM + HEAD_MM,
		update(list, colors, floor) {
			const wanted = new Set(list.map((f) => f.id));
			for (const [id, f] of all) {
				if (theme === colors && wanted.has(id)) continue;
				release(f);
				all.delete(id);
			}
			theme = colors;
			for (const id of wanted) {
				if (all.has(id)) continue;
				const f = figure(colors, id, floor);
				all.set(id, f);
				node.add(f);
			}
		},
		// place puts a person somewhere, looking at the robot.
		place(id, x, y, [rx, ry]) {
			const f = all.get(id);
			if (!f) return;
			f.position.set(x, y, 0);
			f.rotation.z = Math.atan2(ry - y, rx - x);
		},
	};
}
