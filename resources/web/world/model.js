// The model is what is shown now: every number glides from state to state, and what is in a person's hand is where the hand is.
import { Glide, Pace } from './glide.js';
import { JUMP_MM } from './sense.js';
import { inside } from './table.js';

const WHEEL_MM = 46; // between the wheels, to turn them when the state has no travel
const HELD_MM = 70;
export const HELD_LEAST_MM = 20; // lower than this it is not in a hand, but may stand on the charger's tongue
const OUT_MM = 150;
const LIES = [1.35, -0.47]; // roll and pitch of a robot that fell
const SKID_MM = 5; // from the ends of the robot to where it stands

const jumped = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) > JUMP_MM;

// where is the pose that is drawn solid: the true one in a simulated world, the believed one of a real robot.
export const where = (state) => (state.world ? state.world.robot : state.body.pose);

// idOf is a cube's number; a recording of an older robot has none.
export const idOf = (cube, i) => cube.id || i + 1;

// tiltOf is how a robot stands: [roll, pitch, height], with the left side and the nose up. What of a tilted robot is over the table is not below it.
function tiltOf(w) {
	const { roll_rad: roll = 0, pitch_rad: pitch = 0, length_mm: length = 90, width_mm: width = 60, back_mm: back = length / 2, ...r } = w.robot;
	const [s, c] = [Math.sin(r.heading_rad), Math.cos(r.heading_rad)];
	let up = 0;
	for (const [l, a] of [[length - back - SKID_MM, 0], [SKID_MM - back, 0], [0, width / 2 - SKID_MM], [0, SKID_MM - width / 2]]) {
		const deep = -(l * Math.sin(pitch) + a * Math.sin(roll));
		if (deep > up && inside(w.table, r.x_mm + l * c - a * s, r.y_mm + l * s + a * c)) up = deep;
	}
	return [roll, pitch, up];
}

export function newModel(floor) {
	const robot = new Glide(10, [3, 4, 5, 9], (a, b) => jumped(a, b) && Math.abs(a[2] - b[2]) < HELD_LEAST_MM && a[2] < HELD_LEAST_MM);
	const belief = new Glide(3, [2], jumped);
	const cubes = new Map();
	const people = new Map();
	const pace = new Pace();
	const hand = new Map(); // kind and id of what is carried, to its pose
	const out = { robot: robot.at, belief: null, sure: null, cubes: new Map(), people: new Map(), ring: null };
	let travel = [0, 0];
	let before = null;

	// travelOf is how far the wheels' rims have turned, from the encoders or, without them, from the motion itself.
	function travelOf(state, p) {
		const { left_mm: left, right_mm: right } = state.body.sensors;
		if (left !== undefined) return [left, right];
		if (before) {
			const along = (p.x_mm - before.x_mm) * Math.cos(p.heading_rad) + (p.y_mm - before.y_mm) * Math.sin(p.heading_rad);
			const turn = Math.atan2(Math.sin(p.heading_rad - before.heading_rad), Math.cos(p.heading_rad - before.heading_rad)) * WHEEL_MM / 2;
			travel = [travel[0] + along - turn, travel[1] + along + turn];
		}
		before = p;
		return travel;
	}

	function aimAll(map, items, size, angles, now, span) {
		const seen = new Set(items.map(([id]) => id));
		for (const id of map.keys()) if (!seen.has(id)) map.delete(id);
		for (const [id, values] of items) {
			if (!map.has(id)) map.set(id, new Glide(size, angles, jumped));
			map.get(id).aim(values, now, span);
		}
	}

	return {
		out,
		// update takes a state that is to be reached by its glides; smooth is false to go there at once.
		update(state, now, smooth) {
			const gap = pace.next(now);
			const span = smooth ? gap : 0;
			const p = where(state);
			const w = state.world;
			const held = Boolean(w && w.robot.held);
			const fallen = Boolean(w && w.robot.fallen);
			const out = fallen ? OUT_MM / (Math.hypot(p.x_mm, p.y_mm) || 1) : 0; // it lies beside the table
			const [roll, pitch, up] = fallen ? [...LIES, 0] : w ? tiltOf(w) : [0, 0, 0];
			robot.aim([p.x_mm * (1 + out), p.y_mm * (1 + out), fallen ? floor + 28 : held ? HELD_MM : up, p.heading_rad, roll,
				state.body.head_rad || 0, state.body.lift_mm || 32, ...travelOf(state, p), pitch], now, span);
			const b = w && w.believed;
			if (b) belief.aim([b.x_mm, b.y_mm, b.heading_rad], now, span);
			else belief.fresh = true;
			aimAll(cubes, w ? w.cubes.map((c, i) => [idOf(c, i), [c.x_mm, c.y_mm, c.base_mm || 0, c.heading_rad]]) : [], 4, [3], now, span);
			aimAll(people, w ? w.faces.map((f) => [f.id, [f.x_mm, f.y_mm]]) : [], 2, [], now, span);
		},
		// carry shows something in hand: pose {x, y, z, heading}, or null when it is let go.
		carry(hold, pose) {
			const key = `${hold.kind} ${hold.id}`;
			if (pose) hand.set(key, pose);
			else hand.delete(key);
		},
		get carrying() { return hand.size > 0; },
		// sample works out everything of now and reports whether something still moves.
		sample(now) {
			let moving = robot.sample(now);
			moving = belief.sample(now) || moving;
			out.belief = belief.fresh ? null : belief.at;
			for (const [map, into, kind] of [[cubes, out.cubes, 'cube'], [people, out.people, 'person']]) {
				into.clear();
				for (const [id, g] of map) {
					moving = g.sample(now) || moving;
					const h = hand.get(`${kind} ${id}`);
					if (h) g.hold(kind === 'cube' ? [h.x, h.y, h.z + 14, h.heading] : [h.x, h.y]);
					into.set(id, g.at);
				}
			}
			const h = hand.get('robot robot');
			if (h) {
				const k = 0.35; // the hand draws it up softly
				robot.at[0] += (h.x - robot.at[0]) * k;
				robot.at[1] += (h.y - robot.at[1]) * k;
				robot.at[2] += (h.z - robot.at[2]) * k;
				robot.at[3] = h.heading;
				robot.hold(robot.at);
			}
			return moving || hand.size > 0;
		},
	};
}
