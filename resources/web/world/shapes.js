// Geometry and materials that the things of the scene share. Millimeters; x forward, y left, z up.
import * as T from '../vendor/three/three.min.js';

// matte is the usual material: soft, slightly rough.
export const matte = (color, more = {}) => new T.MeshStandardMaterial({ color, roughness: 0.62, metalness: 0, ...more });

export function roundedRect(w, h, r) {
	const s = new T.Shape();
	const x = w / 2;
	const y = h / 2;
	s.moveTo(-x + r, -y);
	s.lineTo(x - r, -y).absarc(x - r, -y + r, r, -Math.PI / 2, 0);
	s.lineTo(x, y - r).absarc(x - r, y - r, r, 0, Math.PI / 2);
	s.lineTo(-x + r, y).absarc(-x + r, y - r, r, Math.PI / 2, Math.PI);
	s.lineTo(-x, -y + r).absarc(-x + r, -y + r, r, Math.PI, 1.5 * Math.PI);
	return s;
}

// slab is a block with rounded corners and edges, centered; length along x, width along y, height along z.
export function slab(length, width, height, r, bevel = Math.min(r, height / 2) * 0.7) {
	const shape = roundedRect(length - 2 * bevel, width - 2 * bevel, Math.max(0.1, r - bevel * 0.5));
	const g = new T.ExtrudeGeometry(shape, { depth: height - 2 * bevel, bevelEnabled: true, bevelSize: bevel, bevelThickness: bevel, bevelSegments: 4, curveSegments: 6 });
	g.translate(0, 0, -(height - 2 * bevel) / 2);
	return g;
}

// loaf is a slab that lies on its side: its rounded outline is seen from the side (x and z), its width is along y.
export function loaf(length, width, height, r, bevel = 3) {
	const g = new T.ExtrudeGeometry(roundedRect(length - 2 * bevel, height - 2 * bevel, r), { depth: width - 2 * bevel, bevelEnabled: true, bevelSize: bevel, bevelThickness: bevel, bevelSegments: 4, curveSegments: 8 });
	g.translate(0, 0, -(width - 2 * bevel) / 2);
	g.rotateX(Math.PI / 2);
	return g;
}

// mesh puts a geometry somewhere.
export function mesh(geometry, material, [x, y, z] = [0, 0, 0], { cast = true, take = true } = {}) {
	const m = new T.Mesh(geometry, material);
	m.position.set(x, y, z);
	m.castShadow = cast;
	m.receiveShadow = take;
	return m;
}

// tag marks an object and all that hangs on it as something that a person can take or touch.
export function tag(object, hold) {
	object.traverse((o) => { o.userData.hold ||= hold; });
	return object;
}

// release gives back what the graphics card holds for an object and its children.
export function release(object) {
	object.traverse((o) => {
		o.geometry?.dispose();
		for (const m of [o.material].flat()) {
			m?.map?.dispose();
			m?.dispose();
		}
	});
	object.removeFromParent();
}
