// The map that the robot believes in: edges, obstacles and bumps that it remembers, and where it believes objects and itself to be. Everything
// is moved from the odometry frame to that of the picture. What was met long ago is pale.

// Robot time in seconds after which a mark of a kind is as pale as it gets: the robot forgets it soon after.
const PALE_S = { edge: 1800, obstacle: 300, bump: 120 };
const PALEST = 0.3;
const FADES = 7; // steps from fresh to the palest
const EDGE_MM = 40; // an edge is drawn this far to each side
const SHAPES = { charger: [110, 84], cube: [44, 44] }; // length and width of what the robot believes to be somewhere
const SIGMAS = 2; // an ellipse of so many standard deviations holds the place in 86 of 100 cases: 1 − exp(−2²/2)

// freshness is the opacity of what was met some seconds ago.
export function freshness(kind, age) {
	const worn = Math.min(1, Math.max(0, age / (PALE_S[kind] || PALE_S.obstacle)));
	return 1 - (1 - PALEST) * Math.round(worn * FADES) / FADES;
}

// frameOf is where the odometry frame lies in the picture, so coarse that it stays while the robot drives: {x, y, turn}.
function frameOf(state) {
	const own = state.body.pose;
	const at = (state.world && state.world.believed) || own;
	const turn = Math.round((at.heading_rad - own.heading_rad) * 500) / 500;
	const [s, c] = [Math.sin(turn), Math.cos(turn)];
	return { x: Math.round(at.x_mm - own.x_mm * c + own.y_mm * s), y: Math.round(at.y_mm - own.x_mm * s - own.y_mm * c), turn };
}

// newBelievedMap returns what makes the map of a state in the frame of the picture; null if there is none. It returns the same object as long
// as it would look the same.
export function newBelievedMap() {
	let source = null;
	let key = '';
	let map = null;

	function make(m, frame, now) {
		const [s, c] = [Math.sin(frame.turn), Math.cos(frame.turn)];
		const move = (p) => ({ ...p, x: frame.x + p.x_mm * c - p.y_mm * s, y: frame.y + p.x_mm * s + p.y_mm * c, heading: p.heading_rad + frame.turn });
		return {
			marks: m.marks.map((p) => ({ ...move(p), alpha: freshness(p.kind, now - p.at_s) })),
			objects: (m.objects || []).map(move),
			// An older recording has one standard deviation, which is that along the longer axis: then a circle holds the place at least as often.
			sure: [SIGMAS * m.sigma_mm, SIGMAS * (m.across_mm ?? m.sigma_mm), (m.axis_rad || 0) + frame.turn],
		};
	}

	return (state) => {
		const m = state.map;
		if (!m || !m.marks) return null;
		const frame = frameOf(state);
		const fades = m.marks.length ? Math.floor(state.time_s / (PALE_S.bump / FADES)) : 0;
		const next = [frame.x, frame.y, frame.turn, fades].join();
		if (m !== source || next !== key) map = make(m, frame, state.time_s);
		[source, key] = [m, next];
		return map;
	};
}

// loop adds the lines around a closed outline of points about (x, y), turned by heading.
function loop(lines, color, alpha, { x, y, heading = 0 }, points) {
	const [s, c] = [Math.sin(heading), Math.cos(heading)];
	const out = points.map(([u, v]) => [x + u * c - v * s, y + u * s + v * c]);
	out.forEach((p, i) => lines.push({ color, alpha, at: [...p, ...out[(i + 1) % out.length]] }));
}

// oval is the outline of an ellipse with half axes a and b.
export function oval(a, b, n = 24) {
	return Array.from({ length: n }, (_, i) => [a * Math.cos(2 * Math.PI * i / n), b * Math.sin(2 * Math.PI * i / n)]);
}

const box = (l, w) => [[l / 2, w / 2], [-l / 2, w / 2], [-l / 2, -w / 2], [l / 2, -w / 2]];

function markLines(lines, m) {
	const [s, c] = [Math.sin(m.heading), Math.cos(m.heading)];
	if (m.kind === 'obstacle') return loop(lines, 'belief', m.alpha, m, oval(m.radius_mm, m.radius_mm, 16));
	const arms = m.kind === 'edge' ? [[EDGE_MM * s, -EDGE_MM * c]] : [[12, 12], [12, -12]];
	for (const [u, v] of arms) lines.push({ color: 'edge', alpha: m.alpha, at: [m.x + u, m.y + v, m.x - u, m.y - v] });
}

// strokes are the lines of a map, each {at: [x1, y1, x2, y2], color, alpha} with a color of the palette. The uncertainty of an object is that
// of its place relative to the robot's, of which the robot tells the longer axis only: a circle.
export function strokes(map) {
	const lines = [];
	for (const m of map.marks) markLines(lines, m);
	for (const o of map.objects) {
		loop(lines, 'belief', 1, o, box(...(SHAPES[o.kind] || SHAPES.cube)));
		loop(lines, 'belief', 0.55, o, oval(SIGMAS * o.sigma_mm + 2, SIGMAS * o.sigma_mm + 2));
	}
	return lines;
}
