// The map that the robot believes in: edges, obstacles and bumps that it remembers, where it believes objects to be, and how sure it is of its
// own place. Everything is moved from the odometry frame to that of the picture.

// believedMap is the map of a state in the frame of the picture; null if there is none.
export function believedMap(state) {
	const m = state.map;
	if (!m || !m.marks) return null;
	const own = state.body.pose;
	const at = (state.world && state.world.believed) || own;
	const turn = at.heading_rad - own.heading_rad;
	const [s, c] = [Math.sin(turn), Math.cos(turn)];
	const move = (p) => {
		const [x, y] = [p.x_mm - own.x_mm, p.y_mm - own.y_mm];
		return { ...p, x: at.x_mm + x * c - y * s, y: at.y_mm + x * s + y * c, heading: p.heading_rad + turn };
	};
	return {
		key: JSON.stringify([m, at, turn]), marks: m.marks.map(move), objects: (m.objects || []).map(move),
		robot: { x: at.x_mm, y: at.y_mm, sigma: m.sigma_mm },
	};
}

const EDGE_MM = 40; // an edge is drawn this far to each side

// strokes are the lines of a map, each [x1, y1, x2, y2], with the color of the palette.
export function strokes(map) {
	const lines = [];
	const ring = (color, x, y, r) => {
		const n = 20;
		for (let i = 0; i < n; i++) {
			const [a, b] = [2 * Math.PI * i / n, 2 * Math.PI * (i + 1) / n];
			lines.push({ color, at: [x + r * Math.cos(a), y + r * Math.sin(a), x + r * Math.cos(b), y + r * Math.sin(b)] });
		}
	};
	for (const m of map.marks) {
		const [s, c] = [Math.sin(m.heading), Math.cos(m.heading)];
		if (m.kind === 'edge') lines.push({ color: 'edge', at: [m.x + EDGE_MM * s, m.y - EDGE_MM * c, m.x - EDGE_MM * s, m.y + EDGE_MM * c] });
		else if (m.kind === 'obstacle') ring('belief', m.x, m.y, m.radius_mm);
		else {
			lines.push({ color: 'edge', at: [m.x - 12, m.y - 12, m.x + 12, m.y + 12] });
			lines.push({ color: 'edge', at: [m.x - 12, m.y + 12, m.x + 12, m.y - 12] });
		}
	}
	for (const o of map.objects) ring('belief', o.x, o.y, 2 * o.sigma_mm + 4);
	ring('belief', map.robot.x, map.robot.y, 2 * map.robot.sigma + 2);
	return lines;
}
