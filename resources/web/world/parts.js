// What the robot of a state has, and how large it is.

const DRAWN = ['head', 'lift', 'display', 'lights', 'touch', 'cliff', 'range', 'charger']; // what the picture of R1 has

// outlineOf is {length_mm, width_mm, back_mm} of the robot of a state: as it is in the simulated world, or as its file says.
export const outlineOf = (state) => (state.world?.robot.length_mm ? state.world.robot : state.parts || {});

// isKit reports whether a state is that of a robot which is not built like R1. One without a known size is drawn as R1.
export const isKit = (state) => Boolean(state.world ? state.world.robot.lacks?.length : outlineOf(state).length_mm && state.parts.lacks?.some((part) => DRAWN.includes(part)));

// lacks reports whether the robot of a state has not some part; a state that does not tell has all of them.
export const lacks = (state, part) => Boolean(state.parts?.lacks?.includes(part) || state.world?.robot.lacks?.includes(part));

// radiusOf is how far the outline of the robot reaches from the middle of its axle, in mm: 0 if nobody knows.
export function radiusOf(state) {
	const r = outlineOf(state);
	if (!r.length_mm) return 0;
	const back = r.back_mm || r.length_mm / 2;
	return Math.hypot(Math.max(back, r.length_mm - back), r.width_mm / 2);
}
