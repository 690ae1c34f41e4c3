// The trail: where the robot was in the last half minute, older parts paler.
import { fixed, s, setAttr } from './dom.js';

const KEEP_S = 30;
const STEP_S = 0.09; // one point a state is enough
const PARTS = 6;

// JUMP_MM between two states means carried, not driven.
export const JUMP_MM = 150;

// newTrail returns its <g> and add(time, pose, off); off the table nothing is drawn.
export function newTrail() {
	const paths = Array.from({ length: PARTS }, (_, i) => s('path', { opacity: (i + 1) / PARTS * 0.8 }));
	let points = [];

	function draw(now) {
		const d = paths.map(() => '');
		let before = -1; // part of the stroke that ended at the previous point
		points.forEach((p, i) => {
			if (p.gap || i === 0) {
				before = -1;
				return;
			}
			const part = Math.max(0, Math.min(PARTS - 1, Math.floor((1 - (now - p.t) / KEEP_S) * PARTS)));
			const from = points[i - 1];
			d[part] += (part === before ? '' : `M${fixed(from.x, 1)} ${fixed(from.y, 1)}`) + `L${fixed(p.x, 1)} ${fixed(p.y, 1)}`;
			before = part;
		});
		paths.forEach((path, i) => setAttr(path, 'd', d[i]));
	}

	return {
		node: s('g', { class: 'trail' }, ...paths),
		add(t, pose, off) {
			const x = pose.x_mm;
			const y = -pose.y_mm;
			let last = points[points.length - 1];
			if (last && t < last.t) {
				points = []; // robotd was started anew
				last = null;
			}
			const gap = off || !last || Math.hypot(x - last.x, y - last.y) > JUMP_MM;
			if (gap || t - last.t >= STEP_S) points.push({ t, x, y, gap });
			while (points.length && points[0].t < t - KEEP_S) points.shift();
			draw(t);
		},
	};
}
