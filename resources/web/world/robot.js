// The robot in three dimensions: tracks that turn, a lift, a head with the display, back lights. Its origin is the middle of its
// axle on the ground, its nose along +x. Everything that moves follows measured values; nothing moves on its own.
import * as T from '../vendor/three/three.min.js';
import { Screen } from './face.js';
import { fuse, loaf, matte, mesh, release, roundedRect, slab, tag } from './shapes.js';
import { newKit } from './kit.js';
import { isKit, lacks, outlineOf } from './parts.js';
import { newTracks } from './tracks.js';

const ARM = { x: -24, y: 29.5, z: 38, length: 66 }; // pivot and length of the lift's arms
const HEAD = { x: 6, z: 45 }; // pivot of the head

const HULL = '#fbf8f1';
const DARK = '#262f36';
const CORAL = '#ff7452';

// newRobot returns {node, lights, pose(values), update(state, now, still), draw(now)}.
export function newRobot() {
	const node = new T.Group();
	const body = new T.Group(); // sways when held, lies when fallen
	node.add(body);
	const hull = matte(HULL, { roughness: 0.42 });
	const dark = matte(DARK, { roughness: 0.5 });
	const coral = matte(CORAL, { roughness: 0.45 });

	const tracks = newTracks(dark, coral);
	body.add(tracks.node);
	body.add(mesh(loaf(74, 36, 27, 8), hull, [-13, 0, 21.5]));
	body.add(mesh(slab(16, 40, 4, 2), dark, [16, 0, 12]));
	const nose = mesh(new T.CylinderGeometry(4.2, 4.2, 3, 20).rotateZ(Math.PI / 2), matte('#0b1013', { roughness: 0.15 }), [24, 0, 22]);
	body.add(nose);
	body.add(mesh(new T.CylinderGeometry(9, 11, 14, 20).rotateX(Math.PI / 2), dark, [HEAD.x - 3, 0, 37]));

	// The back: a dark panel with five lights, and the sensor that feels a hand.
	const back = new T.Group();
	back.add(mesh(slab(13, 33, 2.4, 5), matte('#11181d', { roughness: 0.25 }), [-43, 0, 35.4]));
	const lamps = [];
	for (let i = 0; i < 5; i++) {
		const lamp = mesh(new T.SphereGeometry(2.5, 14, 10), matte('#39444b', { roughness: 0.3, emissiveIntensity: 1.5 }), [-43, 12.4 - 6.2 * i, 36.6], { cast: false });
		lamps.push(lamp);
		back.add(lamp);
	}
	const pad = mesh(new T.CylinderGeometry(9, 9.6, 2, 28).rotateX(Math.PI / 2).scale(0.95, 1.25, 1), matte('#e9b44c', { roughness: 0.35, metalness: 0.35 }), [-24, 0, 35.4]);
	tag(pad, { kind: 'back', id: 'robot' });
	body.add(back, pad);
	const glow = new T.PointLight('#fff', 0, 220, 1.6);
	glow.position.set(-46, 0, 52);
	body.add(glow);

	// Lift.
	const lift = new T.Group();
	lift.position.set(ARM.x, 0, ARM.z);
	for (const y of [-ARM.y, ARM.y]) {
		lift.add(mesh(loaf(ARM.length + 8, 3.6, 7, 2.4, 1), coral, [ARM.length / 2, y, 0]));
		lift.add(mesh(new T.CylinderGeometry(6, 6, 5, 20), dark, [0, y, 0]));
		lift.add(mesh(new T.CylinderGeometry(2.6, 2.6, 6.4, 14), coral, [0, y, 0]));
	}
	const fork = new T.Group();
	fork.position.x = ARM.length;
	fork.add(mesh(new T.CylinderGeometry(2.8, 2.8, 2 * ARM.y + 4, 14), coral, [0, 0, 0]));
	for (const y of [-14, 14]) {
		fork.add(mesh(loaf(4, 6, 22, 1.4, 1), coral, [1, y, -9]));
		fork.add(mesh(loaf(11, 6, 3.4, 1, 0.8), coral, [5.5, y, -18.6]));
	}
	lift.add(fork);
	body.add(lift);

	// Head.
	const head = new T.Group();
	head.position.set(HEAD.x, 0, HEAD.z);
	head.add(mesh(loaf(37, 52, 36, 9, 4.5), hull, [6, 0, 10]));
	const bezel = new T.ExtrudeGeometry(roundedRect(45, 27, 8), { depth: 1.2, bevelEnabled: true, bevelSize: 0.8, bevelThickness: 0.8, bevelSegments: 3 });
	bezel.rotateX(Math.PI / 2).rotateZ(Math.PI / 2);
	head.add(mesh(bezel, matte('#0a1014', { roughness: 0.12 }), [23.4, 0, 10]));
	const canvas = Object.assign(document.createElement('canvas'), { width: 512, height: 256 });
	const screen = new Screen(canvas, { glow: 1.6, back: '#0a1014' });
	const texture = new T.CanvasTexture(canvas);
	texture.colorSpace = T.SRGBColorSpace;
	texture.anisotropy = 4;
	const picture = new T.ShapeGeometry(roundedRect(44, 23, 6), 8);
	const uv = picture.attributes.uv;
	for (let i = 0; i < uv.count; i++) uv.setXY(i, uv.getX(i) / 44 + 0.5, uv.getY(i) / 23 + 0.5);
	picture.rotateX(Math.PI / 2).rotateZ(Math.PI / 2);
	const glass = new T.MeshBasicMaterial({ map: texture, toneMapped: false });
	head.add(mesh(picture, glass, [25.6, 0, 10], { cast: false, take: false }));
	for (const y of [-27, 27]) {
		head.add(mesh(new T.CylinderGeometry(8.4, 8.4, 4, 26), dark, [3, y, 10]));
		head.add(mesh(new T.CylinderGeometry(4, 4, 5.4, 20), coral, [3, y, 10]));
	}
	head.add(mesh(new T.CylinderGeometry(0.8, 1.1, 11, 8).rotateX(Math.PI / 2), dark, [-5, 15, 32]));
	const tip = mesh(new T.SphereGeometry(2.7, 14, 10), matte('#39444b', { emissiveIntensity: 1.6 }), [-5, 15, 38.5]);
	head.add(tip);
	body.add(head);
	for (const g of [back, fork, lift, head, body]) fuse(g, [pad, tip, ...lamps]);
	tag(node, { kind: 'robot', id: 'robot' });

	// shine gives a lamp its color; a dark lamp is gray glass.
	function shine(lamp, r, g, b) {
		const lit = r + g + b > 0;
		const m = lamp.material;
		if (lit) m.color.setRGB(r / 255, g / 255, b / 255, T.SRGBColorSpace);
		else m.color.set('#39444b');
		m.emissive.setRGB(r / 255, g / 255, b / 255, T.SRGBColorSpace);
		lamp.scale.setScalar(lit ? 1.15 : 1);
	}

	// A robot that is not built like R1 stands in its place; what of it moves and shines is its own.
	let kit = null;
	let built = '';
	function dress(state) {
		const r = outlineOf(state);
		const key = isKit(state) ? JSON.stringify([r.length_mm, r.width_mm, r.back_mm, r.lacks]) : '';
		if (key === built) return;
		built = key;
		if (kit) release(kit.node);
		kit = key ? newKit(state, lacks(state, 'display') ? null : mesh(picture.clone(), glass.clone(), [0, 0, 0], { cast: false, take: false })) : null;
		if (kit) node.add(kit.node);
		body.visible = !kit;
	}

	function drawLights(state) {
		let [r, g, b] = [0, 0, 0];
		const on = working(state, 'lights');
		(kit ? kit.lamps : lamps).forEach((lamp, i) => {
			const c = (on && state.body.lights[i]) || { r: 0, g: 0, b: 0 };
			shine(lamp, c.r, c.g, c.b);
			r += c.r;
			g += c.g;
			b += c.b;
		});
		const most = Math.max(r, g, b);
		glow.color.setRGB(r / (most || 1), g / (most || 1), b / (most || 1), T.SRGBColorSpace);
		glow.intensity = 1500 * Math.min(1, most / 700);
		if (state.body.charging) shine(tip, 60, 230, 120);
		else if (state.body.on_charger) shine(tip, 40, 110, 60);
		else shine(tip, 0, 0, 0);
	}

	return {
		node,
		// update takes what does not glide.
		update(state, now, still) {
			dress(state);
			screen.show(state.body, working(state, 'display'), now, still);
			drawLights(state);
			pad.material.emissive.set(state.body.touched ? '#ff9d2e' : '#000');
			pad.material.emissiveIntensity = 0.9;
		},
		// pose puts the robot and its parts where the values say: x, y, z, heading, roll, head, lift, left and right travel, pitch.
		pose([x, y, z, heading, roll, headRad, liftMM, left, right, pitch]) {
			node.position.set(x, y, z);
			node.rotation.z = heading;
			body.rotation.set(roll, -pitch, 0);
			head.rotation.y = -headRad;
			const a = Math.asin(Math.max(-0.95, Math.min(0.95, (liftMM - ARM.z) / ARM.length)));
			lift.rotation.y = -a;
			fork.rotation.y = a;
			tracks.turn(left, right);
			if (!kit) return;
			kit.node.rotation.set(roll, -pitch, 0);
			kit.head.rotation.y = -headRad;
			kit.turn(left, right);
		},
		// draw brings the display up to date and reports whether it changed, and whether it goes on changing.
		draw(now) {
			if (!screen.dirty) return { changed: false, moving: false };
			const moving = screen.draw(now);
			texture.needsUpdate = true;
			return { changed: true, moving };
		},
	};
}

// working reports whether a device does what it is told, as far as the robot knows.
function working(state, name) {
	const d = state.devices.find((dev) => dev.name === name);
	return !d || d.quality === 'ok' || d.quality === 'stale';
}
