// The camera goes around what it looks at: three presets, and a person's own turns, slides and zooms on top.
import * as T from '../vendor/three/three.min.js';
import { ease } from './glide.js';

const NEAR_MM = 170;
const FAR_MM = 4200;
const LOW = 0.06; // elevations, radians
const HIGH = Math.PI / 2 - 0.001;
const NEAR_FOLLOW_MM = 400; // of the follow camera from R1, whose outline reaches R1_MM
const R1_MM = 70;
const SETTLED = 0.05;
const TURN_TAU_S = 1.6; // the follow camera comes around to the robot's face at leisure
const FACE_RAD = 0.8; // it is content when it sees the face from within this angle

const wrap = (a) => Math.atan2(Math.sin(a), Math.cos(a));
const clamp = (v, lo, hi) => Math.max(lo, Math.min(hi, v));

// newCamera returns the camera with preset(name), orbit, slide and zoom by a person, and step(dt, robot) for each frame.
export function newCamera() {
	const camera = new T.PerspectiveCamera(32, 1, 20, 12000);
	camera.up.set(0, 0, 1);
	const goal = { x: 0, y: 0, z: 34, az: -0.9, el: 0.4, dist: NEAR_FOLLOW_MM };
	const now = { ...goal };
	let mode = 'follow';
	let box = { x: 0, y: 0, w: 1200, h: 800, az: -Math.PI / 2 };
	let own = false; // a person has turned it: it does not come around by itself
	let fresh = true;
	let large = 1; // how much larger the robot is than R1

	// fit is the distance from which the table fills the picture.
	function fit(el) {
		const half = Math.tan(camera.fov * Math.PI / 360);
		const side = el < 1.2 && Math.abs(Math.cos(box.az)) > 0.7; // seen along its length
		const [w, h] = side ? [box.h, box.w] : [box.w, box.h];
		const tall = h * Math.sin(el) + 330 * Math.cos(el); // people stand around it
		return Math.max(tall / 2 / half, w / 2 / half / camera.aspect) * 1.12 + (el < 1.2 ? h * 0.18 : 20);
	}

	function aim(robot) {
		if (mode === 'follow') Object.assign(goal, { x: robot.x, y: robot.y, z: robot.z + 40 });
		else Object.assign(goal, { x: box.x, y: box.y, z: mode === 'top' ? 0 : 60 });
	}

	function set(name) {
		mode = name;
		own = false;
		if (name === 'follow') Object.assign(goal, { el: 0.4, dist: NEAR_FOLLOW_MM * large });
		else if (name === 'top') Object.assign(goal, { az: now.az + wrap(-Math.PI / 2 - now.az), el: HIGH, dist: fit(HIGH) });
		else Object.assign(goal, { az: now.az + wrap(box.az - now.az), el: 0.6, dist: fit(0.6) });
	}

	return {
		camera,
		get mode() { return mode; },
		get azimuth() { return now.az; },
		get distance() { return now.dist; },
		// reach is half the diagonal of the table.
		get reach() { return Math.hypot(box.w, box.h) / 2; },
		set,
		// size tells how far the outline of the robot reaches: the camera follows a larger one from farther away.
		size(mm) {
			const next = Math.max(1, mm / R1_MM);
			if (next === large) return;
			large = next;
			if (mode === 'follow' && !own) goal.dist = NEAR_FOLLOW_MM * large;
		},
		// frame sets what the table presets show and the shape of the picture.
		frame(table, aspect) {
			if (table) box = table;
			camera.aspect = aspect;
			camera.updateProjectionMatrix();
			if (mode !== 'follow' && !own) goal.dist = fit(goal.el);
		},
		orbit(dAz, dEl) {
			own = true;
			goal.az += dAz;
			goal.el = clamp(goal.el + dEl, LOW, HIGH);
		},
		zoom(factor) {
			own = true;
			goal.dist = clamp(goal.dist * factor, NEAR_MM, FAR_MM);
		},
		// step moves towards the goal and reports whether it still moves. still: no motion of its own (reduced motion).
		step(dt, robot, still) {
			aim(robot);
			if (mode === 'follow' && !own && !still && !robot.held && robot.z > -50) {
				const off = wrap(robot.heading - goal.az); // 0: it looks into the face
				if (Math.abs(off) > FACE_RAD) goal.az += (off - Math.sign(off) * FACE_RAD) * ease(dt, TURN_TAU_S);
			}
			if (mode === 'follow' && !own && robot.z < -50) goal.az = now.az + wrap(Math.atan2(robot.y, robot.x) - now.az); // not through the table
			if (fresh && mode === 'follow' && robot.z > -50) goal.az = robot.heading + 0.6;
			const k = fresh || still ? 1 : ease(dt, 0.16);
			fresh = false;
			let rest = 0;
			for (const key of ['x', 'y', 'z', 'az', 'el', 'dist']) {
				const left = goal[key] - now[key];
				rest = Math.max(rest, Math.abs(left) * (key === 'az' || key === 'el' ? 200 : 1));
				now[key] += left * k;
			}
			const flat = Math.cos(now.el) * now.dist;
			camera.position.set(now.x + Math.cos(now.az) * flat, now.y + Math.sin(now.az) * flat, now.z + Math.sin(now.el) * now.dist);
			camera.lookAt(now.x, now.y, now.z);
			camera.updateMatrixWorld();
			return rest > SETTLED;
		},
	};
}
