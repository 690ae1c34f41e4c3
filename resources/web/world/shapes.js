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

// joined is one geometry made of those of several meshes, each where its mesh is.
function joined(meshes) {
	const parts = meshes.map((m) => {
		m.updateMatrix();
		const g = m.geometry.index ? m.geometry.toNonIndexed() : m.geometry.clone();
		m.geometry.dispose();
		return g.applyMatrix4(m.matrix);
	});
	const out = new T.BufferGeometry();
	for (const name of ['position', 'normal']) {
		const all = new Float32Array(parts.reduce((n, g) => n + g.attributes[name].array.length, 0));
		let at = 0;
		for (const g of parts) {
			all.set(g.attributes[name].array, at);
			at += g.attributes[name].array.length;
		}
		out.setAttribute(name, new T.BufferAttribute(all, 3));
	}
	for (const g of parts) g.dispose();
	return out;
}

// fuse makes one mesh of all meshes of a group that share a material, so that a frame takes fewer calls. Meshes in keep stay.
export function fuse(group, keep = []) {
	const kinds = new Map();
	for (const m of group.children) {
		if (!m.isMesh || m.isInstancedMesh || m.material.map || keep.includes(m)) continue;
		const key = m.material.uuid + m.castShadow;
		kinds.set(key, [...(kinds.get(key) || []), m]);
	}
	for (const meshes of kinds.values()) {
		if (meshes.length < 2) continue;
		group.remove(...meshes);
		group.add(mesh(joined(meshes), meshes[0].material, [0, 0, 0], { cast: meshes[0].castShadow, take: meshes[0].receiveShadow }));
	}
	return group;
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
