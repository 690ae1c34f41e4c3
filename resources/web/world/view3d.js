// The three-dimensional view: it owns the renderer and puts the things where the model says. It draws only when asked.
import * as T from '../vendor/three/three.min.js';
import { newCamera } from './camera.js';
import { HELD_LEAST_MM } from './model.js';
import { isDark, palette } from './palette.js';
import { radiusOf } from './parts.js';
import { newPeople } from './people.js';
import { newRobot } from './robot.js';
import { newSenses } from './sense.js';
import { newTable } from './table.js';

const SLOW_MS = 40; // a frame should take no longer
const SLOW_SUM = 24; // so many times too slow in sum lowers the quality; one frame counts as 6 at most
const LITE_MAX = 3;
const LITE_RATIO = 0.6; // pixels of the picture for one of the screen, at the lowest quality
const FOG_MM = 2200; // it begins so far away, or behind what the camera looks at
const TABLE_MM = 1100; // the sun's shadows reach so far around a robot on a table
const SUN = [-420, -520, 1300];

// newView3d returns a view, or throws when the browser has no WebGL.
export function newView3d(canvas) {
	const context = canvas.getContext('webgl2', { antialias: true, powerPreference: 'low-power' });
	if (!context) throw new Error('no WebGL');
	const renderer = new T.WebGLRenderer({ canvas, context });
	renderer.shadowMap.enabled = true;
	renderer.shadowMap.type = T.PCFShadowMap;
	renderer.toneMapping = T.NeutralToneMapping;
	renderer.toneMappingExposure = 0.95;
	const scene = new T.Scene();
	const sky = new T.HemisphereLight('#fff', '#888', 1);
	const sun = new T.DirectionalLight('#fff4e2', 2);
	sun.castShadow = true;
	sun.shadow.mapSize.set(2048, 2048);
	sun.shadow.bias = -0.0006;
	sun.shadow.normalBias = 1.2;
	sun.shadow.radius = 4;
	scene.add(sky, sun, sun.target);
	const cam = newCamera();
	const robot = newRobot();
	const table = newTable();
	const people = newPeople();
	const senses = newSenses();
	robot.node.add(senses.mount);
	const ring = new T.Mesh(new T.RingGeometry(0.9, 1, 48), new T.MeshBasicMaterial({ transparent: true, opacity: 0.85, depthWrite: false, side: T.DoubleSide }));
	ring.visible = false;
	scene.add(robot.node, table.node, people.node, senses.ground, ring);
	let colors = null;
	let size = { w: 1, h: 1 };
	let compiling = false;
	let ready = false; // the shaders are compiled
	let lite = 0; // how often the quality was lowered
	let slow = 0;
	const ray = new T.Raycaster();
	const ground = new T.Plane(new T.Vector3(0, 0, 1), 0);
	const tmp = new T.Vector3();

	function paint() {
		const next = palette();
		if (next === colors) return;
		colors = next;
		scene.background = new T.Color(colors.sky);
		scene.fog = new T.Fog(colors.sky, FOG_MM, 2.4 * FOG_MM);
		sky.color.set('#e8f0f4');
		sky.groundColor.set(colors.ground);
		sky.intensity = colors.ambient;
		sun.intensity = colors.sun;
		ring.material.color.set(colors.truth);
	}

	// light keeps the sun's shadow sharp where the camera looks.
	function light(x, y, reach) {
		sun.position.set(x + SUN[0], y + SUN[1], SUN[2]);
		sun.target.position.set(x, y, 0);
		const c = sun.shadow.camera;
		if (c.right === reach) return;
		Object.assign(c, { left: -reach, right: reach, top: reach, bottom: -reach, near: 200, far: 1000 + 2 * reach });
		c.updateProjectionMatrix();
	}

	function resize() {
		const w = canvas.clientWidth || 1;
		const h = canvas.clientHeight || 1;
		size = { w, h };
		renderer.setPixelRatio(lite === LITE_MAX ? LITE_RATIO : lite ? 1 : Math.min(2, devicePixelRatio || 1));
		renderer.setSize(w, h, false);
		cam.frame(null, w / h);
	}

	// lower makes drawing cheaper on a machine that cannot keep up.
	function lower() {
		lite++;
		if (lite === 1) {
			sun.shadow.mapSize.set(1024, 1024);
			sun.shadow.map?.dispose();
			sun.shadow.map = null;
		} else if (lite === 2) {
			renderer.shadowMap.enabled = false;
			scene.traverse((o) => { if (o.material) o.material.needsUpdate = true; });
		}
		resize();
	}

	function aim(px, py) {
		ray.setFromCamera(new T.Vector2(px / size.w * 2 - 1, 1 - py / size.h * 2), cam.camera);
		return ray;
	}

	return {
		kind: '3d',
		cam,
		resize,
		get size() { return size; },
		get ready() { return ready; },
		get lite() { return lite; },
		get cliffs() { return senses.cliffs; },
		// prepare compiles the shaders without holding the page; nothing is drawn before.
		async prepare() {
			if (compiling) return;
			compiling = true;
			if (renderer.extensions.has('KHR_parallel_shader_compile')) await renderer.compileAsync(scene, cam.camera).catch(() => {});
			ready = true;
		},
		// update takes what a new state brings.
		update(state, o) {
			paint();
			table.update(state, colors, isDark());
			people.update(state.world ? state.world.faces : [], colors, table.floor);
			robot.update(state, o.now, o.still);
			senses.update(state, colors, o);
			cam.size(radiusOf(state));
			if (o.box) cam.frame(o.box, size.w / size.h);
		},
		// pose puts everything that glides.
		pose(model) {
			robot.pose(model.robot);
			for (const [id, c] of model.cubes) table.placeCube(id, ...c);
			for (const [id, p] of model.people) people.place(id, p[0], p[1], model.robot);
			senses.ghost.visible = Boolean(model.belief);
			if (model.belief) {
				senses.ghost.position.set(model.belief[0], model.belief[1], 1.2);
				senses.ghost.rotation.z = model.belief[2];
			}
			senses.sure(model.sure);
			ring.visible = Boolean(model.ring);
			if (model.ring) {
				ring.position.set(model.ring[0], model.ring[1], 1.5);
				ring.scale.setScalar(model.ring[2]);
			}
			table.reveal(cam.camera.position, model.robot);
			if (cam.mode === 'follow') light(model.robot[0], model.robot[1], 620);
			else if (cam.reach > TABLE_MM) light(0, 0, cam.reach);
			else light(model.robot[0], model.robot[1], TABLE_MM);
		},
		// look moves the camera and reports whether it still moves.
		look(dt, model, still) {
			const moves = cam.step(dt, { x: model.robot[0], y: model.robot[1], z: model.robot[2], heading: model.robot[3], held: model.robot[2] > HELD_LEAST_MM }, still);
			const clear = Math.max(FOG_MM, 1.6 * cam.distance);
			Object.assign(scene.fog, { near: clear, far: 2.4 * clear });
			return moves;
		},
		screen: (now) => robot.draw(now),
		draw(gap) {
			renderer.render(scene, cam.camera);
			slow = Math.max(0, slow + Math.max(-1, Math.min(6, gap / SLOW_MS - 1)));
			if (slow < SLOW_SUM || lite >= LITE_MAX) return;
			slow = 0;
			lower();
		},
		// project gives the point of the picture where a point of the world is seen, or null behind the camera.
		project([x, y, z]) {
			tmp.set(x, y, z).project(cam.camera);
			return tmp.z > 1 ? null : { x: (tmp.x + 1) / 2 * size.w, y: (1 - tmp.y) / 2 * size.h };
		},
		// pick is what a person can take at a point of the picture.
		pick(px, py) {
			for (const hit of aim(px, py).intersectObjects([robot.node, people.node, table.node], true)) {
				if (hit.object.isSprite || hit.object.material.opacity < 0.5) continue;
				return hit.object.userData.hold || null;
			}
			return null;
		},
		// ground is the place on the table's plane at a height that is seen at a point of the picture.
		ground(px, py, z = 0) {
			ground.constant = -z;
			const p = aim(px, py).ray.intersectPlane(ground, tmp);
			return p ? [p.x, p.y] : null;
		},
		info: () => ({ ...renderer.info.render, geometries: renderer.info.memory.geometries }),
		dispose() {
			scene.traverse((o) => {
				o.geometry?.dispose();
				for (const m of [o.material].flat()) m?.dispose();
			});
			renderer.dispose();
			renderer.forceContextLoss();
		},
	};
}
